//! Games that are solved when a position is asked, and not built before.

use crate::answer::in_memory::InMemory;
use crate::answer::source::TableHope;
use crate::build::values::WantedValues;
use crate::plan::choice::{Reachable, bounded, has_no_codes, independent};
use crate::plan::cost::{of_less_work, swept_on_demand};
use crate::plan::options::SolverRun;
use crate::plan::sweep::{SweepPlan, shortage};
use crate::{Engine, EngineError, Estimate, EstimatedPositions, Origin, Source, UseSymmetry};
use tablegen_games::Game;
use tablegen_labels::LabelSet;
use tablegen_rules::Rules;
use tablegen_solvers::{Method, Watch, check_method};
use tablegen_tables::table::Table;

/// Maximum number of positions of a game that is solved on the spot if it has no table. It is lowered if positions have
/// hundreds of moves.
pub const SOLVED_ON_DEMAND: u64 = 1 << 24;

impl Engine {
    /// The source of answers for `game`. This is its table; else the tables of its parts, with a search before positions of these; else, for
    /// a small game ([`SOLVED_ON_DEMAND`]), a table solved on the spot. If the game is too large for a table on this machine, it is a search of at most `limit`
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
        let parts = self.tables_of_parts(game.as_ref())?;
        if !parts.is_empty() {
            return Ok(Source::searching(game, limit, TableHope::None).with_parts(parts).with_outdated(outdated));
        }
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
        let Some(method) = self.choose_on_demand(game, progress)? else { return Ok(None) };
        let (run, most) = (self.run_in_memory(game, game.usual_labels()), Some(most_on_demand(game.rules())));
        self.table_if_small(SolverRun { method, most, progress, ..run }, WantedValues::IfSmall)
    }

    /// The table that `run` solves; `None` if the game has too many positions, or they cannot be stored.
    fn table_if_small(&self, run: SolverRun<'_>, values: WantedValues) -> Result<Option<Table>, EngineError> {
        self.start_threads()?;
        if check_method(run.game.rules(), run.method).is_err_and(|error| has_no_codes(&error)) {
            return Ok(None);
        }
        // All labels of the game that fit, so that moves can be ordered with the quickest win first. A sweep has them
        // only if they fit into memory.
        let mut labels = run.labels;
        if let Some(sweep) = SweepPlan::of(run.game, run.method, None, labels)?
            && sweep.check_memory(self.memory).is_err()
        {
            labels = LabelSet::OUTCOME.needed_by(run.game.rules());
            if self.memory.is_some() {
                sweep.check_memory_with(labels, self.memory)?;
            }
        }
        let run = SolverRun { labels, ..run };
        InMemory { run, symmetry: UseSymmetry::Auto, values, drops_plies: true }.table()
    }

    /// The outcomes of a game whose positions are solved one by one, if it has at most `most` of them; otherwise `None`.
    ///
    /// # Errors
    /// If solving fails, or `progress` stops it.
    pub(crate) fn outcomes_of_small(
        &self,
        game: &dyn Game,
        most: u64,
        progress: Watch<'_>,
    ) -> Result<Option<Table>, EngineError> {
        let run = self.run_in_memory(game, game.usual_labels());
        self.table_if_small(SolverRun { most: Some(most), progress: Some(progress), ..run }, WantedValues::None)
    }
}

impl Estimate {
    /// Returns whether [`Engine::source`] solves `game`, which this estimate is about, on the spot.
    #[must_use]
    pub fn is_solved_on_demand(&self, game: &dyn Game) -> bool {
        match &self.positions {
            EstimatedPositions::Found { reachable, .. } => {
                reachable.positions().is_some_and(|count| count <= most_on_demand(game.rules()))
            }
            EstimatedPositions::Numbered { numbers, .. } => *numbers <= SOLVED_ON_DEMAND,
            EstimatedPositions::Swept { .. } => {
                game.rules().positions() <= SOLVED_ON_DEMAND.into() || swept_on_demand(game).is_some()
            }
        }
    }
}

/// Maximum number of reachable positions to solve on the spot.
fn most_on_demand(rules: &Rules) -> u64 {
    bounded(rules, SOLVED_ON_DEMAND)
}

/// Whether a table of the whole game may be more than this machine can make: then positions are searched. `None` if it can be made.
fn without_table(game: &dyn Game) -> Option<TableHope> {
    // It was not solved on the spot, so there are more reachable positions than that limit.
    let more = || Reachable::more_than(most_on_demand(game.rules()), None);
    let choice = independent(game, None).unwrap_or_else(|| of_less_work(game, more()));
    if choice.method.is_of_reachable() || choice.method == Method::Regions {
        return Some(TableHope::None);
    }
    shortage(game, &choice).map(|_| TableHope::InSlices)
}
