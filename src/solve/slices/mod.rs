//! Games solved slice by slice: games that are larger than memory, and builds that can be stopped.
//!
//! Some cells or squares name a slice: all positions with the same of them filled. Moves lead to the same slice or to one
//! with a larger number, so slices are swept from the largest number down, and what play reaches is marked the other way. A
//! [`SliceStore`] keeps the slices that are finished. Each of them is swept once, whatever happens to the process, if the
//! store outlives it.
//!
//! What a slice is, and how it is swept, its solver says ([`SliceSpace`]): of every board, `solve/dense/slices`; of every
//! colouring, `solve/coloured/slices`.
//!
//! - `store`: what is asked of a store. `schedule`: which slices are in memory when. `resident`: those that are. `unions`: what may name
//!   slices up to symmetry. `deal`: which of several processes sweeps which slice.

mod partition;
mod resident;
mod schedule;
mod slicing;
mod store;
mod unions;

use std::collections::{HashMap, HashSet};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) use resident::ResidentSlices;
pub(super) use schedule::{Schedule, Step};
pub use slicing::Slicing;
pub use store::{PlaneKind, Share, SliceBuffer, SliceStore, StoreFault, View};
pub(super) use unions::{cycles, unions};

use super::progress::{Meter, Phase};
use super::simd::Kernel;
use super::{SolveError, Watch};
use crate::label::{Counts, LabelKind, add_each};
use crate::rules::Position;
use crate::symmetry::RegionOrbits;

/// Bytes of memory for what is known of a plane_kind of a slice: its step in the schedule, when it is wanted, what was counted in it.
pub(super) const BOOKKEEPING: u64 = 1 << 10;

/// What was solved by slices: all of it is in the store.
#[derive(Clone, Debug)]
pub struct Swept {
    /// What was counted in each plane_kind. Of outcomes: wins, draws and losses of every board or colouring, mode by mode; of what play
    /// reaches: the same of what it reaches; of a label of one byte: how many positions have each code, of those that play
    /// reaches if these are marked.
    pub tallies: Vec<(PlaneKind, Vec<u64>)>,
    /// The program that swept.
    pub kernel: &'static str,
    /// The time that sweeping took, without reading and writing.
    pub sweep_time: Duration,
}

impl Swept {
    /// The counts of a plane_kind, mode by mode: of outcomes, or of what play reaches; `None` if it was not swept.
    #[must_use]
    pub fn counts(&self, plane_kind: PlaneKind) -> Option<Vec<Counts>> {
        let (_, tally) = self.tallies.iter().find(|(found, _)| *found == plane_kind)?;
        Some(by_mode(tally))
    }
}

/// How to solve by slices.
#[derive(Clone, Copy, Default)]
pub struct SliceOptions<'a> {
    /// The positions from which play is followed beside the starts of the rules, if what it reaches is marked.
    pub roots: &'a [Position],
    /// The kernel for the sweep; if it is `None`, the fastest on this machine.
    pub kernel: Option<Kernel>,
    /// Called with the progress of the work.
    pub progress: Option<Watch<'a>>,
}

/// Wins, draws and losses of each mode, as they are tallied.
pub(super) fn figures(counts: impl IntoIterator<Item = Counts>) -> Vec<u64> {
    counts.into_iter().flat_map(|of| [of.win, of.draw, of.loss]).collect()
}

/// What was counted in a plane_kind of all slices, of which `swept` are swept and in `store`; up to symmetry, of all for which `orbits` says
/// that these stand. Each slice of the orbits is cut into 2^`more`.
pub(super) fn total(
    store: &dyn SliceStore,
    plane_kind: PlaneKind,
    swept: u64,
    orbits: Option<(&RegionOrbits, u32)>,
) -> Vec<u64> {
    let sum = |ranks: Range<u64>| {
        let tallies = ranks.filter_map(|rank| store.tally(plane_kind, rank));
        tallies.reduce(add_each).unwrap_or_default()
    };
    let Some((orbits, more)) = orbits else { return sum(0..swept) };
    let stored = 0..orbits.stored().len() as u64;
    let of_stored: Vec<Vec<u64>> = stored.map(|rank| sum(rank << more..(rank + 1) << more)).collect();
    if let PlaneKind::Label(LabelKind::Outcome) | PlaneKind::Reached = plane_kind {
        return figures(orbits.spread(|rank| by_mode(&of_stored[rank as usize])));
    }
    let all = orbits.all().map(|(rank, _)| of_stored[rank as usize].clone());
    all.reduce(add_each).unwrap_or_default()
}

