//! A move as the kernel makes it: one operation for a whole tile, or up to three of which each position meets one.

use std::collections::HashMap;

use super::block::{BLOCKS, Block, Group, LOW, MID, Shift, TILE};
use super::part::PartMove;
use crate::rules::Board;

/// How the successors of a block are read: which loop of the kernel serves an operation.
///
/// All but the last are legal exactly in the blocks whose mid cells that the operation fills are empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum OpKind {
    /// Fills no low cell and asks for none: bit by bit where the block's own positions are.
    Aligned,
    /// Successors lie in the same word, some bits up.
    BitShift,
    /// Successors lie in another word, at the same bit.
    WordShift,
    /// Successors lie in another word and some bits up.
    WordAndBitShift,
    /// Anything else: asks for filled mid cells, or fills cells that may be filled already.
    Irregular,
}

impl OpKind {
    /// The loop for a move that fills no cell which may be filled already: `shift` is how far it leads, and `mask` where in a
    /// block it is legal.
    pub(super) fn regular(shift: Shift, mask: &Block) -> Self {
        match (shift.words(), shift.bits()) {
            (0, 0) if *mask == Block::ONES => Self::Aligned,
            (0, _) => Self::BitShift,
            (_, 0) => Self::WordShift,
            _ => Self::WordAndBitShift,
        }
    }
}

/// A move as the kernel makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Op {
    /// Which loop serves it.
    pub(super) kind: OpKind,
    /// The mid cells it fills.
    pub(super) fills_mid: u8,
    /// The blocks in which it is legal, as far as the mid cells tell.
    pub(super) legal: Group,
    /// How far up in its block the successor lies, apart from what `spread` fills.
    pub(super) shift: Shift,
    /// Low cells that it fills and that may be filled already.
    pub(super) spread: u16,
    /// The mode it hands over in.
    pub(super) next: u16,
    /// Which of the sweep's bases its successors are found from.
    pub(super) base: u32,
    /// Whether that is one of another region, whose tiles are all finished.
    pub(super) is_elsewhere: bool,
    /// Which of the plan's masks says where in a block it is legal.
    pub(super) mask: u32,
    /// The tile of its successors: these upper bits are added.
    pub(super) fills_upper: u64,
    /// Upper cells that must be empty.
    pub(super) empty_upper: u64,
    /// Upper cells that must be filled.
    pub(super) full_upper: u64,
}

/// The operations of one mode's moves, by where they lead.
#[derive(Default)]
pub(super) struct ByReach {
    /// Into other tiles.
    pub(super) outer: Vec<Op>,
    /// Into other blocks of the same tile.
    pub(super) inner: Vec<Op>,
    /// Within the block.
    pub(super) low: Vec<Op>,
}

impl ByReach {
    /// Adds the operations of `m`, a move of a region of rules with so many modes.
    pub(super) fn add(&mut self, m: &PartMove, modes: u16, masks: &mut Masks) {
        let split = Split::new(m, modes, masks);
        self.outer.extend(split.outer());
        self.inner.extend(split.inner());
        self.low.extend(split.low());
    }
}

/// The masks in use, each once.
#[derive(Default)]
pub(super) struct Masks {
    /// The masks, by number.
    pub(super) blocks: Vec<Block>,
    /// The number of the mask for low cells that must be empty and filled.
    of_cells: HashMap<(u64, u64), u32>,
}

impl Masks {
    /// The number of the mask for low cells that must be empty and filled.
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

    /// Whether, as one that leads out of its tile, it leads out of `tile`: upper cells that it fills may all be filled there.
    #[inline(always)]
    pub(super) const fn leaves(&self, tile: u64) -> bool {
        self.is_elsewhere || tile | self.fills_upper != tile
    }

    /// Whether its successors lie farther away than a core's first cache reaches.
    #[inline(always)]
    pub(super) const fn is_far(&self) -> bool {
        /// A move that fills an upper cell of this number or a higher one leads so far.
        const FAR: u32 = 6;
        self.is_elsewhere || self.fills_upper >> FAR != 0
    }

    /// Whether the cells `care` of `upper` are as the operation wants them.
    pub(super) const fn is_allowed(&self, upper: u64, care: u64) -> bool {
        upper & self.empty_upper & care == 0 && upper & self.full_upper & care == self.full_upper & care
    }
}

