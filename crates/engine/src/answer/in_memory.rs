//! Games solved in memory, without a file.

use crate::build::values::{WantedValues, values_in_memory};
use crate::labels::{checked_labels, solve_what_fits};
use crate::plan::choice::{Reachable, SAMPLE_ERROR, within_limit};
use crate::plan::memory_budget::{Allowance, check_extending_memory};
use crate::plan::options::SolverRun;
use crate::plan::regions::region_group;
use crate::plan::sweep::SweepPlan;
use crate::plan::symmetry::{group, most_orbits};
use crate::{Engine, EngineError, SolveOptions, Source, UseSymmetry};
use tablegen_games::Game;
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelSet;
use tablegen_solvers::{Method, Options, SolvedValues, Watch, solve};
use tablegen_tables::table::{SaveTable, Table};

/// The table of a game that is solved in memory.
pub(crate) struct InMemory<'a> {
    /// The solver, the labels and the maximum number of positions, not counting those that a symmetry maps to others.
    pub(crate) run: SolverRun<'a>,
    pub(crate) symmetry: UseSymmetry,
    pub(crate) values: WantedValues,
    /// True to leave out labels that the solver does not compute, and remoteness if play can last more plies than that label holds.
    pub(crate) drops_plies: bool,
}

impl Engine {
    /// Solves `game` in memory. It looks for no table and writes no file. The labels are held twice at the end: as
    /// solved, and as the bytes of a table.
    ///
    /// # Errors
    /// If the game does not have the labels, memory is insufficient ([`with_memory`](Self::with_memory) limits it), or
    /// `progress` stops the work.
    pub fn solve_in_memory(
        &self,
        game: Box<dyn Game>,
        options: &SolveOptions,
        progress: Option<Watch<'_>>,
    ) -> Result<Source, EngineError> {
        let rules = game.rules();
        let labels = checked_labels(game.as_ref(), options.labels.unwrap_or_else(|| game.usual_labels()))?;
        self.start_threads()?;
        let chosen = self.choose_knowing(game.as_ref(), options.method, None, progress)?;
        let method = chosen.choice.method;
        let twice = |bytes: Option<u64>| bytes.unwrap_or(u64::MAX).saturating_mul(2);
        // For a sparse table, the number of reachable positions is not known yet.
        if let Some(sweep) = SweepPlan::of(game.as_ref(), method, chosen.frame, labels)? {
            sweep.check_memory(self.memory)?;
            check_extending_memory(rules, twice(sweep.file_bytes), self.memory)?;
        }
        if method == Method::Sparse {
            self.check_hope(game.as_ref(), chosen.choice.figures.map(|figures| figures.reached), progress)?;
        }
        let values = match (options.values, options.labels) {
            (true, _) => WantedValues::All,
            (false, None) => WantedValues::IfSmall,
            (false, Some(_)) => WantedValues::None,
        };
        let run = SolverRun { method, progress, ..self.run_in_memory(game.as_ref(), labels) };
        let wanted = InMemory { run, symmetry: options.symmetry, values, drops_plies: options.labels.is_none() };
        let table = wanted.table()?.unwrap_or_else(|| unreachable!("the number of positions has no limit"));
        Source::solved(game.into(), table, options.limit.into())
    }

    /// Refuses a game that has far more reachable positions than fit into memory, so that it is not filled in vain. `reached` is what is
    /// known about their number.
    fn check_hope(
        &self,
        game: &dyn Game,
        reached: Option<Reachable>,
        progress: Option<Watch<'_>>,
    ) -> Result<(), EngineError> {
        /// The least bytes that a position takes, in each of its two forms.
        const LEAST_BYTES: u64 = 8;
        let reached = match reached {
            Some(reached) if reached != Reachable::Unknown => reached,
            _ => self.roughly_reachable(game, progress)?,
        };
        let least = reached.positions().unwrap_or(reached.likely() / SAMPLE_ERROR);
        let needed = least.checked_mul(LEAST_BYTES);
        Allowance::of(self.memory).check(game.rules(), needed).map_err(EngineError::from)
    }

