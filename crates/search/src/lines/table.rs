//! A transposition table that threads share: bounds on the values of positions, in memory of limited size.
//!
//! A position is stored exactly, so that a bound is never taken for that of another position. Its code is a one-to-one
//! mixture of its key. The top bits of the code choose a bucket, and an entry has the others:
//!
//! ```text
//! entry       [ rest of the code | effort (up to 6 bits) | upper bound (8 bits) | lower bound (8 bits) ]      0 if there is none
//! ```
//!
//! Threads share entries of one word without a lock; see [`EntryWord`]. A table of wider entries is for one thread.

use std::sync::atomic::{AtomicU64, Ordering};

use tablegen_simd::Unit;

use crate::entry::{EntryWord, place_in};
use crate::memory::Memory;

/// Bounds on the value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) low: i32,
    pub(super) high: i32,
}

const BOUND_BITS: u32 = 8;
const BOUNDS_BITS: u32 = 2 * BOUND_BITS;
/// Maximum number of bits for the effort.
const MOST_EFFORT_BITS: u32 = 6;
/// What is added to a bound, so that no entry is 0: values are from -64 to 64.
const RAISE: i32 = 65;
/// Codes have at least this many bits, so that a table of a small board can grow.
const LEAST_BITS: u32 = 40;
/// The logarithm of the number of buckets of a new table.
const FIRST: u32 = 10;
/// The logarithm of the factor by which a table grows.
const GROWTH: u32 = 2;
const PER_BUCKET: usize = 4;
/// Odd factors of the mixing.
const FACTORS: [u128; 2] = [0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835, 0xd6e8_feb8_6659_fd93_a076_1d64_78bd_642f];

/// Entries that lie in one cache line.
type Bucket<K> = [<K as EntryWord>::Place; PER_BUCKET];

/// The table.
pub(super) struct Table<K: EntryWord> {
    /// None until the first search, so that positions that need none cost nothing.
    memory: Option<Memory<Bucket<K>>>,
    size: Size,
    /// The number of entries, as far as threads have [reported](Entries::report) them.
    stored: AtomicU64,
}

/// The size of a table.
#[derive(Clone, Copy)]
struct Size {
    /// The logarithm of the number of buckets, and the largest that it may become.
    log: u32,
    most: u32,
    /// Bits of a code.
    bits: u32,
    /// Bits of the effort, and of an entry below the rest of the code.
    effort_bits: u32,
    data_bits: u32,
}

/// The entries of a table, which threads share.
pub(super) struct Entries<'a, K: EntryWord> {
    buckets: &'a [Bucket<K>],
    size: Size,
    stored: &'a AtomicU64,
}

/// The place of a position: its bucket and the rest of its code.
#[derive(Clone, Copy)]
pub(super) struct Place<K> {
    bucket: usize,
    rest: K,
}

impl Size {
    const fn new(log: u32, most: u32, bits: u32, word: u32) -> Self {
        let room = word + log - bits - BOUNDS_BITS;
        let effort_bits = if room < MOST_EFFORT_BITS { room } else { MOST_EFFORT_BITS };
        Self { log, most, bits, effort_bits, data_bits: BOUNDS_BITS + effort_bits }
    }
}

impl<K: EntryWord> Table<K> {
    /// A table for keys of `bits` bits; `None` if `bytes` bytes are too few for them.
    pub(super) fn new(bits: u32, bytes: usize) -> Option<Self> {
        let bits = bits.max(LEAST_BITS);
        let most = (bytes / size_of::<Bucket<K>>()).checked_ilog2()?.min(bits - 1);
        let log = (bits + BOUNDS_BITS).saturating_sub(K::BITS).max(FIRST.min(most));
        let size = || Size::new(log, most, bits, K::BITS);
        (log <= most && bits <= K::BITS).then(|| Self { memory: None, size: size(), stored: AtomicU64::new(0) })
    }

