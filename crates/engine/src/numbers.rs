//! The labels that a table must hold for what is asked.

use tablegen_index::contents::ByteLabels;
use tablegen_labels::{LabelKind, LabelSet};

/// The error for a label that a table does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a table with {asked}, found one with {held}")]
pub struct NotHeld {
    /// The label to export.
    pub asked: LabelKind,
    /// The labels of the table.
    pub held: LabelSet,
}

pub(super) fn check_held(bytes: ByteLabels<'_>, asked: LabelKind) -> Result<(), NotHeld> {
    let held = bytes.labels();
    if held.contains(asked) { Ok(()) } else { Err(NotHeld { asked, held }) }
}
