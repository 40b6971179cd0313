//! A transposition table: bounds on the values of positions, in memory of limited size, which threads may share.
//!
//! A position is stored exactly, so that a bound is never taken for that of another position. Its code is a one-to-one
//! mixture of its board. The top bits of the code, changed by the mode, choose a bucket. The entry has the other bits of the
//! code and the mode:
//!
//! ```text
//! entry       [ rest of the code | mode | effort (6 bits) | bounds ]         0 if there is none
//! ```

use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};

use super::scale::{Bounds, Scale};
use super::word::Word;
use crate::entry::{EntryWord, place_in};
use crate::guard::{Guard, Unguarded};
use crate::memory::{Memory, prefetch};
use crate::pool::{Pool, Why};

const EFFORT_BITS: u32 = 6;
/// Bytes of a bucket: a cache line.
const BUCKET: usize = 64;
/// Codes have at least this many bits, so that a table of a small board can grow.
const LEAST_BITS: u32 = 40;
/// The logarithm of the number of buckets of a new table.
const FIRST: u32 = 4;

/// The table.
pub(crate) struct Table<W: EntryWord, S> {
    scale: S,
    entries: Memory<W::Place>,
    /// The logarithm of the number of buckets, and the largest that it may become.
    buckets: u32,
    most: u32,
    /// Bits of a code and of a mode.
    bits: u32,
    mode_bits: u32,
    /// The number of entries, as far as threads have [reported](Self::report) them.
    stored: AtomicU64,
}

/// A position as the table names it, whatever its size is.
#[derive(Clone, Copy)]
pub(crate) struct Place<W> {
    mode: usize,
    code: W,
}

impl<W: EntryWord> Place<W> {
    /// A number of the position, which few others have.
    pub(crate) fn low(self) -> u64 {
        self.code.low() ^ (self.mode as u64) << 32
    }
}

/// The table as a thread uses it.
pub(crate) enum Access<'a, W: EntryWord, S> {
    /// The only thread.
    Alone(&'a mut Table<W, S>),
    /// One of several, and the number of entries that it has not reported.
    Shared { table: &'a Table<W, S>, pool: &'a Pool, guard: &'a W::Guard, unreported: u64 },
}

/// The number of entries that a thread reports together.
const REPORT: u64 = 1 << 6;

impl<W: EntryWord, S> Deref for Access<'_, W, S> {
    type Target = Table<W, S>;

    #[inline(always)]
    fn deref(&self) -> &Table<W, S> {
        match self {
            Self::Alone(table) => table,
            Self::Shared { table, .. } => table,
        }
    }
}

impl<'a, W: Word, S: Scale> Access<'a, W, S> {
    pub(crate) const fn shared(table: &'a Table<W, S>, pool: &'a Pool, guard: &'a W::Guard) -> Self {
        Self::Shared { table, pool, guard, unreported: 0 }
    }

