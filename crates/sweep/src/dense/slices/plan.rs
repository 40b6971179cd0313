//! The cut of a game into slices that fit into memory.

use super::dependencies::{self, Dependencies};
use crate::dense::block::TILE;
use crate::dense::layout;
use crate::dense::part::Cut;
use crate::label::LabelSet;
use crate::plane::{Layout, Shape};
use crate::rules::Rules;
use crate::slices::{BOOKKEEPING, PlaneKind};
use crate::symmetry::Fold;

/// The most slice cells: a million slices, whose schedule takes a few hundred megabytes and seconds.
const MOST_UPPER: u32 = 20;
/// The most slice cells for which dependencies are counted exactly and loads are compared: more would take too long.
const COUNTED_UPPER: u32 = 14;
/// The number of fitting cuts to compare.
const COMPARED: usize = 3;
/// Buffers in memory besides a slice's dependencies: its own planes, its ongoing positions or the planes that are
/// counted with its own, and two buffers that are being written.
const BESIDE: usize = 4;

/// A game to solve by slices.
#[derive(Clone, Copy, Debug)]
pub struct SliceTask<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The symmetry, if only representatives are solved.
    pub fold: Option<&'a Fold>,
    /// The labels.
    pub labels: LabelSet,
    /// Reachable positions are marked.
    pub marks: bool,
}

/// How a game is cut into slices.
#[derive(Clone, Debug)]
pub struct SlicePlan {
    pub(super) layout: Layout,
    pub(super) fold: Option<Fold>,
    pub(super) cut: Cut,
    pub(super) plane_kinds: Vec<PlaneKind>,
    /// The most buffers of other slices in memory at once.
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

    /// The possible numbers of slice cells. The other cells must fill a tile. Up to symmetry, symmetries must permute
    /// the slice cells among themselves.
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
            // It takes no longer to make an image again than to get more memory from the system.
            plan.capacity = capacity.min(usize::try_from(plan.slices()).unwrap_or(usize::MAX).max(needed));
        }
        Some(plan)
    }
}

impl SlicePlan {
    /// The least number of cells of a game solved by slices: a slice is a tile at least.
    pub const LEAST_CELLS: u32 = TILE;

    /// Cuts `task` into slices so that solving holds at most `max_bytes` bytes of labels in memory. It compares the
    /// first cuts that fit, and takes the one with the fewest loads. `None` if no cut fits.
    #[must_use]
    pub fn new(task: &SliceTask<'_>, max_bytes: u64) -> Option<Self> {
        let layout = task.layout();
        let fitting: Vec<Self> =
            task.uppers().filter_map(|upper| task.plan(&layout, upper, max_bytes)).take(COMPARED).collect();
        // With more slice cells, more moves lead to other slices, but more slices stay in memory. The number of loads
        // decides, if it can be counted quickly.
        let counted = fitting.iter().filter(|plan| plan.slice_cells() <= COUNTED_UPPER);
        counted.min_by_key(|plan| plan.loaded_bytes(task.rules)).or(fitting.first()).cloned()
    }

    /// As [`new`](Self::new), with `upper` slice cells.
    #[must_use]
    pub fn with_slice_cells(task: &SliceTask<'_>, upper: u32, max_bytes: u64) -> Option<Self> {
        let is_possible = task.uppers().any(|possible| possible == upper);
        is_possible.then(|| task.plan(&task.layout(), upper, max_bytes)).flatten()
    }

    /// The plans of [`with_slice_cells`](Self::with_slice_cells) for each number of slice cells up to `most`.
    pub fn each_up_to(task: &SliceTask<'_>, most: u32, max_bytes: u64) -> impl Iterator<Item = Self> {
        let layout = task.layout();
        let uppers = task.uppers().take_while(move |&upper| upper <= most);
        uppers.filter_map(move |upper| task.plan(&layout, upper, max_bytes))
    }

    /// The least bytes of memory for labels with which `task` can be solved by slices; `None` on overflow.
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

    /// The number of swept slices: up to symmetry, of representatives.
    #[must_use]
    pub fn slices(&self) -> u64 {
        let stored = |fold: &Fold| (fold.stored().len() as u64) << (self.cut.upper() - fold.slice_cells());
        self.fold.as_ref().map_or(self.cut.slices(), stored)
    }

    /// The swept slices, in ascending order.
    pub(crate) fn swept(&self) -> impl DoubleEndedIterator<Item = u64> {
        dependencies::swept(self.cut, self.fold.as_ref())
    }

    /// The symmetry, if only representatives are solved.
    #[must_use]
    pub const fn fold(&self) -> Option<&Fold> {
        self.fold.as_ref()
    }

    /// The number of swept slices below `slice`, which is swept.
    pub(super) fn rank_of(&self, slice: u64) -> u64 {
        let rank = self.fold.as_ref().map_or(Some(slice), |fold| fold.rank(self.cut.upper(), slice));
        rank.unwrap_or_else(|| unreachable!("slice {slice} is swept"))
    }

    /// The number of slice cells, which have the highest places.
    #[must_use]
    pub const fn slice_cells(&self) -> u32 {
        self.cut.upper()
    }

    /// The layout of the planes.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The plane kinds to sweep, in this order.
    #[must_use]
    pub fn plane_kinds(&self) -> &[PlaneKind] {
        &self.plane_kinds
    }

    /// The shape of the planes of one kind of a slice.
    #[must_use]
    pub fn shape(&self, rules: &Rules, plane_kind: PlaneKind) -> Shape {
        plane_kind.shape(rules, self.cut.cells())
    }

    /// Bytes of the planes of one kind of a slice.
    pub(super) fn plane_bytes_of(&self, rules: &Rules, plane_kind: PlaneKind) -> u64 {
        self.shape(rules, plane_kind).bytes().unwrap_or_else(|| unreachable!("a plan has sizes"))
    }

    /// The most bytes of memory that solving takes.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        (self.capacity + beside(self.fold())) as u64 * self.buffer_bytes + bookkeeping(self.cut, &self.plane_kinds)
    }

    /// Bytes that are loaded again after they left memory.
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

/// Buffers in memory besides a slice's dependencies. Up to symmetry, one more holds a representative while its image is
/// made.
const fn beside(fold: Option<&Fold>) -> usize {
    BESIDE + fold.is_some() as usize
}

/// Bytes of bookkeeping.
fn bookkeeping(cut: Cut, plane_kinds: &[PlaneKind]) -> u64 {
    cut.slices() * plane_kinds.len() as u64 * BOOKKEEPING
}

/// Bytes of a buffer, which holds the largest planes of one kind of a slice.
fn buffer_bytes(rules: &Rules, cut: Cut, plane_kinds: &[PlaneKind]) -> Option<u64> {
    let bytes = plane_kinds.iter().map(|plane_kind| plane_kind.shape(rules, cut.cells()).bytes());
    bytes.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// The most slices that a slice depends on, or a bound on it if there are many slices.
fn needed(dependencies: &Dependencies, marks: bool) -> usize {
    if dependencies.cut().upper() > COUNTED_UPPER {
        return dependencies.bound(marks);
    }
    dependencies.most(false).max(if marks { dependencies.most(true) } else { 0 })
}
