//! Recognises partisan games of parts: each player has moves of their own, a player who cannot move loses, and positions come apart.

use crate::parts::come_apart;
use crate::rules::{Move, Rules, Sides};

/// Maximum number of moves: each is tested at each position.
const MOST_MOVES: usize = 1 << 10;
/// Maximum number of levels of play, which bounds the depth of the recursion.
const MOST_LEVELS: u32 = 1 << 10;
/// At least so many of so many positions must have several parts. Rows of Snort and Col have, from 12 squares on, and rows of Clobber from 24
/// pieces on.
const LEAST: [usize; 2] = [7, 10];

/// The moves of rules of this kind, if their positions often come apart.
pub(crate) fn moves(rules: &Rules) -> Option<&[Move]> {
    let start = rules.start_positions().into_iter().next()?;
    let moves = of_kind(rules)?;
    (!is_counted(moves) && come_apart(moves, start, LEAST)).then_some(moves)
}

/// Returns whether each move fills several cells for ever. Then each part has few moves, which are easily counted, and the search of any game is
/// faster: for Domineering on two rows of 20 squares, by a factor of nine.
fn is_counted(moves: &[Move]) -> bool {
    moves.iter().all(|m| m.clears.is_empty() && (m.fills & m.empty).count() > 1)
}

/// The moves of rules of this kind.
pub(super) fn of_kind(rules: &Rules) -> Option<&[Move]> {
    let is_plain =
        |m: &Move| m.gain == 0 && m.when.is_none() && m.takes.is_none() && m.mode != m.next && rules.hands_over(m);
    let moves = rules.moves();
    let is_kind = rules.modes().len() == 2
        && rules.spec().count_ends.is_empty()
        && moves.len() <= MOST_MOVES
        && moves.iter().all(is_plain)
        && rules.phases().longest() <= MOST_LEVELS;
    // In a part, one player may move several times in a row.
    (is_kind && Sides::of(rules, true).is_ok()).then_some(moves)
}
