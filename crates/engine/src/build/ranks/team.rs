//! Builds by several ranks, and the handshake by which the ranks agree before work starts.

use std::sync::Arc;
use std::time::Duration;

use crate::plan::memory_budget::{Allowance, Limit};
use crate::{Advice, BuildOptions, Engine, EngineError, ErrorKind};
use tablegen_games::Game;
use tablegen_ranks::{Cluster, ClusterError};
use tablegen_solvers::{Kernel, Watch};
use tablegen_tables::table::{Decoder, Encoder, rules_hash};

/// The ranks of a build, as one of them knows them.
#[derive(Clone, Debug)]
pub(crate) struct Team {
    pub(crate) cluster: Arc<Cluster>,
    /// Shows the user a note. Only rank 0 calls it.
    say: fn(&str),
    /// The memory of the rank with the least memory, and the source of this limit.
    pub(crate) memory: Option<Allowance>,
    /// True if all ranks are on one machine.
    is_one_machine: bool,
}

/// The reason why ranks cannot build together.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TeamError {
    /// The ranks' versions differ.
    #[error("cannot build together: expected tablegen {expected} as on rank 0, found tablegen {found} on rank {rank}")]
    Version {
        /// The version of rank 0.
        expected: String,
        /// The first rank with another version.
        rank: usize,
        /// The version of that rank.
        found: String,
    },
    /// The ranks' games differ.
    #[error(
        "cannot build together: expected the game of rank 0, found other rules or another input file on rank {rank}"
    )]
    Rules {
        /// The first rank with another game.
        rank: usize,
    },
    /// The ranks have no kernel in common, or were given different ones.
    #[error(
        "cannot build together: expected the kernel of rank 0, found that rank {rank} lacks it or requests another"
    )]
    Kernel {
        /// The first such rank.
        rank: usize,
    },
    /// The job has failed.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
}

impl TeamError {
    pub(crate) const fn kind(&self) -> ErrorKind {
        match self {
            Self::Version { .. } | Self::Rules { .. } | Self::Kernel { .. } => ErrorKind::Input,
            Self::Cluster(ClusterError::Failed { status: 2, .. }) => ErrorKind::Input,
            Self::Cluster(ClusterError::Failed { status: 3, .. }) => ErrorKind::Table,
            Self::Cluster(_) => ErrorKind::Resources,
        }
    }

    /// What helps.
    pub(crate) const fn advice(&self) -> Option<Advice> {
        match self {
            Self::Cluster(ClusterError::Silent { .. } | ClusterError::Transport(_)) => Some(Advice::Resume),
            Self::Version { .. } => Some(Advice::SameVersion),
            Self::Rules { .. } => Some(Advice::SameFiles),
            Self::Kernel { .. } => Some(Advice::SameKernel),
            Self::Cluster(_) => None,
        }
    }
}

/// The facts that a rank sends to all others before work starts.
#[derive(Clone, PartialEq, Eq, Debug)]
struct RankInfo {
    version: String,
    /// A hash of the rules and the descriptor of the game.
    game: String,
    /// The kernels that the rank can run, or the one that the user chose, as indices into [`Kernel::ALL`].
    kernels: Vec<u8>,
    /// A name that differs between machines.
    machine: String,
    /// Cores of the machine.
    cores: u32,
    /// The memory limit that the user gave; `u64::MAX` without one.
    asked: u64,
    /// Memory that the machine has available; `u64::MAX` if the system does not say.
    available: u64,
}