pub(super) fn by_mode(figures: &[u64]) -> Vec<Counts> {
    figures.as_chunks::<3>().0.iter().map(|&[win, draw, loss]| Counts { win, draw, loss }).collect()
}

/// Why a slice is not finished.
pub(super) enum Stop {
    /// That plane_kind of the slice of this rank was changed in the store.
    Damaged(PlaneKind, u64),
    Failed(SolveError),
}

impl Stop {
    /// What the failure to load a plane_kind of the slice of rank `rank` means.
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

/// A game that is space into slices, named by numbers: how they are swept and counted.
pub(super) trait SliceSpace {
    /// What is swept, in this order.
    fn plane_kinds(&self) -> &[PlaneKind];

    /// The slices that are swept, in ascending order.
    fn swept(&self) -> Vec<u64>;

    /// The steps of a sweep of `order`: slices none of which needs one after it.
    fn schedule(&self, plane_kind: PlaneKind, order: &[u64]) -> Schedule;

    /// The number of positions, and of those in `slice`.
    fn positions(&self) -> u64;
    fn positions_of(&self, slice: u64) -> u64;

    /// The slice that is swept and stored for `slice`.
    fn stored(&self, slice: u64) -> u64 {
        slice
    }

    /// How many slices that are swept have smaller numbers than `slice`, which is swept.
    fn rank_of(&self, slice: u64) -> u64;

    /// Bytes of a plane_kind of a slice.
    fn bytes(&self, plane_kind: PlaneKind, slice: u64) -> u64;

    /// Bytes of memory up to which buffers that are free are kept for others, besides `of_counting` of another plane_kind that is
    /// counted together with one.
    fn most_bytes(&self, of_counting: bool) -> u64;

    /// Loads a plane_kind of `slices` into memory, as moves to them or from them ask for it.
    fn load(
        &mut self,
        store: &dyn SliceStore,
        plane_kind: PlaneKind,
        slices: &[u64],
        resident: &mut ResidentSlices,
    ) -> Result<(), Stop>;

    /// Sweeps a plane_kind of `slice` into `own`, where those that it needs are `resident`. Of what play reaches, what it goes on from
    /// is written to `ongoing`. Whether that differs from `own`.
    fn sweep(
        &mut self,
        plane_kind: PlaneKind,
        slice: u64,
        own: &mut SliceBuffer,
        ongoing: Option<&mut SliceBuffer>,
        resident: &ResidentSlices,
        meter: &Meter<'_>,
    ) -> ControlFlow<(), bool>;

    /// What is counted in the planes of a plane_kind of `slice`, beside another one that says of what, or which outcomes they have.
    fn count(&self, plane_kind: PlaneKind, slice: u64, bytes: &[u8], among: Option<(PlaneKind, &[u8])>) -> Vec<u64>;

