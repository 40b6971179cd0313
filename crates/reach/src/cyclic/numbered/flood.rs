//! The forward pass: finds the reachable numbers, counts their moves and finds the ends of play.
//!
//! ```text
//! until no block has anything new:
//!     on every core: take a block with new numbers; count the moves of each, and add their successors
//! ```
//!
//! A number that is added ahead of the current place in its own block is expanded in the same round.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::Game;
use super::move_filters::RowFilters;
use super::pending::Pending;
use super::regions::Last;
use super::rows::Row;
use super::sets::{BLOCK, Set, WORDS};
use crate::rules::{Outcome, Position};
use crate::simd::{Unit, Work};
use crate::sparse::cost::MemoryWatch;
use crate::{Meter, Options, Phase, SolveError, UpTo};

/// The states of the numbers, as both passes see them.
pub(super) struct Known<'a> {
    pub(super) reached: Set<'a>,
    /// The number of moves left to try; zero for terminal and unreachable positions.
    pub(super) left: &'a [AtomicU8],
    /// The positions that are won, lost and drawn in 0 plies.
    pub(super) won: Set<'a>,
    pub(super) lost: Set<'a>,
    pub(super) drawn: Set<'a>,
}

/// The result of a flood.
pub(super) enum Flow {
    /// All reachable positions were found; their number.
    All(u64),
    /// Hash sets suit the game better.
    TooSparse,
}

/// Finds the positions that are reachable from `roots`. `done` must be empty, and contains the same positions afterwards.
pub(super) fn flood(
    game: &Game<'_>,
    known: &Known<'_>,
    done: &Set<'_>,
    roots: &[Position],
    options: &Options<'_>,
    watch: &mut MemoryWatch,
) -> Result<Flow, SolveError> {
    for &root in roots {
        let Some(number) = game.regions.number_of(&game.planes, root) else { return Ok(Flow::TooSparse) };
        known.reached.insert(number);
    }
    let mut meter = Meter::new(options.progress, Phase::Find, None);
    let (count, too_many) = (AtomicU64::new(0), AtomicBool::new(false));
    let mut touched = vec![false; known.reached.words.len().div_ceil(WORDS)];
    loop {
        let blocks = known.reached.blocks();
        if blocks.is_empty() {
            break;
        }
        for &block in &blocks {
            touched[block] = true;
            known.reached.forget(block);
            done.remember(block);
        }
        // Before the blocks are touched.
        let numbers = touched.iter().filter(|&&touched| touched).count() as u64;
        let numbers = (numbers << BLOCK).min(game.regions.numbers.into());
        if !game.fits(numbers, count.load(Relaxed), options, watch) {
            return Ok(Flow::TooSparse);
        }
        let flow = blocks.into_par_iter().try_for_each(|block| {
            let new = game.unit.run_on_words(Expand { game, known, done, block, too_many: &too_many });
            let all = count.fetch_add(new, Relaxed) + new;
            if options.max_positions.is_some_and(|limit| all > limit) {
                if !game.group.is_trivial() {
                    // There are fewer symmetry classes than numbers, so the limit may still hold.
                    too_many.store(true, Relaxed);
                    return Ok(());
                }
                return Err(SolveError::MaxPositions {
                    limit: options.max_positions.unwrap_or(0),
                    up_to: UpTo::Unordered,
                });
            }
            if meter.add(new).is_break() { Err(SolveError::Cancelled) } else { Ok(()) }
        });
        flow?;
        if too_many.load(Relaxed) {
            return Ok(Flow::TooSparse);
        }
    }
    if meter.finish().is_break() {
        return Err(SolveError::Cancelled);
    }
    let count = count.into_inner();
    let blocks = touched.iter().filter(|&&touched| touched).count() as u64;
    let numbers = (blocks << BLOCK).min(game.regions.numbers.into());
    let fits = game.fits(numbers, count, options, watch);
    Ok(if fits && Game::is_dense(numbers, count) { Flow::All(count) } else { Flow::TooSparse })
}

/// Inserts the pending numbers into a set.
#[inline(always)]
fn put(pending: &mut Pending, set: &Set<'_>) {
    for &number in pending.take(
        #[inline(always)]
        |number| !set.contains(number),
    ) {
        set.insert(number);
    }
}

/// Expands the new numbers of a block.
struct Expand<'a> {
    game: &'a Game<'a>,
    known: &'a Known<'a>,
    done: &'a Set<'a>,
    block: usize,
    /// Set if a position has more moves than a byte can count.
    too_many: &'a AtomicBool,
}

impl Work for Expand<'_> {
    /// The number of new positions.
    type Output = u64;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> u64 {
        let Self { game, known, done, block, too_many } = self;
        let mut pending = Pending::new();
        let mut count = 0;
        for (number, words) in game.parts(block) {
            let (region, leads) = (&game.regions.list[number], game.regions.ahead(number));
            let mode = &game.steps.ahead[usize::from(region.mode)];
            let mut row = Row::of_moves(&game.regions, &mode.moves, leads);
            let mut ends = RowFilters::new(&mode.ends);
            let mut last = Last::new();
            for word in words {
                loop {
                    let before = done.words[word].load(Relaxed);
                    let mut new = known.reached.words[word].load(Relaxed) & !before;
                    if new == 0 {
                        break;
                    }
                    done.words[word].store(before | new, Relaxed);
                    count += u64::from(new.count_ones());
                    while new != 0 {
                        let number = (word as u32) << 6 | new.trailing_zeros();
                        new &= new - 1;
                        let content = game.regions.content(unit, region, number, &mut last);
                        if row.enter(content.first) {
                            ends.begin(content.first);
                        }
                        let mut outcome = None;
                        for word in 0..ends.words() {
                            let met = ends.passed(word, content);
                            if met != 0 {
                                outcome = Some(mode.outcomes[64 * word + met.trailing_zeros() as usize]);
                                break;
                            }
                        }
                        if outcome.is_none() {
                            let mut moves = 0;
                            for word in 0..row.tests.words() {
                                let mut legal = row.tests.passed(word, content);
                                moves += legal.count_ones();
                                while legal != 0 {
                                    let index = 64 * word + legal.trailing_zeros() as usize;
                                    legal &= legal - 1;
                                    let after = row.ahead(unit, index, content);
                                    if pending.add(unit, after, known.reached.word(after)) {
                                        put(&mut pending, &known.reached);
                                    }
                                }
                            }
                            match u8::try_from(moves) {
                                Ok(0) => outcome = Some(mode.terminal),
                                Ok(moves) => known.left[number as usize].store(moves, Relaxed),
                                Err(_) => too_many.store(true, Relaxed),
                            }
                        }
                        let ended = match outcome {
                            None => continue,
                            Some(Outcome::Win) => &known.won,
                            Some(Outcome::Draw) => &known.drawn,
                            Some(Outcome::Loss) => &known.lost,
                        };
                        ended.insert(number);
                    }
                }
            }
        }
        put(&mut pending, &known.reached);
        count
    }
}
