//! Games solved slice by slice: games that are larger than memory, and builds that can be stopped.
//!
//! A game has a few *slice cells* (or slice squares). Their filled set is the number of a slice: all positions that
//! agree on these cells. A move leads to its own slice or to a slice with a larger number. The solver therefore labels
//! slices from the largest number down, and marks reachable positions from the smallest number up. A [`SliceStore`]
//! keeps finished slices. If the store outlives the process, each slice is swept once, however often the process is
//! stopped.
//!
//! A solver describes its slices by a `SliceSpace` and sweeps them by a `SliceSweep`: `dense/slices` for boards,
//! `coloured/slices` for colourings.
//!
//! - `space`: the slices of a game. `plan`: the choice of slices that fit into memory.
//! - `store`: the interface of a store. `schedule`: when to load and drop slices. `resident`: the slices in memory.
//! - `dependencies`: the other slices that a slice depends on.
//! - `unions`: sets of cells that may be slice cells up to symmetry. `partition`: how several processes share the slices.
//! - `work`: the sweep of all slices.

mod dependencies;
mod partition;
mod plan;
mod resident;
mod schedule;
mod space;
mod store;
mod unions;
mod work;

use std::collections::{HashMap, HashSet};
use std::ops::{ControlFlow, Range};
use std::time::Duration;

pub use crate::plane::PlaneKind;
pub(super) use dependencies::{Dependencies, SliceMove};
pub use plan::{SlicePlan, SliceTask};
pub(super) use resident::ResidentSlices;
pub(super) use schedule::{Schedule, SliceStep};
pub(super) use space::{CountingTime, Folding, SliceSpace};
pub use store::{Share, SliceBuffer, SliceStore, StoreFault, View};
pub(super) use unions::{cycles, stored_share, unions};
pub(super) use work::solve;

use crate::label::{Counts, add_each, by_mode, figures};
use crate::progress::Meter;
use crate::rules::Position;
use crate::simd::Kernel;
use crate::{SolveError, Watch};

/// Bytes of bookkeeping for each plane kind of each slice: its step in the schedule, its uses and its tally.
pub(super) const BOOKKEEPING: u64 = 1 << 10;

/// Summary of a game solved by slices. The labels are in the store.
#[derive(Clone, Debug)]
pub struct Swept {
    /// A tally of each plane kind. Outcomes: wins, draws and losses of all positions, mode by mode. Reachability bits:
    /// wins, draws and losses of the reachable positions, mode by mode. Another label: the number of positions with each
    /// [place](crate::label::Label::place), reachable ones only if these are marked.
    pub tallies: Vec<(PlaneKind, Vec<u64>)>,
    /// The program that swept.
    pub kernel: &'static str,
    /// Time spent sweeping, without reading and writing.
    pub sweep_time: Duration,
}

impl Swept {
    /// Counts of the outcomes or of the reachable positions, mode by mode. `None` if this plane kind was not swept.
    #[must_use]
    pub fn counts(&self, plane_kind: PlaneKind) -> Option<Vec<Counts>> {
        let (_, tally) = self.tallies.iter().find(|(found, _)| *found == plane_kind)?;
        Some(by_mode(tally))
    }
}

/// Options of solving by slices.
#[derive(Clone, Copy, Default)]
pub struct SliceOptions<'a> {
    /// Roots in addition to the starts of the rules. They matter only if reachable positions are marked.
    pub roots: &'a [Position],
    /// The kernel for the sweep; if it is `None`, the fastest on this machine.
    pub kernel: Option<Kernel>,
    /// Called with the progress of the work.
    pub progress: Option<Watch<'a>>,
}

