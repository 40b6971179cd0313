//! The search: alpha-beta with null windows and a transposition table.
//!
//! A value says how the game ends and when, from the point of view of the player to move. Of a game of `n` squares that ends when `f` of them
//! are filled, it is `n + 1 - f` for the winner, the negative number for the loser, and 0 for a draw. It does not depend on the position from
//! which the search began, so bounds of all positions share one table.
//!
//! ```text
//! value of a position in which the player to move does not win at once, within a window:
//!     two squares that the other player threatens at once, or no move that avoids a loss at once: lost in two plies
//!     bounds from the number of empty squares, then bounds from the table, if they settle the window
//!     a move that threatens two squares at once: won in three plies
//!     the moves left, most threats first: the value of the position after each, until the window is closed
//! ```

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use tablegen_simd::{Unit, Work};

use super::bounds;
use super::game::Game;
use super::layout::Sides;
use super::symmetry::Image;
use super::table::{Bounds, Entries, Place};
use crate::entry::EntryWord;

/// A position that the search looks at. The player to move cannot win at once.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) sides: Sides,
    /// The empty squares that complete a pattern for the player to move, and for the other player.
    pub(super) wins: [u64; 2],
    /// The number of empty squares.
    pub(super) empty: i32,
}

impl At {
    pub(super) fn new(game: &Game, sides: Sides) -> Self {
        let occupied = sides.occupied();
        let wins = [sides.own, sides.other].map(|pieces| game.wins(pieces, occupied));
        Self { sides, wins, empty: game.empty(occupied) }
    }
}

/// Why a search stopped without a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Why {
    /// It reached its limit.
    Limit,
    /// It was told to stop.
    Told,
    /// The table should grow.
    Full,
    /// Another thread found the value.
    Done,
}

/// The search stopped without a value; [`Shared::why`] says why.
struct Stopped;

const RUNS: u8 = 0;

/// What the threads of a search share.
pub(super) struct Shared<'a, K: EntryWord> {
    pub(super) game: &'a Game,
    pub(super) table: Entries<'a, K>,
    /// The symmetries that can map positions of this search to each other, and the least number of empty squares of such positions.
    pub(super) images: &'a [Image],
    pub(super) images_from: i32,
    /// The number of positions that threads may still take to expand.
    left: AtomicU64,
    stop: AtomicU8,
}

impl<'a, K: EntryWord> Shared<'a, K> {
    pub(super) const fn new(
        game: &'a Game,
        table: Entries<'a, K>,
        images: &'a [Image],
        images_from: i32,
        left: u64,
    ) -> Self {
        Self { game, table, images, images_from, left: AtomicU64::new(left), stop: AtomicU8::new(RUNS) }
    }

    /// The number of positions that are left of the limit.
    pub(super) fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Tells all threads to stop. The first reason counts.
    pub(super) fn stop(&self, why: Why) {
        let _ = self.stop.compare_exchange(RUNS, 1 + why as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Why the threads stop; `None` if they do not.
    pub(super) fn why(&self) -> Option<Why> {
        [Why::Limit, Why::Told, Why::Full, Why::Done]
            .into_iter()
            .find(|&why| 1 + why as u8 == self.stop.load(Ordering::Relaxed))
    }
}

/// Positions between two looks at what other threads and the caller want.
const STEP: u64 = 1 << 12;

/// Minimum number of empty squares for a look into the table for each position after a move.
const MANY: i32 = 18;

/// A move that the search may make.
#[derive(Clone, Copy)]
struct Candidate<K> {
    square: u64,
    /// The squares that complete a pattern for the player after the move.
    wins: u64,
    score: i32,
    /// The place of the position after it.
    place: Place<K>,
}

/// The search of one thread, as work that is compiled for the instructions of the machine.
pub(super) struct Find<'a, 'b, K: EntryWord> {
    pub(super) shared: &'a Shared<'a, K>,
    /// The first thread tries moves in the best order, the others in other orders.
    pub(super) thread: usize,
    /// Asked now and then whether to continue.
    pub(super) continues: Option<&'b mut (dyn FnMut() -> bool + 'b)>,
    /// The position, and the number that its value is compared with.
    pub(super) at: &'a At,
    pub(super) least: i32,
}

impl<K: EntryWord> Work for Find<'_, '_, K> {
    /// A bound that tells whether the value is at least that number; `None` if the search stopped.
    type Output = Option<i32>;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> Option<i32> {
        let Self { shared, thread, continues, at, least } = self;
        let mut descent = Descent::new(unit, shared, thread, continues);
        let found = descent.value(at, least - 1, least).ok();
        shared.left.fetch_add(descent.chunk, Ordering::Relaxed);
        shared.table.report(descent.stored);
        found
    }
}

/// The search of one thread.
struct Descent<'a, 'b, K: EntryWord, U> {
    unit: U,
    shared: &'a Shared<'a, K>,
    /// For each bit, what a move there is worth beside its threats.
    weights: [i32; 64],
    /// Asked now and then whether to continue.
    continues: Option<&'b mut (dyn FnMut() -> bool + 'b)>,
    candidates: Vec<Candidate<K>>,
    /// Positions of the current step that are left, and all those that were expanded.
    chunk: u64,
    expanded: u64,
    /// Entries that are new in the table and not reported yet.
    stored: u64,
}

