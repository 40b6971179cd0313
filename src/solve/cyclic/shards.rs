//! The positions found so far, as sets of codes that each fit a core's cache.
//!
//! A code's top bits choose the *shard* it belongs to, and only the bits below are kept there. Codes look random, so shards
//! are of one size, and the bits below say at once where in its shard a code is looked for. What many positions lead to is
//! dealt out to shards first; then one core works through what belongs to a shard, and the shard stays in its cache.

use std::collections::TryReserveError;

use crate::reachable::{Codes, Word};

/// The number of top bits of a code that choose its shard, at least.
const SHARD_BITS: u32 = 8;
/// Shards are this full at most, in eighths, while they grow, and once all positions are known.
const GROWING: usize = 6;
const SETTLED: usize = 7;
/// The smallest shard.
const LEAST: usize = 8;

/// How codes are cut: keys and codes are words `K`, what is kept of a code is a word `P`.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub(super) codes: Codes,
    /// Bits below the shard.
    pub(super) below: u32,
}

impl Cut {
    /// For words with `bits` bits, of which no code fills all: that is what a free place has.
    pub(super) fn new(codes: Codes, bits: u32) -> Self {
        let below = codes.bits().saturating_sub(SHARD_BITS).min(bits - 1);
        Self { codes, below }
    }

    /// Whether a word with `bits` bits leaves shards that are not too many.
    pub(super) fn fits(codes: Codes, bits: u32) -> bool {
        codes.bits() < bits + SHARD_BITS + 2
    }

    pub(super) const fn shards(self) -> usize {
        1 << (self.codes.bits() - self.below)
    }

    /// The shard of `code`, and what is kept of it.
    #[inline(always)]
    pub(super) fn split<K: Word, P: Word>(self, code: K) -> (u16, P) {
        (code.above(self.below) as u16, P::of(code.below(self.below).number()))
    }

    /// The key with the code `low` in `shard`.
    #[inline(always)]
    pub(super) fn key<K: Word, P: Word>(self, shard: usize, low: P) -> K {
        self.codes.key(K::raised(shard, self.below) | K::of(low.number()))
    }
}

/// The codes of a shard, in open addressing.
#[derive(Clone)]
pub(super) struct Shard<P> {
    /// All bits set: free.
    pub(super) places: Vec<P>,
    count: usize,
}

impl<P: Word> Shard<P> {
    pub(super) fn new() -> Self {
        Self { places: vec![P::ones(); LEAST], count: 0 }
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.places.capacity() * size_of::<P>()) as u64
    }

    /// The place where `low` is looked for first: codes in order have places in order.
    #[inline(always)]
    fn home(low: P, below: u32, places: usize) -> usize {
        if below <= 32 {
            return ((low.low() * places as u64) >> below) as usize;
        }
        ((u128::from(low.low()) * places as u128) >> below.min(64)) as usize
    }

    /// The place of `low`, or the free one where it would be put.
    #[inline(always)]
    fn search(places: &[P], low: P, below: u32) -> usize {
        let mut at = Self::home(low, below, places.len());
        while places[at] != low && places[at] != P::ones() {
            at = if at + 1 == places.len() { 0 } else { at + 1 };
        }
        at
    }

    /// The place of `low`; `None` if it is not there.
    #[inline(always)]
    pub(super) fn find(&self, low: P, below: u32) -> Option<usize> {
        let at = Self::search(&self.places, low, below);
        (self.places[at] == low).then_some(at)
    }

    /// Adds `low`; `false` if it was there.
    #[inline(always)]
    pub(super) fn insert(&mut self, low: P, below: u32) -> Result<bool, TryReserveError> {
        let mut at = Self::search(&self.places, low, below);
        if self.places[at] == low {
            return Ok(false);
        }
        if 8 * (self.count + 1) > GROWING * self.places.len() {
            self.resize(self.places.len() + self.places.len() / 2, below)?;
            at = Self::search(&self.places, low, below);
        }
        self.places[at] = low;
        self.count += 1;
        Ok(true)
    }

    /// Takes no more room than is needed to look codes up.
    pub(super) fn settle(&mut self, below: u32) -> Result<(), TryReserveError> {
        self.resize((8 * self.count / SETTLED + 2).max(LEAST), below)
    }

    fn resize(&mut self, size: usize, below: u32) -> Result<(), TryReserveError> {
        let mut places = Vec::new();
        places.try_reserve_exact(size)?;
        places.resize(size, P::ones());
        for &low in self.places.iter().filter(|&&low| low != P::ones()) {
            let at = Self::search(&places, low, below);
            places[at] = low;
        }
        self.places = places;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn check<P: Word + std::fmt::Debug>(bits: u32) {
        let mut draw = fastrand::Rng::with_seed(bits.into());
        let (mut shard, mut plain) = (Shard::<P>::new(), HashSet::new());
        for _ in 0..5000 {
            let low = draw.u128(..1 << bits) >> draw.u32(..bits);
            assert_eq!(shard.insert(P::of(low), bits), Ok(plain.insert(low)));
        }
        shard.settle(bits).unwrap();
        assert_eq!(shard.count(), plain.len());
        assert!(plain.iter().all(|&low| shard.find(P::of(low), bits).is_some_and(|at| shard.places[at] == P::of(low))));
        let strangers = (0..5000).map(|_| draw.u128(..1 << bits)).filter(|low| !plain.contains(low));
        assert!(strangers.into_iter().all(|low| shard.find(P::of(low), bits).is_none()));
    }

    #[test]
    fn what_was_put_in_is_found() {
        check::<u32>(7);
        check::<u32>(31);
        check::<u64>(40);
        check::<u64>(63);
        check::<u128>(88);
    }
}
