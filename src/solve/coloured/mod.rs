//! Every colouring of every set of occupied squares, in one descending sweep; and which of them play reaches.
//!
//! - `plan`: the rules by squares. `area`: which sets are swept together, and when. `sweep`: where the planes are.
//! - `lanes`, `x86`: blocks of colourings, in plain Rust and on vector units. `literals`: conditions on colours as masks.
//! - `fetch`: where a block of successors or predecessors comes from. `kernel`: one set. `run`: all of them.
//! - `bytes`: labels of one byte. `scalar`: the twin that every kernel equals bit for bit. `regions`: region by region.
//!
//! Two passes: one from the starts upwards marks what play reaches; it keeps what has not ended in the plane that the wins
//! are written to afterwards. The other one labels from the full sets down.

mod area;
mod bytes;
mod fetch;
mod kernel;
mod lanes;
mod literals;
mod plan;
mod regions;
mod run;
mod scalar;
mod solution;
mod sweep;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::dense::Kernel;
use super::memory::Memory;
use super::progress::{Meter, Phase};
use super::{Options, SolveError};
use crate::coloured::{Frame, MOST_SQUARES, Place, Squares};
use crate::contents::ColouredShape;
use crate::label::{LabelKind, LabelSet};
use crate::rules::{Position, Rules, SweepObstacle};
use area::Area;
use plan::Plan;
use sweep::{Base, Sweep};

pub(super) use regions::asked_by_colourings;
pub use regions::{ColouredPlan, ColouredTask, colourings_time, fold_colourings, solve_colourings_by_regions};
pub(super) use solution::{Added, ColouredSolution};

/// The most squares that a move may occupy without asking whether they were free: each doubles the positions that it may
/// come from.
const MOST_UNASKED: u32 = 6;

/// Why rules are not solved by their colourings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotColoured {
    /// No two cells exclude each other.
    #[error("no two of its cells exclude each other")]
    NoPairs,
    /// More squares, or more positions, than can be numbered.
    #[error("it has more squares than colourings are numbered for")]
    TooLarge,
    /// The rules have something that colourings do not know.
    #[error("{0}")]
    SweepObstacle(SweepObstacle),
    /// A move that takes many squares whether they are free or not.
    #[error("one of its moves fills many cells whether they are empty or not")]
    Unasked,
}

impl NotColoured {
    /// The error of a solver that was asked for the colourings of `rules`.
    pub(crate) fn error(self, rules: &Rules) -> SolveError {
        SolveError::NotColoured { name: rules.name().into(), reason: self }
    }
}

/// The frame of `rules`, if they are solved by their colourings. Play is followed from their starts and from `roots`.
///
/// # Errors
/// The reason why they are not.
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
    // Its tables are made once all this is known.
    let frame = Frame::new(rules, squares, roots).ok_or(NotColoured::TooLarge)?;
    let plan = Plan::new(rules, &frame);
    if plan.most_stones() > kernel::MOST_STONES as u32 || frame.count().is_none() {
        return Err(NotColoured::TooLarge);
    }
    Ok(frame)
}

/// What play reaches of the colourings of some rules, marked and not labelled: a solver goes on from here.
pub struct Marked {
    rules: Rules,
    frame: Frame,
    /// Of the outcomes; until they are labelled, the first plane of a slot has what play goes on from.
    outcomes: Memory,
    reached: Memory,
    time: Duration,
}

