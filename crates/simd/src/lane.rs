//! The codes of positions in a line: numbers of one byte or of two.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::line::LANES;
use super::{Plain, Unit, Vector};

/// A code: `u8` or `u16`.
pub trait Lane:
    BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Copy
    + Ord
    + Debug
    + Send
    + Sync
    + 'static
{
    /// The number of its bits.
    const BITS: u32;
    /// The code 0.
    const ZERO: Self;
    /// The greatest code.
    const MAX: Self;

    /// The lanes of a word that have a cell filled, for each cell that distinguishes lanes of a word.
    const FILLED: &'static [u64];

    /// 64 codes as one value, by the instructions of `U` if it has any for them.
    type Vector<U: Unit>: Vector<Lane = Self>;

    /// The token for [`Vector`](Self::Vector).
    fn token<U: Unit>(unit: U) -> <Self::Vector<U> as Vector>::Token;

    /// A line in words.
    type Words: AsRef<[u64]> + AsMut<[u64]> + Copy;

    /// The lowest bits of `code`.
    fn of(code: u16) -> Self;

    /// The sum modulo 2 to the number of bits.
    fn plus(self, other: Self) -> Self;

    /// The difference, 0 if `other` is greater.
    fn less(self, other: Self) -> Self;

    /// The codes as words, the first lane in the lowest bits.
    fn words(codes: &[Self; LANES]) -> Self::Words;

    /// The codes in `words`.
    fn of_words(words: Self::Words) -> [Self; LANES];

    /// The lanes whose code is greater than `limit`, a bit each.
    fn above(codes: &[Self; LANES], limit: Self) -> u64;
}

/// Implements all but the vectors and [`above`](Lane::above), by the lanes of a word that have each cell filled, the number of lanes of a word, and the
/// conversions between these lanes and the word.
macro_rules! lane {
    ($lane:ident, $filled:expr, $lanes:literal, $word:expr, $codes:expr) => {
        const BITS: u32 = $lane::BITS;
        const ZERO: Self = 0;
        const MAX: Self = $lane::MAX;
        const FILLED: &'static [u64] = &$filled;

        type Words = [u64; LANES / $lanes];

        #[inline(always)]
        fn of(code: u16) -> Self {
            code as Self
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            self.wrapping_add(other)
        }

        #[inline(always)]
        fn less(self, other: Self) -> Self {
            self.saturating_sub(other)
        }

        #[inline(always)]
        fn words(codes: &[Self; LANES]) -> Self::Words {
            let mut words = [0; LANES / $lanes];
            for (word, codes) in words.iter_mut().zip(codes.as_chunks::<$lanes>().0) {
                *word = $word(*codes);
            }
            words
        }

        #[inline(always)]
        fn of_words(words: Self::Words) -> [Self; LANES] {
            let mut codes = [0; LANES];
            for (codes, word) in codes.as_chunks_mut::<$lanes>().0.iter_mut().zip(words) {
                *codes = $codes(word);
            }
            codes
        }
    };
}

impl Lane for u8 {
    lane!(
        u8,
        [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000],
        8,
        u64::from_le_bytes,
        u64::to_le_bytes
    );

    type Vector<U: Unit> = U::Bytes;

    #[inline(always)]
    fn token<U: Unit>(unit: U) -> <U::Bytes as Vector>::Token {
        unit.bytes()
    }

    #[inline(always)]
    fn above(codes: &[Self; LANES], limit: Self) -> u64 {
        // The product moves the lowest bit of each of eight bytes to the top byte.
        let eight = |codes: &[Self; 8]| {
            let above = u64::from_le_bytes(codes.map(|code| Self::from(code > limit)));
            above.wrapping_mul(0x0102_0408_1020_4080) >> 56
        };
        (0..).zip(codes.as_chunks().0).fold(0, |lanes, (number, codes)| lanes | eight(codes) << (8 * number))
    }
}

impl Lane for u16 {
    lane!(
        u16,
        [0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000],
        4,
        |codes: [Self; 4]| codes.into_iter().rev().fold(0, |word, code| word << 16 | u64::from(code)),
        |word: u64| [0, 16, 32, 48].map(|bits| (word >> bits) as Self)
    );

    /// Plain Rust, compiled for the unit: few games have such codes.
    type Vector<U: Unit> = Plain<Self>;

    #[inline(always)]
    fn token<U: Unit>(_: U) {}

    #[inline(always)]
    fn above(codes: &[Self; LANES], limit: Self) -> u64 {
        u8::above(&codes.map(|code| u8::from(code > limit)), 0)
    }
}
