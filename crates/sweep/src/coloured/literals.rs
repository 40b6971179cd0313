//! Conditions on colours as masks over colourings.

use super::plan::Condition;
use crate::simd::{Colourings, LINE};

/// For each place inside a block and each colour, the colourings of the block with this colour there.
static WITH: [[[u64; 8]; 2]; 9] = {
    let mut table = [[[0; 8]; 2]; 9];
    let mut z = 0;
    while z < 512 {
        let mut place = 0;
        while place < 9 {
            table[place][z >> place & 1][z >> 6] |= 1 << (z & 63);
            place += 1;
        }
        z += 1;
    }
    table
};

/// Every colouring of a block.
static ALL: [u64; 8] = [u64::MAX; 8];

/// Colours that some places of a colouring must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Literals {
    /// The places.
    pub(super) places: u64,
    /// The colours of these places: the second where the bit is set.
    pub(super) colours: u64,
}

impl Literals {
    /// The colours that `condition` requires of the occupied two-colour squares `pairs`. Squares of `also` must have
    /// the colours `with` instead.
    #[inline(always)]
    pub(super) fn new(condition: &Condition, pairs: u64, also: u64, with: u64) -> Self {
        let mut rest = condition.care & pairs | also;
        let second = condition.colours & condition.care & !also | with;
        let mut literals = Self { places: 0, colours: 0 };
        while rest != 0 {
            let square = rest.trailing_zeros();
            let place = 1u64 << (pairs & ((1 << square) - 1)).count_ones();
            literals.places |= place;
            literals.colours |= if second >> square & 1 == 1 { place } else { 0 };
            rest &= rest - 1;
        }
        literals
    }

    /// The colourings of a block with the right colours at the places inside the block.
    #[inline(always)]
    pub(super) fn inside<L: Colourings>(&self, token: L::Token) -> L {
        let mut all = L::of(token, &ALL);
        let mut rest = self.places & ((1 << L::LOG) - 1);
        while rest != 0 {
            let place = rest.trailing_zeros() as usize;
            all = all.and(L::of(token, &WITH[place][(self.colours >> place & 1) as usize]));
            rest &= rest - 1;
        }
        all
    }

    /// The blocks among `first..first + count` with the right colours at the places above a block, counted from
    /// `first`. `count` is a power of two and divides `first`.
    #[inline(always)]
    pub(super) fn blocks<L: Colourings>(&self, first: usize, count: usize) -> Blocks {
        self.groups(L::LOG, first, count)
    }

    /// As [`blocks`](Self::blocks), for lines of 64 colourings.
    #[inline(always)]
    pub(super) fn lines(&self, first: usize, count: usize) -> Blocks {
        self.groups(LINE, first, count)
    }

    /// The colourings of a line of 64 with the right colours at the places inside the line, a bit each.
    #[inline(always)]
    pub(super) const fn lanes(&self) -> u64 {
        let (mut all, mut rest) = (u64::MAX, self.places & ((1 << LINE) - 1));
        while rest != 0 {
            let place = rest.trailing_zeros() as usize;
            all &= WITH[place][(self.colours >> place & 1) as usize][0];
            rest &= rest - 1;
        }
        all
    }

    /// As [`blocks`](Self::blocks), for groups of 2^`log` colourings.
    #[inline(always)]
    const fn groups(&self, log: u32, first: usize, count: usize) -> Blocks {
        let (places, colours) = ((self.places >> log) as usize, (self.colours >> log) as usize);
        let beyond = places & !(count - 1);
        let fixed = places & (count - 1);
        let start = colours & fixed;
        let is_empty = (first ^ colours) & beyond != 0;
        Blocks { fixed, colours: start, count, next: if is_empty { count } else { start } }
    }
}

/// Numbers of blocks, counted from the first of a chunk.
pub(super) struct Blocks {
    fixed: usize,
    colours: usize,
    count: usize,
    next: usize,
}

impl Iterator for Blocks {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let block = self.next;
        if block >= self.count {
            return None;
        }
        // The carry runs over the fixed places, which are then set again. Out of the last place it ends the numbers.
        let after = (block | self.fixed) + 1;
        self.next = if after >= self.count { self.count } else { after & !self.fixed | self.colours };
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Bits, WideBits};

    #[test]
    fn literals_select_matching_colourings() {
        let mut draw = fastrand::Rng::with_seed(5);
        for _ in 0..300 {
            let colours = draw.u64(..);
            let literals = Literals { places: draw.u64(..) & draw.u64(..) & 0x1fff, colours };
            let has = |z: u64| (z ^ literals.colours) & literals.places == 0;
            let mut words = [0u64; 8];
            literals.inside::<WideBits>(()).store(&mut words);
            for z in 0..512u64 {
                let expected = (z ^ literals.colours) & literals.places & 511 == 0;
                assert_eq!(words[(z >> 6) as usize] >> (z & 63) & 1 == 1, expected);
            }
            for lane in 0..64u64 {
                let expected = (lane ^ literals.colours) & literals.places & 63 == 0;
                assert_eq!(literals.lanes() >> lane & 1 == 1, expected);
            }
            for (first, count) in [(0, 16), (8, 8), (0, 4), (12, 4), (5, 1)] {
                let found: Vec<usize> = literals.blocks::<WideBits>(first, count).collect();
                let inside = words.iter().enumerate().find(|(_, word)| **word != 0).map_or(0, |(_, word)| *word);
                assert!(inside != 0, "colours inside a block exclude none of its colourings altogether");
                let low = literals.colours & literals.places & 511;
                let expected = (0..count).filter(|&block| has(((first + block) as u64) << 9 | low));
                assert_eq!(found, expected.collect::<Vec<_>>());
                let low = literals.colours & literals.places & 63;
                let expected = (0..count).filter(|&line| has(((first + line) as u64) << 6 | low));
                assert!(literals.lines(first, count).eq(expected));
            }
        }
    }

    #[test]
    fn conditions_apply_to_occupied_pairs_only() {
        let condition = Condition { free: 0, occupied: 0, care: 0b1101_0000, colours: 0b0101_0000 };
        // Occupied pairs 1, 4, 7: places 0, 1, 2.
        let literals = Literals::new(&condition, 0b1001_0010, 0, 0);
        assert_eq!(literals, Literals { places: 0b110, colours: 0b010 });
        let literals = Literals::new(&condition, 0b1001_0010, 0b0000_0010, 0b10);
        assert_eq!(literals, Literals { places: 0b111, colours: 0b011 });
    }
}
