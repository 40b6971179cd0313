//! The backward pass: retrograde analysis over numbers, layer by layer of remoteness, as in the pass over hash sets.
//!
//! A layer has two steps. In the first, each position with a move to a loss of the other player is won. Nothing is counted,
//! so it does not matter which thread finds a position first. In the second, each won position takes one move off the count of each
//! predecessor. No position becomes won meanwhile, so no count falls below zero.

use std::mem;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::flood::Known;
use super::pending::Pending;
use super::regions::Last;
use super::rows::Row;
use super::sets::Set;
use super::{Found, Game};
use crate::label::{Label, Remoteness, Width};
use crate::rules::Outcome;
use crate::simd::{Unit, Work};
use crate::{Meter, Options, Phase, SolveError};

/// The code of a draw by repetition. Labels are stored XORed with it, so that the label of an undecided position is zero.
pub(super) const UNDECIDED: u8 = 65;

/// A step of a layer.
struct Pass<'a> {
    /// The positions that were decided last.
    from: &'a Set<'a>,
    /// True if the step undoes moves after which the same player moves again, false if it undoes the others.
    again: bool,
    /// The label of the positions in `from`, if this step writes it.
    label: Option<u8>,
    /// True if the step removes the positions from `from`.
    clears: bool,
    /// True if predecessors are decided at once; false if each has one move less to try.
    at_once: bool,
    /// The set of positions that this step decides.
    to: &'a Set<'a>,
}

/// Labels the positions of `found`. Returns whether remoteness can hold the plies of best play; if not, only the outcomes of the
/// labels are right.
pub(super) fn label(game: &Game<'_>, found: Found<'_>, options: &Options<'_>) -> Result<bool, SolveError> {
    let Found { known, labels, empty, count } = found;
    let Known { left, mut won, mut lost, mut drawn, .. } = known;
    let [mut won_next, mut lost_next] = empty;
    let mut meter = Meter::new(options.progress, Phase::Label, Some(count));
    let mut has_plies = true;
    let has_again = game.steps.has_again;
    for of_draws in [false, true] {
        let mut plies = 0;
        loop {
            let is_empty = |set: &Set<'_>| set.blocks().is_empty();
            if if of_draws { is_empty(&drawn) } else { is_empty(&won) && is_empty(&lost) } {
                break;
            }
            has_plies &= plies <= Remoteness::MOST_REPEATING;
            let code = |outcome| Some(Remoteness { outcome, plies: plies.into() }.encode(Width::Eight) ^ UNDECIDED);
            let pass =
                |from, again, label: Option<u8>, clears, at_once, to| Pass { from, again, label, clears, at_once, to };
            let passes = if of_draws {
                let label = code(Outcome::Draw);
                vec![
                    pass(&drawn, false, label, !has_again, false, &lost_next),
                    pass(&drawn, true, None, true, false, &lost_next),
                ]
            } else {
                vec![
                    pass(&lost, false, code(Outcome::Loss), !has_again, true, &won_next),
                    pass(&won, true, None, false, true, &won_next),
                    pass(&won, false, code(Outcome::Win), true, false, &lost_next),
                    pass(&lost, true, None, true, false, &lost_next),
                ]
            };
            for pass in passes.iter().filter(|pass| has_again || !pass.again) {
                let blocks = pass.from.blocks();
                let flow = blocks.into_par_iter().try_for_each(|block| {
                    if pass.clears {
                        pass.from.forget(block);
                    }
                    let done = game.unit.run_on_words(Undo { game, pass, left, labels, block });
                    if meter.add(done).is_break() { Err(SolveError::Cancelled) } else { Ok(()) }
                });
                flow?;
            }
            if of_draws {
                mem::swap(&mut drawn, &mut lost_next);
            } else {
                mem::swap(&mut won, &mut won_next);
                mem::swap(&mut lost, &mut lost_next);
            }
            // From then on, all plies are the same: only outcomes will be read.
            plies = plies.min(Remoteness::MOST_REPEATING) + 1;
        }
    }
    if meter.finish().is_break() { Err(SolveError::Cancelled) } else { Ok(has_plies) }
}

/// Undoes the moves that lead to the positions of a block.
struct Undo<'a> {
    game: &'a Game<'a>,
    pass: &'a Pass<'a>,
    left: &'a [AtomicU8],
    labels: &'a [AtomicU8],
    block: usize,
}

impl Work for Undo<'_> {
    /// The number of labelled positions.
    type Output = u64;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> u64 {
        let Self { game, pass, left, labels, block } = self;
        let mut pending = Pending::new();
        let mut count = 0;
        for (number, words) in game.parts(block) {
            let (region, leads) = (&game.regions.list[number], game.regions.back(number));
            let back = &game.steps.back[usize::from(region.mode)][usize::from(pass.again)];
            let mut row = Row::of_moves_back(&game.regions, back, leads);
            let mut last = Last::new();
            for word in words {
                let mut set = pass.from.words[word].load(Relaxed);
                if set == 0 {
                    continue;
                }
                if pass.clears {
                    pass.from.words[word].store(0, Relaxed);
                }
                while set != 0 {
                    let number = (word as u32) << 6 | set.trailing_zeros();
                    set &= set - 1;
                    if let Some(label) = pass.label {
                        labels[number as usize].store(label, Relaxed);
                        count += 1;
                    }
                    let content = game.regions.content(unit, region, number, &mut last);
                    row.enter(content.first);
                    for word in 0..row.tests.words() {
                        let mut passed = row.tests.passed(word, content);
                        while passed != 0 {
                            let index = 64 * word + passed.trailing_zeros() as usize;
                            passed &= passed - 1;
                            row.back(
                                unit,
                                index,
                                content,
                                #[inline(always)]
                                |number| {
                                    if pending.add(unit, number, &left[number as usize]) {
                                        decide(&mut pending, pass, left);
                                    }
                                },
                            );
                        }
                    }
                }
            }
        }
        decide(&mut pending, pass, left);
        count
    }
}

/// Decides the pending predecessors, or takes one move off their counts.
#[inline(always)]
fn decide(pending: &mut Pending, pass: &Pass<'_>, left: &[AtomicU8]) {
    // A number that is unreachable or decided has no moves left to try.
    for &number in pending.take(
        #[inline(always)]
        |number| left[number as usize].load(Relaxed) != 0,
    ) {
        let left = &left[number as usize];
        if pass.at_once {
            // A number may be pending twice.
            if left.load(Relaxed) != 0 {
                left.store(0, Relaxed);
                pass.to.insert(number);
            }
        } else if left.fetch_sub(1, Relaxed) == 1 {
            pass.to.insert(number);
        }
    }
}
