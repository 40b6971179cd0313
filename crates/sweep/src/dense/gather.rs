//! Moves into other tiles and blocks: the inner loops of the kernel.

use super::allowed::Ops;
use super::block::{ALL, BLOCKS, Block, FILLED, Group, bits_of};
use super::labels::{LabelMoves, Labels, TileMoves};
use super::op::{Op, OpKind};
use super::sweep::TileKernel;
use crate::simd::{Boards, Shift};

const ALIGNED: u8 = OpKind::Aligned as u8;
const BIT_SHIFT: u8 = OpKind::BitShift as u8;
const WORD_SHIFT: u8 = OpKind::WordShift as u8;
const WORD_AND_BIT_SHIFT: u8 = OpKind::WordAndBitShift as u8;
const IRREGULAR: u8 = OpKind::Irregular as u8;

impl<V: Boards, const DRAWS: bool> TileKernel<'_, V, DRAWS> {
    /// Sets `moves` to the moves from `tile` into other tiles.
    #[inline(always)]
    pub(super) fn outer(&self, tile: u64, ops: &Ops<Op>, far: &[u64], moves: &mut TileMoves<V>) {
        // A constant, so that the unrolled code is not even compiled where it is not used.
        if const { !(if DRAWS { V::UNROLLED_DRAWS } else { V::UNROLLED }) } {
            *moves = [LabelMoves::none(self.token); BLOCKS];
            return self.allowed(tile, ops, far, ALL, moves);
        }
        // A variable of its own, indexed by constants alone, so that it stays in registers.
        let mut gathered = [LabelMoves::none(self.token); BLOCKS];
        for op in ops.allowed(tile, far) {
            match op.kind {
                OpKind::Aligned => self.unrolled::<ALIGNED>(op, tile, &mut gathered),
                OpKind::BitShift => self.unrolled::<BIT_SHIFT>(op, tile, &mut gathered),
                OpKind::WordShift => self.unrolled::<WORD_SHIFT>(op, tile, &mut gathered),
                OpKind::WordAndBitShift => self.unrolled::<WORD_AND_BIT_SHIFT>(op, tile, &mut gathered),
                OpKind::Irregular if !op.leaves(tile) => {}
                OpKind::Irregular => self.each_unrolled::<IRREGULAR, BLOCKS>(op, tile, &mut gathered),
            }
        }
        *moves = gathered;
    }

    /// Adds a move into another tile to `moves`, for all blocks.
    #[inline(always)]
    fn unrolled<const KIND: u8>(&self, op: &Op, tile: u64, moves: &mut TileMoves<V>) {
        match op.fills_mid {
            0 => self.each_unrolled::<KIND, 0>(op, tile, moves),
            1 => self.each_unrolled::<KIND, 1>(op, tile, moves),
            2 => self.each_unrolled::<KIND, 2>(op, tile, moves),
            3 => self.each_unrolled::<KIND, 3>(op, tile, moves),
            4 => self.each_unrolled::<KIND, 4>(op, tile, moves),
            5 => self.each_unrolled::<KIND, 5>(op, tile, moves),
            6 => self.each_unrolled::<KIND, 6>(op, tile, moves),
            7 => self.each_unrolled::<KIND, 7>(op, tile, moves),
            8 => self.each_unrolled::<KIND, 8>(op, tile, moves),
            9 => self.each_unrolled::<KIND, 9>(op, tile, moves),
            10 => self.each_unrolled::<KIND, 10>(op, tile, moves),
            11 => self.each_unrolled::<KIND, 11>(op, tile, moves),
            12 => self.each_unrolled::<KIND, 12>(op, tile, moves),
            13 => self.each_unrolled::<KIND, 13>(op, tile, moves),
            14 => self.each_unrolled::<KIND, 14>(op, tile, moves),
            _ => self.each_unrolled::<KIND, 15>(op, tile, moves),
        }
    }

    /// As [`each`](Self::each) for all blocks, unrolled block by block: in a loop the compiler would keep `moves` in
    /// memory. `FILLED` are the mid cells that the operation fills, or [`BLOCKS`] if they are not constant.
    #[inline(always)]
    #[expect(clippy::bad_bit_mask, reason = "a move that fills no mid cell is legal in every block")]
    fn each_unrolled<const KIND: u8, const FILLED: usize>(&self, op: &Op, tile: u64, moves: &mut TileMoves<V>) {
        let (mask, at) = (self.mask(op), self.successors_of(op, tile));
        macro_rules! blocks {
            ($do:ident: $($block:literal)*) => {
                $(
                    let (is_legal, successors) = if FILLED == BLOCKS {
                        (op.legal >> $block & 1 == 1, $block | usize::from(op.fills_mid))
                    } else {
                        ($block & FILLED == 0, $block | FILLED)
                    };
                    if is_legal {
                        $do!($block, at.wrapping_add(successors));
                    }
                )*
            };
        }
        macro_rules! add {
            ($block:literal, $at:expr) => {
                let labels = self.fetch::<KIND>(op, $at);
                moves[$block].add::<DRAWS>(mask, labels);
            };
        }
        // The next tile most likely needs the blocks just before. This loop is not unrolled: it keeps no labels in registers.
        if op.is_far() {
            for block in 0..BLOCKS {
                let (is_legal, successors) = match FILLED {
                    BLOCKS => (op.legal >> block & 1 == 1, block | usize::from(op.fills_mid)),
                    filled => (block & filled == 0, block | filled),
                };
                if is_legal {
                    V::prefetch(at.wrapping_add(successors).wrapping_sub(BLOCKS));
                }
            }
        }
        blocks!(add: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    }

    /// Adds the operations of `ops` that `tile` allows to `moves`, for the blocks of `group`.
    #[inline(always)]
    pub(super) fn allowed(&self, tile: u64, ops: &Ops<Op>, far: &[u64], group: Group, moves: &mut TileMoves<V>) {
        for op in ops.allowed(tile, far) {
            let blocks = op.legal & group;
            match op.kind {
                OpKind::Aligned => self.each::<ALIGNED>(op, tile, blocks, moves),
                OpKind::BitShift => self.each::<BIT_SHIFT>(op, tile, blocks, moves),
                OpKind::WordShift => self.each::<WORD_SHIFT>(op, tile, blocks, moves),
                OpKind::WordAndBitShift => self.each::<WORD_AND_BIT_SHIFT>(op, tile, blocks, moves),
                // If the upper cells that an outer move fills are filled already, it does not leave the tile.
                OpKind::Irregular if op.fills_upper != 0 && !op.leaves(tile) => {}
                OpKind::Irregular => self.each::<IRREGULAR>(op, tile, blocks, moves),
            }
        }
    }

    /// Adds a move to `moves`, for `blocks`, in which it is legal.
    #[inline(always)]
    fn each<const KIND: u8>(&self, op: &Op, tile: u64, blocks: Group, moves: &mut TileMoves<V>) {
        // A copy: the compiler cannot know that storing to `moves` does not change what `op` refers to.
        let op = *op;
        let fills = usize::from(op.fills_mid);
        let (mask, at) = (self.mask(&op), self.successors_of(&op, tile));
        if op.is_far() {
            // The next tile most likely needs the blocks just before.
            for block in bits_of(blocks) {
                V::prefetch(at.wrapping_add(block | fills).wrapping_sub(BLOCKS));
            }
        }
        for block in bits_of(blocks) {
            // Both are equal if the move is legal only where these cells are empty. But a sum is computed in two steps,
            // the first of them once for all blocks.
            let successors = if KIND == IRREGULAR { block | fills } else { block + fills };
            let at = at.wrapping_add(successors);
            let labels = self.fetch::<KIND>(&op, at);
            moves[block].add::<DRAWS>(mask, labels);
        }
    }

    /// The labels of the successors of a block by a move of the given kind, which lie in the block at `at` and in the
    /// same one of the plane of losses.
    #[inline(always)]
    fn fetch<const KIND: u8>(&self, op: &Op, at: *const Block) -> Labels<V> {
        let wins = self.fetch_plane::<KIND>(op, at);
        Labels { wins, losses: if DRAWS { self.fetch_plane::<KIND>(op, self.losses(at)) } else { V::none(self.token) } }
    }

    /// The successors of a block by a move of the given kind, from the block at `at`.
    #[inline(always)]
    fn fetch_plane<const KIND: u8>(&self, op: &Op, at: *const Block) -> V {
        let block = self.finished(at);
        match KIND {
            ALIGNED => V::load_block(self.token, block),
            BIT_SHIFT => V::load_lowered(self.token, block, op.shift.bits_only()),
            WORD_SHIFT => V::load_lowered(self.token, block, op.shift.words_only()),
            WORD_AND_BIT_SHIFT => V::load_lowered(self.token, block, op.shift),
            _ => self.moved(op, V::load_block(self.token, block)),
        }
    }

    /// The successors of a block by any move, from the block they lie in.
    #[inline(always)]
    pub(super) fn moved(&self, op: &Op, mut block: V) -> V {
        let mut rest = op.spread;
        while rest != 0 {
            let cell = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let filled = V::load_block(self.token, &FILLED[cell]);
            let kept = block.and(filled);
            block = kept.or(kept.lowered(Shift::of(1 << cell)).without(filled));
        }
        block.lowered(op.shift)
    }

    /// Adds the moves that fill one of the mid cells `cells` alone to `moves`, for the blocks of group `group`. It is
    /// unrolled, as [`each_unrolled`](Self::each_unrolled): about 1.03 times as fast as loops on tactics 5x6, one core,
    /// AVX-512.
    #[inline(always)]
    pub(super) fn mid_singles(&self, mode: usize, tile: u64, cells: u8, group: usize, moves: &mut TileMoves<V>) {
        if cells == 0 {
            return;
        }
        let (every, at) = (self.every(), self.tile_of(mode, tile));
        macro_rules! blocks {
            ($($block:literal)*) => {
                $(
                    let mut found = moves[$block];
                    cells!($block, found, 0 1 2 3);
                    moves[$block] = found;
                )*
            };
        }
        macro_rules! cells {
            ($block:literal, $found:ident, $($cell:literal)*) => {
                $(
                    if $block >> $cell & 1 == 0 && cells >> $cell & 1 == 1 {
                        // The block has one mid cell more filled, and so is one of the group before.
                        let labels = self.labels_at(at.wrapping_add($block | 1 << $cell));
                        $found.add::<DRAWS>(every, labels);
                    }
                )*
            };
        }
        // The blocks of `GROUPS`. The only block of the first group has every mid cell filled.
        match group {
            0 => {}
            1 => {
                blocks!(14 13 11 7);
            }
            2 => {
                blocks!(12 10 9 6 5 3);
            }
            3 => {
                blocks!(8 4 2 1);
            }
            _ => {
                blocks!(0);
            }
        }
    }
}
