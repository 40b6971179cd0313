//! Labels of one byte of every (mode, board): remoteness and nimbers, 64 positions at a time.
//!
//! The sweep is that of the outcomes: the same layout, the same schedule. A *line* is 64 positions that follow each
//! other. Where 512 outcomes are moved by permutes and shifts, the successors of a line lie at an address: a move that
//! fills the low cells `ml` and the others `mh` leads from lane `j` of line `h` to byte `j + ml` of line `h | mh`, so it
//! takes one load, at whatever address that is. Lanes in which the move is not legal are masked.

mod algebra;
mod kernel;
mod plan;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::block::TILE;
use super::kernel::Ready;
use super::memory::Memory;
use super::schedule::Schedule;
use super::whole_tile;
use crate::label::LabelKind;
use crate::plane::{Layout, Shape};
use crate::rules::{Mode, Rules};
use crate::solve::progress::{Meter, Phase};
use crate::solve::{SolveError, Watch};
use algebra::{Lanes, NimberLanes, RemotenessLanes};
use kernel::ByteSweep;
use plan::{Line, LinePlan};

/// The planes of the label `kind` of `rules`, in the order of `layout`, and how long the sweep took.
pub(super) fn solve(
    rules: &Rules,
    layout: &Layout,
    kind: LabelKind,
    kernel: Ready,
    progress: Option<Watch<'_>>,
) -> Result<(Memory, Duration), SolveError> {
    match kind {
        LabelKind::Nimber => solve_lanes::<NimberLanes>(rules, layout, kind, kernel, progress),
        LabelKind::Remoteness | LabelKind::Outcome => {
            solve_lanes::<RemotenessLanes>(rules, layout, LabelKind::Remoteness, kernel, progress)
        }
    }
}

fn solve_lanes<L: Lanes>(
    rules: &Rules,
    layout: &Layout,
    kind: LabelKind,
    kernel: Ready,
    progress: Option<Watch<'_>>,
) -> Result<(Memory, Duration), SolveError> {
    let renumbered = layout.apply(rules);
    let modes: Vec<LinePlan> =
        (0..rules.modes().len() as u16).map(|mode| LinePlan::new(&renumbered, Mode(mode), L::ended)).collect();
    let shape = Shape::of_label(rules, kind);
    let mut memory = Memory::new(shape, progress)?;
    let phase = Phase::LabelWith(kind);
    let mut meter = Meter::new(progress, phase, Some(rules.positions() as u64));
    let terminal = L::ended(rules.terminal());
    let begun = Instant::now();
    if shape.cells() < TILE {
        // As for outcomes: swept as a tile whose other cells no move names, and the first of its copies is kept.
        let mut tile = Memory::new(whole_tile(shape), None)?;
        sweep::<L>(&modes, terminal, kernel, tile.bytes_mut(), 0, &Meter::new(None, phase, None))?;
        let (wide, narrow) = (1 << TILE, memory.bytes().len() / modes.len());
        for (to, from) in memory.bytes_mut().chunks_mut(narrow).zip(tile.bytes().chunks(wide)) {
            let kept = 1 << shape.cells();
            to[..kept].copy_from_slice(&from[..kept]);
        }
        let _ = meter.add(rules.positions() as u64);
    } else {
        sweep::<L>(&modes, terminal, kernel, memory.bytes_mut(), shape.cells() - TILE, &meter)?;
    }
    let time = begun.elapsed();
    match meter.finish() {
        ControlFlow::Continue(()) => Ok((memory, time)),
        ControlFlow::Break(()) => Err(SolveError::Cancelled),
    }
}

/// Labels all planes in `bytes`, those of two to the power of `upper_bits` tiles for each mode.
fn sweep<L: Lanes>(
    modes: &[LinePlan],
    terminal: u8,
    kernel: Ready,
    bytes: &mut [u8],
    upper_bits: u32,
    meter: &Meter<'_>,
) -> Result<(), SolveError> {
    // SAFETY: every byte pattern is a line.
    let (before, lines, after) = unsafe { bytes.align_to_mut::<Line>() };
    assert!(before.is_empty() && after.is_empty(), "a mapping begins at a page and planes are whole lines");
    let sweep = ByteSweep::<L>::new(modes, terminal, lines);
    let positions_of_a_tile = (modes.len() as u64) << TILE;
    let flow = Schedule::new(upper_bits).run(|chunk| {
        chunk.pieces().try_for_each(|tiles| {
            let positions = (tiles.end - tiles.start) * positions_of_a_tile;
            // SAFETY: a move leads to a tile of an earlier level, all of which are finished; or to one of this chunk,
            // which is one of these tiles, or of a piece before. The schedule has each tile once.
            unsafe { sweep.run(kernel, tiles) };
            meter.add(positions)
        })
    });
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(SolveError::Cancelled),
    }
}
