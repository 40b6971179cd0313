//! The rules prepared for the kernel: the operations of each mode.

use super::allowed::Far;
use super::block::{BLOCKS, Block, Group, LOW, TILE};
use super::op::{ByReach, Masks, Op, Split, low, mid, upper};
use super::part::Part;
use crate::rules::{End, Outcome};

/// The rules, prepared for the kernel.
pub(super) struct Plan {
    /// The plan of each mode.
    pub(super) modes: Vec<ModePlan>,
    /// The positions of a block in which an operation is legal, by [`Op::mask`].
    masks: Vec<Block>,
    /// The outcome for a player without a move.
    pub(super) terminal: Outcome,
    /// The rules can draw, so there are planes of losses.
    pub(super) draws: bool,
    /// Upper bits of an index: there are 2^`upper_bits` tiles.
    pub(super) upper_bits: u32,
}

/// The rules of one mode, prepared for the kernel.
pub(super) struct ModePlan {
    /// The moves, except the moves of `low_singles` and `mid_singles`.
    pub(super) ops: ByReach,
    /// The operations of each list that are legal in every position of a tile whose upper cells allow them.
    free: [Vec<u64>; 3],
    /// Low cells for which there is a move that fills this cell alone, without other conditions and without a change of
    /// mode. Most games have such moves, and the kernel has a fast path for them.
    pub(super) low_singles: u16,
    /// Mid cells with such a move.
    pub(super) mid_singles: u8,
    /// `true` if the moves within a block are exactly the nine moves that fill one cell each.
    pub(super) all_single_moves: bool,
    /// The terminal patterns in reverse order: the first of the rules is applied last and decides.
    pub(super) ends: Vec<EndOp>,
}

/// A terminal pattern.
pub(super) struct EndOp {
    upper: u64,
    mid: u8,
    /// The positions of a block that contain its low cells.
    pub(super) mask: Block,
    /// The outcome for the player to move.
    pub(super) outcome: Outcome,
}

impl Plan {
    /// The plan for the boards of `part`. Boards of fewer than 13 cells get unused cells on top.
    pub(super) fn new(part: &Part) -> Self {
        let mut masks = Masks::default();
        let modes = (0..part.modes).map(|mode| ModePlan::new(part, mode, &mut masks)).collect();
        let upper_bits = part.cells.saturating_sub(TILE);
        Self { modes, masks: masks.blocks, terminal: part.terminal, draws: part.draws, upper_bits }
    }

    /// The positions of a block in which `op`, an operation of this plan, is legal.
    #[inline(always)]
    pub(super) fn mask(&self, op: &Op) -> &Block {
        &self.masks[op.mask as usize]
    }
}

impl ModePlan {
    fn new(part: &Part, mode: u16, masks: &mut Masks) -> Self {
        let [mut outer, mut inner, mut low] = [const { Vec::new() }; 3];
        for m in part.moves_of(mode) {
            let split = Split::new(m, part.modes, masks);
            outer.extend(split.outer());
            inner.extend(split.inner());
            low.extend(split.low());
        }
        let low_singles = low.iter().filter_map(|op| op.low_single(mode, masks)).fold(0, |set, cell| set | 1 << cell);
        low.retain(|op| op.low_single(mode, masks).is_none());
        let mid_singles = inner.iter().filter_map(|op| op.mid_single(mode)).fold(0, |set, cell| set | 1 << cell);
        inner.retain(|op| op.mid_single(mode).is_none());
        let ops = ByReach::new([outer, inner, low]);
        let is_free = |op: &Op| op.legal == Group::MAX && masks.blocks[op.mask as usize] == Block::ONES;
        Self {
            all_single_moves: ops.low.is_empty() && low_singles == (1 << LOW) - 1,
            low_singles,
            mid_singles,
            free: ops.lists().map(|ops| ops.set(is_free)),
            ops,
            ends: part.ends_of(mode).map(EndOp::new).collect(),
        }
    }

    /// `true` if every position of a tile is known to have a move, by the operations that are legal in all of them.
    pub(super) fn is_free(&self, tile: u64, far: &Far) -> bool {
        self.ops.lists().iter().zip(&self.free).enumerate().any(|(list, (ops, free))| {
            let allowed = far.of(list).iter().zip(ops.near(tile));
            free.iter().zip(allowed).any(|(free, (far, near))| far & near & free != 0)
        })
    }
}

impl EndOp {
    /// Prepares `end` for the kernel.
    pub(super) fn new(end: &End) -> Self {
        let pattern = end.pattern;
        let mask = Block::of_cells(0, low(pattern));
        Self { upper: upper(pattern), mid: mid(pattern), mask, outcome: end.outcome.fixed().unwrap_or(Outcome::Draw) }
    }

    /// `true` if block `block` of `tile` contains the pattern's upper and mid cells.
    #[inline(always)]
    pub(super) const fn is_met(&self, tile: u64, block: usize) -> bool {
        debug_assert!(block < BLOCKS);
        tile & self.upper == self.upper && block as u8 & self.mid == self.mid
    }
}