    /// The entries for a search; `None` if there is no memory for them. Memory for all entries is reserved at once, and used as the table grows.
    pub(super) fn entries(&mut self) -> Option<Entries<'_, K>> {
        while self.memory.is_none() {
            self.memory = Memory::new(1 << self.size.most);
            if self.memory.is_none() {
                self.size.most = self.size.most.checked_sub(1).filter(|&most| most >= self.size.log)?;
            }
        }
        let buckets: &[Bucket<K>] = self.memory.as_deref()?;
        Some(Entries { buckets: buckets.get(..1 << self.size.log)?, size: self.size, stored: &self.stored })
    }

    /// Multiplies the number of buckets, and keeps the entries.
    pub(super) fn grow(&mut self) {
        let old = self.size;
        let log = (old.log + GROWTH).min(old.most);
        self.size = Size::new(log, old.most, old.bits, K::BITS);
        self.stored = AtomicU64::new(0);
        let Some(entries) = self.entries() else { return };
        // The entries of a bucket move to buckets with higher numbers, which have been emptied before, or stay in the first one.
        let mut stored = 0;
        for number in (0..1 << old.log).rev() {
            let bucket = &entries.buckets[number];
            let held = bucket.each_ref().map(K::load);
            bucket.iter().for_each(|place| K::default().store(place));
            for entry in held.into_iter().filter(|&entry| entry != K::default()) {
                let code = entry >> old.data_bits | K::raised(number, old.bits - old.log);
                let bounds = entry.low() & ((1 << BOUNDS_BITS) - 1);
                let effort = (entry.low() & ((1 << old.data_bits) - 1)) >> BOUNDS_BITS;
                stored += u64::from(entries.put(entries.place_of(code), effort << BOUNDS_BITS | bounds));
            }
        }
        entries.report(stored);
    }
}

