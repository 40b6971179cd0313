//! A strong search for the outcome of partisan games that come apart: small parts are canonical forms, and the sum is searched.

mod descent;
pub(crate) mod kind;
mod sum;
#[cfg(test)]
pub(crate) mod tests;
mod values;

use descent::{Descent, Memory};
use values::Values;

use crate::outcome_search::{Bounded, OutcomeSearch};
use crate::parts::all_parts;
use crate::rules::{Move, Outcome, Position, Rules};

/// The most moves of a part whose value is computed at once.
const FEW_MOVES: usize = 12;
/// The work of dividing a part, for each of its moves: each is looked at several times.
const TESTS: usize = 6;

/// A search of one game of this kind.
pub(crate) struct Partisan {
    moves: Vec<Move>,
    bytes: usize,
    /// The most moves of a part whose value is computed at once.
    few_moves: usize,
    values: Values,
    memory: Memory,
}

impl Partisan {
    /// A search of `rules` that remembers values and sums in about `bytes` bytes; `None` if the rules are of another kind, or their positions
    /// seldom come apart.
    pub(crate) fn new(rules: &Rules, bytes: usize) -> Option<Self> {
        kind::moves(rules).map(|moves| Self::of(moves, bytes))
    }

    fn of(moves: &[Move], bytes: usize) -> Self {
        let half = bytes / 2;
        let (values, memory) = (Values::new(half), Memory::new(half));
        Self { moves: moves.to_vec(), bytes, few_moves: FEW_MOVES, values, memory }
    }

    /// What `find` finds.
    fn search<T>(&mut self, by: &mut Bounded<'_, '_>, find: impl FnOnce(&mut Descent<'_, '_>) -> T) -> T {
        // What is known of sums names values by their numbers.
        if self.values.is_full() {
            *self = Self { few_moves: self.few_moves, ..Self::of(&self.moves, self.bytes) };
        }
        let Self { moves, few_moves, values, memory, .. } = self;
        by.spend(|budget| find(&mut Descent { moves, few_moves: *few_moves, values, memory, budget }))
    }
}

impl OutcomeSearch for Partisan {
    fn takes_turns(&self) -> bool {
        true
    }

    fn outcome(&mut self, position: Position, by: &mut Bounded<'_, '_>) -> Option<Outcome> {
        let is_won = self.search(by, |descent| descent.is_won_at(position))?;
        Some(if is_won { Outcome::Win } else { Outcome::Loss })
    }

    fn best(&mut self, position: Position, outcome: Outcome, by: &mut Bounded<'_, '_>) -> Option<Position> {
        let legal = self.moves.iter().filter(|m| m.is_legal(position));
        let replies: Vec<Position> = legal.map(|m| m.play(position)).collect();
        // All moves of a lost position are as bad.
        if outcome == Outcome::Loss {
            return replies.first().copied();
        }
        self.search(by, |descent| descent.lost_of(&replies))?
    }
}

impl Descent<'_, '_> {
    /// The sum that `position` is. `None` if the search stops.
    fn sum_at(&mut self, position: Position) -> Option<sum::Sum> {
        let parts = all_parts(self.moves, position.board);
        self.sum_of(parts)
    }

    /// Returns whether `position` is won. `None` if the search stops.
    fn is_won_at(&mut self, position: Position) -> Option<bool> {
        let sum = self.sum_at(position)?;
        self.is_won(&sum, position.mode.0.into())
    }

    /// A lost position of `replies`, first those that are known to be lost; `None` in it if there is none. `None` if the search stops.
    fn lost_of(&mut self, replies: &[Position]) -> Option<Option<Position>> {
        let mut open = Vec::new();
        for &reply in replies {
            let sum = self.sum_at(reply)?;
            match self.known(&sum, reply.mode.0.into()) {
                Some(false) => return Some(Some(reply)),
                Some(true) => {}
                None => open.push((reply, sum)),
            }
        }
        for (reply, sum) in open {
            if !self.is_won(&sum, reply.mode.0.into())? {
                return Some(Some(reply));
            }
        }
        Some(None)
    }
}
