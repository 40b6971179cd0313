//! Moves that are translations of each other, so that the legal ones are found together.

use rustc_hash::FxHashMap;

use super::number::Number;
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
    /// True if the moves have a condition or may take a piece.
    pub(super) by_number: bool,
    /// The condition on the board before the moves.
    when: Option<Number<W>>,
    /// What each move takes, by its anchor; empty if the moves take nothing.
    pub(super) takes: FxHashMap<u32, u16>,
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
    /// The points that the moves gain.
    pub(super) gain: i16,
    /// True if the moves are legal only if no move of another shape is. These shapes come last.
    pub(super) otherwise: bool,
    /// The number of the first move of the shape.
    first: usize,
    /// True if a move of the shape may end the game by a pattern that must be tested.
    pub(super) is_tested: bool,
}

impl<W: Word> Shape<W> {
    /// The anchors of the moves that the masks allow: the legal moves, unless they have a condition.
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

    /// Like [`legal`](Self::legal), if the moves may have a condition.
    pub(super) fn legal_by_number(&self, board: W) -> W {
        let fits = self.when.is_none_or(|number| number.fits(board));
        if fits { self.legal(board) } else { W::ZERO }
    }

    /// The anchors of moves that need one of `cells` empty.
    #[inline(always)]
    pub(super) fn touched_by(&self, cells: W) -> W {
        self.empty.iter().fold(W::ZERO, |touched, &offset| touched | cells >> offset)
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

/// What the moves of a shape have in common.
#[derive(PartialEq, Eq, Hash)]
struct Key<W> {
    /// The masks of the move that is not translated.
    at_zero: [W; 4],
    next: usize,
    otherwise: bool,
    again: bool,
    gain: i16,
    when: Option<u16>,
    /// 0 for moves that take nothing.
    copy: usize,
}

/// The shapes of the moves of `mode`, and the number of numbers that they take from `first` on.
pub(super) fn shapes<W: Word>(rules: &Rules, mode: usize, first: usize) -> (Vec<Shape<W>>, usize) {
    let mut shapes: Vec<Shape<W>> = Vec::new();
    let mut numbers: FxHashMap<Key<W>, usize> = FxHashMap::default();
    for m in rules.moves_of(Mode(mode as u16)).iter().filter(|m| m.lines.is_none()) {
        let masks = [m.empty, m.full, m.fills, m.clears].map(W::of_board);
        let all = masks[0] | masks[1] | masks[2] | masks[3];
        let anchor = if all.is_empty() { 0 } else { all.lowest() };
        let at_zero @ [empty, full, fills, clears] = masks.map(|mask| mask >> anchor);
        let next = usize::from(m.next.0);
        // Two moves that differ only in what they take belong to different shapes.
        let key =
            |copy| Key { at_zero, next, otherwise: m.otherwise, again: m.again, gain: m.gain, when: m.when, copy };
        let differs = |shape: &Shape<W>| shape.takes.get(&anchor).is_some_and(|&take| Some(take) != m.takes);
        let is_used = |copy: &usize| numbers.get(&key(*copy)).is_some_and(|&number| differs(&shapes[number]));
        let copy = if m.takes.is_some() { (1..).find(|copy| !is_used(copy)).unwrap_or(0) } else { 0 };
        let number = *numbers.entry(key(copy)).or_insert_with(|| {
            let single = (fills.count() == 1 && empty.contains(fills) && clears.is_empty()).then(|| fills.lowest());
            shapes.push(Shape {
                anchors: W::ZERO,
                lowest: 0,
                is_lone: false,
                by_number: m.when.is_some() || m.takes.is_some(),
                when: Number::of(rules, m),
                takes: FxHashMap::default(),
                empty: empty.bits().collect(),
                full: full.bits().collect(),
                empties: empty,
                fulls: full,
                fills,
                clears,
                single,
                next,
                hands_over: rules.hands_over(m),
                gain: m.gain,
                otherwise: m.otherwise,
                first: 0,
                is_tested: false,
            });
            shapes.len() - 1
        });
        shapes[number].anchors |= W::bit(anchor);
        shapes[number].takes.extend(m.takes.map(|take| (anchor, take)));
    }
    shapes.sort_by_key(|shape| shape.otherwise);
    let mut used = 0;
    for shape in &mut shapes {
        (shape.first, shape.lowest, shape.is_lone) = (first + used, shape.anchors.lowest(), shape.anchors.count() == 1);
        used += shape.anchors.bits().last().map_or(0, |last| (last - shape.lowest) as usize + 1);
    }
    (shapes, used)
}
