//! What play reaches, solved by several ranks.

use super::EngineError;
use super::memory_budget::{room_left, sparse_max_bytes};
use super::order::Order;
use super::team::{RankFacts, Team, TeamError};
use crate::cluster::Sent;
use crate::game::Game;
use crate::label::LabelSet;
use crate::solve::{LevelStore, MemoryProbe, Method, Options, Solution, Watch, solve_shared};
use crate::symmetry::Group;

impl Team {
    /// Solves the positions of `game` that play reaches, which have levels, together with the other ranks. Rank 0 has the solution, and
    /// keeps them in `store`.
    pub(super) fn solve_positions(
        &self,
        game: &dyn Game,
        symmetry: Option<&Group>,
        labels: LabelSet,
        progress: Option<Watch<'_>>,
        store: Option<&dyn LevelStore>,
    ) -> Result<Option<(Solution, RankFacts)>, EngineError> {
        if self.cluster.rank() == 0 {
            self.order(&Order::Positions { labels, folds: symmetry.is_some() });
        }
        let memory = self.memory.as_ref().map(|(bytes, _)| *bytes);
        let (roots, room) = (game.roots(), room_left(memory));
        let (max_bytes, room) = (sparse_max_bytes(memory), Some(&room as MemoryProbe<'_>));
        let solved = self.watching(progress, |watch| {
            let progress = Some(watch);
            let method = Method::Sparse;
            let options =
                Options { method, labels, roots: &roots, symmetry, max_bytes, room, progress, ..Options::default() };
            solve_shared(game.rules(), &options, self.cluster.as_ref(), store)
        });
        let solved = solved.map_err(|error| self.explain(error.into()))?;
        let sent = self.cluster.tell_all(&self.cluster.traffic().0.to_le_bytes()).map_err(TeamError::from)?;
        let bytes = sent.iter().filter_map(|sent| Some(u64::from_le_bytes(*sent.first_chunk()?))).sum();
        let sent = Sent { bytes, ..Sent::default() };
        let facts = RankFacts { ranks: self.cluster.size(), apart: 0, sent, planned_bytes: 0 };
        Ok(solved.map(|solution| (solution, facts)))
    }
}
