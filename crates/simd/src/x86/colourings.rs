//! Colourings in the registers of AVX-512.

use super::Gather;
use std::arch::x86_64::__m512i;

use super::super::colourings::{Colourings, TOGETHER, Word, WordMoves, insert_bit, remove_bit};
use super::HasAvx512;
use super::bits::Avx512;
use super::instructions::shift_by;

/// The dwords with even numbers of two registers.
static EVEN: [u32; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30];

/// For each place above a word and each colour, the words of two registers that are kept.
static COMPRESSED: [[[u64; 8]; 2]; 3] = {
    let mut table = [[[0; 8]; 2]; 3];
    let mut at = 0;
    while at < 48 {
        let (place, second, word) = (at >> 4, at >> 3 & 1, at & 7);
        table[place][second][word] = insert_bit(word, place as u32, second == 1) as u64;
        at += 1;
    }
    table
};

/// For each place above a word, and for the lower and the upper block, the source of each of eight words.
static EXPANDED: [[[u64; 8]; 2]; 3] = {
    let mut table = [[[0; 8]; 2]; 3];
    let mut at = 0;
    while at < 48 {
        let (place, upper, word) = (at >> 4, at >> 3 & 1, at & 7);
        table[place][upper][word] = remove_bit(upper * 8 + word, place as u32) as u64;
        at += 1;
    }
    table
};

/// The bits of each word whose number has bit `second` at place `P`, brought together in its lower half.
#[inline(always)]
fn halves_512<const P: u32>(token: HasAvx512, words: __m512i, second: bool) -> __m512i {
    let words = token._mm512_srl_epi64(words, shift_by(u32::from(second) << P));
    let mut kept = token._mm512_and_si512(words, token._mm512_set1_epi64(TOGETHER[P as usize] as i64));
    let mut step = P;
    while step < 5 {
        let moved = token._mm512_srl_epi64(kept, shift_by(1 << step));
        let mask = token._mm512_set1_epi64(TOGETHER[step as usize + 1] as i64);
        // The truth table of (a | b) & c.
        kept = token._mm512_ternarylogic_epi64::<0xa8>(kept, moved, mask);
        step += 1;
    }
    kept
}

/// For each place, the bits of a word whose number has it clear, and the bits whose number has it set.
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
    fn compress(self, word: u64, next: u64, place: u32, second: bool) -> u64 {
        let kept = PLACES[place as usize % 6][usize::from(second)];
        self.extract(word, kept) | self.extract(next, kept) << 32
    }

    #[inline(always)]
    fn expand(self, word: u64, place: u32, upper: bool) -> u64 {
        let half = word >> (u32::from(upper) * 32);
        let [first, second] = PLACES[place as usize % 6];
        self.deposit(half, first) | self.deposit(half, second)
    }
}

impl Colourings for Avx512 {
    const LOG: u32 = 9;
    type Word = Word<HasAvx512>;

    #[inline(always)]
    fn compress<const P: u32>(self, next: Self, second: bool) -> Self {
        let Self(token, words) = self;
        if P < 6 {
            let (lower, upper) = (halves_512::<P>(token, words, second), halves_512::<P>(token, next.1, second));
            Self(token, token._mm512_permutex2var_epi32(lower, token.load(&EVEN, 0), upper))
        } else {
            let from = token.load(&COMPRESSED[P.saturating_sub(6) as usize][usize::from(second)], 0);
            Self(token, token._mm512_permutex2var_epi64(words, from, next.1))
        }
    }

    #[inline(always)]
    fn expand<const P: u32>(self, upper: bool) -> Self {
        let Self(token, words) = self;
        if P >= 6 {
            let from = token.load(&EXPANDED[P.saturating_sub(6) as usize][usize::from(upper)], 0);
            return Self(token, token._mm512_permutexvar_epi64(from, words));
        }
        let half =
            if upper { token._mm512_extracti64x4_epi64::<1>(words) } else { token._mm512_castsi512_si256(words) };
        let mut spread = token._mm512_cvtepu32_epi64(half);
        let mut step = 5;
        while step > P {
            step -= 1;
            let moved = token._mm512_sll_epi64(spread, shift_by(1 << step));
            let mask = token._mm512_set1_epi64(TOGETHER[step as usize] as i64);
            // The truth table of (a | b) & c.
            spread = token._mm512_ternarylogic_epi64::<0xa8>(spread, moved, mask);
        }
        Self(token, token._mm512_or_si512(spread, token._mm512_sll_epi64(spread, shift_by(1 << P))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::colourings::tests::keeps_to_the_definition;
    use super::*;

    #[test]
    fn avx512_keeps_to_the_definition() {
        if let Some(token) = HasAvx512::detect() {
            keeps_to_the_definition::<Avx512>(token);
            keeps_to_the_definition::<Word<HasAvx512>>(token);
        }
    }
}
