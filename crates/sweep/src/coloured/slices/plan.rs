//! The cut of a two-colour game into slices that fit into memory.

use super::super::plan::{Plan, Play};
use super::super::set_order::Cut;
use crate::colourings::{Frame, MOST_LISTED};
use crate::label::{LabelKind, LabelSet};
use crate::rules::Rules;
use crate::slices::{BOOKKEEPING, Dependencies, PlaneKind, Schedule, SliceMove};

/// The most slices.
const MOST_SLICES: u128 = 1 << 16;
/// The number of fitting cuts to compare.
const COMPARED: usize = 4;
/// The most top squares for which cuts are compared in a moment.
const AT_ONCE: u32 = 12;
/// Bytes of bookkeeping for a slice that is not a representative.
const ELSEWHERE: u64 = 1 << 7;

/// A two-colour game to solve by slices.
#[derive(Clone, Copy, Debug)]
pub struct ColouredTask<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The squares and the roots.
    pub frame: &'a Frame,
    /// The labels.
    pub labels: LabelSet,
}

/// How a two-colour game is cut into slices. The *top squares*, the squares with the highest numbers, are the slice
/// squares: a slice is all occupied sets that agree on them.
#[derive(Clone, Debug)]
pub struct ColouredPlan {
    frame: Frame,
    draws: bool,
    pub(super) cut: Cut,
    /// The swept slices, in ascending order: those that have possible sets, and up to symmetry represent a class.
    swept: Vec<u64>,
    plane_kinds: Vec<PlaneKind>,
    /// The most bytes of memory for labels.
    max_bytes: u64,
}

impl ColouredTask<'_> {
    fn with(&self, top: u32) -> (ColouredPlan, Dependencies) {
        let cut = Cut::new(self.frame, top);
        let plane_kinds = PlaneKind::all(self.labels, true).collect();
        let dependencies = dependencies(&Plan::new(self.rules, self.frame), &cut);
        let draws = self.rules.can_draw();
        let swept = swept(self.frame, &cut);
        (ColouredPlan { frame: self.frame.clone(), draws, cut, swept, plane_kinds, max_bytes: 0 }, dependencies)
    }

    /// The possible numbers of top squares. Up to symmetry, symmetries must permute these squares among themselves.
    fn tops(&self) -> impl Iterator<Item = u32> {
        let fold = self.frame.fold();
        tops(self.frame, MOST_SLICES).filter(move |&top| fold.is_none_or(|fold| fold.allows(top)))
    }

    fn plan(&self, top: u32, max_bytes: u64) -> Option<(ColouredPlan, Dependencies)> {
        let (plan, dependencies) = self.with(top);
        let fits = plan.least(&dependencies)?.checked_add(plan.bookkeeping())? <= max_bytes;
        fits.then(|| (ColouredPlan { max_bytes: max_bytes - plan.bookkeeping(), ..plan }, dependencies))
    }
}

impl ColouredPlan {
    /// Cuts `task` into slices so that solving holds at most `max_bytes` bytes of labels in memory. It compares the
    /// first cuts that fit, and takes the one that loads the fewest bytes. `None` if no cut fits.
    #[must_use]
    pub fn new(task: &ColouredTask<'_>, max_bytes: u64) -> Option<Self> {
        let fitting = task.tops().filter_map(|top| task.plan(top, max_bytes)).take(COMPARED);
        // With more top squares, more moves lead to other slices, but more of the smaller slices stay in memory.
        fitting.min_by_key(|(plan, dependencies)| plan.loaded_bytes(dependencies)).map(|(plan, _)| plan)
    }

    /// Like [`new`](Self::new), but takes the first cut that fits if comparing cuts would take longer than a moment.
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

    /// The least bytes of memory for labels with which `task` can be solved by slices; `None` on overflow.
    #[must_use]
    pub fn least_bytes(task: &ColouredTask<'_>) -> Option<u64> {
        let of = |top| {
            let (plan, dependencies) = task.with(top);
            plan.least(&dependencies)?.checked_add(plan.bookkeeping())
        };
        task.tops().filter_map(of).min()
    }

    /// The frame, which locates the label of each position.
    #[must_use]
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The number of swept slices: up to symmetry, of representatives.
    #[must_use]
    pub const fn slices(&self) -> u64 {
        self.swept.len() as u64
    }

