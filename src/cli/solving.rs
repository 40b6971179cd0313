//! Which solver a game gets and why, and what comes out of either.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::HumanCount;
use tablegen::game::{Coverage, Game};
use tablegen::rules::{Board, Rules, Start};
use tablegen::solve::dense::Kernel;
use tablegen::solve::sparse::{self, Census, SparseError};
use tablegen::solve::{self, Solution};
use tablegen::table::{Draft, ReachedDraft, Table, TableError};

use super::failure::{self, Failure};
use super::progress::Progress;
use super::{interrupt, limits, target};

/// The two solvers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Solver {
    /// Every board in every mode, many at a time
    Dense,
    /// The positions that play can reach, and no others
    Sparse,
}

impl Solver {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Sparse => "sparse",
        }
    }
}

impl From<Coverage> for Solver {
    fn from(coverage: Coverage) -> Self {
        match coverage {
            Coverage::Every => Self::Dense,
            Coverage::Reachable => Self::Sparse,
        }
    }
}

/// A solver, and why it is the one.
pub(super) struct Choice {
    pub(super) solver: Solver,
    pub(super) why: String,
}

/// The solver for `game`: the one `asked` for, the one the game needs, or the one that its size suggests where
/// `memory` is the most to use.
pub(super) fn choose(game: &dyn Game, asked: Option<Solver>, memory: Option<u64>) -> Choice {
    let rules = game.rules();
    let chosen = |solver, why: &str| Choice { solver, why: why.into() };
    if let Some(solver) = asked {
        return chosen(solver, "asked for");
    }
    match game.coverage() {
        Some(Coverage::Every) => return chosen(Solver::Dense, "every set of cells is asked about"),
        Some(Coverage::Reachable) => return chosen(Solver::Sparse, "play reaches few of its boards"),
        None => {}
    }
    if limits::check_memory(rules, memory).is_ok() {
        return chosen(Solver::Dense, "every position fits into memory");
    }
    if reaches_every_board(rules) {
        return chosen(Solver::Dense, "play can reach every board");
    }
    let why = format!("2^{} boards do not fit into memory: those that play can reach may", rules.cells());
    Choice { solver: Solver::Sparse, why }
}

/// Whether it is plain to see that play can reach every board: from the empty one, cell by cell.
pub(super) fn reaches_every_board(rules: &Rules) -> bool {
    let lone = rules.moves().iter().filter(|m| m.full.is_empty() && m.empty == m.fills && m.fills.count() == 1);
    let filled = lone.fold(Board::EMPTY, |all, m| all | m.fills);
    let from_empty = matches!(&rules.start(), Start::At(start) if start.board.is_empty());
    rules.modes().len() == 1 && rules.ends().is_empty() && from_empty && filled.count() == rules.cells()
}

/// Bounds on what solving may take.
#[derive(Clone, Copy, Default)]
pub(super) struct Bounds {
    /// Bytes of memory.
    pub(super) memory: Option<u64>,
    /// Positions.
    pub(super) most: Option<u64>,
}

/// A solved game.
pub(super) enum Solved {
    Dense(Solution),
    Sparse { solution: sparse::Solution, time: Duration },
}

/// Why a game was not solved.
pub(super) enum Refusal {
    Sparse(SparseError),
    Told(Failure),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Sparse(error) => error.into(),
            Refusal::Told(failure) => failure,
        }
    }
}

/// Solves `game`, with a progress bar.
pub(super) fn solve(game: &dyn Game, solver: Solver, bounds: Bounds) -> Result<Solved, Refusal> {
    let rules = game.rules();
    match solver {
        Solver::Dense => {
            let progress = Progress::new(&rules.name(), "positions", rules.positions() as u64);
            let told = |positions| progress.add(positions);
            let kernel = Kernel::asked_for().map_err(|e| Refusal::Told(e.into()))?;
            let options = solve::Options { progress: Some(&told), kernel, ..solve::Options::default() };
            solve::dense(rules, &options).map(Solved::Dense).map_err(|e| Refusal::Told(e.into()))
        }
        Solver::Sparse => {
            let begun = Instant::now();
            let watch = Watch::new(rules);
            let told = |progress| watch.told(progress);
            let roots = game.roots();
            let Bounds { most, .. } = bounds;
            let memory = memory_for_sparse(bounds.memory);
            let options = sparse::Options { roots: &roots, memory, most, progress: Some(&told) };
            let solution = solve::sparse(rules, &options).map_err(Refusal::Sparse)?;
            Ok(Solved::Sparse { solution, time: begun.elapsed() })
        }
    }
}

/// Counts what play can reach, up to `most` positions.
pub(super) fn census(game: &dyn Game, most: u64) -> Result<Census, SparseError> {
    let roots = game.roots();
    let options = sparse::Options { roots: &roots, memory: None, most: Some(most), progress: None };
    sparse::census(game.rules(), &options)
}

/// Bytes that flooding may hold: what is asked for, and no more than there is, without what the process takes beside it.
fn memory_for_sparse(asked: Option<u64>) -> Option<u64> {
    let had = limits::available_memory();
    let most = asked.into_iter().chain(had).min()?.saturating_sub(limits::beside());
    Some(most - most / (SPARE + 1))
}

/// One part in so many is lost between what is held and what the system gives for it: up to a tenth, as measured.
const SPARE: u64 = 8;

