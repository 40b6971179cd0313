//! Builds by several ranks: what they agree on before work starts, and what the others do for rank 0.

use std::fs;
use std::sync::Arc;

use super::memory_budget::{Limit, allowance};
use super::{BuildOptions, Engine, EngineError, ErrorKind};
use crate::cluster::{Cluster, Lost, Sent, machine};
use crate::game::Game;
use crate::solve::{Kernel, Watch};
use crate::table::{Decoder, Encoder, VERSION, rules_hash};

/// The ranks that build together, as one of them knows them.
#[derive(Clone, Debug)]
pub(super) struct Team {
    pub(super) cluster: Arc<Cluster>,
    /// Says something to the user; only rank 0 does.
    say: fn(&str),
    /// The memory of the rank that has least, and what limits it.
    pub(super) memory: Option<(u64, Limit)>,
    /// Whether all of them are on one machine.
    is_one_machine: bool,
}

/// How several ranks built together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankFacts {
    /// How many they were.
    pub ranks: usize,
    /// How many of them did not see the folder of the table.
    pub apart: usize,
    /// What they sent each other.
    pub sent: Sent,
    /// Bytes of regions that they had to, as far as the plan told, if nothing was finished before.
    pub planned_bytes: u64,
}

/// Why ranks do not build together.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TeamError {
    /// They are not of one version.
    #[error("ranks of one version are expected: rank 0 is tablegen {expected}, rank {rank} is tablegen {found}")]
    Version {
        /// That of rank 0.
        expected: String,
        /// The first rank that is of another one.
        rank: usize,
        /// Its version.
        found: String,
    },
    /// They read different games.
    #[error(
        "ranks that build the same game are expected: rank {rank} reads other rules, or another word list or file, than rank 0"
    )]
    Rules {
        /// The first rank that reads something else.
        rank: usize,
    },
    /// A kernel was asked for that a rank does not have, or not by all.
    #[error(
        "one kernel for all ranks is expected: rank {rank} has other ones, or is asked for another one, than rank 0"
    )]
    Kernel {
        /// The first such rank.
        rank: usize,
    },
    /// They do not go on together.
    #[error(transparent)]
    Lost(#[from] Lost),
}

impl TeamError {
    pub(super) const fn kind(&self) -> ErrorKind {
        match self {
            Self::Version { .. } | Self::Rules { .. } | Self::Kernel { .. } => ErrorKind::Input,
            Self::Lost(Lost::Failed { status: 2, .. }) => ErrorKind::Input,
            Self::Lost(Lost::Failed { status: 3, .. }) => ErrorKind::Table,
            Self::Lost(_) => ErrorKind::Resources,
        }
    }
}

/// What a rank tells all others before work starts.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Hello {
    version: String,
    /// Of the rules and what else a game is made of.
    game: String,
    /// The numbers of the kernels that it can run, or of the one that is asked for.
    kernels: Vec<u8>,
    /// What tells machines apart.
    machine: String,
    cores: u32,
    /// Memory that a build may use as far as the command says, and what the machine has left; `u64::MAX` if nothing is said.
    asked: u64,
    available: u64,
}

