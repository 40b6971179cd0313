//! Builds by several ranks: what they agree on before work starts, and what the others do for rank 0.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::levels::failure;
use super::planes::Planes;
use super::regions::{Regions, Sharing};
use super::room::{Limit, allowance, room_left, sparse_max_bytes};
use super::symmetry::group;
use super::{BuildOptions, Engine, EngineError, ErrorKind, RankFacts, UseSymmetry};
use crate::cluster::{Cluster, Lost, Mail, Sent, machine};
use crate::game::Game;
use crate::label::{LabelKind, LabelSet};
use crate::solve::{Kernel, LevelStore, Method, Options, Room, Sheet, Solution, Watch, solve_shared};
use crate::symmetry::Group;
use crate::table::{Decoder, Encoder, VERSION, rules_hash, sheet_numbers, sheet_of};

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
            let (bytes, limit) = super::room::allowance_of(asked, of_machine);
            (bytes, if rank == 0 && beside(hello) == 1 || limit == Limit::Asked { limit } else { Limit::Rank(rank) })
        };
        let least = all.iter().enumerate().map(of_rank).min_by_key(|(bytes, _)| *bytes);
        let memory = least.filter(|_| allowance(None).is_some());
        let is_one_machine = all.iter().all(|other| other.machine == own.machine);
        self.team = Some(Team { cluster: Arc::clone(cluster), say, memory, is_one_machine });
        Ok(self)
    }

    /// Does what rank 0 orders, until it ends the job. Returns the status with which it does.
    ///
    /// # Errors
    /// If this rank cannot go on.
    pub fn help(&self, game: &dyn Game, options: &BuildOptions) -> Result<u8, EngineError> {
        let Some(team) = &self.team else { return Ok(0) };
        loop {
            let letter = match team.cluster.wait(Mail::Order) {
                Ok((_, letter)) => letter,
                Err(Lost::Ended { status }) => return Ok(status),
                Err(lost) => return Err(TeamError::from(lost).into()),
            };
            let lost = || TeamError::from(Lost::Transport("rank 0 wants something unknown".into()));
            let order = Order::of(&letter[1..]).ok_or_else(lost)?;
            let helped = self.help_once(team, game, options, &order);
            // Whatever this rank makes of it: why the job ends is known better elsewhere.
            match (helped, team.cluster.lost()) {
                (_, Some(Lost::Ended { status })) => return Ok(status),
                (Err(_), Some(lost @ Lost::Failed { .. })) => return Err(TeamError::from(lost).into()),
                (helped, _) => helped?,
            }
        }
    }

    fn help_once(
        &self,
        team: &Team,
        game: &dyn Game,
        options: &BuildOptions,
        order: &Order,
    ) -> Result<(), EngineError> {
        self.start_threads()?;
        match order {
            Order::Regions(order) => {
                let asked = if order.folds { UseSymmetry::Always } else { UseSymmetry::Never };
                let planes =
                    Planes::of(game, order.method)?.map(|planes| planes.folded(asked, order.labels)).transpose()?;
                let planes = planes.ok_or_else(|| TeamError::from(Lost::Transport("no planes to sweep".into())))?;
                let regions = Regions::of_order(game, order, &planes, team)?;
                regions.help(game, order, self.kernel, options.scratch.as_deref(), team)
            }
            Order::Positions { labels, folds } => {
                let asked = if *folds { UseSymmetry::Always } else { UseSymmetry::Never };
                let group = group(game, asked)?;
                team.solve_positions(game, group.as_ref(), *labels, None, None)?;
                Ok(())
            }
        }
    }
}

impl Team {
    /// Tells all other ranks what to do.
    pub(super) fn order(&self, order: &Order) {
        for rank in 1..self.cluster.size() {
            let mut letter = Mail::Order.letter();
            letter.extend(order.bytes());
            self.cluster.send(rank, letter);
        }
    }

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

