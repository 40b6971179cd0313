//! Two-colour games: every colouring of every occupied set, in one descending sweep.
//!
//! The 2^k colourings of a set of k two-colour squares stand side by side as bits. Bit z is the colouring in which the
//! i-th occupied square, from the lowest, has colour i of z. A first sweep, from the starts up, marks reachable
//! positions. It keeps the ongoing ones, in which the game is not over, in the planes that the wins are written to
//! afterwards. A second sweep labels all positions, from the full sets down.
//!
//! - `plan`: the rules by squares. `set_order`: the order of the occupied sets. `sweep`: the planes.
//! - `literals`: conditions on colours as masks. `fetch`: blocks of successors or predecessors.
//! - `kernel`: the sweep of one set. `run`: the sweep of all sets. `bytes`: labels of one byte or two.
//! - `scalar`: the reference implementation that every kernel equals bit for bit. `slices`: slice by slice.

mod bytes;
mod fetch;
mod kernel;
mod literals;
mod plan;
mod run;
mod scalar;
mod set_order;
mod slices;
mod sweep;

use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::colourings::{ColouredShape, Frame, MOST_SQUARES, Place, Squares};
use crate::derived::{self, Sizes};
use crate::domain::Domain;
use crate::label::LabelSet;
use crate::labelled::{Added, Labelled};
use crate::memory::Memory;
use crate::progress::Phase;
use crate::rules::{Position, Rules};
use crate::simd::VectorUnit;
use crate::symmetry::Group;
use crate::{Method, NotColoured, Options, SolveError, check_planes, check_roots, timed};
pub(crate) use plan::Plan;
use sweep::{Bases, Sweep};

pub use slices::fold_colourings;
pub(super) use slices::{ColouringSlices, solve_by_slices, sweep_time};

/// The most squares that a move may fill whether they are free or not. Each of them doubles the predecessors of a position.
const MOST_UNASKED: u32 = 6;

/// The frame of `rules` with its starts and `roots`, if they can have a two-colour table.
///
/// # Errors
/// The reason why they cannot.
pub fn coloured(rules: &Rules, roots: &[Position]) -> Result<Frame, NotColoured> {
    if let Some(reason) = rules.sweep_obstacle() {
        return Err(NotColoured::SweepObstacle(reason));
    }
    let squares = Squares::of(rules, roots);
    if squares.list().len() > MOST_SQUARES {
        return Err(NotColoured::TooLarge);
    }
    if squares.pairs() == 0 {
        return Err(NotColoured::NoPairs);
    }
    let unasked = |m: &crate::rules::Move| (m.fills & !m.full & !m.empty).count();
    if rules.moves().iter().any(|m| unasked(m) > MOST_UNASKED) {
        return Err(NotColoured::Unasked);
    }
    // The checks above are cheap; the frame's tables are not.
    let frame = Frame::split(rules, &squares, roots, Group::trivial()).ok_or(NotColoured::TooLarge)?;
    let plan = Plan::new(rules, &frame);
    if plan.max_pieces() > kernel::MAX_PIECES as u32 || frame.count().is_none() {
        return Err(NotColoured::TooLarge);
    }
    Ok(frame)
}

/// The reachable positions of a two-colour game, marked but not labelled yet.
pub struct Marked {
    rules: Rules,
    frame: Frame,
    /// The planes of outcomes. Before these are labelled, the first plane of each slot holds the ongoing positions.
    outcomes: Memory,
    reached: Memory,
    time: Duration,
}

impl Marked {
    /// The number of reachable positions.
    #[must_use]
    pub fn count(&self) -> u64 {
        let (words, _) = self.reached.bytes().as_chunks::<8>();
        words.par_chunks(1 << 16).map(|words| words.iter().map(|word| ones(*word)).sum::<u64>()).sum()
    }

    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }
}

fn ones(word: [u8; 8]) -> u64 {
    u64::from_le_bytes(word).count_ones().into()
}

/// Marks the reachable positions of `rules`, whose frame is `frame`, on all cores of the current rayon pool. Unless
/// they are few, this is faster than finding them one by one.
///
/// # Errors
/// If the kernel of `options` is not available, there is not enough memory, or the progress function stops the work.
pub fn mark(rules: &Rules, frame: Frame, options: &Options<'_>) -> Result<Marked, SolveError> {
    let unit = options.solver.kernel().unit()?;
    let shape = ColouredShape::new(&frame, rules);
    let too_large = || NotColoured::TooLarge.error(rules);
    let mut outcomes = Memory::new(shape.outcome_bytes().ok_or_else(too_large)?, options.progress)?;
    let mut reached = Memory::new(shape.reached_bytes().ok_or_else(too_large)?, options.progress)?;
    let plan = Plan::new(rules, &frame);
    let mut bases = Bases::new(1);
    // The ongoing positions lie where the wins will be written later. Without terminal patterns they are the reachable
    // positions.
    let (planes, ongoing, reachable) = match plan.has_ends() {
        true => (plan.outcome_planes(), &mut outcomes, Some(reached.values_mut())),
        false => (1, &mut reached, None),
    };
    let time = timed(options.progress, Phase::Mark, frame.count(), |meter| {
        let sweep = Sweep::whole(&plan, &frame, planes, ongoing.values_mut(), &mut bases);
        Ok(run::mark(&sweep, reachable, unit, &starts(&frame), meter))
    })?;
    Ok(Marked { rules: rules.clone(), frame, outcomes, reached, time })
}

