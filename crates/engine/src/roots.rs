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

/// True if every board is obviously reachable: from the empty board, by filling one cell at a time.
pub(super) fn reaches_every_board(rules: &Rules) -> bool {
    let alone = rules.moves().iter().filter(|m| m.full.is_empty() && m.empty == m.fills && m.fills.count() == 1);
    let filled: Board = alone.map(|m| m.fills).collect();
    let from_empty = matches!(rules.start(), Start::At(start) if start.board.is_empty());
    rules.sweep_obstacle().is_none()
        && rules.modes().len() == 1
        && rules.ends().is_empty()
        && from_empty
        && filled.count() == rules.cells()
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
}
