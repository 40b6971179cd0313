//! Into which slices the colourings of a game are cut so that it fits into memory.

use super::super::plan::Plan;
use super::super::set_order::Cut;
use super::dependencies::Dependencies;
use crate::coloured::{Frame, SquareFold};
use crate::label::{LabelKind, LabelSet};
use crate::rules::Rules;
use crate::solve::slices::{BOOKKEEPING, PlaneKind, Schedule};

/// Most top squares: 65,536 slices.
const MOST_TOP: u32 = 16;
/// How many cuts that fit are compared.
const COMPARED: usize = 4;
/// The same for a slice that another one stands for.
const ELSEWHERE: u64 = 1 << 7;

/// Colourings that are solved by slices.
#[derive(Clone, Copy, Debug)]
pub struct ColouredTask<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// Their squares, and the positions from which play is followed.
    pub frame: &'a Frame,
    /// The labels.
    pub labels: LabelSet,
}

/// How the colourings of a game are solved by slices: all sets with the same of the *top squares*, those of the highest
/// numbers, occupied.
#[derive(Clone, Debug)]
pub struct ColouredPlan {
    frame: Frame,
    draws: bool,
    pub(super) cut: Cut,
    plane_kinds: Vec<PlaneKind>,
    /// Bytes of memory for labels that are used at most.
    max_bytes: u64,
}

impl ColouredTask<'_> {
    fn with(&self, top: u32) -> (ColouredPlan, Dependencies) {
        let cut = Cut::new(self.frame.size(), top);
        let plane_kinds = PlaneKind::all(self.labels, true).collect();
        let dependencies = Dependencies::new(&Plan::new(self.rules, self.frame), cut);
        let draws = self.rules.can_draw();
        (ColouredPlan { frame: self.frame.clone(), draws, cut, plane_kinds, max_bytes: 0 }, dependencies)
    }

    /// The numbers of top squares by which sets may be cut; up to symmetry, such that these are images of one another.
    fn tops(&self) -> impl Iterator<Item = u32> {
        let fold = self.frame.fold();
        let most = MOST_TOP.max(fold.map_or(0, SquareFold::top_squares));
        (0..=self.frame.size().min(most)).filter(move |&top| fold.is_none_or(|fold| fold.allows(top)))
    }

    fn plan(&self, top: u32, max_bytes: u64) -> Option<(ColouredPlan, Dependencies)> {
        let (plan, dependencies) = self.with(top);
        let fits = plan.least(&dependencies)?.checked_add(plan.bookkeeping())? <= max_bytes;
        fits.then(|| (ColouredPlan { max_bytes: max_bytes - plan.bookkeeping(), ..plan }, dependencies))
    }
}

impl ColouredPlan {
    /// Cuts the colourings of `task` into slices so that solving holds at most `max_bytes` bytes of labels in memory: of those few
    /// top squares with which they fit, as many as load least. `None` if no cut fits.
    #[must_use]
    pub fn new(task: &ColouredTask<'_>, max_bytes: u64) -> Option<Self> {
        let fitting = task.tops().filter_map(|top| task.plan(top, max_bytes)).take(COMPARED);
        // With more top squares more moves cross a border, but buffers are smaller, and more of them stay in memory.
        fitting.min_by_key(|(plan, dependencies)| plan.loaded_bytes(dependencies)).map(|(plan, _)| plan)
    }

    /// As [`new`](Self::new), with `top` top squares.
    #[must_use]
    pub fn with_top_squares(task: &ColouredTask<'_>, top: u32, max_bytes: u64) -> Option<Self> {
        let is_possible = task.tops().any(|possible| possible == top);
        is_possible.then(|| task.plan(top, max_bytes)).flatten().map(|(plan, _)| plan)
    }

    /// The least memory for labels, in bytes, with which `task` is solved by slices; `None` if no number says it.
    #[must_use]
    pub fn least_bytes(task: &ColouredTask<'_>) -> Option<u64> {
        let of = |top| {
            let (plan, dependencies) = task.with(top);
            plan.least(&dependencies)?.checked_add(plan.bookkeeping())
        };
        task.tops().filter_map(of).min()
    }

    /// Where the label of each position lies.
    #[must_use]
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The number of slices that are swept; up to symmetry, each stands for all of its images.
    #[must_use]
    pub fn slices(&self) -> u64 {
        let stored = |fold: &SquareFold| (fold.stored().len() as u64) << (self.cut.top() - fold.top_squares());
        self.frame.fold().map_or(self.cut.slices(), stored)
    }