impl<K: EntryWord> Entries<'_, K> {
    /// The place of the position with this `key`.
    #[inline(always)]
    pub(super) fn place(&self, key: K) -> Place<K> {
        self.place_of(key.mix(self.size.bits, FACTORS))
    }

    #[inline(always)]
    fn place_of(&self, code: K) -> Place<K> {
        let low = self.size.bits - self.size.log;
        Place { bucket: code.above(low), rest: code.below(low) }
    }

    /// Begins to load the entries at `place` into the cache.
    #[inline(always)]
    pub(super) fn prefetch(&self, unit: impl Unit, place: Place<K>) {
        unit.prefetch(&self.buckets[place.bucket]);
    }

    /// The bounds stored for a position.
    #[inline(always)]
    pub(super) fn bounds(&self, place: Place<K>) -> Option<Bounds> {
        let data = self.size.data_bits;
        let entries = self.buckets[place.bucket].iter().map(K::load);
        let found = entries.filter(|&entry| entry != K::default()).find(|&entry| entry >> data == place.rest)?;
        let bound = |by: u32| (found.low() >> by & 0xff) as i32 - RAISE;
        Some(Bounds { low: bound(0), high: bound(BOUND_BITS) })
    }

    /// Stores `bounds`, which took `effort` positions to find. If the bucket is full, they replace those that took the least.
    /// Returns whether there is one entry more.
    #[inline]
    pub(super) fn store(&self, place: Place<K>, bounds: Bounds, effort: u64) -> bool {
        let most = (1u64 << self.size.effort_bits) - 1;
        let effort = u64::from(effort.max(1).ilog2()).min(most);
        let bound = |value: i32| (value + RAISE) as u64;
        let data = effort << BOUNDS_BITS | bound(bounds.high) << BOUND_BITS | bound(bounds.low);
        self.put(place, data)
    }

    #[inline(always)]
    fn put(&self, place: Place<K>, data: u64) -> bool {
        let bits = self.size.data_bits;
        let effort = |entry: K| entry.low() & ((1 << bits) - 1) >> BOUNDS_BITS << BOUNDS_BITS;
        let (held, is_new) = place_in(&self.buckets[place.bucket], |entry| entry >> bits == place.rest, effort);
        (place.rest << bits | K::of(data.into())).store(held);
        is_new
    }

    /// Counts `entries` more entries.
    pub(super) fn report(&self, entries: u64) {
        self.stored.fetch_add(entries, Ordering::Relaxed);
    }

    /// Returns whether the table is so full that it should [grow](Table::grow).
    pub(super) fn is_small(&self) -> bool {
        self.size.log < self.size.most && self.stored.load(Ordering::Relaxed) * 2 > (PER_BUCKET << self.size.log) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Stores random bounds of keys of `bits` bits in a table of `bytes` bytes. Returns the number of keys whose bounds it still has at the end.
    fn fill<K: EntryWord>(bits: u32, bytes: usize, count: usize) -> usize {
        let mut table = Table::<K>::new(bits, bytes).expect("enough bytes");
        let mut rng = fastrand::Rng::with_seed(7);
        let mut stored: HashMap<K, Bounds> = HashMap::new();
        for _ in 0..count {
            let key = K::of((rng.u128(..) & rng.u128(..)) >> (128 - bits));
            let [low, high] = [rng.i32(-64..=64), rng.i32(-64..=64)];
            let bounds = Bounds { low: low.min(high), high: low.max(high) };
            let entries = table.entries().expect("enough memory");
            assert!(size_of_val(entries.buckets) <= bytes);
            let place = entries.place(key);
            let found = entries.bounds(place);
            assert!(found.is_none() || found.as_ref() == stored.get(&key));
            let is_new = entries.store(place, bounds, rng.u64(..1 << 40));
            entries.report(is_new.into());
            assert_eq!(entries.bounds(place), Some(bounds));
            stored.insert(key, bounds);
            if entries.is_small() {
                table.grow();
            }
        }
        let entries = table.entries().expect("enough memory");
        let found = stored.iter().filter(|&(&key, bounds)| {
            let found = entries.bounds(entries.place(key));
            assert!(found.is_none() || found == Some(*bounds));
            found.is_some()
        });
        let found = found.count();
        assert_eq!(found as u64, entries.stored.load(Ordering::Relaxed));
        found
    }

    #[test]
    fn bounds_belong_to_their_key() {
        for bits in [1, 9, 40, 49] {
            fill::<u64>(bits, 1 << 12, 5_000);
            fill::<u128>(bits, 1 << 12, 5_000);
        }
        fill::<u64>(64, 1 << 22, 5_000);
        fill::<u128>(100, 1 << 12, 5_000);
        fill::<u128>(128, 1 << 24, 5_000);
        assert!(Table::<u64>::new(64, 1 << 12).is_none() && Table::<u64>::new(65, 1 << 30).is_none());
        assert!(Table::<u64>::new(49, 8).is_none());
    }

    #[test]
    fn tables_grow_and_keep_their_entries() {
        assert!(fill::<u64>(49, 1 << 22, 20_000) > 18_500);
        assert!(fill::<u128>(90, 1 << 23, 20_000) > 18_500);
        // A small table loses entries.
        assert!(fill::<u64>(49, 1 << 15, 20_000) <= 1 << 12);
    }

    #[test]
    fn a_full_bucket_loses_the_bounds_that_took_the_least() {
        let mut table = Table::<u64>::new(40, 1 << 10).expect("enough bytes");
        let entries = table.entries().expect("enough memory");
        let places: Vec<Place<u64>> =
            (0..).map(|key| entries.place(key)).filter(|place| place.bucket == 3).take(5).collect();
        let bounds = Bounds { low: -1, high: 1 };
        for (place, effort) in places.iter().zip([100, 5, 1000, 20]) {
            assert!(entries.store(*place, bounds, effort));
        }
        assert!(!entries.store(places[4], bounds, 1));
        let has: Vec<bool> = places.iter().map(|&place| entries.bounds(place).is_some()).collect();
        assert_eq!(has, [true, false, true, true, true]);
    }
}
