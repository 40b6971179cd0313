//! Which solver a game gets, and why.
//!
//! The choice depends on the game and on what was asked for, and on nothing else: not on the memory that happens to be
//! free, not on threads, not on time. So equal commands give equal tables on every machine.
//!
//! Where neither the game nor the caller settles it, the solver with less work is chosen. The dense solver labels all
//! boards, the coloured one every colouring of a game of two colours, the sparse one those positions that play reaches.
//! How many play reaches is counted by a flood that ends as soon as the sparse solver would be more work, so that the
//! count costs no more than the solving that it saves.

use super::memory_budget::room_left;
use super::{Engine, EngineError};
use crate::coloured::Frame;
use crate::contents::ColouredShape;
use crate::game::{Coverage, Game};
use crate::label::LabelSet;
use crate::plane::Shape;
use crate::rules::{Board, Mode, Rules, Start};
use crate::solve::{Marked, Method, Options, SolveError, Watch, census, coloured, mark};

/// How many positions the dense solver labels and writes in the time that the sparse solver needs for one. Measured in
/// whole builds, one after the other, on two cores (Zen 4), before the sparse solver worked by regions: 225 for m,n,k on 4x4,
/// 256 for Sim, 1,100 for Domineering on 5x6. Since then it takes a quarter of the time, 0.22 to 0.29: this is between
/// these figures. A sparse table of a game in which play reaches fewer than one position in this many is also the smaller
/// file.
const DENSE_PER_SPARSE: u64 = 128;
/// Up to this many positions are counted of any game: it takes a few milliseconds.
const ALWAYS_COUNTED: u64 = 1 << 16;
/// Up to this many if colourings are the alternative, which take no longer than counting more.
const FEW: u64 = 1 << 14;
/// The work of labelling a colouring, marking what play reaches and writing both; of a set of squares; and of beginning at
/// all, in boards that the dense solver labels and writes in that time. Measured on m,n,k 3x3 to 4x5 and on Sim.
const COLOURING: u128 = 3;
const SET: u128 = 1 << 10;
const SWEEP: u128 = 1 << 21;
/// Up to this many colourings, any sweep is over at once, and that of colourings tells what play reaches.
const AT_ONCE: u128 = 1 << 22;
/// Up to this much work of the sweep of colourings, they are marked rather than counted: it takes 50 milliseconds.
const MARKED_AT_ONCE: u128 = 1 << 29;
/// Counting takes at most this part of the time that the sweep of colourings takes.
const COUNTING: u128 = 32;
/// At most this many are counted: it takes about a second.
const MOST_COUNTED: u64 = 1 << 22;
/// The planes of a game larger than this are not made without being asked for, however many positions play reaches. What does not
/// fit into memory goes through the disk: a sketch did so with a plane of 2^42 boards, in half an hour and 42 GB of disk. What is
/// larger takes more of both than is spent unasked.
const MOST_PLANES: u64 = 512 << 30;
/// Moves and ends to be compared with a position, up to which a limit of positions stands as it is. Where there are
/// more, the limit is lowered, so that it bounds the work as well.
const ORDINARY_WIDTH: u64 = 256;

/// A solver, and the reason for choosing it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The solver.
    pub method: Method,
    /// Why, in a few words.
    pub reason: String,
    /// The numbers that decided, if numbers did.
    pub figures: Option<Figures>,
}

/// How many positions a game has, and how many of them play can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figures {
    /// All positions: every board in every mode.
    pub all: u128,
    /// Every colouring, in a game that is solved by them.
    pub colourings: Option<u128>,
    /// Those that play can reach.
    pub reached: Reachable,
}

/// How many positions play can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reachable {
    /// Their number; `None` if they were not counted to the end.
    pub positions: Option<u64>,
    /// A lower bound on their number.
    pub at_least: u64,
}