    /// The work on the labels of the reachable positions of `game`, which are held in memory as a table.
    pub(crate) fn run_in_memory<'a>(&'a self, game: &'a dyn Game, labels: LabelSet) -> SolverRun<'a> {
        let run = SolverRun::of_reachable(self, game, Group::trivial(), labels);
        SolverRun { memory: self.memory, twice: true, ..run }
    }
}

impl InMemory<'_> {
    /// Solves the table; `None` if there are more positions than the limit.
    ///
    /// # Errors
    /// If solving fails.
    pub(crate) fn table(&self) -> Result<Option<Table>, EngineError> {
        let game = self.run.game;
        let symmetry = &match self.run.method {
            Method::Sparse | Method::Cyclic => group(game, self.symmetry)?,
            Method::Regions => region_group(game, self.symmetry)?,
            Method::Dense | Method::Coloured => Group::trivial().clone(),
        };
        let most = self.run.most.map(|most| most_orbits(symmetry, most));
        let how = if self.drops_plies { solve_what_fits } else { solve };
        // Of labels that nobody asked for, only those that the solver computes.
        let labels = match self.run.method {
            Method::Regions if self.drops_plies => self.run.labels.intersection(LabelSet::BEST_PLAY),
            _ => self.run.labels,
        };
        SolverRun { symmetry, most, labels, ..self.run }.with_options(|options| {
            let Some(solution) = within_limit(how(game.rules(), options))? else { return Ok(None) };
            let values = values_in_memory(game, self.values, &Options { max_positions: None, ..*options })?;
            let descriptor = game.descriptor();
            let table = solution.new_table(&descriptor).with_values(values.as_ref().map(SolvedValues::values));
            let bytes = table.to_bytes().unwrap_or_else(|_| unreachable!("a solution has nothing to unpack"));
            Table::from_bytes(bytes).map(Some).map_err(EngineError::Read)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Origin, TableDirs, game};
    use tablegen_games::Parameters;
    use tablegen_solvers::Method;

    #[test]
    fn every_solver_gives_the_same_answers() {
        let engine = Engine::new(TableDirs::none());
        let made = || game("kayles", &Parameters::new()).unwrap();
        for method in [None, Some(Method::Dense), Some(Method::Sparse)] {
            let options = SolveOptions { method, ..SolveOptions::default() };
            let source = engine.solve_in_memory(made(), &options, None).unwrap();
            let answered = source.answer(&source.read("XX..........").unwrap()).unwrap();
            let value = answered.answer.value.unwrap();
            assert_eq!(
                (source.origin(), value.nimber(), value.remoteness().is_some()),
                (Origin::Solved, Some(2), true)
            );
        }
        let few = SolveOptions { labels: Some(LabelSet::OUTCOME), ..SolveOptions::default() };
        let source = engine.solve_in_memory(made(), &few, None).unwrap();
        assert_eq!(source.table().unwrap().labels(), LabelSet::OUTCOME);
    }

    #[test]
    fn too_little_memory_and_undefined_labels_are_errors() {
        let large = game("tactics", &Parameters::new().with("rows", 6).with("cols", 6)).unwrap();
        let engine = Engine::new(TableDirs::none()).with_memory(Some(1 << 30));
        let refused = engine.solve_in_memory(large, &SolveOptions::default(), None);
        assert!(matches!(refused.map(drop), Err(EngineError::Shortage(_))));
        // A sample shows that this game has billions of reachable positions.
        let large = game("connect-four", &Parameters::new().with("rows", 6).with("cols", 7)).unwrap();
        let refused = engine.solve_in_memory(large, &SolveOptions::default(), None);
        assert!(matches!(refused.map(drop), Err(EngineError::Shortage(_))));
        let few = SolveOptions { labels: Some(LabelSet::ALL), ..SolveOptions::default() };
        let misere = game("tactics", &Parameters::new()).unwrap();
        assert!(matches!(engine.solve_in_memory(misere, &few, None).map(drop), Err(EngineError::Solve(_))));
    }
}
