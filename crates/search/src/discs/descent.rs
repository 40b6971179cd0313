//! The search: alpha-beta with a transposition table.
//!
//! ```text
//! score of a position within a window:
//!     at most four free squares: each move in turn
//!     a bound from pieces that cannot turn over, if it settles the window
//!     without a move: the other player moves, or the pieces are counted
//!     few free squares: the moves in regions with an odd number of free squares first
//!     else: bounds from the table, for the position and after each move, if they settle the window
//!           the moves that leave the other player few moves first
//! ```
//!
//! The functions that call themselves are [`Work`], so that they are compiled for the best instructions of the machine.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tablegen_simd::{Unit, Work};

use super::Game;
use super::table::{Found, Table};
use crate::outcome::Effort;

/// Positions between two looks at the limits.
const STEP: u64 = 1 << 12;
/// Maximum number of free squares of positions that are searched without the table.
const SHALLOW: u32 = 6;
/// The table is asked for the positions after all moves from positions with at least this many free squares.
const LEAST_ASKED: u32 = 12;

/// A position after a move.
#[derive(Clone, Copy)]
struct Child {
    own: u64,
    other: u64,
    square: u32,
    score: i32,
}

/// What the threads of a search share.
#[derive(Default)]
pub(super) struct Shared {
    /// True if the search is over.
    pub(super) stops: AtomicBool,
    /// The positions that helping threads have expanded.
    pub(super) expanded: AtomicU64,
}

/// A search of one game.
pub(super) struct Descent<'a, U> {
    pub(super) unit: U,
    pub(super) game: &'a Game,
    pub(super) table: &'a Table,
    children: Vec<Child>,
    shared: &'a Shared,
    continues: Option<&'a mut dyn FnMut(u64) -> bool>,
    pub(super) effort: Effort,
    end: Effort,
    /// The number of positions at which to look at the limits.
    next_look: u64,
    /// Added to `shared` so far.
    told: u64,
    /// What makes helping threads try moves in other orders; 0 for the first thread.
    pub(super) jitter: u32,
    pub(super) stopped: bool,
}

/// A position with many free squares.
struct Expand<'d, 'a, U> {
    descent: &'d mut Descent<'a, U>,
    own: u64,
    other: u64,
    alpha: i32,
    beta: i32,
}

impl<U: Unit> Work for Expand<'_, '_, U> {
    type Output = i32;

    #[inline(always)]
    fn run<V: Unit>(self, _: V) -> i32 {
        self.descent.expand_here(self.own, self.other, self.alpha, self.beta)
    }
}

/// A position with few free squares.
struct Shallow<'d, 'a, U>(Expand<'d, 'a, U>);

impl<U: Unit> Work for Shallow<'_, '_, U> {
    type Output = i32;

    #[inline(always)]
    fn run<V: Unit>(self, _: V) -> i32 {
        let Expand { descent, own, other, alpha, beta } = self.0;
        descent.shallow_here(own, other, alpha, beta)
    }
}

impl<'a, U: Unit> Descent<'a, U> {
    pub(super) fn new(
        unit: U,
        game: &'a Game,
        table: &'a Table,
        shared: &'a Shared,
        continues: Option<&'a mut dyn FnMut(u64) -> bool>,
        [effort, end]: [Effort; 2],
    ) -> Self {
        let mut this = Self {
            unit,
            game,
            table,
            children: Vec::new(),
            shared,
            continues,
            effort,
            end,
            next_look: 0,
            told: effort.expanded,
            jitter: 0,
            stopped: false,
        };
        this.set_look();
        this
    }

    fn set_look(&mut self) {
        let step = (self.effort.expanded / STEP + 1) * STEP;
        self.next_look = step.min(self.end.expanded);
    }

    /// Counts a position; `true` if the search stops.
    #[inline(always)]
    fn stops(&mut self) -> bool {
        if self.effort.expanded >= self.next_look && self.look() {
            return true;
        }
        self.effort.expanded += 1;
        false
    }

