//! The codes that a rank collects for an incomplete level.

use std::collections::TryReserveError;

use crate::parallel;
use crate::reachable::KeyWord;
use crate::sparse::shard::Shard;
use crate::sparse::sort::SortBuffers;

/// A level has about 2^`SHARD_BITS` shards on each rank, so that each shard fits into a core's cache.
const SHARD_BITS: u32 = 8;
/// A level sorts its new codes when they are this many more than the sorted ones.
const UNSORTED: usize = 1 << 16;

/// How the codes of a rank are partitioned into shards.
#[derive(Clone, Copy)]
pub(super) struct Sharding {
    /// The number of low bits of a code that do not choose its shard.
    below: u32,
    /// The first shard of the rank.
    first: usize,
}

impl Sharding {
    /// The shards of `rank` of `ranks` ranks, for codes of `bits` bits.
    pub(super) fn new(bits: u32, rank: usize, ranks: usize) -> Self {
        let shard_bits = (SHARD_BITS + ranks.next_power_of_two().ilog2()).min(bits);
        Self { below: bits - shard_bits, first: (rank << shard_bits) / ranks }
    }
}

/// The codes of a level that lower levels still add to.
pub(super) struct OpenLevel<P> {
    sharding: Sharding,
    shards: Vec<Shard<P>>,
    /// The number of codes, and how many of them are sorted.
    count: usize,
    sorted: usize,
}

impl<P: KeyWord> OpenLevel<P> {
    pub(super) const fn new(sharding: Sharding) -> Self {
        Self { sharding, shards: Vec::new(), count: 0, sorted: 0 }
    }

    /// Adds codes, which this rank must own. Duplicates are dropped from time to time.
    pub(super) fn add(&mut self, codes: impl Iterator<Item = P>) -> Result<(), TryReserveError> {
        let Sharding { below, first } = self.sharding;
        for code in codes {
            let shard = code.above(below) - first;
            if shard >= self.shards.len() {
                self.shards.resize_with(shard + 1, Shard::default);
            }
            self.shards[shard].codes.push(code.below(below));
            self.count += 1;
        }
        if self.count > 2 * self.sorted + UNSORTED { self.sort() } else { Ok(()) }
    }

    /// Sorts the codes and drops duplicates.
    fn sort(&mut self) -> Result<(), TryReserveError> {
        let sort = |buffers: &mut SortBuffers<P>, shard: &mut Shard<P>| shard.sort(self.sharding.below, buffers);
        parallel::try_map_with(&mut self.shards, SortBuffers::new, sort)?;
        self.count = self.shards.iter().map(|shard| shard.codes.len()).sum();
        self.sorted = self.count;
        Ok(())
    }

    /// All codes, sorted and distinct.
    pub(super) fn into_sorted(mut self) -> Result<Vec<P>, TryReserveError> {
        self.sort()?;
        let Sharding { below, first } = self.sharding;
        let mut codes = Vec::new();
        codes.try_reserve_exact(self.count)?;
        for (shard, lows) in self.shards.into_iter().enumerate() {
            codes.extend(lows.codes.iter().map(|&low| P::raised(first + shard, below) | low));
        }
        Ok(codes)
    }

    /// The number of codes that the level has memory for.
    pub(super) fn capacity(&self) -> usize {
        self.shards.iter().map(|shard| shard.codes.capacity()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::partition::owner;
    use super::*;

    #[test]
    fn added_codes_are_sorted_and_distinct() {
        let mut random = fastrand::Rng::with_seed(1);
        for bits in [1, 7, 20, 33, 64] {
            for ranks in [1, 2, 3, 7, 64] {
                let codes: Vec<u64> = (0..3000).map(|_| random.u64(..) >> (64 - bits)).collect();
                let mut all = Vec::new();
                for rank in 0..ranks {
                    let mut level = OpenLevel::new(Sharding::new(bits, rank, ranks));
                    for codes in codes.chunks(700) {
                        level.add(codes.iter().copied().filter(|&code| owner(code, bits, ranks) == rank)).unwrap();
                    }
                    all.extend(level.into_sorted().unwrap());
                }
                let mut expected = codes.clone();
                expected.sort_unstable();
                expected.dedup();
                assert_eq!(all, expected, "{bits} bits, {ranks} ranks");
            }
        }
    }
}
