//! The choice of the solver.
//!
//! The choice depends only on the game and on the request: not on free memory, threads or time. So equal commands give
//! equal tables on every machine.
//!
//! If neither the game nor the caller decides, the solver with less work is chosen ([`Work`]). The dense solver labels
//! all boards. The two-colour solver labels every colouring of a game of two colours. The sparse solver labels the
//! reachable positions. These are counted, for a fraction of the time that a sweep takes. If there are more, their
//! number is estimated from a sample ([`sampled_count`]).

use super::choice_facts::{Choice, Reachable};
use super::cost::Work;
use super::memory_budget::room_left;
use super::roots::{reaches_every_board, roots};
use super::{Engine, EngineError};
use tablegen_games::{Coverage, Game};
use tablegen_rules::{Mode, Rules};
use tablegen_solve::{Marked, Method, Options, SolveError, Watch, count_reachable, mark, sampled_count};

/// The number of moves and terminal patterns per position up to which a limit on positions is used as it is. For wider
/// games the limit is lowered, so that it bounds the work too.
const ORDINARY_WIDTH: u64 = 256;

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
    pub(super) fn reachable(
        &self,
        game: &dyn Game,
        most: u64,
        progress: Option<Watch<'_>>,
    ) -> Result<Reachable, EngineError> {
        self.start_threads()?;
        let roots = game.roots();
        let (max_positions, room) = (Some(most), room_left(None));
        let options = Options { roots: &roots, max_positions, room: Some(&room), progress, ..Options::default() };
        match count_reachable(game.rules(), &options) {
            Ok(count) => Ok(Reachable::exactly(count.positions)),
            Err(SolveError::MaxPositions { .. }) => self.sampled(game, most, progress),
            Err(SolveError::TooWide { .. } | SolveError::Lines { .. }) => Ok(Reachable::unknown()),
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
        (Some(method), _) => chosen(method, "requested"),
        (None, _) if let Some(obstacle) = game.rules().sweep_obstacle() => {
            let method = Method::of_reachable(game.rules());
            if method == Method::Cyclic {
                chosen(method, "positions may repeat")
            } else {
                chosen(method, &obstacle.to_string())
            }
        }
        (None, Some(Coverage::Every)) => {
            chosen(Method::Dense, "tables of this game cover every board, reachable or not")
        }
        (None, Some(Coverage::Reachable)) => chosen(Method::Sparse, "few boards are reachable"),
        (None, None) if reaches_every_board(game.rules()) => chosen(Method::Dense, "every board is reachable"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen_rules::{Board, Move, RulesSpec};

    #[test]
    fn a_limit_of_positions_bounds_the_work() {
        let rules = |moves: usize| {
            let moves = vec![Move::fill(Board::bit(0)); moves];
            RulesSpec { moves, ..RulesSpec::new("three", 3) }.build().unwrap()
        };
        assert_eq!(bounded(&rules(256), 1 << 24), 1 << 24);
        assert!(bounded(&rules(16_384), 1 << 24) <= 1 << 18);
    }
}
