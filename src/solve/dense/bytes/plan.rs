//! Rules made ready for lines of 64 positions: for each mode, the moves that leave a line and those that stay in it.

use crate::rules::{Mode, Move, Rules};

/// Index bits inside a line.
pub(super) const LINE: u32 = 6;
/// Positions of a line: one byte each.
pub(super) const LANES: usize = 1 << LINE;
/// Bits of a line's number for which the legal moves are looked up; the others change every 64 lines.
const NEAR: u32 = 6;

/// What a lane that has no such move adds to what it absorbs: a number that no label is.
pub(super) const ILLEGAL: u8 = u8::MAX;

/// A line: a byte for each of 64 positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Line(pub(super) [u8; LANES]);

/// A move, as lines see it.
pub(super) struct LineMove {
    /// [`ILLEGAL`] in the lanes whose low cells do not allow it, 0 in the others.
    pub(super) mask: Line,
    /// Lanes from a position to its successor, which lies that much higher. Not used if `spread`.
    pub(super) up: u8,
    /// Whether it may fill low cells that are filled already, so that the successor of lane `j` is `j | up`.
    pub(super) spread: bool,
    /// Cells of a line's number that it fills.
    pub(super) fills: u64,
    /// The mode it leads to.
    pub(super) next: usize,
    empty: u64,
    full: u64,
}

/// Moves, with tables that tell which are legal in a line.
pub(super) struct LineMoves {
    all: Vec<LineMove>,
    words: usize,
    /// For each value of the near bits, the moves they allow: `words` words each.
    near: Vec<u64>,
}

/// A pattern that ends the game in the lines whose number contains `upper`.
pub(super) struct LineEnd {
    pub(super) upper: u64,
    /// [`ILLEGAL`] in the lanes that it does not end, 0 in the others.
    pub(super) mask: Line,
    /// The code of the positions that it ends.
    pub(super) code: u8,
}

/// One mode.
pub(super) struct LinePlan {
    /// Moves into other lines. One that may fill cells that are filled already stays in some lines: it is skipped there.
    pub(super) outer: LineMoves,
    /// Moves within a line, and those that may be.
    pub(super) inner: LineMoves,
    /// The last of the rules first: what is applied later decides.
    pub(super) ends: Vec<LineEnd>,
}

fn line_of(allows: impl Fn(u64) -> bool) -> Line {
    Line(std::array::from_fn(|lane| if allows(lane as u64) { 0 } else { ILLEGAL }))
}

impl LineMove {
    fn new(m: &Move) -> Self {
        let low = (LANES - 1) as u64;
        let (empty, full) = (m.empty.0 & low, m.full.0 & low);
        Self {
            mask: line_of(|lane| lane & empty == 0 && lane & full == full),
            up: (m.fills.0 & low) as u8,
            spread: m.fills.0 & low & !empty != 0,
            fills: m.fills.0 >> LINE,
            next: usize::from(m.next.0),
            empty: m.empty.0 >> LINE,
            full: m.full.0 >> LINE,
        }
    }

    /// Whether the bits of `line` that are in `bits` allow it.
    fn allowed(&self, line: u64, bits: u64) -> bool {
        line & self.empty & bits == 0 && !line & self.full & bits == 0
    }
}

impl LineMoves {
    fn new(moves: impl Iterator<Item = LineMove>) -> Self {
        let all: Vec<LineMove> = moves.collect();
        let words = all.len().div_ceil(64);
        let mut near = vec![0; words << NEAR];
        for line in 0..1 << NEAR {
            for (number, m) in all.iter().enumerate() {
                if m.allowed(line, (1 << NEAR) - 1) {
                    near[line as usize * words + number / 64] |= 1 << (number % 64);
                }
            }
        }
        Self { all, words, near }
    }

    /// Writes to `far` the moves that the far bits of `line` allow.
    pub(super) fn far(&self, line: u64, far: &mut Vec<u64>) {
        far.clear();
        far.resize(self.words, 0);
        for (number, m) in self.all.iter().enumerate() {
            far[number / 64] |= u64::from(m.allowed(line, !((1 << NEAR) - 1))) << (number % 64);
        }
    }

    /// The moves that `line` allows, given those that its far bits allow.
    #[inline(always)]
    pub(super) fn allowed<'a>(&'a self, line: u64, far: &'a [u64]) -> impl Iterator<Item = &'a LineMove> {
        let near = (line & ((1 << NEAR) - 1)) as usize * self.words;
        far.iter().zip(&self.near[near..]).enumerate().flat_map(move |(word, (far, near))| {
            let mut left = far & near;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                left &= left.wrapping_sub(1);
                (bit < 64).then(|| &self.all[word * 64 + bit as usize])
            })
        })
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

impl LinePlan {
    /// The plan of `mode`; `rules` are those whose board numbers are indices, `code` gives the code of an outcome.
    pub(super) fn new(rules: &Rules, mode: Mode, code: impl Fn(crate::rules::Outcome) -> u8) -> Self {
        let moves = || rules.moves_of(mode).iter().map(LineMove::new);
        let stays = |m: &LineMove| m.fills & !m.full == 0 || m.fills & m.empty != m.fills;
        let end = |end: &crate::rules::End| {
            let low = end.pattern.0 & (LANES - 1) as u64;
            LineEnd { upper: end.pattern.0 >> LINE, mask: line_of(|lane| lane & low == low), code: code(end.outcome) }
        };
        Self {
            outer: LineMoves::new(moves().filter(|m| m.fills != 0)),
            inner: LineMoves::new(moves().filter(stays)),
            ends: rules.ends_of(mode).iter().rev().map(end).collect(),
        }
    }
}
