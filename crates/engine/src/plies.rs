//! Answers for players: with plies, although the table lacks them.
//!
//! If positions may repeat and best play is very long, a table has outcomes alone ([`Table::lacks_plies`]). An answer from
//! it tells who wins. Players need more: a winner who only keeps the win may move in a circle for ever. So the first answer
//! for a line or a match computes the plies of all positions, which the source keeps.

use super::{Answered, Asked, EngineError, SearchOptions, Source, Stop};
use tablegen_games::Answer;
use tablegen_index::contents::{LabelFault, Sparse};
use tablegen_rules::Node;
use tablegen_solvers::SolveError;
use tablegen_tables::plies::{NoPlies, Plies};
use tablegen_tables::table::{Table, TableFault};

impl Source {
    /// Like [`answer_watched`](Self::answer_watched), with the plies of the position and its moves if the table lacks those
    /// of long games.
    ///
    /// # Errors
    /// As [`answer_watched`](Self::answer_watched), and if the labels of the table contradict each other.
    pub(super) fn answer_in_play(
        &self,
        asked: &Asked,
        options: SearchOptions,
        watch: Stop<'_>,
    ) -> Result<Answered, EngineError> {
        let mut answered = self.answer_watched(asked, options, watch)?;
        let Some(table) = self.table().filter(|table| table.lacks_plies() && !self.game().is_reduced()) else {
            return Ok(answered);
        };
        let Some(sparse) = table.contents().only_reachable() else { return Ok(answered) };
        self.start_plies(table, sparse, watch)?;
        if let Some(plies) = self.plies.get() {
            let damaged = |fault| EngineError::damaged(table, fault);
            add(&mut answered.answer, plies, sparse).map_err(damaged)?;
        }
        Ok(answered)
    }

    /// Computes the plies of `sparse`, the contents of `table`, unless they are known.
    fn start_plies(&self, table: &Table, sparse: Sparse<'_>, watch: Stop<'_>) -> Result<(), EngineError> {
        if self.plies.get().is_some() {
            return Ok(());
        }
        let plies = Plies::of_table(table, watch).map_err(|reason| match reason {
            NoPlies::Stopped => SolveError::Cancelled.into(),
            NoPlies::Table(error) => EngineError::Read(error),
            NoPlies::Contradiction => EngineError::damaged(table, CONTRADICTION),
        })?;
        let Some(plies) = plies else { return Ok(()) };
        let damaged = |fault| EngineError::damaged(table, fault);
        if plies.unforced(sparse).map_err(damaged)?.is_some() {
            return Err(EngineError::damaged(table, CONTRADICTION));
        }
        // Another thread may have been faster, with the same result.
        let _ = self.plies.set(plies);
        Ok(())
    }
}

const CONTRADICTION: TableFault = TableFault::Malformed("its labels contradict each other");

/// Adds the plies to the values of `answer`, and orders its moves by them.
fn add(answer: &mut Answer, plies: &Plies, sparse: Sparse<'_>) -> Result<(), LabelFault> {
    for m in &mut answer.moves {
        if let (Some(to), Some(value)) = (m.to, m.value) {
            let after = plies.added_to(value, sparse, to)?;
            m.value = Some(after.with_remoteness(after.remoteness().map(|plies| plies + 1)));
        }
    }
    answer.sort();
    answer.value = match (answer.node, answer.value) {
        (Some(Node::At(position)), Some(value)) => Some(plies.added_to(value, sparse, position)?),
        (_, value) => answer.moves.first().map_or(value, |best| best.value),
    };
    Ok(())
}
