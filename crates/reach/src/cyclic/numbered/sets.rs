//! Sets of numbers as bits, which all threads read and add to.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::SolveError;
use crate::memory::Memory;

/// Binary logarithm of the numbers in a block, which is the work of one task.
pub(super) const BLOCK: u32 = 16;
/// Words of bits of a block.
pub(super) const WORDS: usize = 1 << (BLOCK - 6);

/// The pages of memory: large ones are faster, and the system takes a whole one where a byte is touched.
#[derive(Clone, Copy)]
pub(super) enum Pages {
    Large,
    Small,
}

impl Pages {
    fn of_bytes(self, bytes: u64) -> Result<Memory, SolveError> {
        match self {
            Self::Large => Memory::untouched(bytes),
            Self::Small => Memory::in_small_pages(bytes),
        }
    }
}

/// Memory for a set, or for one byte per number. The system provides pages on first touch.
pub(super) struct SetMemory(Memory);

impl SetMemory {
    /// Memory for one bit per number below `numbers`.
    pub(super) fn of_bits(numbers: u32, pages: Pages) -> Result<Self, SolveError> {
        pages.of_bytes(u64::from(numbers).div_ceil(64) * 8).map(Self)
    }

    /// Memory for one byte per number below `numbers`.
    pub(super) fn of_bytes(numbers: u32, pages: Pages) -> Result<Self, SolveError> {
        pages.of_bytes(numbers.into()).map(Self)
    }

    /// The bytes, initially zero.
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
    /// For each block, whether it got members since it was last forgotten.
    blocks: Vec<AtomicBool>,
}

impl Set<'_> {
    /// Adds `number`; returns `false` if it was already there.
    #[inline(always)]
    pub(super) fn insert(&self, number: u32) -> bool {
        let (word, bit) = (self.word(number), 1u64 << (number & 63));
        // Most numbers are already there, and a load is cheaper than an atomic OR that changes nothing.
        let is_new = word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0;
        if is_new {
            self.remember((number >> BLOCK) as usize);
        }
        is_new
    }

    /// Returns whether the set contains `number`.
    #[inline(always)]
    pub(super) fn contains(&self, number: u32) -> bool {
        self.word(number).load(Relaxed) >> (number & 63) & 1 == 1
    }

    /// The word that has the bit of `number`.
    #[inline(always)]
    pub(super) fn word(&self, number: u32) -> &AtomicU64 {
        &self.words[(number >> 6) as usize]
    }

    /// The blocks that got members since they were last forgotten.
    pub(super) fn blocks(&self) -> Vec<usize> {
        (0..self.blocks.len()).filter(|&block| self.blocks[block].load(Relaxed)).collect()
    }

    /// Records that a block has members.
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
