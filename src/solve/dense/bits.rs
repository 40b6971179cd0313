//! Positions as bits side by side: what is done to all of them at once, with every vector unit.
//!
//! The kernels of boards and of colourings share these types. What they do beside this is theirs: how boards are
//! [moved](super::vector::Vector), and how a stone moves colourings.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m256i, __m512i, _mm256_and_si256, _mm256_andnot_si256, _mm256_or_si256, _mm256_setzero_si256, _mm512_and_si512,
    _mm512_andnot_si512, _mm512_or_si512, _mm512_setzero_si512,
};

#[cfg(target_arch = "x86_64")]
use super::tokens::{HasAvx2, HasAvx512};

/// Some positions, a bit each.
///
/// A value is made from a token, and a token only by asking the processor. So whoever holds a value may use the
/// instructions of its type, and the methods that take one are safe.
pub(in crate::solve) trait Bits: Copy {
    /// Proof that the processor has the instructions. As large as nothing.
    type Token: Copy;

    /// No position.
    fn none(token: Self::Token) -> Self;

    /// Those of either.
    fn or(self, other: Self) -> Self;

    /// Those of both.
    fn and(self, other: Self) -> Self;

    /// Those that are not in `other`.
    fn without(self, other: Self) -> Self;
}

/// Eight words in plain Rust, for every machine. The compiler uses what vector unit the target is sure to have.
#[derive(Clone, Copy)]
pub(in crate::solve) struct Portable(pub(in crate::solve) [u64; 8]);

/// The eight words that an expression gives for each number. Written out: a loop in each of the hundreds of places that
/// this is inlined into takes the compiler minutes to unroll, and a closure may be called.
macro_rules! words {
    ($i:ident => $word:expr) => {
        words!($i => $word; 0 1 2 3 4 5 6 7)
    };
    ($i:ident => $word:expr; $($number:literal)*) => {
        $crate::solve::dense::Portable([$({
            let $i: usize = $number;
            $word
        }),*])
    };
}
pub(in crate::solve) use words;

impl Bits for Portable {
    type Token = ();

    #[inline(always)]
    fn none((): ()) -> Self {
        Self([0; 8])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        words!(i => self.0[i] | other.0[i])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        words!(i => self.0[i] & other.0[i])
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        words!(i => self.0[i] & !other.0[i])
    }
}

/// 512 bits in one register of AVX-512. Only a module that was given a token makes one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(in crate::solve) struct Avx512(pub(in crate::solve) __m512i);

#[cfg(target_arch = "x86_64")]
impl Bits for Avx512 {
    type Token = HasAvx512;

    #[inline(always)]
    fn none(_: HasAvx512) -> Self {
        // SAFETY: the token.
        Self(unsafe { _mm512_setzero_si512() })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: `self` was made with a token.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: `self` was made with a token.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: `self` was made with a token.
        Self(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }
}

/// 512 bits in two registers of AVX2: the lower four words and the upper four. Only a module that was given a token makes
/// one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(in crate::solve) struct Avx2(pub(in crate::solve) __m256i, pub(in crate::solve) __m256i);

#[cfg(target_arch = "x86_64")]
impl Bits for Avx2 {
    type Token = HasAvx2;

    #[inline(always)]
    fn none(_: HasAvx2) -> Self {
        // SAFETY: the token.
        unsafe { Self(_mm256_setzero_si256(), _mm256_setzero_si256()) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: `self` was made with a token.
        unsafe { Self(_mm256_or_si256(self.0, other.0), _mm256_or_si256(self.1, other.1)) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: `self` was made with a token.
        unsafe { Self(_mm256_and_si256(self.0, other.0), _mm256_and_si256(self.1, other.1)) }
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: `self` was made with a token.
        unsafe { Self(_mm256_andnot_si256(other.0, self.0), _mm256_andnot_si256(other.1, self.1)) }
    }
}
