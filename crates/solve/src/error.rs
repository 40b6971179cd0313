//! Errors of solving a game.

use std::io;

use super::coloured::NotColoured;
use super::simd::KernelError;
use crate::label::{LabelKind, LabelSet, Undefined};
use crate::reachable::MOST_IN_LEVEL;
use crate::rules::{NoSymmetry, Position, SweepObstacle};
use crate::{Method, UpTo};

/// The reason why a game was not solved. All memory has been released.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The requested kernel is not available.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The layout has another number of cells than the rules.
    #[error("a layout of {expected} cells is expected, found one of {found}")]
    Layout {
        /// Cells of the rules.
        expected: u32,
        /// Cells of the layout.
        found: u32,
    },
    /// The rules do not suit the two-colour solver.
    #[error("{name} is not solved by colourings: {reason}")]
    NotColoured {
        /// The rules' name.
        name: String,
        /// The reason.
        reason: NotColoured,
    },
    /// A generator is not a symmetry of the rules, or does not map the roots to each other.
    #[error("{name} does not have symmetry {index}: {reason}")]
    Symmetry {
        /// The rules' name.
        name: String,
        /// The index of the generator, counted from 0.
        index: usize,
        /// The reason.
        reason: NoSymmetry,
    },
    /// The method cannot solve the rules.
    #[error("{name} is not solved by the {} method: {reason}", method.name())]
    SweepObstacle {
        /// The rules' name.
        name: String,
        /// The method.
        method: Method,
        /// The obstacle.
        reason: SweepObstacle,
        /// The method that solves the rules.
        instead: Method,
    },
    /// The method solves reachable positions, but it needs positions that cannot repeat and the game's can, or the
    /// other way round.
    #[error("{name} is not solved by the {} method: its positions {}", method.name(),
        if *method == Method::Sparse { "may repeat" } else { "cannot repeat" })]
    Repetition {
        /// The rules' name.
        name: String,
        /// [`Method::Sparse`] or [`Method::Cyclic`].
        method: Method,
    },
    /// The potential, averaged over the symmetries, has too many levels.
    #[error("{name} has no potential with few levels that its symmetries keep")]
    Levels {
        /// The rules' name.
        name: String,
    },
    /// A game in which positions may repeat has more moves in one mode than the solver can count.
    #[error("{name} has {found} moves in one mode, and at most {most} are counted where positions may repeat")]
    TooManyMoves {
        /// The rules' name.
        name: String,
        /// The number of moves.
        found: u64,
        /// The most moves that can be counted.
        most: u64,
    },
    /// Play lasts longer than labels can represent, in a game whose moves empty cells.
    #[error("{name} has positions from which best play takes more than {most} plies, and remoteness holds no more")]
    TooLong {
        /// The rules' name.
        name: String,
        /// The most plies that a label holds.
        most: u8,
        /// True if remoteness cannot be left out, because positions may repeat.
        is_needed: bool,
    },
    /// There are more positions than an address space can hold.
    #[error("2^{cells} boards times {modes} modes are more than any memory holds")]
    TooLarge {
        /// Cells of the board.
        cells: u32,
        /// Number of modes.
        modes: u32,
    },
    /// A finished slice cannot be stored or loaded.
    #[error("cannot keep what is solved: {0}")]
    Store(#[source] io::Error),
    /// The operating system cannot provide the memory.
    #[error("cannot allocate {bytes} bytes of memory for the planes: {source}")]
    Memory {
        /// Bytes requested.
        bytes: u64,
        /// The error from the system.
        source: io::Error,
    },
    /// The bit planes need more memory than allowed.
    #[error("{needed} bytes of memory are needed, and {allowed} are allowed")]
    DenseMemory {
        /// Bytes of the planes.
        needed: u64,
        /// The limit.
        allowed: u64,
    },
    /// Labels for known positions need more memory than allowed.
    #[error("{needed} bytes of memory are needed for labels, and {allowed} are allowed")]
    LabelMemory {
        /// Bytes of the labels.
        needed: u64,
        /// The limit.
        allowed: u64,
    },
    /// The keys of the table to extend differ from the reachable positions.
    #[error("the keys of its positions are not those that its rules lead to")]
    Keys,
    /// The reachable positions need more memory than allowed.
    #[error(
        "{allowed} bytes of memory are not enough: {needed} were needed when the {positions} positions{up_to} had been \
         found; allow more memory, or choose a smaller game"
    )]
    SparseMemory {
        /// The limit.
        allowed: u64,
        /// Bytes that the next step would need in total.
        needed: u64,
        /// Positions found so far.
        positions: u64,
        /// The bound up to which all positions were found.
        up_to: UpTo,
    },
    /// The system has too little memory left for the reachable positions.
    #[error(
        "the system has {left} bytes of memory left, and {needed} more may be needed: the {positions} positions{up_to} \
         had been found"
    )]
    NoRoom {
        /// Bytes that the next step needs, with the memory for storing its result.
        needed: u64,
        /// Bytes left.
        left: u64,
        /// Positions found so far.
        positions: u64,
        /// The bound up to which all positions were found.
        up_to: UpTo,
    },
    /// The system refused memory for the reachable positions.
    #[error("the system provides no more memory: the {positions} positions{up_to} had been found")]
    Refused {
        /// Positions found so far.
        positions: u64,
        /// The bound up to which all positions were found.
        up_to: UpTo,
    },
    /// There are more reachable positions than the limit allows.
    #[error("play can reach more than {limit} positions{}", up_to.lead_to_more())]
    MaxPositions {
        /// The limit.
        limit: u64,
        /// The bound up to which positions were expanded.
        up_to: UpTo,
    },
    /// A level has more positions than can be counted.
    #[error(
        "a table holds at most {MOST_IN_LEVEL} positions on one level: {positions} were found on the last level of the \
         positions{up_to}"
    )]
    Level {
        /// The bound, at that level.
        up_to: UpTo,
        /// Positions in it.
        positions: u64,
    },
    /// A root is not a position of the rules.
    #[error("mode {} and board {:#x} are not a position of {name} to start from", position.mode.0, position.board)]
    Root {
        /// The rules' name.
        name: String,
        /// The root.
        position: Position,
    },
    /// The game does not have the label.
    #[error("{name} has no {label}: {reason}")]
    Undefined {
        /// The rules' name.
        name: String,
        /// The label.
        label: LabelKind,
        /// The reason.
        reason: Undefined,
        /// The requested labels that it has.
        defined: LabelSet,
    },
    /// Labels cannot be added to a dense or two-colour table with symmetry: such tables are solved slice by slice, from
    /// scratch.
    #[error("{name}: labels are not added to a table of regions up to symmetry, it is built anew")]
    Folded {
        /// The name of the rules.
        name: String,
    },
    /// The caller's progress function stopped the work.
    #[error("stopped before the work was done")]
    Cancelled,
}
