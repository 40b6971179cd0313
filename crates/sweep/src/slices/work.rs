//! A sweep of all slices of a game, which loads, sweeps, counts, saves and drops slices step by step.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::schedule::SliceStep;
use super::{
    PlaneKind, ResidentSlices, SliceBuffer, SlicePlan, SliceStore, SliceSweep, Stop, StoreFault, Swept, assigned,
    lacking, left, total,
};

use crate::label::LabelKind;
use crate::progress::{Meter, Phase};
use crate::simd::Kernel;
use crate::{SolveError, Watch};

/// Sweeps the slices of `plan` that `store` has not finished, by `sweep`, with `kernel`.
pub(crate) fn solve(
    plan: &SlicePlan,
    sweep: &mut impl SliceSweep,
    kernel: Kernel,
    progress: Option<Watch<'_>>,
    store: &dyn SliceStore,
) -> Result<Swept, SolveError> {
    let mut work = SlicesInProgress { plan, sweep, store, sweep_time: Duration::ZERO };
    while let Some((plane_kind, rank)) = work.all(progress)? {
        // Slices before the damaged one are finished, so only this one is swept again.
        store.forget(plane_kind, rank);
    }
    let sweep_time = work.sweep_time;
    let counts = store.share().is_none_or(|share| share.process == 0);
    let plane_kinds = plan.plane_kinds().iter().filter(|_| counts);
    let tallies = plane_kinds.map(|&plane_kind| (plane_kind, total(plan, store, plane_kind))).collect();
    Ok(Swept { tallies, kernel: kernel.name(), sweep_time })
}

/// A sweep of all slices in progress.
struct SlicesInProgress<'w, S> {
    plan: &'w SlicePlan,
    sweep: &'w mut S,
    store: &'w dyn SliceStore,
    sweep_time: Duration,
}

