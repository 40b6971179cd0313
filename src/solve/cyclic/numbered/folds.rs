//! The first colour's squares up to symmetry: of the choices that symmetries map to one another, one has numbers.
//!
//! ```text
//! X X . .        . . . .            . . . .        symmetries map X to the choice that stands for it, and O along:
//! . . O .   to   . O . .    or      . . . O        where one alone does that, it is the same for every O
//! . . . .        . . . .            . . . .
//! . . . .        X X . .            . . X X
//! ```
//!
//! A position's board is turned so that the first colour's squares are those that stand for their orbit. Which symmetry does that is said
//! by these squares alone, and chosen for each choice once and for all: so moves lead from numbers to numbers, and back, as if
//! there were no symmetry. A choice that some symmetries leave as it is may have several numbers for one orbit of positions; they have
//! the same label, and are made one when a table is written.
//!
//! Only symmetries that keep modes, colours and the cells beside the squares take part; those that do not are left to the table.

use super::planes::Planes;
use super::subsets::{Choices, Subsets};
use crate::rules::Symmetry;
use crate::symmetry::Group;

/// The most symmetries: a place has a byte for one.
const MOST: usize = 1 << u8::BITS;
/// The most choices that are listed, of all sizes.
const MOST_CHOICES: u64 = 1 << 22;
/// Bits of a chunk: images are put together from those of chunks.
const CHUNK: u32 = 8;
const IN_CHUNK: usize = 1 << CHUNK;

/// Where a choice of the first colour's squares goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The number of the choice that stands for it, among those of its size.
    pub(super) choice: u32,
    /// The symmetry that maps it there.
    pub(super) element: u8,
    /// True if other symmetries do so, too.
    is_fixed: bool,
}

/// The choices of one size.
struct Chart {
    /// For each choice, in the order of their numbers.
    places: Vec<Place>,
    /// Those that stand for others, in order.
    least: Vec<u32>,
}

/// The choices up to symmetry.
pub(super) struct Folds {
    pairs: u32,
    /// For each symmetry, the images of the contents of each chunk of squares. The first symmetry moves nothing.
    images: Vec<u32>,
    chunks: usize,
    inverse: Vec<u8>,
    subsets: Subsets,
    /// For each size that was asked for.
    charts: Vec<Option<Chart>>,
    /// How many more may be listed.
    room: u64,
}

impl Folds {
    /// Those by the symmetries of `group` that keep `planes`; `None` if they are but one, or too many.
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

    /// How many choices of `size` squares stand for all; `None` if there are too many to list. They can be looked up afterwards.
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
        const NONE: Place = Place { choice: u32::MAX, element: 0, is_fixed: false };
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
                // The first one moves nothing: what stands for others stays as it is.
                if place.choice == u32::MAX {
                    *place = Place { choice, element: self.inverse[element], is_fixed };
                }
            }
        }
        Chart { places, least }
    }

    /// Where `set` goes.
    #[inline]
    pub(super) fn place(&self, set: u32) -> Place {
        self.of_size(set.count_ones()).places[self.subsets.number(set.into()) as usize]
    }

    /// The choice with `size` squares that has a number.
    pub(super) fn least(&self, size: u32, choice: u32) -> u32 {
        self.of_size(size).least[choice as usize]
    }

    #[inline]
    fn of_size(&self, size: u32) -> &Chart {
        self.charts[size as usize].as_ref().unwrap_or_else(|| unreachable!("regions have sizes that were asked for"))
    }

    /// Where symmetry number `element` maps some squares.
    #[inline(always)]
    pub(super) fn image(&self, element: u8, squares: u32) -> u32 {
        let (mut image, mut chunk, mut above) = (0, 0, squares);
        let mut at = usize::from(element) * self.chunks * IN_CHUNK;
        // No iterators: where one is not inlined, it is not compiled for the same instructions.
        while chunk < self.chunks {
            image |= self.images[at + above as usize % IN_CHUNK];
            above >>= CHUNK;
            at += IN_CHUNK;
            chunk += 1;
        }
        image
    }

    /// Adds to `turns` the symmetries that turn positions with the first colour's squares `before`, from which a move leads to `after`
    /// itself, to those with numbers from which that move leads to the number of the same position.
    pub(super) fn turns_back(&self, before: u32, after: u32, turns: &mut Vec<u8>) {
        let (from, to) = (self.place(before), self.place(after));
        if !from.is_fixed && !to.is_fixed {
            turns.push(from.element);
            return;
        }
        let least = self.least(before.count_ones(), from.choice);
        for element in 0..self.inverse.len() as u8 {
            // The turned move leads to the turned squares, and these must be turned back to where it led.
            if self.image(element, before) == least
                && self.place(self.image(element, after)).element == self.inverse[usize::from(element)]
            {
                turns.push(element);
            }
        }
    }
}

/// Where the squares go, if the element keeps modes, colours and what shares no square.
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