/// The tally of a plane kind over all slices of `plan`. Up to symmetry, the tally of each representative is spread over its
/// symmetry class.
fn total(plan: &SlicePlan, store: &dyn SliceStore, plane_kind: PlaneKind) -> Vec<u64> {
    let swept = plan.slices();
    let tally = |rank| tally_of(plan, store, plane_kind, rank);
    let length = plan.places(plane_kind).or_else(|| (0..swept).find_map(tally).map(|tally| tally.len()));
    let sum = |ranks: Range<u64>| {
        let mut sum = vec![0; length.unwrap_or(0)];
        for tally in ranks.filter_map(tally) {
            // The tally of a label ends with its last place that is used.
            sum.iter_mut().zip(tally).for_each(|(sum, count)| *sum += count);
        }
        sum
    };
    let Some(folding) = plan.space().folding() else { return sum(0..swept) };
    let ends = plan.ends(&folding);
    let starts = [0].into_iter().chain(ends.iter().copied());
    let of_stored: Vec<Vec<u64>> = starts.zip(&ends).map(|(start, &end)| sum(start..end)).collect();
    if let PlaneKind::Outcomes | PlaneKind::Reached = plane_kind {
        return figures(folding.classes.expand_counts(|rank| by_mode(&of_stored[rank as usize])));
    }
    let all = folding.classes.all().map(|(rank, _)| of_stored[rank as usize].clone());
    all.reduce(add_each).unwrap_or_default()
}

/// The tally of a plane kind of one slice. Where outcomes are derived after reachable positions were marked, the tally of the outcomes has
/// both: outcomes of all positions, then of the reachable ones.
fn tally_of(plan: &SlicePlan, store: &dyn SliceStore, plane_kind: PlaneKind, rank: u64) -> Option<Vec<u64>> {
    let is_later = plan.counts_reached_later();
    match plane_kind {
        PlaneKind::Outcomes | PlaneKind::Reached if is_later => {
            let mut every = store.tally(PlaneKind::Outcomes, rank)?;
            let reached = every.split_off(every.len() / 2);
            Some(if plane_kind == PlaneKind::Reached { reached } else { every })
        }
        _ => store.tally(plane_kind, rank),
    }
}

/// The reason why a slice could not be finished.
pub(super) enum Stop {
    /// Planes of this kind, of the slice with this rank, were changed in the store.
    Damaged(PlaneKind, u64),
    /// An error that ends the build.
    Failed(SolveError),
}

impl Stop {
    /// Converts a fault of the store in the planes of the slice with rank `rank`.
    pub(super) fn of(plane_kind: PlaneKind, rank: u64) -> impl Fn(StoreFault) -> Self {
        move |fault| match fault {
            StoreFault::Damaged => Self::Damaged(plane_kind, rank),
            StoreFault::Io(error) => Self::Failed(SolveError::Store(error)),
        }
    }
}

impl From<SolveError> for Stop {
    fn from(error: SolveError) -> Self {
        Self::Failed(error)
    }
}

/// The sweep of one slice at a time.
pub(super) trait SliceSweep {
    /// Turns reachability bits of slices into their ongoing positions, by clearing those in which the game has ended.
    fn clear_ended(&mut self, loaded: &mut [(u64, SliceBuffer)]);

    /// Writes the `planes` of one kind of `slice`, made from the planes `there` of `other`, a slice of the same symmetry
    /// class.
    fn make_image(&mut self, plane_kind: PlaneKind, slice: u64, other: u64, there: &[u8], planes: &mut [u8]);

    /// Sweeps planes of one kind of `slice` into `own`; the slices it depends on are `resident`. Marking also writes the
    /// reachable positions in which the game goes on to `ongoing`, and returns whether they differ from `own`.
    fn sweep(
        &mut self,
        plane_kind: PlaneKind,
        slice: u64,
        own: &mut SliceBuffer,
        ongoing: Option<&mut SliceBuffer>,
        resident: &ResidentSlices,
        meter: &Meter<'_>,
    ) -> ControlFlow<(), bool>;

    /// Writes the outcomes of `slice`, which follow from its `scores`.
    fn derive_outcomes(&self, slice: u64, scores: &[u8], outcomes: &mut [u8]);

