//! Boards split into planes: the squares with a piece of the first colour, the squares with a piece of the second colour, and the
//! cells outside of squares.

use super::Gather;
use crate::colourings::{Square, Squares};
use crate::rules::{Board, Position, Rules};

/// The content of a board. A square has two cells, and no line of play fills both ([`Squares`]). Which of the two colours comes first
/// depends on the mode ([`Orders`](super::Orders)).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Content {
    /// The squares with a piece of the colour that comes first.
    pub first: u32,
    /// The squares with a piece of the other colour.
    pub second: u32,
    /// The filled cells outside of squares, except cells that no move changes.
    pub single: u64,
}

impl Content {
    /// The number of filled squares or cells in each plane.
    #[must_use]
    pub const fn counts(self) -> [u32; 3] {
        [self.first.count_ones(), self.second.count_ones(), self.single.count_ones()]
    }

    /// The image of the content under symmetry number `element`.
    #[must_use]
    pub(super) fn mapped(self, folds: &super::Folds, element: u8) -> Self {
        Self { first: folds.image(element, self.first), second: folds.image(element, self.second), ..self }
    }

    /// The content with the colours exchanged, if `is_turned`.
    #[inline(always)]
    #[must_use]
    pub const fn turned(self, is_turned: bool) -> Self {
        let Self { first, second, single } = self;
        if is_turned { Self { first: second, second: first, single } } else { self }
    }
}

/// The cells of each plane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Planes {
    /// The first and the second cells of the squares. Both are in the same order of squares.
    first: u64,
    second: u64,
    single: u64,
    /// The filled cells among the cells that no move changes.
    fixed: u64,
}

impl Planes {
    /// The planes of `rules`, for positions that play reaches from `roots`. `None` if the board has more than 64 cells or 32 squares, or if
    /// first and second cells order the squares differently.
    #[must_use]
    pub fn of(rules: &Rules, roots: &[Position]) -> Option<Self> {
        if rules.cells() > u64::BITS {
            return None;
        }
        let squares = Squares::of_moving(rules, roots);
        let pairs = || squares.list().iter().filter_map(|&Square { first, second }| Some((first, second?)));
        if !pairs().map(|(first, _)| first).is_sorted() || !pairs().map(|(_, second)| second).is_sorted() {
            return None;
        }
        let of = |cells: &mut dyn Iterator<Item = u8>| cells.fold(0, |all, cell| all | 1u64 << cell);
        let first = of(&mut pairs().map(|(first, _)| first));
        let second = of(&mut pairs().map(|(_, second)| second));
        let alone = Board::full(rules.cells()).low_word() & !(first | second);
        let all = rules.moves().iter().flat_map(|m| rules.each_line(m));
        let changed = all.fold(0, |all, m| all | m.fills.low_word() | m.clears.low_word());
        let differ = roots.iter().fold(0, |all, root| all | root.board.low_word() ^ roots[0].board.low_word());
        let single = alone & (changed | differ);
        let fixed = alone & !single & roots.first().map_or(0, |root| root.board.low_word());
        Some(Self { first, second, single, fixed })
    }

    /// The number of squares.
    #[must_use]
    pub const fn pairs(&self) -> u32 {
        self.first.count_ones()
    }

    /// The number of cells outside of squares that some move changes.
    #[must_use]
    pub const fn singles(&self) -> u32 {
        self.single.count_ones()
    }

    /// The cells of each plane: of the first colour, of the second, and outside of squares.
    #[must_use]
    pub const fn masks(&self) -> [u64; 3] {
        [self.first, self.second, self.single]
    }

    /// The filled cells among those that no move changes.
    #[must_use]
    pub const fn fixed(&self) -> u64 {
        self.fixed
    }

    /// The first and the second cell of each square.
    pub(super) fn squares(&self) -> Vec<(u32, u32)> {
        Board::from_word(self.first).bits().zip(Board::from_word(self.second).bits()).collect()
    }

    /// Splits the cells of `board` into planes, in the order of colours.
    #[inline(always)]
    pub fn split<G: Gather>(&self, unit: G, board: u64) -> Content {
        Content {
            first: unit.extract(board, self.first) as u32,
            second: unit.extract(board, self.second) as u32,
            single: unit.extract(board, self.single),
        }
    }

    /// The board with `content`, which is in the order of colours.
    #[inline(always)]
    pub fn join<G: Gather>(&self, unit: G, content: Content) -> u64 {
        let first = unit.deposit(content.first.into(), self.first);
        let second = unit.deposit(content.second.into(), self.second);
        let single = if self.single == 0 { 0 } else { unit.deposit(content.single, self.single) };
        first | second | single | self.fixed
    }

    /// Returns whether `board` is one of those that are split without loss: no square has two pieces, and the cells that no move changes
    /// are as at the start.
    #[must_use]
    pub fn has(&self, board: Board) -> bool {
        let Some(word) = board.to_word() else { return false };
        let content = self.split(super::Portable, word);
        content.first & content.second == 0 && word & !(self.first | self.second | self.single) == self.fixed
    }

    /// Returns whether the cells that no move changes agree with `empty` and `full`.
    #[must_use]
    pub const fn is_possible(&self, empty: Board, full: Board) -> bool {
        let changed = self.first | self.second | self.single;
        empty.low_word() & self.fixed == 0 && full.low_word() & !changed & !self.fixed == 0
    }

    /// The cells that share a square with one of `cells`.
    pub fn partners<G: Gather>(&self, unit: G, cells: u64) -> u64 {
        let Content { first, second, .. } = self.split(unit, cells);
        unit.deposit(second.into(), self.first) | unit.deposit(first.into(), self.second)
    }
}
