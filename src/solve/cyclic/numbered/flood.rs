//! The forward pass: finds which numbers play reaches, counts the moves there, and sees where it has ended.
//!
//! ```text
//! until no block has anything new:
//!     on every core: take a block with new numbers; of each, count the moves, and add what they lead to
//! ```
//!
//! What is added to a block while it is worked on is taken at once, as far as it lies ahead.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::Game;
use super::bits::{Bits, Work};
use super::move_filters::RowFilters;
use super::pending::Pending;
use super::regions::Last;
use super::rows::Row;
use super::sets::{BLOCK, Set, WORDS};
use crate::rules::{Outcome, Position};
use crate::solve::sparse::cost::MemoryWatch;
use crate::solve::{Meter, Options, Phase, SolveError, UpTo};

/// What the passes know of the numbers.
pub(super) struct Known<'a> {
    pub(super) reached: Set<'a>,
    /// How many moves are left to try: none where play has ended, and where it never comes.
    pub(super) left: &'a [AtomicU8],
    /// Those that are won, lost and drawn in no more plies.
    pub(super) won: Set<'a>,
    pub(super) lost: Set<'a>,
    pub(super) drawn: Set<'a>,
}

/// How a flood has ended.
pub(super) enum Flow {
    /// With so many positions.
    All(u64),
    /// Other ways to solve the game are better.
    TooSparse,
}

/// Finds what play reaches from `roots`; `done` is empty, and holds the same afterwards.
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
        let flow = blocks.into_par_iter().try_for_each(|block| {
            let new = game.ready.run(Expand { game, known, done, block, too_many: &too_many });
            let all = count.fetch_add(new, Relaxed) + new;
            if options.max_positions.is_some_and(|limit| all > limit) {
                if game.group.is_some() {
                    // Orbits are less than numbers.
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
        let blocks = touched.iter().filter(|&&touched| touched).count() as u64;
        let fits = game.fits((blocks << BLOCK).min(game.regions.numbers.into()), count.load(Relaxed), options, watch);
        if !fits {
            return Ok(Flow::TooSparse);
        }
    }
    if meter.finish().is_break() {
        return Err(SolveError::Cancelled);
    }
    let count = count.into_inner();
    let blocks = touched.iter().filter(|&&touched| touched).count() as u64;
    let numbers = (blocks << BLOCK).min(game.regions.numbers.into());
    Ok(if Game::is_dense(numbers, count) { Flow::All(count) } else { Flow::TooSparse })
}

/// Puts what is pending into a set.
#[inline(always)]
fn put(pending: &mut Pending, set: &Set<'_>) {
    for &number in pending.take(
        #[inline(always)]
        |number| !set.contains(number),
    ) {
        set.insert(number);
    }
}

/// Takes the new numbers of a block.
struct Expand<'a> {
    game: &'a Game<'a>,
    known: &'a Known<'a>,
    done: &'a Set<'a>,
    block: usize,
    /// Set if a position has more moves than are counted.
    too_many: &'a AtomicBool,
}

impl Work for Expand<'_> {
    /// How many there are.
    type Result = u64;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> u64 {
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
                        let content = game.regions.content(bits, region, number, &mut last);
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
                                    let after = row.ahead(bits, index, content);
                                    if pending.add(bits, after, known.reached.word(after)) {
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
