//! Errors of solving a game.

use std::io;

use crate::label::{LabelKind, LabelSet, Undefined};
use crate::not_coloured::NotColoured;
use crate::reachable::MOST_IN_LEVEL;
use crate::regions::NoRegions;
use crate::rules::{NoSymmetry, Position, SweepObstacle};
use crate::simd::KernelError;
use crate::{Method, UpTo};

/// The reason why a game was not solved. All memory has been released.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The requested kernel is not available.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The layout has another number of cells than the rules.
    #[error("expected a layout of {expected} cells, found one of {found}")]
    Layout {
        /// Cells of the rules.
        expected: u32,
        /// Cells of the layout.
        found: u32,
    },
    /// The rules do not suit the two-colour solver.
    #[error("the two-colour solver cannot solve {name}: {reason}")]
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
    #[error("the {} solver cannot solve {name}: {reason}", method.name())]
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
    #[error("the {} solver cannot solve {name}: its positions {}", method.name(),
        if *method == Method::Sparse { "may repeat" } else { "cannot repeat" })]
    Repetition {
        /// The rules' name.
        name: String,
        /// [`Method::Sparse`] or [`Method::Cyclic`].
        method: Method,
    },
    /// Some moves are legal only if no other move is, and positions may repeat.
    #[error("cannot solve {name}: some moves are legal only if no other move is, and its positions may repeat")]
    Otherwise {
        /// The rules' name.
        name: String,
    },
    /// The potential, averaged over the symmetries, has too many levels.
    #[error("the potential of {name}, averaged over its symmetries, has too many levels")]
    Levels {
        /// The rules' name.
        name: String,
    },
    /// A game in which positions may repeat has more moves in one mode than the solver can count.
    #[error("{name} has {found} moves in one mode: expected at most {most} in a game whose positions may repeat")]
    TooManyMoves {
        /// The rules' name.
        name: String,
        /// The number of moves.
        found: u64,
        /// The most moves that can be counted.
        most: u64,
    },
    /// Play lasts longer than remoteness can hold, in a game whose moves empty cells.
    #[error(
        "best play of {name} lasts more than {most} plies from some positions, and remoteness holds at most {most}"
    )]
    TooLong {
        /// The rules' name.
        name: String,
        /// The most plies that a label holds.
        most: u16,
    },
    /// Moves turn over lines, which no solver knows.
    #[error("cannot solve {name}: its moves turn over lines in too many ways to list, whatever the memory")]
    Lines {
        /// The rules' name.
        name: String,
    },
    /// Positions have no index by regions.
    #[error("{} {name}: {reason}",
        if *is_only { "no solver can make a table of" } else { "the regions solver cannot solve" })]
    NoRegions {
        /// The rules' name.
        name: String,
        /// The reason.
        reason: NoRegions,
        /// True if the rules count pieces, which no other solver can do.
        is_only: bool,
    },
    /// Moves gain points, so that outcomes follow from scores, and only the solver by regions counts pieces.
    #[error(
        "no solver can make a table of {name}: its moves or ends depend on numbers of pieces, its moves gain points, and \
         the solver that counts pieces computes no scores"
    )]
    CountsAndGains {
        /// The rules' name.
        name: String,
    },
    /// The regions solver computes outcomes and remoteness alone.
    #[error("the regions solver cannot label {name} with {label}: it computes outcomes and remoteness")]
    RegionLabel {
        /// The rules' name.
        name: String,
        /// The label.
        label: LabelKind,
    },
    /// Moves or ends depend on numbers of pieces, which only the solver by regions knows.
    #[error("cannot solve {name} by codes of positions: its moves or ends depend on numbers of pieces")]
    Counts {
        /// The rules' name.
        name: String,
    },
    /// Regions that must be solved together have 2^32 boards or more.
    #[error("regions that lead to each other have too many boards: expected fewer than 2^32")]
    TooManyNumbers,
    /// Board and mode of a position together need more bits than a code has.
    #[error(
        "cannot store the reachable positions of {name}: expected at most {most} bits for board and mode, found {found}"
    )]
    TooWide {
        /// The rules' name.
        name: String,
        /// The number of bits.
        found: u32,
        /// The most bits that a code has.
        most: u32,
    },
    /// There are more boards or values than a table of values can number.
    #[error("cannot store values: expected fewer boards and options than 2^32, found {count} boards or values")]
    TooManyValued {
        /// The number of boards or of values.
        count: u64,
    },
    /// The arithmetic of values reached a limit.
    #[error(transparent)]
    Values(#[from] tablegen_cgt::Error),
    /// There are more positions than an address space can hold.
    #[error("2^{cells} boards{} exceed every address space", if *modes == 1 { String::new() } else { format!(" in {modes} modes each") })]
    TooLarge {
        /// Cells of the board.
        cells: u32,
        /// Number of modes.
        modes: u32,
    },
    /// A finished slice cannot be stored or loaded.
    #[error("cannot store a solved slice: {0}")]
    Store(#[source] io::Error),
    /// The operating system cannot provide the memory.
    #[error("cannot allocate {bytes} bytes of memory for bit planes: {source}")]
    Memory {
        /// Bytes requested.
        bytes: u64,
        /// The error from the system.
        source: io::Error,
    },
    /// The bit planes need more memory than allowed.
    #[error("not enough memory: bit planes need {needed} bytes, and {allowed} are allowed")]
    DenseMemory {
        /// Bytes of the planes.
        needed: u64,
        /// The limit.
        allowed: u64,
    },
    /// Labels for known positions need more memory than allowed.
    #[error("not enough memory: labels need {needed} bytes, and {allowed} are allowed")]
    LabelMemory {
        /// Bytes of the labels.
        needed: u64,
        /// The limit.
        allowed: u64,
    },
    /// The values found so far need more memory than allowed. The values of other boards may need still more.
    #[error(
        "not enough memory: the values found so far need {needed} bytes, and {allowed} are allowed; all values may need more"
    )]
    ValueMemory {
        /// Bytes of the numbers of all boards and of the values found so far.
        needed: u64,
        /// The limit.
        allowed: u64,
    },
    /// The keys of the table to extend differ from the reachable positions.
    #[error("the keys of the table differ from the reachable positions of its rules")]
    Keys,
    /// The reachable positions need more memory than allowed.
    #[error(
        "not enough memory: the solver had found the {positions} positions{up_to} and then needed {needed} bytes, and \
         {allowed} are allowed; allow more memory, or choose a smaller game"
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
        "not enough memory: the solver had found the {positions} positions{up_to} and then needed up to {needed} bytes, \
         and the system has {left} left"
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
    #[error("not enough memory: the system refused more when the solver had found the {positions} positions{up_to}")]
    Refused {
        /// Positions found so far.
        positions: u64,
        /// The bound up to which all positions were found.
        up_to: UpTo,
    },
    /// There are more reachable positions than the limit allows.
    #[error("more than {limit} positions are reachable{}", up_to.lead_to_more())]
    MaxPositions {
        /// The limit.
        limit: u64,
        /// The bound up to which positions were expanded.
        up_to: UpTo,
    },
    /// A level has more positions than can be counted.
    #[error(
        "expected at most {MOST_IN_LEVEL} positions on one level, found {positions} on the last level of the \
         positions{up_to}"
    )]
    Level {
        /// The bound, at that level.
        up_to: UpTo,
        /// Positions in it.
        positions: u64,
    },
    /// A root is not a position of the rules.
    #[error("mode {} and board {:#x} is not a position of {name}", position.mode.0, position.board)]
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
    /// Moves gain points, and scores are not among the labels.
    #[error("outcomes of {name} follow from its scores: expected the label score")]
    NeedsScore {
        /// The rules' name.
        name: String,
    },
    /// Labels cannot be added to a dense or two-colour table with symmetry: such tables are solved slice by slice, from
    /// scratch.
    #[error("cannot add labels to the table of {name}: it is solved by slices up to symmetry, and needs a new build")]
    Folded {
        /// The name of the rules.
        name: String,
    },
    /// The caller's progress function stopped the work.
    #[error("stopped before the work was done")]
    Cancelled,
}
