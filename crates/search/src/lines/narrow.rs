//! From bounds to a value: null windows, each of which asks whether a value is at least a number.
//!
//! Quick wins and quick losses are cheap to find and to rule out, so they come first. A search begins with one thread and a
//! small table. When the table is half full, all threads stop, the table grows, and the search runs again: what it found is in the table.

use std::cmp::Reverse;

use tablegen_simd::VectorUnit;

use super::descent::{At, Find, Shared, Why};
use super::game::Game;
use super::kind::Kind;
use super::layout::Sides;
use super::symmetry::{self, Image};
use super::table::Table;
use crate::entry::EntryWord;

/// Positions that a search expands before other threads join it: a thread takes a while to start.
const ALONE: u64 = 1 << 15;
/// The number of plies after the root in which symmetric positions are one.
const IMAGE_PLIES: i32 = 12;

/// What a call may use: positions to expand, threads, and a word with the caller.
pub(super) struct Means<'a> {
    pub(super) left: u64,
    pub(super) threads: usize,
    pub(super) continues: Option<&'a mut dyn FnMut(u64) -> bool>,
    /// Positions expanded so far.
    pub(super) expanded: u64,
}

/// A game with its table.
pub(super) struct Solver<K: EntryWord> {
    pub(super) game: Game,
    pub(super) table: Table<K>,
    pub(super) images: Vec<Image>,
    /// Positions that a search expands before other threads join it.
    pub(super) alone: u64,
}

impl<K: EntryWord> Solver<K> {
    /// A search of `kind` with a table of at most `bytes` bytes; `None` if they are too few.
    pub(super) fn new(kind: &Kind, bytes: usize) -> Option<Self> {
        let game = Game::new(kind);
        let table = Table::new(game.layout.key_bits, bytes)?;
        let images = symmetry::images(kind, &game.layout);
        Some(Self { game, table, images, alone: ALONE })
    }

    /// The value of a position; only its sign is right if not `exact`. `None` if the means do not suffice.
    pub(super) fn value(&mut self, sides: Sides, exact: bool, means: &mut Means<'_>) -> Option<i32> {
        if let Some(value) = self.game.at_once(sides) {
            return Some(value);
        }
        let at = At::new(&self.game, sides);
        let images = self.images_of(sides);
        let is_possible = Possible { empty: at.empty, full: self.game.layout.full };
        let ends = self.game.layout.full.abs();
        let mut tests = 0;
        let (mut low, mut high) = ((1 - at.empty).min(-ends), (at.empty - 2).max(ends));
        loop {
            low = (low..=high).find(|&value| is_possible.value(value)).unwrap_or(low);
            high = (low..=high).rev().find(|&value| is_possible.value(value)).unwrap_or(high);
            if low >= high || !exact && (low > 0 || high < 0) {
                return Some(low);
            }
            let least = next_window(low, high, tests);
            tests += 1;
            let value = self.test(&at, least, &images, means)?;
            if value >= least { low = low.max(value) } else { high = high.min(value) }
        }
    }

    /// A move, as the set of its square, after which the player to move has a value of at least `least`. `None` if the means do not suffice, or
    /// if there is none.
    pub(super) fn best(&mut self, sides: Sides, least: i32, means: &mut Means<'_>) -> Option<u64> {
        let occupied = sides.occupied();
        let playable = self.game.layout.playable(occupied);
        let wins = self.game.wins(sides.own, occupied);
        let squares = (0..u64::BITS).map(|bit| 1 << bit).filter(|square| playable & square != 0);
        let mut squares: Vec<u64> = squares.collect();
        squares
            .sort_by_key(|&square| (wins & square == 0, Reverse(self.game.weights[square.trailing_zeros() as usize])));
        let has_won = self.game.threats.fit_into(sides.own);
        for square in squares {
            if has_won || wins & square != 0 {
                return Some(square);
            }
            let after = Sides { own: sides.other, other: sides.own | square };
            let value = match self.game.at_once(after) {
                Some(value) => value,
                None => self.test(&At::new(&self.game, after), 1 - least, &self.images_of(after), means)?,
            };
            if -value >= least {
                return Some(square);
            }
        }
        None
    }

    /// The symmetries that can map positions after `sides` to each other.
    fn images_of(&self, sides: Sides) -> Vec<Image> {
        self.images.iter().filter(|image| image.fits(sides)).cloned().collect()
    }

    /// A bound that tells whether the value of `at` is at least `least`.
    fn test(&mut self, at: &At, least: i32, images: &[Image], means: &mut Means<'_>) -> Option<i32> {
        let images_from = if images.is_empty() { i32::MAX } else { at.empty - IMAGE_PLIES };
        let mut is_alone = means.threads > 1 && K::IS_ATOMIC;
        loop {
            let given = if is_alone { means.left.min(self.alone) } else { means.left };
            let threads = if is_alone || !K::IS_ATOMIC { 1 } else { means.threads };
            let shared = Shared::new(&self.game, self.table.entries()?, images, images_from, given);
            let found = run(&shared, threads, at, least, means);
            let expanded = given - shared.left();
            means.expanded += expanded;
            means.left -= expanded;
            match (found, shared.why()) {
                (Some(value), _) => return Some(value),
                (None, Some(Why::Full)) => self.table.grow(),
                (None, Some(Why::Limit)) if is_alone && means.left > 0 => is_alone = false,
                (None, _) => return None,
            }
        }
    }
}

/// The values that a position can have.
struct Possible {
    empty: i32,
    full: i32,
}

impl Possible {
    /// Each player completes patterns on every other ply, and draws are full boards.
    const fn value(&self, value: i32) -> bool {
        match value {
            0 => self.full == 0,
            -1 | 1 if self.full != 0 => true,
            1.. => (value ^ self.empty) & 1 == 0,
            _ => (value ^ self.empty) & 1 == 1,
        }
    }
}

/// The next number to compare the value with, from `low + 1` to `high`, after `tests` comparisons: first whether the loss is quick, then
/// whether the win is, then the outcome. Most wins and losses that are not quick are slow, so the numbers after that lie near the slow end.
const fn next_window(low: i32, high: i32, tests: u32) -> i32 {
    match tests {
        0 if low / 2 < 0 && high > low / 2 => low / 2 + 1,
        1 if high / 2 > 0 && low <= high / 2 => high / 2 + 1,
        _ if low < 1 && high > 0 => 1,
        _ if low < 0 && high == 0 => 0,
        _ if low > 0 => low + (high - low) / 4 + 1,
        _ => high - (high - low) / 4,
    }
}

/// One search by `threads` threads, all of which look at the same position. They share what they find, and differ in the order of moves.
fn run<K: EntryWord>(
    shared: &Shared<'_, K>,
    threads: usize,
    at: &At,
    least: i32,
    means: &mut Means<'_>,
) -> Option<i32> {
    let (before, given) = (means.expanded, shared.left());
    let mut continues = means.continues.as_mut().map(|continues| || continues(before + given - shared.left()));
    let continues = continues.as_mut().map(|continues| continues as &mut dyn FnMut() -> bool);
    let search = |thread: usize, continues| {
        let found = VectorUnit::best().run_on_words(Find { shared, thread, continues, at, least });
        if found.is_some() {
            shared.stop(Why::Done);
        }
        found
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || search(thread, None))).collect();
        let found = search(0, continues);
        others
            .into_iter()
            .filter_map(|other| other.join().ok().flatten())
            .fold(found, |found, other| found.or(Some(other)))
    })
}
