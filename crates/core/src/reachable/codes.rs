//! Positions as numbers that look random.

use std::hash::Hash;
use std::ops::{BitOr, BitXor};

use crate::rules::{Board, Mode, Position, Rules};

/// A one-to-one mapping of the positions of a game onto the numbers below 2^[`bits`](Self::bits).
///
/// The key of a position is its mode above its board. Its code is the key mixed by reversible steps, all on exactly
/// [`bits`](Self::bits) bits, where `s` is half of `bits`, rounded up:
///
/// ```text
/// x ^= x >> s;    x = x * A mod 2^bits;    x ^= x >> s;    x = x * B mod 2^bits;    x ^= x >> s
/// ```
///
/// Reachable positions agree in most cells. Their codes are spread evenly, so the top bits of a code can be used as an
/// index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Codes {
    cells: u32,
    modes: u32,
    bits: u32,
    /// The inverses of the factors, in reverse order.
    inverse: [u128; 2],
}

/// The odd factors of the mixing.
const FACTORS: [u128; 2] = [0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835, 0xd6e8_feb8_6659_fd93_a076_1d64_78bd_642f];

impl Codes {
    /// The codes for boards of `cells` cells (1 to 64) in `modes` modes.
    #[must_use]
    pub fn new(cells: u32, modes: u32) -> Self {
        let mode_bits = u32::BITS - modes.saturating_sub(1).leading_zeros();
        Self { cells, modes, bits: cells + mode_bits, inverse: [inverse(FACTORS[1]), inverse(FACTORS[0])] }
    }

    /// The codes for the positions of `rules`.
    #[must_use]
    pub fn of(rules: &Rules) -> Self {
        Self::new(rules.cells(), rules.modes().len() as u32)
    }

    /// The key with `code`, in a word that can hold any code. `code` must be a code.
    #[inline(always)]
    pub fn key<W: KeyWord>(&self, code: W) -> W {
        code.mix(self.bits, self.inverse)
    }

    /// The code of the position with `key`, in a word that can hold any code.
    #[inline(always)]
    pub fn code_of_key<W: KeyWord>(&self, key: W) -> W {
        key.mix(self.bits, FACTORS)
    }

    /// The number of bits of a code: bits for the board plus bits for the mode.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// The code of `position`, which must be a position of the game.
    #[inline]
    #[must_use]
    pub fn code(&self, position: Position) -> u128 {
        if self.bits <= u64::BITS {
            let key = position.board.low_word() | u64::from(position.mode.0).checked_shl(self.cells).unwrap_or(0);
            return self.code_of_key(key).into();
        }
        self.code_of_key(position.board.number() | u128::from(position.mode.0) << self.cells)
    }

    /// The position with `code`; `None` if the number is not a code, or its mode does not exist in the game.
    #[inline]
    #[must_use]
    pub(crate) fn position(&self, code: u128) -> Option<Position> {
        if code.checked_shr(self.bits).unwrap_or(0) != 0 {
            return None;
        }
        let key = if self.bits <= u64::BITS { self.key(code as u64).into() } else { self.key(code) };
        let (mode, board) = (key >> self.cells, Board::from_number(key & Board::full(self.cells).number())?);
        (mode < u128::from(self.modes)).then(|| Position::new(Mode(mode as u16), board))
    }
}

/// A word that holds codes and keys. Solvers use the narrowest word that fits, because it is the fastest.
pub trait KeyWord:
    Copy + Ord + Hash + Send + Sync + Default + 'static + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// Bits of the word.
    const BITS: u32;
    /// The word that holds `number`, which must fit.
    fn of(number: u128) -> Self;
    /// The number it holds.
    fn number(self) -> u128;
    /// The lowest 64 bits of the number.
    fn low(self) -> u64;
    /// The bits from bit `bits` up; 0 beyond the end of the word.
    fn above(self, bits: u32) -> usize;
    /// The bits below `bits`.
    fn below(self, bits: u32) -> Self;
    /// The number with `high` in the bits from `bits` up, which must fit.
    fn raised(high: usize, bits: u32) -> Self;
    /// The word with every bit set.
    fn ones() -> Self;
    /// Mixes the low `bits` bits, at least one; the higher bits must be zero. See [`Codes`]. The inverse factors in
    /// reverse order undo it, since each shift is its own inverse.
    fn mix(self, bits: u32, factors: [u128; 2]) -> Self;
}

macro_rules! word {
    ($($word:ty),*) => {$(
        impl KeyWord for $word {
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

/// The inverse of the odd number `factor` under multiplication, modulo every power of two up to 2^128.
fn inverse(factor: u128) -> u128 {
    // Each Newton step doubles the number of correct low bits; an odd number is its own inverse modulo 8.
    (0..6).fold(factor, |x, _| x.wrapping_mul(2u128.wrapping_sub(factor.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn codes_have_the_bits_of_board_and_mode() {
        let bits = |cells, modes| Codes::new(cells, modes).bits();
        assert_eq!(
            [bits(1, 1), bits(9, 2), bits(64, 1), bits(64, 2), bits(55, 26), bits(64, 4096)],
            [1, 10, 64, 65, 60, 76]
        );
    }

    #[test]
    fn the_codes_of_a_small_game_are_all_numbers() {
        for (cells, modes) in [(1, 1), (1, 2), (2, 1), (7, 8), (3, 16)] {
            let codes = Codes::new(cells, modes);
            let positions = (0..modes as u16)
                .flat_map(|m| (0..1 << cells).map(move |b| Position::new(Mode(m), Board::from_word(b))));
            let all: HashSet<u128> = positions.map(|p| codes.code(p)).collect();
            assert_eq!(all, (0..1 << codes.bits()).collect());
        }
    }

    #[test]
    fn invalid_codes_have_no_position() {
        let codes = Codes::new(4, 3);
        assert_eq!((0..128).filter(|&code| codes.position(code).is_some()).count(), 48);
        assert_eq!(Codes::new(64, 4096).position(1 << 76), None);
    }

    proptest! {
        #[test]
        fn position_undoes_code(cells in 1u32..=64, modes in 1u32..=4096, board: u64, mode: u16) {
            let codes = Codes::new(cells, modes);
            let position = Position::new(Mode(mode % modes as u16), Board::from_word(board) & Board::full(cells));
            let code = codes.code(position);
            prop_assert!(code < 1 << codes.bits());
            // Every word that is wide enough gives the same result.
            fn narrow<W: KeyWord>(codes: &Codes, code: u128) {
                if codes.bits() <= W::BITS {
                    let key = codes.key(W::of(code));
                    assert_eq!((key.number(), codes.code_of_key(key).number()), (codes.key(code), code));
                }
            }
            narrow::<u32>(&codes, code);
            narrow::<u64>(&codes, code);
            prop_assert_eq!(codes.position(code), Some(position));
        }
    }
}
