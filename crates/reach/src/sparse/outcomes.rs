//! Outcomes derived from a label that decides them: if a table has both labels, one pass over the moves is enough.

use rayon::prelude::*;

use super::add::empty;
use crate::SolveError;
use crate::label::{Label, LabelKind};
use crate::reachable::Levels;
use crate::rules::{Outcome, Rules};
use tablegen_labels::with_byte_label;

/// Bytes of outcomes that one task writes.
const STRETCH: usize = 1 << 14;

/// The outcomes of all `levels`, whose labels `kind`, which is not the outcome, are `labels`.
pub(crate) fn of_label(rules: &Rules, levels: &Levels, kind: LabelKind, labels: &[u8]) -> Result<Vec<u8>, SolveError> {
    let (of_labels, width) = (kind.width(rules), Outcome::width(rules));
    let outcome_of =
        |code| -> Option<Outcome> { with_byte_label!(kind, L => L::of_code(code, of_labels).map(Into::into)) };
    let outcome_of = |code| outcome_of(code).unwrap_or(Outcome::Draw);
    let of_bytes: [Outcome; 256] = std::array::from_fn(|code| outcome_of(code as u16));
    let (bits, label_bytes) = (width.bits() as usize, of_labels.bits() as usize / 8);
    let in_byte = 8 / bits;
    let mut column = empty(rules, levels, width)?;
    let write = |(bytes, codes): (&mut [u8], &[u8])| {
        for (byte, codes) in bytes.iter_mut().zip(codes.chunks(in_byte * label_bytes)) {
            for (index, code) in codes.chunks(label_bytes).enumerate() {
                let outcome = match *code {
                    [low, high] => outcome_of(u16::from_le_bytes([low, high])),
                    _ => of_bytes[usize::from(code[0])],
                };
                *byte |= width.of_outcome(outcome) << (bits * index);
            }
        }
    };
    for number in 0..levels.sizes().len() {
        let range = |width| {
            let range = levels.column_range(number, width).unwrap_or_default();
            range.start as usize..range.end as usize
        };
        let (bytes, codes) = (&mut column[range(width)], &labels[range(of_labels)]);
        let codes = codes.par_chunks(STRETCH * in_byte * label_bytes);
        bytes.par_chunks_mut(STRETCH).zip(codes).for_each(write);
    }
    Ok(column)
}
