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
use crate::alpha_beta::{Access, Bounds, Outcomes, Word};
use crate::budget::Budget;
use crate::entry::EntryWord;

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

/// Numbers of positions: a digit of base 3 for each square, which is 0 for a free one.
pub(super) struct Numbers {
    powers: Vec<u128>,
}

impl Numbers {
    pub(super) fn new(squares: u32) -> Self {
        Self { powers: (0..squares).map(|square| 3u128.pow(square)).collect() }
    }

    /// The bits of a number.
    pub(super) fn bits(&self) -> u32 {
        self.powers.last().map_or(1, |&last| u128::BITS - (3 * last - 1).leading_zeros())
    }

    /// What a piece on `square` adds, of the first player or of the other one.
    fn of_piece(&self, square: u64, is_first: bool) -> u128 {
        let power = self.powers[square.trailing_zeros() as usize];
        if is_first { power } else { 2 * power }
    }

    /// The number of a position, by the player to move and the other one.
    pub(super) fn of(&self, own: &Player, other: &Player, is_first: bool) -> u128 {
        let sum =
            |player: &Player, is_first| squares(player.pieces).map(|it| self.of_piece(it, is_first)).sum::<u128>();
        sum(own, is_first) + sum(other, !is_first)
    }
}

/// The player to move and the other one after a move of `own` to `square`.
pub(super) fn played(own: &Player, other: &Player, square: u64) -> (Player, Player) {
    let mut sets: Vec<u64> = own.sets.iter().map(|set| set & !square).collect();
    reduce(&mut sets);
    let after = Player { pieces: own.pieces | square, sets };
    let kept = other.sets.iter().copied().filter(|set| set & square == 0).collect();
    (Player { pieces: other.pieces, sets: kept }, after)
}

/// A search of one game.
pub(super) struct Descent<'a, 'b, W: EntryWord> {
    pub(super) table: Access<'a, W, Outcomes>,
    pub(super) budget: &'a mut Budget<'b>,
    pub(super) numbers: &'a Numbers,
    /// The number of the position.
    pub(super) number: u128,
    /// True if a full board may have no set of either side. Otherwise a player who prevents all sets of the other one fills a set.
    pub(super) can_draw: bool,
    /// True if the player to move is the player of mode 0.
    pub(super) is_first: bool,
    /// What the thread adds to the weight of each square.
    pub(super) extra: &'a [u64],
    /// Room for a test.
    pub(super) open: Vec<u64>,
}

impl<W: Word> Descent<'_, '_, W> {
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
        let place = self.table.place(usize::from(!self.is_first), W::of(self.number));
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
        for square in moves(own, other, needed, self.extra) {
            let (replying, after) = played(own, other, square);
            let digit = self.numbers.of_piece(square, self.is_first);
            (self.is_first, self.number) = (!self.is_first, self.number + digit);
            let value = self.value(&replying, &after, -beta, -alpha.max(best));
            (self.is_first, self.number) = (!self.is_first, self.number - digit);
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

    /// Returns whether a player without a piece to lose can prevent all `sets`, which then weigh less than `least` or have pairs.
    fn prevents(&mut self, sets: &[u64], least: u64) -> bool {
        let weight = total(sets);
        weight < least || weight < PAIRED && are_paired(sets, &mut self.open)
    }
}

/// The moves to look at, each as the set of its square, the most promising first: only `needed` if it is not empty. `extra` is added to the
/// weight of each square.
pub(super) fn moves(own: &Player, other: &Player, needed: u64, extra: &[u64]) -> Vec<u64> {
    if needed != 0 {
        return vec![needed];
    }
    let mut weights = [0; 64];
    weights[..extra.len()].copy_from_slice(extra);
    for &set in own.sets.iter().chain(&other.sets) {
        let of_set = weight(set);
        squares(set).for_each(|square| weights[square.trailing_zeros() as usize] += of_set);
    }
    let all = own.sets.iter().chain(&other.sets).fold(0, |all, set| all | set);
    let mut moves: Vec<u64> = squares(all).collect();
    moves.sort_by_key(|square| std::cmp::Reverse(weights[square.trailing_zeros() as usize]));
    moves
}