impl RankInfo {
    fn of(engine: &Engine, cluster: &Cluster, game: &dyn Game, memory: Option<u64>) -> Self {
        let mut e = Encoder::default();
        e.text(&rules_hash(game.rules()));
        let descriptor = game.descriptor();
        e.text(&descriptor.family);
        descriptor.parameters.iter().for_each(|(key, value)| {
            e.text(key);
            e.text(value);
        });
        let kernels = engine.kernel.map_or_else(Kernel::available, |kernel| vec![kernel]);
        let number = |kernel: &Kernel| Kernel::ALL.iter().position(|of_all| of_all == kernel).unwrap_or(0) as u8;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            game: blake3::hash(&e.bytes).to_hex().to_string(),
            kernels: kernels.iter().map(number).collect(),
            machine: cluster.machine().into(),
            cores: std::fs::read_to_string("/proc/cpuinfo")
                .map_or(0, |text| text.lines().filter(|line| line.starts_with("processor")).count())
                .max(cores) as u32,
            asked: memory.unwrap_or(u64::MAX),
            available: crate::available_memory().unwrap_or(u64::MAX),
        }
    }

    fn encode(&self) -> Vec<u8> {
        let mut e = Encoder::default();
        e.text(&self.version);
        e.text(&self.game);
        e.u32(self.kernels.len() as u32);
        e.bytes.extend(&self.kernels);
        e.text(&self.machine);
        e.u32(self.cores);
        e.u64(self.asked);
        e.u64(self.available);
        e.bytes
    }

    /// Decodes the facts of a rank. If the rank has another version, only that version is sure to be right.
    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut d = Decoder::new(bytes);
        let version = d.text().ok()?;
        let mut rest = || {
            let (game, kernels) = (d.text().ok()?, d.list(Decoder::u8).ok()?);
            let (machine, cores, asked, available) = (d.text().ok()?, d.u32().ok()?, d.u64().ok()?, d.u64().ok()?);
            Some((game, kernels, machine, cores, asked, available))
        };
        let (game, kernels, machine, cores, asked, available) =
            rest().unwrap_or_else(|| (String::new(), Vec::new(), String::new(), 1, 0, 0));
        Some(Self { version, game, kernels, machine, cores, asked, available })
    }
}

/// The best kernel that all ranks have; or an error, if the ranks cannot build together.
fn agree(all: &[RankInfo]) -> Result<Option<Kernel>, TeamError> {
    let first = &all[0];
    for (rank, other) in all.iter().enumerate() {
        if other.version != first.version {
            let (expected, found) = (first.version.clone(), other.version.clone());
            return Err(TeamError::Version { expected, rank, found });
        }
        if other.game != first.game {
            return Err(TeamError::Rules { rank });
        }
    }
    let has_all = |&&number: &&u8| all.iter().all(|other| other.kernels.contains(&number));
    let best = first.kernels.iter().filter(has_all).max().copied();
    let lacking = || all.iter().position(|other| !other.kernels.iter().any(|number| first.kernels.contains(number)));
    let best = best.ok_or_else(|| TeamError::Kernel { rank: lacking().unwrap_or(0) })?;
    Ok(Kernel::ALL.get(usize::from(best)).copied())
}

