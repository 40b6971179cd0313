//! The labels that a table must hold for a question, and how often each number occurs.

use tablegen_index::contents::ByteLabels;
use tablegen_labels::{LabelKind, LabelSet};
use tablegen_tables::table::Table;

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

/// The number of positions of `table` with 0, 1, 2 … as their label `kind`; `None` if the table does not hold it, or if it
/// counts plies.
pub(super) fn number_histogram(table: &Table, kind: LabelKind) -> Option<Vec<u64>> {
    let counts = table.codes(kind);
    let used = counts.iter().rposition(|&count| count > 0).map_or(0, |largest| largest + 1);
    (table.labels().contains(kind) && !kind.about().counts_plies).then(|| counts[..used].to_vec())
}
