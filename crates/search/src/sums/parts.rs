//! Parts of a position between which no move reaches.
//!
//! A move may become legal if moves that may be made before can meet its conditions. Two such moves belong to one part if they share a cell
//! that can change. So what happens in a part depends on its own cells alone:
//!
//! ```text
//! kayles      O O _ O O O _ _ O        parts: pins 1 to 2, 4 to 6, 9
//! ```

use crate::rules::{Board, Move};

/// A part: the moves that may become legal there, and the cells that they read or change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    /// The numbers of the moves, in order.
    pub(super) moves: Vec<u32>,
    touched: Board,
    /// The filled cells of `touched`.
    pub(super) board: Board,
}

impl Part {
    /// What tells a part from all others: on equal cells with equal contents, the same moves may become legal.
    pub(super) const fn key(&self) -> (Board, Board) {
        (self.touched, self.board)
    }
}

/// The cells that a move reads or changes.
pub(super) fn touched(m: &Move) -> Board {
    m.empty | m.full | m.fills | m.clears
}

/// Returns whether `m` is legal on `board`.
pub(super) fn is_legal(m: &Move, board: Board) -> bool {
    board.is_disjoint(m.empty) && board.contains(m.full)
}

/// The board after `m`.
pub(super) fn after(m: &Move, board: Board) -> Board {
    (board | m.fills) & !m.clears
}

/// The parts of `board`, of whose moves only `candidates` may become legal; none if no move is legal.
pub(super) fn divided(moves: &[Move], candidates: &[u32], board: Board) -> Vec<Part> {
    let (possible, changing) = possible(moves, candidates, board);
    let mut parts: Vec<(Board, Part)> = Vec::new();
    for number in possible {
        let touched = touched(&moves[number as usize]);
        let own = touched & changing;
        let mut joined = (own, Part { moves: vec![number], touched, board });
        let mut at = 0;
        while at < parts.len() {
            if parts[at].0.is_disjoint(own) {
                at += 1;
                continue;
            }
            let (cells, mut part) = parts.swap_remove(at);
            // The shorter list is added to the longer one.
            if part.moves.len() > joined.1.moves.len() {
                std::mem::swap(&mut part.moves, &mut joined.1.moves);
            }
            joined.0 |= cells;
            joined.1.touched |= part.touched;
            joined.1.moves.extend(part.moves);
        }
        parts.push(joined);
    }
    let finished = parts.into_iter().map(|(_, mut part)| {
        part.moves.sort_unstable();
        part.board = board & part.touched;
        part
    });
    finished.collect()
}

/// The moves of `candidates` that may become legal, and the cells that may change.
fn possible(moves: &[Move], candidates: &[u32], board: Board) -> (Vec<u32>, Board) {
    let (mut filled, mut empty) = (board, !board);
    let (mut possible, mut rest) = (Vec::new(), candidates.to_vec());
    loop {
        let before = possible.len();
        rest.retain(|&number| {
            let m = &moves[number as usize];
            let may_fit = empty.contains(m.empty) && filled.contains(m.full);
            if may_fit {
                filled |= m.fills;
                empty |= m.clears;
                possible.push(number);
            }
            !may_fit
        });
        if possible.len() == before {
            return (possible, filled & empty);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(cells: u64) -> Move {
        Move::fill(Board::from_word(cells))
    }

    #[test]
    fn moves_that_share_a_cell_that_can_change_are_one_part() {
        // Pairs of neighbours in a row of six, of which the third is filled.
        let moves: Vec<Move> = (0..5).map(|at| fill(0b11 << at)).collect();
        let parts = |board: u64| divided(&moves, &[0, 1, 2, 3, 4], Board::from_word(board));
        let found: Vec<_> = parts(0b000_100).into_iter().map(|part| part.moves).collect();
        assert_eq!(found, [vec![0], vec![3, 4]]);
        assert_eq!((parts(0).len(), parts(0b010_010).len(), parts(0b010_101).len()), (1, 1, 0));
    }

    #[test]
    fn conditions_that_can_be_met_later_join_parts() {
        // The second move needs what the first one fills, and the third one needs the cell of the second one filled for ever.
        let needs = |cells, full| Move { full: Board::from_word(full), ..fill(cells) };
        let moves = [fill(1), needs(2, 1), needs(4, 8)];
        let parts = |board: u64| divided(&moves, &[0, 1, 2], Board::from_word(board));
        assert_eq!(parts(0).into_iter().map(|part| part.moves).collect::<Vec<_>>(), [[0, 1]]);
        let with: Vec<_> = parts(8).into_iter().map(|part| (part.moves, part.board)).collect();
        assert_eq!(with, [(vec![0, 1], Board::EMPTY), (vec![2], Board::from_word(8))]);
    }
}