    /// What was counted in a plane_kind of all slices.
    fn total(&self, store: &dyn SliceStore, plane_kind: PlaneKind) -> Vec<u64>;
}

/// Sweeps all that `store` has not finished of `space`, by `kernel`.
pub(super) fn solve(
    space: &mut impl SliceSpace,
    kernel: Kernel,
    progress: Option<Watch<'_>>,
    store: &dyn SliceStore,
) -> Result<Swept, SolveError> {
    let mut work = Work { space, store, sweep_time: Duration::ZERO };
    while let Some((plane_kind, rank)) = work.all(progress)? {
        // Slices before it are finished, so that it alone is swept again.
        store.forget(plane_kind, rank);
    }
    let Work { space, sweep_time, .. } = work;
    let counts = store.share().is_none_or(|share| share.process == 0);
    let plane_kinds = space.plane_kinds().iter().filter(|_| counts);
    let tallies = plane_kinds.map(|&plane_kind| (plane_kind, space.total(store, plane_kind))).collect();
    Ok(Swept { tallies, kernel: kernel.name(), sweep_time })
}

/// The slices of a plane_kind that are left, in the order in which one process sweeps them.
fn left(space: &impl SliceSpace, plane_kind: PlaneKind, is_left: impl Fn(u64) -> bool) -> Vec<u64> {
    let mut order = space.swept();
    order.retain(|&slice| is_left(slice));
    if plane_kind != PlaneKind::Reached {
        order.reverse();
    }
    order
}

/// The slices of a plane_kind that are left, in the order in which several processes sweep them, and for each the process that does.
fn assigned(
    space: &impl SliceSpace,
    plane_kind: PlaneKind,
    processes: usize,
    is_left: impl Fn(u64) -> bool,
) -> (Vec<u64>, Vec<usize>) {
    let mut order = left(space, plane_kind, is_left);
    // All plane_kinds are assigned alike, whichever way they are swept: what is counted beside a slice is at the same process.
    order.sort_unstable_by_key(|&slice| std::cmp::Reverse(slice));
    partition::by_levels(&mut order);
    let work = |&slice: &u64| partition::Work { slice, amount: space.positions_of(slice) };
    let mut assigned = partition::partition(&order.iter().map(work).collect::<Vec<_>>(), processes);
    if plane_kind == PlaneKind::Reached {
        order.reverse();
        assigned.reverse();
    }
    (order, assigned)
}

/// Makes of the slices that are `resident` in memory before a step those that are after it.
fn advance(step: &Step, resident: &mut HashSet<u64>) {
    resident.retain(|slice| !step.drops.contains(slice));
    resident.extend(&step.loads);
    if step.stays {
        resident.insert(step.slice);
    }
}

/// What a step loads from the store, by what is stored, where these slices are `resident` before it: what is in memory of an orbit is not
/// loaded again.
fn lacking(space: &impl SliceSpace, step: &Step, resident: &HashSet<u64>) -> Vec<u64> {
    let there = resident.iter().filter(|slice| !step.drops.contains(slice));
    let mut there: HashSet<u64> = there.map(|&slice| space.stored(slice)).collect();
    step.loads.iter().map(|&slice| space.stored(slice)).filter(|&stored| there.insert(stored)).collect()
}

/// What one of several processes asks others for, as far as the plan tells.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TransferEstimate {
    /// How many plane_kinds of slices.
    pub slices: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What each of several processes asks others for, if nothing is finished before.
pub(super) fn transfers(space: &impl SliceSpace, processes: usize) -> Vec<TransferEstimate> {
    let mut all = vec![TransferEstimate::default(); processes];
    for &plane_kind in space.plane_kinds() {
        let (order, assigned) = assigned(space, plane_kind, processes, |_| true);
        let owners: HashMap<u64, usize> = order.iter().copied().zip(assigned.iter().copied()).collect();
        let mut shares = vec![Vec::new(); processes];
        order.iter().zip(&assigned).for_each(|(&slice, &process)| shares[process].push(slice));
        for (process, own) in shares.iter().enumerate() {
            let mut resident = HashSet::new();
            for step in space.schedule(plane_kind, own).steps {
                for stored in lacking(space, &step, &resident) {
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

/// How long a sweep by several processes takes, in positions that one of them sweeps meanwhile: of slices with these numbers and
/// so many positions each, and what each takes besides.
pub(super) fn makespan(slices: impl IntoIterator<Item = (u64, u64)>, beside: u64, processes: usize) -> u128 {
    let work = |(slice, positions): (u64, u64)| partition::Work { slice, amount: positions.saturating_add(beside) };
    let mut all: Vec<partition::Work> = slices.into_iter().map(work).collect();
    all.sort_by_key(|work| std::cmp::Reverse(partition::level(work.slice)));
    partition::makespan(&all, processes)
}

/// The work on all slices.
struct Work<'w, D> {
    space: &'w mut D,
    store: &'w dyn SliceStore,
    sweep_time: Duration,
}

impl<D: SliceSpace> Work<'_, D> {
    /// Sweeps all that is not finished. Returns what is found to be damaged in the store, as soon as it is.
    fn all(&mut self, progress: Option<Watch<'_>>) -> Result<Option<(PlaneKind, u64)>, SolveError> {
        for plane_kind in self.space.plane_kinds().to_vec() {
            match self.plane_kind(plane_kind, progress) {
                Ok(()) => {}
                Err(Stop::Damaged(plane_kind, rank)) => return Ok(Some((plane_kind, rank))),
                Err(Stop::Failed(error)) => return Err(error),
            }
        }
        match self.store.settle() {
            Ok(damaged) => Ok(damaged),
            Err(StoreFault::Io(error)) => Err(SolveError::Store(error)),
            Err(StoreFault::Damaged) => unreachable!("what is damaged is named"),
        }
    }

    /// Sweeps one plane_kind.
    fn plane_kind(&mut self, plane_kind: PlaneKind, progress: Option<Watch<'_>>) -> Result<(), Stop> {
        let order = self.order(plane_kind);
        let schedule = self.space.schedule(plane_kind, &order);
        let phase = match plane_kind {
            PlaneKind::Label(LabelKind::Outcome) => Phase::Sweep,
            PlaneKind::Label(kind) => Phase::LabelWith(kind),
            PlaneKind::Reached => Phase::Mark,
        };
        let space = &self.space;
        let left: u64 = schedule.steps.iter().map(|step| space.positions_of(step.slice)).sum();
        // What others sweep is not counted.
        let all = if self.store.share().is_some() { left } else { space.positions() };
        let mut meter = Meter::new(progress, phase, Some(all));
        let mut flow = meter.add(all - left);
        // What is counted in a plane_kind is of outcomes, or of what play reaches.
        let marked = space.plane_kinds().contains(&PlaneKind::Reached).then_some(PlaneKind::Reached);
        let among = match plane_kind {
            PlaneKind::Label(LabelKind::Outcome) => None,
            PlaneKind::Label(_) => marked,
            PlaneKind::Reached => Some(PlaneKind::Label(LabelKind::Outcome)),
        };
        let mut resident = ResidentSlices::new(space.most_bytes(false));
        let mut among = among.map(|among| (among, ResidentSlices::new(space.most_bytes(true))));
        // Slices of this process whose buffers are in memory until the store shows them.
        let mut own = Vec::new();
        for (number, step) in schedule.steps.iter().enumerate() {
            if flow.is_break() {
                return Err(SolveError::Cancelled.into());
            }
            // While this slice is swept, the disk reads for the next.
            if let Some(next) = schedule.steps.get(number + 1) {
                self.expect(plane_kind, step, next, &resident);
            }
            self.show(plane_kind, &mut own, &mut resident)?;
            self.step(plane_kind, step, &mut resident, among.as_mut(), &meter)?;
            if step.stays {
                own.push(step.slice);
            }
            flow = meter.add(0);
        }
        if meter.finish().is_break() { Err(SolveError::Cancelled.into()) } else { Ok(()) }
    }

    /// The slices of a plane_kind that this process sweeps, in their order.
    fn order(&self, plane_kind: PlaneKind) -> Vec<u64> {
        let space = &*self.space;
        let is_left = |slice: u64| !self.store.is_finished(plane_kind, space.rank_of(slice));
        let Some(share) = self.store.share() else { return left(space, plane_kind, is_left) };
        let (mut order, assigned) = assigned(space, plane_kind, share.processes, is_left);
        let of = |(&slice, &process): (&u64, &usize)| (space.rank_of(slice), process);
        self.store.assign(plane_kind, &order.iter().zip(&assigned).map(of).collect::<Vec<_>>());
        let mut assigned = assigned.into_iter();
        order.retain(|_| assigned.next() == Some(share.process));
        order
    }

    /// Tells the store what will be loaded for the step `next`, which comes after `step`; `resident` is what is in memory before it.
    fn expect(&self, plane_kind: PlaneKind, step: &Step, next: &Step, resident: &ResidentSlices) {
        let space = &*self.space;
        let mut resident: HashSet<u64> = resident.slices().collect();
        advance(step, &mut resident);
        let lacking = lacking(space, next, &resident);
        lacking.into_iter().for_each(|stored| self.store.expect(plane_kind, space.rank_of(stored)));
    }

    /// Keeps what the store shows of this process's own slices in place of their buffers, as soon as it does.
    fn show(&self, plane_kind: PlaneKind, own: &mut Vec<u64>, resident: &mut ResidentSlices) -> Result<(), Stop> {
        if plane_kind == PlaneKind::Reached {
            // What is in memory is from where play goes on, which the store does not have.
            return Ok(());
        }
        let mut left = Vec::new();
        own.retain(|&slice| resident.has(slice));
        for slice in own.drain(..) {
            let rank = self.space.rank_of(slice);
            match self.store.view(plane_kind, rank).map_err(Stop::of(plane_kind, rank))? {
                Some(view) => resident.show(slice, view),
                None => left.push(slice),
            }
        }
        *own = left;
        Ok(())
    }

    /// Sweeps one plane_kind of one slice, and counts it.
    fn step(
        &mut self,
        plane_kind: PlaneKind,
        step: &Step,
        resident: &mut ResidentSlices,
        among: Option<&mut (PlaneKind, ResidentSlices)>,
        meter: &Meter<'_>,
    ) -> Result<(), Stop> {
        let slice = step.slice;
        resident.drop_all(&step.drops);
        self.space.load(self.store, plane_kind, &step.loads, resident)?;
        let bytes = self.space.bytes(plane_kind, slice);
        let mut own = resident.allocate(bytes)?;
        let mut ongoing = if plane_kind == PlaneKind::Reached { Some(resident.allocate(bytes)?) } else { None };
        let begun = Instant::now();
        let flow = self.space.sweep(plane_kind, slice, &mut own, ongoing.as_mut(), resident, meter);
        self.sweep_time += begun.elapsed();
        let ControlFlow::Continue(differs) = flow else { return Err(SolveError::Cancelled.into()) };
        let tally = self.tally(plane_kind, slice, own.bytes(), among)?;
        let own = Arc::new(own);
        let (wanted, other) = match ongoing.map(Arc::new) {
            // What play goes on from is what other slices ask for.
            Some(ongoing) if differs => (ongoing, Some(Arc::clone(&own))),
            ongoing => (Arc::clone(&own), ongoing),
        };
        other.into_iter().for_each(|buffer| resident.retire(buffer));
        if step.stays {
            resident.keep(slice, wanted);
        } else {
            resident.retire(wanted);
        }
        let rank = self.space.rank_of(slice);
        self.store.save(plane_kind, rank, own, tally).map_err(Stop::of(plane_kind, rank))
    }

    /// What is counted in the planes of a slice: all positions, or those that `among` says.
    fn tally(
        &self,
        plane_kind: PlaneKind,
        slice: u64,
        bytes: &[u8],
        among: Option<&mut (PlaneKind, ResidentSlices)>,
    ) -> Result<Vec<u64>, Stop> {
        let Some((other, resident)) = among else { return Ok(self.space.count(plane_kind, slice, bytes, None)) };
        let mut buffer = resident.allocate(self.space.bytes(*other, slice))?;
        let rank = self.space.rank_of(slice);
        self.store.load(*other, rank, buffer.0.bytes_mut()).map_err(Stop::of(*other, rank))?;
        let tally = self.space.count(plane_kind, slice, bytes, Some((*other, buffer.bytes())));
        resident.retire(Arc::new(buffer));
        Ok(tally)
    }
}
