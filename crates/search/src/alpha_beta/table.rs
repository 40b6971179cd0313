//! A transposition table: bounds on the values of positions, in memory of limited size.
//!
//! A position is stored exactly, so that a bound is never taken for that of another position. Its code is a one-to-one
//! mixture of its board. The top bits of the code, changed by the mode, choose a bucket. The entry has the other bits of the
//! code and the mode:
//!
//! ```text
//! entry       [ rest of the code | mode | effort (6 bits) | bounds ]         0 if there is none
//! ```

use super::scale::{Bounds, Scale};
use super::word::Word;

const EFFORT_BITS: u32 = 6;
/// Bytes of a bucket: a cache line.
const BUCKET: usize = 64;
/// Codes have at least this many bits, so that a table of a small board can grow.
const LEAST_BITS: u32 = 40;
/// The logarithm of the number of buckets of a new table.
const FIRST: u32 = 4;

/// The table.
pub(crate) struct Table<W, S> {
    scale: S,
    /// Entries, after some unused ones, so that buckets are cache lines.
    entries: Vec<W>,
    skipped: usize,
    /// The logarithm of the number of buckets, and the largest that it may become.
    buckets: u32,
    most: u32,
    /// Bits of a code and of a mode.
    bits: u32,
    mode_bits: u32,
    stored: usize,
}

/// The place of a position: its bucket and the upper part of its entry.
#[derive(Clone, Copy)]
pub(crate) struct Place<W> {
    bucket: usize,
    key: W,
}

/// Odd factors of the mixing.
const FACTORS: [u128; 2] = [0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835, 0xd6e8_feb8_6659_fd93_a076_1d64_78bd_642f];

impl<W: Word, S: Scale> Table<W, S> {
    /// A table for boards of `cells` cells and `modes` modes; `None` if `bytes` bytes are too few for boards of this size. The
    /// buckets take at most `bytes` bytes. While their number doubles, the old ones take half as much again.
    pub(crate) fn new(scale: S, cells: u32, modes: usize, bytes: usize) -> Option<Self> {
        if !Self::fits(scale, cells, modes, bytes) {
            return None;
        }
        let (bits, mode_bits) = (cells.max(LEAST_BITS), bits_of_modes(modes));
        let (buckets, most) = (Self::least(scale, cells, modes), (bytes / BUCKET).checked_ilog2()?.min(bits));
        let mut table = Self { scale, entries: Vec::new(), skipped: 0, buckets, most, bits, mode_bits, stored: 0 };
        table.allocate(buckets);
        Some(table)
    }

    /// Returns whether `bytes` bytes are enough for a table, and words of this width for the board.
    pub(crate) fn fits(scale: S, cells: u32, modes: usize, bytes: usize) -> bool {
        let most = (bytes / BUCKET).checked_ilog2();
        cells <= W::BITS && most.is_some_and(|most| Self::least(scale, cells, modes) <= most.min(cells.max(LEAST_BITS)))
    }

    /// The logarithm of the least number of buckets with which a word holds an entry.
    fn least(scale: S, cells: u32, modes: usize) -> u32 {
        let bits = cells.max(LEAST_BITS) + bits_of_modes(modes) + scale.bits() + EFFORT_BITS;
        bits.saturating_sub(W::BITS).max(FIRST)
    }

    /// Bits of an entry below the position.
    #[inline(always)]
    fn data_bits(&self) -> u32 {
        self.scale.bits() + EFFORT_BITS
    }

    const fn per_bucket() -> usize {
        BUCKET / size_of::<W>()
    }

    fn allocate(&mut self, buckets: u32) {
        let entries = Self::per_bucket() << buckets;
        self.entries = vec![W::default(); entries + Self::per_bucket()];
        self.skipped = self.entries.as_ptr().align_offset(BUCKET).min(Self::per_bucket());
        self.buckets = buckets;
        self.stored = 0;
    }

    /// The place of a position.
    #[inline(always)]
    pub(crate) fn place(&self, mode: usize, board: W) -> Place<W> {
        self.place_of_code(mode, board.mix(self.bits, FACTORS))
    }

