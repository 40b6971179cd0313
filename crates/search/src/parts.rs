//! Parts of a position between which no move reaches.
//!
//! A move may become legal if moves that may be made before can meet its conditions. Two such moves belong to one part if they share a cell
//! that can change. So what happens in a part depends on its own cells alone:
//!
//! ```text
//! kayles      O O _ O O O _ _ O        parts: pins 1 to 2, 4 to 6, 9
//! ```

use crate::rules::{Board, Move, Position};

/// A part: the moves that may become legal there, of either player, and the cells that they read or change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    /// The numbers of the moves, in order.
    pub(crate) moves: Vec<u32>,
    /// The filled cells of those that the moves read or change.
    pub(crate) board: Board,
    /// A number that equal parts have, wherever they lie. Different parts have different numbers, as far as 128 bits can tell.
    pub(crate) key: u128,
}

impl Part {
    /// The part of `moves` with these numbers. Only `cells` can change, and no part has more of them.
    ///
    /// What else the moves read has its value for ever. So the key is of the moves and of `board` on `cells` alone, counted in order.
    fn new(all: &[Move], mut moves: Vec<u32>, cells: Board, board: Board) -> Self {
        moves.sort_unstable();
        let mut places = [0; 128];
        for (place, cell) in (0..).zip(cells.bits()) {
            places[cell as usize] = place;
        }
        let placed = |set: Board| (set & cells).bits().fold(0, |all, cell| all | 1 << places[cell as usize]);
        let (mut read, mut key) = (Board::EMPTY, 0u128);
        for &number in &moves {
            let m = &all[number as usize];
            read |= touched(m);
            let masks = [m.empty, m.full, m.fills, m.clears];
            // The order of the moves makes no difference.
            key = key.wrapping_add(masks.iter().fold(mixed(m.mode.0.into()), |key, &mask| mixed(key ^ placed(mask))));
        }
        Self { moves, board: board & read, key: mixed(mixed(key) ^ placed(board)) }
    }
}

/// A permutation of the numbers of 128 bits in which each bit depends on all others.
pub(crate) const fn mixed(number: u128) -> u128 {
    const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    let number = (number ^ number >> 64).wrapping_add(FACTOR).wrapping_mul(FACTOR);
    let number = (number ^ number >> 67).wrapping_mul(FACTOR);
    number ^ number >> 61
}

/// The cells that a move reads or changes.
pub(crate) fn touched(m: &Move) -> Board {
    m.empty | m.full | m.fills | m.clears
}

/// Returns whether `m` is legal on `board`.
pub(crate) fn is_legal(m: &Move, board: Board) -> bool {
    board.is_disjoint(m.empty) && board.contains(m.full)
}

/// The board after `m`.
pub(crate) fn after(m: &Move, board: Board) -> Board {
    (board | m.fills) & !m.clears
}

/// The parts of `board`, at which any of `moves` may become legal.
pub(crate) fn all_parts(moves: &[Move], board: Board) -> Vec<Part> {
    let all: Vec<u32> = (0..moves.len() as u32).collect();
    divided(moves, &all, board)
}

/// The parts of `board`, of whose moves only `candidates` may become legal; none if no move is legal.
pub(crate) fn divided(moves: &[Move], candidates: &[u32], board: Board) -> Vec<Part> {
    let (possible, changing) = possible(moves, candidates, board);
    let mut parts: Vec<(Board, Vec<u32>)> = Vec::new();
    for number in possible {
        let mut joined = (touched(&moves[number as usize]) & changing, vec![number]);
        let mut at = 0;
        while at < parts.len() {
            if parts[at].0.is_disjoint(joined.0) {
                at += 1;
                continue;
            }
            let (cells, mut part) = parts.swap_remove(at);
            // The shorter list is added to the longer one.
            if part.len() > joined.1.len() {
                std::mem::swap(&mut part, &mut joined.1);
            }
            joined.0 |= cells;
            joined.1.extend(part);
        }
        parts.push(joined);
    }
    parts.into_iter().map(|(cells, part)| Part::new(moves, part, cells, board)).collect()
}

/// Random play to find out whether positions come apart.
const PLAYOUTS: u64 = 4;

/// Returns whether at least `least[0]` of `least[1]` positions have several parts in random play from `start`. The players move in turn.
pub(crate) fn come_apart(moves: &[Move], start: Position, least: [usize; 2]) -> bool {
    let (mut positions, mut apart) = (0, 0);
    // Any numbers do. The same ones each time, so that equal rules are searched in one way.
    let mut random: u64 = 1;
    for _ in 0..PLAYOUTS {
        let mut position = start;
        loop {
            let parts = all_parts(moves, position.board).len();
            positions += 1;
            apart += usize::from(parts > 1);
            let legal: Vec<&Move> = moves.iter().filter(|m| m.is_legal(position)).collect();
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let Some(m) = legal.get(((random >> 33) as usize).checked_rem(legal.len()).unwrap_or(0)) else { break };
            position = m.play(position);
        }
    }
    apart * least[1] >= positions * least[0]
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
