//! The squares of the first colour up to symmetry: one choice of each class of choices has numbers.
//!
//! ```text
//! X X . .        . . . .            . . . .        symmetries map X to its representative, and O with it:
//! . . O .   to   . O . .    or      . . . O        if only one symmetry does that, it is the same for every O
//! . . . .        . . . .            . . . .
//! . . . .        X X . .            . . X X
//! ```
//!
//! A symmetry maps each position such that the first colour's squares become the representative of their class. It depends on these squares
//! alone and is chosen once for each choice of squares. So moves lead from numbers to numbers, and back, as if there were no
//! symmetry. If some symmetries leave a choice unchanged, one class of positions may have several numbers. They get the same label,
//! and the table stores one of them.
//!
//! Only symmetries that keep modes, colours and the cells outside of squares are used here. The table is written up to all symmetries.

use super::planes::Planes;
use super::subsets::{Choices, Subsets};
use crate::rules::Symmetry;
use crate::symmetry::Group;

/// Maximum number of symmetries: a place stores one in a byte.
const MOST: usize = 1 << u8::BITS;
/// Maximum number of choices of all sizes that are listed.
const MOST_CHOICES: u64 = 1 << 22;
/// Bits of a chunk; the image of a set is the union of the images of its chunks.
const CHUNK: u32 = 8;
const IN_CHUNK: usize = 1 << CHUNK;

/// The image of a choice of the first colour's squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredChoice {
    /// The number of its representative among the representatives of its size.
    pub(super) choice: u32,
    /// The symmetry that maps it to the representative.
    pub(super) element: u8,
    /// True if other symmetries do so too.
    is_fixed: bool,
}

/// The choices of one size.
struct Chart {
    /// The place of each choice, by its number.
    places: Vec<StoredChoice>,
    /// The representatives, in order.
    least: Vec<u32>,
}

/// The choices up to symmetry.
pub(super) struct Folds {
    pairs: u32,
    /// The image of each content of each chunk under each symmetry. The first symmetry is the identity.
    images: Vec<u32>,
    chunks: usize,
    inverse: Vec<u8>,
    subsets: Subsets,
    /// The charts of the sizes that regions use.
    charts: Vec<Option<Chart>>,
    /// The number of choices that may still be listed.
    room: u64,
}

impl Folds {
    /// Choices up to the symmetries of `group` that keep `planes`; `None` if only the identity does, or too many symmetries.
    pub(super) fn new(planes: &Planes, group: &Group) -> Option<Self> {
        let pairs = planes.pairs();
        let kept: Vec<Vec<u8>> = group.elements()?.iter().filter_map(|element| squares(planes, element)).collect();
        if kept.len() < 2 || kept.len() > MOST {
            return None;
        }
        let chunks = pairs.div_ceil(CHUNK).max(1) as usize;
        let image = |element: &[u8], chunk: usize, content: usize| {
            let squares =
                (0..CHUNK as usize).filter(|bit| content >> bit & 1 == 1).map(|bit| chunk * CHUNK as usize + bit);
            squares.filter_map(|square| element.get(square)).fold(0, |all, to| all | 1u32 << to)
        };
        let of = |element| {
            (0..chunks).flat_map(move |chunk| (0..IN_CHUNK).map(move |content| image(element, chunk, content)))
        };
        let images = kept.iter().flat_map(|element| of(element)).collect();
        let undoes =
            |one: &[u8], other: &[u8]| (0..).zip(one).all(|(from, &to): (u8, _)| other[usize::from(to)] == from);
        let inverse = |element: &Vec<u8>| Some(kept.iter().position(|other| undoes(element, other))? as u8);
        let inverse = kept.iter().map(inverse).collect::<Option<_>>()?;
        let charts = (0..=pairs).map(|_| None).collect();
        let subsets = Subsets::new(pairs, (0..=pairs).map(|size| (pairs, size)));
        Some(Self { pairs, images, chunks, inverse, subsets, charts, room: MOST_CHOICES })
    }

