//! Moves from the positions of a *row*: those of a region that have the first colour's squares in common.
//!
//! Their numbers follow one another. What a move does to the first colour's squares, and what that does to the number, is the same
//! at all of them; so it is found when a row has the move first.

use super::bits::Bits;
use super::plane_tests::InRow;
use super::planes::Content;
use super::regions::{Lead, Regions};
use super::steps::{Step, Tested};

/// A row, and moves from there: all ahead, or all back.
pub(super) struct Row<'a> {
    regions: &'a Regions,
    moves: &'a Tested,
    leads: &'a [Lead],
    pub(super) tests: InRow<'a>,
    has_singles: bool,
    /// Which row it is, and its squares of the first colour.
    number: u32,
    first: u32,
    ways: Vec<Way>,
}

/// To where a move leads from a row.
#[derive(Clone, Copy)]
struct Way {
    /// The row for which this is known.
    row: u32,
    /// What a number has of the region and the first colour; `u32::MAX` if there is no region.
    base: u32,
    /// The second colour's squares that change, and those that are left to it.
    change: u32,
    left: u32,
    /// By how much a number rises with their choice, and what ranks it.
    rises: u32,
    top: u32,
    /// The cells alone that change.
    single: u64,
}

impl Way {
    const NONE: Self = Self { row: 0, base: 0, change: 0, left: 0, rises: 0, top: 0, single: 0 };
}

impl<'a> Row<'a> {
    /// No row so far, of the region whose moves have these `leads`.
    pub(super) fn new(regions: &'a Regions, moves: &'a Tested, leads: &'a [Lead]) -> Self {
        let (tests, ways) = (InRow::new(&moves.tests), vec![Way::NONE; moves.steps.len()]);
        let has_singles = regions.has_singles();
        Self { regions, moves, leads, tests, has_singles, number: 0, first: 0, ways }
    }

    /// Makes sure that this is the row of `first`; `true` if it was another.
    #[inline(always)]
    pub(super) fn enter(&mut self, first: u32) -> bool {
        let is_new = self.number == 0 || self.first != first;
        if is_new {
            self.number += 1;
            self.first = first;
            self.tests.begin(first);
        }
        is_new
    }

    /// The number that move `index` leads to from `content`.
    #[inline(always)]
    pub(super) fn ahead<B: Bits>(&mut self, bits: B, index: usize, content: Content) -> u32 {
        if self.has_singles {
            let step = &self.moves.steps[index];
            if step.open != 0 {
                let mut after = changed(step, content);
                after.single |= step.open;
                let lead = self.leads[(step.kind + (step.open & !content.single).count_ones()) as usize];
                return self.regions.number(bits, lead, after);
            }
        }
        self.plain(bits, index, content)
    }

    /// Gives `before` the numbers from which move `index` leads to `content`.
    #[inline(always)]
    pub(super) fn back<B: Bits>(&mut self, bits: B, index: usize, content: Content, mut before: impl FnMut(u32)) {
        if self.has_singles {
            let step = &self.moves.steps[index];
            if step.open != 0 {
                let mut changed = changed(step, content);
                // What the move fills in any case was filled before in part.
                let (without, mut part) = (changed.single & !step.open, step.open);
                loop {
                    changed.single = without | part;
                    let lead = self.leads[(step.kind + (step.open & !part).count_ones()) as usize];
                    if !lead.is_none() {
                        before(self.regions.number(bits, lead, changed));
                    }
                    if part == 0 {
                        return;
                    }
                    part = (part - 1) & step.open;
                }
            }
        }
        let number = self.plain(bits, index, content);
        if number != u32::MAX {
            before(number);
        }
    }

    /// The number that a move leads to which changes the same cells wherever it is legal; `u32::MAX` if there is none.
    #[inline(always)]
    fn plain<B: Bits>(&mut self, bits: B, index: usize, content: Content) -> u32 {
        let way = &mut self.ways[index];
        if way.row != self.number {
            let step = &self.moves.steps[index];
            let first = self.first ^ step.change.first;
            let lead = self.leads[step.kind as usize];
            *way = Way {
                row: self.number,
                base: if lead.is_none() { u32::MAX } else { lead.base + self.regions.of_first(lead, first) },
                change: step.change.second,
                left: !first,
                rises: lead.second,
                top: lead.top,
                single: step.change.single,
            };
        }
        if way.base == u32::MAX {
            return u32::MAX;
        }
        let left = bits.taken_out((content.second ^ way.change).into(), way.left.into());
        let number = way.base + self.regions.subsets.rank(left as u32, way.top) * way.rises;
        if self.has_singles { number + self.regions.subsets.number(content.single ^ way.single) } else { number }
    }
}

#[inline(always)]
const fn changed(step: &Step, content: Content) -> Content {
    let Content { first, second, single } = content;
    let change = step.change;
    Content { first: first ^ change.first, second: second ^ change.second, single: single ^ change.single }
}
