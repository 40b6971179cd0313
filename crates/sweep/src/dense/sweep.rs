//! The planes during a sweep, and one thread's view of them.

use std::marker::PhantomData;

use super::block::{BLOCKS, Block};
use super::op::Op;
use super::plan::Plan;
use crate::memory::Shared;
use crate::simd::Boards;

/// The planes being swept, shared by all threads.
///
/// One thread writes a tile. Other threads read it only after it is finished. All `unsafe` code here relies on that;
/// [`schedule`](super::schedule) ensures it.
pub(super) struct Sweep<'a> {
    /// The rules, prepared for the kernel.
    pub(super) plan: &'a Plan,
    /// The first block of the first plane.
    planes: Shared<Block>,
    /// Blocks of a plane. A mode's plane of losses follows its plane of wins.
    plane_blocks: usize,
    /// The planes of wins of successors, by [`Op::base`]: first of each mode here, then of each mode in each other
    /// slice that moves lead to.
    bases: Vec<Shared<Block>>,
    memory: PhantomData<&'a mut [Block]>,
}

impl<'a> Sweep<'a> {
    /// A sweep over the planes in `memory`. `others` are the planes of other slices that moves lead to, all labelled.
    ///
    /// # Panics
    /// If `memory`, or one of `others`, does not have the size of the planes of `plan`.
    pub(super) fn new(plan: &'a Plan, memory: &'a mut [Block], others: &[&'a [Block]]) -> Self {
        let plane_blocks = BLOCKS << plan.upper_bits;
        let mode_blocks = plane_blocks * (1 + usize::from(plan.draws));
        let is_whole = |planes: &[Block]| planes.len() == plan.modes.len() * mode_blocks;
        assert!(is_whole(memory) && others.iter().all(|planes| is_whole(planes)), "all planes of the plan");
        let planes = Shared::new(memory);
        let modes = |first: Shared<Block>| (0..plan.modes.len()).map(move |mode| first.from(mode * mode_blocks));
        let others = others.iter().flat_map(|other| modes(Shared::finished(other)));
        let bases = modes(planes).chain(others).collect();
        Self { plan, planes, plane_blocks, bases, memory: PhantomData }
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
        let plane = self.sweep.plane_blocks * (1 + usize::from(DRAWS)) * mode;
        self.sweep.planes.at(plane + tile as usize * BLOCKS)
    }

    /// The first block of the tile that `op` leads to from `tile`, in the plane of wins. This alone decides which
    /// memory an operation reads.
    #[inline(always)]
    pub(super) fn successors_of(&self, op: &Op, tile: u64) -> *const Block {
        let tile = tile | op.fills_upper;
        debug_assert!(tile < self.sweep.tiles());
        self.sweep.bases[op.base as usize].at(tile as usize * BLOCKS)
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
