//! The labels of all regions, one after the other, as a table stores them.

use std::sync::Arc;

use super::store::RegionLabels;
use crate::index::Regions;
use crate::label::{Label, Remoteness, Width};
use crate::parallel;
use crate::rules::Outcome;

/// Labels of regions that one task writes, a multiple of four.
const PART: usize = 1 << 16;

/// The outcomes, two bits each, the remoteness, and the most plies of a position that is no draw by repetition.
pub(super) fn assembled(index: &Regions, labels: Vec<Option<Arc<RegionLabels>>>) -> (Vec<u8>, Vec<u8>, u16) {
    let longest = labels.iter().flatten().map(|labels| labels.longest).max().unwrap_or(0);
    let width = Remoteness::width_of(longest);
    let bytes = width.bits() as usize / 8;
    let mut outcomes = vec![0u8; index.numbers().div_ceil(4) as usize];
    let mut remoteness = vec![0u8; index.numbers() as usize * bytes];
    for (region, labels) in index.regions().iter().zip(labels) {
        let Some(labels) = labels else { continue };
        let to = &mut remoteness[region.base as usize * bytes..][..region.shape.size as usize * bytes];
        let parts = to.chunks_mut(PART * bytes).zip((0..).step_by(PART));
        parallel::for_each(parts.collect::<Vec<_>>(), |(to, first): (&mut [u8], usize)| {
            for (at, to) in to.chunks_exact_mut(bytes).enumerate() {
                let (outcome, plies) = labels.at((first + at) as u32);
                match width {
                    Width::Sixteen => to.copy_from_slice(&plies.to_le_bytes()),
                    _ => to[0] = code(outcome, plies),
                }
            }
        });
        append(&mut outcomes, region.base, &labels.outcomes, region.shape.size.into());
    }
    (outcomes, remoteness, longest)
}

/// The code of a label in a byte.
fn code(outcome: u32, plies: u16) -> u8 {
    let outcome = Width::Two.outcome(outcome as u8).unwrap_or(Outcome::Draw);
    Remoteness { outcome, plies }.encode(Width::Eight)
}

/// Writes `count` outcomes of two bits each, 32 in a word of `from`, to the places from number `base` on.
fn append(to: &mut [u8], base: u64, from: &[u64], count: u64) {
    let (first, shift) = ((base / 4) as usize, 2 * (base % 4) as u32);
    let bytes = count.div_ceil(4) as usize;
    for (at, byte) in from.iter().flat_map(|word| word.to_le_bytes()).take(bytes).enumerate() {
        let both = u16::from(byte) << shift;
        let [low, high] = both.to_le_bytes();
        to[first + at] |= low;
        if high != 0 {
            to[first + at + 1] |= high;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_follow_each_other_at_any_number() {
        let mut draw = fastrand::Rng::with_seed(4);
        for _ in 0..50 {
            let sizes: Vec<u64> = (0..draw.usize(1..6)).map(|_| draw.u64(0..100)).collect();
            let all: Vec<u8> = (0..sizes.iter().sum()).map(|_| draw.u8(..3)).collect();
            let (mut to, mut base) = (vec![0u8; all.len().div_ceil(4)], 0);
            for count in sizes {
                let mut words = vec![0u64; count.div_ceil(32) as usize];
                for at in 0..count as usize {
                    words[at / 32] |= u64::from(all[base as usize + at]) << (at % 32 * 2);
                }
                append(&mut to, base, &words, count);
                base += count;
            }
            assert!((0..all.len()).all(|at| to[at / 4] >> (at % 4 * 2) & 3 == all[at]));
        }
    }
}