    /// The swept slices, in ascending order.
    pub(crate) fn swept(&self) -> &[u64] {
        &self.swept
    }

    /// The slices that `slice` depends on for planes of `plane_kind`.
    pub(super) fn needed(&self, dependencies: &Dependencies, slice: u64, plane_kind: PlaneKind) -> Vec<u64> {
        let mut needed = dependencies.needed(slice, plane_kind == PlaneKind::Reached);
        needed.retain(|&other| self.cut.has(other));
        needed
    }

    /// The representative of `slice`.
    pub(super) fn stored(&self, slice: u64) -> u64 {
        self.frame.fold().map_or(slice, |fold| fold.image(self.cut.top(), slice).0)
    }

    /// The number of swept slices below `slice`, which is swept.
    pub(super) fn rank_of(&self, slice: u64) -> u64 {
        let rank = self.swept.binary_search(&slice);
        rank.unwrap_or_else(|_| unreachable!("slice {slice} is swept")) as u64
    }

    /// The slice with the most colourings.
    fn largest(&self) -> u64 {
        let words = |slice: u64| self.cut.words(&self.frame, slice);
        self.swept.iter().copied().max_by_key(|&slice| words(slice).end - words(slice).start).unwrap_or(0)
    }

    /// The number of colourings in `slice`.
    pub(crate) fn positions_of(&self, slice: u64) -> u64 {
        self.frame.count_with(self.cut.below(), slice)
    }

    /// The number of slice squares.
    #[must_use]
    pub const fn top_squares(&self) -> u32 {
        self.cut.top()
    }

    /// The plane kinds to sweep, in this order.
    #[must_use]
    pub fn plane_kinds(&self) -> &[PlaneKind] {
        &self.plane_kinds
    }

    /// The number of planes of one kind.
    #[must_use]
    pub const fn planes(&self, plane_kind: PlaneKind) -> u64 {
        let slots = self.frame.slots() as u64;
        match plane_kind {
            PlaneKind::Label(LabelKind::Outcome) => slots * (1 + self.draws as u64),
            PlaneKind::Label(_) | PlaneKind::Reached => slots,
        }
    }

    /// The byte at which each swept slice begins in a plane of one kind, and the end of the last one.
    pub fn starts(&self, plane_kind: PlaneKind) -> impl Iterator<Item = u64> {
        let words = self.swept.iter().map(|&slice| {
            let words = self.cut.words(&self.frame, slice);
            words.end - words.start
        });
        let ends = words.scan(0, |end, words| {
            *end += words;
            Some(*end)
        });
        [0].into_iter().chain(ends).map(move |words| words * word_bytes(plane_kind))
    }

    /// Bytes of the planes of one kind of `slice`.
    pub(super) fn plane_bytes_of(&self, plane_kind: PlaneKind, slice: u64) -> u64 {
        let words = self.cut.words(&self.frame, slice);
        (words.end - words.start) * word_bytes(plane_kind) * self.planes(plane_kind)
    }

    /// The most bytes of memory that solving takes.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        // Never more than all planes of one kind and the buffers besides them.
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

    /// Bytes of bookkeeping.
    fn bookkeeping(&self) -> u64 {
        // Slices that are not swept have a base alone.
        let others = (self.cut.slices() as u64 - self.slices()) * ELSEWHERE;
        self.slices() * self.plane_kinds.len() as u64 * BOOKKEEPING + others
    }

    /// Bytes of memory besides the buffers of other slices while `slice` is swept after `before`. These are its own
    /// planes, and as much again for its ongoing positions or for compressing it. Then come the planes of `before`,
    /// which are being written, with their compressed form. Last come the planes of a second kind that are counted with
    /// its own.
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

    /// Bytes for a representative while its image is made, if the slices to load have these sizes.
    fn before_image(&self, sizes: impl Iterator<Item = u64>) -> u64 {
        if self.frame.fold().is_some() { sizes.max().unwrap_or(0) } else { 0 }
    }

    /// The slices in the order in which they are swept.
    fn order(&self, plane_kind: PlaneKind) -> Vec<u64> {
        let mut all = self.swept.clone();
        if plane_kind != PlaneKind::Reached {
            all.reverse();
        }
        all
    }

