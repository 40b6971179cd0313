//! The rules prepared for the kernel: the operations of each mode, and tables that tell which of them a tile allows.

use super::block::{BLOCKS, Block, Group, LOW, TILE};
use super::op::{ByReach, Masks, Op, low, mid, upper};
use super::part::Part;
use crate::rules::{End, Outcome};

/// The lowest upper bits, for which legal operations are tabulated. The *far* bits above change every 64 tiles.
const NEAR: u32 = 6;

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
    /// Moves into other tiles.
    pub(super) outer: Ops,
    /// Moves into other blocks of the same tile, except the moves of `mid_singles`.
    pub(super) inner: Ops,
    /// Moves within a block, except the moves of `low_singles`.
    pub(super) low: Ops,
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

/// Operations of one mode, with tables that tell which are legal in a tile.
pub(super) struct Ops<O = Op> {
    all: Vec<O>,
    /// Words of a set of operations.
    words: usize,
    /// For each value of the near upper bits, the operations that they allow: `words` words each.
    near: Vec<u64>,
    /// The operations that are legal in every position of a tile whose upper cells allow them.
    free: Vec<u64>,
}

/// The operations of one mode that the far bits of a tile allow.
#[derive(Clone, Default)]
pub(super) struct Far {
    pub(super) outer: Vec<u64>,
    pub(super) inner: Vec<u64>,
    pub(super) low: Vec<u64>,
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
        let mut ops = ByReach::default();
        for m in part.moves_of(mode) {
            ops.add(m, part.modes, masks);
        }
        let low_singles =
            ops.low.iter().filter_map(|op| op.low_single(mode, masks)).fold(0, |set, cell| set | 1 << cell);
        ops.low.retain(|op| op.low_single(mode, masks).is_none());
        let mid_singles = ops.inner.iter().filter_map(|op| op.mid_single(mode)).fold(0, |set, cell| set | 1 << cell);
        ops.inner.retain(|op| op.mid_single(mode).is_none());
        Self {
            all_single_moves: ops.low.is_empty() && low_singles == (1 << LOW) - 1,
            low_singles,
            mid_singles,
            outer: Ops::new(ops.outer, masks),
            inner: Ops::new(ops.inner, masks),
            low: Ops::new(ops.low, masks),
            ends: part.ends_of(mode).map(EndOp::new).collect(),
        }
    }

    /// Sets `far` to the operations that the far bits of `tile` allow.
    pub(super) fn allow_far(&self, tile: u64, far: &mut Far) {
        self.outer.allow_far(tile, &mut far.outer);
        self.inner.allow_far(tile, &mut far.inner);
        self.low.allow_far(tile, &mut far.low);
    }

    /// `true` if every position of a tile is known to have a move, by the operations that are legal in all of them.
    pub(super) fn is_free(&self, tile: u64, far: &Far) -> bool {
        let kinds = [(&self.outer, &far.outer), (&self.inner, &far.inner), (&self.low, &far.low)];
        kinds.iter().any(|(ops, far)| {
            let near = ops.allowed_near(tile);
            (0..ops.words).any(|word| far[word] & near[word] & ops.free[word] != 0)
        })
    }
}

impl<O: AsRef<Op>> Ops<O> {
    /// The operations `all`, whose masks are numbered by `masks`.
    pub(super) fn new(mut all: Vec<O>, masks: &Masks) -> Self {
        // Operations of one kind are consecutive, so that the processor predicts the branch on their kind.
        all.sort_by_key(|op| (op.as_ref().kind, op.as_ref().fills_mid));
        let words = all.len().div_ceil(64);
        let set = |keep: &dyn Fn(&Op) -> bool| {
            let mut set = vec![0; words];
            for (n, _) in all.iter().enumerate().filter(|(_, op)| keep(op.as_ref())) {
                set[n / 64] |= 1 << (n % 64);
            }
            set
        };
        let near = (0..1 << NEAR).flat_map(|upper| set(&|op| op.is_allowed(upper, (1 << NEAR) - 1))).collect();
        let free = set(&|op| op.legal == Group::MAX && masks.blocks[op.mask as usize] == Block::ONES);
        Self { words, near, free, all }
    }

    /// `true` if there are no operations.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The operations that `tile` allows. `far` is the set that its far bits allow.
    #[inline(always)]
    pub(super) fn allowed<'a>(&'a self, tile: u64, far: &'a [u64]) -> Allowed<'a, O> {
        Allowed { words: far.iter().zip(self.allowed_near(tile)), chunks: self.all.chunks(64), chunk: &[], set: 0 }
    }

    /// Sets `far` to the set of operations that the far bits of `tile` allow.
    pub(super) fn allow_far(&self, tile: u64, far: &mut Vec<u64>) {
        far.clear();
        far.resize(self.words, 0);
        for (n, op) in self.all.iter().enumerate() {
            far[n / 64] |= u64::from(op.as_ref().is_allowed(tile, u64::MAX << NEAR)) << (n % 64);
        }
    }

    /// The set of operations that the near bits of `tile` allow.
    #[inline(always)]
    fn allowed_near(&self, tile: u64) -> &[u64] {
        let start = (tile & ((1 << NEAR) - 1)) as usize * self.words;
        &self.near[start..start + self.words]
    }
}

/// The operations that a tile allows, in order.
pub(super) struct Allowed<'a, O> {
    /// For each chunk of 64 operations, the sets that the far and the near bits allow.
    words: std::iter::Zip<std::slice::Iter<'a, u64>, std::slice::Iter<'a, u64>>,
    chunks: std::slice::Chunks<'a, O>,
    /// The current chunk, and the set of its operations still to come.
    chunk: &'a [O],
    set: u64,
}

impl<'a, O> Iterator for Allowed<'a, O> {
    type Item = &'a O;

    #[inline(always)]
    fn next(&mut self) -> Option<&'a O> {
        while self.set == 0 {
            let (far, near) = self.words.next()?;
            self.chunk = self.chunks.next()?;
            self.set = far & near;
        }
        let first = self.set.trailing_zeros() as usize;
        self.set &= self.set - 1;
        self.chunk.get(first)
    }
}

/// `true` if two tiles differ in their far bits.
pub(super) const fn far_differs(one: u64, other: u64) -> bool {
    one >> NEAR != other >> NEAR
}

impl EndOp {
    /// Prepares `end` for the kernel.
    pub(super) fn new(end: &End) -> Self {
        let pattern = end.pattern;
        let mask = Block::of_cells(0, low(pattern));
        Self { upper: upper(pattern), mid: mid(pattern), mask, outcome: end.outcome }
    }

    /// `true` if block `block` of `tile` contains the pattern's upper and mid cells.
    #[inline(always)]
    pub(super) const fn is_met(&self, tile: u64, block: usize) -> bool {
        debug_assert!(block < BLOCKS);
        tile & self.upper == self.upper && block as u8 & self.mid == self.mid
    }
}
