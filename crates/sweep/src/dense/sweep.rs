//! The planes during a sweep, and one thread's view of them.

use super::block::{BLOCKS, Block};
use super::op::Op;
use super::plan::Plan;
use super::planes::SharedPlanes;
use crate::simd::Boards;

/// The planes being swept, shared by all threads.
pub(super) struct Sweep<'a> {
    /// The rules, prepared for the kernel.
    pub(super) plan: &'a Plan,
    /// The planes of wins of each mode. With draws, a mode's plane of losses follows.
    planes: SharedPlanes<'a, Block>,
    /// Blocks of a plane.
    plane_blocks: usize,
}

impl<'a> Sweep<'a> {
    /// A sweep over the planes in `memory`. `others` are the planes of other slices that moves lead to, all labelled.
    ///
    /// # Panics
    /// If `memory`, or one of `others`, does not have the size of the planes of `plan`.
    pub(super) fn new(plan: &'a Plan, memory: &'a mut [Block], others: &[&'a [Block]]) -> Self {
        let (plane_blocks, modes) = (BLOCKS << plan.upper_bits, plan.modes.len());
        let whole = modes * plane_blocks * (1 + usize::from(plan.draws));
        let is_whole = |planes: &[Block]| planes.len() == whole;
        assert!(is_whole(memory) && others.iter().all(|planes| is_whole(planes)), "all planes of the plan");
        Self { plan, planes: SharedPlanes::new(modes, memory, others), plane_blocks }
    }

    /// Tiles of a plane.
    pub(super) const fn tiles(&self) -> u64 {
        1 << self.plan.upper_bits
    }
}

/// The kernel: one thread's view of a sweep with one vector unit, compiled for rules that can draw and for others.
///
/// Everything with it is inlined into what is compiled for each vector unit ([`Work`](crate::simd::Work)). A closure
/// is not, so what handles vectors is written in loops and macros instead.
pub(super) struct TileKernel<'a, V: Boards, const DRAWS: bool> {
    /// The planes.
    pub(super) sweep: &'a Sweep<'a>,
    /// Proof that the processor has the instructions of `V`.
    pub(super) token: V::Token,
}

impl<V: Boards, const DRAWS: bool> TileKernel<'_, V, DRAWS> {
    /// Blocks from a mode's plane of wins to its plane of losses.
    #[inline(always)]
    pub(super) const fn to_losses(&self) -> usize {
        self.sweep.plane_blocks
    }

    /// The first block of `tile` in the plane of `mode`'s wins.
    #[inline(always)]
    pub(super) fn tile_of(&self, mode: usize, tile: u64) -> *mut Block {
        debug_assert!(mode < self.sweep.plan.modes.len() && tile < self.sweep.tiles());
        self.sweep.planes.at(mode, tile as usize * BLOCKS)
    }

    /// The first block of the tile that `op` leads to from `tile`, in the plane of wins. This alone decides which
    /// memory an operation reads.
    #[inline(always)]
    pub(super) fn successors_of(&self, op: &Op, tile: u64) -> *const Block {
        let tile = tile | op.fills_upper;
        debug_assert!(tile < self.sweep.tiles());
        self.sweep.planes.finished(op.base as usize, tile as usize * BLOCKS)
    }

    /// The positions of a block in which `op` is legal.
    #[inline(always)]
    pub(super) fn mask(&self, op: &Op) -> V {
        V::load_block(self.token, self.sweep.plan.mask(op))
    }

    /// Every position of a block.
    #[inline(always)]
    pub(super) fn every(&self) -> V {
        V::load_block(self.token, &Block::ONES)
    }
}
