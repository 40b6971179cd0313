//! Moves as operations of the kernel. A move is one operation for a whole tile, or up to three, exactly one of which
//! applies to each position.

use std::collections::HashMap;

use super::allowed::{Conditional, Ops};
use super::block::{BLOCKS, Block, Group, LOW, MID, TILE};
use super::part::PartMove;
use crate::rules::{Board, Mode};
use crate::simd::Shift;

/// How the kernel reads the successors of a block.
///
/// An operation of any kind but the last is legal exactly in the blocks in which the mid cells that it fills are empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum OpKind {
    /// The operation names no low cell: successors lie at the same bits.
    Aligned,
    /// Successors lie in the same word, some bits up.
    BitShift,
    /// Successors lie in another word, at the same bit.
    WordShift,
    /// Successors lie in another word and some bits up.
    WordAndBitShift,
    /// Anything else: the operation needs filled mid cells, or fills cells that may be filled already.
    Irregular,
}

impl OpKind {
    /// The kind of a move that fills empty cells only. `shift` is the distance to the successor, `mask` the positions
    /// of a block in which it is legal.
    pub(super) fn regular(shift: Shift, mask: &Block) -> Self {
        match (shift.words(), shift.bits()) {
            (0, 0) if *mask == Block::ONES => Self::Aligned,
            (0, _) => Self::BitShift,
            (_, 0) => Self::WordShift,
            _ => Self::WordAndBitShift,
        }
    }
}

/// An operation of the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Op {
    /// How its successors are read.
    pub(super) kind: OpKind,
    /// The mid cells it fills.
    pub(super) fills_mid: u8,
    /// The blocks in which it is legal, by their mid cells.
    pub(super) legal: Group,
    /// The distance to the successor within a block, by the low cells that are empty before.
    pub(super) shift: Shift,
    /// Low cells that it fills and that may be filled already.
    pub(super) spread: u16,
    /// The mode after it.
    pub(super) next: u16,
    /// The number of the planes that its successors lie in.
    pub(super) base: u32,
    /// `true` if these planes are of another slice, whose tiles are all finished.
    pub(super) is_elsewhere: bool,
    /// The number of the mask of positions of a block in which it is legal.
    pub(super) mask: u32,
    /// Upper cells that it fills.
    pub(super) fills_upper: u64,
    /// Upper cells that must be empty.
    pub(super) empty_upper: u64,
    /// Upper cells that must be filled.
    pub(super) full_upper: u64,
}

/// The operations of one mode, by how far they lead.
pub(super) struct ByReach<O = Op> {
    /// Into other tiles.
    pub(super) outer: Ops<O>,
    /// Into other blocks of the same tile.
    pub(super) inner: Ops<O>,
    /// Within the block.
    pub(super) low: Ops<O>,
}

impl<O: AsRef<Op>> ByReach<O> {
    /// The operations of these lists: outer, inner and low ones.
    pub(super) fn new(lists: [Vec<O>; 3]) -> Self {
        let [outer, inner, low] = lists.map(|mut ops| {
            // Operations of one kind are consecutive, so that the processor predicts the branch on their kind.
            ops.sort_by_key(|op| (op.as_ref().kind, op.as_ref().fills_mid));
            Ops::new(ops)
        });
        Self { outer, inner, low }
    }

    /// The three lists, in the order of their sets in [`Far`](super::allowed::Far).
    pub(super) const fn lists(&self) -> [&Ops<O>; 3] {
        [&self.outer, &self.inner, &self.low]
    }
}

/// The numbers of the lists of [`ByReach`].
pub(super) const OUTER: usize = 0;
pub(super) const INNER: usize = 1;
pub(super) const WITHIN: usize = 2;

/// The masks in use, each once.
#[derive(Default)]
pub(super) struct Masks {
    /// The masks, by number.
    pub(super) blocks: Vec<Block>,
    /// The numbers of the masks, by the low cells that must be empty and filled.
    of_cells: HashMap<(u64, u64), u32>,
}

