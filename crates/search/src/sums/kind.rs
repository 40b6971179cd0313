//! Recognises games of parts: impartial games in which the last player who can move wins, and whose positions come apart.

use super::parts::{after, divided, is_legal};
use crate::rules::{Board, Mode, Move, Outcome, Rules};

/// Maximum number of moves: each is tested at each position.
const MOST_MOVES: usize = 1 << 10;
/// Random play to find out whether positions come apart.
const PLAYOUTS: u64 = 4;
/// At least so many of so many positions must have several parts. Rows of Kayles have, from 12 pins on. In Cram, half of the positions of a game have
/// one part, and the general search is faster.
const LEAST: [usize; 2] = [3, 5];

/// The moves of rules of this kind.
pub(super) fn moves(rules: &Rules) -> Option<&[Move]> {
    let spec = rules.spec();
    let is_plain = |m: &Move| {
        !m.otherwise && m.gain == 0 && m.lines.is_none() && m.when.is_none() && m.takes.is_none() && rules.hands_over(m)
    };
    let is_normal = spec.count_ends.is_empty()
        && rules.ends_of(Mode(0)).is_empty()
        && rules.terminal_in(Mode(0)).fixed() == Some(Outcome::Loss);
    let moves = rules.moves();
    let is_kind = spec.modes.len() == 1 && moves.len() <= MOST_MOVES && is_normal && moves.iter().all(is_plain);
    (is_kind && rules.potential().is_some()).then_some(moves)
}

/// Returns whether positions often come apart in random play from `start`.
pub(super) fn come_apart(moves: &[Move], start: Board) -> bool {
    let candidates: Vec<u32> = (0..moves.len() as u32).collect();
    let (mut positions, mut apart) = (0, 0);
    // Any numbers do. The same ones each time, so that equal rules are searched in one way.
    let mut random: u64 = 1;
    for _ in 0..PLAYOUTS {
        let mut board = start;
        loop {
            let parts = divided(moves, &candidates, board).len();
            positions += 1;
            apart += usize::from(parts > 1);
            let legal: Vec<&Move> = moves.iter().filter(|m| is_legal(m, board)).collect();
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let Some(m) = legal.get(((random >> 33) as usize).checked_rem(legal.len()).unwrap_or(0)) else { break };
            board = after(m, board);
        }
    }
    apart * LEAST[1] >= positions * LEAST[0]
}