    #[cold]
    fn look(&mut self) -> bool {
        let mut expanded = self.effort.expanded;
        if self.jitter == 0 {
            expanded += self.shared.expanded.load(Ordering::Relaxed);
        } else {
            self.shared.expanded.fetch_add(expanded - self.told, Ordering::Relaxed);
            self.told = expanded;
        }
        let is_over = expanded >= self.end.expanded || self.shared.stops.load(Ordering::Relaxed);
        self.stopped = self.stopped
            || is_over
            || self.effort.expanded.is_multiple_of(STEP) && self.continues.as_mut().is_some_and(|it| !it(expanded));
        self.set_look();
        self.stopped
    }

    /// The score of a position for the player with the pieces `own`, who moves: exact if it lies between `alpha` and `beta`, otherwise a bound
    /// on the same side. Meaningless if the search has stopped.
    #[inline(always)]
    pub(super) fn expand(&mut self, own: u64, other: u64, alpha: i32, beta: i32) -> i32 {
        let free = self.game.lines.places & !(own | other);
        let count = free.count_ones();
        if count <= 4 {
            if self.stops() {
                return 0;
            }
            let first = if count > 2 { self.game.odd_regions(free) } else { 0 };
            return self.last(own, other, free, first, alpha, beta);
        }
        let unit = self.unit;
        let expand = Expand { descent: self, own, other, alpha, beta };
        if count <= SHALLOW { unit.again(Shallow(expand)) } else { unit.again(expand) }
    }

    /// The greatest score that the player with the pieces `own` can get, by pieces that cannot turn over; a large number if it is not looked
    /// for, because it would not be less than `alpha`.
    #[inline(always)]
    fn most(&self, own: u64, other: u64, alpha: i32) -> i32 {
        let Game { stable: Some(stable), counted, more_is_better, .. } = self.game else { return i32::MAX };
        let free = self.game.all & !(own | other);
        let harmful = if *more_is_better { other } else { own };
        let all = counted.count_ones() as i32;
        let needed = (all - alpha + 1) / 2;
        if ((harmful & counted).count_ones() as i32) < needed || alpha < 2 * free.count_ones() as i32 - 12 {
            return i32::MAX;
        }
        all - 2 * (stable.of(harmful, free) & counted).count_ones() as i32
    }

    /// The score of a position without a move.
    #[inline(always)]
    fn without_move(&mut self, own: u64, other: u64, alpha: i32, beta: i32) -> i32 {
        if self.game.passes && self.game.lines.moves(other, own) != 0 {
            -self.expand(other, own, -beta, -alpha)
        } else {
            self.count(own, other)
        }
    }