/// Labels every colouring of `rules`, on all cores of the current rayon pool.
pub fn solve(rules: &Rules, options: &Options<'_>) -> Result<Labelled, SolveError> {
    check_roots(rules, options.roots)?;
    let frame = coloured(rules, options.roots).map_err(|reason| reason.error(rules))?;
    check_size(rules, &frame, options)?;
    label(mark(rules, frame, options)?, options)
}

/// As [`solve`], with reachable positions that are marked already.
pub fn solve_marked(marked: Marked, options: &Options<'_>) -> Result<Labelled, SolveError> {
    check_size(&marked.rules, &marked.frame, options)?;
    label(marked, options)
}

/// Refuses a game whose planes take more memory than is allowed.
fn check_size(rules: &Rules, frame: &Frame, options: &Options<'_>) -> Result<(), SolveError> {
    let needed = ColouredShape::new(frame, rules).bytes(options.labels, rules);
    check_planes(needed.ok_or_else(|| NotColoured::TooLarge.error(rules))?, options.max_bytes)
}

/// Labels all positions of a marked game.
fn label(marked: Marked, options: &Options<'_>) -> Result<Labelled, SolveError> {
    let Marked { rules, frame, mut outcomes, reached, time: mut sweep_time } = marked;
    let kernel = options.solver.kernel();
    let unit = kernel.unit()?;
    let plan = Plan::new(&rules, &frame);
    let mut bases = Bases::new(1);
    let source = derived::source(&rules, options.labels)?;
    if source.is_none() {
        sweep_time += timed(options.progress, Phase::Sweep, frame.count(), |meter| {
            let sweep = Sweep::whole(&plan, &frame, plan.outcome_planes(), outcomes.values_mut(), &mut bases);
            Ok(run::label(&sweep, unit, meter))
        })?;
    }
    let with = source.map(|kind| (kind, &mut outcomes));
    let (others, time) = bytes::solve(&plan, &frame, options.labels, unit, with, options.progress)?;
    sweep_time += time;
    Ok(Labelled::swept(Domain::Coloured(frame), outcomes, Some(reached), others, kernel.name(), sweep_time))
}

/// Derives the planes of outcomes from the planes of scores, each of `words` words of 64 colourings.
fn outcomes_of(plan: &Plan, words: u64, scores: &[u8], unit: VectorUnit, outcomes: &mut [u8]) {
    let (words, width) = (words as usize, plan.scores);
    let outcomes_bytes = words * size_of::<u64>();
    let sizes =
        Sizes { scores: outcomes_bytes * width.bits() as usize, width, outcomes: outcomes_bytes, draws: plan.draws };
    derived::outcomes(scores, sizes, unit, outcomes);
}

/// As [`solve`], by the reference implementation.
pub fn scalar(rules: &Rules, roots: &[Position], labels: LabelSet) -> Result<Labelled, SolveError> {
    scalar::solve(rules, coloured(rules, roots).map_err(|reason| reason.error(rules))?, labels)
}

/// Labels every colouring with each of `labels` but the outcome.
pub fn add(rules: &Rules, frame: &Frame, labels: LabelSet, options: &Options<'_>) -> Result<Added, SolveError> {
    let begun = Instant::now();
    let plan = Plan::new(rules, frame);
    let shape = ColouredShape::new(frame, rules);
    let needed = labels.others().try_fold(0u64, |all, kind| all.checked_add(shape.label_bytes(kind.width(rules))?));
    check_planes(needed.ok_or_else(|| NotColoured::TooLarge.error(rules))?, options.max_bytes)?;
    let unit = options.solver.kernel().unit()?;
    let (columns, _) = bytes::solve(&plan, frame, labels, unit, None, options.progress)?;
    let (program, solve_time) = (Method::Coloured.name(), begun.elapsed());
    Ok(Added { columns, program, solve_time })
}

/// The places of the roots, sorted.
fn starts(frame: &Frame) -> Vec<Place> {
    let mut starts: Vec<Place> = frame.roots().iter().filter_map(|&root| frame.place(root)).collect();
    starts.sort_unstable();
    starts
}
