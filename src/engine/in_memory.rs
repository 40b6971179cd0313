//! Games solved in memory, without a file.

use super::labels::{check_labels, solve_what_fits};
use super::memory_budget::{check_extending_memory, room_left, sparse_max_bytes};
use super::planes::Planes;
use super::roots::marks_boards;
use super::symmetry::group;
use super::{Engine, EngineError, Source, UseSymmetry};
use tablegen_core::label::LabelSet;
use tablegen_games::Game;
use tablegen_solve::{MemoryProbe, Method, Options, Watch, solve};
use tablegen_tables::table::{SaveTable, Table};

/// Options of solving in memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolveOptions {
    /// The labels, besides the outcome, which is always there. `None` means all labels of the game, without remoteness
    /// if play can last more plies than that label holds.
    pub labels: Option<LabelSet>,
    /// The solver; `None` for the one that suits the game and its size.
    pub method: Option<Method>,
    /// The use of the game's symmetries.
    pub symmetry: UseSymmetry,
    /// Maximum number of positions that a search expands to answer a position that the table does not hold.
    pub limit: u64,
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
        let (rules, descriptor) = (game.rules(), game.descriptor());
        let labels = options.labels.unwrap_or_else(|| game.labels());
        check_labels(game.as_ref(), labels)?;
        self.start_threads()?;
        let method = self.choose_watched(game.as_ref(), options.method, progress)?.method;
        let twice = |bytes: Option<u64>| bytes.unwrap_or(u64::MAX).saturating_mul(2);
        // For a sparse table, the number of reachable positions is not known yet.
        if let Some(planes) = Planes::of(game.as_ref(), method)? {
            planes.check_memory(labels, self.memory)?;
            check_extending_memory(rules, twice(planes.file_bytes(labels)), self.memory)?;
        }
        let max_bytes = match method {
            Method::Dense | Method::Coloured => None,
            Method::Sparse | Method::Cyclic => sparse_max_bytes(self.memory).map(|bytes| bytes / 2),
        };
        let left = room_left(self.memory);
        let half = || left().map(|bytes| bytes / 2);
        let room: Option<MemoryProbe<'_>> = Some(&half);
        let group = match method {
            Method::Sparse | Method::Cyclic => group(game.as_ref(), options.symmetry)?,
            Method::Dense | Method::Coloured => None,
        };
        let (roots, kernel, symmetry, marks) = (game.roots(), self.kernel, group.as_ref(), marks_boards(rules));
        let limits = Options { max_bytes, room, ..Options::default() };
        let solving = Options { method, labels, roots: &roots, symmetry, marks, kernel, progress, ..limits };
        let solution = match options.labels {
            Some(_) => solve(rules, &solving),
            None => solve_what_fits(rules, &solving),
        };
        let bytes = solution?.to_bytes(&descriptor);
        let table = Table::from_bytes(bytes).map_err(EngineError::Read)?;
        Source::solved(game, table, options.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Origin, TableDirs, game};
    use tablegen_games::Parameters;

    #[test]
    fn every_solver_gives_the_same_answers() {
        let engine = Engine::new(TableDirs::none());
        let made = || game("kayles", &Parameters::new()).unwrap();
        for method in [None, Some(Method::Dense), Some(Method::Sparse)] {
            let options = SolveOptions { method, ..SolveOptions::default() };
            let source = engine.solve_in_memory(made(), &options, None).unwrap();
            let answered = source.answer(&source.read("XX..........").unwrap()).unwrap();
            let value = answered.answer.value.unwrap();
            assert_eq!((source.origin(), value.nimber, value.remoteness.is_some()), (Origin::Solved, Some(2), true));
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
        let few = SolveOptions { labels: Some(LabelSet::ALL), ..SolveOptions::default() };
        let misere = game("tactics", &Parameters::new()).unwrap();
        assert!(matches!(engine.solve_in_memory(misere, &few, None).map(drop), Err(EngineError::Solve(_))));
    }
}
