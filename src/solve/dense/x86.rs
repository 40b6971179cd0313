//! The vector units of x86-64: AVX-512 (one register a block) and AVX2 (two).
//!
//! Every `unsafe` block here calls instructions that not every processor has. The token proves that this one has them:
//! it is made by [`HasAvx2::detect`](super::tokens::HasAvx2::detect) and its like alone, and no vector is made without it.

use std::arch::x86_64::{
    __m256i, _MM_HINT_T1, _mm_cvtsi64_si128, _mm_prefetch, _mm256_and_si256, _mm256_cmpeq_epi64, _mm256_load_si256,
    _mm256_movemask_epi8, _mm256_permutevar8x32_epi32, _mm256_sll_epi64, _mm256_srl_epi64, _mm256_store_si256,
    _mm512_cmpneq_epi64_mask, _mm512_load_si512, _mm512_permutexvar_epi64, _mm512_sll_epi64, _mm512_srl_epi64,
    _mm512_store_si512, _mm512_ternarylogic_epi64,
};

use super::bits::{Avx2, Avx512};
use super::block::{Block, Shift};
use super::tokens::{HasAvx2, HasAvx512};
use super::vector::Vector;

/// For each number of words, the word that each of eight is taken from: the one that lies so many up.
static WORDS_UP: [Block; 8] = words_from(false);
/// The one that lies so many down.
static WORDS_DOWN: [Block; 8] = words_from(true);

const fn words_from(down: bool) -> [Block; 8] {
    let mut table = [Block([0; 8]); 8];
    let mut words = 0;
    while words < 8 {
        let mut word = 0;
        while word < 8 {
            table[words].0[word] = if down { word & !words } else { word | words } as u64;
            word += 1;
        }
        words += 1;
    }
    table
}

impl Avx512 {
    /// Each word moved down by `bits`.
    #[inline(always)]
    fn shifted(self, bits: u8) -> Self {
        // SAFETY: `self` was made with a token.
        Self(unsafe { _mm512_srl_epi64(self.0, _mm_cvtsi64_si128(i64::from(bits))) })
    }
}

impl Vector for Avx512 {
    const UNROLLED: bool = true;
    const UNROLLED_DRAWS: bool = true;

