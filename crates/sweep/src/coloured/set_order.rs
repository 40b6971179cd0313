//! The order in which the occupied sets of a slice are swept.
//!
//! The *top squares*, the squares with the highest numbers, are the slice squares: a slice is all occupied sets that
//! agree on them. Sets are numbered, so a slice is a range of sets, and a range of each plane. A move fills squares, so
//! it leads to its own slice or to a slice with a larger number. Without top squares, all sets are one slice.
//!
//! ```text
//! number of a set:   top squares (which slice)   | upper squares (which group)   | lower squares
//! ```
//!
//! The sets of a slice that agree on the upper squares are a group. A move out of a group fills an upper square, so
//! groups with equally many upper squares occupied do not depend on each other. They form a level. Levels are swept one
//! after the other, the groups of a level in parallel, and the sets of a group by number. Where pieces fall, the last groups
//! have most colourings, so threads also share sets of many colourings.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::colourings::{Frame, Numbered};
use crate::{Direction, parallel};

/// Upper and lower squares of a slice, unless squares that are filled in an order need another cut. With enough upper squares, the
/// levels of one group are a small part of the work.
const UPPER: u32 = 8;
const LOWER: u32 = 4;
/// Threads share sets of more than 2^`PART` colourings, in parts of this size. The tests of this crate have small sets.
pub(super) const PART: u32 = if cfg!(test) { 11 } else { 18 };
/// The most ranges of sets that threads share, and the least number of words of a range.
const RANGES: u64 = 256;
const LEAST: u64 = if cfg!(test) { 4 } else { 1 << 12 };

/// A cut of the occupied sets into slices. It is cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// The number of squares.
    size: u32,
    /// The number of top squares.
    top: u32,
    /// The possible slices.
    slices: Arc<Numbered>,
}

impl Cut {
    /// The slices of `frame`, by `top` slice squares. Squares that are filled in an order must not lie on both sides of the cut.
    pub(super) fn new(frame: &Frame, top: u32) -> Self {
        let size = frame.size();
        Self { size, top, slices: Arc::new(Numbered::new(frame.sets(), size - top, size)) }
    }

    /// One slice of all sets.
    pub(super) fn whole(frame: &Frame) -> Self {
        Self::new(frame, 0)
    }

    pub(super) const fn top(&self) -> u32 {
        self.top
    }

    /// The number of squares below the top squares.
    pub(super) const fn below(&self) -> u32 {
        self.size - self.top
    }

    /// The number of possible slices.
    pub(super) fn slices(&self) -> usize {
        self.slices.count()
    }

    /// The possible slices, in ascending order.
    pub(super) fn all(&self) -> impl Iterator<Item = u64> {
        (0..self.slices.count()).map(|number| self.slices.content(number))
    }

    /// The slice of `set`: the top squares that it contains.
    #[inline(always)]
    pub(super) const fn slice(&self, set: u64) -> u64 {
        set >> self.below()
    }

    /// Returns whether `slice` is possible.
    pub(super) fn has(&self, slice: u64) -> bool {
        self.slices.has(slice)
    }

    /// The number of possible slices below `slice`.
    #[inline(always)]
    pub(super) fn number(&self, slice: u64) -> usize {
        self.slices.number(slice)
    }

    /// The sets of `slice`, possible or not.
    const fn sets(&self, slice: u64) -> Range<u64> {
        slice << self.below()..(slice + 1) << self.below()
    }

    /// The words of the possible sets of `slice` in a plane.
    pub(super) fn words(&self, frame: &Frame, slice: u64) -> Range<u64> {
        let Range { start, end } = self.sets(slice);
        frame.words_before(start)..frame.words_before(end)
    }
}

/// The order of the possible sets of one slice.
#[derive(Clone, Debug)]
pub(super) struct SetOrder {
    pub(super) cut: Cut,
    /// The slice.
    pub(super) slice: u64,
    /// The number of lower squares.
    lower: u32,
    /// The first set of each group, in ascending order: no lower square is occupied.
    groups: Vec<u64>,
    /// The possible contents of the lower squares, in ascending order.
    lowers: Vec<u64>,
}

