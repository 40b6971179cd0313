//! 64 bytes in two registers of AVX2.

use std::arch::x86_64::__m256i;

use super::super::bytes::Bytes;
use super::super::line::{LANES, LINE, LaneMove, Line};
use super::super::vector::Vector;
use super::instructions::{prefetch, sixteen};
use super::{HALVES, HasAvx2, ONE_HOT, UP, without};

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

/// For each of 32 lanes, the byte of a word that has its bit.
static BYTE_OF_LANE: [u8; 32] = {
    let mut table = [0; 32];
    let mut lane = 0;
    while lane < 32 {
        table[lane] = lane as u8 / 8;
        lane += 1;
    }
    table
};

/// For each of 32 lanes, its bit of that byte.
static BIT_OF_LANE: [u8; 32] = {
    let mut table = [0; 32];
    let mut lane = 0;
    while lane < 32 {
        table[lane] = 1 << (lane % 8);
        lane += 1;
    }
    table
};

/// 64 bytes in two registers: the lower 32 and the upper ones.
#[derive(Clone, Copy)]
pub struct Avx2Bytes(HasAvx2, __m256i, __m256i);

/// A move made ready for two registers.
#[derive(Clone, Copy)]
pub struct Avx2Step<'a> {
    /// The upper two cells that it fills: which quarters of the line are read.
    quarters: usize,
    /// The lower four, as bytes within each quarter.
    bytes: __m256i,
    illegal: &'a Line,
}

/// A choice of half the lanes made ready for two registers.
#[derive(Clone, Copy)]
pub struct Avx2Halving {
    /// The place, if it chooses among sixteen lanes or more.
    wide: u32,
    second: bool,
    /// The chosen bytes of sixteen lanes, which come first.
    bytes: __m256i,
}

/// The same operation on both registers.
macro_rules! both {
    ($op:ident($a:expr, $b:expr)) => {{
        let (a, b) = ($a, $b);
        Self(a.0, a.0.$op(a.1, b.1), a.0.$op(a.2, b.2))
    }};
}

impl Avx2Bytes {
    #[inline(always)]
    fn shuffled(self, bytes: __m256i) -> Self {
        both!(_mm256_shuffle_epi8(self, Self(self.0, bytes, bytes)))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        both!(_mm256_andnot_si256(other, self))
    }

    /// `table` looked up at each byte, 0 where the top bit is set.
    #[inline(always)]
    fn looked_up(self, table: &[u8; 16]) -> Self {
        let table = self.0._mm256_broadcastsi128_si256(sixteen(table, 0));
        both!(_mm256_shuffle_epi8(Self(self.0, table, table), self))
    }

    /// Each pair of bytes as a number moved down by `BITS`.
    #[inline(always)]
    fn pairs_down<const BITS: i32>(self) -> Self {
        let Self(token, lower, upper) = self;
        Self(token, token._mm256_srli_epi16::<BITS>(lower), token._mm256_srli_epi16::<BITS>(upper))
    }
}

impl Vector for Avx2Bytes {
    type Lane = u8;
    type Token = HasAvx2;
    type Step<'a> = Avx2Step<'a>;
    type Halving = Avx2Halving;
    const HELD: usize = 1;

    #[inline(always)]
    fn splat(token: HasAvx2, byte: u8) -> Self {
        let half = token._mm256_set1_epi8(byte as i8);
        Self(token, half, half)
    }

    #[inline(always)]
    fn load(token: HasAvx2, line: &Line) -> Self {
        Self(token, token.load(&line.0, 0), token.load(&line.0, 1))
    }

    #[inline(always)]
    fn of_lanes(token: HasAvx2, lanes: u64) -> Self {
        let bit = token.load(&BIT_OF_LANE, 0);
        let halves = [lanes as u32, (lanes >> 32) as u32].map(|half| half as i32);
        let lower = token._mm256_shuffle_epi8(token._mm256_set1_epi32(halves[0]), token.load(&BYTE_OF_LANE, 0));
        let upper = token._mm256_shuffle_epi8(token._mm256_set1_epi32(halves[1]), token.load(&BYTE_OF_LANE, 0));
        let lower = token._mm256_cmpeq_epi8(token._mm256_and_si256(lower, bit), bit);
        Self(token, lower, token._mm256_cmpeq_epi8(token._mm256_and_si256(upper, bit), bit))
    }

    #[inline(always)]
    fn halving(token: HasAvx2, place: u32, second: bool) -> Avx2Halving {
        let bytes = &HALVES[place as usize & 3][usize::from(second)].0;
        Avx2Halving { wide: place, second, bytes: token._mm256_broadcastsi128_si256(sixteen(bytes, 0)) }
    }

    #[inline(always)]
    fn halved(token: HasAvx2, here: &Line, next: &Line, halving: Avx2Halving) -> Self {
        let Avx2Halving { wide, second, bytes } = halving;
        let second = usize::from(second);
        if wide == 5 {
            return Self(token, token.load(&here.0, second), token.load(&next.0, second));
        }
        if wide == 4 {
            let lower = token._mm256_set_m128i(sixteen(&here.0, 2 | second), sixteen(&here.0, second));
            let upper = token._mm256_set_m128i(sixteen(&next.0, 2 | second), sixteen(&next.0, second));
            return Self(token, lower, upper);
        }
        let (here, next) = (Self::load(token, here).shuffled(bytes), Self::load(token, next).shuffled(bytes));
        // The chosen eight of each sixteen lanes come first: the first halves of both registers, in order.
        let lower = token._mm256_unpacklo_epi64(here.1, here.2);
        let upper = token._mm256_unpacklo_epi64(next.1, next.2);
        Self(
            token,
            token._mm256_permute4x64_epi64::<0b11_01_10_00>(lower),
            token._mm256_permute4x64_epi64::<0b11_01_10_00>(upper),
        )
    }

