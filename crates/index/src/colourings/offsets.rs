//! The address of the first colouring of each occupied set.

use super::{MOST_LISTED, Numbered, Sets, WORD_LOG};

/// Squares in the lower half of a set, unless the upper half would have more than [`UPPER`]. The table of this half stays in a
/// core's first-level cache.
const LOWER: u32 = 8;
/// Maximum number of squares in the upper half if all sets are possible, which bounds the time to make its table.
const UPPER: u32 = 16;
/// The most entries of the tables if not all sets are possible.
const MOST_ENTRIES: u128 = 1 << 22;

/// The first word of each possible set. Sets are ordered by number; each has one word for every 64 colourings, and at least one word.
///
/// The first word of a set is the sum of two table entries. The first is the first word of the sets with the same upper half. The
/// second is the offset of the lower half among them, which depends on the upper half only through its number of pairs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offsets {
    /// The squares of two cells.
    pairs: u64,
    /// The number of squares in the lower half.
    lower: u32,
    uppers: Numbered,
    lowers: Numbered,
    /// The first word of each upper half, and the end of the last.
    upper_starts: Vec<u64>,
    /// For each number of pairs in the upper half: the first word of each lower half, and the end of the last.
    lower_starts: Vec<u64>,
}

/// Words of a set with `pairs` pairs.
pub(crate) const fn words_of(pairs: u32) -> u64 {
    1 << pairs.saturating_sub(WORD_LOG)
}

impl Offsets {
    /// The offsets of the possible `sets` of `squares` squares; the squares in `pairs` have two cells. `None` if the words exceed a `u64`,
    /// or if there are too many sets.
    pub(crate) fn new(sets: &Sets, squares: u32, pairs: u64) -> Option<Self> {
        let lower = lower(sets, squares, pairs)?;
        let (uppers, lowers) = (Numbered::new(sets, lower, squares), Numbered::new(sets, 0, lower));
        let upper_pairs = pairs >> lower;
        let mut lower_starts = Vec::new();
        // The words of all sets that share an upper half, indexed by its number of pairs.
        let mut words_of_upper = Vec::new();
        for held in 0..=upper_pairs.count_ones() {
            let mut start = 0u64;
            for number in 0..lowers.count() {
                lower_starts.push(start);
                start = start.checked_add(words_of(held + (lowers.content(number) & pairs).count_ones()))?;
            }
            lower_starts.push(start);
            words_of_upper.push(start);
        }
        let mut upper_starts = vec![0u64];
        for number in 0..uppers.count() {
            let words = words_of_upper[(uppers.content(number) & upper_pairs).count_ones() as usize];
            upper_starts.push(upper_starts[number].checked_add(words)?);
        }
        Some(Self { pairs, lower, uppers, lowers, upper_starts, lower_starts })
    }

    /// Squares in the lower half of a set.
    pub const fn lower(&self) -> u32 {
        self.lower
    }

    /// Words of all sets.
    pub fn words(&self) -> u64 {
        self.upper_starts[self.uppers.count()]
    }

    /// The number of possible sets.
    #[must_use]
    pub fn sets(&self) -> u64 {
        self.uppers.count() as u64 * self.lowers.count() as u64
    }

    /// The number of upper halves.
    pub(crate) fn groups(&self) -> usize {
        self.uppers.count()
    }

    /// The possible sets with upper half number `group`, in ascending order.
    pub(crate) fn sets_of(&self, group: usize) -> impl Iterator<Item = u64> {
        let upper = self.uppers.content(group) << self.lower;
        (0..self.lowers.count()).map(move |number| upper | self.lowers.content(number))
    }

    /// Returns whether `set` is possible.
    #[inline]
    pub fn has(&self, set: u64) -> bool {
        self.uppers.has(set >> self.lower) && self.lowers.has(set & ((1 << self.lower) - 1))
    }

    /// The first word of `set`. If it is not possible: the first word of the next possible set.
    // Inlined, because sweeps are compiled for AVX2 and count bits in one instruction.
    #[inline(always)]
    pub fn start(&self, set: u64) -> u64 {
        let upper = set >> self.lower;
        let number = self.uppers.number(upper);
        if !self.uppers.has(upper) {
            return self.upper_starts[number];
        }
        let held = (upper & (self.pairs >> self.lower)).count_ones() as usize;
        let lower = self.lowers.number(set & ((1 << self.lower) - 1));
        self.upper_starts[number] + self.lower_starts[held * (self.lowers.count() + 1) + lower]
    }

    /// The set of which `word` is a word; `word` must be below [`words`](Self::words).
    pub(super) fn set_at(&self, word: u64) -> u64 {
        let last = |starts: &[u64], word: u64| starts.partition_point(|&start| start <= word) - 1;
        let number = last(&self.upper_starts, word);
        let upper = self.uppers.content(number);
        let held = (upper & (self.pairs >> self.lower)).count_ones() as usize;
        let row = self.lowers.count() + 1;
        let lower = last(&self.lower_starts[held * row..][..row], word - self.upper_starts[number]);
        upper << self.lower | self.lowers.content(lower)
    }
}

