//! Moves that are translations of each other, so that the legal ones are found together.

use rustc_hash::FxHashMap;

use super::word::Word;
use crate::rules::{Mode, Rules};

/// Moves of one mode that are translations of each other.
pub(super) struct Shape<W> {
    /// The amount of each translation: the bits of this set.
    pub(super) anchors: W,
    /// The lowest of them.
    lowest: u32,
    /// True if there is only one.
    is_lone: bool,
    empty: Box<[u32]>,
    full: Box<[u32]>,
    /// The cells of the move that is not translated.
    pub(super) fills: W,
    pub(super) clears: W,
    /// The cells that the move needs empty, and those that it needs filled.
    pub(super) empties: W,
    pub(super) fulls: W,
    /// The cell that it fills, if it fills one empty cell and empties none.
    pub(super) single: Option<u32>,
    pub(super) next: usize,
    /// True if the other player moves next.
    pub(super) hands_over: bool,
    /// True if the moves are legal only if no move of another shape is. These shapes come last.
    pub(super) otherwise: bool,
    /// The number of the first move of the shape.
    first: usize,
    /// True if a move of the shape may end the game by a pattern that must be tested.
    pub(super) is_tested: bool,
}

impl<W: Word> Shape<W> {
    /// The anchors of the legal moves.
    #[inline(always)]
    pub(super) fn legal(&self, board: W) -> W {
        let free = !board;
        if self.is_lone {
            let here = board >> self.lowest;
            let is_legal = (here & self.empties).is_empty() && here.contains(self.fulls);
            return if is_legal { self.anchors } else { W::ZERO };
        }
        let after = self.empty.iter().fold(self.anchors, |legal, &offset| legal & free >> offset);
        self.full.iter().fold(after, |legal, &offset| legal & board >> offset)
    }

    /// The number of the move with this anchor: moves of all shapes have different numbers.
    #[inline(always)]
    pub(super) const fn number(&self, anchor: u32) -> usize {
        self.first + (anchor - self.lowest) as usize
    }

    /// The board after the move with this anchor.
    #[inline(always)]
    pub(super) fn play(&self, board: W, anchor: u32) -> W {
        (board | self.fills << anchor) & !(self.clears << anchor)
    }
}

/// The shapes of the moves of `mode`, and the number of numbers that they take from `first` on.
pub(super) fn shapes<W: Word>(rules: &Rules, mode: usize, first: usize) -> (Vec<Shape<W>>, usize) {
    let mut shapes: Vec<Shape<W>> = Vec::new();
    let mut numbers: FxHashMap<([W; 4], usize, bool), usize> = FxHashMap::default();
    for m in rules.moves_of(Mode(mode as u16)).iter().filter(|m| m.lines.is_none()) {
        let masks = [m.empty, m.full, m.fills, m.clears].map(W::of_board);
        let all = masks[0] | masks[1] | masks[2] | masks[3];
        let anchor = if all.is_empty() { 0 } else { all.lowest() };
        let at_zero @ [empty, full, fills, clears] = masks.map(|mask| mask >> anchor);
        let next = usize::from(m.next.0);
        let number = *numbers.entry((at_zero, next, m.otherwise)).or_insert_with(|| {
            let single = (fills.count() == 1 && empty.contains(fills) && clears.is_empty()).then(|| fills.lowest());
            shapes.push(Shape {
                anchors: W::ZERO,
                lowest: 0,
                is_lone: false,
                empty: empty.bits().collect(),
                full: full.bits().collect(),
                empties: empty,
                fulls: full,
                fills,
                clears,
                single,
                next,
                hands_over: rules.turns_over(m.mode, m.next),
                otherwise: m.otherwise,
                first: 0,
                is_tested: false,
            });
            shapes.len() - 1
        });
        shapes[number].anchors |= W::bit(anchor);
    }
    shapes.sort_by_key(|shape| shape.otherwise);
    let mut used = 0;
    for shape in &mut shapes {
        (shape.first, shape.lowest, shape.is_lone) = (first + used, shape.anchors.lowest(), shape.anchors.count() == 1);
        used += shape.anchors.bits().last().map_or(0, |last| (last - shape.lowest) as usize + 1);
    }
    (shapes, used)
}
