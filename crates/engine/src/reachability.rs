//! Which positions of a table are reachable, by board number.

use rayon::prelude::*;

use super::by_board::Boards;
use super::facts::counts_every_board;
use super::{EngineError, ReadWatch};
use tablegen_index::contents::LabelFault;
use tablegen_rules::{Board, Mode, Position};
use tablegen_tables::table::{Table, TableFault};

/// Boards per task.
const PIECE: usize = 1 << 14;

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
    let contents = table.contents();
    let boards = Boards::of(contents).ok_or(ReachabilityError::NotEvery)?;
    if counts_every_board(table) {
        return Err(ReachabilityError::NotMarked);
    }
    let of_mode = boards.boards() as usize;
    assert!(out.len().is_multiple_of(of_mode) && usize::from(first.0) + out.len() / of_mode <= boards.modes() as usize);
    table.check_reachability().map_err(EngineError::Read)?;
    let pieces = (0u16..).zip(out.chunks_mut(of_mode)).flat_map(|(mode, row)| {
        (0u64..)
            .step_by(PIECE)
            .zip(row.chunks_mut(PIECE))
            .map(move |(board, piece)| (Mode(first.0 + mode), board, piece))
    });
    let done = pieces.collect::<Vec<_>>().into_par_iter().try_for_each(|(mode, board, piece)| {
        for (board, out) in (board..).map(Board::from_word).zip(piece.iter_mut()) {
            *out =
                contents.is_counted(Position::new(mode, board)).map_err(|fault| Some(LabelFault::from(fault)))?.into();
        }
        if watch(piece.len() as u64).is_break() { Err(None) } else { Ok(()) }
    });
    match done {
        Ok(()) | Err(None) => Ok(()),
        Err(Some(fault)) => Err(EngineError::damaged(table, TableFault::Labels(fault)).into()),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::{Engine, SolveOptions, Source, TableDirs, UseSymmetry, game};
    use tablegen_games::Parameters;
    use tablegen_solve::Method;

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
