//! The marking kernel: reachability bits, 512 boards at a time.
//!
//! ```text
//! for each tile, from the empty board up:
//!     for each mode:
//!         marks[16] = the starts there
//!         for each move to this mode from another tile, if the tile's upper cells are as it leaves them:
//!             for each of the tile's 16 blocks whose mid cells are so:
//!                 marks[block] |= mask & raised(ongoing positions that the move comes from)
//!     for each group of blocks with equally many mid cells filled, from the empty one up:
//!         the same for the moves from other blocks of this tile, which are of earlier groups
//!         repeat until nothing changes:
//!             the same for the moves within the block
//!         store the blocks, and without completed patterns as ongoing positions
//! ```
//!
//! A move that fills cells which may be filled already comes from several boards: one for each choice of these cells.
//!
//! As in the labelling kernel, what handles vectors is written in loops and inlined into what is compiled for each vector
//! unit.

use std::ops::Range;

use super::plan::BackwardOp;
use super::{ReachabilitySweep, block_of};
use crate::dense::allowed::{Far, Ops};
use crate::dense::block::{BLOCKS, Block, EMPTY, FILLED, GROUPS, Group, bits_of};
use crate::dense::op::{INNER, OUTER, Op, OpKind, WITHIN};
use crate::simd::{Boards, Shift, Unit, Work};

const ALIGNED: u8 = OpKind::Aligned as u8;
const BIT_SHIFT: u8 = OpKind::BitShift as u8;
const WORD_SHIFT: u8 = OpKind::WordShift as u8;
const WORD_AND_BIT_SHIFT: u8 = OpKind::WordAndBitShift as u8;

/// Tiles to mark, as work for a vector unit.
pub(super) struct ReachTiles<'a> {
    sweep: &'a ReachabilitySweep<'a>,
    tiles: Range<u64>,
}

impl<'a> ReachTiles<'a> {
    /// Marks `tiles`, first to last.
    ///
    /// # Safety
    /// As long as this exists:
    /// - Bytes: `tiles` are tiles of `sweep`.
    /// - Threads: every tile that a move comes from to one of these is among them, or is finished. No other thread reads or
    ///   writes these tiles.
    pub(super) unsafe fn new(sweep: &'a ReachabilitySweep<'a>, tiles: Range<u64>) -> Self {
        Self { sweep, tiles }
    }
}

impl Work for ReachTiles<'_> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        ReachKernel::<U::Boards> { sweep: self.sweep, token: unit.boards() }.run(self.tiles);
    }
}

/// One thread's view of some tiles, with one vector unit. [`ReachTiles`] alone makes it, and gives it its tiles first to last.
struct ReachKernel<'a, V: Boards> {
    sweep: &'a ReachabilitySweep<'a>,
    token: V::Token,
}

/// A thread's working memory for one mode.
#[derive(Clone)]
struct ModeScratch<V> {
    /// The operations that the far upper cells of the current tile allow.
    far: Far,
    /// The reachability bits of the tile's blocks.
    tile: [V; BLOCKS],
    /// The reachability bits of the current block.
    block: V,
    /// The positions of the current block with a complete terminal pattern.
    over: V,
}

