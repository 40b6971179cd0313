//! Reachability bits, in one ascending sweep.
//!
//! A position is reachable if it is a start, or if a move leads to it from an *ongoing* position: a reachable one that
//! is not over. Predecessors have smaller numbers. So blocks are marked once, from the empty board up, and each block
//! reads only blocks that are already marked.
//!
//! - `plan`: the moves, by the mode that they lead to. `kernel`: the sweep of blocks of 512 boards.

mod kernel;
mod plan;

use std::ops::ControlFlow;

use super::block::{BLOCKS, Block, LOW, TILE};
use super::op::Op;
use super::part::Part;
use super::plan::EndOp;
use super::planes::SharedPlanes;
use super::schedule::each_run;
use crate::Direction;
use crate::progress::Meter;
use crate::shared::Shared;
use crate::simd::VectorUnit;

use kernel::ReachTiles;
pub(super) use plan::ReachabilityPlan;

/// The planes being marked, shared by all threads.
pub(super) struct ReachabilitySweep<'a> {
    plan: &'a ReachabilityPlan,
    /// The starts, as pairs of index and mode, sorted.
    starts: &'a [(u64, u16)],
    /// The reachability bits, a plane a mode.
    reached: Shared<*mut Block>,
    /// The ongoing positions. They lie where the wins will be written later. Without terminal patterns they are the
    /// reachability bits.
    ongoing: SharedPlanes<'a, Block>,
    /// Blocks of a plane.
    plane_blocks: usize,
}

impl<'a> ReachabilitySweep<'a> {
    /// Planes to mark: reachability bits in `reached` and ongoing positions in `ongoing`, both zero. `ongoing` may be
    /// planes of outcomes that are labelled later, and is used only if [there are terminal
    /// patterns](ReachabilityPlan::has_ends). `others` are the ongoing positions of other slices. `starts` are pairs of index
    /// and mode, sorted.
    ///
    /// # Panics
    /// If the planes have fewer blocks than `plan` needs.
    pub(super) fn new(
        plan: &'a ReachabilityPlan,
        starts: &'a [(u64, u16)],
        reached: &'a mut [Block],
        ongoing: &'a mut [Block],
        others: &[&'a [Block]],
    ) -> Self {
        let (plane_blocks, modes) = (BLOCKS << plan.upper_bits, plan.modes.len());
        let whole = modes * plane_blocks;
        assert!(reached.len() == whole && others.iter().all(|other| other.len() == whole), "all planes of marks");
        assert!(!plan.has_ends() || ongoing.len().is_multiple_of(whole) && !ongoing.is_empty(), "all planes of marks");
        let (reached, ongoing) = if plan.has_ends() {
            (Shared::new(reached), SharedPlanes::new(modes, ongoing, others))
        } else {
            let both = SharedPlanes::new(modes, reached, others);
            (both.own(), both)
        };
        Self { plan, starts, reached, ongoing, plane_blocks }
    }

    /// The starts in `tile`.
    fn starts_in(&self, tile: u64) -> &[(u64, u16)] {
        let first = self.starts.partition_point(|&(index, _)| index >> TILE < tile);
        let here = self.starts[first..].partition_point(|&(index, _)| index >> TILE == tile);
        &self.starts[first..first + here]
    }

    /// The first block of the reachability bits of `tile` in `mode`.
    #[inline(always)]
    fn reached_of(&self, mode: usize, tile: u64) -> *mut Block {
        self.reached.at(mode * self.plane_blocks + tile as usize * BLOCKS)
    }

    /// The first block of `tile` in the plane that `op` comes from.
    #[inline(always)]
    fn came_from(&self, op: &Op, tile: u64) -> *const Block {
        self.ongoing.finished(op.base as usize, tile as usize * BLOCKS)
    }

    /// The first block of the ongoing positions of `tile` in `mode`.
    #[inline(always)]
    fn ongoing_of(&self, mode: usize, tile: u64) -> *mut Block {
        self.ongoing.at(mode, tile as usize * BLOCKS)
    }
}

/// Turns reachability bits into ongoing positions, by clearing the boards of `part` with a complete terminal pattern.
pub(super) fn clear_ended(part: &Part, marks: &mut [Block]) {
    let modes = usize::from(part.modes);
    for (mode, plane) in marks.chunks_mut((marks.len() / modes).max(1)).enumerate() {
        let ends: Vec<EndOp> = part.ends_of(mode as u16).map(EndOp::new).collect();
        for (number, block) in plane.iter_mut().enumerate() {
            let (tile, number) = ((number / BLOCKS) as u64, number % BLOCKS);
            for end in ends.iter().filter(|end| end.is_met(tile, number)) {
                block.0.iter_mut().zip(end.mask.0).for_each(|(word, over)| *word &= !over);
            }
        }
    }
}

/// Marks every reachable board, on all cores of the current rayon pool. Progress counts positions.
pub(super) fn mark(marks: &ReachabilitySweep<'_>, unit: VectorUnit, meter: &Meter<'_>) -> ControlFlow<()> {
    each_run(marks.plan.upper_bits, Direction::Up, (marks.plan.modes.len() as u64) << TILE, meter, |tiles| {
        // SAFETY: a move comes from another slice, which is marked, or from a tile with fewer cells filled. `each_run` has finished these
        // tiles, or they are among `tiles`; and it has each tile once, so no other thread touches `tiles`.
        unit.run(unsafe { ReachTiles::new(marks, tiles) });
    })
}

/// The block within its tile, and the bit within the block, of index `index`.
const fn block_of(index: u64) -> (usize, u64) {
    ((index >> LOW) as usize & (BLOCKS - 1), index & ((1 << LOW) - 1))
}
