//! Boards split into planes: the squares with a piece of the first colour, the squares with a piece of the second colour, and the
//! cells outside of squares.

use crate::colourings::{Square, Squares};
use crate::rules::{Board, Position, Rules};
use crate::simd::Unit;

/// The content of a board. A square has two cells, and no line of play fills both ([`Squares`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Content {
    /// The squares whose first cell is filled.
    pub(super) first: u32,
    /// The squares whose second cell is filled.
    pub(super) second: u32,
    /// The filled cells outside of squares, except cells that no move changes.
    pub(super) single: u64,
}

impl Content {
    /// The number of filled squares or cells in each plane.
    pub(super) const fn counts(self) -> [u32; 3] {
        [self.first.count_ones(), self.second.count_ones(), self.single.count_ones()]
    }
}

/// The cells of each plane.
#[derive(Clone, Debug)]
pub(super) struct Planes {
    /// The first and the second cells of the squares. Both are in the same order of squares.
    first: u64,
    second: u64,
    single: u64,
    /// The filled cells among the cells that no move changes.
    fixed: u64,
}

impl Planes {
    /// The planes of `rules`, for positions that are reachable from `roots`. `None` if first and second cells order the squares
    /// differently.
    pub(super) fn of(rules: &Rules, roots: &[Position]) -> Option<Self> {
        let squares = Squares::of_moving(rules, roots);
        let pairs = || squares.list().iter().filter_map(|&Square { first, second }| Some((first, second?)));
        if !pairs().map(|(first, _)| first).is_sorted() || !pairs().map(|(_, second)| second).is_sorted() {
            return None;
        }
        let of = |cells: &mut dyn Iterator<Item = u8>| cells.fold(0, |all, cell| all | 1u64 << cell);
        let first = of(&mut pairs().map(|(first, _)| first));
        let second = of(&mut pairs().map(|(_, second)| second));
        let alone = Board::full(rules.cells()).low_word() & !(first | second);
        let changed = rules.moves().iter().fold(0, |all, m| all | m.fills.low_word() | m.clears.low_word());
        let differ = roots.iter().fold(0, |all, root| all | root.board.low_word() ^ roots[0].board.low_word());
        let single = alone & (changed | differ);
        let fixed = alone & !single & roots.first().map_or(0, |root| root.board.low_word());
        Some(Self { first, second, single, fixed })
    }

    /// The number of squares.
    pub(super) const fn pairs(&self) -> u32 {
        self.first.count_ones()
    }

    /// The number of cells outside of squares that some move changes.
    pub(super) const fn singles(&self) -> u32 {
        self.single.count_ones()
    }

    /// The first and the second cell of each square.
    pub(super) fn squares(&self) -> Vec<(u32, u32)> {
        Board::from_word(self.first).bits().zip(Board::from_word(self.second).bits()).collect()
    }

    /// Splits the cells of `board` into planes.
    #[inline(always)]
    pub(super) fn split<U: Unit>(&self, unit: U, board: u64) -> Content {
        Content {
            first: unit.extract(board, self.first) as u32,
            second: unit.extract(board, self.second) as u32,
            single: unit.extract(board, self.single),
        }
    }

    /// The board with `content`.
    #[inline(always)]
    pub(super) fn join<U: Unit>(&self, unit: U, content: Content) -> u64 {
        let first = unit.deposit(content.first.into(), self.first);
        let second = unit.deposit(content.second.into(), self.second);
        let single = if self.single == 0 { 0 } else { unit.deposit(content.single, self.single) };
        first | second | single | self.fixed
    }

    /// Returns whether the cells that no move changes agree with `empty` and `full`.
    pub(super) const fn is_possible(&self, empty: Board, full: Board) -> bool {
        let changed = self.first | self.second | self.single;
        empty.low_word() & self.fixed == 0 && full.low_word() & !changed & !self.fixed == 0
    }

    /// The cells that share a square with one of `cells`.
    pub(super) fn partners<U: Unit>(&self, unit: U, cells: u64) -> u64 {
        let Content { first, second, .. } = self.split(unit, cells);
        unit.deposit(second.into(), self.first) | unit.deposit(first.into(), self.second)
    }
}
