//! Every (mode, board) of a game, in one descending sweep.
//!
//! A move only fills cells, so each successor of a board has a larger number. Labelling boards from the full one down
//! to the empty one therefore meets every successor before the position that needs it: no queue, no predecessor lists,
//! no second visit.
//!
//! - [`layout`]: which cells lie inside a vector.
//! - `op`, `plan`: the rules made ready for the kernel. `schedule`: which tiles are swept when.
//! - `tile`, `gather`, `within`, `cube`: the kernel, written over `vector` and compiled in `kernel`.
//! - `scalar`: the twin that every kernel equals bit for bit.

mod block;
mod bytes;
mod cube;
mod gather;
mod kernel;
mod labels;
pub mod layout;
mod memory;
mod op;
mod plan;
mod scalar;
mod schedule;
mod scratch;
mod solution;
mod sweep;
mod tile;
mod vector;
mod within;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::progress::{Meter, Phase};
use super::{Options, SolveError};
use crate::plane::{Layout, Shape};
use crate::rules::Rules;
use block::{Block, TILE};
use kernel::Ready;
use memory::Memory;
use plan::Plan;
use schedule::Schedule;
use sweep::Sweep;

pub use kernel::{Kernel, KernelError};
pub(super) use solution::Planar;

/// Labels every (mode, board) of `rules`, on all cores of the current rayon pool.
pub(super) fn solve(rules: &Rules, options: &Options<'_>) -> Result<Planar, SolveError> {
    let kernel = options.kernel.unwrap_or_else(Kernel::best);
    let ready = kernel.ready()?;
    let shape = Shape::of(rules);
    check_size(shape, options.max_bytes)?;
    let layout = match options.layout {
        Some(layout) => checked(layout, rules)?.clone(),
        None => layout::choose(rules),
    };
    let plan = Plan::new(&layout.apply(rules));
    let mut memory = Memory::new(shape, options.progress)?;
    let mut meter = Meter::new(options.progress, Phase::Sweep, Some(rules.positions() as u64));
    let sweep_time = if shape.cells() < TILE {
        // Such a board is swept as a tile whose other cells no move names, and the first of its copies is kept.
        let mut tile = Memory::new(whole_tile(shape), None)?;
        let time = sweep(&plan, ready, tile.blocks_mut(), &Meter::new(None, Phase::Sweep, None))?;
        copy_first(tile.bytes(), &mut memory, shape);
        let _ = meter.add(rules.positions() as u64);
        time
    } else {
        sweep(&plan, ready, memory.blocks_mut(), &meter)?
    };
    if meter.finish().is_break() {
        return Err(SolveError::Cancelled);
    }
    let of = |kind| bytes::solve(rules, &layout, kind, ready, options.progress).map(|memory| (kind, memory));
    let others = options.labels.others().map(of).collect::<Result<_, _>>()?;
    Ok(Planar { shape, layout, memory, others, kernel: kernel.name(), sweep_time })
}

/// As [`solve`], by the scalar twin; the planes in the order of `layout`, in reading order if it is `None`.
pub(super) fn scalar(rules: &Rules, layout: Option<&Layout>) -> Result<Planar, SolveError> {
    check_size(Shape::of(rules), None)?;
    let layout = match layout {
        Some(layout) => checked(layout, rules)?.clone(),
        None => Layout::reading_order(rules.cells()),
    };
    scalar::solve(rules, layout)
}

/// `layout`, if it is for boards of these rules.
fn checked<'a>(layout: &'a Layout, rules: &Rules) -> Result<&'a Layout, SolveError> {
    let (expected, found) = (rules.cells(), layout.cells());
    if expected == found { Ok(layout) } else { Err(SolveError::Layout { expected, found }) }
}

/// Refuses a game that takes more memory than is allowed, or than there can be.
fn check_size(shape: Shape, max_bytes: Option<u64>) -> Result<(), SolveError> {
    let too_large = SolveError::TooLarge { cells: shape.cells(), modes: shape.modes() };
    let planes = shape.bytes().ok_or(too_large)?;
    let tile = if shape.cells() < TILE { whole_tile(shape).bytes().unwrap_or(0) } else { 0 };
    let needed = planes + tile;
    match max_bytes {
        Some(allowed) if needed > allowed => Err(SolveError::DenseMemory { needed, allowed }),
        _ => Ok(()),
    }
}

/// The shape that a board smaller than a tile is swept in.
const fn whole_tile(shape: Shape) -> Shape {
    Shape::new(TILE, shape.modes(), shape.width())
}

/// Copies the first positions of each plane of `wide`, as many as a plane of `shape` has, to `memory`.
fn copy_first(wide: &[u8], memory: &mut Memory, shape: Shape) {
    let wide_bytes = wide.len() / shape.planes() as usize;
    let bytes = memory.bytes().len() / shape.planes() as usize;
    for (to, from) in memory.bytes_mut().chunks_mut(bytes).zip(wide.chunks(wide_bytes)) {
        to.copy_from_slice(&from[..bytes]);
        clear_from(to, 1 << shape.cells());
    }
}

/// Clears bit `first` and all after it.
fn clear_from(bytes: &mut [u8], first: usize) {
    for (number, byte) in bytes.iter_mut().enumerate() {
        let kept = first.saturating_sub(number * 8).min(8) as u32;
        *byte &= ((1u16 << kept) - 1) as u8;
    }
}

/// Labels all of `planes`, and tells how long that took.
fn sweep(plan: &Plan, kernel: Ready, planes: &mut [Block], meter: &Meter<'_>) -> Result<Duration, SolveError> {
    let begin = Instant::now();
    let sweep = Sweep::new(plan, planes);
    let positions_of_a_tile = (plan.modes.len() as u64) << TILE;
    let schedule = Schedule::new(plan.upper_bits);
    let flow = schedule.run(|chunk| {
        chunk.pieces().try_for_each(|tiles| {
            let positions = (tiles.end - tiles.start) * positions_of_a_tile;
            // SAFETY: a move leads to a tile of an earlier level, all of which are finished; or to one of this chunk,
            // which is one of these tiles, or of a piece before. The schedule has each tile once, so that no other
            // thread touches these.
            unsafe { kernel.run(&sweep, tiles) };
            meter.add(positions)
        })
    });
    match flow {
        ControlFlow::Continue(()) => Ok(begin.elapsed()),
        ControlFlow::Break(()) => Err(SolveError::Cancelled),
    }
}