impl Reachable {
    /// A number that was counted to the end.
    #[must_use]
    pub const fn exactly(positions: u64) -> Self {
        Self { positions: Some(positions), at_least: positions }
    }

    /// More than `counted`.
    #[must_use]
    pub const fn more_than(counted: u64) -> Self {
        Self { positions: None, at_least: counted.saturating_add(1) }
    }
}

impl Engine {
    /// The solver for `game`: the one `asked` for, the one that the game needs, or the one with less work. For the
    /// last, positions are counted, for at most about a second.
    ///
    /// # Errors
    /// If counting fails for lack of memory or threads.
    pub fn choose(&self, game: &dyn Game, asked: Option<Method>) -> Result<Choice, EngineError> {
        self.choose_watched(game, asked, None)
    }

    /// Like [`choose`](Self::choose), with a function that is called with the progress of counting and may stop it.
    ///
    /// # Errors
    /// As [`choose`](Self::choose), and if the work is stopped.
    pub fn choose_watched(
        &self,
        game: &dyn Game,
        asked: Option<Method>,
        progress: Option<Watch<'_>>,
    ) -> Result<Choice, EngineError> {
        Ok(self.choose_knowing(game, asked, None, progress)?.0)
    }

    /// Like [`choose_watched`](Self::choose_watched); `reached` is the number of positions that play can reach, if a table
    /// tells it, so that they need not be counted. If what play reaches was marked to count it, and the choice is to label that,
    /// the marks are returned as well.
    pub(super) fn choose_knowing(
        &self,
        game: &dyn Game,
        asked: Option<Method>,
        reached: Option<u64>,
        progress: Option<Watch<'_>>,
    ) -> Result<(Choice, Option<Marked>), EngineError> {
        if let Some(choice) = settled(game, asked) {
            return Ok((choice, None));
        }
        let rules = game.rules();
        let work = Work::of(game);
        if let (None, Some(colourings)) = (reached, work.marked_at_once()) {
            self.start_threads()?;
            let options = Options { kernel: self.kernel, progress, ..Options::default() };
            let marked = mark(rules, colourings.frame.clone(), &options)?;
            let choice = work.choice(Reachable::exactly(marked.count()));
            let marked = (choice.method == Method::Coloured).then_some(marked);
            return Ok((choice, marked));
        }
        let most = work.worth_counting();
        let most = bounded(rules, u64::try_from(most).unwrap_or(u64::MAX).min(MOST_COUNTED));
        let reached = match reached {
            Some(reached) if reached <= most || work.marked_at_once().is_some() => Reachable::exactly(reached),
            Some(_) => Reachable::more_than(most),
            None => self.reachable(game, most, progress)?,
        };
        Ok((work.choice(reached), None))
    }

    /// Counts the positions of `game` that play can reach, up to `most`.
    fn reachable(&self, game: &dyn Game, most: u64, progress: Option<Watch<'_>>) -> Result<Reachable, EngineError> {
        self.start_threads()?;
        let roots = game.roots();
        let (max_positions, room) = (Some(most), room_left(None));
        let options = Options { roots: &roots, max_positions, room: Some(&room), progress, ..Options::default() };
        match census(game.rules(), &options) {
            Ok(census) => Ok(Reachable::exactly(census.count())),
            Err(SolveError::MaxPositions { .. }) => Ok(Reachable::more_than(most)),
            Err(error) => Err(error.into()),
        }
    }
}

/// The choice, if it does not depend on how many positions play reaches.
pub(super) fn settled(game: &dyn Game, asked: Option<Method>) -> Option<Choice> {
    let chosen = |method, reason: &str| Some(Choice { method, reason: reason.into(), figures: None });
    match (asked, game.coverage()) {
        (Some(method), _) => chosen(method, "asked for"),
        (None, _) if game.rules().beyond().is_some() => {
            chosen(Method::Sparse, "it is not a game of filling cells in turn")
        }
        (None, Some(Coverage::Every)) => chosen(Method::Dense, "every set of cells is asked about"),
        (None, Some(Coverage::Reachable)) => chosen(Method::Sparse, "play reaches few of its boards"),
        (None, None) if reaches_every_board(game.rules()) => chosen(Method::Dense, "play can reach every board"),
        (None, None) => None,
    }
}