    /// What the threads share, if there are several.
    pub(crate) const fn pool(&self) -> Option<&'a Pool> {
        match self {
            Self::Alone(_) => None,
            Self::Shared { pool, .. } => Some(*pool),
        }
    }

    /// The bounds stored for a position.
    #[inline(always)]
    pub(crate) fn bounds(&self, place: Place<W>) -> Bounds {
        match self {
            Self::Alone(table) => table.bounds(place),
            Self::Shared { table, guard, .. } => table.bounds_beside(place, *guard),
        }
    }

    /// Stores `bounds` like [`Table::put`]. If the table is small, it grows, or the threads stop so that it can.
    pub(crate) fn store(&mut self, place: Place<W>, bounds: Bounds, effort: u64) {
        match self {
            Self::Alone(table) => table.store(place, bounds, effort),
            Self::Shared { table, pool, guard, unreported } => {
                *unreported += u64::from(table.put(place, bounds, effort, *guard));
                if *unreported == REPORT {
                    *unreported = 0;
                    table.report(REPORT);
                    if table.is_small() {
                        pool.stop(Why::Full);
                    }
                }
            }
        }
    }
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
        let entries = Memory::new(Self::per_bucket() << buckets)?;
        Some(Self { scale, entries, buckets, most, bits, mode_bits, stored: AtomicU64::new(0) })
    }

    /// Returns whether `bytes` bytes are enough for a table, and words of this width for the board.
    pub(crate) fn fits(scale: S, cells: u32, modes: usize, bytes: usize) -> bool {
        let most = (bytes / BUCKET).checked_ilog2();
        cells <= W::BITS && most.is_some_and(|most| Self::least(scale, cells, modes) <= most.min(cells.max(LEAST_BITS)))
    }

    /// The logarithm of the least number of buckets with which a word holds an entry.
    fn least(scale: S, cells: u32, modes: usize) -> u32 {
        let bits = cells.max(LEAST_BITS) + bits_of_modes(modes) + scale.span().bits() + EFFORT_BITS;
        bits.saturating_sub(W::BITS).max(FIRST)
    }

    /// Bits of an entry below the position.
    #[inline(always)]
    fn data_bits(&self) -> u32 {
        self.scale.span().bits() + EFFORT_BITS
    }

    const fn per_bucket() -> usize {
        BUCKET / size_of::<W>()
    }

    /// The place of a position. It does not change when the table grows.
    #[inline(always)]
    pub(crate) fn place(&self, mode: usize, board: W) -> Place<W> {
        Place { mode, code: board.mix(self.bits, FACTORS) }
    }

    /// The bits by which `mode` changes the number of a bucket.
    #[inline(always)]
    const fn of_mode(mode: usize, buckets: u32) -> usize {
        ((mode as u64).wrapping_mul(FACTORS[0] as u64) >> (u64::BITS - buckets)) as usize
    }

    #[inline(always)]
    fn number_of(&self, place: Place<W>) -> usize {
        place.code.above(self.bits - self.buckets) ^ Self::of_mode(place.mode, self.buckets)
    }

    /// The bucket of a position with its number, and the upper part of its entry.
    #[inline(always)]
    fn bucket(&self, place: Place<W>) -> (&[W::Place], usize, W) {
        let rest = place.code.below(self.bits - self.buckets);
        let key = W::raised(place.mode, self.data_bits()) | rest << (self.data_bits() + self.mode_bits);
        let number = self.number_of(place);
        (&self.entries[number * Self::per_bucket()..][..Self::per_bucket()], number, key)
    }

    /// Begins to load what is stored for a position into the cache.
    #[inline(always)]
    pub(crate) fn prefetch(&self, place: Place<W>) {
        prefetch(&self.bucket(place).0[0]);
    }

    /// The bounds stored for a position, while no other thread stores any.
    #[inline(always)]
    pub(crate) fn bounds(&self, place: Place<W>) -> Bounds {
        self.bounds_beside(place, &Unguarded)
    }

    /// The bounds stored for a position, beside other threads, from which `guard` keeps this one apart.
    #[inline(always)]
    fn bounds_beside(&self, place: Place<W>, guard: &impl Guard) -> Bounds {
        let (bucket, number, key) = self.bucket(place);
        // A bucket is filled from its first place on.
        let held = || bucket.iter().map(W::load).take_while(|&entry| entry != W::ZERO);
        let find = || held().find(|&entry| is_of(entry, key, self.data_bits()));
        let found = guard.read(number, find).flatten();
        found.map_or_else(|| self.scale.span().range(), |entry| self.scale.span().bounds(entry.low()))
    }

    /// Stores `bounds` like [`put`](Self::put), and grows if the table is small.
    pub(crate) fn store(&mut self, place: Place<W>, bounds: Bounds, effort: u64) {
        *self.stored.get_mut() += u64::from(self.put(place, bounds, effort, &Unguarded));
        if self.is_small() {
            self.grow(1);
        }
    }

    /// Stores `bounds`, which took `effort` positions to find. If the bucket is full, they replace those that took the least. If `guard` finds
    /// another thread at the bucket, they are not stored. Returns whether there is one entry more.
    fn put(&self, place: Place<W>, bounds: Bounds, effort: u64, guard: &impl Guard) -> bool {
        let code = self.scale.span().code(bounds);
        if code == 0 {
            return false;
        }
        // Twice the logarithm, rounded down.
        let log = effort.max(1).ilog2();
        let effort = u64::from(2 * log) + (effort << 1 >> log & 1);
        self.put_data(place, W::of((effort.min(63) << self.scale.span().bits() | code).into()), guard)
    }

    fn put_data(&self, place: Place<W>, data: W, guard: &impl Guard) -> bool {
        let (bounds_bits, data_bits) = (self.scale.span().bits(), self.data_bits());
        let (bucket, number, key) = self.bucket(place);
        let effort = |entry: W| entry.low() >> bounds_bits & 63;
        let store = || {
            let (held, is_new) = place_in(bucket, |entry| is_of(entry, key, data_bits), effort);
            (key | data).store(held);
            is_new
        };
        guard.write(number, store).unwrap_or(false)
    }

    /// Counts `entries` more entries.
    pub(crate) fn report(&self, entries: u64) {
        self.stored.fetch_add(entries, Ordering::Relaxed);
    }

    /// Returns whether the table is so full that it should [grow](Self::grow).
    #[inline(always)]
    pub(crate) fn is_small(&self) -> bool {
        let stored = self.stored.load(Ordering::Relaxed);
        self.buckets < self.most && stored * 2 > (Self::per_bucket() << self.buckets) as u64
    }

    /// Doubles the number of buckets as often as `times` says, if the table may become so large. If there is no memory for that, the table stays
    /// as it is from then on.
    pub(crate) fn grow(&mut self, times: u32) {
        let grown = (self.buckets + times).min(self.most);
        if grown == self.buckets {
            return;
        }
        let Some(entries) = Memory::new(Self::per_bucket() << grown) else {
            self.most = self.buckets;
            return;
        };
        let (old, buckets) = (std::mem::replace(&mut self.entries, entries), self.buckets);
        self.buckets = grown;
        let mut stored = 0;
        for (number, bucket) in old.chunks_exact(Self::per_bucket()).enumerate() {
            for entry in bucket.iter().map(W::load).filter(|&entry| entry != W::default()) {
                let mode = entry.above(self.data_bits()) & ((1 << self.mode_bits) - 1);
                let rest = entry >> (self.data_bits() + self.mode_bits);
                let top = number ^ Self::of_mode(mode, buckets);
                let place = Place { mode, code: rest | W::raised(top, self.bits - buckets) };
                stored += u64::from(self.put_data(place, entry.below(self.data_bits()), &Unguarded));
            }
        }
        *self.stored.get_mut() = stored;
    }
}

