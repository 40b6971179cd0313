//! The kernel: retrograde induction 512 positions at a time.
//!
//! ```text
//! for each tile, from the full board down:                                    8192 positions of every mode
//!     for each mode:
//!         wins[16] = none
//!         for each move into another tile that the tile's upper cells allow:  two table look-ups, one AND
//!             for each of the tile's 16 blocks that its mid cells allow:
//!                 wins[block] |= legal & !moved(win plane of the successors)  a load, a shift, one operation
//!     for each group of blocks with equally many mid cells filled, from the full one down:
//!         the same for the moves into other blocks of this tile, which are of earlier groups
//!         repeat until nothing changes:
//!             the same for the moves within the block
//!         store the blocks
//! ```
//!
//! If the rules can draw there are two planes, and next to `wins` the kernel gathers `safe`: positions with a move that
//! does not leave a win to the opponent. A position that has moves but is not safe is lost.
//!
//! The algorithm is written once, over [`Boards`]: moves into other blocks in [`gather`](super::gather), those within a
//! block in [`within`](super::within) and [`cube`](super::cube), and here what calls them.

use std::ops::Range;

use super::block::{GROUPS, bits_of};
use super::op::{INNER, OUTER};
use super::scratch::Scratch;
use super::sweep::{Sweep, TileKernel};
use crate::rules::Outcome;
use crate::simd::{Boards, Unit, VectorUnit, Work};

impl Sweep<'_> {
    /// Labels `tiles`, last first.
    ///
    /// # Safety
    /// - Bytes: `tiles` are tiles of this sweep.
    /// - Threads: every tile that a move leads to from one of these is among them, or is finished. No other thread reads or
    ///   writes these tiles meanwhile.
    pub(super) unsafe fn label(&self, unit: VectorUnit, tiles: Range<u64>) {
        if self.plan.draws {
            unit.run(LabelTiles::<true> { sweep: self, tiles });
        } else {
            unit.run(LabelTiles::<false> { sweep: self, tiles });
        }
    }
}

/// Tiles to label, as work for a vector unit. [`Sweep::label`] alone makes it.
struct LabelTiles<'a, const DRAWS: bool> {
    sweep: &'a Sweep<'a>,
    tiles: Range<u64>,
}

impl<const DRAWS: bool> Work for LabelTiles<'_, DRAWS> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        // SAFETY: the kernel gets `tiles`, last first, and the caller of `Sweep::label` promised the rest.
        unsafe { TileKernel::<U::Boards, DRAWS>::new(self.sweep, unit.boards()) }.run(self.tiles);
    }
}

impl<V: Boards, const DRAWS: bool> TileKernel<'_, V, DRAWS> {
    /// Labels `tiles`, last first.
    #[inline(always)]
    fn run(&self, tiles: Range<u64>) {
        debug_assert!(tiles.end <= self.sweep.tiles() && DRAWS == self.sweep.plan.draws);
        let plans = &self.sweep.plan.modes;
        let mut scratch = Scratch::new(plans.len(), self.token);
        for tile in tiles.rev() {
            for (plan, mode) in plans.iter().zip(&mut scratch.modes) {
                mode.far.renew(plan.ops.lists().into_iter(), tile);
            }
            self.tile(tile, &mut scratch);
        }
    }

    /// Labels a tile.
    #[inline(always)]
    fn tile(&self, tile: u64, scratch: &mut Scratch<V>) {
        let plan = self.sweep.plan;
        for (of_mode, mode) in plan.modes.iter().zip(&mut scratch.modes) {
            self.outer(tile, &of_mode.ops.outer, mode.far.of(OUTER), &mut mode.moves);
            let has_end = !of_mode.ends.is_empty();
            mode.moves_decide = !has_end && (plan.terminal == Outcome::Loss || of_mode.is_free(tile, &mode.far));
        }
        for group in 0..GROUPS.len() {
            self.group(tile, group, scratch);
        }
    }

    /// Labels the blocks of a group. The groups before it are finished.
    #[inline(always)]
    fn group(&self, tile: u64, group: usize, scratch: &mut Scratch<V>) {
        let plans = self.sweep.plan.modes.as_slice();
        let blocks = GROUPS[group];
        for (number, (plan, mode)) in plans.iter().zip(&mut scratch.modes).enumerate() {
            self.mid_singles(number, tile, plan.mid_singles, group, &mut mode.moves);
            // These operations lead to blocks of the same tile with more mid cells filled, which belong to earlier groups.
            self.allowed(tile, &plan.ops.inner, mode.far.of(INNER), blocks, &mut mode.moves);
        }
        match (plans, scratch.modes.as_slice()) {
            ([plan], [mode]) if !DRAWS && plan.all_single_moves && mode.moves_decide => {
                self.cube(tile, group, &mode.moves);
            }
            _ => {
                for block in bits_of(blocks) {
                    self.within(tile, block, scratch);
                }
            }
        }
    }
}
