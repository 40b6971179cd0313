//! The vector units of x86-64: AVX-512 (one register a block) and AVX2 (two).

use std::arch::x86_64::{
    __m256i, __m512i, _MM_HINT_T1, _mm_cvtsi64_si128, _mm_prefetch, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_cmpeq_epi64, _mm256_load_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_permutevar8x32_epi32,
    _mm256_setzero_si256, _mm256_srl_epi64, _mm256_store_si256, _mm512_and_si512, _mm512_andnot_si512,
    _mm512_cmpneq_epi64_mask, _mm512_load_si512, _mm512_or_si512, _mm512_permutexvar_epi64, _mm512_setzero_si512,
    _mm512_srl_epi64, _mm512_store_si512, _mm512_ternarylogic_epi64,
};

use super::plan::Block;
use super::vector::Vector;

/// For each number of words, the word that each of eight is taken from.
static WORDS_UP: [Block; 8] = {
    let mut table = [Block([0; 8]); 8];
    let mut words = 0;
    while words < 8 {
        let mut word = 0;
        while word < 8 {
            table[words].0[word] = (word | words) as u64;
            word += 1;
        }
        words += 1;
    }
    table
};

/// 512 bits in one register.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512i);

impl Vector for Avx512 {
    #[inline(always)]
    fn prefetch(at: *const Block) {
        // SAFETY: every x86-64 has the instruction, and it faults at no address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(at.cast()) }
    }

    #[inline(always)]
    unsafe fn load(at: *const Block) -> Self {
        // SAFETY: the caller's.
        Self(unsafe { _mm512_load_si512(at.cast()) })
    }

    #[inline(always)]
    unsafe fn load_moved(at: *const Block, words: u8, bits: u8) -> Self {
        // SAFETY: the caller's.
        unsafe { Self::load(at).moved(words, bits) }
    }

    #[inline(always)]
    unsafe fn moved(self, words: u8, bits: u8) -> Self {
        // SAFETY: the caller's; the table has an entry for every number of words.
        unsafe {
            let from = Self::load(WORDS_UP.as_ptr().add(usize::from(words)));
            let words = _mm512_permutexvar_epi64(from.0, self.0);
            Self(_mm512_srl_epi64(words, _mm_cvtsi64_si128(i64::from(bits))))
        }
    }

