//! Labels of one byte of every (mode, board): remoteness and nimbers, 64 positions at a time.
//!
//! Layout, schedule and blocks of 512 positions are the same as for outcomes. A *line* is 64 positions of a block, one
//! vector of bytes; a position of a line is a *lane*. Let a move fill the cells `l` within a line, `i` of the line's
//! number and `b` of the block's number. It leads from lane `j` of line `h` of block `n` to lane `j | l` of line `h |
//! i` of block `n | b`: a load and a permutation of bytes.
//!
//! - `plan`: the rules prepared for blocks. `algebra`: labels as folds over vectors of successors.
//! - `block`, `sweep`: the kernel, written over [`simd`](crate::simd).

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
use crate::memory::{Memory, values, values_mut};
use crate::plane::{Layout, Shape};
use crate::progress::{Meter, Phase};
use crate::rules::Rules;
use crate::simd::{LINE, Line, VectorUnit};
use crate::{SolveError, Watch};
use algebra::{Algebra, Lanes};
use plan::BlockPlan;
use planes::SharedPlanes;
use sweep::LabelTiles;
use tablegen_labels::with_byte_label;

/// Solves the label `kind` of `rules`, in the order of `layout`. Returns its planes and the time of the sweep.
pub(super) fn solve(
    rules: &Rules,
    layout: &Layout,
    kind: LabelKind,
    unit: VectorUnit,
    progress: Option<Watch<'_>>,
) -> Result<(Memory, Duration), SolveError> {
    let part = Part::whole(&layout.apply(rules));
    let shape = Shape::of_width(rules, kind.width(rules));
    let mut memory = planes_of(shape, progress)?;
    let phase = Phase::of_label(kind);
    let mut meter = Meter::new(progress, phase, Some(rules.positions() as u64));
    let begun = Instant::now();
    let flow = if shape.cells() < TILE {
        // As for outcomes: swept as a tile with unused cells, of whose copies the first is kept.
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

/// Labels the boards of `part` with `kind`, in `planes`. `others` are the planes of the slices that [`Part::others`]
/// names, all labelled.
///
/// # Panics
/// If `planes` or one of `others` does not have a byte for each board and mode, or is not aligned to a line.
pub(super) fn sweep(
    part: &Part,
    kind: LabelKind,
    unit: VectorUnit,
    planes: &mut [u8],
    others: &[&[u8]],
    meter: &Meter<'_>,
) -> ControlFlow<()> {
    let sweep = with_byte_label!(kind, L => match part.draws {
        true => sweep_lanes::<<L as Lanes>::WithDraws>,
        false => sweep_lanes::<<L as Lanes>::WithoutDraws>,
    });
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
            // SAFETY: a move leads to another slice, to a tile of an earlier level, or to a later tile of this chunk.
            // All of these are finished or among `tiles`. The schedule has each tile once, so no other thread touches
            // these tiles.
            unit.run_on_bytes(unsafe { LabelTiles::<A>::new(&planes, tiles) });
            meter.add(positions)
        })
    })
}
