//! Why a game was not solved.

use std::io;

use super::dense::KernelError;
use crate::reachable::MOST_IN_LEVEL;
use crate::rules::Position;

/// Why a game was not solved. The memory is given back then, and nothing is left behind.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The kernel asked for is not available.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The layout given is for another number of cells.
    #[error("a layout of {expected} cells is expected, found one of {found}")]
    Layout {
        /// Cells of the rules.
        expected: u32,
        /// Cells of the layout.
        found: u32,
    },
    /// More positions than an address space holds.
    #[error("2^{cells} boards times {modes} modes are more than any memory holds")]
    TooLarge {
        /// Cells of the board.
        cells: u32,
        /// Number of modes.
        modes: u32,
    },
    /// The operating system has no memory to give.
    #[error("{bytes} bytes of memory for the planes: {source}")]
    Memory {
        /// Bytes asked for.
        bytes: u64,
        /// What the system said.
        source: io::Error,
    },
    /// The planes are larger than the memory they may take.
    #[error("{needed} bytes of memory are needed, and {allowed} are allowed")]
    DenseMemory {
        /// Bytes of the planes.
        needed: u64,
        /// The limit.
        allowed: u64,
    },
    /// The positions that play can reach outgrew the memory they may take.
    #[error(
        "{allowed} bytes of memory are not enough: {needed} were needed when the {positions} positions with up to \
         {filled} of {cells} filled cells had been found; allow more memory, or choose a smaller game"
    )]
    SparseMemory {
        /// The limit.
        allowed: u64,
        /// Bytes that the next step would have held.
        needed: u64,
        /// Positions found by then: all with so many filled cells or fewer.
        positions: u64,
        /// Filled cells of the level that was being expanded.
        filled: u32,
        /// Cells of the board.
        cells: u32,
    },
    /// Play can reach more positions than were asked for.
    #[error(
        "play can reach more than {limit} positions: with up to {filled} of {cells} filled cells there are more already"
    )]
    MaxPositions {
        /// The limit.
        limit: u64,
        /// Filled cells of the level that passed it.
        filled: u32,
        /// Cells of the board.
        cells: u32,
    },
    /// A level too large to be counted.
    #[error(
        "{positions} positions with {filled} filled cells: a table holds at most {MOST_IN_LEVEL} with one number of \
         filled cells"
    )]
    Level {
        /// Filled cells of the level.
        filled: u32,
        /// Positions in it.
        positions: u64,
    },
    /// A root that is no position of the rules.
    #[error("mode {} and board {:#x} are no position of {name} to begin from", position.mode.0, position.board)]
    Root {
        /// The rules' name.
        name: String,
        /// The root.
        position: Position,
    },
    /// The caller's progress function asked to stop.
    #[error("stopped before the work was done")]
    Cancelled,
}