    #[inline(always)]
    unsafe fn load(_: HasAvx512, at: *const Block) -> Self {
        // SAFETY: the token; the caller promises a block that can be read, and blocks are aligned to 64 bytes.
        Self(unsafe { _mm512_load_si512(at.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut Block) {
        // SAFETY: `self` was made with a token; the caller promises a block that can be written, and blocks are aligned
        // to 64 bytes.
        unsafe { _mm512_store_si512(at.cast(), self.0) }
    }

    #[inline(always)]
    fn prefetch(at: *const Block) {
        // SAFETY: every x86-64 has the instruction, and it faults at no address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(at.cast()) }
    }

    #[inline(always)]
    fn moved(self, shift: Shift) -> Self {
        // SAFETY: `self` was made with a token; a shift is by fewer than eight words.
        let words = unsafe {
            let from = _mm512_load_si512(WORDS_UP.as_ptr().add(usize::from(shift.words())).cast());
            _mm512_permutexvar_epi64(from, self.0)
        };
        Self(words).shifted(shift.bits())
    }

    #[inline(always)]
    fn raised(self, shift: Shift) -> Self {
        // SAFETY: `self` was made with a token; a shift is by fewer than eight words.
        unsafe {
            let from = _mm512_load_si512(WORDS_DOWN.as_ptr().add(usize::from(shift.words())).cast());
            let words = _mm512_permutexvar_epi64(from, self.0);
            Self(_mm512_sll_epi64(words, _mm_cvtsi64_si128(i64::from(shift.bits()))))
        }
    }

    #[inline(always)]
    fn or_and(self, mask: Self, other: Self) -> Self {
        // SAFETY: `self` was made with a token. The constant is the truth table of a | (b & c).
        Self(unsafe { _mm512_ternarylogic_epi64::<0xf8>(self.0, mask.0, other.0) })
    }

    #[inline(always)]
    fn or_without(self, mask: Self, other: Self) -> Self {
        // SAFETY: `self` was made with a token. The constant is the truth table of a | (b & !c).
        Self(unsafe { _mm512_ternarylogic_epi64::<0xf4>(self.0, mask.0, other.0) })
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        // SAFETY: `self` was made with a token.
        unsafe { _mm512_cmpneq_epi64_mask(self.0, other.0) == 0 }
    }
}

impl Avx2 {
    /// Each word moved down by `bits`.
    #[inline(always)]
    fn shifted(self, bits: u8) -> Self {
        // SAFETY: `self` was made with a token.
        unsafe {
            let bits = _mm_cvtsi64_si128(i64::from(bits));
            Self(_mm256_srl_epi64(self.0, bits), _mm256_srl_epi64(self.1, bits))
        }
    }

    /// In each half, the words that lie `words & 3` up among its four.
    #[inline(always)]
    fn words_up(self, words: u8) -> Self {
        // Pairs of 32-bit lanes: the instruction that permutes by a variable knows no larger ones.
        static LANES: [[u32; 8]; 4] =
            [[0, 1, 2, 3, 4, 5, 6, 7], [2, 3, 2, 3, 6, 7, 6, 7], [4, 5, 6, 7, 4, 5, 6, 7], [6, 7, 6, 7, 6, 7, 6, 7]];
        // SAFETY: `self` was made with a token; the table has an entry for each of the four values.
        unsafe {
            let lanes = std::ptr::read_unaligned(LANES.as_ptr().add(usize::from(words & 3)).cast::<__m256i>());
            Self(_mm256_permutevar8x32_epi32(self.0, lanes), _mm256_permutevar8x32_epi32(self.1, lanes))
        }
    }
}

impl Vector for Avx2 {
    const UNROLLED: bool = true;
    const UNROLLED_DRAWS: bool = false;

    #[inline(always)]
    unsafe fn load(_: HasAvx2, at: *const Block) -> Self {
        // SAFETY: the token; the caller promises a block that can be read: two registers, aligned to 64 bytes.
        unsafe { Self(_mm256_load_si256(at.cast()), _mm256_load_si256(at.cast::<__m256i>().add(1))) }
    }

    #[inline(always)]
    unsafe fn load_moved(_: HasAvx2, at: *const Block, shift: Shift) -> Self {
        // The lower half is read from the upper one if the fourth word up is asked for.
        let lower = usize::from(shift.words() >> 2);
        // SAFETY: the token; the caller promises a block that can be read: two registers, aligned to 64 bytes. A shift
        // is by fewer than eight words, so that `lower` is 0 or 1.
        let halves = unsafe {
            let at = at.cast::<__m256i>();
            Self(_mm256_load_si256(at.add(lower)), _mm256_load_si256(at.add(1)))
        };
        halves.words_up(shift.words()).shifted(shift.bits())
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut Block) {
        // SAFETY: `self` was made with a token; the caller promises a block that can be written: two registers, aligned
        // to 64 bytes.
        unsafe {
            _mm256_store_si256(at.cast(), self.0);
            _mm256_store_si256(at.cast::<__m256i>().add(1), self.1);
        }
    }

    #[inline(always)]
    fn prefetch(at: *const Block) {
        // SAFETY: every x86-64 has the instruction, and it faults at no address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(at.cast()) }
    }

    #[inline(always)]
    fn moved(self, shift: Shift) -> Self {
        let lower = if shift.words() & 4 == 0 { self.0 } else { self.1 };
        Self(lower, self.1).words_up(shift.words()).shifted(shift.bits())
    }

    #[inline(always)]
    fn raised(self, shift: Shift) -> Self {
        // Pairs of 32-bit lanes, as in `words_up`: the words that lie so many down.
        static LANES: [[u32; 8]; 4] =
            [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 0, 1, 4, 5, 4, 5], [0, 1, 2, 3, 0, 1, 2, 3], [0, 1, 0, 1, 0, 1, 0, 1]];
        let upper = if shift.words() & 4 == 0 { self.1 } else { self.0 };
        // SAFETY: `self` was made with a token; the table has an entry for each of the four values.
        unsafe {
            let lanes = LANES.as_ptr().add(usize::from(shift.words() & 3));
            let lanes = std::ptr::read_unaligned(lanes.cast::<__m256i>());
            let bits = _mm_cvtsi64_si128(i64::from(shift.bits()));
            let (lower, upper) =
                (_mm256_permutevar8x32_epi32(self.0, lanes), _mm256_permutevar8x32_epi32(upper, lanes));
            Self(_mm256_sll_epi64(lower, bits), _mm256_sll_epi64(upper, bits))
        }
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        // SAFETY: `self` was made with a token.
        unsafe {
            let (lower, upper) = (_mm256_cmpeq_epi64(self.0, other.0), _mm256_cmpeq_epi64(self.1, other.1));
            _mm256_movemask_epi8(_mm256_and_si256(lower, upper)) == -1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::vector::tests::keeps_to_the_definition;
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
