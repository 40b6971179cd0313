//! Rules made ready for the kernel: every move split by where its cells lie in an index.
//!
//! ```text
//! index of a position:    upper (which tile)    | mid (4 bits)  | low (9 bits)
//!                         one of 2^(cells - 13) | block of tile | bit of block
//! ```
//!
//! A block is 512 consecutive positions of one mode, one vector. A tile is 16 blocks: the unit in which legality is
//! decided, so that a move's upper part is looked at once for 8192 positions.

use std::collections::HashMap;

use crate::rules::{Board, End, Outcome, Rules};

/// Index bits inside a block.
pub(in crate::solve) const LOW: u32 = 9;
/// Index bits that choose a block of its tile.
pub(super) const MID: u32 = 4;
/// Index bits inside a tile.
pub(in crate::solve) const TILE: u32 = LOW + MID;
/// Blocks of a tile.
pub(super) const BLOCKS: usize = 1 << MID;
/// Upper bits that one table of legal operations is kept for; the bits above them change every 64 tiles.
const NEAR: u32 = 6;

/// One block: 512 positions as eight words, bit `x & 63` of word `x >> 6` being the position `x`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [u64; 8]);

impl Block {
    pub(super) const ONES: Self = Self([u64::MAX; 8]);

    /// The positions of a block in which every cell of `empty` is empty and every cell of `full` filled.
    fn of_cells(empty: u64, full: u64) -> Self {
        let mut words = [0; 8];
        for x in (0..1 << LOW).filter(|x| x & empty == 0 && x & full == full) {
            words[(x >> 6) as usize] |= 1 << (x & 63);
        }
        Self(words)
    }
}

/// How an operation treats the sixteen blocks of a tile: which loop of the kernel serves it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Shape {
    /// Legal wherever its mid cells are empty; fills no low cell and asks for none.
    Plain,
    /// Legal wherever its mid cells are empty; successors lie in the same word, some bits up.
    Shifted,
    /// Legal wherever its mid cells are empty; successors lie in another word, at the same bit.
    Lifted,
    /// Legal wherever its mid cells are empty; successors lie in another word and some bits up.
    Moved,
    /// Anything else: asks for filled mid cells, or fills cells that may be filled already.
    Irregular,
}

/// A move as the kernel makes it, for a whole tile at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Op {
    /// Which loop serves it.
    pub(super) shape: Shape,
    /// The mid cells it fills.
    pub(super) fills_mid: u8,
    /// Bit `s`: whether it is legal in block `s`, as far as the mid cells tell.
    pub(super) legal: u16,
    /// How many words up the successor lies, and how many bits up within its word.
    pub(super) words: u8,
    pub(super) bits: u8,
    /// Low cells that it fills and that may be filled already.
    pub(super) spread: u16,
    /// The mode it hands over in.
    pub(super) next: u16,
    /// Which of the plan's masks says where in a block it is legal.
    pub(super) mask: u32,
    /// The tile of its successors: these upper bits are added.
    pub(super) fills_upper: u64,
    /// Upper cells that must be empty, and filled.
    empty_upper: u64,
    full_upper: u64,
}

/// Operations of one mode, with tables that tell which are legal in a tile.
pub(super) struct Ops {
    pub(super) all: Vec<Op>,
    /// Words of a set of operations.
    words: usize,
    /// For each value of the near upper bits, the operations that they allow: `words` words each.
    near: Vec<u64>,
    /// The operations that every position of every block has, where the upper cells allow them.
    free: Vec<u64>,
}

/// A pattern that ends the game.
pub(super) struct EndOp {
    pub(super) upper: u64,
    pub(super) mid: u8,
    pub(super) mask: Block,
    pub(super) outcome: Outcome,
}

/// What the kernel does for one mode.
pub(super) struct ModePlan {
    /// Moves into other tiles.
    pub(super) outer: Ops,
    /// Moves into other blocks of the same tile, but for those of `mid_singles`.
    pub(super) inner: Ops,
    /// Moves within a block, but for those of `singles`.
    pub(super) low: Ops,
    /// The low cells that a move from this mode to itself fills alone, whatever else is filled: the moves that most
    /// games have, and that the kernel has instructions for.
    pub(super) singles: u16,
    /// The mid cells of such moves.
    pub(super) mid_singles: u8,
    /// Whether the moves within a block are those that fill one of its cells, each of them.
    pub(super) is_cube: bool,
    /// Ends, the last of the rules first: what is applied later decides.
    pub(super) ends: Vec<EndOp>,
}

/// What the kernel does.
pub(super) struct Plan {
    pub(super) modes: Vec<ModePlan>,
    pub(super) masks: Vec<Block>,
    pub(super) terminal: Outcome,
    pub(super) draws: bool,
    /// Upper bits of an index: there are two to this power tiles.
    pub(super) upper_bits: u32,
}