/// The number of squares in the lower half; `None` if there are too many sets.
fn lower(sets: &Sets, squares: u32, pairs: u64) -> Option<u32> {
    if sets.are_all() {
        let lower = squares.saturating_sub(UPPER).max(squares.min(LOWER));
        return (lower <= UPPER && sets.splits_at(lower)).then_some(lower);
    }
    let of = |lower: u32| {
        let held = u128::from((pairs >> lower).count_ones()) + 1;
        let entries = sets.count(lower, squares) + sets.count(0, lower) * held;
        let fits = |low: u32, high: u32| high - low <= MOST_LISTED;
        (entries <= MOST_ENTRIES && fits(0, lower) && fits(lower, squares)).then_some((entries, lower))
    };
    let splits = sets.groups().map(|group| group.start);
    splits.filter(|&lower| lower < 64).filter_map(of).min().map(|(_, lower)| lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colourings::sets::tests::{columns, every};

    /// Every set, possible or not, begins where the possible sets below it end.
    fn check(sets: &Sets, squares: u32, pairs: u64) {
        let offsets = Offsets::new(sets, squares, pairs).unwrap();
        let possible = sets.all(0, squares);
        let end = (0..1u64 << squares).fold(0, |start, set| {
            assert_eq!(offsets.start(set), start, "{squares} {pairs:#b} {set:#b}");
            assert_eq!(offsets.has(set), possible.binary_search(&set).is_ok());
            if !offsets.has(set) {
                return start;
            }
            let words = words_of((set & pairs).count_ones());
            (start..start + words).for_each(|word| assert_eq!(offsets.set_at(word), set));
            start + words
        });
        assert_eq!((offsets.words(), offsets.sets()), (end, possible.len() as u64));
        let grouped: Vec<u64> = (0..offsets.groups()).flat_map(|group| offsets.sets_of(group)).collect();
        assert_eq!(grouped, possible);
    }

    #[test]
    fn sets_follow_each_other() {
        for (squares, pairs) in [(1, 0), (1, 1), (3, 0b101), (9, 0x1ff), (12, 0b1010_1111_0111), (16, 0xffff), (13, 0)]
        {
            check(&every(squares), squares, pairs);
        }
        for (columns_, rows, pairs) in [(1, 3, 7), (3, 4, 0xfff), (4, 4, 0x7ff7), (5, 3, 0x7fff)] {
            check(&columns(columns_, rows), columns_ * rows, pairs);
        }
    }

    #[test]
    fn large_boards_have_small_tables() {
        for (squares, pairs) in [(32, u64::MAX >> 32), (30, 0x2aaa_aaaa), (25, 1)] {
            let offsets = Offsets::new(&every(squares), squares, pairs).unwrap();
            assert!(offsets.upper_starts.len() + offsets.lower_starts.len() <= 1 << 21);
            let mut draw = fastrand::Rng::with_seed(11);
            for _ in 0..1000 {
                let set = draw.u64(..(1 << squares) - 1);
                let words = words_of((set & pairs).count_ones());
                assert_eq!(offsets.start(set + 1), offsets.start(set) + words, "{squares} {pairs:#b} {set:#b}");
            }
            assert_eq!(offsets.start(0), 0);
            let last = (1 << squares) - 1;
            assert_eq!(offsets.start(last) + words_of(pairs.count_ones()), offsets.words());
        }
        // Seven columns of six squares: 7^7 sets.
        let offsets = Offsets::new(&columns(7, 6), 42, (1 << 42) - 1).unwrap();
        assert_eq!(offsets.sets(), 823_543);
    }

    #[test]
    fn what_no_machine_has_is_no_number() {
        assert_eq!(Offsets::new(&every(4), 4, 0b1111).unwrap().words(), 16);
        assert_eq!(Offsets::new(&every(33), 33, 0), None);
        assert_eq!(Offsets::new(&columns(9, 7), 63, u64::MAX >> 1), None);
    }

    /// The upper half has a table entry for each content, and the lower half one for each content and each number of pairs above.
    #[test]
    fn halves_are_cut_where_their_tables_are_smallest() {
        let cut = |pairs| Offsets::new(&columns(4, 3), 12, pairs).unwrap().lower();
        // Four columns of three squares. Without pairs: 4^2 + 4^2 entries.
        assert_eq!(cut(0), 6);
        // With pairs everywhere: 4^3 + 4 * 10 entries, where a cut in the middle makes 4^2 + 4^2 * 7.
        assert_eq!(cut(0xfff), 3);
        // With pairs in the lower half only: 4^2 + 4^2 entries, where a cut after the first column makes 4^3 + 4 * 4.
        assert_eq!(cut(0x3f), 6);
    }
}
