//! Boards in the registers of AVX-512 and AVX2.

use super::super::boards::{Block, Boards, Shift};
use super::HasAvx2;
use super::bits::{Avx2, Avx512};
use super::instructions::{prefetch_far, shift_by};

/// For each number of words to move down by, the source of each of eight words.
static WORDS_UP: [[u64; 8]; 8] = words_from(false);
/// For each number of words to move up by, the source of each of eight words.
static WORDS_DOWN: [[u64; 8]; 8] = words_from(true);

const fn words_from(down: bool) -> [[u64; 8]; 8] {
    let mut table = [[0; 8]; 8];
    let mut words = 0;
    while words < 8 {
        let mut word = 0;
        while word < 8 {
            table[words][word] = if down { word & !words } else { word | words } as u64;
            word += 1;
        }
        words += 1;
    }
    table
}

impl Boards for Avx512 {
    const UNROLLED: bool = true;
    const UNROLLED_DRAWS: bool = true;

    #[inline(always)]
    fn prefetch<T>(at: *const T) {
        prefetch_far(at);
    }

    #[inline(always)]
    fn lowered(self, shift: Shift) -> Self {
        let Self(token, words) = self;
        let from = token.load(&WORDS_UP[usize::from(shift.words() & 7)], 0);
        let words = token._mm512_permutexvar_epi64(from, words);
        Self(token, token._mm512_srl_epi64(words, shift_by(shift.bits().into())))
    }

    #[inline(always)]
    fn raised(self, shift: Shift) -> Self {
        let Self(token, words) = self;
        let from = token.load(&WORDS_DOWN[usize::from(shift.words() & 7)], 0);
        let words = token._mm512_permutexvar_epi64(from, words);
        Self(token, token._mm512_sll_epi64(words, shift_by(shift.bits().into())))
    }

    #[inline(always)]
    fn or_and(self, mask: Self, other: Self) -> Self {
        // The truth table of a | (b & c).
        Self(self.0, self.0._mm512_ternarylogic_epi64::<0xf8>(self.1, mask.1, other.1))
    }

    #[inline(always)]
    fn or_without(self, mask: Self, other: Self) -> Self {
        // The truth table of a | (b & !c).
        Self(self.0, self.0._mm512_ternarylogic_epi64::<0xf4>(self.1, mask.1, other.1))
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        self.0._mm512_cmpneq_epi64_mask(self.1, other.1) == 0
    }
}

impl Avx2 {
    /// Each word moved down by `bits`.
    #[inline(always)]
    fn shifted_down(self, bits: u8) -> Self {
        let (Self(token, lower, upper), bits) = (self, shift_by(bits.into()));
        Self(token, token._mm256_srl_epi64(lower, bits), token._mm256_srl_epi64(upper, bits))
    }

    /// Each word moved up by `bits`.
    #[inline(always)]
    fn shifted_up(self, bits: u8) -> Self {
        let (Self(token, lower, upper), bits) = (self, shift_by(bits.into()));
        Self(token, token._mm256_sll_epi64(lower, bits), token._mm256_sll_epi64(upper, bits))
    }

    /// In each half, the words that `lanes` names. They are pairs of 32-bit lanes: the instruction that permutes by a
    /// variable knows no larger ones.
    #[inline(always)]
    fn permuted(self, lanes: &[u32; 8]) -> Self {
        let Self(token, lower, upper) = self;
        let lanes = token.load(lanes, 0);
        Self(token, token._mm256_permutevar8x32_epi32(lower, lanes), token._mm256_permutevar8x32_epi32(upper, lanes))
    }

    /// In each half, the words that lie `words & 3` up among its four.
    #[inline(always)]
    fn words_up(self, words: u8) -> Self {
        static LANES: [[u32; 8]; 4] =
            [[0, 1, 2, 3, 4, 5, 6, 7], [2, 3, 2, 3, 6, 7, 6, 7], [4, 5, 6, 7, 4, 5, 6, 7], [6, 7, 6, 7, 6, 7, 6, 7]];
        self.permuted(&LANES[usize::from(words & 3)])
    }

    /// In each half, the words that lie `words & 3` down among its four.
    #[inline(always)]
    fn words_down(self, words: u8) -> Self {
        static LANES: [[u32; 8]; 4] =
            [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 0, 1, 4, 5, 4, 5], [0, 1, 2, 3, 0, 1, 2, 3], [0, 1, 0, 1, 0, 1, 0, 1]];
        self.permuted(&LANES[usize::from(words & 3)])
    }
}

impl Boards for Avx2 {
    const UNROLLED: bool = true;
    const UNROLLED_DRAWS: bool = false;

    #[inline(always)]
    fn load_lowered(token: HasAvx2, Block(words): &Block, shift: Shift) -> Self {
        // A shift by four words or more reads the lower half of the result from the upper half.
        let lower = usize::from(shift.words() >> 2);
        let halves = Self(token, token.load(words, lower), token.load(words, 1));
        halves.words_up(shift.words()).shifted_down(shift.bits())
    }

    #[inline(always)]
    fn prefetch<T>(at: *const T) {
        prefetch_far(at);
    }

    #[inline(always)]
    fn lowered(self, shift: Shift) -> Self {
        let Self(token, lower, upper) = self;
        let lower = if shift.words() & 4 == 0 { lower } else { upper };
        Self(token, lower, upper).words_up(shift.words()).shifted_down(shift.bits())
    }

    #[inline(always)]
    fn raised(self, shift: Shift) -> Self {
        let Self(token, lower, upper) = self;
        let upper = if shift.words() & 4 == 0 { upper } else { lower };
        Self(token, lower, upper).words_down(shift.words()).shifted_up(shift.bits())
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        let token = self.0;
        let (lower, upper) = (token._mm256_cmpeq_epi64(self.1, other.1), token._mm256_cmpeq_epi64(self.2, other.2));
        token._mm256_movemask_epi8(token._mm256_and_si256(lower, upper)) == -1
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::boards::tests::keeps_to_the_definition;
    use super::super::HasAvx512;
    use super::*;

    #[test]
    fn avx512_keeps_to_the_definition() {
        if let Some(token) = HasAvx512::detect() {
            keeps_to_the_definition::<Avx512>(token);
        }
    }

    #[test]
    fn avx2_keeps_to_the_definition() {
        if let Some(token) = HasAvx2::detect() {
            keeps_to_the_definition::<Avx2>(token);
        }
    }
}