    #[inline(always)]
    fn place_of_code(&self, mode: usize, code: W) -> Place<W> {
        let low = self.bits - self.buckets;
        let bucket = code.above(low) ^ Self::of_mode(mode, self.buckets);
        let key = W::raised(mode, self.data_bits()) | code.below(low) << (self.data_bits() + self.mode_bits);
        Place { bucket, key }
    }

    /// The bits by which `mode` changes the number of a bucket.
    #[inline(always)]
    const fn of_mode(mode: usize, buckets: u32) -> usize {
        ((mode as u64).wrapping_mul(FACTORS[0] as u64) >> (u64::BITS - buckets)) as usize
    }

    #[inline(always)]
    fn bucket(&self, place: Place<W>) -> &[W] {
        &self.entries[self.skipped + place.bucket * Self::per_bucket()..][..Self::per_bucket()]
    }

    /// The bounds stored for a position.
    #[inline(always)]
    pub(crate) fn bounds(&self, place: Place<W>) -> Bounds {
        let found = self.bucket(place).iter().find(|&&entry| is_of(entry, place.key, self.data_bits()));
        found.map_or_else(|| self.scale.range(), |entry| self.scale.bounds(entry.low()))
    }

    /// Stores `bounds`, which took `effort` positions to find. If the bucket is full, they replace those that took the least.
    pub(crate) fn store(&mut self, place: Place<W>, bounds: Bounds, effort: u64) {
        let code = self.scale.code(bounds);
        if code == 0 {
            return;
        }
        // Twice the logarithm, rounded down.
        let log = effort.max(1).ilog2();
        let effort = u64::from(2 * log) + (effort << 1 >> log & 1);
        let entry = place.key | W::of((effort.min(63) << self.scale.bits() | code).into());
        self.put(place, entry);
        if self.buckets < self.most && self.stored * 2 > Self::per_bucket() << self.buckets {
            self.grow();
        }
    }

    fn put(&mut self, place: Place<W>, entry: W) {
        let first = self.skipped + place.bucket * Self::per_bucket();
        let (bounds_bits, data_bits) = (self.scale.bits(), self.data_bits());
        let bucket = &mut self.entries[first..][..Self::per_bucket()];
        let effort = |entry: W| entry.low() >> bounds_bits & 63;
        let mut least = 0;
        for at in 0..bucket.len() {
            if bucket[at] == W::default() {
                self.stored += 1;
                bucket[at] = entry;
                return;
            }
            if is_of(bucket[at], place.key, data_bits) {
                bucket[at] = entry;
                return;
            }
            if effort(bucket[at]) < effort(bucket[least]) {
                least = at;
            }
        }
        bucket[least] = entry;
    }

    /// Doubles the number of buckets.
    fn grow(&mut self) {
        let (old, skipped, buckets) = (std::mem::take(&mut self.entries), self.skipped, self.buckets);
        self.allocate(buckets + 1);
        let old = &old[skipped..][..Self::per_bucket() << buckets];
        for (number, bucket) in old.chunks_exact(Self::per_bucket()).enumerate() {
            for &entry in bucket.iter().filter(|&&entry| entry != W::default()) {
                let mode = entry.above(self.data_bits()) & ((1 << self.mode_bits) - 1);
                let rest = entry >> (self.data_bits() + self.mode_bits);
                let top = number ^ Self::of_mode(mode, buckets);
                let place = self.place_of_code(mode, rest | W::raised(top, self.bits - buckets));
                self.put(place, place.key | entry.below(self.data_bits()));
            }
        }
    }
}

/// The bits of the number of a mode.
const fn bits_of_modes(modes: usize) -> u32 {
    usize::BITS - modes.saturating_sub(1).leading_zeros()
}

/// Returns whether `entry` is of the position with `key`.
#[inline(always)]
fn is_of<W: Word>(entry: W, key: W, data_bits: u32) -> bool {
    (entry ^ key) >> data_bits == W::ZERO && entry != W::ZERO
}

#[cfg(test)]
mod tests {
    use super::super::scale::{Outcomes, Plies};
    use super::*;
    use crate::rules::Board;
    use std::collections::HashMap;

