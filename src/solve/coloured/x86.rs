//! Colourings on the vector units of x86-64: AVX-512 (one register a block) and AVX2 (two).
//!
//! Every `unsafe` block here calls instructions that not every processor has. The token proves that this one has them:
//! no vector is made without it.

use std::arch::x86_64::{
    __m256i, __m512i, _mm_cvtsi64_si128, _mm256_and_si256, _mm256_castps_si256, _mm256_castsi256_ps,
    _mm256_castsi256_si128, _mm256_cvtepu32_epi64, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_or_si256,
    _mm256_permute2x128_si256, _mm256_permute4x64_epi64, _mm256_set1_epi64x, _mm256_shuffle_ps, _mm256_sll_epi64,
    _mm256_srl_epi64, _mm256_storeu_si256, _mm256_unpackhi_epi64, _mm256_unpacklo_epi64, _mm512_and_si512,
    _mm512_castsi512_si256, _mm512_cvtepu32_epi64, _mm512_extracti64x4_epi64, _mm512_loadu_si512, _mm512_or_si512,
    _mm512_permutex2var_epi32, _mm512_permutex2var_epi64, _mm512_permutexvar_epi64, _mm512_set1_epi64,
    _mm512_sll_epi64, _mm512_srl_epi64, _mm512_storeu_si512, _mm512_ternarylogic_epi64, _pdep_u64, _pext_u64,
};

use super::lanes::{Lanes, TOGETHER, Word, WordMoves, left_out, put_in};
use crate::solve::dense::{Avx2, Avx512, HasAvx2, HasAvx512};

/// The dwords with even numbers of two registers.
static EVEN: [u32; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30];

/// For each place above a word and each colour, the words of two registers that are kept.
static CLOSED: [[[u64; 8]; 2]; 3] = {
    let mut table = [[[0; 8]; 2]; 3];
    let mut at = 0;
    while at < 48 {
        let (place, second, word) = (at >> 4, at >> 3 & 1, at & 7);
        table[place][second][word] = put_in(word, place as u32, second == 1) as u64;
        at += 1;
    }
    table
};

/// For each place above a word, and for the lower and the upper block, the word that each of eight is taken from.
static OPENED: [[[u64; 8]; 2]; 3] = {
    let mut table = [[[0; 8]; 2]; 3];
    let mut at = 0;
    while at < 48 {
        let (place, upper, word) = (at >> 4, at >> 3 & 1, at & 7);
        table[place][upper][word] = left_out(upper * 8 + word, place as u32) as u64;
        at += 1;
    }
    table
};

/// The bits that are kept of each word, brought together in its lower half.
///
/// # Safety
/// The processor has AVX-512F.
#[inline(always)]
unsafe fn halves_512<const P: u32>(words: __m512i, second: bool) -> __m512i {
    // SAFETY: the caller's promise. The constant is the truth table of (a | b) & c.
    unsafe {
        let count = _mm_cvtsi64_si128(i64::from(second) << P);
        let mut kept = _mm512_and_si512(_mm512_srl_epi64(words, count), _mm512_set1_epi64(TOGETHER[P as usize] as i64));
        let mut step = P;
        while step < 5 {
            let moved = _mm512_srl_epi64(kept, _mm_cvtsi64_si128(1 << step));
            let mask = _mm512_set1_epi64(TOGETHER[step as usize + 1] as i64);
            kept = _mm512_ternarylogic_epi64::<0xa8>(kept, moved, mask);
            step += 1;
        }
        kept
    }
}

/// For each place, the bits of a word that have it clear in their number, and those that have it set.
static PLACES: [[u64; 2]; 6] = {
    let mut table = [[0; 2]; 6];
    let mut at = 0;
    while at < 6 * 64 {
        let (place, bit) = (at >> 6, at & 63);
        table[place][bit >> place & 1] |= 1 << bit;
        at += 1;
    }
    table
};

/// With the instructions that take bits together and put them back: they are fast wherever there is AVX-512.
impl WordMoves for HasAvx512 {
    const AT_ANY_PLACE: bool = true;

