//! The image of a slice's labels under a permutation of its cells.
//!
//! A permutation of cells moves bit `b` of every index to bit `p(b)`, and so permutes the labels of a plane. Each chunk
//! of labels is permuted in the innermost cache. A chunk is all lines of 512 labels that agree on the outer bits: the
//! bits that lie within no line, neither before nor after.
//!
//! ```text
//! index:   outer bits            | bits of the chunk                 | 9 bits within a line
//!          move as they are,     | exchanged with those of a word,
//!          chunk by chunk        | then words gathered into lines
//! ```
//!
//! Bits within a word of 64 labels are exchanged by shifts and masks ([`index_bits`](crate::index_bits)). All
//! other bits name words, which are copied to their places.

use rayon::prelude::*;

use crate::dense::block::LOW;
use crate::index_bits::{BitExchange, WORD, exchange, exchanges};
use crate::rules::Mode;
use crate::symmetry::Element;

/// Bits of an index within a line.
const LINE: usize = LOW as usize;
/// Words of a line.
const WORDS: usize = 1 << (LINE - WORD);
/// The most tasks.
const TASKS: usize = 32;
/// The most bits of a line's number that cut memory into pieces for the tasks.
const MOST_CUT: usize = 12;

type Line = [u64; WORDS];

/// The construction of a slice's labels from another slice of its symmetry class.
pub(super) struct ImageWay {
    /// The new place of each bit of an index.
    pub(super) places: Vec<u8>,
    /// The mode that each mode comes from.
    pub(super) modes: Vec<Mode>,
}

impl ImageWay {
    /// The way to a slice that `element` maps to its representative, from another slice that `sibling` maps there. Boards
    /// have `cells` cells within a slice, and the game has `modes` modes.
    pub(super) fn new(element: &Element, sibling: &Element, cells: u32, modes: usize) -> Self {
        let cells = 0..cells as usize;
        let (mut back, to) = (vec![0; cells.len()], element.places());
        cells.clone().for_each(|bit| back[usize::from(to[bit])] = bit as u8);
        let stored = |bit: usize| usize::from(sibling.places()[bit]);
        let all = || (0..modes as u16).map(Mode);
        let from = |mode: Mode| {
            let stored = element.mode(mode);
            let found = all().find(|&from| sibling.mode(from) == stored);
            found.unwrap_or_else(|| unreachable!("a symmetry permutes the modes"))
        };
        Self { places: cells.map(|bit| back[stored(bit)]).collect(), modes: all().map(from).collect() }
    }
}

/// A permutation of labels by the bits of their indices.
#[derive(Debug)]
pub(super) struct Image {
    /// Bits of an index.
    bits: usize,
    /// The exchanges of bits in the words of a chunk, before words are moved.
    steps: Vec<BitExchange>,
    /// For each word of a chunk, the word that moves there.
    gather: Vec<u16>,
    /// The lines of a chunk, before and after, without the outer bits of their numbers.
    from: Vec<usize>,
    to: Vec<usize>,
    /// The places of each outer bit in a line's number, before and after.
    outer: Vec<(usize, usize)>,
}

/// The bits of `number`, each moved from the first to the second place of a pair of `bits`.
fn moved<'a>(number: usize, bits: impl IntoIterator<Item = &'a (usize, usize)>) -> usize {
    bits.into_iter().map(|&(from, to)| (number >> from & 1) << to).sum()
}

impl Image {
    /// The permutation that moves bit `b` of each index to bit `to[b]`. An index has nine bits at least.
    pub(super) fn new(to: &[u8]) -> Self {
        let bits = to.len();
        assert!(bits >= LINE, "a slice has a line at least");
        let to: Vec<usize> = to.iter().map(|&to| to.into()).collect();
        let mut came = vec![0; bits];
        to.iter().enumerate().for_each(|(bit, &to)| came[to] = bit);
        // The bits of an index that vary within a chunk, before and after: the bits of a line, and the bits that move
        // into or out of a line.
        let mut before: Vec<usize> = (0..LINE).chain(came[..LINE].iter().copied().filter(|&bit| bit >= LINE)).collect();
        let mut after: Vec<usize> =
            (0..LINE).chain(before.iter().map(|&bit| to[bit]).filter(|&to| to >= LINE)).collect();
        before[LINE..].sort_unstable();
        after[LINE..].sort_unstable();
        let place = |list: &[usize], bit: usize| {
            list.iter().position(|&found| found == bit).unwrap_or_else(|| unreachable!("it is of the chunk"))
        };
        // The new place of each of these bits, counted within the chunk.
        let goes: Vec<usize> = before.iter().map(|&bit| place(&after, to[bit])).collect();
        let chunk = before.len();
        // The bit at each place during the exchanges.
        let mut at: Vec<usize> = (0..chunk).collect();
        let mut steps = Vec::new();
        exchanges(&std::array::from_fn(|bit| place(&goes, bit)), &mut at, |step| steps.push(step));
        let words: Vec<(usize, usize)> = (WORD..chunk).map(|bit| (goes[at[bit]] - WORD, bit - WORD)).collect();
        let gather = (0..1 << (chunk - WORD)).map(|word| moved(word, &words) as u16).collect();
        let lines = |bits: &[usize]| -> Vec<usize> {
            let places: Vec<(usize, usize)> = bits[LINE..].iter().map(|bit| bit - LINE).enumerate().collect();
            (0..1 << places.len()).map(|number| moved(number, &places)).collect()
        };
        let outer = (LINE..bits).filter(|bit| !before.contains(bit)).map(|bit| (bit - LINE, to[bit] - LINE)).collect();
        Self { bits, steps, gather, from: lines(&before), to: lines(&after), outer }
    }