impl Engine {
    /// This engine for a build of `game` by all ranks of `cluster`, which must call this function together. The ranks
    /// agree on a kernel, their threads and their memory. `say` shows notes to the user of rank 0.
    ///
    /// Rank 0 continues with [`plan`](Self::plan), the other ranks with [`help`](Self::help).
    ///
    /// # Errors
    /// If the ranks have different versions or games, or cannot reach each other.
    pub fn joined(
        mut self,
        cluster: &Arc<Cluster>,
        game: &dyn Game,
        options: &BuildOptions,
        say: fn(&str),
    ) -> Result<Self, EngineError> {
        let own = RankInfo::of(&self, cluster, game, options.memory);
        let all = cluster.all_gather(&own.encode()).map_err(TeamError::from)?;
        let unknown = || RankInfo { version: "of an unknown version".into(), ..own.clone() };
        let all: Vec<RankInfo> = all.iter().map(|bytes| RankInfo::decode(bytes).unwrap_or_else(unknown)).collect();
        self.kernel = agree(&all)?;
        let on_machine = |info: &RankInfo| all.iter().filter(|other| other.machine == info.machine).count() as u64;
        if self.threads.is_none() {
            // Ranks on one machine share its cores. If the launcher has bound this rank to some cores, it uses at most
            // these.
            let bound = std::thread::available_parallelism().map_or(1, usize::from);
            let share = (own.cores as usize / on_machine(&own) as usize).max(1);
            self.threads = Some(bound.min(share));
        }
        let of_rank = |(rank, info): (usize, &RankInfo)| {
            let of_machine = info.available / on_machine(info);
            let asked = Some(info.asked).filter(|&asked| asked < u64::MAX);
            let Allowance { bytes, limit } = Allowance::on_machine(asked, of_machine);
            let is_own = rank == 0 && on_machine(info) == 1 || limit == Limit::Requested;
            Allowance { bytes, limit: if is_own { limit } else { Limit::Rank(rank) } }
        };
        let least = all.iter().enumerate().map(of_rank).min_by_key(|allowance| allowance.bytes);
        let memory = least.filter(|_| crate::available_memory().is_some());
        let is_one_machine = all.iter().all(|other| other.machine == own.machine);
        self.team = Some(Team { cluster: Arc::clone(cluster), say, memory, is_one_machine });
        Ok(self)
    }
}

impl Team {
    /// The fixed cost of a slice, as the number of positions that a rank sweeps in the same time.
    pub(crate) fn slice_cost(&self) -> u64 {
        let config = self.cluster.config();
        if self.is_one_machine { config.slice_cost_on_one_machine } else { config.slice_cost }
    }

    /// The time before the first checkpoint of a sparse table.
    pub(crate) fn checkpoint_delay(&self) -> Duration {
        self.cluster.config().checkpoint_delay
    }

    /// Shows `note` to the user, on rank 0 only.
    pub(crate) fn say(&self, note: &str) {
        if self.cluster.rank() == 0 {
            (self.say)(note);
        }
    }

    /// The error of the job if it has failed, else `error`: a failed job makes the work of each rank fail too.
    pub(crate) fn explain(&self, error: EngineError) -> EngineError {
        self.cluster.error().map_or(error, |error| TeamError::from(error).into())
    }

    /// Calls `work` with a watch that reports to `progress`, and that stops the work when the job fails.
    pub(crate) fn watching<T>(&self, progress: Option<Watch<'_>>, work: impl FnOnce(Watch<'_>) -> T) -> T {
        work(&|now| {
            if self.cluster.has_failed() {
                return std::ops::ControlFlow::Break(());
            }
            progress.map_or(std::ops::ControlFlow::Continue(()), |progress| progress(now))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info() -> RankInfo {
        RankInfo {
            version: "1".into(),
            game: "g".into(),
            kernels: vec![0, 1],
            machine: "m".into(),
            cores: 4,
            asked: u64::MAX,
            available: 1 << 30,
        }
    }

    #[test]
    fn rank_info_survives_encoding() {
        assert_eq!(RankInfo::decode(&info().encode()), Some(info()));
    }

    #[test]
    fn ranks_agree_or_name_the_rank_that_differs() {
        let with = |change: fn(&mut RankInfo)| {
            let mut other = info();
            change(&mut other);
            agree(&[info(), info(), other])
        };
        assert_eq!(with(|_| {}), Ok(Some(Kernel::Avx2)));
        assert_eq!(with(|info| info.kernels = vec![0, 1, 2]), Ok(Some(Kernel::Avx2)));
        assert_eq!(with(|info| info.kernels = vec![0]), Ok(Some(Kernel::Portable)));
        assert_eq!(with(|info| info.kernels = vec![2]), Err(TeamError::Kernel { rank: 2 }));
        assert_eq!(with(|info| info.game = "h".into()), Err(TeamError::Rules { rank: 2 }));
        assert!(matches!(with(|info| info.version = "2".into()), Err(TeamError::Version { rank: 2, .. })));
    }
}