    /// The slices that are swept, in ascending order.
    pub(in crate::solve) fn swept(&self) -> impl Iterator<Item = u64> {
        (0..self.cut.slices()).filter(|&slice| self.rank(slice).is_some())
    }

    fn rank(&self, slice: u64) -> Option<u64> {
        self.frame.fold().map_or(Some(slice), |fold| fold.regions().rank(self.cut.top() - fold.top_squares(), slice))
    }

    /// The slice that is swept and stored for `slice`.
    pub(super) fn stored(&self, slice: u64) -> u64 {
        self.frame.fold().map_or(slice, |fold| fold.image(self.cut.top(), slice).0)
    }

    /// How many slices that are swept have smaller numbers than `slice`, which is swept.
    pub(super) fn rank_of(&self, slice: u64) -> u64 {
        self.rank(slice).unwrap_or_else(|| unreachable!("slice {slice} is swept"))
    }

    /// The slice in which every top square is occupied: none has more colourings.
    const fn largest(&self) -> u64 {
        self.cut.slices() - 1
    }

    /// How many colourings `slice` has.
    pub(in crate::solve) fn positions_of(&self, slice: u64) -> u64 {
        self.frame.count_with(self.cut.below(), slice)
    }

    /// How many squares name a slice.
    #[must_use]
    pub const fn top_squares(&self) -> u32 {
        self.cut.top()
    }

    /// What is swept, in this order.
    #[must_use]
    pub fn plane_kinds(&self) -> &[PlaneKind] {
        &self.plane_kinds
    }

    /// The number of planes of a plane_kind.
    #[must_use]
    pub const fn planes(&self, plane_kind: PlaneKind) -> u64 {
        let slots = self.frame.slots() as u64;
        match plane_kind {
            PlaneKind::Label(LabelKind::Outcome) => slots * (1 + self.draws as u64),
            PlaneKind::Label(_) | PlaneKind::Reached => slots,
        }
    }

    /// Where each slice begins in a plane of a plane_kind, in bytes, and where the last one ends.
    pub fn starts(&self, plane_kind: PlaneKind) -> impl Iterator<Item = u64> {
        let words = self.swept().map(|slice| {
            let words = self.cut.words(&self.frame, slice);
            words.end - words.start
        });
        let ends = words.scan(0, |end, words| {
            *end += words;
            Some(*end)
        });
        [0].into_iter().chain(ends).map(move |words| words * word_bytes(plane_kind))
    }

    /// Bytes of a plane_kind of `slice`.
    pub(super) fn plane_bytes_of(&self, plane_kind: PlaneKind, slice: u64) -> u64 {
        let words = self.cut.words(&self.frame, slice);
        (words.end - words.start) * word_bytes(plane_kind) * self.planes(plane_kind)
    }