/// The solver with less work, if play reaches `reached` positions.
pub(super) fn of_less_work(game: &dyn Game, reached: Reachable) -> Choice {
    Work::of(game).choice(reached)
}

/// The sweep that solves `game` while someone waits; `None` if none does.
pub(super) fn swept_on_the_spot(game: &dyn Game) -> Option<Method> {
    /// Boards that the dense solver labels meanwhile; it is also the largest game that is small by the contract.
    const BOARDS: u128 = 1 << 24;
    /// Colourings: 0.1 seconds on one core.
    const COLOURINGS: u128 = 1 << 26;
    if game.rules().beyond().is_some() {
        return None;
    }
    let work = Work::of(game);
    match (work.sweep().0, &work.colourings) {
        (Method::Coloured, Some(colourings)) if colourings.positions <= COLOURINGS => Some(Method::Coloured),
        _ => (work.every <= BOARDS).then_some(Method::Dense),
    }
}

/// How much work the two sweeps are, in boards that the dense one labels in the same time.
struct Work {
    every: u128,
    every_bytes: Option<u64>,
    colourings: Option<Colourings>,
}

/// The sweep of colourings of a game that has it.
struct Colourings {
    frame: Frame,
    positions: u128,
    work: u128,
    bytes: u64,
}

impl Work {
    fn of(game: &dyn Game) -> Self {
        let rules = game.rules();
        let colourings = coloured(rules, &game.roots()).ok().and_then(|frame| {
            let positions = u128::from(frame.count()?);
            let work = positions * COLOURING + (SET << frame.size()) + SWEEP;
            let bytes = ColouredShape::new(&frame, rules).bytes(LabelSet::OUTCOME)?;
            Some(Colourings { frame, positions, work, bytes })
        });
        Self { every: rules.positions(), every_bytes: Shape::of(rules).bytes(), colourings }
    }

    /// The solver with less work, if play reaches `reached` positions.
    fn choice(&self, reached: Reachable) -> Choice {
        let (sweep, planes) = self.sweep();
        let few = u128::from(reached.at_least) * u128::from(DENSE_PER_SPARSE) <= self.of_sweep();
        let fits = planes.is_some_and(|bytes| bytes <= MOST_PLANES);
        let (method, reason) = match (reached.positions, sweep) {
            (Some(_), _) if few => (Method::Sparse, "play reaches few positions"),
            (None, _) if few && !fits => (Method::Sparse, "it has more positions than most disks hold"),
            (None, _) if few && sweep == Method::Dense => (sweep, "play reaches too many positions to count"),
            _ => (sweep, "less work than finding those that play reaches"),
        };
        let colourings = self.colourings.as_ref().map(|colourings| colourings.positions);
        Choice { method, reason: reason.into(), figures: Some(Figures { all: self.every, colourings, reached }) }
    }

    /// The sweep with less work, and the bytes of its planes.
    fn sweep(&self) -> (Method, Option<u64>) {
        match &self.colourings {
            Some(colourings) if colourings.work < self.every || colourings.positions <= AT_ONCE => {
                (Method::Coloured, Some(colourings.bytes))
            }
            _ => (Method::Dense, self.every_bytes),
        }
    }

    /// The colourings, if they are marked in less time than counting takes that is worth it otherwise.
    fn marked_at_once(&self) -> Option<&Colourings> {
        self.colourings.as_ref().filter(|colourings| colourings.work <= MARKED_AT_ONCE)
    }

    fn of_sweep(&self) -> u128 {
        match (self.sweep(), &self.colourings) {
            ((Method::Coloured, _), Some(colourings)) => colourings.work,
            _ => self.every,
        }
    }

