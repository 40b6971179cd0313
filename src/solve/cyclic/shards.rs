//! The positions found so far, as sets of codes that each fit a core's cache.
//!
//! A code's top bits choose the *shard* it belongs to, and only the bits below are kept there. Codes look random, so shards
//! are of one size, and the bits below say at once where in its shard a code is looked for. What many positions lead to is
//! dealt out to shards first; then one core works through what belongs to a shard, and the shard stays in its cache.
//!
//! While positions are found, a shard is a table in open addressing. Once all are known it is [`Settled`]: in order, with a
//! directory. A look-up then compares all codes of a short stretch at once, so that no branch depends on where the code is.

use std::collections::TryReserveError;

use crate::reachable::{Codes, Word};
use crate::solve::sparse::sort::{SortBuffers, sort};

/// The numbers of top bits of a code that choose its shard: as few as can keep all cores busy, and as many as keep a shard of a
/// large game in a core's first cache.
const FEWEST_BITS: u32 = 8;
const MOST_BITS: u32 = 12;
/// Bits of a code that a game with the fewest shards has. One in 2^20 boards of a game of 40 is reached, or more.
const SMALL: u32 = 36;
/// Shards are this full at most, in eighths, while they grow.
const GROWING: usize = 6;
/// The smallest shard.
const LEAST: usize = 8;
/// Codes that a look-up compares at once: a stretch of the directory rarely has more.
const AT_ONCE: usize = 8;
/// The least number of codes of a stretch, on average; there are less than twice as many.
const STRETCH: usize = 2;

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
        let top = (FEWEST_BITS + codes.bits().saturating_sub(SMALL)).min(MOST_BITS);
        let below = codes.bits().saturating_sub(top).min(bits - 1);
        Self { codes, below }
    }

    /// Returns whether a word with `bits` bits leaves shards that are not too many.
    pub(super) fn fits(codes: Codes, bits: u32) -> bool {
        codes.bits() < bits + MOST_BITS
    }

    pub(super) const fn shards(self) -> usize {
        1 << (self.codes.bits() - self.below)
    }

    /// The shard of `code`, and what is kept of it.
    #[inline(always)]
    pub(super) fn split<K: KeyWord, P: KeyWord>(self, code: K) -> (u16, P) {
        (code.above(self.below) as u16, P::of(code.below(self.below).number()))
    }

    /// The key with the code `low` in `shard`.
    #[inline(always)]
    pub(super) fn key<K: KeyWord, P: KeyWord>(self, shard: usize, low: P) -> K {
        self.codes.key(K::raised(shard, self.below) | K::of(low.number()))
    }
}

/// The codes of a shard, in open addressing.
#[derive(Clone)]
pub(super) struct Shard<P> {
    /// All bits set: free.
    places: Vec<P>,
    count: usize,
}

impl<P: KeyWord> Shard<P> {
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

    /// The codes, in no order.
    pub(super) fn codes(&self) -> impl Iterator<Item = P> + '_ {
        self.places.iter().copied().filter(|&low| low != P::ones())
    }

    /// What an insertion may read.
    pub(super) fn places(&self) -> &[P] {
        &self.places
    }

    /// Adds `low`; `false` if it was there.
    #[inline(always)]
    pub(super) fn insert(&mut self, low: P, below: u32) -> Result<bool, TryReserveError> {
        let mut at = Self::search(&self.places, low, below);
        if self.places[at] == low {
            return Ok(false);
        }
        if 8 * (self.count + 1) > GROWING * self.places.len() {
            // By little: most of the memory is free places.
            self.resize(self.places.len() + self.places.len() / 4, below)?;
            at = Self::search(&self.places, low, below);
        }
        self.places[at] = low;
        self.count += 1;
        Ok(true)
    }

    /// The same codes, to be looked up only.
    pub(super) fn settle(self, below: u32, room: &mut SortBuffers<P>) -> Result<Settled<P>, TryReserveError> {
        let count = self.count;
        let mut codes = Vec::new();
        codes.try_reserve_exact(count + AT_ONCE)?;
        codes.extend(self.codes());
        drop(self);
        sort(&mut codes, below, room)?;
        let bits = (count / STRETCH).checked_ilog2().unwrap_or(0).min(below);
        let shift = below - bits;
        let mut starts = Vec::new();
        starts.try_reserve_exact(1 << bits)?;
        for (at, &low) in (0u32..).zip(&codes) {
            let stretch = low.above(shift);
            while starts.len() <= stretch {
                starts.push(at);
            }
        }
        starts.resize(1 << bits, count as u32);
        codes.try_reserve_exact(AT_ONCE)?;
        codes.resize(count + AT_ONCE, P::ones());
        Ok(Settled { codes, starts, shift })
    }

    fn resize(&mut self, size: usize, below: u32) -> Result<(), TryReserveError> {
        let mut places = Vec::new();
        places.try_reserve_exact(size)?;
        places.resize(size, P::ones());
        for low in self.codes() {
            let at = Self::search(&places, low, below);
            places[at] = low;
        }
        self.places = places;
        Ok(())
    }
}

/// The codes of a shard to which nothing is added any more.
pub(super) struct Settled<P> {
    /// In order; then some words with all bits set, which no code has.
    codes: Vec<P>,
    /// Where each stretch begins: the codes whose bits from `shift` up are its number.
    starts: Vec<u32>,
    shift: u32,
}

impl<P: KeyWord> Settled<P> {
    /// The codes, in order.
    pub(super) fn codes(&self) -> &[P] {
        &self.codes[..self.codes.len() - AT_ONCE]
    }

    /// The same.
    pub(super) fn into_codes(mut self) -> Vec<P> {
        self.codes.truncate(self.codes.len() - AT_ONCE);
        self.codes
    }

    /// The index of `low`; `None` if it is not there.
    #[inline(always)]
    pub(super) fn find(&self, low: P) -> Option<usize> {
        let start = self.starts[low.above(self.shift)] as usize;
        let near: &[P; AT_ONCE] = self.codes[start..].first_chunk()?;
        let equal = near.iter().enumerate().fold(0u32, |equal, (at, &code)| equal | u32::from(code == low) << at);
        if equal != 0 {
            return Some(start + equal.trailing_zeros() as usize);
        }
        if near[AT_ONCE - 1] < low { self.find_after(start + AT_ONCE, low) } else { None }
    }

    /// The same in a stretch that is long, from `start` on.
    #[cold]
    fn find_after(&self, start: usize, low: P) -> Option<usize> {
        let at = start + self.codes[start..].iter().position(|&code| code >= low)?;
        (self.codes[at] == low).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn check<P: KeyWord + std::fmt::Debug>(bits: u32) {
        let mut draw = fastrand::Rng::with_seed(bits.into());
        let (mut shard, mut plain) = (Shard::<P>::new(), HashSet::new());
        for _ in 0..5000 {
            let low = draw.u128(..1 << bits) >> draw.u32(..bits);
            assert_eq!(shard.insert(P::of(low), bits), Ok(plain.insert(low)));
        }
        assert_eq!(shard.count(), plain.len());
        let shard = shard.settle(bits, &mut SortBuffers::new()).unwrap();
        assert!(shard.codes().is_sorted() && shard.codes().len() == plain.len());
        assert!(plain.iter().all(|&low| shard.find(P::of(low)).is_some_and(|at| shard.codes()[at] == P::of(low))));
        let strangers = (0..5000).map(|_| draw.u128(..1 << bits)).filter(|low| !plain.contains(low));
        assert!(strangers.into_iter().all(|low| shard.find(P::of(low)).is_none()));
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
