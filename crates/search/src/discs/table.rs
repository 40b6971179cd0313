//! A transposition table: bounds on the scores of positions, shared by threads, in memory of limited size.
//!
//! An entry has the whole position, so that a bound is never taken for that of another position. A bucket is a cache line:
//!
//! ```text
//! words      0  own     1  other     2 … 5  the same twice     6  data, data     7  data, sequence number
//! data       [ effort | greatest score + 128 (8 bits) | least score + 128 (8 bits) ]      0 if there is none
//! ```
//!
//! While a thread writes to a bucket, its sequence number is odd, and other threads take the bucket for empty. A reader who finds the same
//! even number before and after has read what one writer wrote.

use std::sync::atomic::{AtomicU64, Ordering, fence};

use tablegen_simd::Unit;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) low: i32,
    pub(super) high: i32,
}

impl Found {
    /// Of a position about which nothing is known.
    pub(super) const NOTHING: Self = Self { low: -127, high: 127 };
}

#[repr(align(64))]
#[derive(Default)]
struct Bucket([AtomicU64; 8]);

/// Entries of a bucket.
const ENTRIES: usize = 3;
/// The first bit of an effort in its entry, and of a sequence number in its word.
const EFFORT: u32 = 16;
const SEQUENCE: u32 = 32;

/// The table.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    /// 64 minus the logarithm of the number of buckets.
    shift: u32,
    /// The logarithm of the greatest number of buckets.
    most: u32,
    is_shared: bool,
}

impl Table {
    /// A table of at most `bytes` bytes; `None` if they are too few.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        let most = (bytes / size_of::<Bucket>()).checked_ilog2()?.clamp(1, 40);
        let mut this = Self { buckets: Vec::new(), shift: 63, most, is_shared: false };
        (bytes >= 2 * size_of::<Bucket>()).then(|| {
            this.reserve(1);
            this
        })
    }

    /// Makes room for a search that needs about 2 to the power of `log` buckets, if the table is smaller.
    pub(super) fn reserve(&mut self, log: u32) {
        let log = log.clamp(1, self.most);
        if self.buckets.len() < 1 << log {
            let old = std::mem::take(&mut self.buckets);
            self.buckets.resize_with(1 << log, Bucket::default);
            self.shift = u64::BITS - log;
            for Bucket(words) in old {
                let words = words.map(AtomicU64::into_inner);
                for (entry, data) in datas(words[6], words[7]).into_iter().enumerate().filter(|&(_, data)| data != 0) {
                    self.put(words[2 * entry], words[2 * entry + 1], data);
                }
            }
        }
    }

    /// Says whether several threads use the table from now on.
    pub(super) const fn share(&mut self, is_shared: bool) {
        self.is_shared = is_shared;
    }

    #[inline(always)]
    fn bucket(&self, own: u64, other: u64) -> &[AtomicU64; 8] {
        const FACTORS: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93, 0xa076_1d64_78bd_642f];
        let mixed = own.wrapping_mul(FACTORS[0]) ^ other.wrapping_mul(FACTORS[1]).rotate_left(32);
        let code = (mixed ^ mixed >> 32).wrapping_mul(FACTORS[2]);
        &self.buckets[(code >> self.shift) as usize].0
    }

    /// Loads what is known of a position into the cache.
    #[inline(always)]
    pub(super) fn prefetch(&self, unit: impl Unit, own: u64, other: u64) {
        unit.prefetch(self.bucket(own, other));
    }

    /// What is known of a position.
    #[inline(always)]
    pub(super) fn find(&self, own: u64, other: u64) -> Found {
        let words = self.bucket(own, other);
        let last = words[7].load(Ordering::Acquire);
        let word = |at: usize| words[at].load(Ordering::Relaxed);
        for entry in 0..ENTRIES {
            if word(2 * entry) != own || word(2 * entry + 1) != other {
                continue;
            }
            let data = datas(word(6), last)[entry];
            if self.is_shared {
                fence(Ordering::Acquire);
                if last >> SEQUENCE & 1 == 1 || words[7].load(Ordering::Relaxed) != last {
                    break;
                }
            }
            if data != 0 {
                let [low, high] = [data, data >> 8].map(|it| (it & 255) as i32 - 128);
                return Found { low, high };
            }
        }
        Found::NOTHING
    }

    /// Stores what is `found` of a position, which took `effort` positions to find. If the bucket is full, it replaces what took the least.
    #[inline(always)]
    pub(super) fn store(&self, own: u64, other: u64, found: Found, effort: u64) {
        // Twice the logarithm, rounded down.
        let log = effort.max(1).ilog2();
        let effort = (2 * log + (effort << 1 >> log & 1) as u32).min(63);
        let [low, high] = [found.low, found.high].map(|it| (it + 128) as u32 & 255);
        self.put(own, other, effort << EFFORT | high << 8 | low);
    }

    #[inline(always)]
    fn put(&self, own: u64, other: u64, data: u32) {
        let words = self.bucket(own, other);
        let load = |at: usize| words[at].load(Ordering::Relaxed);
        let mut last = load(7);
        if self.is_shared {
            let is_free = last >> SEQUENCE & 1 == 0;
            let odd = last.wrapping_add(1 << SEQUENCE);
            let lock = || words[7].compare_exchange(last, odd, Ordering::Acquire, Ordering::Relaxed);
            if !is_free || lock().is_err() {
                return;
            }
            fence(Ordering::Release);
            last = odd;
        }
        let first = load(6);
        let mut datas = datas(first, last);
        let same = (0..ENTRIES).find(|&entry| load(2 * entry) == own && load(2 * entry + 1) == other);
        let least =
            || (0..ENTRIES).min_by_key(|&entry| (datas[entry] >> EFFORT) + u32::from(datas[entry] != 0)).unwrap_or(0);
        let entry = same.unwrap_or_else(least);
        datas[entry] = data;
        words[2 * entry].store(own, Ordering::Relaxed);
        words[2 * entry + 1].store(other, Ordering::Relaxed);
        words[6].store(u64::from(datas[0]) | u64::from(datas[1]) << 32, Ordering::Relaxed);
        let step = if self.is_shared { 1 << SEQUENCE } else { 0 };
        let sequence = (last >> SEQUENCE << SEQUENCE).wrapping_add(step);
        words[7].store(u64::from(datas[2]) | sequence, Ordering::Release);
    }
}