    #[inline(always)]
    fn shallow_here(&mut self, own: u64, other: u64, alpha: i32, beta: i32) -> i32 {
        if self.stops() {
            return 0;
        }
        let most = self.most(own, other, alpha);
        if most <= alpha {
            return most;
        }
        let moves = self.game.lines.moves(own, other);
        if moves == 0 {
            return self.without_move(own, other, alpha, beta);
        }
        let free = self.game.lines.places & !(own | other);
        let odd = self.game.odd_regions(free);
        let mut best = i32::MIN;
        for mut rest in [moves & odd, moves & !odd] {
            while rest != 0 {
                let square = rest.trailing_zeros();
                rest &= rest - 1;
                let turned = self.game.lines.flips(square, own, other);
                let (own, other) = (other & !turned, own | turned | 1 << square);
                let value = -self.expand(own, other, -beta, -alpha.max(best));
                if self.stopped {
                    return 0;
                }
                best = best.max(value);
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }

    #[inline(always)]
    fn expand_here(&mut self, own: u64, other: u64, mut alpha: i32, mut beta: i32) -> i32 {
        if self.stops() {
            return 0;
        }
        let most = self.most(own, other, alpha);
        if most <= alpha {
            return most;
        }
        let known = self.table.find(own, other);
        if known.low >= beta || known.low == known.high {
            return known.low;
        }
        if known.high <= alpha {
            return known.high;
        }
        (alpha, beta) = (alpha.max(known.low), beta.min(known.high));
        let moves = self.game.lines.moves(own, other);
        if moves == 0 {
            return self.without_move(own, other, alpha, beta);
        }
        let before = self.effort.expanded;
        let first = self.children.len();
        let closed = self.children_of(own, other, moves, beta);
        let (best, _) = closed.unwrap_or_else(|| self.best_of(first, alpha, beta));
        self.children.truncate(first);
        if self.stopped {
            return 0;
        }
        let found = Found {
            low: if best > alpha { best.max(known.low) } else { known.low },
            high: if best < beta { best.min(known.high) } else { known.high },
        };
        self.table.store(own, other, found, self.effort.expanded - before);
        best
    }

    /// The score of a position with legal `moves` within a window, and its square.
    pub(super) fn choose(&mut self, own: u64, other: u64, moves: u64, alpha: i32, beta: i32) -> (i32, u32) {
        self.children.clear();
        if self.stops() {
            return (0, 64);
        }
        let found = self.children_of(own, other, moves, i32::MAX).unwrap_or_else(|| self.best_of(0, alpha, beta));
        self.children.clear();
        found
    }

    /// The best score of the children from number `first` on, and its square.
    #[inline(always)]
    fn best_of(&mut self, first: usize, alpha: i32, beta: i32) -> (i32, u32) {
        let (mut best, mut best_square) = (i32::MIN, 64);
        let mut at = first;
        while at < self.children.len() {
            self.bring_best(at);
            let Child { own, other, square, .. } = self.children[at];
            at += 1;
            let low = alpha.max(best);
            let mut value = -self.expand(own, other, if best > i32::MIN { -low - 1 } else { -beta }, -low);
            if best > i32::MIN && value > low && value < beta {
                value = -self.expand(own, other, -beta, -value);
            }
            if self.stopped {
                break;
            }
            if value > best {
                (best, best_square) = (value, square);
                if best >= beta {
                    break;
                }
            }
        }
        (best, best_square)
    }

    /// Moves the child with the greatest score to number `at` from those behind.
    #[inline(always)]
    fn bring_best(&mut self, at: usize) {
        let mut best = at;
        for other in at + 1..self.children.len() {
            if self.children[other].score > self.children[best].score {
                best = other;
            }
        }
        self.children.swap(at, best);
    }

    /// Appends the positions after `moves`. Returns a score that closes the window, and its square, if the table knows one.
    #[inline(always)]
    fn children_of(&mut self, own: u64, other: u64, moves: u64, beta: i32) -> Option<(i32, u32)> {
        let lines = &self.game.lines;
        let free = lines.places & !(own | other);
        let (count, odd) = (free.count_ones(), self.game.odd_regions(free));
        let mut rest = moves;
        while rest != 0 {
            let square = rest.trailing_zeros();
            rest &= rest - 1;
            let turned = lines.flips(square, own, other);
            let (own, other) = (other & !turned, own | turned | 1 << square);
            if count > SHALLOW + 1 {
                self.table.prefetch(self.unit, own, other);
            }
            if count >= LEAST_ASKED {
                let value = -self.table.find(own, other).high;
                if value >= beta {
                    return Some((value, square));
                }
            }
            let score = self.promise(own, other, square, odd);
            self.children.push(Child { own, other, square, score });
        }
        None
    }

    /// How promising it is to put a piece on `square`, after which the other player has the pieces `own`. `odd` are the squares in odd regions.
    #[inline(always)]
    fn promise(&self, own: u64, other: u64, square: u32, odd: u64) -> i32 {
        let Game { lines, corners, .. } = self.game;
        let free = lines.places & !(own | other);
        let replies = lines.moves(own, other);
        let replies = replies.count_ones() + (replies & corners).count_ones();
        let bit = |of: u64| (of >> square & 1) as i32;
        let jitter = (square.wrapping_mul(self.jitter) >> 2 & 3) as i32;
        let gives_corner = i32::from(lines.beside[square as usize & 63] & corners & free != 0);
        let of_square = 4 * bit(odd) + 12 * bit(*corners) - 8 * gives_corner;
        of_square - 8 * replies as i32 + jitter
    }
}
