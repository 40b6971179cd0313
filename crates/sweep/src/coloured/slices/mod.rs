//! Every colouring of a game, slice by slice ([`crate::slices`]).
//!
//! The kernels that sweep a whole game also sweep a slice; only the addresses of other sets differ
//! ([`sweep`](super::sweep)). The colourings of a slice are consecutive in each plane of a table, so the table is the
//! same for every choice of slices. A slice with more top squares occupied has more colourings.
//!
//! - `space`: the slices, their dependencies and their sizes. `count`: tallies.
//! - `folding`: the choice of slices up to symmetry. `image`: a slice as the image of another; `permute`: of one set.
//! - `sample`: an estimate of the time of a sweep.

mod count;
mod folding;
mod image;
mod permute;
mod sample;
mod space;

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::plan::Plan;
use super::set_order::SetOrder;
use super::sweep::{Bases, Sweep};
use super::{bytes, outcomes_of, run, starts};
use crate::SolveError;
use crate::colourings::{Place, SquareSymmetry};
use crate::contents::LabelForm;

use crate::memory::values;
use crate::progress::Meter;
use crate::rules::Rules;
use crate::simd::{Kernel, VectorUnit};
use crate::slices::{
    self, PlaneKind, ResidentSlices, SliceBuffer, SliceOptions, SlicePlan, SliceSpace, SliceStore, SliceSweep, Swept,
};
pub use folding::fold_colourings;
use image::Image;
pub(crate) use sample::sweep_time;
pub(crate) use space::ColouringSlices;

/// Bytes that one thread clears at a time.
const CLEARED: usize = 1 << 20;

/// Solves every colouring of `rules` by `slices` of `plan`, as [`SlicePlan::solve`]. The roots are the roots of the
/// frame.
pub(crate) fn solve_by_slices(
    rules: &Rules,
    plan: &SlicePlan,
    slices: &ColouringSlices,
    options: &SliceOptions<'_>,
    store: &dyn SliceStore,
) -> Result<Swept, SolveError> {
    let kernel = options.kernel.unwrap_or_else(Kernel::best);
    slices::solve(plan, &mut ColouringSweep::new(rules, slices, kernel)?, kernel, options.progress, store)
}

/// Every colouring, slice by slice.
struct ColouringSweep<'w> {
    slices: &'w ColouringSlices,
    moves: Plan,
    /// The places of the roots, sorted.
    starts: Vec<Place>,
    unit: VectorUnit,
    bases: Bases,
    rules: &'w Rules,
}

impl<'w> ColouringSweep<'w> {
    fn new(rules: &'w Rules, slices: &'w ColouringSlices, kernel: Kernel) -> Result<Self, SolveError> {
        let (frame, count) = (slices.frame(), slices.cut.slices());
        Ok(Self {
            slices,
            moves: Plan::new(rules, frame),
            starts: starts(frame),
            unit: kernel.unit()?,
            bases: Bases::new(count),
            rules,
        })
    }
}

impl ColouringSweep<'_> {
    /// Clears the parts that no set writes: slots of modes that some sets do not have, and the ends of words of small sets.
    fn clear(&self, plane_kind: PlaneKind, bytes: &mut [u8]) {
        let frame = self.slices.frame();
        let is_even = (0..=frame.size()).all(|pieces| frame.modes_at(pieces).len() == frame.slots() as usize);
        if !is_even || !matches!(plane_kind, PlaneKind::Outcomes | PlaneKind::Reached) {
            bytes.par_chunks_mut(CLEARED).for_each(|part| part.fill(0));
        }
    }
}

