//! Small groups, whose elements are all listed, so that every image of a position is compared.
//!
//! Images are computed for eight elements at once. For each content of a few cells, a table holds the images under all
//! elements side by side.

use std::collections::HashSet;

use super::Representative;
use crate::reachable::BoardWord;
use crate::rules::{Board, Mode, Position, Symmetry};

/// Number of elements whose images are computed at once.
const AT_ONCE: usize = 8;
/// Maximum bytes of the table, so that it stays in a core's second-level cache.
const NEAR: usize = 512 << 10;

/// A group as the list of its elements. `W` holds a board.
pub(super) struct Listed<W> {
    elements: Vec<Symmetry>,
    cells: u32,
    /// Bits of a board that one table lookup maps.
    chunk: u32,
    /// The image for each chunk, each content of the chunk and each element. The elements are padded to a multiple of [`AT_ONCE`] with the
    /// identity, which comes first.
    images: Vec<[W; AT_ONCE]>,
    /// For each mode and each element: zero if the element maps the mode to its first image, and all ones otherwise.
    later: Vec<[W; AT_ONCE]>,
    /// The first image of each mode under any element.
    first: Vec<u16>,
    natural_cells: Vec<u8>,
    natural_modes: Vec<u16>,
}

impl<W: BoardWord> Listed<W> {
    /// The group that `generators` generate; `None` if it has more than `most` elements.
    pub(super) fn new(cells: u32, modes: usize, generators: &[Symmetry], most: usize) -> Option<Self> {
        let elements = elements(cells, modes, generators, most)?;
        let blocks = elements.len().div_ceil(AT_ONCE);
        let block = |number: usize, of: &dyn Fn(&Symmetry) -> W| {
            std::array::from_fn(|at| of(elements.get(number * AT_ONCE + at).unwrap_or(&elements[0])))
        };
        let chunks = |chunk: u32| cells.div_ceil(chunk) as usize;
        let bytes = |chunk: u32| (blocks * chunks(chunk) * size_of::<[W; AT_ONCE]>()) << chunk;
        let chunk = if bytes(8) <= NEAR { 8 } else { 4 };
        let contents = (0..cells)
            .step_by(chunk as usize)
            .flat_map(|low| (0..1 << chunk).map(move |it| Board::from_word(it) << low));
        let images = contents.flat_map(|content| {
            let board = content & Board::full(cells);
            let of = move |element: &Symmetry| W::of(element.of_board(board));
            (0..blocks).map(|number| block(number, &of)).collect::<Vec<_>>()
        });
        let images = images.collect();
        let of_mode = |element: &Symmetry, mode: usize| element.modes()[mode];
        let first: Vec<u16> = (0..modes)
            .map(|mode| elements.iter().map(|element| of_mode(element, mode)).min().unwrap_or_default())
            .collect();
        let later = (0..modes).flat_map(|mode| {
            let is_later =
                |element: &Symmetry| if of_mode(element, mode) == first[mode] { W::default() } else { W::FULL };
            (0..blocks).map(|number| block(number, &is_later)).collect::<Vec<_>>()
        });
        let later = later.collect();
        let (natural_cells, natural_modes) = ((0..cells as u8).rev().collect(), (0..modes as u16).collect());
        Some(Self { elements, cells, chunk, images, later, first, natural_cells, natural_modes })
    }

    pub(super) fn elements(&self) -> &[Symmetry] {
        &self.elements
    }

    pub(super) const fn order(&self) -> usize {
        self.elements.len()
    }

    /// The time to find a representative, estimated at a third of a nanosecond per table lookup.
    pub(super) fn nanoseconds(&self) -> u64 {
        let blocks = self.elements.len().next_multiple_of(AT_ONCE) as u64;
        blocks * u64::from(self.cells.div_ceil(self.chunk)) / 3 + 5
    }

    pub(super) fn order_of_cells(&self) -> &[u8] {
        &self.natural_cells
    }

    pub(super) fn order_of_modes(&self) -> &[u16] {
        &self.natural_modes
    }

    /// The images of the position with `board` in `mode` under all elements, eight at once. An element that does not map the mode to its first image gives all
    /// ones.
    #[inline(always)]
    fn images(&self, mode: Mode, board: W) -> impl Iterator<Item = [W; AT_ONCE]> + '_ {
        let blocks = self.elements.len().div_ceil(AT_ONCE);
        let chunks = self.cells.div_ceil(self.chunk) as usize;
        let mask = (1u64 << self.chunk) - 1;
        let later = &self.later[usize::from(mode.0) * blocks..][..blocks];
        later.iter().enumerate().map(move |(block, &later)| {
            let mut images = later;
            let mut rest = board;
            for chunk in 0..chunks {
                let content = (chunk << self.chunk) + (rest.low() & mask) as usize;
                let table = &self.images[content * blocks + block];
                for (image, part) in images.iter_mut().zip(table) {
                    *image = *image | *part;
                }
                rest = rest >> self.chunk;
            }
            images
        })
    }

    #[inline]
    pub(super) fn least(&self, mode: Mode, board: W) -> (Mode, W) {
        // All ones is also the full board that fills the word, but every element leaves that board unchanged.
        let least = self.images(mode, board).flatten().fold(W::FULL, W::min);
        (Mode(self.first[usize::from(mode.0)]), least)
    }

    pub(super) fn least_and_stabilizer(&self, position: Position) -> Representative {
        let board = W::of(position.board);
        let (mode, least) = self.least(position.mode, board);
        let blocks = self.elements.len().div_ceil(AT_ONCE);
        let later = self.later[usize::from(position.mode.0) * blocks..].iter().flatten();
        let images = self.images(position.mode, board).flatten().zip(later).take(self.elements.len());
        let stabilizer = images.filter(|&(image, &later)| later == W::default() && image == least).count();
        Representative { position: Position::new(mode, least.board()), stabilizer: stabilizer as u64 }
    }
}

/// All elements, the identity first; `None` if there are more than `most`.
pub(super) fn elements(cells: u32, modes: usize, generators: &[Symmetry], most: usize) -> Option<Vec<Symmetry>> {
    let identity = Symmetry::identity(cells, modes);
    let mut seen = HashSet::from([identity.clone()]);
    let mut elements = vec![identity];
    let mut next = 0;
    while let Some(element) = elements.get(next).cloned() {
        next += 1;
        for generator in generators {
            let product = element.then(generator);
            if seen.insert(product.clone()) {
                elements.push(product);
            }
        }
        if elements.len() > most {
            return None;
        }
    }
    Some(elements)
}
