//! Games whose moves only fill cells: every (mode, board), in one descending sweep.
//!
//! A move only fills cells, so each successor of a board has a larger number. Labelling boards from the full one down
//! to the empty one therefore meets every successor before the position that depends on it. There is no queue, no
//! predecessor list, no second visit.
//!
//! - [`layout`]: the choice of the cells inside a vector. `block`: blocks of 512 boards, and tiles of 16 blocks.
//! - `part`, `op`, `plan`: the rules prepared for the kernel. `schedule`: the order of the tiles.
//! - `tile`, `gather`, `within`, `cube`: the kernel, written over [`simd`](super::simd).
//! - `reachability`: reachability bits, in an ascending sweep. `bytes`: labels of one byte or two. `slices`: slice by slice.
//! - `scalar`: the reference implementation that every kernel equals bit for bit.

mod allowed;
mod block;
mod bytes;
mod cube;
mod gather;
mod labels;
pub mod layout;
mod op;
mod part;
mod plan;
mod planes;
mod reachability;
mod scalar;
mod schedule;
mod scratch;
mod slices;
mod sweep;
mod tile;
mod within;

use std::ops::ControlFlow;
use std::time::Duration;

use crate::derived::{self, Sizes};
use crate::domain::Domain;
use crate::label::{ByLabel, Label, LabelKind, LabelSet, Width};
use crate::labelled::{Added, Buffer, Labelled};
use crate::memory::Memory;
use crate::plane::{Layout, Shape};
use crate::progress::{Meter, Phase};
use crate::rules::{Board, Outcome, Position, Rules};
use crate::simd::{Kernel, VectorUnit};
use crate::{Direction, Options, SolveError, Watch, check_planes, check_roots, timed};
use block::{Block, TILE};
use part::{Cut, Part};
use plan::Plan;
use reachability::{ReachabilityPlan, ReachabilitySweep};
use schedule::each_run;
use sweep::Sweep;

pub(crate) use scalar::decoded;
pub(super) use slices::{BoardSlices, solve_by_slices, sweep_time};
pub use slices::{fold, fold_untried};

/// Labels every (mode, board) of `rules`, on all cores of the current rayon pool; with reachability bits if `marks`. Without a `layout`, the
/// layout has the lowest cost.
pub fn solve(
    rules: &Rules,
    marks: bool,
    layout: Option<&Layout>,
    options: &Options<'_>,
) -> Result<Labelled, SolveError> {
    let kernel = options.solver.kernel();
    let unit = kernel.unit()?;
    let shape = Shape::of(rules);
    check_size(rules, options.labels.widths(rules), marks, options.max_bytes)?;
    check_roots(rules, if marks { options.roots } else { &[] })?;
    let layout = match layout {
        Some(layout) => checked(layout, rules)?.clone(),
        None => layout::choose(rules),
    };
    let renumbered = layout.apply(rules);
    let mut memory = planes_of(shape, options.progress)?;
    let marked = marks.then(|| mark(rules, &renumbered, &layout, unit, &mut memory, options)).transpose()?;
    let part = Part::whole(&renumbered);
    // The kernel writes outcomes with the codes of a label only if the planes are whole tiles.
    let source = derived::source(rules, options.labels)?;
    let with = source.filter(|_| shape.cells() >= TILE);
    let mut sweep_time = Duration::ZERO;
    if with.is_none() && !rules.has_gains() {
        sweep_time = timed(options.progress, Phase::Sweep, Some(rules.positions() as u64), |meter| {
            in_tiles(&mut memory, shape, meter, |planes, meter| sweep(&part, unit, planes.values_mut(), &[], meter))
        })?;
    }
    let outcomes = with.map(|kind| (kind, &mut memory));
    let others = byte_planes(rules, &part, options.labels, kernel, options.progress, outcomes)?;
    if let (None, true, Some(scores)) = (with, rules.has_gains(), others.columns.of(LabelKind::Score)) {
        outcomes_of(rules, rules.cells(), scores.bytes(), unit, memory.bytes_mut());
    }
    let (starts, reached, mark_time) = match marked {
        Some((roots, marks, time)) => (roots, Some(marks), time),
        None => (Vec::new(), None, Duration::ZERO),
    };
    let solve_time = sweep_time + mark_time + others.solve_time;
    let domain = Domain::dense(layout, starts);
    Ok(Labelled::swept(domain, memory, reached, others.columns, kernel.name(), solve_time))
}

