//! Games that are solved when a position is asked, and not built before.

use super::choice::{bounded, settled};
use super::choice_facts::Reachable;
use super::cost::{of_less_work, swept_on_demand};
use super::labels::solve_what_fits;
use super::planes::{Planes, shortage};
use super::roots::reaches_every_board;
use super::source::TableHope;
use super::valued::WantedValues;
use super::{Engine, EngineError, Estimate, Origin, Source, UseSymmetry};
use tablegen_games::{Coverage, Game};
use tablegen_labels::LabelSet;
use tablegen_rules::Rules;
use tablegen_solve::{Method, SolveError, Watch};
use tablegen_tables::table::Table;

/// Maximum number of positions of a game that is solved on the spot if it has no table. It is lowered if positions have
/// hundreds of moves.
pub const SOLVED_ON_DEMAND: u64 = 1 << 24;

impl Engine {
    /// The source of answers for `game`. This is its table; else, for a small game ([`SOLVED_ON_DEMAND`]), a table
    /// solved on the spot. If the game is too large for a table on this machine, it is a search of at most `limit`
    /// positions for each answer.
    ///
    /// # Errors
    /// [`EngineError::Missing`] if there is no table but one could be built. Also if a table cannot be used, or solving
    /// fails. A table of other rules of that name ([`Source::outdated`]) is an error only if the game is not small.
    pub fn source(&self, game: Box<dyn Game>, limit: u64) -> Result<Source, EngineError> {
        self.source_watched(game, limit, None)
    }

    /// Like [`source`](Self::source), with a function that is called with the progress and may stop a solve.
    ///
    /// # Errors
    /// As [`source`](Self::source), and if the work is stopped.
    pub fn source_watched(
        &self,
        game: Box<dyn Game>,
        limit: u64,
        progress: Option<Watch<'_>>,
    ) -> Result<Source, EngineError> {
        let outdated = match self.find(game.as_ref()) {
            Ok(Some(table)) => return Source::new(game, table, Origin::Table, limit),
            Ok(None) => None,
            Err(EngineError::OldRules { path, .. }) => Some(path),
            Err(error) => return Err(error),
        };
        if let Some(table) = self.solved_on_demand(game.as_ref(), progress)? {
            return Ok(Source::solved(game, table, limit)?.with_outdated(outdated));
        }
        if let Some(path) = outdated {
            return Err(EngineError::OldRules { path, name: game.rules().name().into() });
        }
        match without_table(game.as_ref()) {
            Some(hope) => Ok(Source::searching(game, limit, hope)),
            None => Err(EngineError::Missing { name: game.rules().name().into() }),
        }
    }

    /// The table of a small game, solved on the spot; `None` if the game is not small.
    fn solved_on_demand(&self, game: &dyn Game, progress: Option<Watch<'_>>) -> Result<Option<Table>, EngineError> {
        let rules = game.rules();
        let is_small = rules.positions() <= SOLVED_ON_DEMAND.into();
        let method = match game.coverage() {
            Some(Coverage::Every) if is_small => Method::Dense,
            Some(Coverage::Every) => return Ok(None),
            Some(Coverage::Reachable) => Method::of_reachable(rules),
            None => match swept_on_demand(game) {
                Some(method) => method,
                None if reaches_every_board(rules) => return Ok(None),
                // Perhaps only few positions are reachable.
                None if self.is_surely_too_large(game, progress)? => return Ok(None),
                None => Method::of_reachable(rules),
            },
        };
        self.start_threads()?;
        // All labels of the game that fit, so that moves can be ordered with the quickest win first. A sweep has them
        // only if they fit into memory.
        let Some(planes) = if_small(Planes::of(game, method))? else { return Ok(None) };
        let labels = match &planes {
            Some(planes) if planes.check_memory(game.usual_labels(), self.memory).is_err() => LabelSet::OUTCOME,
            Some(_) | None => game.usual_labels(),
        };
        if let (Some(planes), Some(_)) = (&planes, self.memory) {
            planes.check_memory(labels, self.memory)?;
        }
        let (what, most) = ((method, UseSymmetry::Auto, labels, WantedValues::IfSmall), Some(most_on_demand(rules)));
        if_small(self.table_in_memory(game, what, most, solve_what_fits, progress))
    }

    /// True if a sample finds far more reachable positions than can be solved on the spot. Finding these first would take
    /// a second or two in vain.
    fn is_surely_too_large(&self, game: &dyn Game, progress: Option<Watch<'_>>) -> Result<bool, EngineError> {
        /// Positions that are counted before a sample is taken: a tenth of a second.
        const COUNTED: u64 = 1 << 20;
        /// A sample is wrong by less than this factor.
        const ERROR: u64 = 1 << 4;
        let reached = self.reachable(game, bounded(game.rules(), COUNTED), progress)?;
        Ok(reached.likely() > SOLVED_ON_DEMAND * ERROR)
    }
}

impl Estimate {
    /// Returns whether [`Engine::source`] solves `game`, which this estimate is about, on the spot.
    #[must_use]
    pub fn is_solved_on_demand(&self, game: &dyn Game) -> bool {
        match &self.reachable {
            Some(reachable) => reachable.positions.is_some_and(|count| count <= most_on_demand(game.rules())),
            None => game.rules().positions() <= SOLVED_ON_DEMAND.into() || swept_on_demand(game).is_some(),
        }
    }
}

impl Engine {
    /// The outcomes of a game whose positions are solved one by one, if it has at most `most` of them; otherwise `None`.
    ///
    /// # Errors
    /// If solving fails, or `progress` stops it.
    pub(super) fn outcomes_of_small(
        &self,
        game: &dyn Game,
        most: u64,
        progress: Watch<'_>,
    ) -> Result<Option<Table>, EngineError> {
        let method = Method::of_reachable(game.rules());
        self.start_threads()?;
        let what = (method, UseSymmetry::Auto, game.usual_labels(), WantedValues::None);
        if_small(self.table_in_memory(game, what, Some(most), solve_what_fits, Some(progress)))
    }
}

/// `None` if the game cannot be solved on the spot: it has too many positions, they have no codes, or its moves turn over lines.
fn if_small<T>(solved: Result<T, EngineError>) -> Result<Option<T>, EngineError> {
    match solved {
        Err(EngineError::Solve(
            SolveError::MaxPositions { .. } | SolveError::TooWide { .. } | SolveError::Lines { .. },
        )) => Ok(None),
        solved => solved.map(Some),
    }
}

/// Maximum number of reachable positions to solve on the spot.
fn most_on_demand(rules: &Rules) -> u64 {
    bounded(rules, SOLVED_ON_DEMAND)
}

/// Whether a table of the whole game may be more than this machine can make: then positions are searched. `None` if it can be made.
fn without_table(game: &dyn Game) -> Option<TableHope> {
    // It was not solved on the spot, so there are more reachable positions than that limit.
    let choice =
        settled(game, None).unwrap_or_else(|| of_less_work(game, Reachable::more_than(most_on_demand(game.rules()))));
    if choice.method.is_of_reachable() {
        return Some(TableHope::None);
    }
    shortage(game, choice.method).map(|_| TableHope::InSlices)
}
