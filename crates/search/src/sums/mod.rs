//! A strong search for the outcome of impartial games that come apart: a sum is searched by its parts.

mod descent;
pub(crate) mod kind;
#[cfg(test)]
mod tests;

use descent::{Descent, Memory};

use crate::budget::Budget;
use crate::outcome::Effort;
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

    /// The outcome of `position`. `continues` is told the number of positions expanded now and then, and says whether to continue. `None` if
    /// `effort` reaches `end` first, or if the search was stopped.
    pub(crate) fn outcome(
        &mut self,
        position: Position,
        continues: Option<&mut dyn FnMut(u64) -> bool>,
        effort: &mut Effort,
        end: Effort,
    ) -> Option<Outcome> {
        let parts = all_parts(&self.moves, position.board);
        let is_lost = self.search(continues, effort, end, |descent| descent.is_sum_lost(parts, 0))?;
        Some(if is_lost { Outcome::Loss } else { Outcome::Win })
    }

    /// The position after a best move from `position`, whose outcome is `outcome`. `None` if there is no move, or as for
    /// [`outcome`](Self::outcome).
    pub(crate) fn best(
        &mut self,
        position: Position,
        outcome: Outcome,
        mut continues: Option<&mut dyn FnMut(u64) -> bool>,
        effort: &mut Effort,
        end: Effort,
    ) -> Option<Position> {
        let legal = self.moves.iter().filter(|m| is_legal(m, position.board));
        let replies: Vec<Board> = legal.map(|m| after(m, position.board)).collect();
        for board in replies {
            let continues = continues.as_mut().map(|it| &mut **it as &mut dyn FnMut(u64) -> bool);
            // All moves of a lost position are as bad.
            let reply = Position::new(position.mode, board);
            if outcome == Outcome::Loss || self.outcome(reply, continues, effort, end)? == Outcome::Loss {
                return Some(reply);
            }
        }
        None
    }

    /// What `find` finds.
    fn search<T>(
        &mut self,
        continues: Option<&mut dyn FnMut(u64) -> bool>,
        effort: &mut Effort,
        end: Effort,
        find: impl FnOnce(&mut Descent<'_, '_>) -> Option<T>,
    ) -> Option<T> {
        let budget = &mut Budget::new(continues, *effort, end);
        let found = find(&mut Descent { moves: &self.moves, memory: &mut self.memory, budget });
        *effort = budget.effort;
        found
    }
}
