//! The positions found so far, as hash sets of codes that each fit a core's cache.
//!
//! The top bits of a code choose its *shard*, which stores the other bits only. Codes are hashed, so shards have about equal
//! sizes, and the stored bits also give the place in the shard where a search for the code begins. Successors are first
//! sorted by shard. Then one core handles all codes of a shard while the shard stays in its cache.
//!
//! During the flood, a shard is a hash table with open addressing. Afterwards it becomes [`Settled`]: sorted, with a directory.
//! A look-up then compares all codes of a short stretch at once, so that no branch depends on the position of the code.

use std::collections::TryReserveError;

use crate::reachable::{Codes, KeyWord};
use crate::sparse::cost::{Budget, Full};
use crate::sparse::sort::{SortBuffers, sort};

/// Minimum and maximum number of top bits that choose a shard. The minimum keeps all cores busy. The maximum keeps a shard of a
/// large game in a core's first-level cache.
const FEWEST_BITS: u32 = 8;
const MOST_BITS: u32 = 12;
/// Number of code bits up to which the minimum number of shards is used.
const SMALL: u32 = 36;
/// Maximum load of a growing shard, in eighths.
const GROWING: usize = 6;
/// Initial number of places of a shard.
const LEAST: usize = 8;
/// Number of codes that a look-up compares at once; a stretch of the directory rarely has more.
const AT_ONCE: usize = 8;
/// Minimum average number of codes in a stretch; the average is less than twice as large.
const STRETCH: usize = 2;

/// The split of a code into a shard number and stored bits. Keys and codes have type `K`, stored bits have type `P`.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub(super) codes: Codes,
    /// The number of stored bits.
    pub(super) below: u32,
}

impl Cut {
    /// The split for stored words of `bits` bits. No code sets all of them, because that value marks a free place.
    pub(super) fn new(codes: Codes, bits: u32) -> Self {
        let top = (FEWEST_BITS + codes.bits().saturating_sub(SMALL)).min(MOST_BITS);
        let below = codes.bits().saturating_sub(top).min(bits - 1);
        Self { codes, below }
    }

    /// Returns whether stored words of `bits` bits leave few enough shards.
    pub(super) fn fits(codes: Codes, bits: u32) -> bool {
        codes.bits() < bits + MOST_BITS
    }

    pub(super) const fn shards(self) -> usize {
        1 << (self.codes.bits() - self.below)
    }

    /// The shard of `code` and its stored bits.
    #[inline(always)]
    pub(super) fn split<K: KeyWord, P: KeyWord>(self, code: K) -> (u16, P) {
        (code.above(self.below) as u16, P::of(code.below(self.below).number()))
    }

    /// The key of the code with the stored bits `low` in `shard`.
    #[inline(always)]
    pub(super) fn key<K: KeyWord, P: KeyWord>(self, shard: usize, low: P) -> K {
        self.codes.key(K::raised(shard, self.below) | K::of(low.number()))
    }
}

/// The codes of a shard, as a hash table with open addressing.
#[derive(Clone)]
pub(super) struct Shard<P> {
    /// The stored bits of codes; a free place has all bits set.
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

    /// The place where a search for `low` begins; it grows with `low`.
    #[inline(always)]
    fn home(low: P, below: u32, places: usize) -> usize {
        if below <= 32 {
            return ((low.low() * places as u64) >> below) as usize;
        }
        ((u128::from(low.low()) * places as u128) >> below.min(64)) as usize
    }

    /// The place of `low`, or the free place for it.
    #[inline(always)]
    fn search(places: &[P], low: P, below: u32) -> usize {
        let mut at = Self::home(low, below, places.len());
        while places[at] != low && places[at] != P::ones() {
            at = if at + 1 == places.len() { 0 } else { at + 1 };
        }
        at
    }

    /// The codes, unsorted.
    pub(super) fn codes(&self) -> impl Iterator<Item = P> + '_ {
        self.places.iter().copied().filter(|&low| low != P::ones())
    }

    /// The memory that an insertion may read.
    pub(super) fn places(&self) -> &[P] {
        &self.places
    }

    /// Adds `low`; returns `false` if it was already there.
    #[inline(always)]
    pub(super) fn insert(&mut self, low: P, below: u32, budget: &Budget<'_>) -> Result<bool, Full> {
        let mut at = Self::search(&self.places, low, below);
        if self.places[at] == low {
            return Ok(false);
        }
        if 8 * (self.count + 1) > GROWING * self.places.len() {
            // Grow by a quarter only, because free places take memory.
            self.resize(self.places.len() + self.places.len() / 4, below, budget)?;
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

    fn resize(&mut self, size: usize, below: u32, budget: &Budget<'_>) -> Result<(), Full> {
        let (mut places, old) = (Vec::new(), self.bytes());
        budget.grow(&mut places, size)?;
        places.resize(size, P::ones());
        for low in self.codes() {
            let at = Self::search(&places, low, below);
            places[at] = low;
        }
        self.places = places;
        budget.give(old);
        Ok(())
    }
}

/// The codes of a finished shard, sorted and with a directory.
pub(super) struct Settled<P> {
    /// The sorted codes, followed by [`AT_ONCE`] words with all bits set, which no code has.
    codes: Vec<P>,
    /// The index at which each stretch begins. A stretch has the codes whose bits from `shift` up equal its number.
    starts: Vec<u32>,
    shift: u32,
}

impl<P: KeyWord> Settled<P> {
    /// The sorted codes.
    pub(super) fn codes(&self) -> &[P] {
        &self.codes[..self.codes.len() - AT_ONCE]
    }

    /// The sorted codes.
    pub(super) fn into_codes(mut self) -> Vec<P> {
        self.codes.truncate(self.codes.len() - AT_ONCE);
        self.codes
    }

    /// The index of `low`, if the shard has it.
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

    /// The index of `low`, searched from `start` on in a long stretch.
    #[cold]
    fn find_after(&self, start: usize, low: P) -> Option<usize> {
        let at = start + self.codes[start..].iter().position(|&code| code >= low)?;
        (self.codes[at] == low).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use std::collections::HashSet;

    fn check<P: KeyWord + std::fmt::Debug>(bits: u32) {
        let mut draw = fastrand::Rng::with_seed(bits.into());
        let (mut shard, mut plain, budget) = (Shard::<P>::new(), HashSet::new(), Budget::new(&Options::default()));
        budget.take(shard.bytes()).unwrap();
        for _ in 0..5000 {
            let low = draw.u128(..1 << bits) >> draw.u32(..bits);
            assert_eq!(shard.insert(P::of(low), bits, &budget).unwrap(), plain.insert(low));
        }
        assert_eq!((shard.count(), shard.bytes()), (plain.len(), budget.held()));
        let shard = shard.settle(bits, &mut SortBuffers::default()).unwrap();
        assert!(shard.codes().is_sorted() && shard.codes().len() == plain.len());
        assert!(plain.iter().all(|&low| shard.find(P::of(low)).is_some_and(|at| shard.codes()[at] == P::of(low))));
        let strangers = (0..5000).map(|_| draw.u128(..1 << bits)).filter(|low| !plain.contains(low));
        assert!(strangers.into_iter().all(|low| shard.find(P::of(low)).is_none()));
    }

    #[test]
    fn inserted_codes_are_found() {
        check::<u32>(7);
        check::<u32>(31);
        check::<u64>(40);
        check::<u64>(63);
        check::<u128>(88);
    }
}