    /// The number of representatives among the choices of `size` squares, which can be looked up afterwards. `None` if there are too
    /// many choices to list.
    pub(super) fn choices(&mut self, size: u32, all: &Choices) -> Option<u64> {
        if let Some(chart) = &self.charts[size as usize] {
            return Some(chart.least.len() as u64);
        }
        let count = all.of(self.pairs, size);
        self.room = self.room.checked_sub(count)?;
        let chart = self.chart(size, count as usize);
        let least = chart.least.len() as u64;
        self.charts[size as usize] = Some(chart);
        Some(least)
    }

    fn chart(&self, size: u32, count: usize) -> Chart {
        const NONE: StoredChoice = StoredChoice { choice: u32::MAX, element: 0, is_fixed: false };
        let (mut places, mut least) = (vec![NONE; count], Vec::new());
        for number in 0..count {
            if places[number].choice != u32::MAX {
                continue;
            }
            let set = self.subsets.subset(size, number as u32) as u32;
            let choice = least.len() as u32;
            least.push(set);
            let images = || (0..self.inverse.len()).map(|element| (element, self.image(element as u8, set)));
            let is_fixed = images().skip(1).any(|(_, image)| image == set);
            for (element, image) in images() {
                let place = &mut places[self.subsets.number(image.into()) as usize];
                // The identity comes first, so a representative is mapped to itself by it.
                if place.choice == u32::MAX {
                    *place = StoredChoice { choice, element: self.inverse[element], is_fixed };
                }
            }
        }
        Chart { places, least }
    }

    /// The place of `set`.
    #[inline]
    pub(super) fn place(&self, set: u32) -> StoredChoice {
        self.of_size(set.count_ones()).places[self.subsets.number(set.into()) as usize]
    }

    /// The squares of representative number `choice` of size `size`.
    pub(super) fn least(&self, size: u32, choice: u32) -> u32 {
        self.of_size(size).least[choice as usize]
    }

    #[inline]
    fn of_size(&self, size: u32) -> &Chart {
        self.charts[size as usize].as_ref().unwrap_or_else(|| unreachable!("regions have sizes that were asked for"))
    }

    /// The image of some squares under symmetry number `element`.
    #[inline(always)]
    pub(super) fn image(&self, element: u8, squares: u32) -> u32 {
        let (mut image, mut chunk, mut above) = (0, 0, squares);
        let mut at = usize::from(element) * self.chunks * IN_CHUNK;
        // A closure that is not inlined would lack the caller's instruction set, so this uses no iterators.
        while chunk < self.chunks {
            image |= self.images[at + above as usize % IN_CHUNK];
            above >>= CHUNK;
            at += IN_CHUNK;
            chunk += 1;
        }
        image
    }

    /// Adds symmetries to `turns` for undoing a move whose first colour's squares change from `before` to `after`, a representative. Each
    /// maps a predecessor to a numbered position from which the move leads to the same number.
    pub(super) fn turns_back(&self, before: u32, after: u32, turns: &mut Vec<u8>) {
        let (from, to) = (self.place(before), self.place(after));
        if !from.is_fixed && !to.is_fixed {
            turns.push(from.element);
            return;
        }
        let least = self.least(before.count_ones(), from.choice);
        for element in 0..self.inverse.len() as u8 {
            // The image of the move leads to the image of `after`, and the symmetry of that must lead back to `after`.
            if self.image(element, before) == least
                && self.place(self.image(element, after)).element == self.inverse[usize::from(element)]
            {
                turns.push(element);
            }
        }
    }
}

/// The images of the squares; `None` unless the element keeps modes, colours and the cells outside of squares.
fn squares(planes: &Planes, element: &Symmetry) -> Option<Vec<u8>> {
    let (cells, squares) = (element.cells(), planes.squares());
    let to = |cell: u32| u32::from(cells[cell as usize]);
    let keeps_modes = (0..).zip(element.modes()).all(|(from, &to): (u16, _)| from == to);
    let is_alone = |cell: &u32| !squares.iter().any(|&(first, second)| first == *cell || second == *cell);
    if !keeps_modes || (0..cells.len() as u32).filter(is_alone).any(|cell| to(cell) != cell) {
        return None;
    }
    let image = |&(first, second): &(u32, u32)| squares.iter().position(|&square| square == (to(first), to(second)));
    squares.iter().map(|square| Some(image(square)? as u8)).collect()
}
