//! Into which slices a game is cut so that it fits into memory.

use super::dependencies::{self, Dependencies};
use crate::label::LabelSet;
use crate::plane::{Layout, Shape};
use crate::rules::Rules;
use crate::solve::dense::block::TILE;
use crate::solve::dense::layout;
use crate::solve::dense::part::Cut;
use crate::solve::slices::{BOOKKEEPING, PlaneKind};
use crate::symmetry::Fold;

/// Most slice cells: a million slices, whose schedule takes a few hundred megabytes and seconds.
const MOST_UPPER: u32 = 20;
/// Slice cells up to which the exact need is worth the time to find it, and loads are compared.
const COUNTED_UPPER: u32 = 14;
/// How many cuts that fit are compared.
const COMPARED: usize = 3;
/// Pieces in memory beside those of other slices that a slice needs: its own, what play goes on from there or what is
/// counted beside it, and two that are being written.
const BESIDE: usize = 4;

/// What is solved by slices.
#[derive(Clone, Copy, Debug)]
pub struct SliceTask<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// Which boards stand for others, if they are solved up to symmetry.
    pub fold: Option<&'a Fold>,
    /// The labels.
    pub labels: LabelSet,
    /// Whether what play reaches is marked.
    pub marks: bool,
}

/// How a game is solved by slices.
#[derive(Clone, Debug)]
pub struct SlicePlan {
    pub(super) layout: Layout,
    pub(super) fold: Option<Fold>,
    pub(super) cut: Cut,
    pub(super) plane_kinds: Vec<PlaneKind>,
    /// Pieces of other slices that are in memory at once.
    pub(super) capacity: usize,
    buffer_bytes: u64,
}

impl SliceTask<'_> {
    fn layout(&self) -> Layout {
        self.fold.map_or_else(|| layout::choose(self.rules), |fold| fold.layout().clone())
    }

    fn plane_kinds(&self) -> Vec<PlaneKind> {
        PlaneKind::all(self.labels, self.marks).collect()
    }

    /// The numbers of slice cells that a board may be cut by: none, or as many as leave a tile of other cells at least. Up to
    /// symmetry, some that are images of one another.
    fn uppers(&self) -> impl Iterator<Item = u32> {
        let most = self.rules.cells().checked_sub(TILE).map(|most| most.min(MOST_UPPER));
        let fold = self.fold;
        most.into_iter().flat_map(|most| 0..=most).filter(move |&upper| fold.is_none_or(|fold| fold.allows(upper)))
    }

    fn plan(&self, layout: &Layout, upper: u32, max_bytes: u64) -> Option<SlicePlan> {
        let cut = Cut::new(self.rules.cells(), upper);
        let plane_kinds = self.plane_kinds();
        let buffer_bytes = buffer_bytes(self.rules, cut, &plane_kinds)?;
        let left = max_bytes.checked_sub(bookkeeping(cut, &plane_kinds))?;
        let buffers = usize::try_from(left / buffer_bytes).ok()?;
        let dependencies = Dependencies::new(&layout.apply(self.rules), cut, self.fold);
        let needed = needed(&dependencies, self.marks);
        let capacity = buffers.checked_sub(beside(self.fold)).filter(|&capacity| capacity >= needed)?;
        let mut plan =
            SlicePlan { layout: layout.clone(), fold: self.fold.cloned(), cut, plane_kinds, capacity, buffer_bytes };
        if plan.fold.is_some() {
            // An image is as soon made again as the system gives more memory to keep it in.
            plan.capacity = capacity.min(usize::try_from(plan.slices()).unwrap_or(usize::MAX).max(needed));
        }
        Some(plan)
    }
}

impl SlicePlan {
    /// Smaller boards than this, in cells, are solved whole: a slice is a tile at least.
    pub const LEAST_CELLS: u32 = TILE;

    /// Cuts the boards of `task` into as few slices as fit, so that solving holds at most `max_bytes` bytes of labels in
    /// memory. `None` if no cut fits.
    #[must_use]
    pub fn new(task: &SliceTask<'_>, max_bytes: u64) -> Option<Self> {
        let layout = task.layout();
        let fitting: Vec<Self> =
            task.uppers().filter_map(|upper| task.plan(&layout, upper, max_bytes)).take(COMPARED).collect();
        // With more slice cells more moves cross a border, but more buffers stay in memory: what is loaded decides, where it is
        // soon counted.
        let counted = fitting.iter().filter(|plan| plan.slice_cells() <= COUNTED_UPPER);
        counted.min_by_key(|plan| plan.loaded_bytes(task.rules)).or(fitting.first()).cloned()
    }

    /// As [`new`](Self::new), with `upper` slice cells.
    #[must_use]
    pub fn with_slice_cells(task: &SliceTask<'_>, upper: u32, max_bytes: u64) -> Option<Self> {
        let is_possible = task.uppers().any(|possible| possible == upper);
        is_possible.then(|| task.plan(&task.layout(), upper, max_bytes)).flatten()
    }

