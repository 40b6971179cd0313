//! The positions from which reachability is computed, and the rules that need no computing.

use tablegen_games::Game;
use tablegen_rules::{Board, Position, Rules, Start};

/// The positions from which a build of `game` computes reachability.
pub(super) fn roots(game: &dyn Game) -> Vec<Position> {
    let roots = sorted_roots(game);
    if roots.is_empty() { game.rules().start_positions() } else { roots }
}

/// The roots of `game` besides its starts, sorted and without duplicates.
pub(super) fn sorted_roots(game: &dyn Game) -> Vec<Position> {
    let mut roots = game.roots();
    roots.sort_unstable();
    roots.dedup();
    roots
}

/// True if every board is obviously reachable: from the empty board, by filling one cell at a time in any order.
pub(super) fn reaches_every_board(rules: &Rules) -> bool {
    let from_empty = matches!(rules.start(), Start::At(start) if start.board.is_empty());
    if rules.sweep_obstacle().is_some() || rules.modes().len() != 1 || !rules.ends().is_empty() || !from_empty {
        return false;
    }
    let mut conditions = vec![Vec::new(); rules.cells() as usize];
    for m in rules.moves().iter().filter(|m| m.fills.count() == 1 && m.empty.contains(m.fills)) {
        let cell = m.fills.bits().next().unwrap_or_default();
        conditions[cell as usize].push(Condition { empty: m.empty & !m.fills, full: m.full });
    }
    conditions.iter().all(|of_cell| always_holds(of_cell, &mut { CASES }))
}

/// The most cases to tell apart for one cell. In Dots and Boxes a line has fewer than a hundred.
const CASES: u32 = 1 << 12;

/// What a move needs beside the cell that it fills.
#[derive(Clone, Copy)]
struct Condition {
    empty: Board,
    full: Board,
}

/// True if one of `conditions` holds on each board. `cases` is the number of cases that may still be told apart; if there are more, the
/// answer is `false`.
fn always_holds(conditions: &[Condition], cases: &mut u32) -> bool {
    let Some(first) = conditions.first() else { return false };
    if conditions.iter().any(|it| (it.empty | it.full).is_empty()) {
        return true;
    }
    let Some(left) = cases.checked_sub(1) else { return false };
    *cases = left;
    // With a cell full, and with it empty.
    let cell = (first.empty | first.full).bits().next().map_or(Board::EMPTY, Board::bit);
    [true, false].into_iter().all(|is_full| {
        let fits = |it: &&Condition| cell.is_disjoint(if is_full { it.empty } else { it.full });
        let rest = |it: &Condition| Condition { empty: it.empty & !cell, full: it.full & !cell };
        always_holds(&conditions.iter().filter(fits).map(rest).collect::<Vec<_>>(), cases)
    })
}

/// True if a dense build of `game` computes reachability bits: unless every board is obviously reachable, or the game is a part, whose
/// starts do not lead to all boards that play of the whole game reaches.
pub(super) fn marks_boards(game: &dyn Game) -> bool {
    game.part().is_none() && !reaches_every_board(game.rules())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen_rules::{Move, Outcome, RulesSpec};

    fn three(moves: Vec<Move>) -> Rules {
        RulesSpec { moves, terminal: Outcome::Win, ..RulesSpec::new("three", 3) }.build().unwrap()
    }

    #[test]
    fn rules_that_obviously_reach_every_board() {
        let alone: Vec<Move> = (0..3).map(|cell| Move::fill(Board::bit(cell))).collect();
        assert!(reaches_every_board(&three(alone.clone())));
        assert!(!reaches_every_board(&three(alone[..2].to_vec())));
        let conditional = Move { full: Board::bit(1), ..alone[0] };
        assert!(!reaches_every_board(&three(vec![conditional, alone[1], alone[2]])));
    }

    #[test]
    fn conditions_that_leave_no_board_out_do_not_matter() {
        let [first, second, third] = [0, 1, 2].map(|cell| Move::fill(Board::bit(cell)));
        let (one, two) = (Board::bit(1), Board::bit(2));
        let full = Move { full: one, ..first };
        let empty = Move { empty: first.empty | one, ..first };
        let [with_two, without_two] = [Move { full: two, ..empty }, Move { empty: empty.empty | two, ..empty }];
        let all = |moves: &[Move]| reaches_every_board(&three([moves, &[second, third]].concat()));
        assert!(all(&[full, empty]) && all(&[without_two, full, with_two]));
        assert!(!all(&[full, with_two]) && !all(&[without_two, empty]) && !all(&[full, Move { full: two, ..first }]));
    }
}
