//! 64 bytes in two registers of AVX2.
//!
//! Every `unsafe` block here calls instructions that not every processor has. The token proves that this one has them:
//! it is made by asking the processor alone, and no vector is made without it.

use std::arch::x86_64::{
    __m128i, __m256i, _MM_HINT_T0, _mm_load_si128, _mm_prefetch, _mm256_add_epi8, _mm256_adds_epu8, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8,
    _mm256_load_si256, _mm256_max_epi8, _mm256_max_epu8, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_permute4x64_epi64, _mm256_set_m128i, _mm256_set1_epi8, _mm256_shuffle_epi8, _mm256_srli_epi16,
    _mm256_store_si256, _mm256_sub_epi8,
};

use super::super::line::{LANES, LINE, LaneMove, Line};
use super::super::vector::Bytes;
use super::{ONE_HOT, UP, sixteen, without};
use crate::solve::dense::tokens::HasAvx2;

/// For each cell, 255 in the lanes that do not have it filled.
static LANES_WITHOUT: [Line; LINE as usize] = {
    let mut table = [Line([0; LANES]); LINE as usize];
    let mut cell = 0;
    while cell < LINE {
        let mut lane = 0;
        while lane < LANES {
            table[cell as usize].0[lane] = if without(cell) >> lane & 1 == 1 { u8::MAX } else { 0 };
            lane += 1;
        }
        cell += 1;
    }
    table
};

/// 64 bytes in two registers: the lower 32 and the upper ones.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx2(__m256i, __m256i);

/// A move made ready for two registers.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx2Step<'a> {
    /// The upper two cells that it fills: which quarters of the line are read.
    quarters: usize,
    /// The lower four, as bytes within each quarter.
    bytes: __m256i,
    illegal: &'a Line,
}

/// The same operation on both registers.
macro_rules! both {
    ($op:ident($a:expr, $b:expr)) => {{
        let (a, b) = ($a, $b);
        // SAFETY: both were made with a token.
        unsafe { Self($op(a.0, b.0), $op(a.1, b.1)) }
    }};
}

impl Avx2 {
    #[inline(always)]
    fn shuffled(self, bytes: __m256i) -> Self {
        both!(_mm256_shuffle_epi8(self, Self(bytes, bytes)))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        both!(_mm256_andnot_si256(other, self))
    }

    /// `table` looked up at each byte, 0 where the top bit is set.
    #[inline(always)]
    fn looked_up(self, table: &[u8; 16]) -> Self {
        // SAFETY: `self` was made with a token.
        let table = unsafe { _mm256_broadcastsi128_si256(sixteen(table)) };
        both!(_mm256_shuffle_epi8(Self(table, table), self))
    }

    #[inline(always)]
    fn line(_: HasAvx2, line: &Line) -> Self {
        // SAFETY: the token; a line is 64 aligned bytes.
        unsafe {
            let at = line.0.as_ptr().cast::<__m256i>();
            Self(_mm256_load_si256(at), _mm256_load_si256(at.add(1)))
        }
    }
}

impl Bytes for Avx2 {
    type Token = HasAvx2;
    type Step<'a> = Avx2Step<'a>;
    const HELD: usize = 1;

    #[inline(always)]
    fn splat(_: HasAvx2, byte: u8) -> Self {
        // SAFETY: the token.
        let half = unsafe { _mm256_set1_epi8(byte as i8) };
        Self(half, half)
    }

    #[inline(always)]
    unsafe fn load(token: HasAvx2, at: *const Line) -> Self {
        // SAFETY: the caller promises a line that can be read.
        Self::line(token, unsafe { &*at })
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut Line) {
        // SAFETY: `self` was made with a token; the caller promises a line that can be written: two registers, aligned.
        unsafe {
            _mm256_store_si256(at.cast(), self.0);
            _mm256_store_si256(at.cast::<__m256i>().add(1), self.1);
        }
    }

    #[inline(always)]
    fn prefetch(at: *const Line) {
        // SAFETY: every x86-64 has the instruction, and it faults at no address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
    }

