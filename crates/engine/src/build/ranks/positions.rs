//! Reachable positions, solved by several ranks.

use super::order::Order;
use super::team::{Team, TeamError};
use crate::plan::options::SolverRun;
use crate::{EngineError, RankFacts};
use tablegen_solvers::{LevelStore, Options, Solution, TrafficTotals, solve_distributed};

impl Team {
    /// Does `run`, for a game that has levels, together with the other ranks. Rank 0 gets the solution, and writes
    /// checkpoints to `store`.
    pub(crate) fn solve_positions(
        &self,
        run: &SolverRun<'_>,
        store: Option<&dyn LevelStore>,
    ) -> Result<Option<(Solution, RankFacts)>, EngineError> {
        if self.cluster.rank() == 0 {
            self.order(&Order::Positions { labels: run.labels, folds: !run.symmetry.is_trivial() });
        }
        let memory = self.memory.as_ref().map(|allowance| allowance.bytes);
        let solved = self.watching(run.progress, |watch| {
            let solve = |options: &Options<'_>| {
                let options = Options { progress: Some(watch), ..*options };
                solve_distributed(run.game.rules(), &options, self.cluster.as_ref(), store)
            };
            SolverRun { memory, ..*run }.with_options(solve)
        });
        let solved = solved.map_err(|error| self.explain(error.into()))?;
        let sent = self.cluster.all_gather_numbers([self.cluster.traffic().0]).map_err(TeamError::from)?;
        let bytes = sent.as_flattened().iter().sum();
        let traffic = TrafficTotals { bytes, ..TrafficTotals::default() };
        let facts = RankFacts { ranks: self.cluster.size(), without_folder: 0, traffic, planned_bytes: 0 };
        Ok(solved.map(|solution| (solution, facts)))
    }
}