impl<S: SliceSweep> SlicesInProgress<'_, S> {
    /// Sweeps all unfinished slices. Returns the first slice found to be damaged in the store.
    fn all(&mut self, progress: Option<Watch<'_>>) -> Result<Option<(PlaneKind, u64)>, SolveError> {
        for plane_kind in self.plan.swept_kinds() {
            match self.plane_kind(plane_kind, progress) {
                Ok(()) => {}
                Err(Stop::Damaged(plane_kind, rank)) => return Ok(Some((plane_kind, rank))),
                Err(Stop::Failed(error)) => return Err(error),
            }
        }
        match self.store.settle() {
            Ok(damaged) => Ok(damaged),
            Err(StoreFault::Io(error)) => Err(SolveError::Store(error)),
            Err(StoreFault::Damaged) => unreachable!("a damaged slice is returned by name"),
        }
    }

    /// Sweeps the planes of one kind.
    fn plane_kind(&mut self, plane_kind: PlaneKind, progress: Option<Watch<'_>>) -> Result<(), Stop> {
        let order = self.order(plane_kind);
        let (plan, space) = (self.plan, self.plan.space());
        let schedule = plan.schedule(plane_kind, &order);
        let phase = match plane_kind {
            PlaneKind::Outcomes => Phase::Sweep,
            PlaneKind::Label(kind) => Phase::LabelWith(kind),
            PlaneKind::Reached => Phase::Mark,
        };
        let left: u64 = schedule.steps.iter().map(|step| space.positions_of(step.slice)).sum();
        // Progress counts the slices of this process only.
        let all = if self.store.share().is_some() { left } else { space.positions() };
        let mut meter = Meter::new(progress, phase, Some(all));
        let mut flow = meter.add(all - left);
        // Outcomes are counted again among reachable positions, as soon as both are known; codes only among these, if they are marked.
        let marked = plan.plane_kinds().contains(&PlaneKind::Reached).then_some(PlaneKind::Reached);
        let among = match plane_kind {
            PlaneKind::Outcomes if plan.derives_outcomes() => marked,
            PlaneKind::Reached if plan.derives_outcomes() => None,
            PlaneKind::Outcomes => None,
            PlaneKind::Label(_) => marked,
            PlaneKind::Reached => Some(PlaneKind::Outcomes),
        };
        let mut resident = ResidentSlices::new(plan.kept_bytes(false));
        let mut among = among.map(|among| (among, ResidentSlices::new(plan.kept_bytes(true))));
        // Slices of this process whose buffers stay in memory until the store offers a view of them.
        let mut own = Vec::new();
        for (number, step) in schedule.steps.iter().enumerate() {
            if flow.is_break() {
                return Err(SolveError::Cancelled.into());
            }
            // The disk reads for the next step while this slice is swept.
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

    /// The slices of a plane kind that this process sweeps, in order.
    fn order(&self, plane_kind: PlaneKind) -> Vec<u64> {
        let (plan, space) = (self.plan, self.plan.space());
        let is_left = |slice: u64| !self.store.is_finished(plane_kind, space.rank_of(slice));
        let Some(share) = self.store.share() else { return left(plan, plane_kind, is_left) };
        let (mut order, assigned) = assigned(plan, plane_kind, share.processes, is_left);
        let of = |(&slice, &process): (&u64, &usize)| (space.rank_of(slice), process);
        self.store.assign(plane_kind, &order.iter().zip(&assigned).map(of).collect::<Vec<_>>());
        let mut assigned = assigned.into_iter();
        order.retain(|_| assigned.next() == Some(share.process));
        order
    }

    /// Tells the store what the step `next` will load. It follows `step`, before which the slices of `resident` are in
    /// memory.
    fn expect(&self, plane_kind: PlaneKind, step: &SliceStep, next: &SliceStep, resident: &ResidentSlices) {
        let space = self.plan.space();
        let before = resident.slices().filter(|slice| !step.drops.contains(slice));
        let after = before.chain(step.loads.iter().copied()).chain(step.stays.then_some(step.slice));
        let lacking = lacking(space, next, after.filter(|slice| !next.drops.contains(slice)));
        lacking.into_iter().for_each(|stored| self.store.expect(plane_kind, space.rank_of(stored)));
    }

    /// Replaces the buffers of this process's slices by views of the store, where it offers one.
    fn show(&self, plane_kind: PlaneKind, own: &mut Vec<u64>, resident: &mut ResidentSlices) -> Result<(), Stop> {
        if plane_kind == PlaneKind::Reached {
            // The buffers hold ongoing positions, which the store does not have.
            return Ok(());
        }
        let mut left = Vec::new();
        own.retain(|&slice| resident.has(slice));
        for slice in own.drain(..) {
            let rank = self.plan.space().rank_of(slice);
            match self.store.view(plane_kind, rank).map_err(Stop::of(plane_kind, rank))? {
                Some(view) => resident.show(slice, view),
                None => left.push(slice),
            }
        }
        *own = left;
        Ok(())
    }

    /// Sweeps planes of one kind of one slice, counts them and saves them.
    fn step(
        &mut self,
        plane_kind: PlaneKind,
        step: &SliceStep,
        resident: &mut ResidentSlices,
        among: Option<&mut (PlaneKind, ResidentSlices)>,
        meter: &Meter<'_>,
    ) -> Result<(), Stop> {
        let slice = step.slice;
        resident.drop_all(&step.drops);
        self.load(plane_kind, &step.loads, resident)?;
        let bytes = self.plan.space().bytes(plane_kind, slice);
        let mut own = resident.allocate(bytes)?;
        let mut ongoing = if plane_kind == PlaneKind::Reached { Some(resident.allocate(bytes)?) } else { None };
        let flow = if plane_kind == PlaneKind::Outcomes && self.plan.derives_outcomes() {
            self.derive_outcomes(slice, &mut own, resident, meter)?
        } else {
            let begun = Instant::now();
            let flow = self.sweep.sweep(plane_kind, slice, &mut own, ongoing.as_mut(), resident, meter);
            self.sweep_time += begun.elapsed();
            flow
        };
        let ControlFlow::Continue(differs) = flow else { return Err(SolveError::Cancelled.into()) };
        let tally = self.tally(plane_kind, slice, own.bytes(), among)?;
        let own = Arc::new(own);
        let (wanted, other) = match ongoing.map(Arc::new) {
            // Other slices need the ongoing positions.
            Some(ongoing) if differs => (ongoing, Some(Arc::clone(&own))),
            ongoing => (Arc::clone(&own), ongoing),
        };
        other.into_iter().for_each(|buffer| resident.retire(buffer));
        if step.stays {
            resident.keep(slice, wanted);
        } else {
            resident.retire(wanted);
        }
        let rank = self.plan.space().rank_of(slice);
        self.store.save(plane_kind, rank, own, tally).map_err(Stop::of(plane_kind, rank))
    }

    /// Derives the outcomes of `slice` from its scores. Returns whether the ongoing positions differ, as a sweep does: there are none.
    fn derive_outcomes(
        &mut self,
        slice: u64,
        own: &mut SliceBuffer,
        resident: &mut ResidentSlices,
        meter: &Meter<'_>,
    ) -> Result<ControlFlow<(), bool>, Stop> {
        let scores_of = PlaneKind::Label(LabelKind::Score);
        let mut scores = resident.allocate(self.plan.space().bytes(scores_of, slice))?;
        fetch(self.store, self.plan, scores_of, slice, &mut scores)?;
        let begun = Instant::now();
        self.sweep.derive_outcomes(slice, scores.bytes(), own.bytes_mut());
        self.sweep_time += begun.elapsed();
        resident.retire(Arc::new(scores));
        Ok(match meter.add(self.plan.space().positions_of(slice)) {
            ControlFlow::Continue(()) => ControlFlow::Continue(false),
            ControlFlow::Break(()) => ControlFlow::Break(()),
        })
    }

    /// Loads planes of one kind of `slices` into memory, in the order that moves into or out of these slices need. Up to
    /// symmetry, representatives are loaded and their images made.
    fn load(&mut self, plane_kind: PlaneKind, slices: &[u64], resident: &mut ResidentSlices) -> Result<(), Stop> {
        let space = self.plan.space();
        if space.folding().is_some() {
            return slices.iter().try_for_each(|&slice| self.load_image(plane_kind, slice, resident));
        }
        let mut loaded = Vec::new();
        for &slice in slices {
            let rank = space.rank_of(slice);
            let view = match plane_kind {
                // The store does not have the ongoing positions.
                PlaneKind::Reached => None,
                PlaneKind::Outcomes | PlaneKind::Label(_) => {
                    self.store.view(plane_kind, rank).map_err(Stop::of(plane_kind, rank))?
                }
            };
            match view {
                Some(view) => resident.show(slice, view),
                None => loaded.push((slice, resident.allocate(space.bytes(plane_kind, slice))?)),
            }
        }
        let (store, plan) = (self.store, self.plan);
        let fetch = |(slice, buffer): &mut (u64, SliceBuffer)| fetch(store, plan, plane_kind, *slice, buffer);
        if space.are_equal() {
            loaded.par_iter_mut().try_for_each(fetch)?;
        } else {
            // One after the other: the compressed form of a slice takes memory as well.
            loaded.iter_mut().try_for_each(fetch)?;
        }
        if plane_kind == PlaneKind::Reached {
            self.sweep.clear_ended(&mut loaded);
        }
        loaded.into_iter().for_each(|(slice, buffer)| resident.keep(slice, Arc::new(buffer)));
        Ok(())
    }

    /// Loads planes of one kind of `slice` by way of a slice of its symmetry class.
    fn load_image(&mut self, plane_kind: PlaneKind, slice: u64, resident: &mut ResidentSlices) -> Result<(), Stop> {
        let space = self.plan.space();
        let (stored, bytes) = (space.stored(slice), space.bytes(plane_kind, slice));
        // It is faster to permute a slice of the same symmetry class in memory than to decompress the representative.
        let sibling = resident.find(|sibling| space.stored(sibling) == stored);
        let mut buffer = resident.allocate(bytes)?;
        if let Some(sibling) = sibling {
            self.sweep.make_image(plane_kind, slice, sibling, resident.bytes(sibling), buffer.bytes_mut());
            resident.keep(slice, Arc::new(buffer));
            return Ok(());
        }
        fetch(self.store, self.plan, plane_kind, stored, &mut buffer)?;
        if !space.is_as_stored(slice) {
            let before = std::mem::replace(&mut buffer, resident.allocate(bytes)?);
            self.sweep.make_image(plane_kind, slice, stored, before.bytes(), buffer.bytes_mut());
            resident.retire(Arc::new(before));
        }
        let mut loaded = [(slice, buffer)];
        if plane_kind == PlaneKind::Reached {
            self.sweep.clear_ended(&mut loaded);
        }
        let [(_, buffer)] = loaded;
        resident.keep(slice, Arc::new(buffer));
        Ok(())
    }

    /// The tally of the planes of a slice, together with the planes of a second kind if `among` names one.
    fn tally(
        &self,
        plane_kind: PlaneKind,
        slice: u64,
        bytes: &[u8],
        among: Option<&mut (PlaneKind, ResidentSlices)>,
    ) -> Result<Vec<u64>, Stop> {
        let mut tally = match among {
            None => self.sweep.count(plane_kind, slice, bytes, None),
            Some((other, resident)) => {
                let mut buffer = resident.allocate(self.plan.space().bytes(*other, slice))?;
                fetch(self.store, self.plan, *other, slice, &mut buffer)?;
                let tally = self.sweep.count(plane_kind, slice, bytes, Some((*other, buffer.bytes())));
                resident.retire(Arc::new(buffer));
                tally
            }
        };
        if let PlaneKind::Label(_) = plane_kind {
            // Scores of two bytes have thousands of places, of which few are used.
            tally.truncate(tally.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1));
        }
        Ok(tally)
    }
}

/// Reads planes of one kind of `slice`, a representative of `plan`, from the store.
fn fetch(
    store: &dyn SliceStore,
    plan: &SlicePlan,
    plane_kind: PlaneKind,
    slice: u64,
    buffer: &mut SliceBuffer,
) -> Result<(), Stop> {
    let rank = plan.space().rank_of(slice);
    store.load(plane_kind, rank, buffer.bytes_mut()).map_err(Stop::of(plane_kind, rank))
}
