//! The image of a slice's labels under a permutation of its cells.
//!
//! A permutation of cells moves bit `b` of every index to bit `p(b)`, and so the labels of a plane. It is done in chunks that stay
//! in the innermost cache: the lines of 512 labels that share, before or after, the places of nine bits of an index.
//!
//! ```text
//! index:   outer bits            | bits of the chunk                 | 9 bits within a line
//!          move as they are,     | exchanged with those of a word,
//!          chunk by chunk        | then words gathered into lines
//! ```
//!
//! Bits within a word of 64 labels are exchanged by shifts and masks ([`index_bits`](crate::solve::index_bits)); all other bits
//! name words, and words are copied to where they go.

use rayon::prelude::*;

use crate::rules::Mode;
use crate::solve::dense::block::LOW;
use crate::solve::index_bits::{Step, WORD, exchange, exchanges};
use crate::symmetry::Element;

/// Bits of an index within a line.
const LINE: usize = LOW as usize;
/// Words of a line.
const WORDS: usize = 1 << (LINE - WORD);
/// Tasks that the work is assigned out in, if there are so many.
const TASKS: usize = 32;
/// Most bits of a line's number by which memory is cut into pieces for them.
const MOST_CUT: usize = 12;

type Line = [u64; WORDS];

/// How the labels of a slice come from those of another one of its orbit.
pub(super) struct Way {
    /// Where each bit of an index goes.
    pub(super) places: Vec<u8>,
    /// For each mode, which one it comes from.
    pub(super) modes: Vec<Mode>,
}

impl Way {
    /// To a slice that `element` maps to the stored one: from there, or from one that `sibling` maps to it. Slices have `cells` cells,
    /// and the game has `modes` modes.
    pub(super) fn new(element: &Element, sibling: Option<&Element>, cells: u32, modes: usize) -> Self {
        let cells = 0..cells as usize;
        let (mut back, to) = (vec![0; cells.len()], element.places());
        cells.clone().for_each(|bit| back[usize::from(to[bit])] = bit as u8);
        let stored = |bit: usize| sibling.map_or(bit, |sibling| sibling.places()[bit].into());
        let all = || (0..modes as u16).map(Mode);
        let from = |mode: Mode| {
            let stored = element.mode(mode);
            let found = all().find(|&from| sibling.map_or(from, |sibling| sibling.mode(from)) == stored);
            found.unwrap_or_else(|| unreachable!("a symmetry permutes the modes"))
        };
        Self { places: cells.map(|bit| back[stored(bit)]).collect(), modes: all().map(from).collect() }
    }
}

/// A permutation of the bits of indices, made ready.
#[derive(Debug)]
pub(super) struct Image {
    /// Bits of an index.
    bits: usize,
    /// What is done with the words of a chunk first.
    steps: Vec<Step>,
    /// For each word of a chunk afterwards, which word it is now.
    gather: Vec<u16>,
    /// The lines of a chunk, before and after, besides the outer bits.
    from: Vec<usize>,
    to: Vec<usize>,
    /// Each outer bit of a line's number before, and after.
    outer: Vec<(usize, usize)>,
}

/// The bits of `number` that `bits` names first, each where it names it second.
fn moved<'a>(number: usize, bits: impl IntoIterator<Item = &'a (usize, usize)>) -> usize {
    bits.into_iter().map(|&(from, to)| (number >> from & 1) << to).sum()
}

impl Image {
    /// The permutation that moves bit `b` of each index to bit `to[b]`: of nine bits at least.
    pub(super) fn new(to: &[u8]) -> Self {
        let bits = to.len();
        assert!(bits >= LINE, "a slice has a line at least");
        let to: Vec<usize> = to.iter().map(|&to| to.into()).collect();
        let mut came = vec![0; bits];
        to.iter().enumerate().for_each(|(bit, &to)| came[to] = bit);
        // The bits of a chunk before: those of a line, and those that come to be in a line; and after.
        let mut before: Vec<usize> = (0..LINE).chain(came[..LINE].iter().copied().filter(|&bit| bit >= LINE)).collect();
        let mut after: Vec<usize> =
            (0..LINE).chain(before.iter().map(|&bit| to[bit]).filter(|&to| to >= LINE)).collect();
        before[LINE..].sort_unstable();
        after[LINE..].sort_unstable();
        let place = |list: &[usize], bit: usize| {
            list.iter().position(|&found| found == bit).unwrap_or_else(|| unreachable!("it is of the chunk"))
        };
        // Where each bit of a chunk goes, counted within it.
        let goes: Vec<usize> = before.iter().map(|&bit| place(&after, to[bit])).collect();
        let chunk = before.len();
        // Which bit is where, while they are exchanged.
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

    /// Copies `plane` to `image`: the label at each index to where the index goes. On all cores of the current rayon pool.
    ///
    /// # Panics
    /// If they do not have a label for each index.
    pub(super) fn copy(&self, plane: &[u64], image: &mut [u64]) {
        let ((plane, _), (image, _)) = (plane.as_chunks::<WORDS>(), image.as_chunks_mut::<WORDS>());
        assert!(plane.len() == 1 << (self.bits - LINE) && image.len() == plane.len(), "a plane of {} bits", self.bits);
        // Memory is cut by the highest bits; those of them that are outer bits tell the tasks apart, which so share no piece.
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
        // A task's own pieces are told apart by the bits above that are of the chunk.
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

/// What one task writes: the pieces of an image with some outer bits, and these bits before.
struct Task<'a> {
    start: usize,
    pieces: Vec<&'a mut [Line]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every label is where its index goes, for random permutations and for each exchange of two bits.
    #[test]
    fn labels_go_where_their_indices_go() {
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
