//! The cut of a game into slices that fit into memory.

use std::time::Duration;

use super::partition::{SliceWork, level, makespan};
use super::{
    CountingTime, Folding, PlaneKind, Schedule, SliceOptions, SliceSpace, SliceStore, Swept, TransferEstimate,
    transfers,
};
use crate::SolveError;
use crate::coloured::{self, ColouringSlices};
use crate::colourings::Frame;
use crate::dense::{self, BoardSlices, layout};
use crate::domain::Domain;
use crate::label::{ByLabel, Label, LabelSet, Outcome};
use crate::plane::Layout;
use crate::rules::{Position, Rules};
use crate::simd::Kernel;
use crate::symmetry::Fold;

/// The number of fitting cuts to compare.
const COMPARED: usize = 3;
const COMPARED_OF_COLOURINGS: usize = 4;

/// A game to solve by slices.
#[derive(Debug)]
pub struct SliceTask<'a> {
    rules: &'a Rules,
    labels: LabelSet,
    positions: SweptPositions<'a>,
}

/// The positions of a sweep.
#[derive(Debug)]
enum SweptPositions<'a> {
    /// Every board. The boards of `renumbered` are indices of `layout`.
    Boards { fold: Option<&'a Fold>, marks: bool, layout: Layout, renumbered: Box<Rules> },
    /// Every colouring.
    Colourings { frame: &'a Frame, plan: coloured::Plan },
}

/// How a game is cut into slices.
#[derive(Clone, Debug)]
pub struct SlicePlan {
    cut: SliceCut,
    plane_kinds: Vec<PlaneKind>,
    /// The number of places in the counts of each label but the outcome.
    places: ByLabel<usize>,
    /// Outcomes are derived from scores.
    derives_outcomes: bool,
    /// The most bytes of memory for labels, and the least.
    max_bytes: u64,
    least_bytes: u64,
}

#[derive(Clone, Debug)]
enum SliceCut {
    Boards(Box<BoardSlices>),
    Colourings(Box<ColouringSlices>),
}

impl<'a> SliceTask<'a> {
    /// The task of solving `labels` of `domain`, the positions of a sweep of `rules`.
    ///
    /// # Panics
    /// If `domain` has the reachable positions only, which are not swept.
    #[must_use]
    pub fn new(rules: &'a Rules, domain: &'a Domain, labels: LabelSet) -> Self {
        match domain {
            Domain::Dense { fold, .. } => Self::boards(rules, fold.as_ref(), labels, domain.is_marked()),
            Domain::Coloured(frame) => Self::colourings(rules, frame, labels),
            Domain::Sparse { .. } | Domain::Regions { .. } => unreachable!("reachable positions are not swept"),
        }
    }

    /// The task of solving `labels` of every board of `rules`, or up to the symmetry of `fold` of representatives only.
    /// `marks` adds reachability bits.
    #[must_use]
    pub fn boards(rules: &'a Rules, fold: Option<&'a Fold>, labels: LabelSet, marks: bool) -> Self {
        let layout = fold.map_or_else(|| layout::choose(rules), |fold| fold.layout().clone());
        let (renumbered, labels) = (Box::new(layout.apply(rules)), labels.needed_by(rules));
        Self { rules, labels, positions: SweptPositions::Boards { fold, marks, layout, renumbered } }
    }

    /// The task of solving `labels` of every colouring of `rules`. `frame` has the squares and the roots.
    #[must_use]
    pub fn colourings(rules: &'a Rules, frame: &'a Frame, labels: LabelSet) -> Self {
        let (plan, labels) = (coloured::Plan::new(rules, frame), labels.needed_by(rules));
        Self { rules, labels, positions: SweptPositions::Colourings { frame, plan } }
    }

    /// The approximate time to sweep all labels on the current rayon pool, and to mark reachable positions, which takes
    /// about as long as the outcomes. `kernel` is the kernel for the sweep; if it is `None`, the fastest on this machine.
    ///
    /// # Errors
    /// If the rules are not swept, the kernel is not available, or there is no memory for a few slices.
    pub fn sweep_time(&self, kernel: Option<Kernel>) -> Result<Duration, SolveError> {
        let kernel = kernel.unwrap_or_else(Kernel::best);
        let time = |plane_kind: PlaneKind| {
            if plane_kind == PlaneKind::Outcomes && self.rules.has_gains() {
                // One pass over the scores.
                return Ok(Duration::ZERO);
            }
            let kind = plane_kind.label().unwrap_or(Outcome::KIND);
            match &self.positions {
                SweptPositions::Boards { renumbered, .. } => dense::sweep_time(renumbered, kind, kernel),
                SweptPositions::Colourings { frame, plan } => coloured::sweep_time(plan, frame, kind, kernel),
            }
        };
        self.plane_kinds().into_iter().map(time).sum()
    }

    fn plane_kinds(&self) -> Vec<PlaneKind> {
        let marks = match &self.positions {
            SweptPositions::Boards { marks, .. } => *marks,
            SweptPositions::Colourings { .. } => true,
        };
        PlaneKind::all(self.labels, marks).collect()
    }

    /// The possible numbers of slice cells, in ascending order.
    fn cells(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match &self.positions {
            SweptPositions::Boards { fold, .. } => Box::new(BoardSlices::uppers(self.rules, *fold)),
            SweptPositions::Colourings { frame, .. } => Box::new(ColouringSlices::tops(frame)),
        }
    }

    /// The cut by `cells` slice cells, without memory yet; `None` if there are too many bytes for a number.
    fn cut(&self, cells: u32) -> Option<SlicePlan> {
        let plane_kinds = self.plane_kinds();
        let cut = match &self.positions {
            SweptPositions::Boards { fold, layout, renumbered, .. } => {
                SliceCut::Boards(Box::new(BoardSlices::new(renumbered, layout, *fold, cells, &plane_kinds)?))
            }
            SweptPositions::Colourings { frame, plan } => {
                SliceCut::Colourings(Box::new(ColouringSlices::new(plan, frame, cells, &plane_kinds)?))
            }
        };
        let derives_outcomes = self.rules.has_gains();
        let places = self.labels.others().map(|kind| (kind, kind.places(self.rules))).collect();
        let plan = SlicePlan { cut, plane_kinds, places, derives_outcomes, max_bytes: 0, least_bytes: 0 };
        let least_bytes = plan.least();
        (least_bytes < u64::MAX).then_some(SlicePlan { least_bytes, ..plan })
    }

    fn plan(&self, cells: u32, max_bytes: u64) -> Option<SlicePlan> {
        let plan = self.cut(cells)?;
        let left = plan.space().of_whole_buffers(max_bytes.checked_sub(plan.bookkeeping())?);
        (plan.least_bytes <= left).then_some(SlicePlan { max_bytes: left, ..plan })
    }
}

impl SlicePlan {
    /// The least number of cells of a game solved by slices of boards.
    pub const LEAST_CELLS: u32 = BoardSlices::LEAST_CELLS;

    /// Cuts `task` into slices so that solving holds at most `max_bytes` bytes of labels in memory. It compares the
    /// first cuts that fit, and takes the one that loads the fewest bytes. `None` if no cut fits.
    #[must_use]
    pub fn new(task: &SliceTask<'_>, max_bytes: u64) -> Option<Self> {
        let compared = match &task.positions {
            SweptPositions::Boards { .. } => COMPARED,
            SweptPositions::Colourings { .. } => COMPARED_OF_COLOURINGS,
        };
        let fitting = task.cells().filter_map(|cells| task.plan(cells, max_bytes)).take(compared);
        // With more slice cells, more moves lead to other slices, but more slices stay in memory. The number of loads
        // decides, if it can be counted quickly.
        fitting.min_by_key(|plan| match plan.space().counting_time() {
            CountingTime::Moment | CountingTime::Long => plan.loaded_bytes(),
            CountingTime::TooLong => u64::MAX,
        })
    }

    /// Like [`new`](Self::new), but takes the first cut that fits if comparing cuts would take longer than a moment.
    #[must_use]
    pub fn soon(task: &SliceTask<'_>, max_bytes: u64) -> Option<Self> {
        let first = task.cells().find_map(|cells| task.plan(cells, max_bytes))?;
        match first.space().counting_time() {
            CountingTime::Long => Some(first),
            CountingTime::Moment | CountingTime::TooLong => Self::new(task, max_bytes),
        }
    }

    /// As [`new`](Self::new), with `cells` slice cells or slice squares.
    #[must_use]
    pub fn with_slice_cells(task: &SliceTask<'_>, cells: u32, max_bytes: u64) -> Option<Self> {
        let is_possible = task.cells().any(|possible| possible == cells);
        is_possible.then(|| task.plan(cells, max_bytes)).flatten()
    }

    /// The plans of [`with_slice_cells`](Self::with_slice_cells) for each number of slice cells up to `most`.
    pub fn each_up_to<'t>(task: &'t SliceTask<'_>, most: u32, max_bytes: u64) -> impl Iterator<Item = Self> + 't {
        task.cells().take_while(move |&cells| cells <= most).filter_map(move |cells| task.plan(cells, max_bytes))
    }

    /// The least bytes of memory for labels with which `task` can be solved by slices; `None` on overflow.
    #[must_use]
    pub fn least_bytes(task: &SliceTask<'_>) -> Option<u64> {
        let of = |plan: SlicePlan| plan.least_bytes.checked_add(plan.bookkeeping());
        task.cells().filter_map(|cells| of(task.cut(cells)?)).min()
    }

    /// The slices.
    pub(crate) fn space(&self) -> &dyn SliceSpace {
        match &self.cut {
            SliceCut::Boards(slices) => &**slices,
            SliceCut::Colourings(slices) => &**slices,
        }
    }

    /// True for slices of colourings.
    #[must_use]
    pub const fn has_colours(&self) -> bool {
        matches!(self.cut, SliceCut::Colourings(_))
    }

    /// The positions that are stored. Boards have these `starts` of reachability; the frame of colourings has its own.
    #[must_use]
    pub fn domain(&self, starts: Vec<Position>) -> Domain {
        match &self.cut {
            SliceCut::Boards(slices) => slices.domain(starts),
            SliceCut::Colourings(slices) => Domain::Coloured(slices.frame().clone()),
        }
    }

    /// True if only representatives of symmetry classes of slices are swept.
    #[must_use]
    pub fn folds(&self) -> bool {
        self.space().folding().is_some()
    }

    /// The number of positions that are stored.
    #[must_use]
    pub fn stored_positions(&self) -> u64 {
        self.space().positions()
    }

    /// The number of swept slices: up to symmetry, of representatives.
    #[must_use]
    pub fn slices(&self) -> u64 {
        self.space().slices()
    }

    /// The number of slice cells, which have the highest places, or of slice squares.
    #[must_use]
    pub fn slice_cells(&self) -> u32 {
        self.space().cells()
    }

    /// The plane kinds to sweep, in the order in which a table stores them.
    #[must_use]
    pub fn plane_kinds(&self) -> &[PlaneKind] {
        &self.plane_kinds
    }

    /// The plane kinds in the order in which they are swept. Outcomes that are derived from scores come last, because they need these, and
    /// because scores are counted among reachable positions.
    pub(super) fn swept_kinds(&self) -> Vec<PlaneKind> {
        let mut kinds = self.plane_kinds.clone();
        let place = |kind: &PlaneKind| self.derives_outcomes && *kind == PlaneKind::Outcomes;
        kinds.sort_by_key(place);
        kinds
    }

    /// True if plane kinds are swept in the order in which a table stores them.
    #[must_use]
    pub fn sweeps_as_stored(&self) -> bool {
        self.swept_kinds() == self.plane_kinds
    }

    /// The number of places in the counts of a label; `None` for planes of other kinds.
    pub(super) fn places(&self, plane_kind: PlaneKind) -> Option<usize> {
        match plane_kind {
            PlaneKind::Label(kind) => self.places.of(kind).copied(),
            PlaneKind::Outcomes | PlaneKind::Reached => None,
        }
    }

    /// `true` if outcomes are derived from scores.
    pub(super) const fn derives_outcomes(&self) -> bool {
        self.derives_outcomes
    }

    /// `true` if outcomes are derived from scores, and counted among reachable positions after these are marked.
    pub(super) fn counts_reached_later(&self) -> bool {
        self.derives_outcomes && self.plane_kinds.contains(&PlaneKind::Reached)
    }

    /// The number of planes of one kind.
    #[must_use]
    pub fn planes(&self, plane_kind: PlaneKind) -> u64 {
        self.space().planes(plane_kind)
    }

    /// The byte at which each swept slice begins in a plane of one kind, and the end of the last one.
    #[must_use]
    pub fn starts(&self, plane_kind: PlaneKind) -> Vec<u64> {
        let space = self.space();
        let mut starts = vec![0];
        for slice in space.swept() {
            starts.push(starts[starts.len() - 1] + space.plane_bytes(plane_kind, slice));
        }
        starts
    }

    /// Bytes of one plane of one kind of each slice, if all slices have one size.
    #[must_use]
    pub fn equal_plane_bytes(&self, plane_kind: PlaneKind) -> Option<u64> {
        let space = self.space();
        space.are_equal().then(|| space.plane_bytes(plane_kind, 0))
    }

    /// Bytes of bookkeeping.
    fn bookkeeping(&self) -> u64 {
        self.space().bookkeeping(self.plane_kinds.len() as u64)
    }

    /// The most bytes of memory that solving takes.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        // Never more than all planes of one kind and the buffers besides them.
        let (space, last) = (self.space(), self.space().largest());
        let all = self.plane_kinds.iter().map(|&plane_kind| {
            let beside = space.beside(plane_kind, last, Some(last), &[]);
            space.all_bytes(plane_kind).saturating_add(beside)
        });
        self.max_bytes.min(all.max().unwrap_or(0)).max(self.least_bytes) + self.bookkeeping()
    }

    /// The least bytes of memory for labels with which this cut can be swept; `u64::MAX` on overflow.
    fn least(&self) -> u64 {
        let space = self.space();
        let least = |marks: bool| {
            // The first kind depends on at least as many slices as the others.
            let mut kinds = self.swept_kinds();
            kinds.retain(|kind| marks == (*kind == PlaneKind::Reached));
            let Some(&first) = kinds.first() else { return 0 };
            if let Some(most) = space.most_needed() {
                let beside = space.beside(first, 0, None, &[]);
                return space.room(first, 0).saturating_mul(most).saturating_add(beside);
            }
            let order = self.order(first);
            let of_step = |(number, &slice): (usize, &u64)| {
                let before = number.checked_sub(1).map(|number| order[number]);
                let needed = space.needed(slice, first);
                let of_kind = |&kind: &PlaneKind| {
                    let rooms = needed.iter().map(|&other| space.room(kind, other));
                    rooms.fold(space.beside(kind, slice, before, &needed), u64::saturating_add)
                };
                kinds.iter().map(of_kind).max().unwrap_or(0)
            };
            order.iter().enumerate().map(of_step).max().unwrap_or(0)
        };
        least(false).max(least(true))
    }

    /// The slices in the order in which they are swept.
    pub(super) fn order(&self, plane_kind: PlaneKind) -> Vec<u64> {
        let mut all = self.space().swept();
        if plane_kind != PlaneKind::Reached {
            all.reverse();
        }
        all
    }

    /// The steps of a sweep of `order`, in which no slice depends on a later one.
    pub(super) fn schedule(&self, plane_kind: PlaneKind, order: &[u64]) -> Schedule {
        let space = self.space();
        let needed: Vec<Vec<u64>> = order.iter().map(|&slice| space.needed(slice, plane_kind)).collect();
        // Up to symmetry, it takes no longer to make an image again than to get more memory from the system.
        let stored = space.swept().into_iter().map(|slice| space.room(plane_kind, slice));
        let stored = stored.fold(0, u64::saturating_add);
        let capacity = |number: usize| {
            let Some(&slice) = order.get(number) else { return stored };
            let before = number.checked_sub(1).map(|number| order[number]);
            let beside = space.beside(plane_kind, slice, before, &needed[number]);
            self.max_bytes.saturating_sub(beside).min(stored)
        };
        Schedule::new(order, &needed, capacity, |slice| space.room(plane_kind, slice))
    }

    /// Bytes that are loaded again after they left memory.
    #[must_use]
    pub fn loaded_bytes(&self) -> u64 {
        let of = |&plane_kind: &PlaneKind| {
            let schedule = self.schedule(plane_kind, &self.order(plane_kind));
            schedule.loads(|slice| self.space().bytes(plane_kind, slice))
        };
        self.plane_kinds.iter().map(of).fold(0, u64::saturating_add)
    }

    /// The limit on bytes in buffers, used and free, above which free buffers return to the system. `of_counting` asks
    /// for the limit on buffers that planes of a second kind are counted in.
    pub(super) fn kept_bytes(&self, of_counting: bool) -> u64 {
        let space = self.space();
        if space.are_equal() {
            // The schedule bounds the number of buffers.
            return u64::MAX;
        }
        if of_counting {
            return 0;
        }
        let beside = self.plane_kinds.iter().map(|&plane_kind| space.beside(plane_kind, space.largest(), None, &[]));
        self.max_bytes.saturating_sub(beside.max().unwrap_or(0))
    }

    /// For each representative of `folding`, the end of the ranks of its slices among the swept slices.
    pub(super) fn ends(&self, folding: &Folding<'_>) -> Vec<u64> {
        let swept = self.space().swept();
        let end = |&stored: &u64| swept.partition_point(|slice| slice >> folding.more <= stored) as u64;
        folding.stored.iter().map(end).collect()
    }

    /// The time of a sweep by `processes` processes, in positions that one process sweeps in that time. Each slice
    /// costs `beside` positions more than it has.
    #[must_use]
    pub fn makespan(&self, beside: u64, processes: usize) -> u128 {
        let work = |slice| SliceWork { slice, amount: self.space().positions_of(slice).saturating_add(beside) };
        let mut all: Vec<SliceWork> = self.space().swept().into_iter().map(work).collect();
        all.sort_by_key(|work| std::cmp::Reverse(level(work.slice)));
        makespan(&all, processes)
    }

    /// The transfers of each of `processes` processes that sweep together, if no slice is finished before.
    #[must_use]
    pub fn transfers(&self, processes: usize) -> Vec<TransferEstimate> {
        transfers(self, processes)
    }

    /// Solves `rules`, whose slices these are, on all cores of the current rayon pool. Slices that `store` has finished
    /// are skipped.
    ///
    /// # Errors
    /// If the rules are not swept, the kernel is not available, memory is insufficient, the store fails, or the progress
    /// function stops the work.
    pub fn solve(
        &self,
        rules: &Rules,
        options: &SliceOptions<'_>,
        store: &dyn SliceStore,
    ) -> Result<Swept, SolveError> {
        let solve = || match &self.cut {
            SliceCut::Boards(slices) => dense::solve_by_slices(rules, self, slices, options, store),
            SliceCut::Colourings(slices) => coloured::solve_by_slices(rules, self, slices, options, store),
        };
        if store.share().is_some() {
            // Another thread may need the pool while this one waits for slices of other processes.
            return solve();
        }
        // A thread of the pool solves. Otherwise it would be woken, and waited for, several times a slice.
        rayon::scope(|_| solve())
    }
}