    /// The tally of the planes of one kind of `slice`. `among` are planes of a second kind: outcomes, by which
    /// reachable positions are tallied; or reachability bits, to which codes are restricted, and among which outcomes are tallied again.
    fn count(&self, plane_kind: PlaneKind, slice: u64, bytes: &[u8], among: Option<(PlaneKind, &[u8])>) -> Vec<u64>;
}

/// The unfinished slices of a plane kind, in the order in which one process sweeps them.
fn left(plan: &SlicePlan, plane_kind: PlaneKind, is_left: impl Fn(u64) -> bool) -> Vec<u64> {
    let mut order = plan.order(plane_kind);
    order.retain(|&slice| is_left(slice));
    order
}

/// The unfinished slices of a plane kind, in the order in which several processes sweep them, and the process of each.
fn assigned(
    plan: &SlicePlan,
    plane_kind: PlaneKind,
    processes: usize,
    is_left: impl Fn(u64) -> bool,
) -> (Vec<u64>, Vec<usize>) {
    let mut order = left(plan, plane_kind, is_left);
    // Both directions of sweep assign slices alike: the planes that are counted together belong to one process.
    order.sort_unstable_by_key(|&slice| std::cmp::Reverse(slice));
    partition::by_levels(&mut order);
    let work = |&slice: &u64| partition::SliceWork { slice, amount: plan.space().positions_of(slice) };
    let mut assigned = partition::partition(&order.iter().map(work).collect::<Vec<_>>(), processes);
    if plane_kind == PlaneKind::Reached {
        order.reverse();
        assigned.reverse();
    }
    (order, assigned)
}

/// Updates the set of resident slices by a step.
fn advance(step: &SliceStep, resident: &mut HashSet<u64>) {
    resident.retain(|slice| !step.drops.contains(slice));
    resident.extend(&step.loads);
    if step.stays {
        resident.insert(step.slice);
    }
}

/// The representatives that a step loads from the store if the slices `there` stay in memory. A representative is not loaded again while a
/// slice of its symmetry class is in memory.
fn lacking(space: &dyn SliceSpace, step: &SliceStep, there: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut lacking = Vec::new();
    for stored in step.loads.iter().map(|&slice| space.stored(slice)) {
        if !lacking.contains(&stored) {
            lacking.push(stored);
        }
    }
    // A step loads few of very many slices.
    for slice in there {
        if lacking.is_empty() {
            break;
        }
        let stored = space.stored(slice);
        lacking.retain(|&other| other != stored);
    }
    lacking
}

/// An estimate of the planes that one of several processes fetches from the others.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TransferEstimate {
    /// Transfers: planes of one kind of one slice each.
    pub slices: u64,
    /// Bytes transferred.
    pub bytes: u64,
}

/// How much the ranks of a build have sent each other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TrafficTotals {
    /// Bytes of all messages.
    pub bytes: u64,
    /// The number of requests for slices, including requests that are answered from the folder.
    pub slices: u64,
    /// Bytes of the requested slices.
    pub slice_bytes: u64,
}

/// The transfers of each of several processes, if no slice is finished before.
fn transfers(plan: &SlicePlan, processes: usize) -> Vec<TransferEstimate> {
    let space = plan.space();
    let mut all = vec![TransferEstimate::default(); processes];
    for &plane_kind in plan.plane_kinds() {
        let (order, assigned) = assigned(plan, plane_kind, processes, |_| true);
        let owners: HashMap<u64, usize> = order.iter().copied().zip(assigned.iter().copied()).collect();
        let mut shares = vec![Vec::new(); processes];
        order.iter().zip(&assigned).for_each(|(&slice, &process)| shares[process].push(slice));
        for (process, own) in shares.iter().enumerate() {
            let mut resident = HashSet::new();
            for step in plan.schedule(plane_kind, own).steps {
                let there = resident.iter().copied().filter(|slice| !step.drops.contains(slice));
                for stored in lacking(space, &step, there) {
                    if owners.get(&stored) != Some(&process) {
                        all[process].slices += 1;
                        all[process].bytes += space.bytes(plane_kind, stored);
                    }
                }
                advance(&step, &mut resident);
            }
        }
    }
    all
}
