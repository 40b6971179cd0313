//! The rules prepared for blocks of 512 positions, which are eight lines: for each mode, the moves that leave a block,
//! the moves that leave a line of it, and the moves within a line.

use std::ops::Range;

use crate::algebra::Algebra;
use crate::dense::allowed::{Conditional, Ops};
use crate::dense::block::LOW;
use crate::dense::part::{Part, PartMove};
use crate::rules::{Board, End, Move};
use crate::simd::{LANES, LINE, Lane, LaneMove, Line, lanes};
use crate::worth::Worth;

/// Lines of a block.
pub(super) const LINES: usize = 1 << (LOW - LINE);

/// A move of a block.
pub(super) struct BlockMove<C> {
    /// The part of the move that concerns cells within a line.
    pub(super) lanes: LaneMove<C>,
    /// What it is worth.
    pub(super) worth: Worth,
    /// The cells of a line's number that it fills: the successors of line `i` lie in line `i | line`.
    pub(super) line: usize,
    /// The lines in which it is legal, a bit each.
    pub(super) lines: u8,
    /// The cells of a block's number that it fills.
    pub(super) block: u64,
    /// The mode it leads to.
    pub(super) next: usize,
    /// The number of the planes that its successors lie in.
    pub(super) base: usize,
    /// `true` if these planes are of another slice, whose blocks are all finished.
    pub(super) is_elsewhere: bool,
    /// The cells of a block's number that must be empty.
    empty: u64,
    /// The cells of a block's number that must be filled.
    full: u64,
}

/// A terminal pattern. It is possible in the blocks whose number contains `block`.
pub(super) struct BlockEnd<C> {
    pub(super) block: u64,
    /// The lines that contain it, a bit each.
    pub(super) lines: u8,
    /// The greatest code in the lanes that contain it, 0 in the others.
    pub(super) lanes: Line<C>,
    /// The code of positions that contain it.
    pub(super) code: C,
}

/// The rules of one mode, prepared for blocks.
pub(super) struct BlockPlan<C> {
    /// Moves that leave the block and concern no cell within a line, by the cells of a line's number that they fill.
    /// Such a move is legal in the lines without these cells.
    pub(super) plain: [Ops<BlockMove<C>>; LINES],
    /// As `plain`, for moves that also concern cells within a line.
    pub(super) moved: [Ops<BlockMove<C>>; LINES],
    /// The other moves that leave the block.
    pub(super) far: Ops<BlockMove<C>>,
    /// Moves within the block that lead from some of its lines to others.
    pub(super) near: Ops<BlockMove<C>>,
    /// Moves within a line.
    pub(super) within: Ops<BlockMove<C>>,
    /// What each move within a line is worth, if these are exactly the six moves that fill one cell each, without other conditions or a
    /// change of mode, and all are worth the same.
    pub(super) six_singles: Option<Worth>,
    /// The terminal patterns in reverse order: the first of the rules is applied last and decides.
    pub(super) ends: Vec<BlockEnd<C>>,
}

/// The lines whose number has no cell of `empty` filled and every cell of `full`, a bit each.
fn lines(empty: u64, full: u64) -> u8 {
    (lanes(empty >> LINE, full >> LINE) & ((1 << LINES) - 1)) as u8
}

impl<C: Lane> BlockMove<C> {
    /// The move `m`, a case of `part`, whose successors lie in the planes with number `base`.
    fn new(m: &Move, part: &PartMove, base: u32, illegal: C) -> Self {
        let [empty, full, fills] = [m.empty.low_word(), m.full.low_word(), m.fills.low_word()];
        let low = (1 << LOW) - 1;
        Self {
            lanes: LaneMove::new(empty, full, fills, illegal),
            worth: part.worth,
            line: ((fills & low) >> LINE) as usize,
            lines: lines(empty & low, full & low),
            block: fills >> LOW,
            next: usize::from(m.next.0),
            base: base as usize,
            is_elsewhere: part.is_elsewhere(),
            empty: empty >> LOW,
            full: full >> LOW,
        }
    }

    /// `true` if it is legal exactly in the lines that have no cell of `line` filled.
    fn has_all_lines(&self) -> bool {
        self.lines == lines((self.line as u64) << LINE, 0)
    }
}

impl<C> Conditional for BlockMove<C> {
    fn is_allowed(&self, block: u64, care: u64) -> bool {
        block & self.empty & care == 0 && !block & self.full & care == 0
    }
}

