//! Sets of numbers as bits, which all threads read and add to.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::solve::SolveError;
use crate::solve::memory::{Memory, Plain};

// SAFETY: numbers, as those without `Atomic`.
unsafe impl Plain for AtomicU64 {}
// SAFETY: as above.
unsafe impl Plain for AtomicU8 {}

/// The binary logarithm of the numbers of a block: what one task works on.
pub(super) const BLOCK: u32 = 16;
/// Words of bits of a block.
pub(super) const WORDS: usize = 1 << (BLOCK - 6);

/// Memory for a set, or for a byte for each number; what is not touched takes none.
pub(super) struct Room(Memory);

impl Room {
    /// For the bits of all numbers below `numbers`.
    pub(super) fn of_bits(numbers: u32) -> Result<Self, SolveError> {
        Memory::untouched(u64::from(numbers).div_ceil(64) * 8).map(Self)
    }

    /// For a byte for each.
    pub(super) fn of_bytes(numbers: u32) -> Result<Self, SolveError> {
        Memory::untouched(numbers.into()).map(Self)
    }

    /// The bytes, at first zero.
    pub(super) fn bytes(&mut self) -> &[AtomicU8] {
        self.0.values_mut()
    }

    /// An empty set of numbers.
    pub(super) fn set(&mut self) -> Set<'_> {
        let words: &[AtomicU64] = self.0.values_mut();
        Set { words, blocks: (0..words.len().div_ceil(WORDS)).map(|_| AtomicBool::new(false)).collect() }
    }
}

/// A set of numbers.
pub(super) struct Set<'a> {
    pub(super) words: &'a [AtomicU64],
    /// Which blocks have had members.
    blocks: Vec<AtomicBool>,
}

impl Set<'_> {
    /// Adds `number`; `false` if it was there.
    #[inline(always)]
    pub(super) fn insert(&self, number: u32) -> bool {
        let (word, bit) = (self.word(number), 1u64 << (number & 63));
        // Most are there: asking first takes less than changing nothing.
        let is_new = word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0;
        if is_new {
            self.remember((number >> BLOCK) as usize);
        }
        is_new
    }

    /// Returns whether `number` is there.
    #[inline(always)]
    pub(super) fn contains(&self, number: u32) -> bool {
        self.word(number).load(Relaxed) >> (number & 63) & 1 == 1
    }

    /// The word that has the bit of `number`.
    #[inline(always)]
    pub(super) fn word(&self, number: u32) -> &AtomicU64 {
        &self.words[(number >> 6) as usize]
    }

    /// The numbers of the blocks that have had members since they were last forgotten.
    pub(super) fn blocks(&self) -> Vec<usize> {
        (0..self.blocks.len()).filter(|&block| self.blocks[block].load(Relaxed)).collect()
    }

    /// Says that a block has members.
    #[inline]
    pub(super) fn remember(&self, block: usize) {
        self.blocks[block].store(true, Relaxed);
    }

    /// Forgets that a block has members.
    pub(super) fn forget(&self, block: usize) {
        self.blocks[block].store(false, Relaxed);
    }

    /// Removes everything.
    pub(super) fn clear(&self) {
        self.blocks().into_par_iter().for_each(|block| {
            let first = block * WORDS;
            self.words[first..].iter().take(WORDS).for_each(|word| word.store(0, Relaxed));
            self.forget(block);
        });
    }
}