    #[inline(always)]
    fn store(self, line: &mut Line) {
        self.0.store(self.1, &mut line.0, 0);
        self.0.store(self.2, &mut line.0, 1);
    }

    #[inline(always)]
    fn prefetch(at: *const Line) {
        prefetch(at);
    }

    #[inline(always)]
    fn step(token: HasAvx2, m: &LaneMove, _: u8) -> Avx2Step<'_> {
        // The successors of the first sixteen lanes, without the upper cells: a shuffle permutes each sixteen lanes alike.
        let bytes = token._mm256_broadcastsi128_si256(sixteen(&m.from.0, 0));
        let bytes = token._mm256_and_si256(bytes, token._mm256_set1_epi8(15));
        Avx2Step { quarters: usize::from(m.up) >> 4, bytes, illegal: &m.illegal }
    }

    #[inline(always)]
    fn load_moved(token: HasAvx2, line: &Line, step: Avx2Step<'_>) -> Self {
        let lower = (sixteen(&line.0, step.quarters), sixteen(&line.0, 1 | step.quarters));
        let upper = (sixteen(&line.0, 2 | step.quarters), sixteen(&line.0, 3 | step.quarters));
        let (lower, upper) = (token._mm256_set_m128i(lower.1, lower.0), token._mm256_set_m128i(upper.1, upper.0));
        Self(token, lower, upper).shuffled(step.bytes).or(Self::load(token, step.illegal))
    }

    #[inline(always)]
    fn filled<const CELL: u32>(self, illegal: Self) -> Self {
        let Self(token, lower, upper) = self;
        let up = match CELL {
            5 => return Self(token, upper, illegal.2),
            4 => Self(
                token,
                token._mm256_permute4x64_epi64::<0b11_10_11_10>(lower),
                token._mm256_permute4x64_epi64::<0b11_10_11_10>(upper),
            ),
            _ => self.shuffled(token._mm256_broadcastsi128_si256(sixteen(&UP[CELL as usize & 3], 0))),
        };
        illegal.replaced(Self::load(token, &LANES_WITHOUT[CELL as usize]), up)
    }

    operations! {
        two registers:
        max = _mm256_max_epu8;
        or = _mm256_or_si256;
        and = _mm256_and_si256;
        xor = _mm256_xor_si256;
        add = _mm256_add_epi8;
        minus = _mm256_subs_epu8;
        equals = _mm256_cmpeq_epi8;
    }

    #[inline(always)]
    fn replaced(self, mask: Self, other: Self) -> Self {
        let Self(token, lower, upper) = self;
        let lower = token._mm256_blendv_epi8(lower, other.1, mask.1);
        Self(token, lower, token._mm256_blendv_epi8(upper, other.2, mask.2))
    }

    #[inline(always)]
    fn above(self, limit: u8) -> u64 {
        let Self(token, lower, upper) = self.minus(Self::splat(self.0, limit)).equals(Self::splat(self.0, 0));
        let not_above = |half| u64::from(token._mm256_movemask_epi8(half) as u32);
        !(not_above(lower) | not_above(upper) << 32)
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        let Self(token, lower, upper) = self.equals(other);
        token._mm256_movemask_epi8(token._mm256_and_si256(lower, upper)) == -1
    }
}

impl Bytes for Avx2Bytes {
    operations! {
        two registers:
        min = _mm256_min_epu8;
        max_signed = _mm256_max_epi8;
        sub = _mm256_sub_epi8;
    }

    #[inline(always)]
    fn two_if_top(self) -> Self {
        self.pairs_down::<6>().and(Self::splat(self.0, 2))
    }

    #[inline(always)]
    fn exceeds(self, limit: i8) -> bool {
        let Self(token, lower, upper) = self;
        let limit = token._mm256_set1_epi8(limit);
        let (lower, upper) = (token._mm256_cmpgt_epi8(lower, limit), token._mm256_cmpgt_epi8(upper, limit));
        token._mm256_movemask_epi8(token._mm256_or_si256(lower, upper)) != 0
    }

    #[inline(always)]
    fn one_hot(self, token: HasAvx2, pair: u8, is_last: bool) -> (Self, Self) {
        // Values below the sixteen wrap to bytes with the top bit set. Adding 0x70 sets the top bit of values above them.
        let value = self.sub(Self::splat(token, 16 * pair));
        let index = if is_last { value } else { both!(_mm256_adds_epu8(value, Self::splat(token, 0x70))) };
        (index.looked_up(&ONE_HOT[0]), index.looked_up(&ONE_HOT[1]))
    }

    #[inline(always)]
    fn trailing_ones(self, token: HasAvx2) -> Self {
        /// The number of ones of each half byte.
        static ONES: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
        let ones = self.without(self.add(Self::splat(token, 1)));
        let half = Self::splat(token, 15);
        ones.and(half).looked_up(&ONES).add(ones.pairs_down::<4>().and(half).looked_up(&ONES))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::bytes::tests::keeps_to_the_definition;
    use super::*;

    #[test]
    fn avx2_keeps_to_the_definition() {
        if let Some(token) = HasAvx2::detect() {
            keeps_to_the_definition::<Avx2Bytes>(token);
        }
    }
}
