//! A set of cells as one number of 128 bits.

use std::fmt;
use std::hash::{Hash, Hasher};
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
///
/// The number is stored as bytes, so that a [`Position`](super::Position) has no padding: 18 bytes instead of 32.
#[derive(Clone, Copy, Default)]
pub struct Board([u8; 16]);

impl Board {
    /// The empty set.
    pub const EMPTY: Self = Self::from_number(0);

    /// The set with board number `number`.
    #[must_use]
    #[inline(always)]
    pub const fn from_number(number: u128) -> Self {
        Self(number.to_ne_bytes())
    }

    /// The board number: each cell is one binary digit.
    #[must_use]
    #[inline(always)]
    pub const fn number(self) -> u128 {
        u128::from_ne_bytes(self.0)
    }

    /// The set of the cells whose bits are set in `word`. Cells above bit 63 stay empty.
    #[must_use]
    #[inline]
    pub const fn from_word(word: u64) -> Self {
        Self::from_number(word as u128)
    }

    /// The cells in bits 0 to 63, as a machine word.
    ///
    /// This is the whole board where the caller knows that the game has at most 64 cells, as in the kernels of sweeps.
    #[must_use]
    #[inline]
    pub const fn low_word(self) -> u64 {
        self.number() as u64
    }

    /// The board number as a machine word, or `None` if a cell above bit 63 is filled.
    #[must_use]
    #[inline]
    pub const fn to_word(self) -> Option<u64> {
        let word = self.low_word();
        if word as u128 == self.number() { Some(word) } else { None }
    }

    /// The bytes of the board number, lowest first.
    #[must_use]
    #[inline]
    pub const fn le_bytes(self) -> [u8; size_of::<Self>()] {
        self.number().to_le_bytes()
    }

    /// The set of all `cells` cells; 128 or more fill the number.
    #[must_use]
    #[inline]
    pub const fn full(cells: u32) -> Self {
        if cells >= u128::BITS { Self::from_number(u128::MAX) } else { Self::from_number((1 << cells) - 1) }
    }

    /// The set that contains only the cell in bit `bit`.
    ///
    /// # Panics
    /// In debug builds, if `bit` is [`MAX_CELLS`](super::MAX_CELLS) or more.
    #[must_use]
    #[inline]
    pub const fn bit(bit: u32) -> Self {
        Self::from_number(1 << bit)
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
        self.number() == 0
    }

    /// The number of cells in the set.
    #[must_use]
    #[inline]
    pub const fn count(self) -> u32 {
        // Most boards have at most 64 cells, and counting takes many steps on processors without an instruction for it.
        match self.to_word() {
            Some(word) => word.count_ones(),
            None => self.number().count_ones(),
        }
    }

    /// The bit of the lowest cell, or `None` for the empty set.
    #[must_use]
    #[inline]
    pub const fn lowest(self) -> Option<u32> {
        if self.is_empty() { None } else { Some(self.number().trailing_zeros()) }
    }

    /// Returns whether the set contains the cell in bit `bit`.
    ///
    /// # Panics
    /// In debug builds, if `bit` is [`MAX_CELLS`](super::MAX_CELLS) or more.
    #[must_use]
    #[inline]
    pub const fn has(self, bit: u32) -> bool {
        self.number() >> bit & 1 == 1
    }

    /// Returns whether every cell of `other` is in this set.
    #[must_use]
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.number() & other.number() == other.number()
    }

    /// Returns whether the sets have no cell in common.
    #[must_use]
    #[inline]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.number() & other.number() == 0
    }

    /// The bits of the set's cells, lowest first.
    #[inline]
    pub fn bits(self) -> impl Iterator<Item = u32> + Clone {
        let mut rest = self.number();
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
        std::iter::successors(Some(self), move |subset| {
            Some(Self::from_number(subset.number().checked_sub(1)? & self.number()))
        })
    }
}

impl PartialEq for Board {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.number() == other.number()
    }
}

impl Eq for Board {}

impl PartialOrd for Board {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Board {
    /// Compares board numbers.
    #[inline(always)]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.number().cmp(&other.number())
    }
}