    /// Writes the permuted labels of `plane` to `image`, on all cores of the current rayon pool.
    ///
    /// # Panics
    /// If the planes do not have a label for each index.
    pub(super) fn copy(&self, plane: &[u64], image: &mut [u64]) {
        let ((plane, _), (image, _)) = (plane.as_chunks::<WORDS>(), image.as_chunks_mut::<WORDS>());
        assert!(plane.len() == 1 << (self.bits - LINE) && image.len() == plane.len(), "a plane of {} bits", self.bits);
        // The highest bits cut `image` into pieces. The outer bits among them name the task, so that no two tasks share
        // a piece.
        let lines = self.bits - LINE;
        let shares = |cut: usize| self.outer.iter().filter(|(_, after)| *after >= lines - cut).count();
        let cut = (0..=lines.min(MOST_CUT)).find(|&cut| 1 << shares(cut) >= TASKS).unwrap_or(lines.min(MOST_CUT));
        let piece = lines - cut;
        let (assigned, rest): (Vec<_>, Vec<_>) = self.outer.iter().copied().partition(|(_, after)| *after >= piece);
        let task_of: Vec<_> = assigned.iter().enumerate().map(|(n, (_, after))| (after - piece, n)).collect();
        let numbered = |of: fn(&(usize, usize)) -> usize, bits: &[(usize, usize)]| -> Vec<(usize, usize)> {
            bits.iter().map(of).enumerate().collect()
        };
        let (starts, befores, afters) =
            (numbered(|b| b.0, &assigned), numbered(|b| b.0, &rest), numbered(|b| b.1, &rest));
        let task = |number| Task { start: moved(number, &starts), pieces: Vec::new() };
        let mut tasks: Vec<Task<'_>> = (0..1 << assigned.len()).map(task).collect();
        for (number, part) in image.chunks_mut(1 << piece).enumerate() {
            tasks[moved(number, &task_of)].pieces.push(part);
        }
        // The other highest bits name a piece within its task.
        let own = (piece..lines).filter(|bit| assigned.iter().all(|(_, after)| after != bit));
        let own: Vec<(usize, usize)> = own.enumerate().map(|(n, bit)| (bit, n)).collect();
        let to: Vec<_> = self.to.iter().map(|&line| (moved(line, &own), line & ((1 << piece) - 1))).collect();
        tasks.into_par_iter().for_each(|mut task| {
            let mut chunk = vec![[0; WORDS]; self.from.len()];
            for number in 0..1 << rest.len() {
                let (before, after) = (task.start | moved(number, &befores), moved(number, &afters));
                chunk.iter_mut().zip(&self.from).for_each(|(line, from)| *line = plane[before | from]);
                self.steps.iter().for_each(|&step| exchange(step, chunk.as_flattened_mut()));
                let words = chunk.as_flattened();
                for (gather, &(which, line)) in self.gather.as_chunks::<WORDS>().0.iter().zip(&to) {
                    task.pieces[which][after | line] = gather.map(|word| words[usize::from(word)]);
                }
            }
        });
    }
}

/// The pieces of an image that one task writes, and their outer bits before the permutation.
struct Task<'a> {
    start: usize,
    pieces: Vec<&'a mut [Line]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every label moves with its index, for random permutations and for each exchange of two bits.
    #[test]
    fn labels_move_with_their_indices() {
        let mut random = fastrand::Rng::with_seed(9);
        let exchanges = (0..12).flat_map(|a| (0..a).map(move |b| (a, b))).map(|(a, b)| {
            let mut to: Vec<u8> = (0..12).collect();
            to.swap(a, b);
            to
        });
        let mut permutations: Vec<Vec<u8>> = exchanges.collect();
        for bits in (9..=18).cycle().take(60) {
            let mut to: Vec<u8> = (0..bits).collect();
            random.shuffle(&mut to);
            permutations.push(to);
        }
        for to in permutations {
            let plane: Vec<u64> = (0..1 << (to.len() - WORD)).map(|_| random.u64(..)).collect();
            let mut image = vec![0; plane.len()];
            Image::new(&to).copy(&plane, &mut image);
            let bit = |plane: &[u64], index: usize| plane[index >> WORD] >> (index % 64) & 1;
            for index in 0..1usize << to.len() {
                let goes = to.iter().enumerate().map(|(b, to)| (index >> b & 1) << to).sum();
                assert_eq!(bit(&plane, index), bit(&image, goes), "{to:?}, {index}");
            }
        }
    }
}