/// Splits a move by the first of `cells` that it fills, with one more case that fills none of them.
///
/// A move may fill cells whether they are filled already or not: Node Kayles takes all neighbours of a vertex. Then the
/// position decides whether the move leaves its block.
fn split(m: &Move, cells: Range<u32>) -> Vec<Move> {
    let part: Board = cells.map(Board::bit).collect();
    if !(m.fills & m.empty).is_disjoint(part) {
        return vec![*m];
    }
    let mut rest = *m;
    let mut parts = Vec::new();
    for first in (m.fills & part & !m.full).bits().map(Board::bit) {
        let mut leaves = rest;
        leaves.empty |= first;
        parts.push(leaves);
        rest.full |= first;
    }
    parts.push(rest);
    parts
}

impl<C: Lane> BlockEnd<C> {
    fn new(end: &End, code: C) -> Self {
        let pattern = end.pattern.low_word();
        let low = pattern & ((1 << LOW) - 1);
        Self {
            block: pattern >> LOW,
            lines: lines(0, low),
            lanes: Line::of_lanes(lanes(0, low & (LANES - 1) as u64), C::MAX),
            code,
        }
    }
}

impl<C: Lane> BlockPlan<C> {
    /// The plan of `mode` for the boards of `part`.
    pub(super) fn new<A: Algebra<Code = C>>(part: &Part, mode: u16) -> Self {
        let mut plain: [Vec<BlockMove<C>>; LINES] = Default::default();
        let mut moved: [Vec<BlockMove<C>>; LINES] = Default::default();
        let [mut far, mut near, mut within] = [const { Vec::new() }; 3];
        let cells = part.cells;
        // A move to another slice leaves its block, whatever it fills.
        let outside = |elsewhere| if elsewhere { cells..cells } else { LOW.min(cells)..cells };
        let all = part
            .moves_of(mode)
            .flat_map(|of| split(&of.within, outside(of.is_elsewhere())).into_iter().map(move |m| (of, m)));
        for (of, m) in all {
            let base = of.base(part.modes, m.next.0);
            let leaves = BlockMove::new(&m, of, base, A::ILLEGAL);
            if leaves.is_elsewhere || leaves.block & !leaves.full != 0 {
                match (leaves.has_all_lines(), leaves.lanes.is_plain()) {
                    (true, true) => plain[leaves.line].push(leaves),
                    (true, false) => moved[leaves.line].push(leaves),
                    (false, _) => far.push(leaves),
                }
                continue;
            }
            for m in split(&m, LINE.min(cells)..LOW.min(cells)) {
                let m = BlockMove::new(&m, of, base, A::ILLEGAL);
                let stays = (0..LINES).all(|line| m.lines >> line & 1 == 0 || line | m.line == line);
                if stays { within.push(m) } else { near.push(m) }
            }
        }
        let is_single = |m: &BlockMove<C>, cell: u32| {
            let everywhere = m.empty == 0 && m.full == 0 && m.lines == u8::MAX && m.next == usize::from(mode);
            everywhere && m.lanes.up == 1 << cell && m.lanes.legal == lanes(1 << cell, 0)
        };
        let has = |cell| within.iter().any(|m| is_single(m, cell));
        let are_singles = within.len() == LINE as usize && (0..LINE).all(has);
        let worth = within.first().map(|m| m.worth).filter(|&worth| within.iter().all(|m| m.worth == worth));
        Self {
            six_singles: worth.filter(|_| are_singles),
            plain: plain.map(Ops::new),
            moved: moved.map(Ops::new),
            far: Ops::new(far),
            near: Ops::new(near),
            within: Ops::new(within),
            ends: part
                .ends_of(mode)
                .map(|end| BlockEnd::new(end, C::of(A::ended(end.outcome.at(Board::EMPTY)))))
                .collect(),
        }
    }

    /// The lists of moves that leave the block.
    pub(super) fn leaving(&self) -> impl Iterator<Item = &Ops<BlockMove<C>>> {
        self.plain.iter().chain(&self.moved).chain([&self.far])
    }

    /// Every list of moves.
    pub(super) fn lists(&self) -> impl Iterator<Item = &Ops<BlockMove<C>>> {
        self.leaving().chain([&self.near, &self.within])
    }
}