/// A move, split by where its cells lie.
///
/// Which tile and which block its successors lie in follows from the cells it fills, if one of them is sure to be empty.
/// A bite of Chomp need not have one there: if all the upper cells it names are filled already, its successors lie in
/// the same tile. Such a move becomes two operations or three, of which each position meets one. A move that leads to another
/// region is one operation, whatever it fills of this one's cells.
struct Split {
    op: Op,
    /// Mid cells that it needs empty.
    empty_mid: u8,
    /// Mid cells that it needs filled.
    full_mid: u8,
    /// Whether its low cells alone let a plain loop serve it.
    is_regular: bool,
}

impl Split {
    fn new(part: &PartMove, modes: u16, masks: &mut Masks) -> Self {
        let m = &part.within;
        let mask = masks.of(low(m.empty), low(m.full));
        let fills = m.fills & !m.full;
        // What is sure to be empty is passed over by a shift; what may be filled is filled by spreading.
        let (sure, spread) = (low(fills & m.empty), low(fills & !m.empty));
        let shift = Shift::of(sure);
        let kind = OpKind::regular(shift, &masks.blocks[mask as usize]);
        let op = Op {
            kind,
            fills_mid: mid(fills),
            legal: 0,
            shift,
            spread: spread as u16,
            next: m.next.0,
            base: part.base(modes, m.next.0),
            is_elsewhere: part.is_elsewhere(),
            mask,
            fills_upper: upper(fills),
            empty_upper: upper(m.empty),
            full_upper: upper(m.full),
        };
        Self { op, empty_mid: mid(m.empty), full_mid: mid(m.full), is_regular: spread == 0 }
    }

    /// Whether its successors may lie in its own tile: no upper cell that it fills is sure to be empty, and they lie in its own
    /// region.
    const fn may_stay_in_tile(&self) -> bool {
        !self.op.is_elsewhere && self.op.fills_upper & self.op.empty_upper == 0
    }

    /// Whether its successors may lie in its own block: no upper and no mid cell that it fills is sure to be empty.
    const fn may_stay_in_block(&self) -> bool {
        self.may_stay_in_tile() && self.op.fills_mid & self.empty_mid == 0
    }

    /// The move into other tiles. The kernel passes it over in tiles that it does not leave.
    fn outer(&self) -> Option<Op> {
        let is_regular = self.is_regular && !self.may_stay_in_tile();
        let leaves = self.op.is_elsewhere || self.op.fills_upper != 0;
        if leaves { self.legal_where(self.op, is_regular, |_| true) } else { None }
    }

    /// The move into other blocks of its own tile.
    fn inner(&self) -> Option<Op> {
        let filled = self.op.fills_mid;
        let leaves = |block| block | filled != block;
        if self.may_stay_in_tile() { self.legal_where(self.staying(), self.is_regular, leaves) } else { None }
    }

    /// The move within its own block.
    fn low(&self) -> Option<Op> {
        let filled = self.op.fills_mid;
        let stays = |block| block | filled == block;
        let op = Op { fills_mid: 0, ..self.staying() };
        if self.may_stay_in_block() { self.legal_where(op, self.is_regular, stays) } else { None }
    }

    /// The move in tiles in which all the upper cells that it fills are filled already.
    const fn staying(&self) -> Op {
        Op { full_upper: self.op.full_upper | self.op.fills_upper, fills_upper: 0, ..self.op }
    }

    /// The operation `op`, legal in the blocks that `keep` keeps and the mid cells allow; `None` if there are none.
    fn legal_where(&self, op: Op, is_regular: bool, keep: impl Fn(u8) -> bool) -> Option<Op> {
        let fits = |block: u8| block & self.empty_mid == 0 && block & self.full_mid == self.full_mid && keep(block);
        let legal = (0..BLOCKS as u8).filter(|&block| fits(block)).fold(0, |set, block| set | 1 << block);
        let is_regular = is_regular && self.empty_mid == op.fills_mid && self.full_mid == 0;
        let kind = if is_regular { op.kind } else { OpKind::Irregular };
        (legal != 0).then_some(Op { legal, kind, ..op })
    }
}
