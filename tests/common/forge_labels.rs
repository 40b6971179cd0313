//! The forger, with the places of labels and of their counts.

use std::ops::Range;

pub(crate) use super::forge_fields::*;

/// The number in the first field called `name`.
pub(crate) fn get(table: &[u8], name: &str) -> u64 {
    number(&table[field(table, name)])
}

/// The bytes of the outcomes.
pub(crate) fn outcomes(table: &[u8]) -> Range<usize> {
    labels(table, 1).expect("every table has outcomes")
}

/// The bytes of the label with number `label`: 1 for outcomes, 2 for remoteness, 3 for nimbers.
pub(crate) fn labels(table: &[u8], label: u8) -> Option<Range<usize>> {
    let numbers = every(table, "section.label").into_iter().map(|at| table[at.start]);
    numbers.zip(sections(table)).find(|(number, _)| *number == label).map(|(_, section)| section)
}

/// The place in the header of the count of `code`, for a label of one byte.
pub(crate) fn count_of(table: &[u8], label: u8, code: u8) -> Range<usize> {
    let before = every(table, "section.label").into_iter().map(|at| table[at.start]).filter(|n| (2..label).contains(n));
    every(table, "figure.code").swap_remove(256 * before.count() + usize::from(code))
}
