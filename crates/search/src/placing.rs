//! Games in which two players in turn put one piece of their own colour on a free square.

use std::collections::BTreeSet;

use crate::rules::{Board, Move, Rules};

/// The two cells of each square: those that the players of modes 0 and 1 fill. `None` if the rules have other moves, other modes, or ends by
/// numbers of pieces.
pub(crate) fn squares(rules: &Rules) -> Option<Vec<[u32; 2]>> {
    let spec = rules.spec();
    let hands_over = spec.players.first().is_none_or(|first| spec.players.last() != Some(first));
    if spec.modes.len() != 2 || !spec.count_ends.is_empty() || !hands_over || !rules.moves().iter().all(is_put) {
        return None;
    }
    let mut found = [0, 1].map(|_| BTreeSet::new());
    for m in rules.moves() {
        let (own, other) = (m.fills.lowest()?, (m.empty & !m.fills).lowest()?);
        found[usize::from(m.mode.0)].insert(if m.mode.0 == 0 { [own, other] } else { [other, own] });
    }
    let [first, second] = found;
    let all: Board = first.iter().flatten().map(|&cell| Board::bit(cell)).collect();
    // Each cell belongs to one square, and both players may fill each square.
    let is_partition = all.count() as usize == 2 * first.len();
    (first == second && is_partition && !first.is_empty()).then(|| first.into_iter().collect())
}

/// Returns whether `m` puts one piece on an empty square of two cells, and does nothing else.
fn is_put(m: &Move) -> bool {
    let is_plain =
        !m.otherwise && !m.again && m.gain == 0 && m.lines.is_none() && m.when.is_none() && m.takes.is_none();
    let is_one = m.fills.count() == 1 && m.empty.count() == 2 && m.empty.contains(m.fills) && m.clears.is_empty();
    is_plain && is_one && m.mode != m.next
}