/// A position to be searched within a window.
struct Expand<'x, 'a, 'b, K: EntryWord, U> {
    descent: &'x mut Descent<'a, 'b, K, U>,
    at: &'x At,
    window: (i32, i32),
}

impl<K: EntryWord, U: Unit> Work for Expand<'_, '_, '_, K, U> {
    type Output = Result<i32, Stopped>;

    #[inline(always)]
    fn run<V: Unit>(self, _: V) -> Result<i32, Stopped> {
        self.descent.expand(self.at, self.window.0, self.window.1)
    }
}

impl<'a, 'b, K: EntryWord, U: Unit> Descent<'a, 'b, K, U> {
    fn new(
        unit: U,
        shared: &'a Shared<'a, K>,
        thread: usize,
        continues: Option<&'b mut (dyn FnMut() -> bool + 'b)>,
    ) -> Self {
        let mut weights = shared.game.weights;
        for (bit, weight) in weights.iter_mut().enumerate() {
            *weight = 4 * *weight + ((thread * (bit + 7 * thread)) % 8) as i32;
        }
        Self { unit, shared, weights, continues, candidates: Vec::new(), chunk: 0, expanded: 0, stored: 0 }
    }

    /// Counts one position.
    #[inline(always)]
    fn count(&mut self) -> Result<(), Stopped> {
        if self.chunk == 0 {
            self.next_step()?;
        }
        self.chunk -= 1;
        self.expanded += 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn next_step(&mut self) -> Result<(), Stopped> {
        let shared = self.shared;
        shared.table.report(std::mem::take(&mut self.stored));
        let before =
            shared.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(STEP)));
        self.chunk = before.unwrap_or_else(|left| left).min(STEP);
        if self.chunk == 0 {
            shared.stop(Why::Limit);
        }
        if self.expanded > 0 && self.continues.as_mut().is_some_and(|continues| !continues()) {
            shared.stop(Why::Told);
        }
        if shared.table.is_small() {
            shared.stop(Why::Full);
        }
        if shared.why().is_some() { Err(Stopped) } else { Ok(()) }
    }

    /// A key that the images of the position share, if it is one of those that have images.
    #[inline(always)]
    fn key(&self, own: u64, occupied: u64, empty: i32) -> K {
        let layout = &self.shared.game.layout;
        let of = |own, occupied| {
            if K::IS_ATOMIC { K::of(layout.key(own, occupied).into()) } else { K::of(layout.wide_key(own, occupied)) }
        };
        let key = of(own, occupied);
        if empty < self.shared.images_from {
            return key;
        }
        self.shared.images.iter().fold(key, |least, image| least.min(of(image.of(own), image.of(occupied))))
    }

    /// The value of a position: exact if it lies between `alpha` and `beta`, otherwise a bound on the same side.
    #[inline(always)]
    fn value(&mut self, at: &At, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        self.unit.again(Expand { descent: self, at, window: (alpha, beta) })
    }

    #[inline(always)]
    fn expand(&mut self, at: &At, mut alpha: i32, mut beta: i32) -> Result<i32, Stopped> {
        self.count()?;
        let shared = self.shared;
        let layout = &shared.game.layout;
        let (own, occupied) = (at.sides.own, at.sides.occupied());
        let empty = at.empty;
        let playable = layout.playable(occupied);
        let mut moves = playable;
        let forced = playable & at.wins[1];
        if forced != 0 {
            if forced & (forced - 1) != 0 {
                return Ok(1 - empty);
            }
            moves = forced;
        }
        moves &= !layout.below(at.wins[1]);
        if moves == 0 {
            return Ok(1 - empty);
        }
        if empty <= 2 {
            return Ok(if empty == 2 { layout.full } else { -layout.full });
        }
        // The player to move wins in three plies at best, and loses in four at worst.
        let (mut low, mut high) = ((3 - empty).min(-layout.full.abs()), empty - 2);
        if low >= beta {
            return Ok(low);
        }
        if high <= alpha {
            return Ok(high);
        }
        if let Some((least, most)) = bounds::of(shared.game, at.sides, playable, empty) {
            (low, high) = (low.max(least), high.min(most));
            if low >= beta {
                return Ok(low);
            }
            if high <= alpha {
                return Ok(high);
            }
        }
        let place = shared.table.place(self.key(own, occupied, empty));
        if let Some(known) = shared.table.bounds(place) {
            (low, high) = (low.max(known.low), high.min(known.high));
            if low >= beta {
                return Ok(low);
            }
            if high <= alpha {
                return Ok(high);
            }
        }
        (alpha, beta) = (alpha.max(low), beta.min(high));
        if alpha >= beta {
            return Ok(alpha);
        }
        let before = self.expanded;
        let first = self.candidates.len();
        let mut rest = moves;
        while rest != 0 {
            let square = rest & rest.wrapping_neg();
            rest ^= square;
            let wins = shared.game.wins(own | square, occupied | square);
            let next = playable & !square | layout.above(square);
            let now = wins & next;
            if now & now.wrapping_sub(1) != 0 || now & layout.below(wins) != 0 {
                self.candidates.truncate(first);
                return Ok(empty - 2);
            }
            let place = shared.table.place(self.key(at.sides.other, occupied | square, empty - 1));
            shared.table.prefetch(self.unit, place);
            // The other player takes the square above, so a threat there is lost.
            let is_lost = layout.above(square) & at.wins[0] != 0;
            let threats = wins.count_ones() as i32 - i32::from(is_lost);
            let score = (threats << 8) + self.weights[square.trailing_zeros() as usize];
            let mut rank = self.candidates.len();
            self.candidates.push(Candidate { square, wins, score, place });
            while rank > first && self.candidates[rank - 1].score > score {
                self.candidates.swap(rank - 1, rank);
                rank -= 1;
            }
        }
        if empty >= MANY {
            let known =
                |candidate: &Candidate<K>| shared.table.bounds(candidate.place).map_or(i32::MIN, |known| -known.high);
            let best = self.candidates[first..].iter().map(known).max().unwrap_or(i32::MIN);
            if best >= beta {
                self.candidates.truncate(first);
                return Ok(best);
            }
        }
        let mut best = i32::MIN;
        let mut now = alpha;
        while self.candidates.len() > first
            && let Some(Candidate { square, wins, .. }) = self.candidates.pop()
        {
            let sides = Sides { own: at.sides.other, other: own | square };
            let after = At { sides, wins: [at.wins[1] & !square, wins], empty: empty - 1 };
            let value = -self.value(&after, -beta, -now)?;
            if value > best {
                best = value;
                now = now.max(best);
                if best >= beta {
                    self.candidates.truncate(first);
                    break;
                }
            }
        }
        let bounds = Bounds {
            low: if best > alpha { best.max(low) } else { low },
            high: if best < beta { best.min(high) } else { high },
        };
        self.stored += u64::from(shared.table.store(place, bounds, self.expanded - before));
        Ok(best)
    }
}