impl Marked {
    /// How many positions play reaches.
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

/// Marks which colourings of `rules` play reaches, on all cores of the current rayon pool: faster than finding them one by one
/// if they are not few. `frame` is that of the rules.
///
/// # Errors
/// If the kernel of `options` is not available, there is not enough memory, or the progress function stops the work.
pub fn mark(rules: &Rules, frame: Frame, options: &Options<'_>) -> Result<Marked, SolveError> {
    let ready = options.kernel.unwrap_or_else(Kernel::best).ready()?;
    let shape = ColouredShape::new(&frame, rules);
    let too_large = || NotColoured::TooLarge.error(rules);
    let mut outcomes = Memory::new(shape.outcome_bytes().ok_or_else(too_large)?, options.progress)?;
    let mut reached = Memory::new(shape.reached_bytes().ok_or_else(too_large)?, options.progress)?;
    let plan = Plan::new(rules, &frame);
    let mut meter = Meter::new(options.progress, Phase::Mark, frame.count());
    let begun = Instant::now();
    let bases = [base(&plan, &frame, &mut outcomes, &mut reached)];
    // SAFETY: the planes are of this function's own.
    let sweep = unsafe { Sweep::new(&plan, &frame, Area::whole(&frame), &bases) };
    let flow = run::mark(&sweep, ready, &starts(&frame), &meter);
    let time = begun.elapsed();
    if flow.is_break() || meter.finish().is_break() {
        return Err(SolveError::Cancelled);
    }
    Ok(Marked { rules: rules.clone(), frame, outcomes, reached, time })
}

/// Where the planes in `outcomes` and `reached` are, which were made for them.
fn base(plan: &Plan, frame: &Frame, outcomes: &mut Memory, reached: &mut Memory) -> Base {
    let words = frame.all_words().unwrap_or(u64::MAX) as usize;
    let planes = words * (1 + usize::from(plan.draws));
    Base::whole(plan, frame, &mut outcomes.values_mut()[..planes], &mut reached.values_mut()[..words])
}

/// Labels every colouring of `rules`, on all cores of the current rayon pool.
pub(super) fn solve(rules: &Rules, options: &Options<'_>) -> Result<ColouredSolution, SolveError> {
    if let Some(&position) = options.roots.iter().find(|&&root| !rules.has(root)) {
        return Err(SolveError::Root { name: rules.name().into(), position });
    }
    let frame = coloured(rules, options.roots).map_err(|reason| reason.error(rules))?;
    check_size(rules, &frame, options)?;
    label(mark(rules, frame, options)?, options)
}

/// As [`solve`], where what play reaches is marked already.
pub(super) fn solve_marked(marked: Marked, options: &Options<'_>) -> Result<ColouredSolution, SolveError> {
    check_size(&marked.rules, &marked.frame, options)?;
    label(marked, options)
}

/// Refuses a game whose planes take more memory than is allowed.
fn check_size(rules: &Rules, frame: &Frame, options: &Options<'_>) -> Result<(), SolveError> {
    let needed = ColouredShape::new(frame, rules).bytes(options.labels);
    let needed = needed.ok_or_else(|| NotColoured::TooLarge.error(rules))?;
    match options.max_bytes {
        Some(allowed) if needed > allowed => Err(SolveError::DenseMemory { needed, allowed }),
        _ => Ok(()),
    }
}

/// Labels what is marked.
fn label(marked: Marked, options: &Options<'_>) -> Result<ColouredSolution, SolveError> {
    let Marked { rules, frame, mut outcomes, mut reached, time: mut sweep_time } = marked;
    let kernel = options.kernel.unwrap_or_else(Kernel::best);
    let ready = kernel.ready()?;
    let plan = Plan::new(&rules, &frame);
    let begun = Instant::now();
    let mut meter = Meter::new(options.progress, Phase::Sweep, frame.count());
    let bases = [base(&plan, &frame, &mut outcomes, &mut reached)];
    // SAFETY: as for the marks.
    let sweep = unsafe { Sweep::new(&plan, &frame, Area::whole(&frame), &bases) };
    let flow = run::label(&sweep, ready, &meter);
    if flow.is_break() || meter.finish().is_break() {
        return Err(SolveError::Cancelled);
    }
    sweep_time += begun.elapsed();
    let mut others = Vec::new();
    for kind in options.labels.others() {
        let (memory, time) = bytes::solve(&plan, &frame, kind, options.progress)?;
        others.push((kind, memory));
        sweep_time += time;
    }
    Ok(ColouredSolution { frame, draws: plan.draws, outcomes, reached, others, kernel: kernel.name(), sweep_time })
}

/// As [`solve`], by the scalar twin.
pub(super) fn scalar(rules: &Rules, roots: &[Position], labels: LabelSet) -> Result<ColouredSolution, SolveError> {
    scalar::solve(rules, coloured(rules, roots).map_err(|reason| reason.error(rules))?, labels)
}

/// Labels of one byte of every colouring, in turn, and how long they took.
pub(super) fn add(
    rules: &Rules,
    frame: &Frame,
    kinds: &[LabelKind],
    options: &Options<'_>,
) -> Result<Added, SolveError> {
    let begun = Instant::now();
    let plan = Plan::new(rules, frame);
    let shape = ColouredShape::new(frame, rules);
    let needed = shape.byte_bytes().and_then(|bytes| bytes.checked_mul(kinds.len() as u64));
    let needed = needed.ok_or_else(|| NotColoured::TooLarge.error(rules))?;
    if let Some(allowed) = options.max_bytes.filter(|&allowed| needed > allowed) {
        return Err(SolveError::DenseMemory { needed, allowed });
    }
    let mut planes = Vec::new();
    for &kind in kinds {
        planes.push((kind, bytes::solve(&plan, frame, kind, options.progress)?.0));
    }
    Ok(Added { planes, sweep_time: begun.elapsed() })
}

/// The places of the positions that play is followed from, sorted.
fn starts(frame: &Frame) -> Vec<Place> {
    let mut starts: Vec<Place> = frame.roots().iter().filter_map(|&root| frame.place(root)).collect();
    starts.sort_unstable();
    starts
}
