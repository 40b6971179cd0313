//! The planes during a sweep, and one thread's view of them.

use super::block::{BLOCKS, Block};
use super::labels::Labels;
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

impl<'a, V: Boards, const DRAWS: bool> TileKernel<'a, V, DRAWS> {
    /// A view of some tiles of `sweep`, whose rules can draw if `DRAWS` is set.
    ///
    /// # Safety
    /// For each tile that methods of this get:
    /// - Bytes: it is a tile of `sweep`.
    /// - Threads: the tiles that moves lead to are finished, or were labelled by this view before. No other thread reads or writes this tile.
    #[inline(always)]
    pub(super) const unsafe fn new(sweep: &'a Sweep<'a>, token: V::Token) -> Self {
        Self { sweep, token }
    }

    /// The labels in the block at `at`, one of a plane of wins, and in the same block of the plane of losses.
    #[inline(always)]
    pub(super) fn labels_at(&self, at: *const Block) -> Labels<V> {
        let wins = V::load_block(self.token, self.finished(at));
        let losses =
            if DRAWS { V::load_block(self.token, self.finished(self.losses(at))) } else { V::none(self.token) };
        Labels { wins, losses }
    }

    /// The block in the plane of losses, for the block at `at` in the plane of wins.
    #[inline(always)]
    pub(super) const fn losses(&self, at: *const Block) -> *const Block {
        at.wrapping_add(self.sweep.plane_blocks)
    }

    /// The block at `at`, which is [`successors_of`](Self::successors_of) or [`tile_of`](Self::tile_of) an operation and a tile, plus the number
    /// of a block of the tile, in the plane of wins or of losses.
    #[inline(always)]
    pub(super) const fn finished(&self, at: *const Block) -> &Block {
        // SAFETY: Bytes: the tile is one of the sweep, because the operation fills cells of the board. `Sweep::new` checked that the planes have
        // all blocks of all tiles, and planes of losses if `DRAWS` is set.
        // Alignment: a whole number of blocks from the first.
        // Threads: the block is of a tile that a move leads to, which the caller of `new` promised is finished; or of this view's own tile
        // and of a group that is finished.
        unsafe { &*at }
    }

    /// Writes the labels of block `block` of `tile` in `mode`.
    #[inline(always)]
    pub(super) fn write(&self, mode: usize, tile: u64, block: usize, labels: Labels<V>) {
        debug_assert!(block < BLOCKS);
        let at = self.tile_of(mode, tile).wrapping_add(block);
        // SAFETY: Bytes: `Sweep::new` checked that the planes have all blocks of all tiles, and planes of losses if `DRAWS` is set. The caller of
        // `new` promised that `tile` is one of them.
        // Alignment: a whole number of blocks from the first.
        // Threads: the caller of `new` promised that no other thread reads or writes the tile.
        unsafe {
            labels.wins.store_block(&mut *at);
            if DRAWS {
                labels.losses.store_block(&mut *at.wrapping_add(self.sweep.plane_blocks));
            }
        }
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
