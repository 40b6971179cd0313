//! Games solved in memory, without a file.

use super::labels::{check_labels, solve_what_fits};
use super::memory_budget::{check_extending_memory, room_left, sparse_max_bytes};
use super::planes::Planes;
use super::roots::marks_boards;
use super::symmetry::{group, most_orbits};
use super::valued::{WantedValues, values_in_memory};
use super::{Engine, EngineError, Source, UseSymmetry};
use tablegen_games::Game;
use tablegen_labels::LabelSet;
use tablegen_rules::Rules;
use tablegen_solve::{MemoryProbe, Method, Options, Solution, SolveError, SolvedValues, Watch, solve};
use tablegen_tables::table::{SaveTable, Table};

/// Options of solving in memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolveOptions {
    /// The labels, besides the outcome, which is always there. `None` means all labels of the game, without remoteness
    /// if play can last more plies than that label holds.
    pub labels: Option<LabelSet>,
    /// Find the value of each board as well. If no labels are named, those of a small partizan game are found unasked.
    pub values: bool,
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
        let rules = game.rules();
        let labels = options.labels.unwrap_or_else(|| game.usual_labels());
        check_labels(game.as_ref(), labels)?;
        self.start_threads()?;
        let method = self.choose_watched(game.as_ref(), options.method, progress)?.method;
        let twice = |bytes: Option<u64>| bytes.unwrap_or(u64::MAX).saturating_mul(2);
        // For a sparse table, the number of reachable positions is not known yet.
        if let Some(planes) = Planes::of(game.as_ref(), method)? {
            planes.check_memory(labels, self.memory)?;
            check_extending_memory(rules, twice(planes.file_bytes(labels)), self.memory)?;
        }
        let how = if options.labels.is_some() { solve } else { solve_what_fits };
        let values = match (options.values, options.labels) {
            (true, _) => WantedValues::All,
            (false, None) => WantedValues::IfSmall,
            (false, Some(_)) => WantedValues::None,
        };
        let what = (method, options.symmetry, labels, values);
        let table = self.table_in_memory(game.as_ref(), what, None, how, progress)?;
        Source::solved(game, table, options.limit)
    }

    /// The table of `game` with `labels`, solved in memory by `how`. `most` is the maximum number of reachable positions.
    ///
    /// # Errors
    /// If solving fails; [`SolveError::MaxPositions`] if there are more than `most` reachable positions.
    pub(super) fn table_in_memory(
        &self,
        game: &dyn Game,
        (method, symmetry, labels, values): (Method, UseSymmetry, LabelSet, WantedValues),
        most: Option<u64>,
        how: fn(&Rules, &Options<'_>) -> Result<Solution, SolveError>,
        progress: Option<Watch<'_>>,
    ) -> Result<Table, EngineError> {
        let symmetry = &group(game, method, symmetry)?;
        // Labels are held twice: as solved, and as the bytes of a table.
        let max_bytes = match method {
            Method::Dense | Method::Coloured => None,
            Method::Sparse | Method::Cyclic => sparse_max_bytes(self.memory).map(|bytes| bytes / 2),
        };
        let left = room_left(self.memory);
        let half = || left().map(|bytes| bytes / 2);
        let room: Option<MemoryProbe<'_>> = Some(&half);
        let (roots, kernel, marks) = (game.roots(), self.kernel, marks_boards(game.rules()));
        let max_positions = most.map(|most| most_orbits(symmetry, most));
        let limits = Options { max_bytes, room, max_positions, ..Options::default() };
        let options = Options { method, labels, roots: &roots, symmetry, marks, kernel, progress, ..limits };
        let solution = how(game.rules(), &options)?;
        let values = values_in_memory(game, values, &Options { max_positions: None, ..options })?;
        let bytes = solution.to_valued_bytes(&game.descriptor(), None, values.as_ref().map(SolvedValues::values));
        Table::from_bytes(bytes).map_err(EngineError::Read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Origin, TableDirs, game};
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
