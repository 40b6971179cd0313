//! Regions and the numbers of their positions. The positions of a region have the same mode and equal counts of filled cells in each
//! plane.
//!
//! The positions of a region are numbered without gaps. A number combines three ranks in mixed radix: the rank of the first colour's
//! squares among all choices of that size, the rank of the second colour's squares among the squares left, and the rank of the
//! filled cells outside of squares. Up to symmetry, only some choices of the first colour's squares have numbers
//! ([`folds`](super::folds)). The numbers of one region follow the numbers of another.

use std::collections::HashMap;
use std::ops::Range;

use super::folds::Folds;
use super::planes::{Content, Planes};
use super::steps::{Kind, Steps};
use super::subsets::{Choices, Subsets};
use crate::rules::Position;
use crate::simd::{Portable, Unit};

/// Maximum number of regions.
const MOST_REGIONS: usize = 1 << 12;
/// Maximum number of regions times kinds of moves.
const MOST_LEADS: usize = 1 << 20;
/// Regions start at multiples of this number, so that no two share a word of bits.
const ALIGNED: u64 = 64;

/// A region: positions with consecutive numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) mode: u16,
    counts: [u32; 3],
    /// The first number, and the count of numbers.
    pub(super) base: u32,
    pub(super) size: u32,
    /// The factors of the first and of the second colour's rank in a number.
    first: u32,
    second: u32,
}

impl Region {
    const fn lead(&self) -> Lead {
        let Self { base, first, second, counts, .. } = *self;
        Lead { base, first, second, top: Subsets::top(counts[1]) }
    }
}

/// The numbering of the region that a kind of moves leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lead {
    pub(super) base: u32,
    first: u32,
    pub(super) second: u32,
    /// The table that ranks the second colour's squares ([`Subsets::rank`]).
    pub(super) top: u32,
}

impl Lead {
    /// The absence of a region.
    const NONE: Self = Self { base: u32::MAX, first: 0, second: 0, top: 0 };

    #[inline(always)]
    pub(super) const fn is_none(self) -> bool {
        self.base == u32::MAX
    }
}

/// The regions that may contain reachable positions.
pub(super) struct Regions {
    pub(super) list: Vec<Region>,
    /// The upper bound of all numbers.
    pub(super) numbers: u32,
    pub(super) subsets: Subsets,
    /// The symmetries up to which positions are numbered.
    pub(super) folds: Option<Folds>,
    has_singles: bool,
    kinds: usize,
    /// For each region and kind of moves: the region after the move, and the region before it.
    ahead: Vec<Lead>,
    back: Vec<Lead>,
}

type Name = (u16, [u32; 3]);

impl Regions {
    /// The regions that the kinds of moves in `steps` may lead to from `roots`. `None` if there are too many, or 2^32 numbers or more.
    pub(super) fn new(planes: &Planes, steps: &Steps, roots: &[Position], mut folds: Option<Folds>) -> Option<Self> {
        let choices = Choices::new();
        let (pairs, singles) = (planes.pairs(), planes.singles());
        let of_region =
            |[first, second, single]: [u32; 3]| [(pairs, first), (pairs - first, second), (singles, single)];
        let mut list: Vec<Region> = Vec::new();
        let mut known: HashMap<Name, usize> = HashMap::new();
        let mut numbers = 0u64;
        let mut add = |list: &mut Vec<Region>, (mode, counts): Name| {
            if let Some(&region) = known.get(&(mode, counts)) {
                return Some(region);
            }
            let [all, second, single] = of_region(counts).map(|(of, size)| choices.of(of, size));
            let first = folds.as_mut().map_or(Some(all), |folds| folds.choices(counts[0], &choices))?;
            let rises = second.checked_mul(single)?;
            let size = first.checked_mul(rises)?;
            let base = numbers;
            numbers = base.checked_add(size)?.checked_next_multiple_of(ALIGNED)?;
            if numbers > u64::from(u32::MAX) || list.len() == MOST_REGIONS {
                return None;
            }
            let (base, size) = (base as u32, size as u32);
            list.push(Region { mode, counts, base, size, first: rises as u32, second: single as u32 });
            known.insert((mode, counts), list.len() - 1);
            Some(list.len() - 1)
        };
        for root in roots {
            add(&mut list, (root.mode.0, planes.split(Portable, root.board.low_word()).counts()))?;
        }
        let after = |region: &Region, kind: &Kind| -> Option<Name> {
            let mut counts = [0; 3];
            for ((count, before), more) in counts.iter_mut().zip(region.counts).zip(kind.more) {
                *count = before.checked_add_signed(more)?;
            }
            (counts[0] + counts[1] <= pairs && counts[2] <= singles).then_some((kind.next, counts))
        };
        let mut leads: Vec<(usize, usize, usize)> = Vec::new();
        let mut next = 0;
        while next < list.len() {
            for (number, kind) in steps.kinds.iter().enumerate() {
                if kind.mode == list[next].mode
                    && let Some(name) = after(&list[next], kind)
                {
                    leads.push((next, number, add(&mut list, name)?));
                }
            }
            next += 1;
        }
        let kinds = steps.kinds.len();
        if list.len().checked_mul(kinds).is_none_or(|leads| leads > MOST_LEADS) {
            return None;
        }
        let lead = |region: usize| list[region].lead();
        let (mut ahead, mut back) = (vec![Lead::NONE; list.len() * kinds], vec![Lead::NONE; list.len() * kinds]);
        for (from, kind, to) in leads {
            ahead[from * kinds + kind] = lead(to);
            back[to * kinds + kind] = lead(from);
        }
        let uses = list.iter().flat_map(|region| of_region(region.counts));
        let subsets = Subsets::new(pairs.max(singles), uses);
        Some(Self { list, numbers: numbers as u32, subsets, folds, has_singles: singles > 0, kinds, ahead, back })
    }

