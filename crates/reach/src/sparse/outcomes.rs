//! Outcomes derived from a label that decides them: if a table has both labels, one pass over the moves is enough.

use rayon::prelude::*;

use super::add::empty;
use crate::SolveError;
use crate::label::{Label, LabelKind, Width};
use crate::reachable::Levels;
use crate::rules::{Outcome, Rules};
use tablegen_labels::with_byte_label;

/// Bytes of outcomes that one task writes.
const STRETCH: usize = 1 << 14;

/// The outcomes of all `levels`, whose labels `kind`, which is not the outcome, are `labels`.
pub(crate) fn of_label(rules: &Rules, levels: &Levels, kind: LabelKind, labels: &[u8]) -> Result<Vec<u8>, SolveError> {
    let outcome_of =
        |code| -> Option<Outcome> { with_byte_label!(kind, L => L::decode(code, Width::Eight).map(Into::into)) };
    let outcomes: [Outcome; 256] = std::array::from_fn(|code| outcome_of(code as u8).unwrap_or(Outcome::Draw));
    let width = Outcome::width(rules);
    let bits = width.bits() as usize;
    let in_byte = 8 / bits;
    let mut column = empty(rules, levels, width)?;
    let write = |(bytes, codes): (&mut [u8], &[u8])| {
        for (byte, codes) in bytes.iter_mut().zip(codes.chunks(in_byte)) {
            for (index, &code) in codes.iter().enumerate() {
                *byte |= width.of_outcome(outcomes[usize::from(code)]) << (bits * index);
            }
        }
    };
    for number in 0..levels.sizes().len() {
        let range = |width| {
            let range = levels.column_range(number, width).unwrap_or_default();
            range.start as usize..range.end as usize
        };
        let (bytes, codes) = (&mut column[range(width)], &labels[range(Width::Eight)]);
        bytes.par_chunks_mut(STRETCH).zip(codes.par_chunks(STRETCH * in_byte)).for_each(write);
    }
    Ok(column)
}
