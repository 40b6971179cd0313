//! The choice of the solver.
//!
//! The choice depends only on the game and on the request: not on free memory, threads or time. So equal commands give
//! equal tables on every machine.
//!
//! If neither the game nor the caller decides, the solver with less work is chosen ([`Work`]). The dense solver labels
//! all boards. The two-colour solver labels every colouring of a game of two colours. The sparse solver labels the
//! reachable positions. These are counted, for a fraction of the time that a sweep takes. If there are more, their
//! number is estimated from a sample ([`sampled_count`]).

use super::cost::Work;
use super::memory_budget::room_left;
use super::replaced::roots;
use super::{Engine, EngineError};
use tablegen_core::rules::{Board, Mode, Rules, Start};
use tablegen_games::{Coverage, Game};
use tablegen_solve::{Marked, Method, Options, SolveError, Watch, census, mark, sampled_count};

/// The number of moves and terminal patterns per position up to which a limit on positions is used as it is. For wider
/// games the limit is lowered, so that it bounds the work too.
const ORDINARY_WIDTH: u64 = 256;

/// A solver, and the reason for choosing it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The solver.
    pub method: Method,
    /// The reason, in a few words.
    pub reason: String,
    /// The numbers that decided, if any did.
    pub figures: Option<Figures>,
}

/// The number of positions of a game, and of its reachable positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figures {
    /// All positions: every board in every mode.
    pub all: u128,
    /// The number of colourings, in a game of two colours.
    pub colourings: Option<u128>,
    /// The number of reachable positions.
    pub reached: Reachable,
}

/// The number of reachable positions, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reachable {
    /// The exact number; `None` if counting stopped early.
    pub positions: Option<u64>,
    /// A lower bound.
    pub at_least: u64,
    /// An estimate from a sample, if counting stopped early and a sample was taken.
    pub about: Option<u64>,
}

impl Reachable {
    /// An exact number.
    #[must_use]
    pub const fn exactly(positions: u64) -> Self {
        Self { positions: Some(positions), at_least: positions, about: None }
    }

    /// A number greater than `counted`.
    #[must_use]
    pub const fn more_than(counted: u64) -> Self {
        Self { positions: None, at_least: counted.saturating_add(1), about: None }
    }

    /// A number greater than `counted`, with the estimate `about`, if given. A lower estimate is raised to the lower
    /// bound.
    #[must_use]
    pub fn estimated(counted: u64, about: Option<u64>) -> Self {
        let at_least = counted.saturating_add(1);
        Self { about: about.map(|about| about.max(at_least)), ..Self::more_than(counted) }
    }

    /// The best known value: the exact number, else the estimate, else the lower bound.
    pub(super) fn likely(self) -> u64 {
        self.positions.or(self.about).unwrap_or(self.at_least)
    }
}

impl Engine {
    /// The solver for `game`: the one `asked` for, else the one that the game needs, else the one with less work. For
    /// the latter, positions are counted for about a second at most.
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

    /// Like [`choose_watched`](Self::choose_watched). `reached` is the number of reachable positions if a table records
    /// it, so that they need not be counted. If reachability bits were computed for the count, and the chosen solver
    /// can use them, they are returned too.
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
            // A number recorded in a table must not change the choice, so pretend that counting stopped.
            Some(_) => self.sampled(game, most, progress)?,
            None => self.reachable(game, most, progress)?,
        };
        Ok((work.choice(reached), None))
    }

    /// Counts the reachable positions of `game` up to `most`; if there are more, estimates their number.
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

    /// Estimates the number of reachable positions of `game`, which is more than `counted`.
    fn sampled(&self, game: &dyn Game, counted: u64, progress: Option<Watch<'_>>) -> Result<Reachable, EngineError> {
        Ok(Reachable::estimated(counted, sampled_count(game.rules(), &roots(game), progress)?))
    }
}

/// The choice, if it does not depend on the number of reachable positions.
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

/// `positions` as a limit of a flood, lowered for rules with many moves or terminal patterns.
pub(super) fn bounded(rules: &Rules, positions: u64) -> u64 {
    let width = width(rules) as u64;
    if width <= ORDINARY_WIDTH { positions } else { (positions / width * ORDINARY_WIDTH).max(1) }
}

/// The largest number of moves and terminal patterns to compare with one position.
pub(super) fn width(rules: &Rules) -> usize {
    let modes = (0..rules.modes().len()).map(|mode| Mode(mode as u16));
    modes.map(|mode| rules.moves_of(mode).len() + rules.ends_of(mode).len()).max().unwrap_or(0)
}

/// True if every board is obviously reachable: from the empty board, by filling one cell at a time.
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

/// True if a dense build of `rules` computes reachability bits: unless every board is obviously reachable.
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
    fn rules_that_obviously_reach_every_board() {
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
