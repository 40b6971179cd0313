//! The address of the first colouring of each occupied set.

use super::WORD_LOG;

/// Squares in the lower half of a set, unless the upper half would have more than [`UPPER`]. The table of this half stays in a
/// core's first-level cache.
const LOWER: u32 = 8;
/// Maximum number of squares in the upper half, which bounds the time to make its table.
const UPPER: u32 = 16;

/// The first word of each set. Sets are ordered by number; each has one word for every 64 colourings, and at least one word.
///
/// The first word of a set is the sum of two table entries. The first is the first word of the sets with the same upper half. The
/// second is the offset of the lower half among them, which depends on the upper half only through its number of pairs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offsets {
    /// The squares of two cells.
    pairs: u64,
    lower: u32,
    /// The first word, indexed by upper half.
    upper_starts: Vec<u64>,
    /// The words before, indexed by the number of pairs in the upper half, then by lower half.
    lower_starts: Vec<u64>,
    words: u64,
}

/// Words of a set with `pairs` pairs.
pub(crate) const fn words_of(pairs: u32) -> u64 {
    1 << pairs.saturating_sub(WORD_LOG)
}

/// Words of all sets of `pairs` pairs and `singles` singles while `held` other pairs are occupied; `None` if they exceed a `u64`.
fn words_with(held: u32, pairs: u32, singles: u32) -> Option<u64> {
    let (mut sum, mut ways) = (0u64, 1u128);
    for occupied in 0..=pairs {
        let words =
            u64::try_from(ways).ok()?.checked_mul(1u64.checked_shl((held + occupied).saturating_sub(WORD_LOG))?)?;
        sum = sum.checked_add(words)?;
        ways = ways * u128::from(pairs - occupied) / u128::from(occupied + 1);
    }
    sum.checked_mul(1u64.checked_shl(singles)?)
}

impl Offsets {
    /// Words of all sets on a board with these numbers of pairs and singles; `None` if they exceed a `u64`.
    pub(crate) fn total(pairs: u32, singles: u32) -> Option<u64> {
        words_with(0, pairs, singles)
    }

    /// The offsets for `squares` squares; the squares in `pairs` have two cells. `None` if the words exceed a `u64`.
    pub(crate) fn new(squares: u32, pairs: u64) -> Option<Self> {
        let lower = squares.saturating_sub(UPPER).max(squares.min(LOWER));
        let below = |bits: u32| if bits == 0 { 0 } else { u64::MAX >> (64 - bits) };
        let (lower_pairs, upper_pairs) = ((pairs & below(lower)).count_ones(), pairs >> lower);
        let words = Self::total(pairs.count_ones(), squares - pairs.count_ones())?;
        // The words of all sets that share an upper half, indexed by its number of pairs.
        let held = 0..=upper_pairs.count_ones();
        let words_of_upper = held.map(|held| words_with(held, lower_pairs, lower - lower_pairs));
        let words_of_upper = words_of_upper.collect::<Option<Vec<u64>>>()?;
        let mut upper_starts = Vec::with_capacity(1 << (squares - lower));
        let mut start = 0;
        for upper in 0..1u64 << (squares - lower) {
            upper_starts.push(start);
            start += words_of_upper[(upper & upper_pairs).count_ones() as usize];
        }
        let mut lower_starts = Vec::new();
        for held in 0..=upper_pairs.count_ones() {
            let mut start = 0;
            for set in 0..1u64 << lower {
                lower_starts.push(start);
                start += words_of(held + (set & pairs).count_ones());
            }
        }
        Some(Self { pairs, lower, upper_starts, lower_starts, words })
    }

    /// Squares in the lower half of a set.
    pub const fn lower(&self) -> u32 {
        self.lower
    }

    /// Words of all sets.
    pub const fn words(&self) -> u64 {
        self.words
    }

    /// The first word of `set`.
    #[inline]
    pub fn start(&self, set: u64) -> u64 {
        let upper = set >> self.lower;
        let held = (upper & (self.pairs >> self.lower)).count_ones() as usize;
        let lower = (set & ((1 << self.lower) - 1)) as usize;
        self.upper_starts[upper as usize] + self.lower_starts[held << self.lower | lower]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_follow_each_other() {
        for (squares, pairs) in [(1, 0), (1, 1), (3, 0b101), (9, 0x1ff), (12, 0b1010_1111_0111), (16, 0xffff), (13, 0)]
        {
            let offsets = Offsets::new(squares, pairs).unwrap();
            let end = (0..1u64 << squares).fold(0, |start, set| {
                assert_eq!(offsets.start(set), start, "{squares} {pairs:#b} {set:#b}");
                start + words_of((set & pairs).count_ones())
            });
            assert_eq!(offsets.words(), end);
        }
    }

    #[test]
    fn large_boards_have_small_tables() {
        for (squares, pairs) in [(32, u64::MAX >> 32), (30, 0x2aaa_aaaa), (25, 1)] {
            let offsets = Offsets::new(squares, pairs).unwrap();
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
    }

    #[test]
    fn what_no_machine_has_is_no_number() {
        assert_eq!(Offsets::total(4, 0), Some(16));
        assert_eq!(Offsets::total(0, 40), Some(1 << 40));
        assert_eq!(Offsets::total(64, 0), None);
        assert_eq!(Offsets::total(0, 64), None);
    }
}
