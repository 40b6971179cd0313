//! The possible contents of neighbouring squares, numbered.

use super::Sets;

/// The most squares whose possible contents are a list: it has a bit for each content, possible or not.
pub const MOST_LISTED: u32 = 28;

/// The possible contents of consecutive squares, numbered from 0 in ascending order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Numbered {
    /// All contents of so many squares.
    All(u32),
    /// Some of the contents.
    Listed(Ranked),
}

/// A list of contents, and the number of listed contents below any content in constant time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranked {
    list: Vec<u64>,
    /// A bit for each content: whether it is listed.
    bits: Vec<u64>,
    /// For each word of `bits`, the number of listed contents below it.
    ranks: Vec<u32>,
}

impl Numbered {
    /// The contents of the squares of `sets` from `low` up to `high`, which lie between groups. Bit 0 of a content is square `low`.
    ///
    /// # Panics
    /// If they are more than [`MOST_LISTED`] squares that cannot have all contents.
    #[must_use]
    pub fn new(sets: &Sets, low: u32, high: u32) -> Self {
        let squares = high - low;
        if sets.are_any(low, high) {
            return Self::All(squares);
        }
        assert!(squares <= MOST_LISTED, "a list of the contents of {squares} squares");
        let list: Vec<u64> = sets.all(low, high).into_iter().map(|content| content >> low).collect();
        let mut bits = vec![0u64; (1usize << squares).div_ceil(64)];
        list.iter().for_each(|content| bits[(content / 64) as usize] |= 1 << (content % 64));
        let before = bits.iter().scan(0, |below, word| {
            let rank = *below;
            *below += word.count_ones();
            Some(rank)
        });
        let ranks = before.collect();
        Self::Listed(Ranked { list, bits, ranks })
    }

    /// The number of contents.
    #[must_use]
    pub const fn count(&self) -> usize {
        match self {
            Self::All(squares) => 1 << *squares,
            Self::Listed(ranked) => ranked.list.len(),
        }
    }

    /// The content with this number.
    #[must_use]
    pub fn content(&self, number: usize) -> u64 {
        match self {
            Self::All(_) => number as u64,
            Self::Listed(ranked) => ranked.list[number],
        }
    }

    /// Returns whether `content` is possible.
    #[must_use]
    #[inline]
    pub fn has(&self, content: u64) -> bool {
        match self {
            Self::All(_) => true,
            Self::Listed(ranked) => ranked.bits[(content / 64) as usize] >> (content % 64) & 1 == 1,
        }
    }

    /// The number of possible contents below `content`: its number, if it is possible.
    #[must_use]
    #[inline]
    pub fn number(&self, content: u64) -> usize {
        match self {
            Self::All(_) => content as usize,
            Self::Listed(Ranked { bits, ranks, .. }) => {
                let word = (content / 64) as usize;
                let below = bits[word] & ((1 << (content % 64)) - 1);
                (ranks[word] + below.count_ones()) as usize
            }
        }
    }
}
