//! Into which regions the colourings of a game are cut so that it fits into memory.

use super::super::area::Cut;
use super::super::plan::Plan;
use super::crossings::Crossings;
use crate::coloured::{Frame, SquareFold};
use crate::label::{LabelKind, LabelSet};
use crate::rules::Rules;
use crate::solve::regions::{BOOKKEEPING, Schedule, Sheet};

/// Most top squares: 65,536 regions.
const MOST_TOP: u32 = 16;
/// How many cuts that fit are compared.
const COMPARED: usize = 4;
/// Top squares up to which they are compared at once.
const AT_ONCE: u32 = 12;
/// The same for a region that another one stands for.
const ELSEWHERE: u64 = 1 << 7;

/// Colourings that are solved by regions.
#[derive(Clone, Copy, Debug)]
pub struct ColouredTask<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// Their squares, and the positions from which play is followed.
    pub frame: &'a Frame,
    /// The labels.
    pub labels: LabelSet,
}

/// How the colourings of a game are solved by regions: all sets with the same of the *top squares*, those of the highest
/// numbers, occupied.
#[derive(Clone, Debug)]
pub struct ColouredPlan {
    frame: Frame,
    draws: bool,
    pub(super) cut: Cut,
    sheets: Vec<Sheet>,
    /// Bytes of memory for labels that are used at most.
    max_bytes: u64,
}

impl ColouredTask<'_> {
    fn with(&self, top: u32) -> (ColouredPlan, Crossings) {
        let cut = Cut::new(self.frame.size(), top);
        let sheets = Sheet::all(self.labels, true).collect();
        let crossings = Crossings::new(&Plan::new(self.rules, self.frame), cut);
        let draws = self.rules.can_draw();
        (ColouredPlan { frame: self.frame.clone(), draws, cut, sheets, max_bytes: 0 }, crossings)
    }

    /// The numbers of top squares by which sets may be cut; up to symmetry, such that these are images of one another.
    fn tops(&self) -> impl Iterator<Item = u32> {
        let fold = self.frame.fold();
        let most = MOST_TOP.max(fold.map_or(0, SquareFold::top_squares));
        (0..=self.frame.size().min(most)).filter(move |&top| fold.is_none_or(|fold| fold.allows(top)))
    }

    fn plan(&self, top: u32, max_bytes: u64) -> Option<(ColouredPlan, Crossings)> {
        let (plan, crossings) = self.with(top);
        let fits = plan.least(&crossings)?.checked_add(plan.bookkeeping())? <= max_bytes;
        fits.then(|| (ColouredPlan { max_bytes: max_bytes - plan.bookkeeping(), ..plan }, crossings))
    }
}

impl ColouredPlan {
    /// Cuts the colourings of `task` into regions so that solving holds at most `max_bytes` bytes of labels in memory: of those few
    /// top squares with which they fit, as many as load least. `None` if no cut fits.
    #[must_use]
    pub fn new(task: &ColouredTask<'_>, max_bytes: u64) -> Option<Self> {
        let fitting = task.tops().filter_map(|top| task.plan(top, max_bytes)).take(COMPARED);
        // With more top squares more moves cross a border, but pieces are smaller, and more of them stay in memory.
        fitting.min_by_key(|(plan, crossings)| plan.loaded_bytes(crossings)).map(|(plan, _)| plan)
    }

    /// As [`new`](Self::new), without comparing cuts where that takes longer than a moment: then it is the first that fits.
    #[must_use]
    pub fn soon(task: &ColouredTask<'_>, max_bytes: u64) -> Option<Self> {
        let (first, _) = task.tops().find_map(|top| task.plan(top, max_bytes))?;
        if first.top_squares() <= AT_ONCE { Self::new(task, max_bytes) } else { Some(first) }
    }

    /// As [`new`](Self::new), with `top` top squares.
    #[must_use]
    pub fn with_top_squares(task: &ColouredTask<'_>, top: u32, max_bytes: u64) -> Option<Self> {
        let is_possible = task.tops().any(|possible| possible == top);
        is_possible.then(|| task.plan(top, max_bytes)).flatten().map(|(plan, _)| plan)
    }