    #[inline(always)]
    fn step(token: HasAvx2, m: &LaneMove, _: u8) -> Avx2Step<'_> {
        // SAFETY: the token; the first sixteen lanes of the list, whose successors but for the upper cells lie among
        // them; a shuffle looks at the lower four bits.
        let bytes = unsafe { _mm256_broadcastsi128_si256(_mm_load_si128(m.from.0.as_ptr().cast())) };
        let fifteen = Self::splat(token, 15);
        // SAFETY: the token.
        let bytes = unsafe { _mm256_and_si256(bytes, fifteen.0) };
        Avx2Step { quarters: usize::from(m.up) >> 4, bytes, illegal: &m.illegal }
    }

    #[inline(always)]
    unsafe fn load_moved(token: HasAvx2, at: *const Line, step: Avx2Step<'_>) -> Self {
        // SAFETY: the token; the caller promises a line that can be read, and it has four quarters.
        let quarters = unsafe {
            let quarter = |number: usize| _mm_load_si128(at.cast::<__m128i>().add((number | step.quarters) & 3));
            Self(_mm256_set_m128i(quarter(1), quarter(0)), _mm256_set_m128i(quarter(3), quarter(2)))
        };
        quarters.shuffled(step.bytes).or(Self::line(token, step.illegal))
    }

    #[inline(always)]
    fn filled<const CELL: u32>(self, illegal: Self) -> Self {
        // SAFETY: `self` was made with a token.
        unsafe {
            let up = match CELL {
                5 => return Self(self.1, illegal.1),
                4 => Self(
                    _mm256_permute4x64_epi64::<0b11_10_11_10>(self.0),
                    _mm256_permute4x64_epi64::<0b11_10_11_10>(self.1),
                ),
                _ => self.shuffled(_mm256_broadcastsi128_si256(sixteen(&UP[CELL as usize & 3]))),
            };
            let at = LANES_WITHOUT[CELL as usize].0.as_ptr().cast::<__m256i>();
            let lanes = Self(_mm256_load_si256(at), _mm256_load_si256(at.add(1)));
            illegal.replaced(lanes, up)
        }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        both!(_mm256_min_epu8(self, other))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        both!(_mm256_max_epu8(self, other))
    }

    #[inline(always)]
    fn max_signed(self, other: Self) -> Self {
        both!(_mm256_max_epi8(self, other))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        both!(_mm256_or_si256(self, other))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        both!(_mm256_and_si256(self, other))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        both!(_mm256_add_epi8(self, other))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        both!(_mm256_sub_epi8(self, other))
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Self {
        both!(_mm256_cmpeq_epi8(self, other))
    }

    #[inline(always)]
    fn replaced(self, mask: Self, other: Self) -> Self {
        // SAFETY: all were made with a token.
        unsafe { Self(_mm256_blendv_epi8(self.0, other.0, mask.0), _mm256_blendv_epi8(self.1, other.1, mask.1)) }
    }

    #[inline(always)]
    fn two_if_top(self) -> Self {
        // SAFETY: `self` was made with a token.
        unsafe {
            let two = _mm256_set1_epi8(2);
            Self(
                _mm256_and_si256(_mm256_srli_epi16::<6>(self.0), two),
                _mm256_and_si256(_mm256_srli_epi16::<6>(self.1), two),
            )
        }
    }

    #[inline(always)]
    fn exceeds(self, limit: i8) -> bool {
        // SAFETY: `self` was made with a token.
        unsafe {
            let limit = _mm256_set1_epi8(limit);
            let (lower, upper) = (_mm256_cmpgt_epi8(self.0, limit), _mm256_cmpgt_epi8(self.1, limit));
            _mm256_movemask_epi8(_mm256_or_si256(lower, upper)) != 0
        }
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        let Self(lower, upper) = self.equals(other);
        // SAFETY: `self` was made with a token.
        unsafe { _mm256_movemask_epi8(_mm256_and_si256(lower, upper)) == -1 }
    }

    #[inline(always)]
    fn one_hot(self, token: HasAvx2, pair: u8, is_last: bool) -> (Self, Self) {
        // What is less becomes a byte with the top bit set, and so does what is 16 and more with 0x70 added.
        let value = self.sub(Self::splat(token, 16 * pair));
        let index = if is_last { value } else { both!(_mm256_adds_epu8(value, Self::splat(token, 0x70))) };
        (index.looked_up(&ONE_HOT[0]), index.looked_up(&ONE_HOT[1]))
    }

    #[inline(always)]
    fn trailing_ones(self, token: HasAvx2) -> Self {
        /// For each half of a byte, its ones: those of a run from the lowest bit on.
        static ONES: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
        let ones = self.without(self.add(Self::splat(token, 1)));
        let half = Self::splat(token, 15);
        // SAFETY: the token.
        let upper = unsafe { Self(_mm256_srli_epi16::<4>(ones.0), _mm256_srli_epi16::<4>(ones.1)) };
        ones.and(half).looked_up(&ONES).add(upper.and(half).looked_up(&ONES))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::vector::tests::keeps_to_the_definition;
    use super::*;

    #[test]
    fn avx2_keeps_to_the_definition() {
        if let Some(token) = HasAvx2::detect() {
            keeps_to_the_definition::<Avx2>(token);
        }
    }
}