/// Marks the reachable boards. Returns the starts of play, the reachability bits and the time. `outcomes` are planes that are labelled
/// later, used as scratch memory.
fn mark(
    rules: &Rules,
    renumbered: &Rules,
    layout: &Layout,
    unit: VectorUnit,
    outcomes: &mut Memory,
    options: &Options<'_>,
) -> Result<(Vec<Position>, Memory, Duration), SolveError> {
    let shape = marks_shape(rules);
    let roots = rules.starts_and(options.roots);
    let part = Part::backwards(renumbered, Cut::whole(rules.cells()), 0);
    let starts = starts_in(&roots, layout, Cut::whole(rules.cells()), 0);
    let mut marks = planes_of(shape, options.progress)?;
    let mut tile = (shape.cells() < TILE).then(|| planes_of(whole_tile(shape), None)).transpose()?;
    let ongoing = tile.as_mut().unwrap_or(outcomes);
    let time = timed(options.progress, Phase::Mark, Some(rules.positions() as u64), |meter| {
        in_tiles(&mut marks, shape, meter, |marks, meter| {
            mark_part(&part, &starts, unit, marks.values_mut(), ongoing.values_mut(), &[], meter)
        })
    })?;
    Ok((roots, marks, time))
}

/// Labels `rules` with each of `labels` but the outcome in turn. `part` is all boards, in the order of the planes. With the codes of one of
/// the labels, `outcomes` are written, if it has a label and planes.
fn byte_planes(
    rules: &Rules,
    part: &Part,
    labels: LabelSet,
    kernel: Kernel,
    progress: Option<Watch<'_>>,
    mut outcomes: Option<(LabelKind, &mut Memory)>,
) -> Result<Added, SolveError> {
    let unit = kernel.unit()?;
    let (mut columns, mut solve_time) = (ByLabel::NONE, Duration::ZERO);
    for kind in labels.others() {
        let shape = Shape::of_width(rules, kind.width(rules));
        let mut memory = planes_of(shape, progress)?;
        solve_time += timed(progress, Phase::of_label(kind), Some(rules.positions() as u64), |meter| {
            in_tiles(&mut memory, shape, meter, |planes, meter| {
                let outcomes = outcomes.as_mut().filter(|(source, _)| *source == kind);
                let outcomes = outcomes.map(|(_, memory)| memory.values_mut());
                bytes::sweep(part, kind, unit, planes.bytes_mut(), &[], outcomes, meter)
            })
        })?;
        columns.set(kind, Some(Buffer::Pages(memory)));
    }
    Ok(Added { columns, program: kernel.name(), solve_time })
}

/// Derives the planes of outcomes of boards of `cells` cells from their planes of scores.
fn outcomes_of(rules: &Rules, cells: u32, scores: &[u8], unit: VectorUnit, outcomes: &mut [u8]) {
    let shape = |width| Shape::new(cells, rules.modes().len() as u32, width);
    let bytes = |shape: Shape| shape.plane_bytes().unwrap_or(0) as usize;
    let of_outcomes = shape(Outcome::width(rules));
    let width = LabelKind::Score.width(rules);
    let sizes = Sizes { scores: bytes(shape(width)), width, outcomes: bytes(of_outcomes), draws: of_outcomes.draws() };
    derived::outcomes(scores, sizes, unit, outcomes);
}

/// The shape of the reachability bits: a bit for each (mode, board).
fn marks_shape(rules: &Rules) -> Shape {
    Shape::of_width(rules, Width::One)
}

/// Labels every (mode, board) of `rules` with each of `labels` but the outcome, in the order of `layout`.
pub fn add(rules: &Rules, layout: &Layout, labels: LabelSet, options: &Options<'_>) -> Result<Added, SolveError> {
    let layout = checked(layout, rules)?;
    check_size(rules, labels.others().map(|kind| kind.width(rules)), false, options.max_bytes)?;
    let kernel = options.solver.kernel();
    byte_planes(rules, &Part::whole(&layout.apply(rules)), labels, kernel, options.progress, None)
}

/// As [`solve`], by the reference implementation. The planes are in the order of `layout`, or in reading order if it is
/// `None`. Reachable positions are marked if `roots` is not `None`.
pub fn scalar(
    rules: &Rules,
    layout: Option<&Layout>,
    roots: Option<&[Position]>,
    labels: LabelSet,
) -> Result<Labelled, SolveError> {
    check_size(rules, labels.widths(rules), roots.is_some(), None)?;
    let layout = match layout {
        Some(layout) => checked(layout, rules)?.clone(),
        None => Layout::reading_order(rules.cells()),
    };
    scalar::solve(rules, layout, roots, labels)
}

/// Refuses a layout for boards of another size.
fn checked<'a>(layout: &'a Layout, rules: &Rules) -> Result<&'a Layout, SolveError> {
    let (expected, found) = (rules.cells(), layout.cells());
    if expected == found { Ok(layout) } else { Err(SolveError::Layout { expected, found }) }
}