impl<V: Boards> ReachKernel<'_, V> {
    /// Marks `tiles`, first to last.
    #[inline(always)]
    fn run(&self, tiles: Range<u64>) {
        let none = V::none(self.token);
        let plans = &self.sweep.plan.modes;
        let scratch = ModeScratch { far: Far::default(), tile: [none; BLOCKS], block: none, over: none };
        let mut scratch = vec![scratch; plans.len()];
        for tile in tiles {
            for (plan, mode) in plans.iter().zip(&mut scratch) {
                mode.far.renew(plan.ops.lists().into_iter(), tile);
            }
            self.tile(tile, &mut scratch);
        }
    }

    /// Marks a tile.
    #[inline(always)]
    fn tile(&self, tile: u64, scratch: &mut [ModeScratch<V>]) {
        let plans = &self.sweep.plan.modes;
        for (plan, mode) in plans.iter().zip(&mut *scratch) {
            let mut gathered = [V::none(self.token); BLOCKS];
            self.gather(tile, &plan.ops.outer, mode.far.of(OUTER), Group::MAX, &mut gathered);
            mode.tile = gathered;
        }
        for &(index, mode) in self.sweep.starts_in(tile) {
            let (block, bit) = block_of(index);
            let mut start = [0; 8];
            start[(bit >> 6) as usize] = 1 << (bit & 63);
            let marks = &mut scratch[usize::from(mode)].tile[block];
            *marks = marks.or(V::of(self.token, &start));
        }
        for group in (0..GROUPS.len()).rev() {
            let blocks = GROUPS[group];
            for (plan, mode) in plans.iter().zip(&mut *scratch) {
                self.gather(tile, &plan.ops.inner, mode.far.of(INNER), blocks, &mut mode.tile);
            }
            for block in bits_of(blocks) {
                self.within(tile, block, scratch);
            }
        }
    }

    /// Adds the moves of `ops` that may lead to `tile` to `marks`, for the blocks of `group`.
    #[inline(always)]
    fn gather(&self, tile: u64, ops: &Ops<BackwardOp>, far: &[u64], group: Group, marks: &mut [V; BLOCKS]) {
        for mark in ops.allowed(tile, far) {
            let op = &mark.op;
            let blocks = op.legal & group;
            match op.kind {
                OpKind::Aligned => self.each::<ALIGNED>(op, tile, blocks, marks),
                OpKind::BitShift => self.each::<BIT_SHIFT>(op, tile, blocks, marks),
                OpKind::WordShift => self.each::<WORD_SHIFT>(op, tile, blocks, marks),
                OpKind::WordAndBitShift => self.each::<WORD_AND_BIT_SHIFT>(op, tile, blocks, marks),
                OpKind::Irregular => self.each_choice(mark, tile, blocks, marks),
            }
        }
    }

    /// Adds a move of the given kind, which is not irregular, to `marks`, for `blocks`.
    #[inline(always)]
    fn each<const KIND: u8>(&self, op: &Op, tile: u64, blocks: Group, marks: &mut [V; BLOCKS]) {
        // A copy: the compiler cannot know that storing to `marks` does not change what a reference leads to.
        let op = *op;
        let at = self.sweep.came_from(&op, tile & !op.fills_upper);
        let (mask, fills) = (self.mask(&op), usize::from(op.fills_mid));
        let is_far = op.is_far();
        for block in bits_of(blocks) {
            let at = at.wrapping_add(block & !fills);
            if is_far {
                // The next tile most likely needs the blocks just behind.
                V::prefetch(at.wrapping_add(BLOCKS));
            }
            let ongoing = V::load_block(self.token, self.finished(at));
            let moved = match KIND {
                ALIGNED => ongoing,
                BIT_SHIFT => ongoing.raised(op.shift.bits_only()),
                WORD_SHIFT => ongoing.raised(op.shift.words_only()),
                _ => ongoing.raised(op.shift),
            };
            marks[block] = if KIND == ALIGNED { marks[block].or(moved) } else { marks[block].or_and(mask, moved) };
        }
    }

    /// Adds an irregular move to `marks`, for `blocks`, with every choice of the cells that were filled before.
    #[inline(always)]
    fn each_choice(&self, mark: &BackwardOp, tile: u64, blocks: Group, marks: &mut [V; BLOCKS]) {
        let BackwardOp { op, spread_upper, spread_mid, may_stay } = *mark;
        let mask = self.mask(&op);
        let mut held_upper = spread_upper;
        loop {
            let at = self.sweep.came_from(&op, tile & !op.fills_upper | held_upper);
            let mut held_mid = spread_mid;
            loop {
                // If all of them were filled before, the move stays in its tile or block: another operation covers that.
                let stays = may_stay && held_upper == spread_upper && (op.fills_upper != 0 || held_mid == spread_mid);
                if !stays {
                    for block in bits_of(blocks) {
                        let at = at.wrapping_add(block & !usize::from(op.fills_mid) | usize::from(held_mid));
                        let ongoing = V::load_block(self.token, self.finished(at));
                        marks[block] = marks[block].or_and(mask, self.raised(&op, ongoing));
                    }
                }
                if held_mid == 0 {
                    break;
                }
                held_mid = (held_mid - 1) & spread_mid;
            }
            if held_upper == 0 {
                break;
            }
            held_upper = (held_upper - 1) & spread_upper;
        }
    }

    /// The block at `at`: [`came_from`](ReachabilitySweep::came_from) an operation, plus the number of a block of the tile.
    #[inline(always)]
    const fn finished(&self, at: *const Block) -> &Block {
        // SAFETY: Bytes: the operation comes from a tile of the sweep, with fewer cells of the board filled. `ReachabilitySweep::new` checked that
        // the planes have all blocks of all tiles.
        // Alignment: a whole number of blocks from the first.
        // Threads: the block is of a tile that a move comes from, which the caller of `ReachTiles::new` promised is finished or was marked
        // by this view before; or of this tile, with fewer mid cells filled, and so of a group that is finished.
        unsafe { &*at }
    }

    /// The boards that a move leads to from a block, by its low cells. The result is unspecified outside the
    /// operation's mask.
    #[inline(always)]
    fn raised(&self, op: &Op, mut block: V) -> V {
        // With the cell filled or empty before: either way it is filled afterwards.
        for cell in bits_of(op.spread) {
            let empty = block.and(V::load_block(self.token, &EMPTY[cell]));
            block = block.or(empty.raised(Shift::of(1 << cell))).and(V::load_block(self.token, &FILLED[cell]));
        }
        block.raised(op.shift)
    }

    /// The boards of a block that `op` may lead to.
    #[inline(always)]
    fn mask(&self, op: &Op) -> V {
        V::load_block(self.token, self.sweep.plan.mask(op))
    }

    /// Adds the moves within a block, in every mode, and stores its reachability bits if there are any.
    #[inline(always)]
    fn within(&self, tile: u64, block: usize, scratch: &mut [ModeScratch<V>]) {
        let mut any = V::none(self.token);
        for mode in &*scratch {
            any = any.or(mode.tile[block]);
        }
        if any.same(V::none(self.token)) {
            // No position is reachable here, and the planes are zero already.
            return;
        }
        let plans = &self.sweep.plan.modes;
        for (plan, mode) in plans.iter().zip(&mut *scratch) {
            mode.block = mode.tile[block];
            mode.over = V::none(self.token);
            for end in &plan.ends {
                if end.is_met(tile, block) {
                    mode.over = mode.over.or(V::load_block(self.token, &end.mask));
                }
            }
        }
        while self.round(tile, block, scratch) {}
        for (number, mode) in scratch.iter().enumerate() {
            let reached = self.sweep.reached_of(number, tile).wrapping_add(block);
            let ongoing = self.sweep.ongoing_of(number, tile).wrapping_add(block);
            // SAFETY: Bytes: `ReachabilitySweep::new` checked that both planes have all blocks of all tiles, and the caller of `ReachTiles::new`
            // promised that `tile` is one of them. `block` is below 16.
            // Alignment: a whole number of blocks from the first.
            // Threads: the caller of `ReachTiles::new` promised that no other thread reads or writes the tile. If both are one block, it is
            // written once.
            unsafe {
                mode.block.store_block(&mut *reached);
                if ongoing != reached {
                    mode.block.without(mode.over).store_block(&mut *ongoing);
                }
            }
        }
    }

    /// Makes every move within a block once more, in every mode. Returns whether a mark was added.
    #[inline(always)]
    fn round(&self, tile: u64, block: usize, scratch: &mut [ModeScratch<V>]) -> bool {
        let mut has_changed = false;
        for (number, plan) in self.sweep.plan.modes.iter().enumerate() {
            if plan.ops.low.is_empty() {
                continue;
            }
            let before = scratch[number].block;
            let mut marks = before;
            for mark in plan.ops.low.allowed(tile, scratch[number].far.of(WITHIN)) {
                if mark.op.legal >> block & 1 == 1 {
                    let from = &scratch[usize::from(mark.op.next)];
                    let ongoing = if usize::from(mark.op.next) == number { marks } else { from.block };
                    marks = marks.or_and(self.mask(&mark.op), self.raised(&mark.op, ongoing.without(from.over)));
                }
            }
            has_changed |= !marks.same(before);
            scratch[number].block = marks;
        }
        has_changed
    }
}