impl Hash for Board {
    /// Hashes the low word alone where the high word is empty, because most boards have at most 64 cells.
    #[inline(always)]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.low_word());
        let high = (self.number() >> u64::BITS) as u64;
        if high != 0 {
            state.write_u64(high);
        }
    }
}

impl BitOr for Board {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self::from_number(self.number() | other.number())
    }
}

impl BitOrAssign for Board {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
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
        Self::from_number(self.number() & other.number())
    }
}

impl BitXor for Board {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self::from_number(self.number() ^ other.number())
    }
}

impl Not for Board {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self::from_number(!self.number())
    }
}

impl BitAndAssign for Board {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
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
        Self::from_number(self.number() << bits)
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
        Self::from_number(self.number() >> bits)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({:#x})", self.number())
    }
}

impl fmt::LowerHex for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.number(), f)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

    use super::Board;

    #[test]
    fn reading_order_is_most_significant_first() {
        assert_eq!(Board::at(0, 16), Board::from_number(0x8000));
        assert_eq!(Board::at(15, 16), Board::from_number(1));
        assert_eq!(Board::at(0, 64), Board::from_number(1 << 63));
        assert_eq!(Board::at(0, 128), Board::from_number(1 << 127));
    }

    #[test]
    fn full_reaches_the_whole_word() {
        assert_eq!(Board::full(0), Board::EMPTY);
        assert_eq!(Board::full(1), Board::from_number(1));
        assert_eq!(Board::full(64), Board::from_word(u64::MAX));
        assert_eq!(Board::full(65).number(), u128::from(u64::MAX) << 1 | 1);
        assert_eq!(Board::full(128), Board::from_number(u128::MAX));
    }

    #[test]
    fn bits_come_lowest_first() {
        assert_eq!(Board::from_number(0b1010_0001).bits().collect::<Vec<_>>(), [0, 5, 7]);
        assert_eq!(Board::from_number(1 << 127 | 1 << 64 | 2).bits().collect::<Vec<_>>(), [1, 64, 127]);
        assert_eq!(Board::EMPTY.bits().count(), 0);
    }

    #[test]
    fn unions() {
        let mut board = Board::bit(1);
        board |= Board::bit(4);
        assert_eq!(
            (board, [1, 4].map(Board::bit).into_iter().collect::<Board>()),
            (Board::from_number(0b10010), board)
        );
        assert_eq!([].into_iter().collect::<Board>(), Board::EMPTY);
    }

    #[test]
    fn set_relations() {
        let (square, corner) = (Board::from_number(0b0110), Board::from_number(0b0010));
        assert!(square.contains(corner) && !corner.contains(square));
        assert!(corner.is_disjoint(Board::from_number(0b0100)) && !corner.is_disjoint(square));
        assert_eq!(
            (square ^ corner, square & corner, corner | Board::from_number(1)),
            (Board::from_number(4), corner, Board::from_number(3))
        );
    }

    #[test]
    fn wide_boards_compare_as_numbers() {
        let (low, high) = (Board::from_word(u64::MAX), Board::bit(64));
        assert!(low < high && high.to_word().is_none() && low.to_word() == Some(u64::MAX));
        assert_eq!((high >> 64, (high | low).count(), high.lowest()), (Board::bit(0), 65, Some(64)));
        assert_eq!(size_of::<super::super::Position>(), 18);
    }

    #[test]
    fn each_cell_changes_the_hash() {
        let hash = |board: Board| BuildHasherDefault::<DefaultHasher>::default().hash_one(board);
        let hashes: HashSet<u64> = (0..128).map(Board::bit).chain([Board::EMPTY]).map(hash).collect();
        assert_eq!(hashes.len(), 129);
    }

    #[test]
    fn boards_are_shown_as_hexadecimal_numbers() {
        let board = Board::from_number(0xcc << 64);
        assert_eq!(format!("{board:?} {board:#x}"), "Board(0xcc0000000000000000) 0xcc0000000000000000");
    }
}
