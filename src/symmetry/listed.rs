//! Small groups: every element is listed, and every image looked at.

use std::collections::HashSet;

use super::Representative;
use crate::rules::{Board, Mode, Position, Symmetry};

/// Bytes of tables that stay in a core's second cache.
const NEAR: usize = 256 << 10;

/// A group by its elements.
pub(super) struct Listed {
    elements: Vec<Symmetry>,
    cells: u32,
    /// Whether every element leaves every mode as it is.
    keeps_modes: bool,
    /// Bits of a board that one look-up maps.
    chunk: u32,
    /// For each element but the first, for each chunk, for each content of the chunk: its image.
    images: Vec<u64>,
    natural_cells: Vec<u8>,
    natural_modes: Vec<u16>,
}

impl Listed {
    /// The group that `generators` generate; `None` if it has more than `most` elements.
    pub(super) fn new(cells: u32, modes: usize, generators: &[Symmetry], most: usize) -> Option<Self> {
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
        // Their order must not depend on that of the generators.
        elements[1..].sort_unstable();
        let chunks = |chunk: u32| cells.div_ceil(chunk) as usize;
        let bytes = |chunk: u32| ((elements.len() - 1) * chunks(chunk) * size_of::<u64>()) << chunk;
        let chunk = if bytes(8) <= NEAR { 8 } else { 4 };
        let mut images = Vec::with_capacity(bytes(chunk) / size_of::<u64>());
        for element in &elements[1..] {
            for low in (0..cells).step_by(chunk as usize) {
                images.extend((0..1u64 << chunk).map(|content| {
                    let board = Board(content << low) & Board::full(cells);
                    element.of_board(board).0
                }));
            }
        }
        let keeps_modes = elements.iter().all(|element| (0..).zip(element.modes()).all(|(from, &to)| from == to));
        let (natural_cells, natural_modes) = ((0..cells as u8).rev().collect(), (0..modes as u16).collect());
        Some(Self { elements, cells, keeps_modes, chunk, images, natural_cells, natural_modes })
    }

    pub(super) fn elements(&self) -> &[Symmetry] {
        &self.elements
    }

    pub(super) const fn order(&self) -> usize {
        self.elements.len()
    }

    pub(super) fn order_of_cells(&self) -> &[u8] {
        &self.natural_cells
    }

    pub(super) fn order_of_modes(&self) -> &[u16] {
        &self.natural_modes
    }

    /// The images of `position` under all elements but the first, which moves nothing.
    #[inline(always)]
    fn images(&self, position: Position) -> impl Iterator<Item = Position> + '_ {
        let (board, chunk) = (position.board.0, self.chunk);
        let of_element = (self.cells.div_ceil(chunk) as usize) << chunk;
        let mask = (1u64 << chunk) - 1;
        self.images.chunks_exact(of_element.max(1)).zip(&self.elements[1..]).map(move |(tables, element)| {
            let mut rest = board;
            let mut image = 0;
            for table in tables.chunks_exact(1 << chunk) {
                image |= table[(rest & mask) as usize];
                rest >>= chunk;
            }
            let mode = if self.keeps_modes { position.mode.0 } else { element.modes()[usize::from(position.mode.0)] };
            Position::new(Mode(mode), Board(image))
        })
    }

    #[inline]
    pub(super) fn least(&self, position: Position) -> Position {
        if self.keeps_modes {
            let board = self.images(position).fold(position.board, |least, image| least.min(image.board));
            return Position::new(position.mode, board);
        }
        self.images(position).fold(position, Position::min)
    }

    pub(super) fn least_and_stabilizer(&self, position: Position) -> Representative {
        let first = Representative { position, stabilizer: 1 };
        self.images(position).fold(first, |least, image| match image.cmp(&least.position) {
            std::cmp::Ordering::Less => Representative { position: image, stabilizer: 1 },
            std::cmp::Ordering::Equal => Representative { stabilizer: least.stabilizer + 1, ..least },
            std::cmp::Ordering::Greater => least,
        })
    }
}