    /// As [`with_slice_cells`](Self::with_slice_cells), with each number of slice cells up to `most` that is possible and fits.
    pub fn each_up_to(task: &SliceTask<'_>, most: u32, max_bytes: u64) -> impl Iterator<Item = Self> {
        let layout = task.layout();
        let uppers = task.uppers().take_while(move |&upper| upper <= most);
        uppers.filter_map(move |upper| task.plan(&layout, upper, max_bytes))
    }

    /// The least memory for labels, in bytes, with which `task` is solved by slices; `None` if no number says it.
    #[must_use]
    pub fn least_bytes(task: &SliceTask<'_>) -> Option<u64> {
        let renumbered = task.layout().apply(task.rules);
        let plane_kinds = task.plane_kinds();
        let of = |upper| {
            let cut = Cut::new(task.rules.cells(), upper);
            let dependencies = Dependencies::new(&renumbered, cut, task.fold);
            let buffers = (needed(&dependencies, task.marks) + beside(task.fold)) as u64;
            buffer_bytes(task.rules, cut, &plane_kinds)?
                .checked_mul(buffers)?
                .checked_add(bookkeeping(cut, &plane_kinds))
        };
        task.uppers().filter_map(of).min()
    }

    /// The number of slices that are swept; up to symmetry, each stands for all of its images.
    #[must_use]
    pub fn slices(&self) -> u64 {
        let stored = |fold: &Fold| (fold.stored().len() as u64) << (self.cut.upper() - fold.region_cells());
        self.fold.as_ref().map_or(self.cut.slices(), stored)
    }

    /// The slices that are swept, in ascending order.
    pub(in crate::solve) fn swept(&self) -> impl DoubleEndedIterator<Item = u64> {
        dependencies::swept(self.cut, self.fold.as_ref())
    }

    /// Which boards stand for others, if they are solved up to symmetry.
    #[must_use]
    pub const fn fold(&self) -> Option<&Fold> {
        self.fold.as_ref()
    }

    /// How many slices that are swept have smaller numbers than `slice`, which is swept.
    pub(super) fn rank_of(&self, slice: u64) -> u64 {
        let rank = self.fold.as_ref().map_or(Some(slice), |fold| fold.rank(self.cut.upper(), slice));
        rank.unwrap_or_else(|| unreachable!("slice {slice} is swept"))
    }

    /// How many cells of the highest places name a slice.
    #[must_use]
    pub const fn slice_cells(&self) -> u32 {
        self.cut.upper()
    }

    /// The layout of the planes.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What is swept, in this order.
    #[must_use]
    pub fn plane_kinds(&self) -> &[PlaneKind] {
        &self.plane_kinds
    }

    /// The planes of a plane_kind of one slice.
    #[must_use]
    pub fn shape(&self, rules: &Rules, plane_kind: PlaneKind) -> Shape {
        plane_kind.shape(rules, self.cut.cells())
    }

    /// Bytes of a plane_kind of one slice.
    pub(super) fn plane_bytes_of(&self, rules: &Rules, plane_kind: PlaneKind) -> u64 {
        self.shape(rules, plane_kind).bytes().unwrap_or_else(|| unreachable!("a plan has sizes"))
    }

    /// Bytes of memory that solving takes at most.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        (self.capacity + beside(self.fold())) as u64 * self.buffer_bytes + bookkeeping(self.cut, &self.plane_kinds)
    }

    /// Bytes that are loaded of slices that have left memory.
    #[must_use]
    pub fn loaded_bytes(&self, rules: &Rules) -> u64 {
        let dependencies = Dependencies::new(&self.layout.apply(rules), self.cut, self.fold.as_ref());
        let of = |plane_kind: &PlaneKind| {
            let loads = dependencies.schedule(*plane_kind == PlaneKind::Reached, self.capacity).loads(|_| 1);
            loads.saturating_mul(self.plane_bytes_of(rules, *plane_kind))
        };
        self.plane_kinds.iter().map(of).fold(0, u64::saturating_add)
    }
}

/// Pieces in memory beside those of other slices; up to symmetry, one more before its image is made.
const fn beside(fold: Option<&Fold>) -> usize {
    BESIDE + fold.is_some() as usize
}

/// Bytes of memory for what is known of the slices.
fn bookkeeping(cut: Cut, plane_kinds: &[PlaneKind]) -> u64 {
    cut.slices() * plane_kinds.len() as u64 * BOOKKEEPING
}

/// Bytes of the largest plane_kind of a slice.
fn buffer_bytes(rules: &Rules, cut: Cut, plane_kinds: &[PlaneKind]) -> Option<u64> {
    let bytes = plane_kinds.iter().map(|plane_kind| plane_kind.shape(rules, cut.cells()).bytes());
    bytes.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// The most other slices that one slice needs; where there are many slices, a bound.
fn needed(dependencies: &Dependencies, marks: bool) -> usize {
    if dependencies.cut().upper() > COUNTED_UPPER {
        return dependencies.bound(marks);
    }
    dependencies.most(false).max(if marks { dependencies.most(true) } else { 0 })
}
