//! Positions as numbers that look random.

use super::KeyWord;
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
    /// The maximum number of bits of a code. Games whose boards and modes need more have no codes.
    pub const MOST_BITS: u32 = 127;

    /// The codes for boards of `cells` cells in `modes` modes. Codes exist only if they have at most
    /// [`MOST_BITS`](Self::MOST_BITS) bits.
    #[must_use]
    pub fn new(cells: u32, modes: u32) -> Self {
        let mode_bits = u32::BITS - modes.saturating_sub(1).leading_zeros();
        Self { cells, modes, bits: cells + mode_bits, inverse: [inverse(FACTORS[1]), inverse(FACTORS[0])] }
    }

    /// The codes for the positions of `rules`. They exist only if they have at most [`MOST_BITS`](Self::MOST_BITS) bits.
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
        let (mode, board) = (key >> self.cells, Board::from_number(key) & Board::full(self.cells));
        (mode < u128::from(self.modes)).then(|| Position::new(Mode(mode as u16), board))
    }
}

/// The inverse of the odd number `factor` under multiplication, modulo every power of two up to 2^128.
fn inverse(factor: u128) -> u128 {
    // Each Newton step doubles the number of correct low bits; an odd number is its own inverse modulo 8.
    (0..6).fold(factor, |x, _| x.wrapping_mul(2u128.wrapping_sub(factor.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use super::super::WideKey;
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn codes_have_the_bits_of_board_and_mode() {
        let bits = |cells, modes| Codes::new(cells, modes).bits();
        assert_eq!(
            [bits(1, 1), bits(9, 2), bits(64, 1), bits(64, 2), bits(55, 26), bits(64, 4096), bits(128, 2)],
            [1, 10, 64, 65, 60, 76, 129]
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
        fn position_undoes_code(cells in 1u32..=127, modes in 1u32..=4096, board: u128, mode: u16) {
            let modes = modes.min(1 << (Codes::MOST_BITS - cells).min(12));
            let codes = Codes::new(cells, modes);
            let position = Position::new(Mode(mode % modes as u16), Board::from_number(board) & Board::full(cells));
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
            narrow::<WideKey>(&codes, code);
            prop_assert_eq!(codes.position(code), Some(position));
        }
    }
}
