//! The defects that a check can find.

use crate::contents::LabelFault;
use crate::label::{Counts, LabelKind};
use crate::packed::BlockFault;
use crate::rules::{Mode, NoSymmetry, Outcome, Position};
use crate::table::TableFault;

/// The layers of trust, from the file itself to its contents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// Every byte matches its checksum.
    Bytes,
    /// Every label follows from the labels of the successors.
    Labels,
    /// Labels are equal to the results of a plain search.
    Oracle,
}

impl Layer {
    /// Every layer, in the order in which they are checked.
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

/// A defect that a check found; the first, if there are several.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Finding {
    /// Bytes that changed, or that make no sense.
    #[error("{0}")]
    Bytes(TableFault),
    /// A label that the rules do not give.
    #[error("mode {}, board {:#x} is labelled {found}, and its successors make it {expected}", position.mode.0, position.board)]
    Label {
        /// The position.
        position: Position,
        /// The label in the table.
        found: Outcome,
        /// The label that follows from the rules and the labels of its successors.
        expected: Outcome,
    },
    /// A label of one byte that the rules do not give.
    #[error("mode {}, board {:#x} has {label} {found}, and its successors make it {expected}", position.mode.0, position.board)]
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
    /// The header's counts of a label of one byte differ from the labels.
    #[error("the header counts its labels of {label} differently from what they are")]
    Codes {
        /// The label.
        label: LabelKind,
    },
    /// Bits that do not represent a label.
    #[error("mode {}, board {:#x} is marked a win and a loss at once", position.mode.0, position.board)]
    Conflict {
        /// The position.
        position: Position,
    },
    /// A label that differs from the outcome that a search finds.
    #[error("mode {}, board {:#x} is labelled {found}, and looking ahead finds a {expected}", position.mode.0, position.board)]
    Search {
        /// The position.
        position: Position,
        /// The label in the table.
        found: Outcome,
        /// The outcome that the search finds.
        expected: Outcome,
    },
    /// A label of one byte that differs from the one that a search finds.
    #[error("mode {}, board {:#x} has {label} {found}, and looking ahead finds {expected}", position.mode.0, position.board)]
    SearchNumber {
        /// The label.
        label: LabelKind,
        /// The position.
        position: Position,
        /// The label in the table, in words.
        found: String,
        /// The label that the search finds, in words.
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
    /// A position that play can reach but the table lacks.
    #[error("mode {}, board {:#x} can be reached, and the table does not hold it", position.mode.0, position.board)]
    Missing {
        /// The position.
        position: Position,
    },
    /// A symmetry that the rules do not have.
    #[error("a symmetry of the table is none of its rules: {reason}")]
    Symmetry {
        /// Why.
        reason: NoSymmetry,
    },
    /// A stored position is not the representative of its class.
    #[error("mode {}, board {:#x} is stored, and another position stands for it", position.mode.0, position.board)]
    NotRepresentative {
        /// The position.
        position: Position,
    },
    /// A position that the table holds but play cannot reach.
    #[error("mode {}, board {:#x} cannot be reached, and the table holds it", position.mode.0, position.board)]
    Unreached {
        /// The position.
        position: Position,
    },
    /// A position that play reaches but that is not marked so.
    #[error("mode {}, board {:#x} can be reached, and the table does not mark it", position.mode.0, position.board)]
    Unmarked {
        /// The position.
        position: Position,
    },
    /// Set bits of colourings that do not exist.
    #[error("bits or bytes that belong to no position are set")]
    Stray,
    /// Set bits that do not belong to any position.
    #[error("bits of mode {} that belong to no position are set", mode.0)]
    Padding {
        /// The mode.
        mode: Mode,
    },
    /// No finding: the caller's progress function stopped the check.
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