    /// Bytes of memory that solving takes at most.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        // No more than all of a plane_kind and what is beside it.
        let last = self.largest();
        let all = self.plane_kinds.iter().map(|&plane_kind| {
            let beside = self.beside(plane_kind, last, Some(last));
            self.all_bytes(plane_kind).saturating_add(beside)
        });
        self.max_bytes.min(all.max().unwrap_or(0)) + self.bookkeeping()
    }

    fn all_bytes(&self, plane_kind: PlaneKind) -> u64 {
        self.frame.offsets().words().saturating_mul(word_bytes(plane_kind) * self.planes(plane_kind))
    }

    /// Bytes of memory for what is known of the slices.
    fn bookkeeping(&self) -> u64 {
        // Of those that are not swept, it is only known where they are.
        let others = (self.cut.slices() - self.slices()) * ELSEWHERE;
        self.slices() * self.plane_kinds.len() as u64 * BOOKKEEPING + others
    }

    /// Bytes of memory beside buffers of other slices while `slice` is swept after `before`: its own buffer; what play goes on
    /// from there, or what packs it; the buffer before it, which is written, and what it was packed to; what is counted beside it.
    fn beside(&self, plane_kind: PlaneKind, slice: u64, before: Option<u64>) -> u64 {
        let own = self.plane_bytes_of(plane_kind, slice);
        let before = before.map_or(0, |before| self.plane_bytes_of(plane_kind, before));
        let among = match plane_kind {
            PlaneKind::Label(LabelKind::Outcome) => 0,
            PlaneKind::Label(_) => self.plane_bytes_of(PlaneKind::Reached, slice),
            PlaneKind::Reached => self.plane_bytes_of(PlaneKind::Label(LabelKind::Outcome), slice),
        };
        2 * (own + before) + among
    }

    /// Bytes of memory for one of the slices of these sizes before its image is made.
    fn before_image(&self, sizes: impl Iterator<Item = u64>) -> u64 {
        if self.frame.fold().is_some() { sizes.max().unwrap_or(0) } else { 0 }
    }

    /// The slices in the order in which they are swept.
    fn order(&self, plane_kind: PlaneKind) -> Vec<u64> {
        let mut all: Vec<u64> = self.swept().collect();
        if plane_kind != PlaneKind::Reached {
            all.reverse();
        }
        all
    }

    /// The least memory for labels with which this cut can be swept; `None` if no number says it.
    fn least(&self, dependencies: &Dependencies) -> Option<u64> {
        // If that of all planes is a number, so is everything below.
        let all = self.plane_kinds.iter().map(|&plane_kind| {
            let words = self.frame.offsets().words().checked_mul(word_bytes(plane_kind))?;
            words.checked_mul(self.planes(plane_kind))?.checked_mul(8)
        });
        all.collect::<Option<Vec<u64>>>()?;
        let of_sheet = |&plane_kind: &PlaneKind| {
            let order = self.order(plane_kind);
            let of_step = |(number, &slice): (usize, &u64)| {
                let before = number.checked_sub(1).map(|number| order[number]);
                let needed = dependencies.needed(slice, plane_kind == PlaneKind::Reached);
                let sizes = needed.iter().map(|&other| self.plane_bytes_of(plane_kind, other));
                self.beside(plane_kind, slice, before) + self.before_image(sizes.clone()) + sizes.sum::<u64>()
            };
            order.iter().enumerate().map(of_step).max().unwrap_or(0)
        };
        self.plane_kinds.iter().map(of_sheet).max()
    }

    /// The steps of a sweep of `order`.
    pub(super) fn schedule(&self, dependencies: &Dependencies, plane_kind: PlaneKind, order: &[u64]) -> Schedule {
        let needed: Vec<Vec<u64>> =
            order.iter().map(|&slice| dependencies.needed(slice, plane_kind == PlaneKind::Reached)).collect();
        let capacity = |number: usize| {
            let Some(&slice) = order.get(number) else { return self.max_bytes };
            let before = number.checked_sub(1).map(|number| order[number]);
            let loaded = self.before_image(needed[number].iter().map(|&other| self.plane_bytes_of(plane_kind, other)));
            self.max_bytes.saturating_sub(self.beside(plane_kind, slice, before) + loaded)
        };
        // Up to symmetry, an image is as soon made again as the system gives more memory to keep it in.
        let stored = self.frame.words().saturating_mul(word_bytes(plane_kind) * self.planes(plane_kind));
        Schedule::new(
            order,
            &needed,
            |number| capacity(number).min(stored),
            |slice| self.plane_bytes_of(plane_kind, slice),
        )
    }

    /// Bytes of buffers of a plane_kind, in use or free, up to which free ones are kept for others.
    pub(super) fn kept_bytes(&self) -> u64 {
        let largest = self.largest();
        let beside = self.plane_kinds.iter().map(|&plane_kind| self.beside(plane_kind, largest, None)).max();
        self.max_bytes.saturating_sub(beside.unwrap_or(0))
    }

    /// Bytes that are loaded of slices that have left memory.
    fn loaded_bytes(&self, dependencies: &Dependencies) -> u64 {
        let of = |&plane_kind: &PlaneKind| {
            self.schedule(dependencies, plane_kind, &self.order(plane_kind))
                .loads(|slice| self.plane_bytes_of(plane_kind, slice))
        };
        self.plane_kinds.iter().map(of).fold(0, u64::saturating_add)
    }
}

/// Bytes of 64 labels in a plane of a plane_kind.
const fn word_bytes(plane_kind: PlaneKind) -> u64 {
    match plane_kind {
        PlaneKind::Label(LabelKind::Outcome) | PlaneKind::Reached => 8,
        PlaneKind::Label(_) => 64,
    }
}
