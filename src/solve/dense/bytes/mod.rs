//! Labels of one byte of every (mode, board): remoteness and nimbers, 64 positions at a time.
//!
//! The sweep is that of the outcomes: the same layout, the same schedule, blocks of the same 512 positions. A *line* is 64
//! positions of a block, one vector of bytes. A move that fills the cells `l` of a line, those `i` of its number in the
//! block and those `b` of the block's leads from lane `j` of line `h` of block `n` to lane `j | l` of line `h | i` of
//! block `n | b`: a load and a permutation of bytes.
//!
//! - `line`, `plan`: the rules made ready. `algebra`: what a label does with 64 successors.
//! - `block`, `sweep`: the kernel, written over `vector` and compiled for each vector unit.

mod algebra;
mod block;
mod line;
mod plan;
mod planes;
mod sweep;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::block::TILE;
use super::kernel::Ready;
use super::schedule::Schedule;
use super::{planes_of, whole_tile};
use crate::label::LabelKind;
use crate::plane::{Layout, Shape};
use crate::rules::{Mode, Rules};
use crate::solve::memory::Memory;
use crate::solve::progress::{Meter, Phase};
use crate::solve::{SolveError, Watch};
use algebra::{Algebra, NimberLanes, RemotenessLanes};
use line::Line;
use plan::BlockPlan;
use planes::SharedPlanes;
use sweep::ByteSweep;

/// The planes of the label `kind` of `rules`, in the order of `layout`, and how long the sweep took.
pub(super) fn solve(
    rules: &Rules,
    layout: &Layout,
    kind: LabelKind,
    kernel: Ready,
    progress: Option<Watch<'_>>,
) -> Result<(Memory, Duration), SolveError> {
    let solve = match kind {
        LabelKind::Nimber => solve_lanes::<NimberLanes<1>>,
        _ if rules.can_draw() => solve_lanes::<RemotenessLanes<true>>,
        _ => solve_lanes::<RemotenessLanes<false>>,
    };
    solve(rules, layout, kind, kernel, progress)
}

fn solve_lanes<A: Algebra>(
    rules: &Rules,
    layout: &Layout,
    kind: LabelKind,
    kernel: Ready,
    progress: Option<Watch<'_>>,
) -> Result<(Memory, Duration), SolveError> {
    let renumbered = layout.apply(rules);
    let modes: Vec<BlockPlan> =
        (0..rules.modes().len() as u16).map(|mode| BlockPlan::new::<A>(&renumbered, Mode(mode))).collect();
    let shape = Shape::of_label(rules, kind);
    let mut memory = planes_of(shape, progress)?;
    let phase = Phase::LabelWith(kind);
    let mut meter = Meter::new(progress, phase, Some(rules.positions() as u64));
    let terminal = A::ended(rules.terminal());
    let begun = Instant::now();
    if shape.cells() < TILE {
        // As for outcomes: swept as a tile whose other cells no move names, and the first of its copies is kept.
        let mut tile = planes_of(whole_tile(shape), None)?;
        sweep::<A>(&modes, terminal, kernel, tile.bytes_mut(), 0, &Meter::new(None, phase, None))?;
        let (wide, narrow) = (1 << TILE, memory.bytes().len() / modes.len());
        for (to, from) in memory.bytes_mut().chunks_mut(narrow).zip(tile.bytes().chunks(wide)) {
            let kept = 1 << shape.cells();
            to[..kept].copy_from_slice(&from[..kept]);
        }
        let _ = meter.add(rules.positions() as u64);
    } else {
        sweep::<A>(&modes, terminal, kernel, memory.bytes_mut(), shape.cells() - TILE, &meter)?;
    }
    let time = begun.elapsed();
    match meter.finish() {
        ControlFlow::Continue(()) => Ok((memory, time)),
        ControlFlow::Break(()) => Err(SolveError::Cancelled),
    }
}

/// Labels all planes in `bytes`, those of two to the power of `upper_bits` tiles for each mode.
fn sweep<A: Algebra>(
    modes: &[BlockPlan],
    terminal: u8,
    kernel: Ready,
    bytes: &mut [u8],
    upper_bits: u32,
    meter: &Meter<'_>,
) -> Result<(), SolveError> {
    // SAFETY: every byte pattern is a line.
    let (before, lines, after) = unsafe { bytes.align_to_mut::<Line>() };
    assert!(before.is_empty() && after.is_empty(), "a mapping begins at a page and planes are whole lines");
    let sweep = ByteSweep::new(SharedPlanes::new(modes, terminal, lines), kernel);
    let positions_of_a_tile = (modes.len() as u64) << TILE;
    let flow = Schedule::new(upper_bits).run(|chunk| {
        chunk.pieces().try_for_each(|tiles| {
            let positions = (tiles.end - tiles.start) * positions_of_a_tile;
            // SAFETY: a move leads to a tile of an earlier level, all of which are finished; or to one of this chunk,
            // which is one of these tiles, or of a piece before. The schedule has each tile once.
            unsafe { sweep.run::<A>(tiles) };
            meter.add(positions)
        })
    });
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(SolveError::Cancelled),
    }
}
