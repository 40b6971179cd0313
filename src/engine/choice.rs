//! Which solver a game gets, and why.
//!
//! The choice depends on the game and on what was asked for, and on nothing else: not on the memory that happens to be
//! free, not on threads, not on time. So equal commands give equal tables on every machine.
//!
//! Where neither the game nor the caller settles it, the solver with less work is chosen ([`Work`]). The dense solver labels all
//! boards, the coloured one every colouring of a game of two colours, the sparse one the positions that play can reach. How many
//! these are is counted, up to a part of what the sweep takes. If there are more, their number is estimated from a sample
//! ([`sampled_count`]).

use super::cost::Work;
use super::kept::roots;
use super::memory_budget::room_left;
use super::{Engine, EngineError};
use tablegen_core::rules::{Board, Mode, Rules, Start};
use tablegen_games::{Coverage, Game};
use tablegen_solve::{Marked, Method, Options, SolveError, Watch, census, mark, sampled_count};

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
    /// About how many they are, if they were not counted to the end and an estimate was made from a sample.
    pub about: Option<u64>,
}

impl Reachable {
    /// A number that was counted to the end.
    #[must_use]
    pub const fn exactly(positions: u64) -> Self {
        Self { positions: Some(positions), at_least: positions, about: None }
    }

    /// More than `counted`.
    #[must_use]
    pub const fn more_than(counted: u64) -> Self {
        Self { positions: None, at_least: counted.saturating_add(1), about: None }
    }

    /// More than `counted`, and `about` so many if that is given. An estimate below what was counted is raised to it.
    #[must_use]
    pub fn estimated(counted: u64, about: Option<u64>) -> Self {
        let at_least = counted.saturating_add(1);
        Self { about: about.map(|about| about.max(at_least)), ..Self::more_than(counted) }
    }

    /// The best that is known of their number: it, an estimate, or the lower bound.
    pub(super) fn likely(self) -> u64 {
        self.positions.or(self.about).unwrap_or(self.at_least)
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
        let most = bounded(rules, work.worth_counting());
        let reached = match reached {
            Some(reached) if reached <= most || work.marked_at_once().is_some() => Reachable::exactly(reached),
            // What a table tells must not change the choice.
            Some(_) => self.sampled(game, most, progress)?,
            None => self.reachable(game, most, progress)?,
        };
        Ok((work.choice(reached), None))
    }

    /// Counts the positions of `game` that play can reach, up to `most`; if there are more, estimates their number.
    fn reachable(&self, game: &dyn Game, most: u64, progress: Option<Watch<'_>>) -> Result<Reachable, EngineError> {
        self.start_threads()?;
        let roots = game.roots();
        let (max_positions, room) = (Some(most), room_left(None));
        let options = Options { roots: &roots, max_positions, room: Some(&room), progress, ..Options::default() };
        match census(game.rules(), &options) {
            Ok(census) => Ok(Reachable::exactly(census.count())),
            Err(SolveError::MaxPositions { .. }) => self.sampled(game, most, progress),
            Err(error) => Err(error.into()),
        }
    }

    /// Estimates how many positions of `game` play can reach, of which there are more than `counted`.
    fn sampled(&self, game: &dyn Game, counted: u64, progress: Option<Watch<'_>>) -> Result<Reachable, EngineError> {
        Ok(Reachable::estimated(counted, sampled_count(game.rules(), &roots(game), progress)?))
    }
}

/// The choice, if it does not depend on how many positions play reaches.
pub(super) fn settled(game: &dyn Game, asked: Option<Method>) -> Option<Choice> {
    let chosen = |method, reason: &str| Some(Choice { method, reason: reason.into(), figures: None });
    match (asked, game.coverage()) {
        (Some(method), _) => chosen(method, "asked for"),
        (None, _) if game.rules().sweep_obstacle().is_some() => {
            chosen(Method::of_reachable(game.rules()), "it is not a game of filling cells in turn")
        }
        (None, Some(Coverage::Every)) => chosen(Method::Dense, "every set of cells is asked about"),
        (None, Some(Coverage::Reachable)) => chosen(Method::Sparse, "play reaches few of its boards"),
        (None, None) if reaches_every_board(game.rules()) => chosen(Method::Dense, "play can reach every board"),
        (None, None) => None,
    }
}

/// `positions` as a limit of a flood, lowered where there is much to compare with each position.
pub(super) fn bounded(rules: &Rules, positions: u64) -> u64 {
    let width = width(rules) as u64;
    if width <= ORDINARY_WIDTH { positions } else { (positions / width * ORDINARY_WIDTH).max(1) }
}

/// How many moves and ends there are at most to compare with one position.
pub(super) fn width(rules: &Rules) -> usize {
    let modes = (0..rules.modes().len()).map(|mode| Mode(mode as u16));
    modes.map(|mode| rules.moves_of(mode).len() + rules.ends_of(mode).len()).max().unwrap_or(0)
}

/// Whether it is obvious that play can reach every board: from the empty board, cell by cell.
pub(super) fn reaches_every_board(rules: &Rules) -> bool {
    let alone = rules.moves().iter().filter(|m| m.full.is_empty() && m.empty == m.fills && m.fills.count() == 1);
    let filled: Board = alone.map(|m| m.fills).collect();
    let from_empty = matches!(rules.start(), Start::At(start) if start.board.is_empty());
    rules.sweep_obstacle().is_none()
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
    use tablegen_core::rules::{Move, Outcome, RulesSpec};

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
    fn a_limit_of_positions_bounds_the_work() {
        let rules = |moves: usize| three(vec![Move::fill(Board::bit(0)); moves]);
        assert_eq!(bounded(&rules(256), 1 << 24), 1 << 24);
        assert!(bounded(&rules(16_384), 1 << 24) <= 1 << 18);
    }
}
