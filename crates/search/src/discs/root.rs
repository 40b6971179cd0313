//! The position that is asked: windows, the best move, and threads.

use std::sync::atomic::Ordering;

use tablegen_simd::{Unit, Work};

use super::descent::{Descent, Shared};
use super::kind::Discs;
use super::table::Table;
use super::{Game, Wanted};
use crate::outcome::Effort;

/// Threads help with positions of at least this many free squares.
const LEAST_SHARED: u32 = 12;
/// More than any score.
const BOUND: i32 = 100;

/// A question.
pub(super) struct Ask<'a> {
    pub(super) game: &'a Game,
    pub(super) table: &'a Table,
    pub(super) shared: &'a Shared,
    pub(super) threads: usize,
    pub(super) discs: Discs,
    pub(super) wanted: Wanted,
    pub(super) continues: Option<&'a mut dyn FnMut(u64) -> bool>,
    pub(super) effort: Effort,
    pub(super) end: Effort,
}

/// The answer.
#[derive(Clone, Copy)]
pub(super) struct Found {
    /// The score; where only the outcome is wanted, a number with the same sign.
    pub(super) score: i32,
    pub(super) best: Option<Best>,
}

/// The best move.
#[derive(Clone, Copy)]
pub(super) enum Best {
    Pass,
    /// A piece is put, and these are the pieces after it: of the player who moved, and of the other.
    Put {
        own: u64,
        other: u64,
    },
}

impl Work for Ask<'_> {
    type Output = (Option<Found>, Effort);

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> Self::Output {
        let Self { game, table, shared, threads, discs, wanted, continues, effort, end } = self;
        let mut descent = Descent::new(unit, game, table, shared, continues, [effort, end]);
        let free = (game.lines.places & !(discs.own | discs.other)).count_ones();
        let helpers = if free < LEAST_SHARED { 0 } else { threads as u32 - 1 };
        let found = std::thread::scope(|scope| {
            for number in 0..helpers {
                scope.spawn(move || {
                    let efforts = [Effort::default(), Effort::default().end(u64::MAX)];
                    let mut helper = Descent::new(unit, game, table, shared, None, efforts);
                    helper.jitter = 2 * number + 3;
                    let _ = helper.answer(discs, wanted);
                });
            }
            let found = descent.answer(discs, wanted);
            shared.stops.store(true, Ordering::Relaxed);
            found
        });
        descent.effort.expanded += shared.expanded.load(Ordering::Relaxed);
        ((!descent.stopped).then_some(found), descent.effort)
    }
}

impl<U: Unit> Descent<'_, U> {
    fn answer(&mut self, discs: Discs, wanted: Wanted) -> Found {
        let Discs { own, other, may_pass } = discs;
        let moves = self.game.lines.moves(own, other);
        if moves != 0 {
            let (score, square) = self.settle(own, other, moves, wanted);
            let turned = self.game.lines.flips(square & 63, own, other);
            let best =
                (square < 64).then_some(Best::Put { own: own | turned | 1 << (square & 63), other: other & !turned });
            return Found { score, best };
        }
        let best = may_pass.then_some(Best::Pass);
        let replies = self.game.lines.moves(other, own);
        if may_pass && replies != 0 {
            return Found { score: -self.settle(other, own, replies, wanted).0, best };
        }
        // A pass, after which the other player cannot move either, ends the game.
        Found { score: self.count(own, other), best }
    }

    /// The score of a position with legal `moves`, and the best square.
    fn settle(&mut self, own: u64, other: u64, moves: u64, wanted: Wanted) -> (i32, u32) {
        if wanted == Wanted::Outcome {
            // Most positions are won or lost, so the first of two windows usually settles the outcome.
            let found = self.choose(own, other, moves, 0, 1);
            return if found.0 > 0 || self.stopped { found } else { self.choose(own, other, moves, -1, 0) };
        }
        // Windows of one point, the next one where the bound of the last one is.
        let (mut low, mut high, mut score) = (-BOUND, BOUND, 0);
        let mut best = 64;
        while low < high && !self.stopped {
            let beta = score.max(low + 1);
            let (found, square) = self.choose(own, other, moves, beta - 1, beta);
            score = found;
            if score < beta {
                high = score;
            } else {
                (low, best) = (score, square);
            }
        }
        (score, best)
    }
}