/// Bytes of memory that a build takes at its peak where `held` are held, and `beside` beside them.
pub(super) fn memory_of_sparse(held: u64, beside: u64) -> u64 {
    /// What `beside` differs by from one run to the next.
    const SLACK: u64 = 1 << 20;
    held + held.div_ceil(SPARE) + beside + SLACK
}

impl Solved {
    /// Positions that have their labels.
    pub(super) fn positions(&self, rules: &Rules) -> u128 {
        match self {
            Self::Dense(_) => rules.positions(),
            Self::Sparse { solution, .. } => solution.levels().count().into(),
        }
    }

    /// How long finding and labelling them took.
    pub(super) fn time(&self) -> Duration {
        match self {
            Self::Dense(solution) => solution.sweep_time(),
            Self::Sparse { time, .. } => *time,
        }
    }

    /// What labelled them.
    pub(super) fn kernel(&self) -> &'static str {
        match self {
            Self::Dense(solution) => solution.kernel(),
            Self::Sparse { .. } => "sparse",
        }
    }

    /// Writes the table of `game` to `path`.
    pub(super) fn save(&self, game: &dyn Game, path: &Path) -> Result<(), Failure> {
        self.with_draft(game, |draft| {
            if let Drafted::Sparse(draft) = &draft {
                // How large it is was not known before.
                limits::check_room(&target::nearest_folder(path), draft.file_bytes())?;
            }
            let saved: Result<(), TableError> = interrupt::guarding(|temporary| match &draft {
                Drafted::Dense(draft) => draft.save_with(path, temporary),
                Drafted::Sparse(draft) => draft.save_with(path, temporary),
            });
            saved.map_err(|e| failure::of_writing(&e))
        })
    }

    /// The table of `game`, in memory.
    pub(super) fn table(&self, game: &dyn Game) -> Result<Table, Failure> {
        let bytes = self.with_draft(game, |draft| match draft {
            Drafted::Dense(draft) => draft.to_bytes(),
            Drafted::Sparse(draft) => draft.to_bytes(),
        });
        Table::from_bytes(bytes).map_err(|e| failure::of_reading(&e))
    }

    fn with_draft<T>(&self, game: &dyn Game, then: impl FnOnce(Drafted<'_>) -> T) -> T {
        let (rules, descriptor) = (game.rules(), &game.descriptor());
        then(match self {
            Self::Dense(solution) => {
                Drafted::Dense(Draft { rules, descriptor, layout: solution.layout(), planes: solution.planes() })
            }
            Self::Sparse { solution, .. } => Drafted::Sparse(ReachedDraft {
                rules,
                descriptor,
                roots: solution.roots(),
                levels: solution.levels(),
                keys: solution.keys(),
                outcomes: solution.outcomes(),
                counts: solution.counts_by_mode(),
            }),
        })
    }
}

enum Drafted<'a> {
    Dense(Draft<'a>),
    Sparse(ReachedDraft<'a>),
}

/// The progress of the sparse solver: how many positions there are is known only once all are found.
struct Watch {
    name: String,
    state: Mutex<Watched>,
}

enum Watched {
    /// So many were told as found.
    Finding(u64, Progress),
    /// So many were told as labelled.
    Labelling(u64, Progress),
}

impl Watch {
    fn new(rules: &Rules) -> Self {
        let finding = Progress::counting(&rules.name(), "positions");
        Self { name: rules.name().into(), state: Mutex::new(Watched::Finding(0, finding)) }
    }

    fn told(&self, progress: sparse::Progress) {
        let Ok(mut state) = self.state.lock() else { return };
        match (&mut *state, progress) {
            (Watched::Finding(told, bar), sparse::Progress::Found { positions, .. }) => {
                bar.add(positions - std::mem::replace(told, positions));
            }
            (Watched::Labelling(told, bar), sparse::Progress::Labelled { positions, .. }) => {
                bar.add(positions - std::mem::replace(told, positions));
            }
            (_, sparse::Progress::Labelled { positions, of }) => {
                let bar = Progress::new(&self.name, "positions", of);
                bar.add(positions);
                *state = Watched::Labelling(positions, bar);
            }
            (Watched::Labelling(..), sparse::Progress::Found { .. }) => {}
        }
    }
}

/// How many positions there are at least, in words.
pub(super) fn more_than(most: u64) -> String {
    format!("more than {}", HumanCount(most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen::rules::RulesSpec;
    use tablegen::rules::{Move, Outcome};

    #[test]
    fn boards_that_are_all_reached() {
        let lone: Vec<Move> = (0..3).map(|cell| Move::fill(Board::bit(cell))).collect();
        let rules = RulesSpec { moves: lone.clone(), terminal: Outcome::Win, ..RulesSpec::new("three", 3) }
            .build()
            .expect("sound rules");
        assert!(reaches_every_board(&rules));
        assert!(!reaches_every_board(
            &RulesSpec { moves: lone[..2].to_vec(), ..rules.clone().into_spec() }.build().expect("sound rules")
        ));
        let held = Move { full: Board::bit(1), ..lone[0] };
        assert!(!reaches_every_board(
            &RulesSpec { moves: vec![held, lone[1], lone[2]], ..rules.into_spec() }.build().expect("sound rules")
        ));
    }
}
