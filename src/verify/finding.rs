//! What a check can find wrong.

use crate::label::Counts;
use crate::rules::{Mode, Outcome, Position};
use crate::table::TableFault;

/// The layers of trust, from the file to what is written in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// Every byte has its checksum.
    Bytes,
    /// Every label follows from those of its successors.
    Labels,
    /// Labels are what a plain search finds.
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

/// What a check found wrong. The first place, if there are several.
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
        /// What the rules and the labels of its successors make it.
        expected: Outcome,
    },
    /// Bits that stand for no label.
    #[error("mode {}, board {:#x} is marked a win and a loss at once", position.mode.0, position.board)]
    Conflict {
        /// The position.
        position: Position,
    },
    /// A label that is not the outcome which a search finds.
    #[error("mode {}, board {:#x} is labelled {found}, and looking ahead finds a {expected}", position.mode.0, position.board)]
    Search {
        /// The position.
        position: Position,
        /// The label in the table.
        found: Outcome,
        /// What the search finds.
        expected: Outcome,
    },
    /// Counts in the header that are not those of the labels.
    #[error("mode {} has {} wins, {} draws and {} losses, and its header says {}, {} and {}",
        mode.0, found.win, found.draw, found.loss, expected.win, expected.draw, expected.loss)]
    Counts {
        /// The mode.
        mode: Mode,
        /// The counts the header gives.
        expected: Counts,
        /// The counts of the labels.
        found: Counts,
    },
    /// A position that play reaches and the table lacks.
    #[error("mode {}, board {:#x} can be reached, and the table does not hold it", position.mode.0, position.board)]
    Missing {
        /// The position.
        position: Position,
    },
    /// A position that the table holds and play does not reach.
    #[error("mode {}, board {:#x} cannot be reached, and the table holds it", position.mode.0, position.board)]
    Unreached {
        /// The position.
        position: Position,
    },
    /// Set bits that belong to no position.
    #[error("bits of mode {} that belong to no position are set", mode.0)]
    Padding {
        /// The mode.
        mode: Mode,
    },
    /// Nothing: the caller's progress function stopped the check.
    #[error("stopped before everything was checked")]
    Cancelled,
}
