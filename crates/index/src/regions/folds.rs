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
//! and that they do is a law that is tested.
//!
//! Only symmetries that keep modes, colours and the cells outside of squares are used here.

use std::sync::OnceLock;

use super::Planes;
use super::subsets::{Choices, Subsets, in_order};
use crate::rules::Symmetry;
use crate::symmetry::Group;

/// Maximum number of symmetries: a place stores one in a byte.
const MOST: usize = 1 << u8::BITS;
/// Bits of a chunk; the image of a set is the union of the images of its chunks.
const CHUNK: u32 = 8;
const IN_CHUNK: usize = 1 << CHUNK;

/// The image of a choice of the first colour's squares.
#[derive(Clone, Copy, Debug)]
pub struct StoredChoice {
    /// The number of its representative among the representatives of its size.
    pub choice: u32,
    /// The symmetry that maps it to the representative.
    pub element: u8,
    /// True if other symmetries do so too.
    pub is_fixed: bool,
}

/// The choices of one size.
#[derive(Debug)]
struct Chart {
    /// The place of each choice, by its number.
    places: Vec<StoredChoice>,
    /// The representatives, in order, and the number of choices in the class of each.
    least: Vec<u32>,
    orbits: Vec<u16>,
}

/// The choices up to symmetry.
#[derive(Debug)]
pub struct Folds {
    pairs: u32,
    /// The image of each content of each chunk under each symmetry. The first symmetry is the identity.
    images: Vec<u32>,
    chunks: usize,
    inverse: Vec<u8>,
    subsets: Subsets,
    /// The number of classes of the choices of each size.
    classes: Vec<u64>,
    /// The charts, each made when it is first used.
    charts: Vec<OnceLock<Chart>>,
}

impl Folds {
    /// Choices up to the symmetries of `group` that keep `planes`; `None` if only the identity does, or too many symmetries.
    #[must_use]
    pub fn new(planes: &Planes, group: &Group) -> Option<Self> {
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
        let charts = (0..=pairs).map(|_| OnceLock::new()).collect();
        let classes = classes(&kept, pairs as usize);
        let subsets = Subsets::new(pairs, (0..=pairs).map(|size| (pairs, size)), std::iter::empty());
        Some(Self { pairs, images, chunks, inverse, subsets, classes, charts })
    }

    /// The number of symmetries.
    #[must_use]
    pub const fn order(&self) -> usize {
        self.inverse.len()
    }

    /// The number of representatives among the choices of `size` squares.
    #[must_use]
    pub fn choices(&self, size: u32) -> u64 {
        self.classes[size as usize]
    }

    fn chart(&self, size: u32, count: usize) -> Chart {
        const NONE: StoredChoice = StoredChoice { choice: u32::MAX, element: 0, is_fixed: false };
        let (mut places, mut least, mut orbits) = (vec![NONE; count], Vec::new(), Vec::new());
        for (number, set) in (0..count).zip(in_order(size)) {
            if places[number].choice != u32::MAX {
                continue;
            }
            let set = set as u32;
            let choice = least.len() as u32;
            least.push(set);
            let images = || (0..self.inverse.len()).map(|element| (element, self.image(element as u8, set)));
            let fixing = images().filter(|&(_, image)| image == set).count();
            let is_fixed = fixing > 1;
            orbits.push((self.order() / fixing) as u16);
            for (element, image) in images() {
                let place = &mut places[self.subsets.number(image.into()) as usize];
                // The identity comes first, so a representative is mapped to itself by it.
                if place.choice == u32::MAX {
                    *place = StoredChoice { choice, element: self.inverse[element], is_fixed };
                }
            }
        }
        Chart { places, least, orbits }
    }

    /// The place of `set`.
    #[inline(always)]
    pub fn place(&self, set: u32) -> StoredChoice {
        self.of_size(set.count_ones()).places[self.subsets.number(set.into()) as usize]
    }

    /// The squares of representative number `choice` of size `size`.
    #[inline(always)]
    #[must_use]
    pub fn least(&self, size: u32, choice: u32) -> u32 {
        self.of_size(size).least[choice as usize]
    }

    #[inline(always)]
    fn of_size(&self, size: u32) -> &Chart {
        let chart = &self.charts[size as usize];
        match chart.get() {
            Some(chart) => chart,
            None => self.made(size),
        }
    }

    #[cold]
    fn made(&self, size: u32) -> &Chart {
        let count = Choices::default().of(self.pairs, size) as usize;
        self.charts[size as usize].get_or_init(|| self.chart(size, count))
    }

    /// The number of choices in the class of representative number `choice` of size `size`.
    #[must_use]
    pub fn orbit(&self, size: u32, choice: u32) -> u64 {
        self.of_size(size).orbits[choice as usize].into()
    }

    /// The symmetries that map `set` to its representative, each by its number.
    pub fn elements_to_least(&self, set: u32) -> impl Iterator<Item = u8> + '_ {
        let place = self.place(set);
        let least = self.least(set.count_ones(), place.choice);
        let all = if place.is_fixed { 0..self.inverse.len() as u8 } else { place.element..place.element + 1 };
        all.filter(move |&element| self.image(element, set) == least)
    }

    /// For each choice of the class of `least`, a representative, the symmetry that undoes the one of its [place](Self::place): it maps
    /// `least` to the choice.
    pub(super) fn choices_of(&self, least: u32) -> impl Iterator<Item = u8> + '_ {
        let elements = (0..self.inverse.len()).map(|element| element as u8);
        elements.filter(move |&element| {
            let place = self.place(self.image(element, least));
            self.inverse[usize::from(place.element)] == element
        })
    }

    /// The image of some squares under symmetry number `element`.
    #[inline(always)]
    #[must_use]
    pub fn image(&self, element: u8, squares: u32) -> u32 {
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
    pub fn turns_back(&self, before: u32, after: u32, turns: &mut Vec<u8>) {
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

/// The number of classes of the choices of each size, up to `pairs` squares, under the permutations `kept` of squares: Burnside's lemma.
fn classes(kept: &[Vec<u8>], pairs: usize) -> Vec<u64> {
    let mut all = vec![0u64; pairs + 1];
    for element in kept {
        // The choices that the permutation keeps are unions of its cycles.
        let (mut fixed, mut seen) = (vec![0u64; pairs + 1], vec![false; pairs]);
        fixed[0] = 1;
        for from in 0..pairs {
            let (mut length, mut at) = (0, from);
            while !std::mem::replace(&mut seen[at], true) {
                length += 1;
                at = usize::from(element[at]);
            }
            for size in (length..=pairs).rev().filter(|_| length > 0) {
                fixed[size] = fixed[size].saturating_add(fixed[size - length]);
            }
        }
        all.iter_mut().zip(fixed).for_each(|(all, fixed)| *all = all.saturating_add(fixed));
    }
    all.into_iter().map(|all| all / kept.len() as u64).collect()
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