impl Plan {
    /// A plan for `rules`, whose boards are indices. Boards of fewer than 13 cells are given idle ones on top.
    pub(super) fn new(rules: &Rules) -> Self {
        let mut masks = Masks::default();
        let modes = (0..rules.modes().len() as u16).map(|mode| {
            let [mut outer, mut inner, mut low] = [const { Vec::new() }; 3];
            for m in rules.moves().iter().filter(|m| m.mode.0 == mode) {
                let split = Split::new(m, &mut masks);
                outer.extend(split.outer());
                inner.extend(split.inner());
                low.extend(split.low());
            }
            let singles =
                low.iter().filter_map(|op| op.single(mode, &masks.blocks)).fold(0, |set, cell| set | 1 << cell);
            low.retain(|op| op.single(mode, &masks.blocks).is_none());
            let mid_singles = inner.iter().filter_map(|op| op.mid_single(mode)).fold(0, |set, cell| set | 1 << cell);
            inner.retain(|op| op.mid_single(mode).is_none());
            ModePlan {
                is_cube: low.is_empty() && singles == (1 << LOW) - 1,
                singles,
                mid_singles,
                outer: Ops::new(outer, &masks.blocks),
                inner: Ops::new(inner, &masks.blocks),
                low: Ops::new(low, &masks.blocks),
                ends: rules.ends().iter().rev().filter(|end| end.mode.0 == mode).map(EndOp::new).collect(),
            }
        });
        let modes = modes.collect();
        let upper_bits = rules.cells().saturating_sub(TILE);
        Self { modes, masks: masks.blocks, terminal: rules.terminal(), draws: rules.can_draw(), upper_bits }
    }
}

impl ModePlan {
    /// Whether every position of a tile has a move, for all that can be told at a glance.
    pub(super) fn is_free(&self, tile: u64, far: &[Vec<u64>; 3]) -> bool {
        [&self.outer, &self.inner, &self.low].iter().zip(far).any(|(ops, far)| {
            let near = ops.allowed_near(tile);
            (0..ops.words).any(|word| far[word] & near[word] & ops.free[word] != 0)
        })
    }
}

const fn low(board: Board) -> u64 {
    board.0 & ((1 << LOW) - 1)
}

const fn mid(board: Board) -> u8 {
    (board.0 >> LOW) as u8 & (BLOCKS as u8 - 1)
}

const fn upper(board: Board) -> u64 {
    board.0 >> TILE
}

/// The masks in use, each once.
#[derive(Default)]
struct Masks {
    blocks: Vec<Block>,
    /// The number of the mask for low cells that must be empty and filled.
    of_cells: HashMap<(u64, u64), u32>,
}

impl Masks {
    fn of(&mut self, empty: u64, full: u64) -> u32 {
        *self.of_cells.entry((empty, full)).or_insert_with(|| {
            self.blocks.push(Block::of_cells(empty, full));
            self.blocks.len() as u32 - 1
        })
    }
}

/// A move, split by where its cells lie.
///
/// Which tile and which block its successors lie in follows from the cells it fills, where one of them is sure to be
/// empty. A bite of Chomp need not have one there: where all the upper cells it names are filled already, its successors
/// lie in the same tile. Such a move becomes two operations or three, of which each position meets one.
struct Split {
    op: Op,
    /// Mid cells that it needs empty, and filled.
    empty_mid: u8,
    full_mid: u8,
    /// Whether its low cells alone let a plain loop serve it.
    regular: bool,
}

impl Split {
    fn new(m: &crate::rules::Move, masks: &mut Masks) -> Self {
        let mask = masks.of(low(m.empty), low(m.full));
        let fills = m.fills & !m.full;
        // What is sure to be empty is passed over by a shift; what may be filled is filled by spreading.
        let (sure, spread) = (low(fills & m.empty), low(fills & !m.empty));
        let (words, bits) = ((sure >> 6) as u8, (sure & 63) as u8);
        let shape = match (words, bits) {
            (0, 0) if masks.blocks[mask as usize] == Block::ONES => Shape::Plain,
            (0, _) => Shape::Shifted,
            (_, 0) => Shape::Lifted,
            _ => Shape::Moved,
        };
        let op = Op {
            shape,
            fills_mid: mid(fills),
            legal: 0,
            words,
            bits,
            spread: spread as u16,
            next: m.next.0,
            mask,
            fills_upper: upper(fills),
            empty_upper: upper(m.empty),
            full_upper: upper(m.full),
        };
        Self { op, empty_mid: mid(m.empty), full_mid: mid(m.full), regular: spread == 0 }
    }

    /// Whether its successors may lie in its own tile, and in its own block as far as the mid cells tell.
    const fn may_stay(&self) -> (bool, bool) {
        (self.op.fills_upper & self.op.empty_upper == 0, self.op.fills_mid & self.empty_mid == 0)
    }