    /// How many positions are worth counting before a sweep is chosen.
    fn worth_counting(&self) -> u128 {
        match self.sweep() {
            // Such a sweep is over in the time that counting takes.
            (Method::Coloured, _) => (self.of_sweep() / (u128::from(DENSE_PER_SPARSE) * COUNTING)).max(FEW.into()),
            _ => (self.every / u128::from(DENSE_PER_SPARSE)).max(ALWAYS_COUNTED.into()),
        }
    }
}

/// `positions` as a limit of a flood, lowered where there is much to compare with each position.
pub(super) fn bounded(rules: &Rules, positions: u64) -> u64 {
    let modes = (0..rules.modes().len()).map(|mode| Mode(mode as u16));
    let width = modes.map(|mode| rules.moves_of(mode).len() + rules.ends_of(mode).len()).max().unwrap_or(0) as u64;
    if width <= ORDINARY_WIDTH { positions } else { (positions / width * ORDINARY_WIDTH).max(1) }
}

/// Whether it is obvious that play can reach every board: from the empty board, cell by cell.
pub(super) fn reaches_every_board(rules: &Rules) -> bool {
    let alone = rules.moves().iter().filter(|m| m.full.is_empty() && m.empty == m.fills && m.fills.count() == 1);
    let filled: Board = alone.map(|m| m.fills).collect();
    let from_empty = matches!(rules.start(), Start::At(start) if start.board.is_empty());
    rules.beyond().is_none()
        && rules.modes().len() == 1
        && rules.ends().is_empty()
        && from_empty
        && filled.count() == rules.cells()
}

/// Whether a dense build of `rules` marks what play reaches: unless it is obvious that this is every board.
pub(super) fn marks_boards(rules: &Rules) -> bool {
    !reaches_every_board(rules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Plain;
    use crate::rules::{Descriptor, Move, Outcome, RulesSpec};

    fn three(moves: Vec<Move>) -> Rules {
        RulesSpec { moves, terminal: Outcome::Win, ..RulesSpec::new("three", 3) }.build().unwrap()
    }

    #[test]
    fn boards_that_are_all_reached() {
        let alone: Vec<Move> = (0..3).map(|cell| Move::fill(Board::bit(cell))).collect();
        assert!(reaches_every_board(&three(alone.clone())));
        assert!(!reaches_every_board(&three(alone[..2].to_vec())));
        let conditional = Move { full: Board::bit(1), ..alone[0] };
        assert!(!reaches_every_board(&three(vec![conditional, alone[1], alone[2]])));
    }

    #[test]
    fn the_solver_with_less_work() {
        let method = |cells, reached| {
            let game = Plain::new(RulesSpec::new("r", cells).build().unwrap(), Descriptor::default());
            of_less_work(&game, reached).method
        };
        assert_eq!(method(30, Reachable::exactly(1 << 22)), Method::Sparse);
        assert_eq!(method(30, Reachable::exactly((1 << 23) + 1)), Method::Dense);
        assert_eq!(method(16, Reachable::more_than(1 << 16)), Method::Dense);
        // Counted as far as is sensible: planes of up to 512 GiB are made, larger ones are not.
        assert_eq!(method(42, Reachable::more_than(MOST_COUNTED)), Method::Dense);
        assert_eq!(method(43, Reachable::more_than(MOST_COUNTED)), Method::Sparse);
        assert_eq!(method(64, Reachable::more_than(MOST_COUNTED)), Method::Sparse);
    }

    #[test]
    fn a_limit_of_positions_bounds_the_work() {
        let rules = |moves: usize| three(vec![Move::fill(Board::bit(0)); moves]);
        assert_eq!(bounded(&rules(256), 1 << 24), 1 << 24);
        assert!(bounded(&rules(16_384), 1 << 24) <= 1 << 18);
    }
}
