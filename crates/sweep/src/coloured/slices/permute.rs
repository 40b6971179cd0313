//! The labels of one occupied set, permuted into the labels of its image.
//!
//! A symmetry permutes the occupied squares of a set, and so the bits of each colouring, which is the index of its
//! label. Some of these bits name a bit in a word, the others the word. Words are gathered into chunks within which all
//! exchanges between the two kinds take place. Then bits are exchanged ([`index_bits`](crate::index_bits)), and
//! the words are written in their new order.

use crate::colourings::MOST_SQUARES;
use crate::index_bits::{BitExchange, WORD, exchange, exchanges, flip};

/// The most bits of an index: a bit for each two-colour square, and four for the bits of a label of two bytes.
const MOST: usize = MOST_SQUARES + 4;
/// The most words of a chunk: each bit within a word may be exchanged with a bit of the word's number, and eight words are
/// exchanged at once.
const CHUNK: usize = 1 << (WORD + AT_ONCE);
const AT_ONCE: usize = 3;
/// Marks a bit that is not exchanged.
const NO_BIT: usize = usize::MAX;

/// The source of each bit of an index.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    /// For each bit of an index here, its bit in the index there.
    from: [u8; MOST],
    count: usize,
    /// The bits that are inverted.
    flips: u64,
}

impl Bits {
    /// Bit `b` of an index here is bit `from[b]` of the index there, inverted if it is in `flips`. Indices have
    /// [`WORD`] bits at least.
    pub(super) fn new(from: impl IntoIterator<Item = usize>, flips: u64) -> Self {
        let mut bits = Self { from: [0; MOST], count: 0, flips };
        for (bit, there) in bits.from.iter_mut().zip(from) {
            *bit = there as u8;
            bits.count += 1;
        }
        // Sets of fewer colourings still fill a word.
        while bits.count < WORD {
            bits.from[bits.count] = bits.count as u8;
            bits.count += 1;
        }
        bits
    }

    fn from(&self, bit: usize) -> usize {
        self.from[bit].into()
    }

    /// `true` if the permutation is the identity.
    fn moves_nothing(&self) -> bool {
        self.flips == 0 && (0..self.count).all(|bit| self.from(bit) == bit)
    }

    /// Writes the labels of `there` in their order to `here`.
    ///
    /// # Panics
    /// If these are not 2^n labels, for indices of n bits.
    pub(super) fn copy(&self, there: &[u64], here: &mut [u64]) {
        assert!(there.len() == 1 << (self.count - WORD) && here.len() == there.len(), "labels of {} bits", self.count);
        if self.moves_nothing() {
            here.copy_from_slice(there);
            return;
        }
        // `across`: bits of the word's number there that lie within a word here; equally many bits go the other way.
        // `outer`: bits of the word's number in both, as pairs of there and here.
        let mut across = [0; WORD];
        let mut count = 0;
        for bit in 0..WORD {
            if self.from(bit) >= WORD {
                across[count] = self.from(bit);
                count += 1;
            }
        }
        let across = &across[..count];
        let mut outer = [(0, 0); MOST];
        let mut outers = 0;
        for bit in (WORD..self.count).filter(|&bit| self.from(bit) >= WORD) {
            outer[outers] = (self.from(bit) - WORD, bit - WORD);
            outers += 1;
        }
        let (more, rest) = outer[..outers].split_at(outers.min(AT_ONCE.max(WORD - count)));
        // The number of a word in a chunk: the bits of `more`, then the bits of `across`.
        let mut at = [NO_BIT; 2 * WORD + AT_ONCE + WORD];
        let at = &mut at[..WORD + more.len() + count];
        (0..WORD).for_each(|bit| at[bit] = bit);
        at[WORD + more.len()..].copy_from_slice(across);
        let mut steps = [BitExchange::Within(0, 0); WORD];
        let mut number = 0;
        exchanges(&std::array::from_fn(|bit| self.from(bit)), at, |step| {
            steps[number] = step;
            number += 1;
        });
        let steps = &steps[..number];
        let (mut sources, mut targets) = ([0u32; CHUNK], [0u32; CHUNK]);
        let words = 1 << (more.len() + count);
        let target = |bit: usize| {
            let found = (WORD..self.count).find(|&here| self.from(here) == bit);
            found.unwrap_or_else(|| unreachable!("a permutation")) - WORD
        };
        let both = more
            .iter()
            .copied()
            .chain(across.iter().zip(&at[WORD + more.len()..]).map(|(from, &to)| (from - WORD, target(to))));
        for (bit, (source, to)) in both.enumerate() {
            for word in 0..1 << bit {
                sources[1 << bit | word] = sources[word] | 1 << source;
                targets[1 << bit | word] = targets[word] | 1 << to;
            }
        }
        let (sources, targets) = (&sources[..words], &targets[..words]);
        let flipped = (self.flips >> WORD) as usize;
        let mut chunk = [0u64; CHUNK];
        let chunk = &mut chunk[..words];
        for number in 0..1usize << rest.len() {
            let moved = |of: fn(&(usize, usize)) -> usize| -> usize {
                rest.iter().enumerate().map(|(bit, outer)| (number >> bit & 1) << of(outer)).sum()
            };
            let (source, to) = (moved(|outer| outer.0), moved(|outer| outer.1));
            for (word, from) in chunk.iter_mut().zip(sources) {
                *word = there[source | *from as usize];
            }
            steps.iter().for_each(|&step| exchange(step, chunk));
            (0..WORD).filter(|bit| self.flips >> bit & 1 == 1).for_each(|bit| flip(bit, chunk));
            for (word, target) in chunk.iter().zip(targets) {
                here[(to | *target as usize) ^ flipped] = *word;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every label is where its index is, for random permutations of all sizes, with flips and without.
    #[test]
    fn labels_move_with_their_indices() {
        let mut random = fastrand::Rng::with_seed(25);
        for case in 0..600 {
            let count = 1 + case % 16;
            let mut from: Vec<usize> = (0..count).collect();
            match case % 3 {
                0 => random.shuffle(&mut from),
                1 => from.swap(0, count - 1),
                _ => random.shuffle(&mut from[count / 2..]),
            }
            let flips = if case % 2 == 0 { 0 } else { random.u64(..1 << count) };
            let words = 1usize << count.saturating_sub(WORD);
            let there: Vec<u64> = (0..words).map(|_| random.u64(..)).collect();
            let mut here = vec![0; words];
            Bits::new(from.iter().copied(), flips).copy(&there, &mut here);
            let bit = |words: &[u64], index: usize| words[index >> WORD] >> (index % 64) & 1;
            for index in 0..1usize << count {
                let unflipped = index ^ flips as usize;
                let source = from.iter().enumerate().map(|(here, there)| (unflipped >> here & 1) << there).sum();
                assert_eq!(bit(&here, index), bit(&there, source), "{from:?} {flips:#b} {index}");
            }
        }
    }
}