#[inline(always)]
const fn datas(first: u64, last: u64) -> [u32; 3] {
    [first as u32, (first >> 32) as u32, last as u32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn random(rng: &mut fastrand::Rng) -> (u64, u64, Found) {
        // Few positions, so that many are stored again.
        let (own, other) = (rng.u64(..40), rng.u64(..40) << 50);
        let low = rng.i32(-64..=64);
        (own, other, Found { low, high: rng.i32(low..=64) })
    }

    #[test]
    fn bounds_belong_to_their_position() {
        let mut rng = fastrand::Rng::with_seed(1);
        for (bytes, is_shared) in [(128, false), (1 << 12, true), (1 << 20, false)] {
            let (mut table, mut stored) = (Table::new(bytes).unwrap(), HashMap::new());
            table.share(is_shared);
            for number in 0..20_000 {
                let (own, other, found) = random(&mut rng);
                let known = table.find(own, other);
                assert!(known == Found::NOTHING || Some(&known) == stored.get(&(own, other)));
                table.store(own, other, found, rng.u64(..1 << 40));
                assert_eq!(table.find(own, other), found);
                stored.insert((own, other), found);
                if number % 1000 == 0 {
                    table.reserve(number / 1000);
                    assert!(size_of_val(table.buckets.as_slice()) <= bytes);
                }
            }
            let kept = stored.iter().filter(|&(&(own, other), &found)| table.find(own, other) == found).count();
            assert!(if bytes == 1 << 20 { kept + 50 > stored.len() } else { kept * 64 <= 3 * bytes }, "{kept}");
        }
        assert!(Table::new(127).is_none());
    }

    #[test]
    fn a_full_bucket_loses_the_bounds_that_took_the_least() {
        let mut table = Table::new(128).unwrap();
        table.share(true);
        let first = std::ptr::from_ref(table.bucket(0, 1));
        let same: Vec<u64> = (1..).filter(|&other| std::ptr::eq(table.bucket(0, other), first)).take(5).collect();
        let store = |number: usize, effort| table.store(0, same[number], Found { low: 1, high: 1 }, effort);
        let has = || [0, 1, 2, 3, 4].map(|number| table.find(0, same[number]) != Found::NOTHING);
        for (number, effort) in [16, 3, 8, 1 << 30].into_iter().enumerate() {
            store(number, effort);
        }
        assert_eq!(has(), [true, false, true, true, false]);
        store(4, 12);
        assert_eq!(has(), [true, false, false, true, true]);
    }

    /// What is stored says to which position it belongs.
    #[test]
    fn threads_read_what_one_of_them_wrote() {
        let mut table = Table::new(256).unwrap();
        table.share(true);
        let of = |own: u64| Found { low: (own % 50) as i32, high: (own % 50) as i32 + 1 };
        let run = |seed| {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut found = 0;
            for _ in 0..200_000 {
                let own = rng.u64(..60);
                let known = table.find(own, !own);
                assert!(known == Found::NOTHING || known == of(own));
                found += usize::from(known != Found::NOTHING);
                let own = rng.u64(..60);
                table.store(own, !own, of(own), rng.u64(1..99));
            }
            found
        };
        std::thread::scope(|scope| {
            let helper = scope.spawn(|| run(1));
            assert!(run(2) > 1_000 && helper.join().unwrap() > 1_000);
        });
    }
}