    #[inline(always)]
    fn closed(word: u64, next: u64, place: u32, second: bool) -> u64 {
        let kept = PLACES[place as usize % 6][usize::from(second)];
        // SAFETY: words are made with a token, and a processor that it is given for has BMI2.
        unsafe { _pext_u64(word, kept) | _pext_u64(next, kept) << 32 }
    }

    #[inline(always)]
    fn opened(word: u64, place: u32, upper: bool) -> u64 {
        let half = word >> (u32::from(upper) * 32);
        let [first, second] = PLACES[place as usize % 6];
        // SAFETY: as above.
        unsafe { _pdep_u64(half, first) | _pdep_u64(half, second) }
    }
}

/// Not every processor with AVX2 alone has these instructions fast.
impl WordMoves for HasAvx2 {}

impl Lanes for Avx512 {
    const LOG: u32 = 9;
    type Word = Word<HasAvx512>;

    #[inline(always)]
    unsafe fn load(_: HasAvx512, at: *const u64) -> Self {
        // SAFETY: the token; the caller promises eight words that can be read.
        Self(unsafe { _mm512_loadu_si512(at.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut u64) {
        // SAFETY: `self` was made with a token; the caller promises eight words that can be written.
        unsafe { _mm512_storeu_si512(at.cast(), self.0) }
    }

    #[inline(always)]
    fn closed<const P: u32>(self, next: Self, second: bool) -> Self {
        // SAFETY: `self` was made with a token; the tables have sixteen lanes and eight words.
        unsafe {
            if P < 6 {
                let lanes = _mm512_loadu_si512(EVEN.as_ptr().cast());
                Self(_mm512_permutex2var_epi32(halves_512::<P>(self.0, second), lanes, halves_512::<P>(next.0, second)))
            } else {
                let words =
                    _mm512_loadu_si512(CLOSED[P.saturating_sub(6) as usize][usize::from(second)].as_ptr().cast());
                Self(_mm512_permutex2var_epi64(self.0, words, next.0))
            }
        }
    }

    #[inline(always)]
    fn opened<const P: u32>(self, upper: bool) -> Self {
        // SAFETY: `self` was made with a token; the tables have eight words. The constant is the truth table of
        // (a | b) & c.
        unsafe {
            if P >= 6 {
                let words =
                    _mm512_loadu_si512(OPENED[P.saturating_sub(6) as usize][usize::from(upper)].as_ptr().cast());
                return Self(_mm512_permutexvar_epi64(words, self.0));
            }
            let half = if upper { _mm512_extracti64x4_epi64::<1>(self.0) } else { _mm512_castsi512_si256(self.0) };
            let mut spread = _mm512_cvtepu32_epi64(half);
            let mut step = 5;
            while step > P {
                step -= 1;
                let moved = _mm512_sll_epi64(spread, _mm_cvtsi64_si128(1 << step));
                let mask = _mm512_set1_epi64(TOGETHER[step as usize] as i64);
                spread = _mm512_ternarylogic_epi64::<0xa8>(spread, moved, mask);
            }
            Self(_mm512_or_si512(spread, _mm512_sll_epi64(spread, _mm_cvtsi64_si128(1 << P))))
        }
    }
}

/// The bits that are kept of each word, brought together in its lower half.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn halves_256<const P: u32>(words: __m256i, second: bool) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe {
        let count = _mm_cvtsi64_si128(i64::from(second) << P);
        let mut kept =
            _mm256_and_si256(_mm256_srl_epi64(words, count), _mm256_set1_epi64x(TOGETHER[P as usize] as i64));
        let mut step = P;
        while step < 5 {
            let both = _mm256_or_si256(kept, _mm256_srl_epi64(kept, _mm_cvtsi64_si128(1 << step)));
            kept = _mm256_and_si256(both, _mm256_set1_epi64x(TOGETHER[step as usize + 1] as i64));
            step += 1;
        }
        kept
    }
}

/// The lower halves of the words of both, side by side.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn packed(lower: __m256i, upper: __m256i) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe {
        let lanes = _mm256_shuffle_ps::<0x88>(_mm256_castsi256_ps(lower), _mm256_castsi256_ps(upper));
        _mm256_permute4x64_epi64::<0xd8>(_mm256_castps_si256(lanes))
    }
}

