//! Which solver a game gets, and why.

use super::room::check_dense_memory;
use crate::game::{Coverage, Game};
use crate::rules::{Board, Rules, Start};
use crate::solve::Method;

/// A solver, and the reason for choosing it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The solver.
    pub method: Method,
    /// Why, in a few words.
    pub reason: String,
}

/// The solver for `game`: the one `asked` for, the one that the game needs, or the one that suits its size if at most
/// `memory` bytes may be used.
#[must_use]
pub fn choose(game: &dyn Game, asked: Option<Method>, memory: Option<u64>) -> Choice {
    let rules = game.rules();
    let chosen = |method, reason: &str| Choice { method, reason: reason.into() };
    if let Some(method) = asked {
        return chosen(method, "asked for");
    }
    match game.coverage() {
        Some(Coverage::Every) => return chosen(Method::Dense, "every set of cells is asked about"),
        Some(Coverage::Reachable) => return chosen(Method::Sparse, "play reaches few of its boards"),
        None => {}
    }
    if check_dense_memory(rules, memory).is_ok() {
        return chosen(Method::Dense, "every position fits into memory");
    }
    if reaches_every_board(rules) {
        return chosen(Method::Dense, "play can reach every board");
    }
    let reason = format!("2^{} boards do not fit into memory: those that play can reach may", rules.cells());
    Choice { method: Method::Sparse, reason }
}

/// Whether it is obvious that play can reach every board: from the empty board, cell by cell.
pub(super) fn reaches_every_board(rules: &Rules) -> bool {
    let alone = rules.moves().iter().filter(|m| m.full.is_empty() && m.empty == m.fills && m.fills.count() == 1);
    let filled: Board = alone.map(|m| m.fills).collect();
    let from_empty = matches!(rules.start(), Start::At(start) if start.board.is_empty());
    rules.modes().len() == 1 && rules.ends().is_empty() && from_empty && filled.count() == rules.cells()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Move, Outcome, RulesSpec};

    #[test]
    fn boards_that_are_all_reached() {
        let alone: Vec<Move> = (0..3).map(|cell| Move::fill(Board::bit(cell))).collect();
        let reached = |moves: Vec<Move>| {
            let spec = RulesSpec { moves, terminal: Outcome::Win, ..RulesSpec::new("three", 3) };
            reaches_every_board(&spec.build().unwrap())
        };
        assert!(reached(alone.clone()));
        assert!(!reached(alone[..2].to_vec()));
        let conditional = Move { full: Board::bit(1), ..alone[0] };
        assert!(!reached(vec![conditional, alone[1], alone[2]]));
    }
}
