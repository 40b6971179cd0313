//! 64 bytes in one register of AVX-512.

use std::arch::x86_64::{__m512i, __mmask64};

use super::super::bytes::Bytes;
use super::super::line::{LaneMove, Line};
use super::super::vector::Vector;
use super::instructions::{prefetch, sixteen};
use super::{HALVES, HasAvx512Bytes, ONE_HOT, UP, without};

/// 64 bytes in one register.
#[derive(Clone, Copy)]
pub struct Avx512Bytes(HasAvx512Bytes, __m512i);

/// A move in registers.
#[derive(Clone, Copy)]
pub struct Avx512Step {
    from: __m512i,
    legal: __mmask64,
    illegal: __m512i,
}

impl Avx512Bytes {
    /// Each value less `16 * pair` if that is below 16, or else a byte with the top bit set.
    #[inline(always)]
    fn within_sixteen(self, pair: u8, is_last: bool) -> Self {
        // Values below the sixteen wrap to bytes with the top bit set.
        let value = self.sub(Self::splat(self.0, 16 * pair));
        if is_last {
            return value;
        }
        // Adding 0x70 sets the top bit of values above them.
        Self(self.0, self.0._mm512_adds_epu8(value.1, Self::splat(self.0, 0x70).1))
    }

    /// `table` looked up at each byte, 0 where the top bit is set.
    #[inline(always)]
    fn looked_up(self, table: &[u8; 16]) -> Self {
        let table = self.0._mm512_broadcast_i32x4(sixteen(table, 0));
        Self(self.0, self.0._mm512_shuffle_epi8(table, self.1))
    }
}

impl Vector for Avx512Bytes {
    type Lane = u8;
    type Token = HasAvx512Bytes;
    type Step<'a> = Avx512Step;
    type Halving = __m512i;
    const HELD: usize = 3;

    #[inline(always)]
    fn splat(token: HasAvx512Bytes, byte: u8) -> Self {
        Self(token, token._mm512_set1_epi8(byte as i8))
    }

    #[inline(always)]
    fn load(token: HasAvx512Bytes, line: &Line) -> Self {
        Self(token, token.avx512().load(&line.0, 0))
    }

    #[inline(always)]
    fn of_lanes(token: HasAvx512Bytes, lanes: u64) -> Self {
        Self(token, token._mm512_movm_epi8(lanes))
    }

    #[inline(always)]
    fn halving(token: HasAvx512Bytes, place: u32, second: bool) -> __m512i {
        Self::load(token, &HALVES[place as usize % HALVES.len()][usize::from(second)]).1
    }

    #[inline(always)]
    fn halved(token: HasAvx512Bytes, here: &Line, next: &Line, halving: __m512i) -> Self {
        let (Self(_, here), Self(_, next)) = (Self::load(token, here), Self::load(token, next));
        Self(token, token._mm512_permutex2var_epi8(here, halving, next))
    }

    #[inline(always)]
    fn store(self, line: &mut Line) {
        self.0.avx512().store(self.1, &mut line.0, 0);
    }

    #[inline(always)]
    fn prefetch(at: *const Line) {
        prefetch(at);
    }

    #[inline(always)]
    fn step(token: HasAvx512Bytes, m: &LaneMove, illegal: u8) -> Avx512Step {
        Avx512Step { from: Self::load(token, &m.from).1, legal: m.legal, illegal: Self::splat(token, illegal).1 }
    }

    #[inline(always)]
    fn load_moved(token: HasAvx512Bytes, line: &Line, step: Avx512Step) -> Self {
        let Self(_, line) = Self::load(token, line);
        Self(token, token._mm512_mask_permutexvar_epi8(step.illegal, step.legal, step.from, line))
    }

    #[inline(always)]
    fn filled<const CELL: u32>(self, illegal: Self) -> Self {
        let (Self(token, bytes), Self(_, illegal)) = (self, illegal);
        let moved = match CELL {
            5 => token._mm512_mask_shuffle_i64x2::<0b11_10_11_10>(illegal, 0x0f, bytes, bytes),
            4 => token._mm512_mask_shuffle_i64x2::<0b11_11_01_01>(illegal, 0x33, bytes, bytes),
            3 => token._mm512_mask_shuffle_epi32::<0b11_10_11_10>(illegal, 0x3333, bytes),
            2 => token._mm512_mask_shuffle_epi32::<0b11_11_01_01>(illegal, 0x5555, bytes),
            _ => {
                let up = token._mm512_broadcast_i32x4(sixteen(&UP[CELL as usize & 3], 0));
                token._mm512_mask_shuffle_epi8(illegal, const { without(CELL) }, bytes, up)
            }
        };
        Self(token, moved)
    }

    operations! {
        one register:
        max = _mm512_max_epu8;
        or = _mm512_or_si512;
        and = _mm512_and_si512;
        xor = _mm512_xor_si512;
        add = _mm512_add_epi8;
        minus = _mm512_subs_epu8;
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Self {
        Self(self.0, self.0._mm512_movm_epi8(self.0._mm512_cmpeq_epi8_mask(self.1, other.1)))
    }

    #[inline(always)]
    fn replaced(self, mask: Self, other: Self) -> Self {
        // The truth table of mask ? other : self.
        Self(self.0, self.0._mm512_ternarylogic_epi64::<0xd8>(self.1, other.1, mask.1))
    }

    #[inline(always)]
    fn above(self, limit: u8) -> u64 {
        self.0._mm512_cmpgt_epu8_mask(self.1, self.0._mm512_set1_epi8(limit as i8))
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        self.0._mm512_cmpneq_epi8_mask(self.1, other.1) == 0
    }
}

impl Bytes for Avx512Bytes {
    operations! {
        one register:
        min = _mm512_min_epu8;
        max_signed = _mm512_max_epi8;
        sub = _mm512_sub_epi8;
    }

    #[inline(always)]
    fn two_if_top(self) -> Self {
        Self(self.0, self.0._mm512_srli_epi16::<6>(self.1)).and(Self::splat(self.0, 2))
    }

    #[inline(always)]
    fn exceeds(self, limit: i8) -> bool {
        self.0._mm512_cmpgt_epi8_mask(self.1, self.0._mm512_set1_epi8(limit)) != 0
    }

    #[inline(always)]
    fn one_hot(self, _: HasAvx512Bytes, pair: u8, is_last: bool) -> (Self, Self) {
        let index = self.within_sixteen(pair, is_last);
        (index.looked_up(&ONE_HOT[0]), index.looked_up(&ONE_HOT[1]))
    }

    #[inline(always)]
    fn trailing_ones(self, token: HasAvx512Bytes) -> Self {
        let next = self.add(Self::splat(token, 1));
        Self(token, token._mm512_popcnt_epi8(token._mm512_andnot_si512(next.1, self.1)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::bytes::tests::keeps_to_the_definition;
    use super::*;

    #[test]
    fn avx512_keeps_to_the_definition() {
        if let Some(token) = HasAvx512Bytes::detect() {
            keeps_to_the_definition::<Avx512Bytes>(token);
        }
    }
}