    /// The least memory for labels, in bytes, with which `task` is solved by regions; `None` if no number says it.
    #[must_use]
    pub fn least_bytes(task: &ColouredTask<'_>) -> Option<u64> {
        let of = |top| {
            let (plan, crossings) = task.with(top);
            plan.least(&crossings)?.checked_add(plan.bookkeeping())
        };
        task.tops().filter_map(of).min()
    }

    /// Where the label of each position lies.
    #[must_use]
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The number of regions that are swept; up to symmetry, each stands for all of its images.
    #[must_use]
    pub fn regions(&self) -> u64 {
        let stored = |fold: &SquareFold| (fold.stored().len() as u64) << (self.cut.top() - fold.top_squares());
        self.frame.fold().map_or(self.cut.regions(), stored)
    }

    /// The regions that are swept, in ascending order.
    pub(in crate::solve) fn swept(&self) -> impl Iterator<Item = u64> {
        (0..self.cut.regions()).filter(|&region| self.rank(region).is_some())
    }

    fn rank(&self, region: u64) -> Option<u64> {
        self.frame.fold().map_or(Some(region), |fold| fold.regions().rank(self.cut.top() - fold.top_squares(), region))
    }

    /// The region that is swept and stored for `region`.
    pub(super) fn stored(&self, region: u64) -> u64 {
        self.frame.fold().map_or(region, |fold| fold.image(self.cut.top(), region).0)
    }

    /// How many regions that are swept have smaller numbers than `region`, which is swept.
    pub(super) fn rank_of(&self, region: u64) -> u64 {
        self.rank(region).unwrap_or_else(|| unreachable!("region {region} is swept"))
    }

    /// The region in which every top square is occupied: none has more colourings.
    const fn largest(&self) -> u64 {
        self.cut.regions() - 1
    }

    /// How many colourings `region` has.
    pub(in crate::solve) fn positions_of(&self, region: u64) -> u64 {
        self.frame.count_with(self.cut.below(), region)
    }

    /// How many squares name a region.
    #[must_use]
    pub const fn top_squares(&self) -> u32 {
        self.cut.top()
    }

    /// What is swept, in this order.
    #[must_use]
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// The number of planes of a sheet.
    #[must_use]
    pub const fn planes(&self, sheet: Sheet) -> u64 {
        let slots = self.frame.slots() as u64;
        match sheet {
            Sheet::Label(LabelKind::Outcome) => slots * (1 + self.draws as u64),
            Sheet::Label(_) | Sheet::Reached => slots,
        }
    }

    /// Where each region begins in a plane of a sheet, in bytes, and where the last one ends.
    pub fn starts(&self, sheet: Sheet) -> impl Iterator<Item = u64> {
        let words = self.swept().map(|region| {
            let words = self.cut.words(&self.frame, region);
            words.end - words.start
        });
        let ends = words.scan(0, |end, words| {
            *end += words;
            Some(*end)
        });
        [0].into_iter().chain(ends).map(move |words| words * word_bytes(sheet))
    }

    /// Bytes of a sheet of `region`.
    pub(super) fn sheet_bytes(&self, sheet: Sheet, region: u64) -> u64 {
        let words = self.cut.words(&self.frame, region);
        (words.end - words.start) * word_bytes(sheet) * self.planes(sheet)
    }

