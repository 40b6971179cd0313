//! A strong search for the outcome of impartial games that come apart: a sum is searched by its parts.

mod descent;
pub(crate) mod kind;
#[cfg(test)]
mod tests;

use descent::{Descent, Memory};

use crate::outcome_search::{Bounded, OutcomeSearch};
use crate::parts::{after, all_parts, come_apart, is_legal};
use crate::rules::{Board, Move, Outcome, Position, Rules};

/// A search of one game of this kind.
pub(crate) struct Sums {
    moves: Vec<Move>,
    memory: Memory,
}

impl Sums {
    /// A search of `rules` that remembers parts in at most `bytes` bytes; `None` if the rules are of another kind, or their positions seldom come
    /// apart.
    pub(crate) fn new(rules: &Rules, bytes: usize) -> Option<Self> {
        let search = Self::of_kind(rules, bytes)?;
        let start = rules.start_positions().into_iter().next()?;
        come_apart(&search.moves, start, kind::LEAST).then_some(search)
    }

    fn of_kind(rules: &Rules, bytes: usize) -> Option<Self> {
        Some(Self { moves: kind::moves(rules)?.to_vec(), memory: Memory::new(bytes) })
    }

    /// Returns whether `board` is lost. `None` if the search stops.
    fn is_lost(&mut self, board: Board, by: &mut Bounded<'_, '_>) -> Option<bool> {
        let Self { moves, memory } = self;
        let parts = all_parts(moves, board);
        by.spend(|budget| Descent { moves, memory, budget }.is_sum_lost(parts, 0))
    }
}

impl OutcomeSearch for Sums {
    fn outcome(&mut self, position: Position, by: &mut Bounded<'_, '_>) -> Option<Outcome> {
        Some(if self.is_lost(position.board, by)? { Outcome::Loss } else { Outcome::Win })
    }

    fn best(&mut self, position: Position, outcome: Outcome, by: &mut Bounded<'_, '_>) -> Option<Position> {
        let legal = self.moves.iter().filter(|m| is_legal(m, position.board));
        let replies: Vec<Board> = legal.map(|m| after(m, position.board)).collect();
        for board in replies {
            // All moves of a lost position are as bad.
            if outcome == Outcome::Loss || self.is_lost(board, by)? {
                return Some(Position::new(position.mode, board));
            }
        }
        None
    }
}
