//! Tests whether moves fit a board, plane by plane. Consecutive positions share a plane, which is tested once for all of them.

use super::planes::{Content, Planes};
use crate::rules::Board;
use crate::simd::Portable;
use crate::sparse::moves::{Test, Tests};

/// A test of a board: the first cells must all be empty, and the second cells all filled.
pub(super) type Cells = (Board, Board);

/// A list of tests. A board passes a test if each of its planes passes it.
pub(super) struct MoveFilters {
    first: Tests<u64>,
    second: Tests<u64>,
    /// The tests of cells outside of squares; `None` if no test has such cells.
    single: Option<Tests<u64>>,
}

impl MoveFilters {
    /// Prepares `tests`, and takes the bytes for its tables off `room`.
    pub(super) fn new(tests: &[Cells], planes: &Planes, room: &mut usize) -> Self {
        let split = |cells: Board| planes.split(Portable, cells.low_word());
        let test = |empty: u64, full: u64| Test::new(Board::from_word(empty), Board::from_word(full));
        let (mut first, mut second, mut single) = (Vec::new(), Vec::new(), Vec::new());
        for &(empty, full) in tests {
            let is_possible = planes.is_possible(empty, full);
            let (empty, full) = (split(empty), split(full));
            first.push(if is_possible { test(empty.first.into(), full.first.into()) } else { Test::never() });
            second.push(test(empty.second.into(), full.second.into()));
            single.push(test(empty.single, full.single));
        }
        let all = |tests: &[Test<u64>]| tests.iter().all(|test| test.is_passed(0) && test.is_passed(u64::MAX));
        let single = if all(&single) { None } else { Some(Tests::new(single, planes.singles().max(1), room)) };
        let pairs = planes.pairs().max(1);
        Self { first: Tests::new(first, pairs, room), second: Tests::new(second, pairs, room), single }
    }

    /// The number of words that hold one bit per test.
    #[inline(always)]
    pub(super) const fn words(&self) -> usize {
        self.first.words()
    }

    /// The tests that the plane of the first colour passes, as a bit set: bit `i` is test 64 * `word` + `i`.
    #[inline(always)]
    pub(super) fn first(&self, word: usize, first: u32) -> u64 {
        self.first.passed(word, first.into())
    }

    /// The tests that the other planes pass, as a bit set like [`first`](Self::first).
    #[inline(always)]
    pub(super) fn rest(&self, word: usize, content: Content) -> u64 {
        let passed = self.second.passed(word, content.second.into());
        self.single.as_ref().map_or(passed, |single| passed & single.passed(word, content.single))
    }
}

/// Tests for the positions of a row, which share the plane of the first colour; the results of that plane are cached.
pub(super) struct RowFilters<'a> {
    tests: &'a MoveFilters,
    passed: Vec<u64>,
}

impl<'a> RowFilters<'a> {
    /// The tests, before any row is entered.
    pub(super) fn new(tests: &'a MoveFilters) -> Self {
        Self { tests, passed: vec![0; tests.words()] }
    }

    /// Begins the row of `first`.
    #[inline(always)]
    pub(super) fn begin(&mut self, first: u32) {
        let tests = self.tests;
        self.passed.iter_mut().enumerate().for_each(|(word, passed)| *passed = tests.first(word, first));
    }

    #[inline(always)]
    pub(super) const fn words(&self) -> usize {
        self.passed.len()
    }

    /// The tests that a position of the row passes, as a bit set: bit `i` is test 64 * `word` + `i`.
    #[inline(always)]
    pub(super) fn passed(&self, word: usize, content: Content) -> u64 {
        match self.passed[word] {
            0 => 0,
            passed => passed & self.tests.rest(word, content),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::moves::ALL;
    use crate::sparse::random::random_moving;

    #[test]
    fn tests_by_planes_equal_tests_of_boards() {
        let mut draw = fastrand::Rng::with_seed(8);
        for _ in 0..300 {
            let (cells, moves) = (draw.u32(2..=12), draw.usize(1..100));
            let rules = random_moving(&mut draw, cells, moves, 0, false);
            let Some(planes) = Planes::of(&rules, &rules.start_positions()) else { continue };
            let cells: Vec<Cells> = rules.moves().iter().map(|m| (m.empty, m.full)).collect();
            let tests = MoveFilters::new(&cells, &planes, &mut { ALL });
            let mut in_row = RowFilters::new(&tests);
            for _ in 0..50 {
                let all = |bits: u32| if bits == 0 { 0 } else { u64::MAX >> (64 - bits) };
                let first = draw.u64(..) & all(planes.pairs());
                let second = draw.u64(..) & all(planes.pairs()) & !first;
                let single = draw.u64(..) & all(planes.singles());
                let content = Content { first: first as u32, second: second as u32, single };
                let board = Board::from_word(planes.join(Portable, content));
                in_row.begin(content.first);
                for (number, &(empty, full)) in cells.iter().enumerate() {
                    let is_passed = in_row.passed(number / 64, content) >> (number % 64) & 1 == 1;
                    assert_eq!(is_passed, board.is_disjoint(empty) && board.contains(full), "{rules:?}");
                }
            }
        }
    }
}
