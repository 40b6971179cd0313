//! The rules prepared for the marking kernel: for each mode, the moves that lead to it.

use crate::dense::block::{Block, TILE};
use crate::dense::op::{ByReach, Masks, Op, OpKind, mid, upper};
use crate::dense::part::{Part, PartMove};
use crate::dense::plan::EndOp;

/// The rules, prepared for the marking kernel.
pub(in crate::dense) struct ReachabilityPlan {
    /// By mode: the moves to it, and its terminal patterns.
    pub(super) modes: Vec<ReachabilityMode>,
    /// The boards of a block that a move may lead to, by [`Op::mask`].
    masks: Vec<Block>,
    /// Upper bits of an index: there are 2^`upper_bits` tiles.
    pub(super) upper_bits: u32,
}

/// The moves to one mode.
pub(super) struct ReachabilityMode {
    /// The moves, by how far away they come from.
    pub(super) ops: ByReach<BackwardOp>,
    pub(super) ends: Vec<EndOp>,
}

/// A move, taken back from the boards that it leads to. In its [`Op`], `next` is the mode that it comes from. `legal`,
/// `mask` and the upper cells describe the boards that it may lead to: all cells that it fills are filled there, and
/// its other conditions hold.
#[derive(Clone, Copy)]
pub(super) struct BackwardOp {
    pub(super) op: Op,
    /// Upper cells that it fills and that may have been filled before.
    pub(super) spread_upper: u64,
    /// Mid cells that it fills and that may have been filled before.
    pub(super) spread_mid: u8,
    /// `true` if another operation covers the case that all of these were filled before, in which the move stays in its
    /// tile or block.
    pub(super) may_stay: bool,
}

impl AsRef<Op> for BackwardOp {
    #[inline(always)]
    fn as_ref(&self) -> &Op {
        &self.op
    }
}

impl ReachabilityPlan {
    /// The plan for the boards of `part`, a backward part. Boards of fewer than 13 cells get unused cells on top.
    pub(in crate::dense) fn new(part: &Part) -> Self {
        let mut masks = Masks::default();
        let modes = (0..part.modes).map(|mode| ReachabilityMode::new(part, mode, &mut masks)).collect();
        Self { modes, masks: masks.blocks, upper_bits: part.cells.saturating_sub(TILE) }
    }

    /// `true` if there are terminal patterns.
    pub(in crate::dense) fn has_ends(&self) -> bool {
        self.modes.iter().any(|mode| !mode.ends.is_empty())
    }

    /// The boards of a block that `op`, an operation of this plan, may lead to.
    #[inline(always)]
    pub(super) fn mask(&self, op: &Op) -> &Block {
        &self.masks[op.mask as usize]
    }
}

impl ReachabilityMode {
    fn new(part: &Part, mode: u16, masks: &mut Masks) -> Self {
        let [mut outer, mut inner, mut low] = [const { Vec::new() }; 3];
        for m in part.moves.iter().filter(|m| m.within.next.0 == mode) {
            let back = Back::new(m, part.modes, masks);
            outer.extend(back.outer());
            inner.extend(back.inner());
            low.extend(back.low());
        }
        Self { ops: ByReach::new([outer, inner, low]), ends: part.ends_of(mode).map(EndOp::new).collect() }
    }
}

/// A move taken back, split into upper, mid and low cells, as in [`op`](crate::dense::op).
struct Back {
    op: Op,
    spread_upper: u64,
    spread_mid: u8,
    /// Mid cells that must be empty afterwards.
    empty_mid: u8,
    /// Mid cells that must be filled afterwards.
    full_mid: u8,
}

impl Back {
    fn new(part: &PartMove, modes: u16, masks: &mut Masks) -> Self {
        let m = &part.within;
        let fills = m.fills & !m.full;
        let (sure, spread) = (fills & m.empty, fills & !m.empty);
        let (empty, full) = (m.empty & !sure, m.full | fills);
        let op = Op::new(part, modes, m.mode, [empty, full], masks);
        let op = if spread.is_empty() { op } else { Op { kind: OpKind::Irregular, ..op } };
        let (empty_mid, full_mid) = (mid(empty), mid(full));
        Self { op, spread_upper: upper(spread), spread_mid: mid(spread), empty_mid, full_mid }
    }

    /// `true` if it may come from the same tile: it comes from the same slice, and every upper cell that it fills may
    /// have been filled before.
    const fn may_stay_in_tile(&self) -> bool {
        !self.op.is_elsewhere && self.op.fills_upper == self.spread_upper
    }

    const fn may_stay_in_block(&self) -> bool {
        self.may_stay_in_tile() && self.op.fills_mid == self.spread_mid
    }

    /// The move from other tiles.
    fn outer(&self) -> Option<BackwardOp> {
        let leaves = self.op.is_elsewhere || self.op.fills_upper != 0;
        if leaves { self.made(self.op, self.may_stay_in_tile()) } else { None }
    }

    /// The move from other blocks of the same tile.
    fn inner(&self) -> Option<BackwardOp> {
        let op = Op { fills_upper: 0, ..self.op };
        let leaves = self.may_stay_in_tile() && self.op.fills_mid != 0;
        if leaves { self.made(op, self.may_stay_in_block()) } else { None }
    }

    /// The move within a block.
    fn low(&self) -> Option<BackwardOp> {
        let op = Op { fills_upper: 0, fills_mid: 0, ..self.op };
        if self.may_stay_in_block() { self.made(op, false) } else { None }
    }

    /// The operation `op`, restricted to the blocks that it may lead to; `None` if there are none.
    fn made(&self, op: Op, may_stay: bool) -> Option<BackwardOp> {
        let op = op.in_blocks(self.empty_mid, self.full_mid, |_| true)?;
        let (spread_upper, spread_mid) = (self.spread_upper & op.fills_upper, self.spread_mid & op.fills_mid);
        Some(BackwardOp { op, spread_upper, spread_mid, may_stay })
    }
}