    /// The regions that the moves of each kind lead to from `region`.
    pub(super) fn ahead(&self, region: usize) -> &[Lead] {
        &self.ahead[region * self.kinds..][..self.kinds]
    }

    /// The regions from which the moves of each kind lead to `region`.
    pub(super) fn back(&self, region: usize) -> &[Lead] {
        &self.back[region * self.kinds..][..self.kinds]
    }

    /// The number of the position with `content` in the region of a lead.
    #[inline(always)]
    pub(super) fn number<U: Unit>(&self, unit: U, lead: Lead, content: Content) -> u32 {
        let Content { first, second, single } = content;
        let (first, second) = match &self.folds {
            None => (first, second),
            Some(folds) => {
                let element = folds.place(first).element;
                (folds.image(element, first), folds.image(element, second))
            }
        };
        let left = unit.extract(second.into(), !u64::from(first));
        let of_single = if single == 0 { 0 } else { self.subsets.number(single) };
        lead.base + self.of_first(lead, first) + self.subsets.number(left) * lead.second + of_single
    }

    /// The part of a number that the first colour's squares determine.
    #[inline(always)]
    pub(super) fn of_first(&self, lead: Lead, first: u32) -> u32 {
        let choice = match &self.folds {
            None => self.subsets.number(first.into()),
            Some(folds) => folds.place(first).choice,
        };
        choice * lead.first
    }

    /// Returns whether some cells belong to no square of two cells.
    pub(super) const fn has_singles(&self) -> bool {
        self.has_singles
    }

    /// The number of `root`, one of the roots that the regions were made for.
    pub(super) fn number_of(&self, planes: &Planes, root: Position) -> Option<u32> {
        let content = planes.split(Portable, root.board.low_word());
        let is = |region: &&Region| (region.mode, region.counts) == (root.mode.0, content.counts());
        let region = self.list.iter().find(is)?;
        Some(self.number(Portable, region.lead(), content))
    }

    /// The content of the position with `number` in `region`. Consecutive numbers share the first colour's squares, which `last` caches.
    #[inline(always)]
    pub(super) fn content<U: Unit>(&self, unit: U, region: &Region, number: u32, last: &mut Last) -> Content {
        let [first_count, second_count, single_count] = region.counts;
        let number = number - region.base;
        if !last.numbers.contains(&number) {
            let choice = number / region.first;
            let from = choice * region.first;
            let first = match &self.folds {
                None => self.subsets.subset(first_count, choice) as u32,
                Some(folds) => folds.least(first_count, choice),
            };
            *last = Last { numbers: from..from + region.first, first };
        }
        let (rest, first) = (number - last.numbers.start, last.first);
        let (second, single) =
            if region.second == 1 { (rest, 0) } else { (rest / region.second, rest % region.second) };
        let second = self.subsets.subset(second_count, second);
        Content {
            first,
            second: unit.deposit(second, !u64::from(first)) as u32,
            single: self.subsets.subset(single_count, single),
        }
    }
}

/// A cache of the last choice of the first colour's squares, and of the numbers that share it.
pub(super) struct Last {
    numbers: Range<u32>,
    first: u32,
}

impl Last {
    /// An empty cache.
    pub(super) const fn new() -> Self {
        Self { numbers: 0..0, first: 0 }
    }
}
