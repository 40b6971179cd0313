//! Reachable positions, solved by several ranks.

use super::EngineError;
use super::memory_budget::{room_left, sparse_max_bytes};
use super::order::Order;
use super::team::{RankFacts, Team, TeamError};
use tablegen_games::Game;
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelSet;
use tablegen_ranks::TrafficTotals;
use tablegen_solve::{LevelStore, MemoryProbe, Method, Options, Solution, Watch, solve_distributed};

impl Team {
    /// Solves the reachable positions of `game`, which has levels, together with the other ranks. Rank 0 gets the
    /// solution, and writes checkpoints to `store`.
    pub(super) fn solve_positions(
        &self,
        game: &dyn Game,
        symmetry: &Group,
        labels: LabelSet,
        progress: Option<Watch<'_>>,
        store: Option<&dyn LevelStore>,
    ) -> Result<Option<(Solution, RankFacts)>, EngineError> {
        if self.cluster.rank() == 0 {
            self.order(&Order::Positions { labels, folds: !symmetry.is_trivial() });
        }
        let memory = self.memory.as_ref().map(|(bytes, _)| *bytes);
        let (roots, room) = (game.roots(), room_left(memory));
        let (max_bytes, room) = (sparse_max_bytes(memory), Some(&room as MemoryProbe<'_>));
        let solved = self.watching(progress, |watch| {
            let progress = Some(watch);
            let method = Method::Sparse;
            let options =
                Options { method, labels, roots: &roots, symmetry, max_bytes, room, progress, ..Options::default() };
            solve_distributed(game.rules(), &options, self.cluster.as_ref(), store)
        });
        let solved = solved.map_err(|error| self.explain(error.into()))?;
        let sent = self.cluster.all_gather(&self.cluster.traffic().0.to_le_bytes()).map_err(TeamError::from)?;
        let bytes = sent.iter().filter_map(|sent| Some(u64::from_le_bytes(*sent.first_chunk()?))).sum();
        let traffic = TrafficTotals { bytes, ..TrafficTotals::default() };
        let facts = RankFacts { ranks: self.cluster.size(), without_folder: 0, traffic, planned_bytes: 0 };
        Ok(solved.map(|solution| (solution, facts)))
    }
}