impl SliceSweep for ColouringSweep<'_> {
    fn clear_ended(&mut self, loaded: &mut [(u64, SliceBuffer)]) {
        if !self.moves.has_ends() {
            return;
        }
        let (frame, cut) = (self.slices.frame(), &self.slices.cut);
        for (slice, buffer) in loaded {
            let own = buffer.0.values_mut();
            let sweep =
                Sweep::of_slice(&self.moves, frame, SetOrder::of(frame, cut, *slice), 1, own, &[], &mut self.bases);
            run::clear_ended(&sweep, self.unit);
        }
    }

    fn make_image(&mut self, plane_kind: PlaneKind, slice: u64, other: u64, there: &[u8], planes: &mut [u8]) {
        let (frame, top) = (self.slices.frame(), self.slices.cells());
        let fold = frame.fold().unwrap_or_else(|| unreachable!("images are of symmetries"));
        let [to, back] = [slice, other].map(|slice| fold.image(top, slice).1.symmetry());
        let turn = SquareSymmetry::new(&to.then(&back.inverse()), frame.squares());
        let turn = &turn.unwrap_or_else(|| unreachable!("elements map squares to squares"));
        Image { slices: self.slices, plane_kind, turn, slice, other }.copy(there, planes);
    }

    fn sweep(
        &mut self,
        plane_kind: PlaneKind,
        slice: u64,
        own: &mut SliceBuffer,
        ongoing: Option<&mut SliceBuffer>,
        resident: &ResidentSlices,
        meter: &Meter<'_>,
    ) -> ControlFlow<(), bool> {
        self.clear(plane_kind, own.0.bytes_mut());
        let (moves, frame) = (&self.moves, self.slices.frame());
        let order = SetOrder::of(frame, &self.slices.cut, slice);
        let needed = self.slices.needed(slice, plane_kind);
        let others = || needed.iter().map(|&other| (other, resident.bytes(other)));
        let words = || others().map(|(other, bytes)| (other, values(bytes))).collect::<Vec<(u64, &[u64])>>();
        match plane_kind {
            PlaneKind::Outcomes => {
                let (planes, own) = (moves.outcome_planes(), own.0.values_mut());
                let sweep = Sweep::of_slice(moves, frame, order, planes, own, &words(), &mut self.bases);
                run::label(&sweep, self.unit, meter)
            }
            PlaneKind::Reached => {
                let (ongoing, reached) = match ongoing.filter(|_| moves.has_ends()) {
                    Some(ongoing) => {
                        self.clear(plane_kind, ongoing.0.bytes_mut());
                        (ongoing.0.values_mut(), Some(own.0.values_mut()))
                    }
                    None => (own.0.values_mut(), None),
                };
                let sweep = Sweep::of_slice(moves, frame, order, 1, ongoing, &words(), &mut self.bases);
                run::mark(&sweep, reached, self.unit, &self.starts, meter)
            }
            PlaneKind::Label(kind) => {
                let (own, others) = (own.0.bytes_mut(), others().collect());
                let slice = bytes::CodeSlice { plan: moves, frame, order, own, others, bases: &mut self.bases };
                bytes::sweep(slice, kind, self.unit, None, meter)
            }
        }?;
        ControlFlow::Continue(self.moves.has_ends())
    }

    fn derive_outcomes(&self, slice: u64, scores: &[u8], outcomes: &mut [u8]) {
        let (_, words) = self.slices.words(slice);
        outcomes_of(&self.moves, words as u64, scores, self.unit, outcomes);
    }

    fn count(&self, plane_kind: PlaneKind, slice: u64, bytes: &[u8], among: Option<(PlaneKind, &[u8])>) -> Vec<u64> {
        let counting = count::Counting { slices: self.slices, modes: self.rules.modes().len(), slice, unit: self.unit };
        match (plane_kind, among) {
            (PlaneKind::Outcomes, Some((_, marks))) => {
                [counting.outcomes(bytes, None), counting.outcomes(bytes, Some(marks))].concat()
            }
            (PlaneKind::Outcomes | PlaneKind::Reached, None) => counting.outcomes(bytes, None),
            (PlaneKind::Reached, Some((_, outcomes))) => counting.outcomes(outcomes, Some(bytes)),
            (PlaneKind::Label(kind), marks) => {
                let (_, marks) = marks.unwrap_or_else(|| unreachable!("colourings are marked"));
                counting.codes(bytes, marks, LabelForm::of_rules(kind, self.rules))
            }
        }
    }
}
