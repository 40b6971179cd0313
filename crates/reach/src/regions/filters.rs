//! Tests whether moves fit a board, plane by plane. Consecutive positions share a plane, which is tested once for all of them.

use crate::index::{Content, Planes};
use crate::rules::Board;
use crate::sparse::moves::{Test, Tests};

/// A test of a board: the first cells must all be empty, and the second cells all filled.
pub(super) type Cells = (Content, Content);

/// A list of tests. A board passes a test if each of its planes passes it. `None` stands for a test that no board passes.
pub(super) struct Filters {
    first: Tests<u64>,
    second: Tests<u64>,
    /// The tests of cells outside of squares; `None` if no test has such cells.
    single: Option<Tests<u64>>,
}

impl Filters {
    /// Prepares `tests`, and takes the bytes for its tables off `room`.
    pub(super) fn new(tests: &[Option<Cells>], planes: &Planes, room: &mut usize) -> Self {
        let of = |plane: fn(&Content) -> u64| -> Vec<Test<u64>> {
            let test = |test: &Option<Cells>| match test {
                Some((empty, full)) => Test::new(Board::from_word(plane(empty)), Board::from_word(plane(full))),
                None => Test::never(),
            };
            tests.iter().map(test).collect()
        };
        let (first, second) = (of(|it| it.first.into()), of(|it| it.second.into()));
        let has_singles = tests.iter().flatten().any(|(empty, full)| empty.single | full.single != 0);
        let pairs = planes.pairs().max(1);
        let single = has_singles.then(|| Tests::new(of(|it| it.single), planes.singles().max(1), room));
        Self { first: Tests::new(first, pairs, room), second: Tests::new(second, pairs, room), single }
    }

    /// The number of words that hold one bit per test.
    #[inline(always)]
    pub(super) const fn words(&self) -> usize {
        self.first.words()
    }

    /// The tests that the first plane passes, as a bit set: bit `i` is test 64 * `word` + `i`.
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

/// Tests for the positions of a row, which share the first plane; the results of that plane are kept.
pub(super) struct RowFilters<'a> {
    filters: &'a Filters,
    /// The tests that matter.
    asked: &'a [u64],
    passed: Vec<u64>,
}

impl<'a> RowFilters<'a> {
    /// The tests whose bits are set in `asked`, before any row is entered.
    pub(super) fn new(filters: &'a Filters, asked: &'a [u64]) -> Self {
        Self { filters, asked, passed: vec![0; filters.words()] }
    }

    /// Begins the row of `first`.
    #[inline(always)]
    pub(super) fn begin(&mut self, first: u32) {
        for word in 0..self.passed.len() {
            let asked = self.asked[word];
            self.passed[word] = if asked == 0 { 0 } else { asked & self.filters.first(word, first) };
        }
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
            passed => passed & self.filters.rest(word, content),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Portable;
    use crate::sparse::moves::ALL;
    use crate::sparse::random::random_moving;

    #[test]
    fn tests_by_planes_equal_tests_of_boards() {
        let mut draw = fastrand::Rng::with_seed(8);
        for _ in 0..300 {
            let (cells, moves) = (draw.u32(2..=12), draw.usize(1..100));
            let rules = random_moving(&mut draw, cells, moves, 0, false);
            let Some(planes) = Planes::of(&rules, &rules.start_positions()) else { continue };
            let is_turned = draw.bool();
            let split = |cells: Board| planes.split(Portable, cells.low_word()).turned(is_turned);
            let tests = rules
                .moves()
                .iter()
                .map(|m| planes.is_possible(m.empty, m.full).then(|| (split(m.empty), split(m.full))));
            let tests = Filters::new(&tests.collect::<Vec<_>>(), &planes, &mut { ALL });
            let all = vec![u64::MAX; tests.words()];
            let mut in_row = RowFilters::new(&tests, &all);
            for _ in 0..50 {
                let all = |bits: u32| if bits == 0 { 0 } else { u64::MAX >> (64 - bits) };
                let first = draw.u64(..) & all(planes.pairs());
                let second = draw.u64(..) & all(planes.pairs()) & !first;
                let single = draw.u64(..) & all(planes.singles());
                let content = Content { first: first as u32, second: second as u32, single };
                let board = Board::from_word(planes.join(Portable, content.turned(is_turned)));
                in_row.begin(content.first);
                for (number, m) in rules.moves().iter().enumerate() {
                    let is_passed = in_row.passed(number / 64, content) >> (number % 64) & 1 == 1;
                    assert_eq!(is_passed, board.is_disjoint(m.empty) && board.contains(m.full), "{rules:?}");
                }
            }
        }
    }
}
