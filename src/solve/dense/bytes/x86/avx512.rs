//! 64 bytes in one register of AVX-512.
//!
//! Every `unsafe` block here calls instructions that not every processor has. The token proves that this one has them:
//! it is made by asking the processor alone, and no vector is made without it.

use std::arch::x86_64::{
    __m512i, __mmask64, _MM_HINT_T0, _mm_prefetch, _mm512_add_epi8, _mm512_adds_epu8, _mm512_and_si512,
    _mm512_andnot_si512, _mm512_broadcast_i32x4, _mm512_cmpeq_epi8_mask, _mm512_cmpgt_epi8_mask,
    _mm512_cmpneq_epi8_mask, _mm512_load_si512, _mm512_mask_permutexvar_epi8, _mm512_mask_shuffle_epi8,
    _mm512_mask_shuffle_epi32, _mm512_mask_shuffle_i64x2, _mm512_max_epi8, _mm512_max_epu8, _mm512_min_epu8,
    _mm512_movm_epi8, _mm512_or_si512, _mm512_popcnt_epi8, _mm512_set1_epi8, _mm512_shuffle_epi8, _mm512_srli_epi16,
    _mm512_store_si512, _mm512_sub_epi8, _mm512_ternarylogic_epi64,
};

use super::super::line::{LaneMove, Line};
use super::super::vector::Bytes;
use super::{ONE_HOT, UP, sixteen, without};
use crate::solve::dense::tokens::HasAvx2;

/// Proof that the processor has AVX-512 with all its instructions for bytes: those of the outcomes, and the later ones that
/// permute 64 bytes (VBMI) and count their bits (BITALG).
#[derive(Clone, Copy)]
pub(in super::super) struct HasByteAvx512(());

impl HasByteAvx512 {
    /// Asks the processor; the standard library remembers its answer.
    pub(in super::super) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512bitalg")
            && HasAvx2::detect().is_some();
        has_all.then_some(Self(()))
    }
}

/// 64 bytes in one register.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx512(__m512i);

/// A move in registers.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx512Step {
    from: __m512i,
    legal: __mmask64,
    illegal: __m512i,
}

impl Bytes for Avx512 {
    type Token = HasByteAvx512;
    type Step<'a> = Avx512Step;
    const HELD: usize = 3;

