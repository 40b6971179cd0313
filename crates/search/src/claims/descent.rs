//! The search of games in which each side completes sets of squares.
//!
//! ```text
//! value of a position within a window:
//!     a set that lacks one square: the player to move fills it; the other player's must be blocked
//!     no set of one side left, or all of them can be prevented: a bound
//!     bounds from the table, if they settle the window
//!     the squares of all sets, the heaviest first: the value of the position after each
//! ```
//!
//! A square in no set changes nothing. A further piece never harms its owner, so such moves need no look as long as others are left.

use super::sets::{ONE, are_paired, reduce, singles, squares, total, weight};
use crate::alpha_beta::{Bounds, Outcomes, Table};
use crate::budget::Budget;
use crate::rules::Outcome;

/// Families of at most this weight are tested for pairs.
const PAIRED: u64 = 8 * ONE;

/// A player in a position: the squares of the pieces, and what is missing of each set that can still be filled.
pub(super) struct Player {
    pub(super) pieces: u64,
    pub(super) sets: Vec<u64>,
}

impl Player {
    /// The player with `pieces` of whose `sets` no square is in `blocked`.
    pub(super) fn new(sets: &[u64], pieces: u64, blocked: u64) -> Self {
        let mut sets: Vec<u64> = sets.iter().filter(|&set| set & blocked == 0).map(|set| set & !pieces).collect();
        reduce(&mut sets);
        Self { pieces, sets }
    }
}

/// The player to move and the other one after a move of `own` to `square`.
fn played(own: &Player, other: &Player, square: u64) -> (Player, Player) {
    let mut sets: Vec<u64> = own.sets.iter().map(|set| set & !square).collect();
    reduce(&mut sets);
    let after = Player { pieces: own.pieces | square, sets };
    let kept = other.sets.iter().copied().filter(|set| set & square == 0).collect();
    (Player { pieces: other.pieces, sets: kept }, after)
}

/// A search of one game.
pub(super) struct Descent<'a, 'b> {
    pub(super) table: &'a mut Table<u128, Outcomes>,
    pub(super) budget: &'a mut Budget<'b>,
    /// True if a full board may have no set of either side. Otherwise a player who prevents all sets of the other one fills a set.
    pub(super) can_draw: bool,
    /// True if the player to move is the player of mode 0.
    pub(super) is_first: bool,
    /// The number of squares of the board.
    pub(super) squares: u32,
    /// Room for a test.
    pub(super) open: Vec<u64>,
}

impl Descent<'_, '_> {
    /// The outcome of a position for the player with the pieces `own`, who is to move; `None` if the search is stopped.
    pub(super) fn outcome(&mut self, own: &Player, other: &Player) -> Option<Outcome> {
        let is_won = self.value(own, other, 0, 1)? > 0;
        if is_won {
            return Some(Outcome::Win);
        }
        let is_lost = !self.can_draw || self.value(own, other, -1, 0)? < 0;
        Some(if is_lost { Outcome::Loss } else { Outcome::Draw })
    }

    /// The value of a position: exact if it lies between `alpha` and `beta`, otherwise a bound on the same side. `None` if the search is stopped.
    pub(super) fn value(&mut self, own: &Player, other: &Player, mut alpha: i32, mut beta: i32) -> Option<i32> {
        if own.sets.first().is_some_and(|set| set.count_ones() == 1) {
            return Some(1);
        }
        let needed = singles(&other.sets);
        if needed.count_ones() > 1 {
            return Some(-1);
        }
        self.budget.work(own.sets.len() + other.sets.len())?;
        if needed == 0 {
            // What the player to move has at least if the other player fills no set, and what the other player has.
            let prevented = if self.can_draw { 0 } else { 1 };
            let low = if self.prevents(&other.sets, ONE) { prevented } else { -1 };
            let high = if self.prevents(&own.sets, ONE / 2) { -prevented } else { 1 };
            if low >= beta || low == high {
                return Some(low);
            }
            if high <= alpha {
                return Some(high);
            }
            (alpha, beta) = (alpha.max(low), beta.min(high));
        }
        let place = self
            .table
            .place(usize::from(!self.is_first), u128::from(own.pieces) | u128::from(other.pieces) << self.squares);
        let known = self.table.bounds(place);
        if known.low >= beta || known.low == known.high {
            return Some(known.low);
        }
        if known.high <= alpha {
            return Some(known.high);
        }
        (alpha, beta) = (alpha.max(known.low), beta.min(known.high));
        self.budget.count()?;
        let before = self.budget.effort.expanded;
        let mut best = -1;
        for square in self.moves(own, other, needed) {
            let (replying, after) = played(own, other, square);
            self.is_first = !self.is_first;
            let value = self.value(&replying, &after, -beta, -alpha.max(best));
            self.is_first = !self.is_first;
            best = best.max(-value?);
            if best >= beta {
                break;
            }
        }
        let bounds = Bounds {
            low: if best > alpha { best.max(known.low) } else { known.low },
            high: if best < beta { best.min(known.high) } else { known.high },
        };
        self.table.store(place, bounds, self.budget.effort.expanded - before);
        Some(best)
    }

    /// A move, as the set of its square, after which the player to move has a value of at least `least`. `None` if the search is stopped.
    pub(super) fn best(&mut self, own: &Player, other: &Player, least: i32) -> Option<u64> {
        let wins = singles(&own.sets);
        if wins != 0 {
            return squares(wins).next();
        }
        let moves = self.moves(own, other, singles(&other.sets));
        for square in moves {
            let (replying, after) = played(own, other, square);
            self.is_first = !self.is_first;
            let value = self.value(&replying, &after, -least, 1 - least);
            self.is_first = !self.is_first;
            if -value? >= least {
                return Some(square);
            }
        }
        None
    }

    /// Returns whether a player without a piece to lose can prevent all `sets`, which then weigh less than `least` or have pairs.
    fn prevents(&mut self, sets: &[u64], least: u64) -> bool {
        let weight = total(sets);
        weight < least || weight < PAIRED && are_paired(sets, &mut self.open)
    }

    /// The moves to look at, the most promising first: only `needed` if it is not empty.
    fn moves(&self, own: &Player, other: &Player, needed: u64) -> Vec<u64> {
        if needed != 0 {
            return vec![needed];
        }
        let mut weights = [0; 64];
        for &set in own.sets.iter().chain(&other.sets) {
            let of_set = weight(set);
            squares(set).for_each(|square| weights[square.trailing_zeros() as usize] += of_set);
        }
        let all = own.sets.iter().chain(&other.sets).fold(0, |all, set| all | set);
        let mut moves: Vec<u64> = squares(all).collect();
        moves.sort_by_key(|square| std::cmp::Reverse(weights[square.trailing_zeros() as usize]));
        moves
    }
}
