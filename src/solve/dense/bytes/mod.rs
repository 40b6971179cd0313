//! Labels of one byte of every (mode, board): remoteness and nimbers, 64 positions at a time.
//!
//! The sweep is that of the outcomes: the same layout, the same schedule, blocks of the same 512 positions. A *line* is 64
//! positions of a block, one vector of bytes. A move that fills the cells `l` of a line, those `i` of its number in the
//! block and those `b` of the block's leads from lane `j` of line `h` of block `n` to lane `j | l` of line `h | i` of
//! block `n | b`: a load and a permutation of bytes.
//!
//! - `plan`: the rules made ready. `algebra`: what a label does with 64 successors.
//! - `block`, `sweep`: the kernel, written over [`simd`](crate::solve::simd).

mod algebra;
mod block;
mod plan;
mod planes;
mod sweep;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::block::TILE;
use super::part::Part;
use super::schedule::Schedule;
use super::{planes_of, whole_tile};
use crate::label::LabelKind;
use crate::plane::{Layout, Shape};
use crate::rules::Rules;
use crate::solve::memory::{Memory, values, values_mut};
use crate::solve::progress::{Meter, Phase};
use crate::solve::simd::{LINE, Line, VectorUnit};
use crate::solve::{SolveError, Watch};
use algebra::{Algebra, NimberLanes, RemotenessLanes};
use plan::BlockPlan;
use planes::SharedPlanes;
use sweep::LabelTiles;

/// The planes of the label `kind` of `rules`, in the order of `layout`, and how long the sweep took.
pub(super) fn solve(
    rules: &Rules,
    layout: &Layout,
    kind: LabelKind,
    unit: VectorUnit,
    progress: Option<Watch<'_>>,
) -> Result<(Memory, Duration), SolveError> {
    let part = Part::whole(&layout.apply(rules));
    let shape = Shape::of_label(rules, kind);
    let mut memory = planes_of(shape, progress)?;
    let phase = Phase::LabelWith(kind);
    let mut meter = Meter::new(progress, phase, Some(rules.positions() as u64));
    let begun = Instant::now();
    let flow = if shape.cells() < TILE {
        // As for outcomes: swept as a tile whose other cells no move names, and the first of its copies is kept.
        let mut tile = planes_of(whole_tile(shape), None)?;
        let flow = sweep(&part, kind, unit, tile.bytes_mut(), &[], &Meter::new(None, phase, None));
        let (wide, narrow) = (1 << TILE, memory.bytes().len() / usize::from(part.modes));
        for (to, from) in memory.bytes_mut().chunks_mut(narrow).zip(tile.bytes().chunks(wide)) {
            let kept = 1 << shape.cells();
            to[..kept].copy_from_slice(&from[..kept]);
        }
        let _ = meter.add(rules.positions() as u64);
        flow
    } else {
        sweep(&part, kind, unit, memory.bytes_mut(), &[], &meter)
    };
    let time = begun.elapsed();
    match (flow, meter.finish()) {
        (ControlFlow::Continue(()), ControlFlow::Continue(())) => Ok((memory, time)),
        _ => Err(SolveError::Cancelled),
    }
}

/// Labels the boards of `part` with `kind`, in `planes`; moves lead from there to the planes of `others`, the slices that
/// [`Part::others`] names.
///
/// # Panics
/// If these are not planes of bytes, aligned to a line, of so many boards.
pub(super) fn sweep(
    part: &Part,
    kind: LabelKind,
    unit: VectorUnit,
    planes: &mut [u8],
    others: &[&[u8]],
    meter: &Meter<'_>,
) -> ControlFlow<()> {
    let sweep = match kind {
        LabelKind::Nimber => sweep_lanes::<NimberLanes<1>>,
        _ if part.draws => sweep_lanes::<RemotenessLanes<true>>,
        _ => sweep_lanes::<RemotenessLanes<false>>,
    };
    sweep(part, unit, planes, others, meter)
}

fn sweep_lanes<A: Algebra>(
    part: &Part,
    unit: VectorUnit,
    planes: &mut [u8],
    others: &[&[u8]],
    meter: &Meter<'_>,
) -> ControlFlow<()> {
    let modes: Vec<BlockPlan> = (0..part.modes).map(|mode| BlockPlan::new::<A>(part, mode)).collect();
    let terminal = A::ended(part.terminal);
    let upper_bits = part.cells.saturating_sub(TILE);
    let lines: &mut [Line] = values_mut(planes);
    assert_eq!(lines.len(), modes.len() << (upper_bits + TILE - LINE), "all planes of the part");
    let others: Vec<&[Line]> = others.iter().map(|other| values(other)).collect();
    let planes = SharedPlanes::new(&modes, terminal, lines, &others);
    let positions_of_a_tile = (modes.len() as u64) << TILE;
    Schedule::new(upper_bits).run(|chunk| {
        chunk.pieces().try_for_each(|tiles| {
            let positions = (tiles.end - tiles.start) * positions_of_a_tile;
            // SAFETY: a move leads to another slice, which is finished; to a tile of an earlier level, all of which are; or
            // to one of this chunk, which is one of these tiles, or of a piece before. The schedule has each tile once.
            unit.run_on_bytes(unsafe { LabelTiles::<A>::new(&planes, tiles) });
            meter.add(positions)
        })
    })
}
