//! Moves from the positions of a *row*: the positions of a region that share the squares of the first colour.
//!
//! Their numbers are consecutive. A move changes the first colour's squares in the same way at all of them, and so changes the number
//! in the same way. That change is computed when the row first needs the move. So is the symmetry that maps the successors to
//! their numbered images.

use super::folds::Folds;
use super::move_filters::RowFilters;
use super::planes::Content;
use super::regions::{Lead, Regions};
use super::steps::{MoveStep, Tested};
use crate::simd::Unit;

/// A row and the moves from its positions, either all forward or all undone.
pub(super) struct Row<'a> {
    regions: &'a Regions,
    moves: &'a Tested,
    leads: &'a [Lead],
    pub(super) tests: RowFilters<'a>,
    has_singles: bool,
    /// The sequence number of the current row, and its squares of the first colour.
    number: u32,
    first: u32,
    ways: Vec<Way>,
    /// True if moves are undone.
    is_back: bool,
    /// The symmetries that map predecessors to numbered positions, for all ways.
    turns: Vec<u8>,
}

/// The effect of a move from a row.
#[derive(Clone, Copy)]
struct Way {
    /// The sequence number of the row that this was computed for.
    row: u32,
    /// The part of a number that the region and the first colour determine; `u32::MAX` if there is no region.
    base: u32,
    /// The second colour's squares that change, and the squares that are free for it.
    change: u32,
    left: u32,
    /// The factor of the second colour's rank in a number, and the table that ranks it.
    rises: u32,
    top: u32,
    /// The cells outside of squares that change.
    single: u64,
    /// Up to symmetry: the symmetry that maps the successor to its numbered image. For undone moves, also the range of further
    /// symmetries in `turns`.
    turn: u8,
    others: (u32, u32),
}

impl Way {
    const NONE: Self =
        Self { row: 0, base: 0, change: 0, left: 0, rises: 0, top: 0, single: 0, turn: 0, others: (0, 0) };
}

impl<'a> Row<'a> {
    /// The moves with these `leads`, before any row is entered.
    fn new(regions: &'a Regions, moves: &'a Tested, leads: &'a [Lead], is_back: bool) -> Self {
        let (tests, ways) = (RowFilters::new(&moves.tests), vec![Way::NONE; moves.steps.len()]);
        let has_singles = regions.has_singles();
        let turns = Vec::new();
        Self { regions, moves, leads, tests, has_singles, number: 0, first: 0, ways, is_back, turns }
    }

    /// Rows of forward moves.
    pub(super) fn of_moves(regions: &'a Regions, moves: &'a Tested, leads: &'a [Lead]) -> Self {
        Self::new(regions, moves, leads, false)
    }

    /// Rows of undone moves.
    pub(super) fn of_moves_back(regions: &'a Regions, moves: &'a Tested, leads: &'a [Lead]) -> Self {
        Self::new(regions, moves, leads, true)
    }

    /// Enters the row of `first`; returns `true` if it was not the current row.
    #[inline(always)]
    pub(super) fn enter(&mut self, first: u32) -> bool {
        let is_new = self.number == 0 || self.first != first;
        if is_new {
            self.number += 1;
            self.first = first;
            self.turns.clear();
            self.tests.begin(first);
        }
        is_new
    }

    /// The number of the successor of `content` by move `index`.
    #[inline(always)]
    pub(super) fn ahead<U: Unit>(&mut self, unit: U, index: usize, content: Content) -> u32 {
        if self.has_singles {
            let step = &self.moves.steps[index];
            if step.open != 0 {
                let mut after = changed(step, content);
                after.single |= step.open;
                let lead = self.leads[(step.kind + (step.open & !content.single).count_ones()) as usize];
                return self.regions.number(unit, lead, after);
            }
        }
        self.plain(unit, index, content)
    }

    /// Calls `before` with the number of each predecessor of `content` by move `index`.
    #[inline(always)]
    pub(super) fn back<U: Unit>(&mut self, unit: U, index: usize, content: Content, mut before: impl FnMut(u32)) {
        if self.has_singles {
            let step = &self.moves.steps[index];
            if step.open != 0 {
                let mut changed = changed(step, content);
                // Some of the cells that the move fills were filled before.
                let (without, mut part) = (changed.single & !step.open, step.open);
                loop {
                    changed.single = without | part;
                    let lead = self.leads[(step.kind + (step.open & !part).count_ones()) as usize];
                    if !lead.is_none() {
                        before(self.regions.number(unit, lead, changed));
                    }
                    if part == 0 {
                        return;
                    }
                    part = (part - 1) & step.open;
                }
            }
        }
        let number = self.plain(unit, index, content);
        if number != u32::MAX {
            before(number);
            if let Some(folds) = &self.regions.folds {
                let way = self.ways[index];
                for &turn in &self.turns[way.others.0 as usize..way.others.1 as usize] {
                    before(self.turned(unit, folds, &way, turn, content));
                }
            }
        }
    }

    /// The number that a way leads to from `content`, mapped by symmetry number `turn`.
    #[inline(always)]
    fn turned<U: Unit>(&self, unit: U, folds: &Folds, way: &Way, turn: u8, content: Content) -> u32 {
        let second = folds.image(turn, content.second ^ way.change);
        self.of_second(unit, way, second, content.single)
    }

    /// The number that a way leads to if the second colour has the squares `second`.
    #[inline(always)]
    fn of_second<U: Unit>(&self, unit: U, way: &Way, second: u32, single: u64) -> u32 {
        let left = unit.extract(second.into(), way.left.into());
        let number = way.base + self.regions.subsets.rank(left as u32, way.top) * way.rises;
        if self.has_singles { number + self.regions.subsets.number(single ^ way.single) } else { number }
    }

    /// The number that move `index` leads to, if it changes the same cells at every position; `u32::MAX` if there is none.
    #[inline(always)]
    fn plain<U: Unit>(&mut self, unit: U, index: usize, content: Content) -> u32 {
        if self.ways[index].row != self.number {
            self.ways[index] = self.way(index);
        }
        let way = &self.ways[index];
        if way.base == u32::MAX {
            return u32::MAX;
        }
        match &self.regions.folds {
            None => self.of_second(unit, way, content.second ^ way.change, content.single),
            Some(folds) => self.turned(unit, folds, way, way.turn, content),
        }
    }

    /// The way of a move from this row.
    #[inline]
    fn way(&mut self, index: usize) -> Way {
        let step = &self.moves.steps[index];
        let first = self.first ^ step.change.first;
        let lead = self.leads[step.kind as usize];
        let row = self.number;
        let mut way = Way {
            row,
            base: u32::MAX,
            change: step.change.second,
            left: !first,
            rises: lead.second,
            top: lead.top,
            single: step.change.single,
            turn: 0,
            others: (0, 0),
        };
        if lead.is_none() {
            return way;
        }
        if let Some(folds) = &self.regions.folds {
            let start = self.turns.len();
            if self.is_back {
                folds.turns_back(first, self.first, &mut self.turns);
            } else {
                self.turns.push(folds.place(first).element);
            }
            let Some(&turn) = self.turns.get(start) else { return way };
            way.left = !folds.image(turn, first);
            way.turn = turn;
            way.others = (start as u32 + 1, self.turns.len() as u32);
        }
        way.base = lead.base + self.regions.of_first(lead, first);
        way
    }
}

#[inline(always)]
const fn changed(step: &MoveStep, content: Content) -> Content {
    let Content { first, second, single } = content;
    let change = step.change;
    Content { first: first ^ change.first, second: second ^ change.second, single: single ^ change.single }
}