/// Refuses a game whose planes, of labels of `widths`, take more memory than `max_bytes`, or more than can be addressed. `marks` adds
/// reachability bits.
fn check_size(
    rules: &Rules,
    widths: impl Iterator<Item = Width>,
    marks: bool,
    max_bytes: Option<u64>,
) -> Result<(), SolveError> {
    let (cells, modes) = (rules.cells(), rules.modes().len() as u32);
    let (mut planes, mut tile) = (Some(0u64), 0);
    for shape in widths.chain(marks.then_some(Width::One)).map(|width| Shape::of_width(rules, width)) {
        planes = planes.zip(shape.bytes()).and_then(|(all, more)| all.checked_add(more));
        if cells < TILE {
            // Labels are swept one after the other, so the largest tile counts.
            tile = tile.max(whole_tile(shape).bytes().unwrap_or(0));
        }
    }
    let needed = planes.and_then(|planes| planes.checked_add(tile)).ok_or(SolveError::TooLarge { cells, modes })?;
    check_planes(needed, max_bytes)
}

/// The shape of the tile that a smaller board is swept in.
const fn whole_tile(shape: Shape) -> Shape {
    Shape::new(TILE, shape.modes(), shape.width())
}

/// Memory for all planes of `shape`.
fn planes_of(shape: Shape, watch: Option<Watch<'_>>) -> Result<Memory, SolveError> {
    let too_large = SolveError::TooLarge { cells: shape.cells(), modes: shape.modes() };
    Memory::new(shape.bytes().ok_or(too_large)?, watch)
}

/// Calls `sweep` with planes of `shape` that are whole tiles: `memory`, or for a board smaller than a tile the planes of a tile with more
/// cells, which no move names. Of the board's copies there, the first is kept in `memory`.
fn in_tiles(
    memory: &mut Memory,
    shape: Shape,
    meter: &Meter<'_>,
    sweep: impl FnOnce(&mut Memory, &Meter<'_>) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, SolveError> {
    if shape.cells() >= TILE {
        return Ok(sweep(memory, meter));
    }
    let mut tile = planes_of(whole_tile(shape), None)?;
    let flow = sweep(&mut tile, &Meter::new(None, Phase::Sweep, None));
    let [of_tile, of_board] = [tile.bytes(), memory.bytes()].map(|planes| planes.len() / shape.planes() as usize);
    for (to, from) in memory.bytes_mut().chunks_mut(of_board).zip(tile.bytes().chunks(of_tile)) {
        to.copy_from_slice(&from[..of_board]);
        clear_from(to, (of_tile * 8) >> (TILE - shape.cells()));
    }
    let _ = meter.add(u64::from(shape.modes()) << shape.cells());
    Ok(flow)
}

/// Clears all bits from bit `first` on.
fn clear_from(bytes: &mut [u8], first: usize) {
    for (number, byte) in bytes.iter_mut().enumerate() {
        let kept = first.saturating_sub(number * 8).min(8) as u32;
        *byte &= ((1u16 << kept) - 1) as u8;
    }
}

/// Labels the boards of `part` in `planes`. `others` are the planes of the slices that [`Part::others`] names, all
/// labelled.
fn sweep(
    part: &Part,
    unit: VectorUnit,
    planes: &mut [Block],
    others: &[&[Block]],
    meter: &Meter<'_>,
) -> ControlFlow<()> {
    let plan = Plan::new(part);
    let sweep = Sweep::new(&plan, planes, others);
    each_run(plan.upper_bits, Direction::Down, (plan.modes.len() as u64) << TILE, meter, |tiles| {
        // SAFETY: a move leads to another slice, which is labelled, or to a tile with more cells filled. `each_run` has finished these
        // tiles, or they are among `tiles`; and it has each tile once, so no other thread touches `tiles`.
        unsafe { sweep.label(unit, tiles) };
    })
}

/// Marks the boards of `part` that are reachable from `starts` and from `others`, the ongoing positions of the slices
/// that [`Part::others`] names. `part` has the moves that lead to its boards. Its own ongoing positions are written to
/// `ongoing` if there are terminal patterns; otherwise they equal `reached`. Both are zero before.
fn mark_part(
    part: &Part,
    starts: &[(u64, u16)],
    unit: VectorUnit,
    reached: &mut [Block],
    ongoing: &mut [Block],
    others: &[&[Block]],
    meter: &Meter<'_>,
) -> ControlFlow<()> {
    let plan = ReachabilityPlan::new(part);
    reachability::mark(&ReachabilitySweep::new(&plan, starts, reached, ongoing, others), unit, meter)
}

/// The `starts` in `slice`, as pairs of index within the slice and mode, sorted.
fn starts_in(starts: &[Position], layout: &Layout, cut: Cut, slice: u64) -> Vec<(u64, u16)> {
    let indices = starts.iter().map(|start| (Board::from_word(layout.index(start.board)), start.mode.0));
    let here = indices.filter(|&(index, _)| cut.slice(index) == slice);
    let mut here: Vec<_> = here.map(|(index, mode)| (cut.place(index).low_word(), mode)).collect();
    here.sort_unstable();
    here
}
