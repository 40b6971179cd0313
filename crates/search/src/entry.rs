//! The words of the entries of transposition tables, which threads may share.

use std::ops::{Shl, Shr};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::guard::{Guard, SequenceLocks, Unguarded};
use crate::memory::AtomicBits;
use crate::reachable::KeyWord;

/// The word of an entry, and of the position in it.
///
/// A word of 64 bits is read and written at once, so threads share a table of them without a lock. A word of 128 bits is two that are not
/// written together: a reader could put two positions together to a third. So threads that share a table of these need a [`Guard`].
pub(crate) trait EntryWord: KeyWord + Shl<u32, Output = Self> + Shr<u32, Output = Self> {
    /// Where a word is stored.
    type Place: AtomicBits;
    /// What keeps threads apart that share a table.
    type Guard: Guard + Default;
    /// True if a word is read and written at once.
    const IS_ATOMIC: bool;
    fn load(place: &Self::Place) -> Self;
    fn store(self, place: &Self::Place);
}

impl EntryWord for u64 {
    type Place = AtomicU64;
    type Guard = Unguarded;
    const IS_ATOMIC: bool = true;

    #[inline(always)]
    fn load(place: &AtomicU64) -> Self {
        place.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn store(self, place: &AtomicU64) {
        place.store(self, Ordering::Relaxed);
    }
}

impl EntryWord for u128 {
    type Place = [AtomicU64; 2];
    type Guard = SequenceLocks;
    const IS_ATOMIC: bool = false;

    #[inline(always)]
    fn load([low, high]: &[AtomicU64; 2]) -> Self {
        Self::from(high.load(Ordering::Relaxed)) << 64 | Self::from(low.load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn store(self, [low, high]: &[AtomicU64; 2]) {
        low.store(self as u64, Ordering::Relaxed);
        high.store((self >> 64) as u64, Ordering::Relaxed);
    }
}

/// The place in `bucket` of a new entry: where `is_own` tells an entry of the same position, where there is none, or where the entry has the
/// least `effort`. Also returns whether there is one entry more.
#[inline(always)]
pub(crate) fn place_in<K: EntryWord>(
    bucket: &[K::Place],
    is_own: impl Fn(K) -> bool,
    effort: impl Fn(K) -> u64,
) -> (&K::Place, bool) {
    let (mut least, mut victim) = (u64::MAX, &bucket[0]);
    for place in bucket {
        let entry = K::load(place);
        if entry == K::default() || is_own(entry) {
            return (place, entry == K::default());
        }
        let effort = effort(entry);
        if effort < least {
            (least, victim) = (effort, place);
        }
    }
    (victim, false)
}
