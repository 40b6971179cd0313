//! A sweep of all slices of a game, which loads, sweeps, counts, saves and drops slices step by step.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::schedule::Step;
use super::{
    PlaneKind, ResidentSlices, SliceSpace, SliceStore, Stop, StoreFault, Swept, advance, assigned, lacking, left,
};
use crate::label::LabelKind;
use crate::progress::{Meter, Phase};
use crate::simd::Kernel;
use crate::{SolveError, Watch};

/// Sweeps the slices of `space` that `store` has not finished, with `kernel`.
pub(crate) fn solve(
    space: &mut impl SliceSpace,
    kernel: Kernel,
    progress: Option<Watch<'_>>,
    store: &dyn SliceStore,
) -> Result<Swept, SolveError> {
    let mut work = Work { space, store, sweep_time: Duration::ZERO };
    while let Some((plane_kind, rank)) = work.all(progress)? {
        // Slices before the damaged one are finished, so only this one is swept again.
        store.forget(plane_kind, rank);
    }
    let Work { space, sweep_time, .. } = work;
    let counts = store.share().is_none_or(|share| share.process == 0);
    let plane_kinds = space.plane_kinds().iter().filter(|_| counts);
    let tallies = plane_kinds.map(|&plane_kind| (plane_kind, space.total(store, plane_kind))).collect();
    Ok(Swept { tallies, kernel: kernel.name(), sweep_time })
}

/// A sweep of all slices in progress.
struct Work<'w, D> {
    space: &'w mut D,
    store: &'w dyn SliceStore,
    sweep_time: Duration,
}

impl<D: SliceSpace> Work<'_, D> {
    /// Sweeps all unfinished slices. Returns the first slice found to be damaged in the store.
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
            Err(StoreFault::Damaged) => unreachable!("a damaged slice is returned by name"),
        }
    }

    /// Sweeps the planes of one kind.
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
        // Progress counts the slices of this process only.
        let all = if self.store.share().is_some() { left } else { space.positions() };
        let mut meter = Meter::new(progress, phase, Some(all));
        let mut flow = meter.add(all - left);
        // Outcomes are counted again among reachable positions; codes only among these, if they are marked.
        let marked = space.plane_kinds().contains(&PlaneKind::Reached).then_some(PlaneKind::Reached);
        let among = match plane_kind {
            PlaneKind::Label(LabelKind::Outcome) => None,
            PlaneKind::Label(_) => marked,
            PlaneKind::Reached => Some(PlaneKind::Label(LabelKind::Outcome)),
        };
        let mut resident = ResidentSlices::new(space.most_bytes(false));
        let mut among = among.map(|among| (among, ResidentSlices::new(space.most_bytes(true))));
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

    /// Tells the store what the step `next` will load. It follows `step`, before which the slices of `resident` are in
    /// memory.
    fn expect(&self, plane_kind: PlaneKind, step: &Step, next: &Step, resident: &ResidentSlices) {
        let space = &*self.space;
        let mut resident: HashSet<u64> = resident.slices().collect();
        advance(step, &mut resident);
        let lacking = lacking(space, next, &resident);
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
            let rank = self.space.rank_of(slice);
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
        let rank = self.space.rank_of(slice);
        self.store.save(plane_kind, rank, own, tally).map_err(Stop::of(plane_kind, rank))
    }

    /// The tally of the planes of a slice, together with the planes of a second kind if `among` names one.
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
