//! Shards: the codes of a level, partitioned by their top bits.

use std::collections::TryReserveError;

use super::sort::{SortBuffers, sort};
use crate::reachable::KeyWord;

/// The codes of a level with the same top bits, without these bits.
#[derive(Clone, Default)]
pub(super) struct Shard<P> {
    pub(super) codes: Vec<P>,
    /// The first `sorted` codes are sorted and distinct.
    pub(super) sorted: usize,
}

impl<P: KeyWord> Shard<P> {
    /// Sorts the codes, of `bits` bits, and drops duplicates.
    pub(super) fn sort(&mut self, bits: u32, buffers: &mut SortBuffers<P>) -> Result<(), TryReserveError> {
        if self.codes.len() > self.sorted {
            sort(&mut self.codes, bits, buffers)?;
            self.codes.dedup();
            self.sorted = self.codes.len();
        }
        Ok(())
    }
}

/// How codes are cut into the number of a shard and the bits below it.
#[derive(Clone, Copy)]
pub(super) struct ShardCut {
    /// The number of top bits that choose the shard.
    bits: u32,
    /// The number of the other bits.
    pub(super) below: u32,
}

impl ShardCut {
    /// Cuts codes of `bits` bits into about 256 shards for each of `ranks` ranks, so that each shard fits into a core's cache.
    pub(super) fn new(bits: u32, ranks: usize) -> Self {
        let of_shard = (8 + ranks.next_power_of_two().ilog2()).min(u16::BITS).min(bits);
        Self { bits: of_shard, below: bits - of_shard }
    }

    /// The number of shards.
    pub(super) const fn shards(self) -> usize {
        1 << self.bits
    }

    /// The code with the bits `low` in shard `shard`.
    #[inline(always)]
    pub(super) fn code<P: KeyWord>(self, shard: usize, low: P) -> P {
        P::raised(shard, self.below) | low
    }

    /// Partitions `codes`. Their order within a shard stays.
    pub(super) fn partition<P: KeyWord>(self, codes: impl Iterator<Item = P>) -> Vec<Vec<P>> {
        let mut shards = vec![Vec::new(); self.shards()];
        codes.for_each(|code| shards[code.above(self.below)].push(code.below(self.below)));
        shards
    }
}
