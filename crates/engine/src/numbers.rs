//! The labels that a table must hold for a question, and how often each number occurs.

use tablegen_index::contents::ByteLabels;
use tablegen_labels::{Label, with_byte_label};
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

/// How often each number occurs as a label.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NumberCounts {
    /// The least number: 0, or less if a negative number occurs.
    pub least: i32,
    /// The number of positions with the least number, with the next one and so on, up to the largest that occurs.
    pub counts: Vec<u64>,
}

impl NumberCounts {
    /// The positions of `table` by their label `kind`; `None` if the table does not hold it, or if it counts plies.
    pub(super) fn of(table: &Table, kind: LabelKind) -> Option<Self> {
        if !table.labels().contains(kind) || kind.about().counts_plies {
            return None;
        }
        let number = |place| with_byte_label!(kind, L => L::at_place(place, table.label_width(kind))?.number());
        let found = table.codes(kind).iter().enumerate().filter(|&(_, &count)| count > 0);
        let found: Vec<(i32, u64)> = found.filter_map(|(place, &count)| Some((number(place)?, count))).collect();
        let Some(largest) = found.iter().map(|&(number, _)| number).max() else { return Some(Self::default()) };
        let least = found.iter().fold(0, |least, &(number, _)| number.min(least));
        let mut counts = vec![0; (largest.max(least) - least) as usize + 1];
        found.into_iter().for_each(|(number, count)| counts[(number - least) as usize] += count);
        Some(Self { least, counts })
    }

    /// Each number with its count, the least first.
    pub fn rows(&self) -> impl Iterator<Item = (i32, u64)> + '_ {
        (self.least..).zip(self.counts.iter().copied())
    }

    /// The largest number that occurs; 0 if none does.
    #[must_use]
    pub fn largest(&self) -> i32 {
        self.rows().last().map_or(0, |(largest, _)| largest)
    }
}
