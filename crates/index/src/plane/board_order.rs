//! Labels in the order of board numbers, whatever the layout of their planes.
//!
//! The layout scatters neighbouring boards over a whole plane, so that a reader who follows the board numbers fetches a
//! line of memory for a label or two. Here a piece of 2^22 boards is written in another order: the cells that choose a
//! label within a line of the plane change first, so each line and each page is left only when the piece has all it
//! needs of it.

use super::Layout;
use crate::rules::Board;

/// Cells of a run: its boards are written one after the other.
const RUN: u32 = 6;
/// Cells of a piece: its labels, a byte or two each, stay in the outer caches.
const PIECE: u32 = 22;

/// The way through the planes of one layout, piece by piece of boards that have equal upper cells.
pub struct BoardOrder<'a> {
    layout: &'a Layout,
    piece: u32,
    /// The index of each board of a run.
    run: Vec<u64>,
    /// The runs of a piece: one of the far places, then each of the near ones.
    near: Vec<CellSet>,
    far: Vec<CellSet>,
}

/// A set of cells, as part of a board and as part of an index.
#[derive(Clone, Copy)]
struct CellSet {
    board: u64,
    index: u64,
}

impl<'a> BoardOrder<'a> {
    /// The boards of planes in `layout`.
    pub fn new(layout: &'a Layout) -> Self {
        let piece = layout.cells().min(PIECE);
        let cell = |bit: u32| CellSet { board: 1 << bit, index: layout.index(Board::bit(bit)) };
        let run = sets((0..piece.min(RUN)).map(cell)).into_iter().map(|place| place.index).collect();
        let mut others: Vec<CellSet> = (RUN.min(piece)..piece).map(cell).collect();
        others.sort_by_key(|place| place.index);
        // Halves, so that neither list leaves the innermost cache.
        let far = others.split_off(others.len().div_ceil(2));
        Self { layout, piece, run, near: sets(others), far: sets(far) }
    }

    /// The number of boards of a piece.
    pub const fn boards(&self) -> usize {
        1 << self.piece
    }

    /// Writes to `out` what `read` makes of the index of each board from `first` on: of a whole piece, where `first` is a
    /// multiple of its boards.
    pub fn fill<N>(&self, first: Board, out: &mut [N], read: impl Fn(u64) -> N) {
        let above = self.layout.index(first);
        for far in &self.far {
            for near in &self.near {
                let index = above | far.index | near.index;
                let start = (far.board | near.board) as usize;
                for (label, &in_run) in out[start..start + self.run.len()].iter_mut().zip(&self.run) {
                    *label = read(index | in_run);
                }
            }
        }
    }
}

/// Every set of `cells`, the first cells changing first.
fn sets(cells: impl IntoIterator<Item = CellSet>) -> Vec<CellSet> {
    let mut all = vec![CellSet { board: 0, index: 0 }];
    for cell in cells {
        let with = |set: &CellSet| CellSet { board: set.board | cell.board, index: set.index | cell.index };
        let more: Vec<CellSet> = all.iter().map(with).collect();
        all.extend(more);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards of fewer cells than a run, than a piece, and of more.
    #[test]
    fn each_board_is_in_its_place() {
        let mut random = fastrand::Rng::with_seed(3);
        for cells in [1, 3, 6, 7, 13, 23] {
            let mut permutation: Vec<u8> = (0..cells).collect();
            random.shuffle(&mut permutation);
            let layout = Layout::new(permutation).expect("a permutation");
            let order = BoardOrder::new(&layout);
            let mut out = vec![0; order.boards()];
            let read = |index: u64| (index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8;
            for first in (0..1u64 << cells).step_by(order.boards()) {
                order.fill(Board::from_word(first), &mut out, read);
                let expected = (first..).map(|board| read(layout.index(Board::from_word(board))));
                assert!(out.iter().copied().eq(expected.take(out.len())), "{cells} cells, from {first}");
            }
        }
    }
}