    /// Stores random bounds of positions of `cells` cells in a table of `bytes` bytes. Returns the number of positions whose
    /// bounds it still has at the end.
    fn fill<W: Word>(scale: impl Scale, cells: u32, modes: usize, bytes: usize, count: usize) -> usize {
        let mut table: Table<W, _> = Table::new(scale, cells, modes, bytes).expect("enough bytes");
        let first = table.buckets;
        let mut rng = fastrand::Rng::with_seed(7);
        let mut stored: HashMap<(usize, u128), Bounds> = HashMap::new();
        let mask = Board::full(cells).number();
        for _ in 0..count {
            let (mode, board) = (rng.usize(..modes), rng.u128(..) & rng.u128(..) & mask);
            let bounds = scale.bounds(rng.u64(1..6));
            let place = table.place(mode, W::of(board));
            let found = table.bounds(place);
            assert!(found == scale.range() || Some(&found) == stored.get(&(mode, board)), "{board:#x}");
            table.store(place, bounds, rng.u64(..1 << 40));
            assert_eq!(table.bounds(table.place(mode, W::of(board))), bounds);
            stored.insert((mode, board), bounds);
            // The unused entries before the first cache line take less than a bucket.
            assert!(size_of_val(table.entries.as_slice()) <= bytes + BUCKET);
            // A table that is more than half full doubles, and keeps all entries.
            assert!(table.buckets == first || table.stored * 4 > (BUCKET / size_of::<W>()) << table.buckets);
        }
        let has = |(&(mode, board), &bounds): (&(usize, u128), &Bounds)| {
            let found = table.bounds(table.place(mode, W::of(board)));
            assert!(found == scale.range() || found == bounds);
            found == bounds
        };
        stored.iter().filter(|&it| has(it)).count()
    }

    #[test]
    fn bounds_belong_to_their_position() {
        for modes in [1, 2, 5] {
            for cells in [1, 9, 20, 41, 54] {
                fill::<u64>(Outcomes, cells, modes, 1 << 12, 5_000);
                fill::<u128>(Outcomes, cells, modes, 1 << 12, 5_000);
            }
            fill::<u64>(Outcomes, 64, modes, 1 << 20, 5_000);
            fill::<u128>(Outcomes, 64, modes, 1 << 12, 5_000);
        }
        let narrow = Table::<u64, _>::new(Outcomes, 64, 4096, 1 << 16);
        assert!(narrow.is_none() && Table::<u128, _>::new(Outcomes, 64, 4096, 1 << 16).is_some());
        fill::<u64>(Plies::new(60), 54, 2, 1 << 20, 5_000);
        fill::<u128>(Plies::new(600), 60, 2, 1 << 12, 5_000);
    }

    #[test]
    fn tables_grow() {
        let found = [
            fill::<u64>(Outcomes, 50, 2, 1 << 20, 20_000),
            fill::<u128>(Outcomes, 64, 2, 1 << 20, 20_000),
            fill::<u64>(Outcomes, 50, 2, 1 << 14, 20_000),
        ];
        assert!(found[0] > 19_500 && found[1] > 18_500 && found[2] > 1_900, "{found:?}");
    }

    #[test]
    fn a_full_bucket_loses_the_bounds_that_took_the_least() {
        let mut table = Table::<u64, _>::new(Outcomes, 20, 2, BUCKET << FIRST).expect("enough bytes");
        let in_bucket = |board: &u64| table.place(1, *board).bucket == 3;
        let boards: Vec<u64> = (0..1 << 20).filter(in_bucket).take(16).collect();
        let place = |table: &Table<u64, Outcomes>, number: usize| table.place(1, boards[number]);
        // All are told apart: no two have the same two highest binary digits and the same number of digits.
        let efforts = [12, 4, 3, 16, 2, 6, 24, 8];
        for (number, effort) in efforts.into_iter().enumerate() {
            table.store(place(&table, number), Bounds { low: 1, high: 1 }, effort);
        }
        let mut by_effort: Vec<usize> = (0..8).collect();
        by_effort.sort_by_key(|&number| efforts[number]);
        for lost in 0..8 {
            table.store(place(&table, 8 + lost), Bounds { low: -1, high: -1 }, 1 << 20);
            for (rank, &number) in by_effort.iter().enumerate() {
                let expected = if rank <= lost { Outcomes.range() } else { Bounds { low: 1, high: 1 } };
                assert_eq!(table.bounds(place(&table, number)), expected, "{lost} {number}");
            }
        }
    }
}