/// The bits of four halves of words, each twice.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn twice<const P: u32>(words: __m256i) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe {
        let mut spread = words;
        let mut step = 5;
        while step > P {
            step -= 1;
            let both = _mm256_or_si256(spread, _mm256_sll_epi64(spread, _mm_cvtsi64_si128(1 << step)));
            spread = _mm256_and_si256(both, _mm256_set1_epi64x(TOGETHER[step as usize] as i64));
        }
        _mm256_or_si256(spread, _mm256_sll_epi64(spread, _mm_cvtsi64_si128(1 << P)))
    }
}

impl Lanes for Avx2 {
    const LOG: u32 = 9;
    type Word = Word<HasAvx2>;

    #[inline(always)]
    unsafe fn load(_: HasAvx2, at: *const u64) -> Self {
        // SAFETY: the token; the caller promises eight words that can be read.
        unsafe { Self(_mm256_loadu_si256(at.cast()), _mm256_loadu_si256(at.add(4).cast())) }
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut u64) {
        // SAFETY: `self` was made with a token; the caller promises eight words that can be written.
        unsafe {
            _mm256_storeu_si256(at.cast(), self.0);
            _mm256_storeu_si256(at.add(4).cast(), self.1);
        }
    }

    #[inline(always)]
    fn closed<const P: u32>(self, next: Self, second: bool) -> Self {
        // SAFETY: `self` was made with a token.
        unsafe {
            match (P, second) {
                (0..6, _) => {
                    let lower = packed(halves_256::<P>(self.0, second), halves_256::<P>(self.1, second));
                    Self(lower, packed(halves_256::<P>(next.0, second), halves_256::<P>(next.1, second)))
                }
                (6, false) => Self(
                    _mm256_permute4x64_epi64::<0xd8>(_mm256_unpacklo_epi64(self.0, self.1)),
                    _mm256_permute4x64_epi64::<0xd8>(_mm256_unpacklo_epi64(next.0, next.1)),
                ),
                (6, true) => Self(
                    _mm256_permute4x64_epi64::<0xd8>(_mm256_unpackhi_epi64(self.0, self.1)),
                    _mm256_permute4x64_epi64::<0xd8>(_mm256_unpackhi_epi64(next.0, next.1)),
                ),
                (7, false) => Self(
                    _mm256_permute2x128_si256::<0x20>(self.0, self.1),
                    _mm256_permute2x128_si256::<0x20>(next.0, next.1),
                ),
                (7, true) => Self(
                    _mm256_permute2x128_si256::<0x31>(self.0, self.1),
                    _mm256_permute2x128_si256::<0x31>(next.0, next.1),
                ),
                (_, false) => Self(self.0, next.0),
                (_, true) => Self(self.1, next.1),
            }
        }
    }

    #[inline(always)]
    fn opened<const P: u32>(self, upper: bool) -> Self {
        let from = if upper { self.1 } else { self.0 };
        // SAFETY: `self` was made with a token.
        unsafe {
            match P {
                0..6 => {
                    let (lower, upper) = (_mm256_castsi256_si128(from), _mm256_extracti128_si256::<1>(from));
                    Self(twice::<P>(_mm256_cvtepu32_epi64(lower)), twice::<P>(_mm256_cvtepu32_epi64(upper)))
                }
                6 => Self(_mm256_permute4x64_epi64::<0x50>(from), _mm256_permute4x64_epi64::<0xfa>(from)),
                7 => Self(_mm256_permute4x64_epi64::<0x44>(from), _mm256_permute4x64_epi64::<0xee>(from)),
                _ => Self(from, from),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::tests::keeps_to_the_definition;
    use super::*;

    #[test]
    fn avx512_keeps_to_the_definition() {
        if let Some(token) = HasAvx512::detect() {
            keeps_to_the_definition::<Avx512>(token);
            keeps_to_the_definition::<Word<HasAvx512>>(token);
        }
    }

    #[test]
    fn avx2_keeps_to_the_definition() {
        if let Some(token) = HasAvx2::detect() {
            keeps_to_the_definition::<Avx2>(token);
            keeps_to_the_definition::<Word<HasAvx2>>(token);
        }
    }
}
