//! Recognises games of parts: impartial games in which the last player who can move wins, and whose positions come apart.

use crate::rules::{Mode, Move, Outcome, Rules};

/// Maximum number of moves: each is tested at each position.
const MOST_MOVES: usize = 1 << 10;
/// At least so many of so many positions must have several parts. Rows of Kayles have, from 12 pins on. In Cram, half of the positions of a game have
/// one part, and the general search is faster.
pub(crate) const LEAST: [usize; 2] = [3, 5];

/// The moves of rules of this kind.
pub(crate) fn moves(rules: &Rules) -> Option<&[Move]> {
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
