//! Words that hold keys, codes and boards.
//!
//! Solvers are generic over the word that holds a key, and this word chooses the word that holds a board. The narrowest
//! word that fits is the fastest:
//!
//! ```text
//! bits of a key   cells        key          board
//!  1 to  32                    u32          u64
//! 33 to  64                    u64          u64
//! 65 to 127       up to 64     u128         u64
//! 65 to 127       more         WideKey      u128
//! ```

use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitXor, Not, Shr};

use crate::rules::Board;

/// A word that holds the cells of a board: `u64` for up to 64 cells, `u128` for more.
pub trait BoardWord:
    Copy
    + Ord
    + Hash
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shr<u32, Output = Self>
{
    /// The word with every bit set.
    const FULL: Self;
    /// The word that holds `board`, whose cells must fit.
    fn of(board: Board) -> Self;
    /// The board that it holds.
    fn board(self) -> Board;
    /// The number of its cells.
    fn count(self) -> u32;
    /// The lowest 64 bits.
    fn low(self) -> u64;
    /// The lowest cell alone; no cell for the empty board.
    fn lowest(self) -> Self;
    /// The next smaller subset of `all` after the subset `self`, which must not be empty.
    fn next_subset(self, all: Self) -> Self;
}

macro_rules! board_word {
    ($word:ty, $of:ident, $from:ident) => {
        impl BoardWord for $word {
            const FULL: Self = Self::MAX;
            #[inline(always)]
            fn of(board: Board) -> Self {
                board.$of()
            }
            #[inline(always)]
            fn board(self) -> Board {
                Board::$from(self)
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn lowest(self) -> Self {
                self & self.wrapping_neg()
            }
            #[inline(always)]
            fn next_subset(self, all: Self) -> Self {
                self.wrapping_sub(1) & all
            }
        }
    };
}
board_word!(u64, low_word, from_word);
board_word!(u128, number, from_number);

/// A word that holds codes and keys. Solvers use the narrowest word that fits, because it is the fastest.
pub trait KeyWord:
    Copy + Ord + Hash + Send + Sync + Default + 'static + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// The word that holds the board of a key.
    type Board: BoardWord;
    /// Bits of the word.
    const BITS: u32;
    /// The word that holds `number`, which must fit.
    fn of(number: u128) -> Self;
    /// The number it holds.
    fn number(self) -> u128;
    /// The lowest 64 bits of the number.
    fn low(self) -> u64;
    /// All bits that can differ between the keys of a region, in one machine word, so that few keys share a word.
    fn hashed(self) -> u64;
    /// The board in the bits of `board`, the set of all cells.
    fn cells(self, all: Self::Board) -> Self::Board;
    /// The key of the position with `board` in the first mode.
    fn of_cells(board: Self::Board) -> Self;
    /// The bits from bit `bits` up; 0 beyond the end of the word.
    fn above(self, bits: u32) -> usize;
    /// The bits below `bits`.
    fn below(self, bits: u32) -> Self;
    /// The number with `high` in the bits from `bits` up, which must fit.
    fn raised(high: usize, bits: u32) -> Self;
    /// The word with every bit set.
    fn ones() -> Self;
    /// Mixes the low `bits` bits, at least one; the higher bits must be zero. See `Codes`. The inverse factors in
    /// reverse order undo it, since each shift is its own inverse.
    fn mix(self, bits: u32, factors: [u128; 2]) -> Self;
}