/// One of 2^`log` equal parts of a set.
#[derive(Clone, Copy)]
pub(super) struct SetPart {
    pub(super) number: usize,
    pub(super) log: u32,
}

impl SetOrder {
    /// The sets of `slice`.
    pub(super) fn of(frame: &Frame, cut: &Cut, slice: u64) -> Self {
        let most = cut.below().saturating_sub(UPPER).max(LOWER.min(cut.below()));
        let whole = frame.offsets().lower();
        let lower = if cut.top() == 0 { whole } else { whole.min(most) };
        // Squares that are filled in an order must not lie on both sides of the cut.
        let lower = (0..=lower).rev().find(|&lower| frame.sets().splits_at(lower)).unwrap_or(0);
        let first = slice << cut.below();
        let uppers = if cut.has(slice) { frame.sets().all(lower, cut.below()) } else { Vec::new() };
        let groups = uppers.into_iter().map(|upper| first | upper).collect();
        Self { cut: cut.clone(), slice, lower, groups, lowers: frame.sets().all(0, lower) }
    }

    /// The lower squares, as a set.
    pub(super) const fn lower(&self) -> u64 {
        (1 << self.lower) - 1
    }

    /// Calls `group` with the first set of each group, level by level, on all cores of the current rayon pool. Returns
    /// early if `group` breaks.
    pub(super) fn levels(
        &self,
        direction: Direction,
        group: impl Fn(u64) -> ControlFlow<()> + Sync,
    ) -> ControlFlow<()> {
        let mut groups = self.groups.clone();
        groups.sort_by_key(|first| first.count_ones());
        let mut levels: Vec<&[u64]> = groups.chunk_by(|a, b| a.count_ones() == b.count_ones()).collect();
        if direction == Direction::Down {
            levels.reverse();
        }
        levels.into_iter().try_for_each(|level| parallel::each_below(level.len(), &|number| group(level[number])))
    }

    /// Calls `share` for the group that begins with `first`, on all cores of the current rayon pool: with the numbers of some small
    /// sets, or with one of the parts of a large set, after all sets before these are finished. Returns early if `share` breaks.
    pub(super) fn shares(
        &self,
        frame: &Frame,
        first: u64,
        direction: Direction,
        share: impl Fn(Range<usize>, SetPart) -> ControlFlow<()> + Sync,
    ) -> ControlFlow<()> {
        let sets = self.sets(first, direction, 0..self.sets_of_group());
        let mut logs = sets.map(|set| frame.coloured(set).saturating_sub(PART)).peekable();
        let mut begin = 0;
        while let Some(log) = logs.next() {
            let mut end = begin + 1;
            if log > 0 {
                parallel::each_below(1 << log, &|number| share(begin..end, SetPart { number, log }))?;
            } else {
                while logs.next_if_eq(&0).is_some() {
                    end += 1;
                }
                share(begin..end, SetPart { number: 0, log })?;
            }
            begin = end;
        }
        ControlFlow::Continue(())
    }

    /// The number of sets of a group.
    pub(super) fn sets_of_group(&self) -> usize {
        self.lowers.len()
    }

    /// The sets of the group that begins with `first` that have these `numbers`. They are numbered from 0, in the order of the
    /// sweep.
    #[inline]
    pub(super) fn sets(&self, first: u64, direction: Direction, numbers: Range<usize>) -> impl Iterator<Item = u64> {
        let last = self.lowers.len() - 1;
        let is_down = direction == Direction::Down;
        numbers.map(move |number| first | self.lowers[if is_down { last - number } else { number }])
    }

    /// The set of the slice with this number. Sets are numbered from 0, in ascending order.
    pub(super) fn set(&self, number: usize) -> u64 {
        self.groups[number / self.lowers.len()] | self.lowers[number % self.lowers.len()]
    }

