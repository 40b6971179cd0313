//! Sets of arrivals, as bits: the positions that a layer has decided, numbered as positions just after a move.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::group::Group;
use crate::SolveError;
use crate::memory::Memory;

/// Memory for a set. The system provides pages on first touch.
pub(super) struct SetMemory(Memory);

impl SetMemory {
    /// Memory for one bit per number below `numbers`.
    pub(super) fn new(numbers: u32) -> Result<Self, SolveError> {
        Memory::untouched(u64::from(numbers).div_ceil(64) * 8).map(Self)
    }

    /// An empty set of arrivals of `group`.
    pub(super) fn set(&mut self, group: &Group) -> Arrivals<'_> {
        Arrivals {
            words: self.0.values_mut(),
            chunks: (0..group.chunks.len()).map(|_| AtomicBool::new(false)).collect(),
        }
    }
}

/// A set of arrivals.
pub(super) struct Arrivals<'a> {
    words: &'a [AtomicU64],
    /// For each chunk of rows, whether it got members since it was last cleared.
    chunks: Vec<AtomicBool>,
}

impl Arrivals<'_> {
    /// Adds `number`, which lies in chunk number `chunk`.
    #[inline(always)]
    pub(super) fn insert(&self, number: u32, chunk: usize) {
        let (word, bit) = (&self.words[(number >> 6) as usize], 1u64 << (number & 63));
        // A load is cheaper than an atomic OR that changes nothing.
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
            if !self.chunks[chunk].load(Relaxed) {
                self.chunks[chunk].store(true, Relaxed);
            }
        }
    }

    /// The word with the numbers from 64 * `word`.
    #[inline(always)]
    pub(super) fn word(&self, word: usize) -> u64 {
        self.words[word].load(Relaxed)
    }

    /// The chunks that have members.
    pub(super) fn chunks(&self) -> Vec<usize> {
        (0..self.chunks.len()).filter(|&chunk| self.chunks[chunk].load(Relaxed)).collect()
    }

    /// Removes the members of chunk number `chunk`: those from `from` up to but not including `to`.
    pub(super) fn clear(&self, chunk: usize, from: u32, to: u32) {
        self.chunks[chunk].store(false, Relaxed);
        for (word, kept) in words_of(from, to) {
            // Only the first and the last word have numbers of other chunks.
            if kept == u64::MAX {
                self.words[word].store(0, Relaxed);
            } else {
                self.words[word].fetch_and(!kept, Relaxed);
            }
        }
    }
}

/// The words with numbers from `from` up to but not including `to`, and which of their bits these are.
#[inline(always)]
pub(super) fn words_of(from: u32, to: u32) -> impl Iterator<Item = (usize, u64)> {
    let (first, last) = ((from >> 6) as usize, (to.saturating_sub(1) >> 6) as usize);
    let count = if from < to { last - first + 1 } else { 0 };
    (first..first + count).map(move |word| {
        let low = if word == first { u64::MAX << (from & 63) } else { u64::MAX };
        let high = if word == last { u64::MAX >> (63 - ((to - 1) & 63)) } else { u64::MAX };
        (word, low & high)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_each_number_of_a_range_once() {
        for (from, to) in [(0, 0), (5, 5), (0, 1), (3, 9), (63, 65), (64, 128), (1, 200), (127, 128)] {
            let bits = words_of(from, to).flat_map(|(word, bits)| {
                (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| 64 * word as u32 + bit)
            });
            assert!(bits.eq(from..to), "{from} {to}");
        }
    }
}
