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
use super::plan::far_differs;
use super::scratch::Scratch;
use super::sweep::{Sweep, TileKernel};
use crate::rules::Outcome;
use crate::simd::{Boards, Unit, VectorUnit, Work};

impl Sweep<'_> {
    /// Labels `tiles`, last first.
    ///
    /// # Safety
    /// Every tile that a move leads to from one of these is among them, or is finished. No other thread reads or writes
    /// these tiles meanwhile.
    pub(super) unsafe fn label(&self, unit: VectorUnit, tiles: Range<u64>) {
        // SAFETY: the caller's promise is passed on.
        unsafe {
            if self.plan.draws {
                unit.run(LabelTiles::<true>::new(self, tiles));
            } else {
                unit.run(LabelTiles::<false>::new(self, tiles));
            }
        }
    }
}

/// Tiles to label, as work for a vector unit.
pub(super) struct LabelTiles<'a, const DRAWS: bool> {
    sweep: &'a Sweep<'a>,
    tiles: Range<u64>,
}

impl<'a, const DRAWS: bool> LabelTiles<'a, DRAWS> {
    /// Labels `tiles`, last first.
    ///
    /// # Safety
    /// As long as this exists, every tile that a move leads to from one of these is among them, or is finished. No
    /// other thread reads or writes these tiles.
    pub(super) unsafe fn new(sweep: &'a Sweep<'a>, tiles: Range<u64>) -> Self {
        Self { sweep, tiles }
    }
}

impl<const DRAWS: bool> Work for LabelTiles<'_, DRAWS> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        // SAFETY: the caller of `new` promised it.
        unsafe { TileKernel::<U::Bits, DRAWS> { sweep: self.sweep, token: unit.bits() }.run(self.tiles) }
    }
}

impl<V: Boards, const DRAWS: bool> TileKernel<'_, V, DRAWS> {
    /// Labels `tiles`, last first.
    ///
    /// # Safety
    /// Every tile that a move leads to from one of these is among them, or is finished. No other thread reads or writes
    /// these tiles meanwhile.
    #[inline(always)]
    unsafe fn run(&self, tiles: Range<u64>) {
        debug_assert!(tiles.end <= self.sweep.tiles() && DRAWS == self.sweep.plan.draws);
        let plans = &self.sweep.plan.modes;
        let mut scratch = Scratch::new(plans.len(), self.token);
        let mut previous = None;
        for tile in tiles.rev() {
            if previous.is_none_or(|previous| far_differs(previous, tile)) {
                for (plan, mode) in plans.iter().zip(&mut scratch.modes) {
                    plan.allow_far(tile, &mut mode.far);
                }
            }
            previous = Some(tile);
            // SAFETY: the caller's promise, and the tiles after this one were finished before.
            unsafe { self.tile(tile, &mut scratch) };
        }
    }

    /// Labels a tile.
    ///
    /// # Safety
    /// Every other tile that a move leads to from this one is finished. No other thread reads or writes it meanwhile.
    #[inline(always)]
    unsafe fn tile(&self, tile: u64, scratch: &mut Scratch<V>) {
        let plan = self.sweep.plan;
        for (of_mode, mode) in plan.modes.iter().zip(&mut scratch.modes) {
            // SAFETY: the caller promises that the tiles these moves lead to are finished.
            unsafe { self.outer(tile, &of_mode.outer, &mode.far.outer, &mut mode.moves) };
            let has_end = !of_mode.ends.is_empty();
            mode.moves_decide = !has_end && (plan.terminal == Outcome::Loss || of_mode.is_free(tile, &mode.far));
        }
        for group in 0..GROUPS.len() {
            // SAFETY: the caller's promise, and the groups before this one are finished.
            unsafe { self.group(tile, group, scratch) };
        }
    }

    /// Labels the blocks of a group.
    ///
    /// # Safety
    /// The groups before this one are finished. No other thread reads or writes `tile` meanwhile.
    #[inline(always)]
    unsafe fn group(&self, tile: u64, group: usize, scratch: &mut Scratch<V>) {
        let plans = self.sweep.plan.modes.as_slice();
        let blocks = GROUPS[group];
        for (number, (plan, mode)) in plans.iter().zip(&mut scratch.modes).enumerate() {
            // SAFETY: the caller promises that the groups before this one are finished.
            unsafe {
                self.mid_singles(number, tile, plan.mid_singles, group, &mut mode.moves);
                self.inner(tile, &plan.inner, &mode.far.inner, blocks, &mut mode.moves);
            }
        }
        match (plans, scratch.modes.as_slice()) {
            ([plan], [mode]) if !DRAWS && plan.all_single_moves && mode.moves_decide => {
                // SAFETY: the caller promises that the tile is this thread's.
                unsafe { self.cube(tile, group, &mode.moves) };
            }
            _ => {
                for block in bits_of(blocks) {
                    // SAFETY: the caller promises that the tile is this thread's.
                    unsafe { self.within(tile, block, scratch) };
                }
            }
        }
    }
}
