//! Which bit of a plane belongs to which board.

use crate::rules::{Board, Rules};

/// A permutation of a board's cells: bit `b` of a board number is bit `permutation[b]` of its index into a plane.
///
/// The low bits of an index lie inside one vector of the kernel, so the choice of cells for these bits affects how
/// fast a game is solved. It affects nothing else: every board has its own index, and callers identify boards only by
/// number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Layout {
    permutation: Vec<u8>,
    /// The index contributed by each byte of a board, so that a board's index takes only a few loads.
    of_bytes: Vec<[u64; 256]>,
    /// The board contributed by each byte of an index.
    to_bytes: Vec<[u64; 256]>,
}

/// The error for a list that is not a permutation of a board's cells.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{permutation:?} is not a layout: expected each number from 0 to its length minus one, once")]
pub struct LayoutError {
    permutation: Vec<u8>,
}

impl Layout {
    /// The layout in which bit `b` of a board is bit `permutation[b]` of its index.
    ///
    /// # Errors
    /// If `permutation` is not a permutation of `0..permutation.len()`, or has more than 64 entries.
    pub fn new(permutation: Vec<u8>) -> Result<Self, LayoutError> {
        let mut seen = 0u64;
        for &target in &permutation {
            if usize::from(target) < permutation.len().min(64) {
                seen |= 1 << target;
            }
        }
        if permutation.len() > 64 || seen.count_ones() as usize != permutation.len() {
            return Err(LayoutError { permutation });
        }
        let mut back = vec![0; permutation.len()];
        for (bit, &target) in permutation.iter().enumerate() {
            back[usize::from(target)] = bit as u8;
        }
        Ok(Self { of_bytes: spread(&permutation), to_bytes: spread(&back), permutation })
    }

    /// The layout in which an index is the board number itself.
    #[must_use]
    pub fn reading_order(cells: u32) -> Self {
        let permutation = (0..cells.min(64) as u8).collect();
        Self::new(permutation).unwrap_or_else(|_| unreachable!("the identity is a permutation"))
    }

    /// Cells of the board.
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.permutation.len() as u32
    }

    /// The bit of the index for each bit of a board number.
    #[must_use]
    pub fn permutation(&self) -> &[u8] {
        &self.permutation
    }

    /// The index of `board`.
    #[must_use]
    pub fn index(&self, board: Board) -> u64 {
        gather(&self.of_bytes, board.low_word().to_le_bytes())
    }

    /// The board at `index`: the inverse of [`index`](Self::index).
    #[must_use]
    pub fn board(&self, index: u64) -> Board {
        Board::from_word(gather(&self.to_bytes, index.to_le_bytes()))
    }

    /// The same game with its cells renumbered, so that its board numbers are indices. The name, the modes and the
    /// order of the moves do not change.
    ///
    /// # Panics
    /// If the layout and the rules have different numbers of cells.
    #[must_use]
    pub fn apply(&self, rules: &Rules) -> Rules {
        assert_eq!(self.cells(), rules.cells(), "a layout is for boards of one size");
        let to = |board| Board::from_word(self.index(board));
        rules.renumbered(to)
    }
}

impl std::fmt::Debug for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Layout").field(&self.permutation).finish()
    }
}

/// For each byte of a word, the images of its 256 values when bit `b` of the word moves to bit `permutation[b]`.
fn spread(permutation: &[u8]) -> Vec<[u64; 256]> {
    let spread_byte = |byte: &[u8]| {
        std::array::from_fn(|value| {
            let bits = byte.iter().enumerate().filter(|(bit, _)| value >> bit & 1 == 1);
            bits.fold(0, |word, (_, &target)| word | 1 << target)
        })
    };
    permutation.chunks(8).map(spread_byte).collect()
}

/// Bits beyond the tables are dropped: they do not belong to any cell.
fn gather<const BYTES: usize>(tables: &[[u64; 256]], bytes: [u8; BYTES]) -> u64 {
    tables.iter().zip(bytes).fold(0, |sum, (table, byte)| sum | table[usize::from(byte)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_permutations_are_layouts() {
        assert!(Layout::new(vec![1, 0, 2]).is_ok());
        for permutation in [vec![0, 0], vec![1, 2], vec![0, 64], (0..65).collect()] {
            assert!(Layout::new(permutation.clone()).is_err(), "{permutation:?}");
        }
        assert_eq!(Layout::reading_order(64).index(Board::from_word(u64::MAX)), u64::MAX);
    }

    #[test]
    fn a_cell_moves_to_its_place() {
        let layout = Layout::new(vec![2, 0, 1]).unwrap();
        assert_eq!([1, 2, 4].map(|b| layout.index(Board::from_word(b))), [4, 1, 2]);
        assert_eq!(format!("{layout:?}"), "Layout([2, 0, 1])");
    }

    fn permutation() -> impl Strategy<Value = Vec<u8>> {
        (1u8..=64).prop_flat_map(|cells| Just((0..cells).collect::<Vec<u8>>()).prop_shuffle())
    }

    proptest! {
        #[test]
        fn board_undoes_index(permutation in permutation(), word: u64) {
            let layout = Layout::new(permutation).unwrap();
            let board = Board::from_word(word) & Board::full(layout.cells());
            prop_assert_eq!(layout.board(layout.index(board)), board);
            prop_assert_eq!(layout.index(board).count_ones(), board.count());
        }
    }
}
