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
mod sweep;

use std::ops::ControlFlow;

use super::block::TILE;
use super::part::Part;
use super::planes::SharedPlanes;
use super::schedule::each_run;
use crate::Direction;
use crate::label::LabelKind;
use crate::memory::{values, values_mut};
use crate::progress::Meter;
use crate::simd::{LINE, Line, VectorUnit};
use algebra::{Algebra, Lanes};
use plan::BlockPlan;
use sweep::{LabelTiles, Sweep};
use tablegen_labels::with_byte_label;

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
    let upper_bits = part.cells.saturating_sub(TILE);
    let lines: &mut [Line] = values_mut(planes);
    let others: Vec<&[Line]> = others.iter().map(|other| values(other)).collect();
    let whole = modes.len() << (upper_bits + TILE - LINE);
    assert!(lines.len() == whole && others.iter().all(|other| other.len() == whole), "all planes of the part");
    let planes = SharedPlanes::new(modes.len(), lines, &others);
    let sweep = Sweep { modes: &modes, terminal: A::ended(part.terminal), planes };
    each_run(upper_bits, Direction::Down, (modes.len() as u64) << TILE, meter, |tiles| {
        // SAFETY: as for outcomes: a move leads to another slice, which is labelled, or to a tile with more cells filled. `each_run` has
        // finished these tiles, or they are among `tiles`; and it has each tile once, so no other thread touches `tiles`.
        unit.run_on_bytes(unsafe { LabelTiles::<A>::new(&sweep, tiles) });
    })
}