    /// Bytes of memory that solving takes at most.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        // No more than all of a sheet and what is beside it.
        let last = self.largest();
        let all = self.sheets.iter().map(|&sheet| {
            let beside = self.beside(sheet, last, Some(last));
            self.all_bytes(sheet).saturating_add(beside)
        });
        self.max_bytes.min(all.max().unwrap_or(0)) + self.bookkeeping()
    }

    fn all_bytes(&self, sheet: Sheet) -> u64 {
        self.frame.offsets().words().saturating_mul(word_bytes(sheet) * self.planes(sheet))
    }

    /// Bytes of memory for what is known of the regions.
    fn bookkeeping(&self) -> u64 {
        // Of those that are not swept, it is only known where they are.
        let others = (self.cut.regions() - self.regions()) * ELSEWHERE;
        self.regions() * self.sheets.len() as u64 * BOOKKEEPING + others
    }

    /// Bytes of memory beside pieces of other regions while `region` is swept after `before`: its own piece; what play goes on
    /// from there, or what packs it; the piece before it, which is written, and what it was packed to; what is counted beside it.
    fn beside(&self, sheet: Sheet, region: u64, before: Option<u64>) -> u64 {
        let own = self.sheet_bytes(sheet, region);
        let before = before.map_or(0, |before| self.sheet_bytes(sheet, before));
        let among = match sheet {
            Sheet::Label(LabelKind::Outcome) => 0,
            Sheet::Label(_) => self.sheet_bytes(Sheet::Reached, region),
            Sheet::Reached => self.sheet_bytes(Sheet::Label(LabelKind::Outcome), region),
        };
        2 * (own + before) + among
    }

    /// Bytes of memory for one of the regions of these sizes before its image is made.
    fn before_image(&self, sizes: impl Iterator<Item = u64>) -> u64 {
        if self.frame.fold().is_some() { sizes.max().unwrap_or(0) } else { 0 }
    }

    /// The regions in the order in which they are swept.
    fn order(&self, sheet: Sheet) -> Vec<u64> {
        let mut all: Vec<u64> = self.swept().collect();
        if sheet != Sheet::Reached {
            all.reverse();
        }
        all
    }

    /// The least memory for labels with which this cut can be swept; `None` if no number says it.
    fn least(&self, crossings: &Crossings) -> Option<u64> {
        // If that of all planes is a number, so is everything below.
        let all = self.sheets.iter().map(|&sheet| {
            let words = self.frame.offsets().words().checked_mul(word_bytes(sheet))?;
            words.checked_mul(self.planes(sheet))?.checked_mul(8)
        });
        all.collect::<Option<Vec<u64>>>()?;
        let of_sheet = |&sheet: &Sheet| {
            let order = self.order(sheet);
            let of_step = |(number, &region): (usize, &u64)| {
                let before = number.checked_sub(1).map(|number| order[number]);
                let needed = crossings.needed(region, sheet == Sheet::Reached);
                let sizes = needed.iter().map(|&other| self.sheet_bytes(sheet, other));
                self.beside(sheet, region, before) + self.before_image(sizes.clone()) + sizes.sum::<u64>()
            };
            order.iter().enumerate().map(of_step).max().unwrap_or(0)
        };
        self.sheets.iter().map(of_sheet).max()
    }

    /// The steps of a sweep of `order`.
    pub(super) fn schedule(&self, crossings: &Crossings, sheet: Sheet, order: &[u64]) -> Schedule {
        let needed: Vec<Vec<u64>> =
            order.iter().map(|&region| crossings.needed(region, sheet == Sheet::Reached)).collect();
        let room = |number: usize| {
            let Some(&region) = order.get(number) else { return self.max_bytes };
            let before = number.checked_sub(1).map(|number| order[number]);
            let loaded = self.before_image(needed[number].iter().map(|&other| self.sheet_bytes(sheet, other)));
            self.max_bytes.saturating_sub(self.beside(sheet, region, before) + loaded)
        };
        // Up to symmetry, an image is as soon made again as the system gives more memory to keep it in.
        let stored = self.frame.words().saturating_mul(word_bytes(sheet) * self.planes(sheet));
        Schedule::new(order, &needed, |number| room(number).min(stored), |region| self.sheet_bytes(sheet, region))
    }

    /// Bytes of pieces of a sheet, in use or free, up to which free ones are kept for others.
    pub(super) fn kept_bytes(&self) -> u64 {
        let largest = self.largest();
        let beside = self.sheets.iter().map(|&sheet| self.beside(sheet, largest, None)).max();
        self.max_bytes.saturating_sub(beside.unwrap_or(0))
    }

    /// Bytes that are loaded of regions that have left memory.
    fn loaded_bytes(&self, crossings: &Crossings) -> u64 {
        let of = |&sheet: &Sheet| {
            self.schedule(crossings, sheet, &self.order(sheet)).loads(|region| self.sheet_bytes(sheet, region))
        };
        self.sheets.iter().map(of).fold(0, u64::saturating_add)
    }
}

/// Bytes of 64 labels in a plane of a sheet.
const fn word_bytes(sheet: Sheet) -> u64 {
    match sheet {
        Sheet::Label(LabelKind::Outcome) | Sheet::Reached => 8,
        Sheet::Label(_) => 64,
    }
}
