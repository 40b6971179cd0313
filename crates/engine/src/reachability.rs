//! Which positions of a table are reachable, by board number.

use super::facts::counts_every_board;
use super::{EngineError, ReadWatch};
use tablegen_index::contents::ByBoard;
use tablegen_rules::Mode;
use tablegen_tables::table::Table;

/// The reason why a table cannot say which boards are reachable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReachabilityError {
    /// The table stores only reachable positions, and not by board number.
    #[error("expected a dense or two-colour table, found a sparse one")]
    NotEvery,
    /// The table has no reachability bits.
    #[error("expected a table with reachability bits, found one without")]
    NotMarked,
    /// The table cannot be read.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Writes to `out`, for each board of the modes from `first` on, 1 if the position is reachable and 0 if not: 2^cells
/// bytes for each mode. [`Stats`](super::Stats) count these positions. `watch` is called with the number of boards
/// done; `Break` stops the work. Works on all cores of the current rayon pool.
///
/// # Errors
/// If the table has no reachability bits for every board, or is damaged.
///
/// # Panics
/// If `out` does not consist of whole modes, or has more modes than the table.
pub fn reachability(table: &Table, first: Mode, out: &mut [u8], watch: ReadWatch<'_>) -> Result<(), ReachabilityError> {
    let dense = table.contents().every_board().ok_or(ReachabilityError::NotEvery)?;
    if counts_every_board(table) {
        return Err(ReachabilityError::NotMarked);
    }
    let of_mode = 1usize << table.rules().cells();
    let modes = table.rules().modes().len();
    assert!(out.len().is_multiple_of(of_mode) && usize::from(first.0) + out.len() / of_mode <= modes);
    table.check_reachability().map_err(EngineError::Read)?;
    let Some(reader) = ByBoard::of_reach(dense) else {
        // Play reaches every board.
        out.fill(1);
        let _ = watch(out.len() as u64);
        return Ok(());
    };
    let part = reader.piece() * rayon::current_num_threads();
    for (mode, row) in (first.0..).map(Mode).zip(out.chunks_mut(of_mode)) {
        for (number, out) in row.chunks_mut(part).enumerate() {
            let read = reader.read(mode, (number * part) as u64, out);
            read.map_err(|fault| EngineError::damaged(table, fault))?;
            if watch(out.len() as u64).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::{Engine, SolveOptions, Source, TableDirs, UseSymmetry, game};
    use tablegen_games::Parameters;
    use tablegen_rules::{Board, Position};
    use tablegen_solvers::Method;

    fn solved(name: &str, method: Method) -> Source {
        let options = SolveOptions { method: Some(method), symmetry: UseSymmetry::Never, ..SolveOptions::default() };
        let small = Parameters::new().with("rows", 3).with("cols", 3);
        let engine = Engine::new(TableDirs::none());
        engine.solve_in_memory(game(name, &small).unwrap(), &options, None).unwrap()
    }

    fn marks(source: &Source) -> Result<Vec<u8>, ReachabilityError> {
        let rules = source.game().rules();
        let mut out = vec![2; rules.modes().len() << rules.cells()];
        reachability(source.table().unwrap(), Mode(0), &mut out, &|_| ControlFlow::Continue(()))?;
        Ok(out)
    }

    /// A sparse table stores exactly the positions that are marked in the dense table.
    #[test]
    fn dense_marks_equal_the_sparse_table() {
        for name in ["cram", "domineering", "mnk", "tactics"] {
            let (dense, sparse) = (solved(name, Method::Dense), solved(name, Method::Sparse));
            let found = marks(&dense).unwrap();
            let (rules, sparse) = (dense.game().rules(), sparse.table().unwrap());
            for (at, &mark) in found.iter().enumerate() {
                let mode = Mode((at >> rules.cells()) as u16);
                let position = Position::new(mode, Board::from_word(at as u64) & Board::full(rules.cells()));
                assert_eq!(mark == 1, sparse.find(position).unwrap().is_some(), "{name} {position:?}");
            }
        }
        assert!(matches!(marks(&solved("cram", Method::Sparse)), Err(ReachabilityError::NotEvery)));
    }
}
