//! Boards as the machine words that a search computes with.

use std::ops::{BitAnd, BitAndAssign, BitOrAssign, Not};

use crate::entry::EntryWord;
use crate::rules::Board;

/// A board as a word of 64 or 128 bits. A search of a game uses the narrower word if it fits, because it is faster.
pub(crate) trait Word:
    EntryWord + BitAnd<Output = Self> + BitAndAssign + BitOrAssign + Not<Output = Self>
{
    /// The empty set.
    const ZERO: Self;
    /// The number of cells.
    fn count(self) -> u32;
    /// The lowest cell of a set that is not empty.
    fn lowest(self) -> u32;
    /// The set without its lowest cell.
    fn without_lowest(self) -> Self;

    /// The cells of `board`, which must fit.
    fn of_board(board: Board) -> Self {
        Self::of(board.number())
    }

    /// The set as a board.
    fn board(self) -> Board {
        Board::from_number(self.number())
    }

    /// The set of one cell.
    #[inline(always)]
    fn bit(bit: u32) -> Self {
        Self::of(1) << bit
    }

    /// Returns whether the set is empty.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }

    /// Returns whether every cell of `other` is in the set.
    #[inline(always)]
    fn contains(self, other: Self) -> bool {
        self & other == other
    }

    /// The cells of the set, lowest first.
    #[inline(always)]
    fn bits(self) -> impl Iterator<Item = u32> {
        let mut rest = self;
        std::iter::from_fn(move || {
            (!rest.is_empty()).then(|| {
                let bit = rest.lowest();
                rest = rest.without_lowest();
                bit
            })
        })
    }
}

macro_rules! word {
    ($($word:ty),*) => {$(
        impl Word for $word {
            const ZERO: Self = 0;
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    )*};
}
word!(u64, u128);