/// The bits of the number of a mode.
const fn bits_of_modes(modes: usize) -> u32 {
    usize::BITS - modes.saturating_sub(1).leading_zeros()
}

/// Returns whether `entry`, which is not 0, is of the position with `key`.
#[inline(always)]
fn is_of<W: Word>(entry: W, key: W, data_bits: u32) -> bool {
    (entry ^ key) >> data_bits == W::ZERO
}

#[cfg(test)]
mod tests {
    use super::super::scale::{Outcomes, Plies};
    use super::*;
    use crate::guard::SequenceLocks;
    use crate::outcome::Effort;
    use crate::reachable::KeyWord;
    use crate::rules::Board;
    use std::collections::{HashMap, VecDeque};

    /// Stores random bounds of positions of `cells` cells in a table of `bytes` bytes. Returns the number of positions whose
    /// bounds it still has at the end.
    fn fill<W: Word>(scale: impl Scale, cells: u32, modes: usize, bytes: usize, count: usize) -> usize {
        let mut table: Table<W, _> = Table::new(scale, cells, modes, bytes).expect("enough bytes");
        let first = table.buckets;
        let mut rng = fastrand::Rng::with_seed(7);
        let mut stored: HashMap<(usize, u128), Bounds> = HashMap::new();
        let mask = Board::full(cells).number();
        // A search takes the place of a position, and stores its bounds after those of many others, when the table may have grown.
        let mut begun = VecDeque::new();
        for _ in 0..count {
            let (mode, board) = (rng.usize(..modes), rng.u128(..) & rng.u128(..) & mask);
            begun.push_back((mode, board, table.place(mode, W::of(board))));
            let Some((mode, board, place)) = (begun.len() > 30).then(|| begun.pop_front()).flatten() else { continue };
            let bounds = scale.span().bounds(rng.u64(1..6));
            let found = table.bounds(place);
            assert!(found == scale.span().range() || Some(&found) == stored.get(&(mode, board)), "{board:#x}");
            table.store(place, bounds, rng.u64(..1 << 40));
            assert_eq!(table.bounds(table.place(mode, W::of(board))), bounds);
            stored.insert((mode, board), bounds);
            assert!(size_of_val(&*table.entries) <= bytes);
            // A table that is more than half full doubles, and keeps all entries.
            let stored = table.stored.load(Ordering::Relaxed) as usize;
            assert!(table.buckets == first || stored * 4 > (BUCKET / size_of::<W>()) << table.buckets);
        }
        let has = |(&(mode, board), &bounds): (&(usize, u128), &Bounds)| {
            let found = table.bounds(table.place(mode, W::of(board)));
            assert!(found == scale.span().range() || found == bounds);
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

    /// While a thread has written half of an entry, other threads neither read nor write there.
    #[test]
    fn threads_do_not_read_half_an_entry() {
        let table = Table::<u128, _>::new(Outcomes, 110, 1, BUCKET << FIRST).expect("enough bytes");
        // Positions of one bucket. The halves of their codes lie in different words of an entry.
        let place = |high: u128, low: u128| Place { mode: 0, code: high << 80 | low };
        let (bounds, none) = (Bounds { low: 1, high: 1 }, Outcomes.span().range());
        let (pool, guard) = (Pool::new(Effort::default()), SequenceLocks::default());
        let mut access = Access::shared(&table, &pool, &guard);
        access.store(place(1, 1), bounds, 1);
        assert_eq!([access.bounds(place(1, 1)), access.bounds(place(1, 2))], [bounds, none]);
        let (bucket, number, key) = table.bucket(place(2, 2));
        let entry = key | u128::load(&bucket[0]).below(table.data_bits());
        let found = guard.write(number, || {
            bucket[0][0].store(entry as u64, Ordering::Relaxed);
            access.store(place(3, 3), bounds, 1);
            // Without the guard, there seems to be a position that nobody stored.
            [access.bounds(place(1, 2)), table.bounds(place(1, 2))]
        });
        assert_eq!(found, Some([none, bounds]));
        guard.write(number, || entry.store(&bucket[0]));
        assert_eq!([(2, 2), (3, 3)].map(|(high, low)| access.bounds(place(high, low))), [bounds, none]);
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
        let in_bucket = |board: &u64| table.number_of(table.place(1, *board)) == 3;
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
                let expected = if rank <= lost { Outcomes.span().range() } else { Bounds { low: 1, high: 1 } };
                assert_eq!(table.bounds(place(&table, number)), expected, "{lost} {number}");
            }
        }
    }
}
