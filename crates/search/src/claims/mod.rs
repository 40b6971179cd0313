//! A strong search for the outcome of games in which each side completes sets of squares of its own.

mod descent;
mod kind;
mod proof;
mod sets;
#[cfg(test)]
mod tests;

use descent::{Descent, Player};
use kind::Kind;
use proof::Proof;

use crate::alpha_beta::{Outcomes, Table};
use crate::budget::Budget;
use crate::outcome::Effort;
use crate::rules::{Outcome, Position, Rules};

/// A search of one game of this kind.
pub(crate) struct Claims {
    kind: Kind,
    table: Table<u128, Outcomes>,
    /// The last attempt to prove that no full board lacks a set of either side. The moves of a position share it.
    proof: Option<Proof>,
}

impl Claims {
    /// A search of `rules` with a transposition table of at most `bytes` bytes; `None` if the rules are of another kind, or the table is too small.
    pub(crate) fn new(rules: &Rules, bytes: usize) -> Option<Self> {
        let kind = Kind::of(rules)?;
        let table = Table::new(Outcomes, 2 * kind.squares(), 2, bytes)?;
        Some(Self { kind, table, proof: None })
    }

    /// Returns whether the search can answer `position`: no square has two colours, and the player to move has not filled a set.
    pub(crate) fn has(&self, position: Position) -> bool {
        let sets = &self.kind.sets[usize::from(position.mode.0)];
        let pieces = self.kind.pieces(position.mode, position.board);
        pieces.is_some_and(|[own, _]| sets.iter().all(|set| set & !own != 0))
    }

    /// The player to move at `position`, and the other one; `None` if a square has two colours.
    fn players(&self, position: Position) -> Option<[Player; 2]> {
        let [own, other] = self.kind.pieces(position.mode, position.board)?;
        let mode = usize::from(position.mode.0);
        let [of_own, of_other] = [&self.kind.sets[mode], &self.kind.sets[1 - mode]];
        Some([Player::new(of_own, own, other), Player::new(of_other, other, own)])
    }

    /// The outcome of `position`. `continues` is told the number of positions expanded now and then, and says whether to continue. `None` if
    /// `effort` reaches `end` first, if the search was stopped, or if it does not [have](Self::has) the position.
    pub(crate) fn outcome(
        &mut self,
        position: Position,
        continues: Option<&mut dyn FnMut(u64) -> bool>,
        effort: &mut Effort,
        end: Effort,
    ) -> Option<Outcome> {
        let [own, other] = self.players(position)?;
        match [&own, &other].map(|player| player.sets.first() == Some(&0)) {
            [_, true] => return Some(Outcome::Loss),
            [true, false] => return None,
            [false, false] => {}
        }
        self.search((position, &own, &other), continues, effort, end, |descent| descent.outcome(&own, &other))
    }

    /// The position after a best move from `position`, whose outcome is `outcome`. `None` if there is no move, or as for
    /// [`outcome`](Self::outcome).
    pub(crate) fn best(
        &mut self,
        position: Position,
        outcome: Outcome,
        continues: Option<&mut dyn FnMut(u64) -> bool>,
        effort: &mut Effort,
        end: Effort,
    ) -> Option<Position> {
        let [own, other] = self.players(position)?;
        if other.sets.first() == Some(&0) {
            return None;
        }
        let least = match outcome {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            // All moves are as bad.
            Outcome::Loss => -1,
        };
        let at = (position, &own, &other);
        let found = self.search(at, continues, effort, end, |descent| descent.best(&own, &other, least));
        found.map(|square| self.kind.after(position, square))
    }

    /// What `find` finds at a position with these players.
    fn search<T>(
        &mut self,
        (position, own, other): (Position, &Player, &Player),
        continues: Option<&mut dyn FnMut(u64) -> bool>,
        effort: &mut Effort,
        end: Effort,
        find: impl FnOnce(&mut Descent<'_, '_>) -> Option<T>,
    ) -> Option<T> {
        let is_first = position.mode.0 == 0;
        let budget = &mut Budget::new(continues, *effort, end);
        let [first, second] = if is_first { [own, other] } else { [other, own] };
        let can_draw = !Proof::renewed(&mut self.proof, first, second, budget);
        let Self { table, kind, .. } = self;
        let (squares, open) = (kind.squares(), Vec::new());
        let found = find(&mut Descent { table, budget, can_draw, is_first, squares, open });
        *effort = budget.effort;
        found
    }
}