    /// The least bytes of memory for labels with which this cut can be swept; `None` on overflow.
    fn least(&self, dependencies: &Dependencies) -> Option<u64> {
        // Eight times all planes is more than any sum below, so these cannot overflow.
        let all = self.plane_kinds.iter().map(|&plane_kind| {
            let words = self.frame.offsets().words().checked_mul(word_bytes(plane_kind))?;
            words.checked_mul(self.planes(plane_kind))?.checked_mul(8)
        });
        all.collect::<Option<Vec<u64>>>()?;
        let of_kind = |&plane_kind: &PlaneKind| {
            let order = self.order(plane_kind);
            let of_step = |(number, &slice): (usize, &u64)| {
                let before = number.checked_sub(1).map(|number| order[number]);
                let needed = self.needed(dependencies, slice, plane_kind);
                let sizes = needed.iter().map(|&other| self.plane_bytes_of(plane_kind, other));
                self.beside(plane_kind, slice, before) + self.before_image(sizes.clone()) + sizes.sum::<u64>()
            };
            order.iter().enumerate().map(of_step).max().unwrap_or(0)
        };
        self.plane_kinds.iter().map(of_kind).max()
    }

    /// The steps of a sweep of `order`.
    pub(super) fn schedule(&self, dependencies: &Dependencies, plane_kind: PlaneKind, order: &[u64]) -> Schedule {
        let needed: Vec<Vec<u64>> = order.iter().map(|&slice| self.needed(dependencies, slice, plane_kind)).collect();
        let capacity = |number: usize| {
            let Some(&slice) = order.get(number) else { return self.max_bytes };
            let before = number.checked_sub(1).map(|number| order[number]);
            let loaded = self.before_image(needed[number].iter().map(|&other| self.plane_bytes_of(plane_kind, other)));
            self.max_bytes.saturating_sub(self.beside(plane_kind, slice, before) + loaded)
        };
        // Up to symmetry, it takes no longer to make an image again than to get more memory from the system.
        let stored = self.frame.words().saturating_mul(word_bytes(plane_kind) * self.planes(plane_kind));
        Schedule::new(
            order,
            &needed,
            |number| capacity(number).min(stored),
            |slice| self.plane_bytes_of(plane_kind, slice),
        )
    }

    /// The limit on bytes in buffers, used and free, above which free buffers return to the system.
    pub(super) fn kept_bytes(&self) -> u64 {
        let largest = self.largest();
        let beside = self.plane_kinds.iter().map(|&plane_kind| self.beside(plane_kind, largest, None)).max();
        self.max_bytes.saturating_sub(beside.unwrap_or(0))
    }

    /// Bytes that are loaded again after they left memory.
    fn loaded_bytes(&self, dependencies: &Dependencies) -> u64 {
        let of = |&plane_kind: &PlaneKind| {
            self.schedule(dependencies, plane_kind, &self.order(plane_kind))
                .loads(|slice| self.plane_bytes_of(plane_kind, slice))
        };
        self.plane_kinds.iter().map(of).fold(0, u64::saturating_add)
    }
}

/// The numbers of top squares that make at most `most` slices, without symmetry.
pub(super) fn tops(frame: &Frame, most: u128) -> impl Iterator<Item = u32> + Clone {
    let (sets, size) = (frame.sets(), frame.size());
    let is_possible = move |top: &u32| sets.splits_at(size - top) && sets.count(size - top, size) <= most;
    (0..=size.min(MOST_LISTED)).filter(is_possible)
}

/// The swept slices of `cut`, in ascending order.
fn swept(frame: &Frame, cut: &Cut) -> Vec<u64> {
    let is_stored = |slice: u64| frame.fold().is_none_or(|fold| fold.stores(cut.top(), slice));
    cut.all().filter(|&slice| is_stored(slice)).collect()
}

/// The dependencies between the slices of `cut`, by the moves that fill top squares.
pub(super) fn dependencies(plan: &Plan, cut: &Cut) -> Dependencies {
    let slice_move = |play: &Play| SliceMove {
        empty: cut.slice(play.when.free),
        full: cut.slice(play.when.occupied),
        fills: cut.slice(play.takes),
        maybe: cut.slice(play.maybe),
    };
    Dependencies::new(plan.moves.iter().flatten().map(slice_move))
}

/// Bytes of 64 labels in a plane of one kind.
const fn word_bytes(plane_kind: PlaneKind) -> u64 {
    match plane_kind {
        PlaneKind::Label(LabelKind::Outcome) | PlaneKind::Reached => 8,
        PlaneKind::Label(_) => 64,
    }
}