    /// The operation `op` where mid cells allow it and `keep` does.
    fn with_legal(&self, op: Op, regular: bool, keep: impl Fn(u8) -> bool) -> Option<Op> {
        let fits = |s: u8| s & self.empty_mid == 0 && s & self.full_mid == self.full_mid && keep(s);
        let legal = (0..BLOCKS as u8).filter(|&s| fits(s)).fold(0, |set, s| set | 1 << s);
        let regular = regular && self.empty_mid == op.fills_mid && self.full_mid == 0;
        let shape = if regular { op.shape } else { Shape::Irregular };
        (legal != 0).then_some(Op { legal, shape, ..op })
    }

    /// The move into other tiles. The kernel passes it over where it stays in its tile.
    fn outer(&self) -> Option<Op> {
        let regular = self.regular && !self.may_stay().0;
        if self.op.fills_upper == 0 { None } else { self.with_legal(self.op, regular, |_| true) }
    }

    /// The move into other blocks of its own tile.
    fn inner(&self) -> Option<Op> {
        let filled = self.op.fills_mid;
        let leaves = |s| s | filled != s;
        if self.may_stay().0 { self.with_legal(self.staying(), self.regular, leaves) } else { None }
    }

    /// The move within its own block.
    fn low(&self) -> Option<Op> {
        let filled = self.op.fills_mid;
        let stays = |s| s | filled == s;
        let may_stay = self.may_stay() == (true, true);
        if may_stay { self.with_legal(Op { fills_mid: 0, ..self.staying() }, self.regular, stays) } else { None }
    }

    /// The move where all the upper cells that it fills are filled already.
    const fn staying(&self) -> Op {
        Op { full_upper: self.op.full_upper | self.op.fills_upper, fills_upper: 0, ..self.op }
    }
}

impl Op {
    /// The low cell that the operation fills alone and without further conditions, handing over in `mode` again.
    fn single(&self, mode: u16, masks: &[Block]) -> Option<u32> {
        let anywhere = self.empty_upper | self.full_upper == 0 && self.legal == u16::MAX && self.spread == 0;
        let within = anywhere && self.fills_upper == 0 && self.fills_mid == 0 && self.next == mode;
        let mask = masks[self.mask as usize];
        (0..LOW).find(|cell| within && self.words_and_bits() == 1 << cell && mask == Block::of_cells(1 << cell, 0))
    }

    /// The mid cell that the operation fills alone and without further conditions, handing over in `mode` again.
    fn mid_single(&self, mode: u16) -> Option<u32> {
        let anywhere = self.empty_upper | self.full_upper == 0 && self.shape == Shape::Plain && self.next == mode;
        (0..MID).find(|cell| anywhere && self.fills_upper == 0 && self.fills_mid == 1 << cell)
    }

    /// How far up in the block the successor lies.
    const fn words_and_bits(&self) -> u64 {
        (self.words as u64) << 6 | self.bits as u64
    }

    const fn allowed(&self, upper: u64, care: u64) -> bool {
        upper & self.empty_upper & care == 0 && upper & self.full_upper & care == self.full_upper & care
    }
}

impl Ops {
    fn new(mut all: Vec<Op>, masks: &[Block]) -> Self {
        // Operations that the same loop serves stand together, so that the processor can guess which comes next.
        all.sort_by_key(|op| (op.shape, op.fills_mid));
        let words = all.len().div_ceil(64);
        let set = |keep: &dyn Fn(&Op) -> bool| {
            let mut set = vec![0; words];
            for (n, _) in all.iter().enumerate().filter(|(_, op)| keep(op)) {
                set[n / 64] |= 1 << (n % 64);
            }
            set
        };
        let near = (0..1 << NEAR).flat_map(|upper| set(&|op| op.allowed(upper, (1 << NEAR) - 1))).collect();
        let free = set(&|op| op.legal == u16::MAX && masks[op.mask as usize] == Block::ONES);
        Self { words, near, free, all }
    }

    /// Makes `far` the set of operations that the far upper bits of `tile` allow.
    pub(super) fn allowed_far(&self, tile: u64, far: &mut Vec<u64>) {
        far.clear();
        far.resize(self.words, 0);
        for (n, op) in self.all.iter().enumerate() {
            far[n / 64] |= u64::from(op.allowed(tile, u64::MAX << NEAR)) << (n % 64);
        }
    }

    /// The words of the set of operations that the near upper bits of `tile` allow.
    #[inline(always)]
    pub(super) fn allowed_near(&self, tile: u64) -> &[u64] {
        let start = (tile & ((1 << NEAR) - 1)) as usize * self.words;
        &self.near[start..start + self.words]
    }
}

/// Whether two tiles differ in their far upper bits.
pub(super) const fn far_differs(one: u64, other: u64) -> bool {
    one >> NEAR != other >> NEAR
}

impl EndOp {
    fn new(end: &End) -> Self {
        let pattern = end.pattern;
        let mask = Block::of_cells(0, low(pattern));
        Self { upper: upper(pattern), mid: mid(pattern), mask, outcome: end.outcome }
    }
}
