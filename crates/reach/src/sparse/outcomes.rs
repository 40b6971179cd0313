//! Outcomes derived from remoteness: if a table has both labels, one pass over the moves is enough.

use rayon::prelude::*;

use super::add::empty;
use crate::SolveError;
use crate::label::{Label, Remoteness, Width};
use crate::reachable::Levels;
use crate::rules::{Outcome, Rules};

/// Bytes of outcomes that one task writes.
const STRETCH: usize = 1 << 14;

/// The outcomes of all `levels`, whose labels of remoteness are `remoteness`.
pub(crate) fn of_remoteness(rules: &Rules, levels: &Levels, remoteness: &[u8]) -> Result<Vec<u8>, SolveError> {
    let width = Outcome::width(rules);
    let bits = width.bits() as usize;
    let in_byte = 8 / bits;
    let mut column = empty(rules, levels, width)?;
    let write = |(bytes, codes): (&mut [u8], &[u8])| {
        for (byte, codes) in bytes.iter_mut().zip(codes.chunks(in_byte)) {
            for (index, &code) in codes.iter().enumerate() {
                let label = Remoteness::decode(code, Width::Eight).unwrap_or_else(|| unreachable!("just written"));
                *byte |= width.of_outcome(label.outcome) << (bits * index);
            }
        }
    };
    for number in 0..levels.sizes().len() {
        let range = |width| {
            let range = levels.column_range(number, width).unwrap_or_default();
            range.start as usize..range.end as usize
        };
        let (bytes, codes) = (&mut column[range(width)], &remoteness[range(Width::Eight)]);
        bytes.par_chunks_mut(STRETCH).zip(codes.par_chunks(STRETCH * in_byte)).for_each(write);
    }
    Ok(column)
}
