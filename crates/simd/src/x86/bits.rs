//! 512 positions in the registers of AVX-512 and AVX2.

use std::arch::x86_64::{__m256i, __m512i};

use super::super::bits::Bits;
use super::super::tokens::{HasAvx2, HasAvx512};

/// 512 bits in one register.
#[derive(Clone, Copy)]
pub struct Avx512(pub(super) HasAvx512, pub(super) __m512i);

impl Bits for Avx512 {
    type Token = HasAvx512;
    type Words = [u64; 8];

    #[inline(always)]
    fn none(token: HasAvx512) -> Self {
        Self(token, token._mm512_setzero_si512())
    }

    #[inline(always)]
    fn of(token: HasAvx512, words: &[u64; 8]) -> Self {
        Self(token, token.load(words, 0))
    }

    #[inline(always)]
    fn load(token: HasAvx512, words: &[u64; 8]) -> Self {
        Self(token, token.load(words, 0))
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; 8]) {
        self.0.store(self.1, words, 0);
    }

    operations! {
        one register:
        or = _mm512_or_si512;
        and = _mm512_and_si512;
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(self.0, self.0._mm512_andnot_si512(other.1, self.1))
    }
}

/// 512 bits in two registers: the lower four words and the upper four.
#[derive(Clone, Copy)]
pub struct Avx2(pub(super) HasAvx2, pub(super) __m256i, pub(super) __m256i);

impl Bits for Avx2 {
    type Token = HasAvx2;
    type Words = [u64; 8];

    #[inline(always)]
    fn none(token: HasAvx2) -> Self {
        Self(token, token._mm256_setzero_si256(), token._mm256_setzero_si256())
    }

    #[inline(always)]
    fn of(token: HasAvx2, words: &[u64; 8]) -> Self {
        Self(token, token.load(words, 0), token.load(words, 1))
    }

    #[inline(always)]
    fn load(token: HasAvx2, words: &[u64; 8]) -> Self {
        Self::of(token, words)
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; 8]) {
        self.0.store(self.1, words, 0);
        self.0.store(self.2, words, 1);
    }

    operations! {
        two registers:
        or = _mm256_or_si256;
        and = _mm256_and_si256;
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(self.0, self.0._mm256_andnot_si256(other.1, self.1), self.0._mm256_andnot_si256(other.2, self.2))
    }
}