    /// Solves the positions of `game` that play reaches, which have levels, together with the other ranks. Rank 0 has the solution, and
    /// keeps them in `store`.
    pub(super) fn solve_positions(
        &self,
        game: &dyn Game,
        symmetry: Option<&Group>,
        labels: LabelSet,
        progress: Option<Watch<'_>>,
        store: Option<&dyn LevelStore>,
    ) -> Result<Option<(Solution, RankFacts)>, EngineError> {
        if self.cluster.rank() == 0 {
            self.order(&Order::Positions { labels, folds: symmetry.is_some() });
        }
        let memory = self.memory.as_ref().map(|(bytes, _)| *bytes);
        let (roots, room) = (game.roots(), room_left(memory));
        let (max_bytes, room) = (sparse_max_bytes(memory), Some(&room as Room<'_>));
        let solved = self.watching(progress, |watch| {
            let progress = Some(watch);
            let method = Method::Sparse;
            let options =
                Options { method, labels, roots: &roots, symmetry, max_bytes, room, progress, ..Options::default() };
            solve_shared(game.rules(), &options, self.cluster.as_ref(), store)
        });
        let solved = solved.map_err(|error| self.explain(failure(error)))?;
        let sent = self.cluster.tell_all(&self.cluster.traffic().0.to_le_bytes()).map_err(TeamError::from)?;
        let bytes = sent.iter().filter_map(|sent| Some(u64::from_le_bytes(*sent.first_chunk()?))).sum();
        let sent = Sent { bytes, ..Sent::default() };
        let facts = RankFacts { ranks: self.cluster.size(), apart: 0, sent, planned_bytes: 0 };
        Ok(solved.map(|solution| (solution, facts)))
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

/// What rank 0 wants the others to do.
pub(super) enum Order {
    /// To sweep a share of the regions of a table.
    Regions(RegionOrder),
    /// To find and label a share of the positions that play reaches, and whether one stands for its orbit.
    Positions {
        /// The labels.
        labels: LabelSet,
        folds: bool,
    },
}

/// A table whose regions are swept by all ranks.
pub(super) struct RegionOrder {
    pub(super) method: Method,
    /// Whether boards or colourings are folded up to symmetry.
    pub(super) folds: bool,
    pub(super) labels: LabelSet,
    /// Whether it will be packed in the end.
    pub(super) packs: bool,
    /// How many cells name a region.
    pub(super) cells: u32,
    pub(super) sharing: Sharing,
    /// What is finished already.
    pub(super) finished: Vec<(Sheet, u64)>,
}

impl Order {
    fn bytes(&self) -> Vec<u8> {
        let mut e = Encoder::new(VERSION);
        let bits = |labels: LabelSet| {
            LabelKind::ALL.iter().enumerate().map(|(number, &kind)| u8::from(labels.contains(kind)) << number).sum()
        };
        match self {
            Self::Positions { labels, folds } => {
                e.u8(1);
                e.u8(u8::from(*folds));
                e.u8(bits(*labels));
            }
            Self::Regions(order) => {
                e.u8(0);
                e.u8(u8::from(order.method == Method::Coloured));
                e.u8(u8::from(order.folds));
                e.u8(bits(order.labels));
                e.u8(u8::from(order.packs));
                e.u32(order.cells);
                e.text(&order.sharing.folder.to_string_lossy());
                e.text(&order.sharing.token);
                e.u32(order.finished.len() as u32);
                for &(sheet, rank) in &order.finished {
                    e.bytes.extend(sheet_numbers(sheet));
                    e.u64(rank);
                }
            }
        }
        e.bytes
    }

    fn of(bytes: &[u8]) -> Option<Self> {
        let mut d = Decoder::new(bytes, VERSION);
        let labels = |bits: u8| -> LabelSet {
            let kinds = LabelKind::ALL.into_iter().enumerate();
            kinds.filter(|(number, _)| bits >> number & 1 == 1).map(|(_, kind)| kind).collect()
        };
        match d.u8().ok()? {
            1 => Some(Self::Positions { folds: d.u8().ok()? == 1, labels: labels(d.u8().ok()?) }),
            0 => {
                let method = if d.u8().ok()? == 1 { Method::Coloured } else { Method::Dense };
                let (folds, labels, packs) = (d.u8().ok()? == 1, labels(d.u8().ok()?), d.u8().ok()? == 1);
                let (cells, folder, token) = (d.u32().ok()?, d.text().ok()?, d.text().ok()?);
                let count = d.u32().ok()?;
                let key = |_| Some((sheet_of(d.array().ok()?)?, d.u64().ok()?));
                let finished = (0..count).map(key).collect::<Option<_>>()?;
                let sharing = Sharing { folder: PathBuf::from(folder), token };
                Some(Self::Regions(RegionOrder { method, folds, labels, packs, cells, sharing, finished }))
            }
            _ => None,
        }
    }
}

/// Whether the file at `path` holds `token`: whether this is the folder that rank 0 means.
pub(super) fn holds(path: &Path, token: &str) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text == token)
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
        let finished = vec![(Sheet::Reached, 7), (Sheet::Label(LabelKind::Nimber), 1 << 33)];
        let order = RegionOrder {
            method: Method::Coloured,
            folds: true,
            labels: LabelSet::OUTCOME.with(LabelKind::Nimber),
            packs: true,
            cells: 9,
            sharing: Sharing { folder: "/a b".into(), token: "t".into() },
            finished: finished.clone(),
        };
        let bytes = Order::Regions(order).bytes();
        let Some(Order::Regions(order)) = Order::of(&bytes) else { panic!("an order") };
        assert_eq!((order.method, order.folds, order.packs, order.cells), (Method::Coloured, true, true, 9));
        assert_eq!((order.labels, order.finished), (LabelSet::OUTCOME.with(LabelKind::Nimber), finished));
        assert!((0..bytes.len()).all(|length| Order::of(&bytes[..length]).is_none()));
        let bytes = Order::Positions { labels: LabelSet::OUTCOME, folds: true }.bytes();
        assert!(matches!(Order::of(&bytes), Some(Order::Positions { labels: LabelSet::OUTCOME, folds: true })));
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