impl Masks {
    /// The numbers of the masks, by the low cells that must be empty and filled.
    pub(super) fn of(&mut self, empty: u64, full: u64) -> u32 {
        *self.of_cells.entry((empty, full)).or_insert_with(|| {
            self.blocks.push(Block::of_cells(empty, full));
            self.blocks.len() as u32 - 1
        })
    }
}

/// The low part of a set of cells.
pub(super) const fn low(board: Board) -> u64 {
    board.low_word() & ((1 << LOW) - 1)
}

/// The mid part of a set of cells.
pub(super) const fn mid(board: Board) -> u8 {
    (board.low_word() >> LOW) as u8 & (BLOCKS as u8 - 1)
}

/// The upper part of a set of cells.
pub(super) const fn upper(board: Board) -> u64 {
    board.low_word() >> TILE
}

impl AsRef<Self> for Op {
    #[inline(always)]
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Op {
    /// The low cell that the operation fills alone and without further conditions, handing over in `mode` again.
    pub(super) fn low_single(&self, mode: u16, masks: &Masks) -> Option<u32> {
        let anywhere = self.empty_upper | self.full_upper == 0 && self.legal == Group::MAX && self.spread == 0;
        let within = anywhere && self.fills_upper == 0 && self.fills_mid == 0 && self.next == mode;
        let mask = masks.blocks[self.mask as usize];
        (0..LOW).find(|cell| within && self.shift.cells() == 1 << cell && mask == Block::of_cells(1 << cell, 0))
    }

    /// The mid cell that the operation fills alone and without further conditions, handing over in `mode` again.
    pub(super) fn mid_single(&self, mode: u16) -> Option<u32> {
        let anywhere = self.empty_upper | self.full_upper == 0 && self.kind == OpKind::Aligned && self.next == mode;
        (0..MID).find(|cell| anywhere && self.fills_upper == 0 && self.fills_mid == 1 << cell)
    }

    /// `true` if it leads out of `tile`. It does not if the upper cells that it fills are all filled there.
    #[inline(always)]
    pub(super) const fn leaves(&self, tile: u64) -> bool {
        self.is_elsewhere || tile | self.fills_upper != tile
    }

    /// `true` if its successors lie too far away to be in a core's first cache.
    #[inline(always)]
    pub(super) const fn is_far(&self) -> bool {
        /// The lowest upper cell that leads too far.
        const FAR: u32 = 6;
        self.is_elsewhere || self.fills_upper >> FAR != 0
    }

    /// The operation of a move to `next`, which is legal where the cells of `empty` are empty and those of `full` filled, in blocks that the
    /// caller adds. A cell that must be empty before the move is part of the shift. A cell that may be filled needs the
    /// spread, which fills it either way.
    pub(super) fn new(part: &PartMove, modes: u16, next: Mode, [empty, full]: [Board; 2], masks: &mut Masks) -> Self {
        let fills = part.within.fills & !part.within.full;
        let mask = masks.of(low(empty), low(full));
        let shift = Shift::of(low(fills & part.within.empty));
        Self {
            kind: OpKind::regular(shift, &masks.blocks[mask as usize]),
            fills_mid: mid(fills),
            legal: 0,
            shift,
            spread: low(fills & !part.within.empty) as u16,
            next: next.0,
            base: part.base(modes, next.0),
            is_elsewhere: part.is_elsewhere(),
            mask,
            fills_upper: upper(fills),
            empty_upper: upper(empty),
            full_upper: upper(full),
        }
    }

    /// The operation in the blocks that have no cell of `empty_mid` filled and every cell of `full_mid`, and that `keep` accepts; `None` if
    /// there are none.
    pub(super) fn in_blocks(self, empty_mid: u8, full_mid: u8, keep: impl Fn(u8) -> bool) -> Option<Self> {
        let fits = |block: u8| block & empty_mid == 0 && block & full_mid == full_mid && keep(block);
        let legal = (0..BLOCKS as u8).filter(|&block| fits(block)).fold(0, |set, block| set | 1 << block);
        (legal != 0).then_some(Self { legal, ..self })
    }
}

impl<O: AsRef<Op>> Conditional for O {
    fn is_allowed(&self, upper: u64, care: u64) -> bool {
        let op = self.as_ref();
        upper & op.empty_upper & care == 0 && !upper & op.full_upper & care == 0
    }
}

/// A move, split into upper, mid and low cells.
///
/// If a move fills an upper cell that must be empty before, its successors surely lie in another tile; the same holds
/// for mid cells and blocks. A bite of Chomp has no such cell: if all its upper cells are filled already, its
/// successors lie in the same tile. Such a move becomes two or three operations, exactly one of which applies to each
/// position. A move to another slice is one operation.
pub(super) struct Split {
    op: Op,
    /// Mid cells that it needs empty.
    empty_mid: u8,
    /// Mid cells that it needs filled.
    full_mid: u8,
    /// `true` if its low cells allow a kind other than [`OpKind::Irregular`].
    is_regular: bool,
}

impl Split {
    pub(super) fn new(part: &PartMove, modes: u16, masks: &mut Masks) -> Self {
        let m = &part.within;
        let op = Op::new(part, modes, m.next, [m.empty, m.full], masks);
        Self { op, empty_mid: mid(m.empty), full_mid: mid(m.full), is_regular: op.spread == 0 }
    }

