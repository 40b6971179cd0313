//! A set of cells as one machine word.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

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
pub struct Board(pub u64);

impl Board {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The set of all `cells` cells; 64 or more fill the word.
    #[must_use]
    pub const fn full(cells: u32) -> Self {
        if cells >= u64::BITS { Self(u64::MAX) } else { Self((1 << cells) - 1) }
    }

    /// The set that contains only the cell in bit `bit`.
    ///
    /// # Panics
    /// In debug builds, if `bit` is 64 or more.
    #[must_use]
    pub const fn bit(bit: u32) -> Self {
        Self(1 << bit)
    }

    /// The cell with number `index` in reading order, counted from 0, on a board of `cells` cells.
    ///
    /// # Panics
    /// In debug builds, if `index` is not below `cells`.
    #[must_use]
    pub const fn at(index: u32, cells: u32) -> Self {
        Self::bit(cells - 1 - index)
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of cells in the set.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether every cell of `other` is in this set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the sets have no cell in common.
    #[must_use]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// The bits of the set's cells, lowest first.
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
}

impl BitOr for Board {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Board {
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
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitXor for Board {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Board {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
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