    #[inline(always)]
    fn splat(_: HasByteAvx512, byte: u8) -> Self {
        // SAFETY: the token.
        Self(unsafe { _mm512_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    unsafe fn load(_: HasByteAvx512, at: *const Line) -> Self {
        // SAFETY: the token; the caller promises a line that can be read, and lines are aligned to 64 bytes.
        Self(unsafe { _mm512_load_si512(at.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut Line) {
        // SAFETY: `self` was made with a token; the caller promises a line that can be written.
        unsafe { _mm512_store_si512(at.cast(), self.0) }
    }

    #[inline(always)]
    fn prefetch(at: *const Line) {
        // SAFETY: every x86-64 has the instruction, and it faults at no address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
    }

    #[inline(always)]
    fn step(token: HasByteAvx512, m: &LaneMove, illegal: u8) -> Avx512Step {
        // SAFETY: the line of a move is a line that can be read.
        let Self(from) = unsafe { Self::load(token, &m.from) };
        Avx512Step { from, legal: m.legal, illegal: Self::splat(token, illegal).0 }
    }

    #[inline(always)]
    unsafe fn load_moved(token: HasByteAvx512, at: *const Line, step: Avx512Step) -> Self {
        // SAFETY: the token; the caller's promise is passed on.
        unsafe {
            let Self(line) = Self::load(token, at);
            Self(_mm512_mask_permutexvar_epi8(step.illegal, step.legal, step.from, line))
        }
    }

    #[inline(always)]
    fn filled<const CELL: u32>(self, illegal: Self) -> Self {
        // SAFETY: `self` was made with a token.
        Self(unsafe {
            match CELL {
                5 => _mm512_mask_shuffle_i64x2::<0b11_10_11_10>(illegal.0, 0x0f, self.0, self.0),
                4 => _mm512_mask_shuffle_i64x2::<0b11_11_01_01>(illegal.0, 0x33, self.0, self.0),
                3 => _mm512_mask_shuffle_epi32::<0b11_10_11_10>(illegal.0, 0x3333, self.0),
                2 => _mm512_mask_shuffle_epi32::<0b11_11_01_01>(illegal.0, 0x5555, self.0),
                _ => {
                    let up = _mm512_broadcast_i32x4(sixteen(&UP[CELL as usize & 3]));
                    _mm512_mask_shuffle_epi8(illegal.0, const { without(CELL) }, self.0, up)
                }
            }
        })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: `self` was made with a token.
        Self(unsafe { _mm512_min_epu8(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: `self` was made with a token.
        Self(unsafe { _mm512_max_epu8(self.0, other.0) })
    }

    #[inline(always)]
    fn max_signed(self, other: Self) -> Self {
        // SAFETY: `self` was made with a token.
        Self(unsafe { _mm512_max_epi8(self.0, other.0) })
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
    fn add(self, other: Self) -> Self {
        // SAFETY: `self` was made with a token.
        Self(unsafe { _mm512_add_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: `self` was made with a token.
        Self(unsafe { _mm512_sub_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Self {
        // SAFETY: `self` was made with a token.
        Self(unsafe { _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(self.0, other.0)) })
    }

    #[inline(always)]
    fn replaced(self, mask: Self, other: Self) -> Self {
        // SAFETY: `self` was made with a token. The constant is the truth table of mask ? other : self.
        Self(unsafe { _mm512_ternarylogic_epi64::<0xd8>(self.0, other.0, mask.0) })
    }

    #[inline(always)]
    fn two_if_top(self) -> Self {
        // SAFETY: `self` was made with a token.
        Self(unsafe { _mm512_and_si512(_mm512_srli_epi16::<6>(self.0), _mm512_set1_epi8(2)) })
    }

    #[inline(always)]
    fn exceeds(self, limit: i8) -> bool {
        // SAFETY: `self` was made with a token.
        unsafe { _mm512_cmpgt_epi8_mask(self.0, _mm512_set1_epi8(limit)) != 0 }
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        // SAFETY: `self` was made with a token.
        unsafe { _mm512_cmpneq_epi8_mask(self.0, other.0) == 0 }
    }

    #[inline(always)]
    fn one_hot(self, token: HasByteAvx512, pair: u8, is_last: bool) -> (Self, Self) {
        // SAFETY: the token.
        let table = |plane: usize| unsafe { _mm512_broadcast_i32x4(sixteen(&ONE_HOT[plane])) };
        let index = self.within_sixteen(token, pair, is_last);
        // SAFETY: the token. A byte with its top bit set gives 0.
        let plane = |plane| Self(unsafe { _mm512_shuffle_epi8(table(plane), index.0) });
        (plane(0), plane(1))
    }

    #[inline(always)]
    fn trailing_ones(self, token: HasByteAvx512) -> Self {
        let next = self.add(Self::splat(token, 1));
        // SAFETY: the token.
        Self(unsafe { _mm512_popcnt_epi8(_mm512_andnot_si512(next.0, self.0)) })
    }
}

impl Avx512 {
    /// The sixteen values from `16 * pair` on, less that; the top bit set for the others.
    #[inline(always)]
    fn within_sixteen(self, token: HasByteAvx512, pair: u8, is_last: bool) -> Self {
        // What is less becomes a byte with the top bit set.
        let value = self.sub(Self::splat(token, 16 * pair));
        if is_last {
            return value;
        }
        // SAFETY: the token. From 16 on, 0x70 more has the top bit set.
        Self(unsafe { _mm512_adds_epu8(value.0, Self::splat(token, 0x70).0) })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::vector::tests::keeps_to_the_definition;
    use super::*;

    #[test]
    fn avx512_keeps_to_the_definition() {
        if let Some(token) = HasByteAvx512::detect() {
            keeps_to_the_definition::<Avx512>(token);
        }
    }
}