impl Hello {
    fn of(engine: &Engine, rank: usize, game: &dyn Game, memory: Option<u64>) -> Self {
        let mut e = Encoder::new(VERSION);
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
            machine: machine().unwrap_or_else(|| rank.to_string()),
            cores: fs::read_to_string("/proc/cpuinfo")
                .map_or(0, |text| text.lines().filter(|line| line.starts_with("processor")).count())
                .max(cores) as u32,
            asked: memory.unwrap_or(u64::MAX),
            available: super::available_memory().unwrap_or(u64::MAX),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut e = Encoder::new(VERSION);
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

    /// What a rank tells; of one of another version, its version alone.
    fn from(bytes: &[u8]) -> Option<Self> {
        let mut d = Decoder::new(bytes, VERSION);
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

/// The kernel that all ranks sweep with, or why there is none.
fn agreed(all: &[Hello]) -> Result<Option<Kernel>, TeamError> {
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
    /// The same engine, for builds of `game` with `options` together with the other ranks of `cluster`, all of which call this. They
    /// agree on what all of them need to; `say` tells the user of rank 0 what is worth knowing before the build is done.
    ///
    /// Rank 0 goes on with [`plan`](Self::plan), the others with [`help`](Self::help).
    ///
    /// # Errors
    /// If they are of different versions, read different games, or cannot reach each other.
    pub fn joined(
        mut self,
        cluster: &Arc<Cluster>,
        game: &dyn Game,
        options: &BuildOptions,
        say: fn(&str),
    ) -> Result<Self, EngineError> {
        let own = Hello::of(&self, cluster.rank(), game, options.memory);
        let all = cluster.tell_all(&own.bytes()).map_err(TeamError::from)?;
        let nobody = || Hello { version: "of an unknown version".into(), ..own.clone() };
        let all: Vec<Hello> = all.iter().map(|bytes| Hello::from(bytes).unwrap_or_else(nobody)).collect();
        self.kernel = agreed(&all)?;
        let beside = |hello: &Hello| all.iter().filter(|other| other.machine == hello.machine).count() as u64;
        if self.threads.is_none() {
            // Those of one machine share its cores; if it was said which are this rank's, it has these.
            let bound = std::thread::available_parallelism().map_or(1, usize::from);
            let share = (own.cores as usize / beside(&own) as usize).max(1);
            self.threads = Some(bound.min(share));
        }
        let of_rank = |(rank, hello): (usize, &Hello)| {
            let of_machine = hello.available / beside(hello);
            let asked = Some(hello.asked).filter(|&asked| asked < u64::MAX);
            let (bytes, limit) = super::memory_budget::allowance_of(asked, of_machine);
            (bytes, if rank == 0 && beside(hello) == 1 || limit == Limit::Asked { limit } else { Limit::Rank(rank) })
        };
        let least = all.iter().enumerate().map(of_rank).min_by_key(|(bytes, _)| *bytes);
        let memory = least.filter(|_| allowance(None).is_some());
        let is_one_machine = all.iter().all(|other| other.machine == own.machine);
        self.team = Some(Team { cluster: Arc::clone(cluster), say, memory, is_one_machine });
        Ok(self)
    }
}

impl Team {
    /// What a region takes besides its positions, in positions that are swept meanwhile.
    pub(super) fn a_region(&self) -> u64 {
        let manners = self.cluster.manners();
        if self.is_one_machine { manners.a_region_beside } else { manners.a_region }
    }

    /// Tells the user.
    pub(super) fn say(&self, what: &str) {
        if self.cluster.rank() == 0 {
            (self.say)(what);
        }
    }

    /// `error`, or why the ranks do not go on together, if that is why.
    pub(super) fn explain(&self, error: EngineError) -> EngineError {
        self.cluster.lost().map_or(error, |lost| TeamError::from(lost).into())
    }

    /// A watch that passes on what `progress` says, and stops where the ranks do not go on together.
    pub(super) fn watching<T>(&self, progress: Option<Watch<'_>>, work: impl FnOnce(Watch<'_>) -> T) -> T {
        work(&|now| {
            if self.cluster.is_lost() {
                return std::ops::ControlFlow::Break(());
            }
            progress.map_or(std::ops::ControlFlow::Continue(()), |progress| progress(now))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello() -> Hello {
        Hello {
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
    fn what_is_told_comes_back() {
        assert_eq!(Hello::from(&hello().bytes()), Some(hello()));
    }

    #[test]
    fn ranks_agree_or_say_who_does_not() {
        let with = |change: fn(&mut Hello)| {
            let mut other = hello();
            change(&mut other);
            agreed(&[hello(), hello(), other])
        };
        assert_eq!(with(|_| {}), Ok(Some(Kernel::Avx2)));
        assert_eq!(with(|hello| hello.kernels = vec![0, 1, 2]), Ok(Some(Kernel::Avx2)));
        assert_eq!(with(|hello| hello.kernels = vec![0]), Ok(Some(Kernel::Portable)));
        assert_eq!(with(|hello| hello.kernels = vec![2]), Err(TeamError::Kernel { rank: 2 }));
        assert_eq!(with(|hello| hello.game = "h".into()), Err(TeamError::Rules { rank: 2 }));
        assert!(matches!(with(|hello| hello.version = "2".into()), Err(TeamError::Version { rank: 2, .. })));
    }
}