macro_rules! word {
    ($($word:ty),*) => {$(
        impl KeyWord for $word {
            type Board = u64;
            const BITS: u32 = <$word>::BITS;
            #[inline(always)]
            fn of(number: u128) -> Self {
                number as Self
            }
            #[inline(always)]
            fn number(self) -> u128 {
                self as u128
            }
            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn hashed(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn cells(self, all: u64) -> u64 {
                self as u64 & all
            }
            #[inline(always)]
            fn of_cells(board: u64) -> Self {
                board as Self
            }
            #[inline(always)]
            fn above(self, bits: u32) -> usize {
                self.checked_shr(bits).unwrap_or(0) as usize
            }
            #[inline(always)]
            fn below(self, bits: u32) -> Self {
                self & (1 as $word).checked_shl(bits).map_or(Self::MAX, |bit| bit - 1)
            }
            #[inline(always)]
            fn raised(high: usize, bits: u32) -> Self {
                (high as $word).checked_shl(bits).unwrap_or(0)
            }
            #[inline(always)]
            fn ones() -> Self {
                Self::MAX
            }
            #[inline(always)]
            fn mix(self, bits: u32, factors: [u128; 2]) -> Self {
                let [first, second] = factors.map(|factor| factor as Self);
                let (shift, mask) = (bits.div_ceil(2), <$word>::MAX >> (<$word>::BITS - bits));
                let x = (self ^ self >> shift).wrapping_mul(first) & mask;
                let x = (x ^ x >> shift).wrapping_mul(second) & mask;
                x ^ x >> shift
            }
        }
    )*};
}
word!(u32, u64, u128);

/// A key of a position with more than 64 cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct WideKey(u128);

impl BitOr for WideKey {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for WideKey {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl KeyWord for WideKey {
    type Board = u128;
    const BITS: u32 = u128::BITS;
    #[inline(always)]
    fn of(number: u128) -> Self {
        Self(number)
    }
    #[inline(always)]
    fn number(self) -> u128 {
        self.0
    }
    #[inline(always)]
    fn low(self) -> u64 {
        self.0 as u64
    }
    #[inline(always)]
    fn hashed(self) -> u64 {
        let high = (self.0 >> u64::BITS) as u64;
        self.0 as u64 ^ high.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(u64::BITS / 2)
    }
    #[inline(always)]
    fn cells(self, all: u128) -> u128 {
        self.0 & all
    }
    #[inline(always)]
    fn of_cells(board: u128) -> Self {
        Self(board)
    }
    #[inline(always)]
    fn above(self, bits: u32) -> usize {
        self.0.above(bits)
    }
    #[inline(always)]
    fn below(self, bits: u32) -> Self {
        Self(self.0.below(bits))
    }
    #[inline(always)]
    fn raised(high: usize, bits: u32) -> Self {
        Self(u128::raised(high, bits))
    }
    #[inline(always)]
    fn ones() -> Self {
        Self(u128::MAX)
    }
    #[inline(always)]
    fn mix(self, bits: u32, factors: [u128; 2]) -> Self {
        Self(self.0.mix(bits, factors))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key of a wide board is a word of 128 bits, but its board is wide as well.
    #[test]
    fn wide_keys_are_words_of_128_bits() {
        let mut draw = fastrand::Rng::with_seed(1);
        for _ in 0..100 {
            let (a, b, bits) = (draw.u128(..), draw.u128(..), draw.u32(1..=128));
            let key = WideKey::of(a);
            assert_eq!(((key | WideKey::of(b)).number(), (key ^ WideKey::of(b)).number()), (a | b, a ^ b));
            assert_eq!((key.low(), key.cells(b), WideKey::of_cells(a)), (a as u64, a & b, key));
            assert_eq!(key.below(bits).number(), a & (u128::MAX >> (128 - bits)));
            assert_eq!(key.above(bits.max(65)) as u128, a.checked_shr(bits.max(65)).unwrap_or(0));
            let high = draw.usize(..1 << 20);
            assert_eq!(WideKey::raised(high, 100).number(), (high as u128) << 100);
            let small = a & (u128::MAX >> (128 - bits));
            let factors = [b | 1, a | 1];
            assert_eq!(WideKey::of(small).mix(bits, factors).number(), small.mix(bits, factors));
        }
        assert_eq!(WideKey::ones().number(), u128::MAX);
        // Both halves of a key decide its hash.
        let hashes = [0, 1, 1 << 64, 1 << 64 | 1, 1 << 127].map(|key| WideKey::of(key).hashed());
        assert_eq!(hashes.iter().collect::<std::collections::HashSet<_>>().len(), 5);
        assert_eq!(WideKey::of(7).hashed(), 7);
    }
}