    #[inline(always)]
    unsafe fn load_shifted(at: *const Block, bits: u8) -> Self {
        // SAFETY: the caller's.
        unsafe { Self(_mm512_srl_epi64(Self::load(at).0, _mm_cvtsi64_si128(i64::from(bits)))) }
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut Block) {
        // SAFETY: the caller's.
        unsafe { _mm512_store_si512(at.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn none() -> Self {
        // SAFETY: the caller's.
        Self(unsafe { _mm512_setzero_si512() })
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: the caller's.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        // SAFETY: the caller's.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn without(self, other: Self) -> Self {
        // SAFETY: the caller's.
        Self(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }

    #[inline(always)]
    unsafe fn or_and(self, mask: Self, other: Self) -> Self {
        // SAFETY: the caller's. The truth table of a | (b & c).
        Self(unsafe { _mm512_ternarylogic_epi64::<0xf8>(self.0, mask.0, other.0) })
    }

    #[inline(always)]
    unsafe fn or_without(self, mask: Self, other: Self) -> Self {
        // SAFETY: the caller's. The truth table of a | (b & !c).
        Self(unsafe { _mm512_ternarylogic_epi64::<0xf4>(self.0, mask.0, other.0) })
    }

    #[inline(always)]
    unsafe fn same(self, other: Self) -> bool {
        // SAFETY: the caller's.
        unsafe { _mm512_cmpneq_epi64_mask(self.0, other.0) == 0 }
    }
}

/// 512 bits in two registers: the lower four words and the upper four.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256i, __m256i);

/// The four words at `at`, each taken from `words & 3` words up among the four.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn words_up(four: __m256i, words: u8) -> __m256i {
    // Pairs of 32-bit lanes: the instruction that permutes by a variable knows no larger ones.
    static LANES: [[u32; 8]; 4] =
        [[0, 1, 2, 3, 4, 5, 6, 7], [2, 3, 2, 3, 6, 7, 6, 7], [4, 5, 6, 7, 4, 5, 6, 7], [6, 7, 6, 7, 6, 7, 6, 7]];
    // SAFETY: the caller's; the table has an entry for each of the four values.
    unsafe {
        let lanes = std::ptr::read_unaligned(LANES.as_ptr().add(usize::from(words & 3)).cast::<__m256i>());
        _mm256_permutevar8x32_epi32(four, lanes)
    }
}

impl Vector for Avx2 {
    #[inline(always)]
    fn prefetch(at: *const Block) {
        // SAFETY: every x86-64 has the instruction, and it faults at no address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(at.cast()) }
    }

    #[inline(always)]
    unsafe fn load(at: *const Block) -> Self {
        // SAFETY: the caller's; a block is two registers long.
        unsafe { Self(_mm256_load_si256(at.cast()), _mm256_load_si256(at.cast::<__m256i>().add(1))) }
    }

    #[inline(always)]
    unsafe fn load_moved(at: *const Block, words: u8, bits: u8) -> Self {
        // SAFETY: the caller's; the lower half is read from the upper one where the fourth word up is asked for.
        unsafe {
            let lower = _mm256_load_si256(at.cast::<__m256i>().add(usize::from(words >> 2)));
            let upper = _mm256_load_si256(at.cast::<__m256i>().add(1));
            let bits = _mm_cvtsi64_si128(i64::from(bits));
            let (lower, upper) = (words_up(lower, words), words_up(upper, words));
            Self(_mm256_srl_epi64(lower, bits), _mm256_srl_epi64(upper, bits))
        }
    }

    #[inline(always)]
    unsafe fn moved(self, words: u8, bits: u8) -> Self {
        // SAFETY: the caller's.
        unsafe {
            let lower = if words & 4 == 0 { self.0 } else { self.1 };
            let bits = _mm_cvtsi64_si128(i64::from(bits));
            let (lower, upper) = (words_up(lower, words), words_up(self.1, words));
            Self(_mm256_srl_epi64(lower, bits), _mm256_srl_epi64(upper, bits))
        }
    }

    #[inline(always)]
    unsafe fn load_shifted(at: *const Block, bits: u8) -> Self {
        // SAFETY: the caller's.
        unsafe {
            let (block, bits) = (Self::load(at), _mm_cvtsi64_si128(i64::from(bits)));
            Self(_mm256_srl_epi64(block.0, bits), _mm256_srl_epi64(block.1, bits))
        }
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut Block) {
        // SAFETY: the caller's; a block is two registers long.
        unsafe {
            _mm256_store_si256(at.cast(), self.0);
            _mm256_store_si256(at.cast::<__m256i>().add(1), self.1);
        }
    }

    #[inline(always)]
    unsafe fn none() -> Self {
        // SAFETY: the caller's.
        unsafe { Self(_mm256_setzero_si256(), _mm256_setzero_si256()) }
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { Self(_mm256_or_si256(self.0, other.0), _mm256_or_si256(self.1, other.1)) }
    }

    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { Self(_mm256_and_si256(self.0, other.0), _mm256_and_si256(self.1, other.1)) }
    }

    #[inline(always)]
    unsafe fn without(self, other: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { Self(_mm256_andnot_si256(other.0, self.0), _mm256_andnot_si256(other.1, self.1)) }
    }

    #[inline(always)]
    unsafe fn same(self, other: Self) -> bool {
        // SAFETY: the caller's.
        unsafe {
            let (lower, upper) = (_mm256_cmpeq_epi64(self.0, other.0), _mm256_cmpeq_epi64(self.1, other.1));
            _mm256_movemask_epi8(_mm256_and_si256(lower, upper)) == -1
        }
    }
}
