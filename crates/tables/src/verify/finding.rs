//! The defects that a check can find.

use crate::compressed::BlockFault;
use crate::contents::LabelFault;
use crate::label::{Counts, LabelKind};
use crate::rules::{Board, Mode, NoSides, Outcome, Position};
use crate::table::TableFault;

/// The levels of checking, from the file itself to its contents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// Every byte matches its checksum.
    Bytes,
    /// Every label follows from the labels of the successors.
    Labels,
    /// Every label equals the result of an independent search.
    Oracle,
}

impl Layer {
    /// Every level, in the order in which levels are checked.
    pub const ALL: [Self; 3] = [Self::Bytes, Self::Labels, Self::Oracle];

    /// `bytes`, `labels` or `oracle`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Labels => "labels",
            Self::Oracle => "oracle",
        }
    }
}

/// A defect that a check found; the first defect, if there are several.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Finding {
    /// Bytes were changed, or are invalid.
    #[error("{0}")]
    Bytes(TableFault),
    /// A label does not follow from the rules and the labels of the successors.
    #[error("mode {}, board {:#x} is labelled {found}, and its successors imply {expected}", position.mode.0, position.board)]
    Label {
        /// The position.
        position: Position,
        /// The label in the table.
        found: Outcome,
        /// The label that follows from the rules and the labels of its successors.
        expected: Outcome,
    },
    /// A one-byte label does not follow from the rules and the labels of the successors.
    #[error("mode {}, board {:#x} has {label} {found}, and its successors imply {expected}", position.mode.0, position.board)]
    Number {
        /// The label.
        label: LabelKind,
        /// The position.
        position: Position,
        /// The label in the table, in words.
        found: String,
        /// The label that follows from the rules and the labels of its successors, in words.
        expected: String,
    },
    /// The header's counts of a one-byte label differ from the labels.
    #[error("the counts of {label} in the header differ from the labels")]
    Codes {
        /// The label.
        label: LabelKind,
    },
    /// The value of a board does not follow from the values of the boards after each turn.
    #[error("board {board:#x} has value {found} of the dictionary, and its options imply {}", .expected.map_or("none of its values".to_owned(), |number| format!("value {number}")))]
    Value {
        /// The board.
        board: Board,
        /// The number in the table.
        found: u32,
        /// The number that follows from the options; `None` if the dictionary lacks their value.
        expected: Option<u32>,
    },
    /// A board that play reaches has no value.
    #[error("board {board:#x} has no value, although play can reach it")]
    NoValue {
        /// The board.
        board: Board,
    },
    /// A board has a value although play does not reach it.
    #[error("board {board:#x} has a value, although no play reaches it")]
    NotABoard {
        /// The board.
        board: Board,
    },
    /// An entry of the dictionary of values is not a new canonical form, or counts its boards wrongly.
    #[error("value {number} of the dictionary is not a new canonical form with the right number of boards")]
    Dictionary {
        /// The number of the value.
        number: u32,
    },
    /// The table has values although its rules have none.
    #[error("the table has values, which its rules do not: {reason}")]
    NoValues {
        /// The reason.
        reason: NoSides,
    },
    /// Bits do not represent a label.
    #[error("mode {}, board {:#x} is marked as a win and as a loss", position.mode.0, position.board)]
    Conflict {
        /// The position.
        position: Position,
    },
    /// A label differs from the outcome that the independent search found.
    #[error("mode {}, board {:#x} is labelled {found}, and the independent search finds {expected}", position.mode.0, position.board)]
    Search {
        /// The position.
        position: Position,
        /// The label in the table.
        found: Outcome,
        /// The outcome that the search found.
        expected: Outcome,
    },
    /// A one-byte label differs from the label that the independent search found.
    #[error("mode {}, board {:#x} has {label} {found}, and the independent search finds {expected}", position.mode.0, position.board)]
    SearchNumber {
        /// The label.
        label: LabelKind,
        /// The position.
        position: Position,
        /// The label in the table, in words.
        found: String,
        /// The label that the search found, in words.
        expected: String,
    },
    /// The header's counts differ from the labels.
    #[error("mode {} has {} wins, {} draws and {} losses, and its header says {}, {} and {}",
        mode.0, found.win, found.draw, found.loss, expected.win, expected.draw, expected.loss)]
    Counts {
        /// The mode.
        mode: Mode,
        /// The counts in the header.
        expected: Counts,
        /// The counts of the labels.
        found: Counts,
    },
    /// A win or a loss follows from its successors, but only around a cycle.
    #[error("mode {}, board {:#x} is labelled {found}, and neither player can force that", position.mode.0, position.board)]
    Unforced {
        /// The position.
        position: Position,
        /// The label in the table.
        found: Outcome,
    },
    /// The plies of a table that lacks them do not fit into memory; this is not a defect.
    #[error("cannot compute the plies of {positions} positions: they and their moves do not fit into memory")]
    TooLarge {
        /// The number of positions.
        positions: u64,
    },
    /// A reachable position is not in the table.
    #[error("mode {}, board {:#x} is reachable, and the table does not hold it", position.mode.0, position.board)]
    Missing {
        /// The position.
        position: Position,
    },
    /// A stored position is not the representative of its class.
    #[error("mode {}, board {:#x} is stored, and another position represents its symmetry class", position.mode.0, position.board)]
    NotRepresentative {
        /// The position.
        position: Position,
    },
    /// Two stored positions of one symmetry class have different labels.
    #[error("mode {}, board {:#x} and mode {}, board {:#x} belong to one symmetry class and have different labels",
        position.mode.0, position.board, other.mode.0, other.board)]
    Class {
        /// A position.
        position: Position,
        /// The other position.
        other: Position,
    },
    /// A position in the table is not reachable.
    #[error("mode {}, board {:#x} is not reachable, and the table holds it", position.mode.0, position.board)]
    Unreached {
        /// The position.
        position: Position,
    },
    /// A reachable position is not marked as reachable.
    #[error("mode {}, board {:#x} is reachable, and the table does not mark it", position.mode.0, position.board)]
    Unmarked {
        /// The position.
        position: Position,
    },
    /// Bits or bytes are set that belong to no colouring.
    #[error("bits or bytes that belong to no position are set")]
    Stray,
    /// Bits are set that belong to no position.
    #[error("bits of mode {} that belong to no position are set", mode.0)]
    Padding {
        /// The mode.
        mode: Mode,
    },
    /// The oracle decided no label within its limit; this is not a defect.
    #[error("checked 0 of {labels} labels: none is decided within {limit} positions")]
    Undecided {
        /// The number of labels to check.
        labels: u64,
        /// The limit.
        limit: u64,
    },
    /// The caller's progress function stopped the check; this is not a defect.
    #[error("stopped before everything was checked")]
    Cancelled,
}

impl From<BlockFault> for Finding {
    fn from(fault: BlockFault) -> Self {
        LabelFault::from(fault).into()
    }
}

impl From<LabelFault> for Finding {
    fn from(fault: LabelFault) -> Self {
        Self::Bytes(TableFault::Labels(fault))
    }
}