    /// `true` if its successors may lie in the same tile: they lie in the same slice, and every upper cell that it fills
    /// may be filled before.
    const fn may_stay_in_tile(&self) -> bool {
        !self.op.is_elsewhere && self.op.fills_upper & self.op.empty_upper == 0
    }

    /// `true` if its successors may lie in the same block: every upper or mid cell that it fills may be filled before.
    const fn may_stay_in_block(&self) -> bool {
        self.may_stay_in_tile() && self.op.fills_mid & self.empty_mid == 0
    }

    /// The move into other tiles. The kernel skips it in tiles that it does not leave.
    pub(super) fn outer(&self) -> Option<Op> {
        let is_regular = self.is_regular && !self.may_stay_in_tile();
        let leaves = self.op.is_elsewhere || self.op.fills_upper != 0;
        if leaves { self.legal_where(self.op, is_regular, |_| true) } else { None }
    }

    /// The move into other blocks of the same tile.
    pub(super) fn inner(&self) -> Option<Op> {
        let filled = self.op.fills_mid;
        let leaves = |block| block | filled != block;
        if self.may_stay_in_tile() { self.legal_where(self.staying(), self.is_regular, leaves) } else { None }
    }

    /// The move within a block.
    pub(super) fn low(&self) -> Option<Op> {
        let filled = self.op.fills_mid;
        let stays = |block| block | filled == block;
        let op = Op { fills_mid: 0, ..self.staying() };
        if self.may_stay_in_block() { self.legal_where(op, self.is_regular, stays) } else { None }
    }

    /// The move in tiles in which all the upper cells that it fills are filled already.
    const fn staying(&self) -> Op {
        Op { full_upper: self.op.full_upper | self.op.fills_upper, fills_upper: 0, ..self.op }
    }

    /// The operation `op`, restricted to the blocks that `keep` accepts and the mid cells allow; `None` if there are none.
    fn legal_where(&self, op: Op, is_regular: bool, keep: impl Fn(u8) -> bool) -> Option<Op> {
        let is_regular = is_regular && self.empty_mid == op.fills_mid && self.full_mid == 0;
        let kind = if is_regular { op.kind } else { OpKind::Irregular };
        Op { kind, ..op }.in_blocks(self.empty_mid, self.full_mid, keep)
    }
}
