//! Labels of one byte or two of every (mode, board): remoteness, nimbers and scores, 64 positions at a time.
//!
//! Layout, schedule and blocks of 512 positions are the same as for outcomes. A *line* is 64 positions of a block, one
//! vector of codes; a position of a line is a *lane*. Let a move fill the cells `l` within a line, `i` of the line's
//! number and `b` of the block's number. It leads from lane `j` of line `h` of block `n` to lane `j | l` of line `h |
//! i` of block `n | b`: a load and a permutation of codes.
//!
//! - `plan`: the rules prepared for blocks.
//! - `block`, `sweep`: the kernel, written over [`simd`](crate::simd) and [`algebra`](crate::algebra).

mod block;
mod plan;
mod sweep;

use std::ops::ControlFlow;

use super::block::TILE;
use super::part::Part;
use super::planes::SharedPlanes;
use super::schedule::each_run;
use crate::Direction;
use crate::algebra::{Algebra, with_algebra};
use crate::label::LabelKind;
use crate::memory::{Plain, values, values_mut};
use crate::progress::Meter;
use crate::simd::{LINE, Line, VectorUnit};
use crate::worth::Stuck;
use plan::BlockPlan;
use sweep::{LabelTiles, Sweep};

/// Labels the boards of `part` with `kind`, in `planes`. `others` are the planes of the slices that [`Part::others`]
/// names, all labelled. `outcomes` are planes of outcomes of the same boards, which are written as well if the label tells them.
///
/// # Panics
/// If `planes` or one of `others` does not have a code for each board and mode, or is not aligned to a line; or if `outcomes` do not have
/// the bits.
pub(super) fn sweep(
    part: &Part,
    kind: LabelKind,
    unit: VectorUnit,
    planes: &mut [u8],
    others: &[&[u8]],
    outcomes: Option<&mut [u64]>,
    meter: &Meter<'_>,
) -> ControlFlow<()> {
    with_algebra!(kind, part.draws, part.scores, A => sweep_lanes::<A>(part, unit, planes, others, outcomes, meter))
}

fn sweep_lanes<A: Algebra>(
    part: &Part,
    unit: VectorUnit,
    planes: &mut [u8],
    others: &[&[u8]],
    outcomes: Option<&mut [u64]>,
    meter: &Meter<'_>,
) -> ControlFlow<()>
where
    Line<A::Code>: Plain,
{
    let modes: Vec<BlockPlan<A::Code>> = (0..part.modes).map(|mode| BlockPlan::new::<A>(part, mode)).collect();
    let upper_bits = part.cells.saturating_sub(TILE);
    let lines: &mut [Line<A::Code>] = values_mut(planes);
    let others: Vec<&[Line<A::Code>]> = others.iter().map(|other| values(other)).collect();
    let whole = modes.len() << (upper_bits + TILE - LINE);
    assert!(lines.len() == whole && others.iter().all(|other| other.len() == whole), "all planes of the part");
    let stuck = Stuck { code: A::ended(part.terminal.into()), floor: part.floor };
    let planes = SharedPlanes::new(modes.len(), lines, &others);
    let a_mode = 1 + usize::from(part.draws);
    let outcomes = outcomes.map(|words| {
        assert_eq!(words.len(), whole * a_mode, "all planes of outcomes of the part");
        SharedPlanes::new(modes.len() * a_mode, words, &[])
    });
    let sweep = Sweep { modes: &modes, stuck, planes, outcomes, draws: part.draws };
    each_run(upper_bits, Direction::Down, (modes.len() as u64) << TILE, meter, |tiles| {
        // SAFETY: as for outcomes: a move leads to another slice, which is labelled, or to a tile with more cells filled. `each_run` has
        // finished these tiles, or they are among `tiles`; and it has each tile once, so no other thread touches `tiles`.
        unit.run_on_bytes(unsafe { LabelTiles::<A>::new(&sweep, tiles) });
    })
}