    /// The numbers of all sets, as ranges with about equally many words, for threads to share.
    pub(super) fn ranges(&self, frame: &Frame) -> Vec<Range<usize>> {
        let sets = self.groups.len() * self.lowers.len();
        let Range { start, end } = self.cut.words(frame, self.slice);
        let ranges = ((end - start) / LEAST).clamp(1, RANGES);
        let begin = |range: u64| {
            let word = start + (end - start) * range / ranges;
            let (mut low, mut high) = (0, sets);
            while low < high {
                let middle = low.midpoint(high);
                if frame.offsets().start(self.set(middle)) < word { low = middle + 1 } else { high = middle }
            }
            low
        };
        (0..ranges).map(|range| begin(range)..begin(range + 1)).filter(|range| !range.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colourings::Squares;
    use crate::rules::{Board, Mode, Move, RulesSpec};
    use std::sync::Mutex;

    /// A game of `pairs` two-colour squares and a square of one cell.
    fn frame(pairs: u32) -> Frame {
        let both = |square: u32| Board::bit(square) | Board::bit(square + pairs);
        let mark = |square: u32, cell: u32| Move { empty: both(square), ..Move::fill(Board::bit(cell)) };
        let mut moves: Vec<Move> =
            (0..pairs).flat_map(|square| [mark(square, square), mark(square, square + pairs)]).collect();
        moves.iter_mut().skip(1).step_by(2).for_each(|m| m.mode = Mode(1));
        moves.push(Move::fill(Board::bit(2 * pairs)));
        let modes = vec!["a".into(), "b".into()];
        let rules = RulesSpec { moves, modes, ..RulesSpec::new("marks", 2 * pairs + 1) }.build().unwrap();
        Frame::of(&rules, &Squares::of(&rules, &[]), &[]).unwrap()
    }

    #[test]
    fn sets_are_swept_once_after_their_dependencies() {
        for pairs in [1, 4, 9, 12] {
            let frame = frame(pairs);
            for top in 0..=frame.size() {
                let cut = Cut::new(&frame, top);
                let mut end = 0;
                for slice in cut.all() {
                    let words = cut.words(&frame, slice);
                    assert_eq!(words.start, end, "slices follow each other");
                    end = words.end;
                    if top > 6 && slice % 7 != 0 {
                        continue;
                    }
                    for direction in [Direction::Up, Direction::Down] {
                        let order = SetOrder::of(&frame, &cut, slice);
                        let seen = Mutex::new(Vec::new());
                        let flow = order.levels(direction, |first| {
                            let before = |a: u64, b: u64| if direction == Direction::Up { a < b } else { a > b };
                            let all = order.sets(first, direction, 0..order.sets_of_group());
                            assert!(all.is_sorted_by(|&a, &b| before(a, b)));
                            order.shares(&frame, first, direction, |sets, part| {
                                let sets = order.sets(first, direction, sets).map(|set| (set, part.number, part.log));
                                seen.lock().unwrap().extend(sets);
                                ControlFlow::Continue(())
                            })
                        });
                        assert!(flow.is_continue());
                        let mut seen = seen.into_inner().unwrap();
                        seen.sort_unstable();
                        let parts = |set: u64| {
                            let log = frame.coloured(set).saturating_sub(PART);
                            (0..1 << log).map(move |number| (set, number, log))
                        };
                        assert!(seen.into_iter().eq(cut.sets(slice).flat_map(parts)), "{pairs} {top} {slice}");
                    }
                    let order = SetOrder::of(&frame, &cut, slice);
                    let sets = order.ranges(&frame).into_iter().flatten().map(|number| order.set(number));
                    assert!(sets.eq(cut.sets(slice)), "{pairs} {top} {slice}");
                }
                assert_eq!(end, frame.words());
            }
        }
    }
}
