//! A set of cells as one machine word.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// The filled cells of a position (or any other set of cells), one bit per cell.
///
/// The first cell in reading order is the *most* significant bit of the game's board number, so that a board written
/// out in binary reads like the board itself. The 4x4 board
///
/// ```text
/// X X . .
/// X X . .      0b1100_1100_0000_0000 = 0xcc00 = 52224
/// . . . .
/// . . . .
/// ```
///
/// has its top left square in bit 15 and its bottom right square in bit 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Board(u64);

impl Board {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The set of the cells whose bits are set in `word`. Cells above bit 63 stay empty.
    #[must_use]
    #[inline]
    pub const fn from_word(word: u64) -> Self {
        Self(word)
    }

    /// The cells in bits 0 to 63, as a machine word.
    ///
    /// This is the whole board where the caller knows that the game has at most 64 cells: in kernels, in keys and in tables.
    #[must_use]
    #[inline]
    pub const fn low_word(self) -> u64 {
        self.0
    }

    /// The set with this board number, or `None` if the number has bits that no board has.
    #[must_use]
    #[inline]
    pub fn from_number(number: u128) -> Option<Self> {
        number.try_into().ok().map(Self)
    }

    /// The board number: each cell is one binary digit.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u128 {
        self.0 as u128
    }

    /// The bytes of the board number, lowest first.
    #[must_use]
    #[inline]
    pub const fn le_bytes(self) -> [u8; size_of::<Self>()] {
        self.0.to_le_bytes()
    }

    /// The set of all `cells` cells; 64 or more fill the word.
    #[must_use]
    #[inline]
    pub const fn full(cells: u32) -> Self {
        if cells >= u64::BITS { Self(u64::MAX) } else { Self((1 << cells) - 1) }
    }

    /// The set that contains only the cell in bit `bit`.
    ///
    /// # Panics
    /// In debug builds, if `bit` is [`MAX_CELLS`](super::MAX_CELLS) or more.
    #[must_use]
    #[inline]
    pub const fn bit(bit: u32) -> Self {
        Self(1 << bit)
    }

    /// The cell with number `index` in reading order, counted from 0, on a board of `cells` cells.
    ///
    /// # Panics
    /// In debug builds, if `index` is not below `cells`.
    #[must_use]
    #[inline]
    pub const fn at(index: u32, cells: u32) -> Self {
        Self::bit(cells - 1 - index)
    }

    /// Returns whether the set is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of cells in the set.
    #[must_use]
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The bit of the lowest cell, or `None` for the empty set.
    #[must_use]
    #[inline]
    pub const fn lowest(self) -> Option<u32> {
        if self.is_empty() { None } else { Some(self.0.trailing_zeros()) }
    }

    /// Returns whether the set contains the cell in bit `bit`.
    ///
    /// # Panics
    /// In debug builds, if `bit` is [`MAX_CELLS`](super::MAX_CELLS) or more.
    #[must_use]
    #[inline]
    pub const fn has(self, bit: u32) -> bool {
        self.0 >> bit & 1 == 1
    }

    /// Returns whether every cell of `other` is in this set.
    #[must_use]
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether the sets have no cell in common.
    #[must_use]
    #[inline]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// The bits of the set's cells, lowest first.
    #[inline]
    pub fn bits(self) -> impl Iterator<Item = u32> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                bit
            })
        })
    }

    /// Every subset of the set, by descending number: first the set itself, last the empty set.
    #[inline]
    pub fn subsets(self) -> impl Iterator<Item = Self> + Clone {
        std::iter::successors(Some(self), move |subset| Some(Self(subset.0.checked_sub(1)? & self.0)))
    }
}

impl BitOr for Board {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Board {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl FromIterator<Self> for Board {
    /// The union of the sets.
    fn from_iter<I: IntoIterator<Item = Self>>(sets: I) -> Self {
        sets.into_iter().fold(Self::EMPTY, |union, set| union | set)
    }
}

impl BitAnd for Board {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitXor for Board {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Board {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitAndAssign for Board {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl Shl<u32> for Board {
    type Output = Self;

    /// The set with every cell moved up by `bits` bits. Cells that leave the word are lost.
    ///
    /// # Panics
    /// In debug builds, if `bits` is [`MAX_CELLS`](super::MAX_CELLS) or more.
    #[inline]
    fn shl(self, bits: u32) -> Self {
        Self(self.0 << bits)
    }
}

impl Shr<u32> for Board {
    type Output = Self;

    /// The set with every cell moved down by `bits` bits. Cells below bit 0 are lost.
    ///
    /// # Panics
    /// In debug builds, if `bits` is [`MAX_CELLS`](super::MAX_CELLS) or more.
    #[inline]
    fn shr(self, bits: u32) -> Self {
        Self(self.0 >> bits)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({:#x})", self.0)
    }
}

impl fmt::LowerHex for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Board;

    #[test]
    fn reading_order_is_most_significant_first() {
        assert_eq!(Board::at(0, 16), Board(0x8000));
        assert_eq!(Board::at(15, 16), Board(1));
        assert_eq!(Board::at(0, 64), Board(1 << 63));
    }

    #[test]
    fn full_reaches_the_whole_word() {
        assert_eq!(Board::full(0), Board::EMPTY);
        assert_eq!(Board::full(1), Board(1));
        assert_eq!(Board::full(64), Board(u64::MAX));
    }

    #[test]
    fn bits_come_lowest_first() {
        assert_eq!(Board(0b1010_0001).bits().collect::<Vec<_>>(), [0, 5, 7]);
        assert_eq!(Board::EMPTY.bits().count(), 0);
    }

    #[test]
    fn unions() {
        let mut board = Board::bit(1);
        board |= Board::bit(4);
        assert_eq!((board, [1, 4].map(Board::bit).into_iter().collect::<Board>()), (Board(0b10010), board));
        assert_eq!([].into_iter().collect::<Board>(), Board::EMPTY);
    }

    #[test]
    fn set_relations() {
        let (square, corner) = (Board(0b0110), Board(0b0010));
        assert!(square.contains(corner) && !corner.contains(square));
        assert!(corner.is_disjoint(Board(0b0100)) && !corner.is_disjoint(square));
        assert_eq!((square ^ corner, square & corner, corner | Board(1)), (Board(4), corner, Board(3)));
    }
}
