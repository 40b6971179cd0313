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
use super::sweep::{Base, Sweep};
use super::{bytes, run, starts};
use crate::SolveError;
use crate::colourings::{Place, SquareSymmetry};
use crate::label::LabelKind;
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
    slices::solve(plan, &mut Colourings::new(rules, slices, kernel)?, kernel, options.progress, store)
}

/// Every colouring, slice by slice.
struct Colourings<'w> {
    slices: &'w ColouringSlices,
    moves: Plan,
    /// The places of the roots, sorted.
    starts: Vec<Place>,
    unit: VectorUnit,
    /// By number of the slice: the addresses of its planes, for the swept slice and its dependencies.
    bases: Vec<Base>,
    byte_bases: Vec<bytes::Base>,
    /// Modes of the rules.
    modes: usize,
}

impl<'w> Colourings<'w> {
    fn new(rules: &Rules, slices: &'w ColouringSlices, kernel: Kernel) -> Result<Self, SolveError> {
        let (frame, count) = (slices.frame(), slices.cut.slices());
        Ok(Self {
            slices,
            moves: Plan::new(rules, frame),
            starts: starts(frame),
            unit: kernel.unit()?,
            bases: vec![Base::NONE; count],
            byte_bases: vec![bytes::Base::NONE; count],
            modes: rules.modes().len(),
        })
    }
}

impl Colourings<'_> {
    /// Clears the parts that no set writes: slots of modes that some sets do not have, and the ends of words of small sets.
    fn clear(&self, plane_kind: PlaneKind, bytes: &mut [u8]) {
        let frame = self.slices.frame();
        let is_even = (0..=frame.size()).all(|pieces| frame.modes_at(pieces).len() == frame.slots() as usize);
        if !is_even || !matches!(plane_kind, PlaneKind::Label(LabelKind::Outcome) | PlaneKind::Reached) {
            bytes.par_chunks_mut(CLEARED).for_each(|part| part.fill(0));
        }
    }

    fn forget_bases(&mut self, slice: u64, needed: &[u64]) {
        for &slice in needed.iter().chain([&slice]) {
            let number = self.slices.cut.number(slice);
            self.bases[number] = Base::NONE;
            self.byte_bases[number] = bytes::Base::NONE;
        }
    }
}

impl SliceSweep for Colourings<'_> {
    fn clear_ended(&mut self, loaded: &mut [(u64, SliceBuffer)]) {
        if !self.moves.has_ends() {
            return;
        }
        for (slice, buffer) in loaded {
            let (first, words) = self.slices.words(*slice);
            let marks = buffer.0.values_mut::<u64>().as_mut_ptr();
            let number = self.slices.cut.number(*slice);
            self.bases[number] = Base::of_marks(marks, marks, first, words);
            let order = SetOrder::of(self.slices.frame(), &self.slices.cut, *slice);
            // SAFETY: the buffer is of this slice, and this function has the only reference to it.
            let sweep = unsafe { Sweep::new(&self.moves, self.slices.frame(), order, &self.bases) };
            run::clear_ended(&sweep, self.unit);
            self.bases[number] = Base::NONE;
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
        let (first, words) = self.slices.words(slice);
        let needed = self.slices.needed(slice, plane_kind);
        for &other in &needed {
            let (first, words) = self.slices.words(other);
            // These planes are only read.
            let labels = resident.bytes(other).as_ptr().cast_mut();
            match plane_kind {
                PlaneKind::Label(LabelKind::Outcome) => {
                    self.bases[self.slices.cut.number(other)] = Base::of_outcomes(labels.cast(), first, words);
                }
                PlaneKind::Reached => {
                    self.bases[self.slices.cut.number(other)] =
                        Base::of_marks(labels.cast(), labels.cast(), first, words);
                }
                PlaneKind::Label(_) => {
                    self.byte_bases[self.slices.cut.number(other)] = bytes::Base::new(labels, first, words)
                }
            }
        }
        let order = SetOrder::of(self.slices.frame(), &self.slices.cut, slice);
        let (moves, frame) = (&self.moves, self.slices.frame());
        let (labels, number) = (own.0.bytes_mut().as_mut_ptr(), self.slices.cut.number(slice));
        // SAFETY: the buffers `own` and `ongoing` are of this slice, and this function has the only references to them. Its
        // dependencies are resident, and no thread writes them.
        let flow = unsafe {
            match plane_kind {
                PlaneKind::Label(LabelKind::Outcome) => {
                    self.bases[number] = Base::of_outcomes(labels.cast(), first, words);
                    run::label(&Sweep::new(moves, frame, order, &self.bases), self.unit, meter)
                }
                PlaneKind::Reached => {
                    let marks = labels.cast();
                    let ongoing = match ongoing {
                        Some(ongoing) if moves.has_ends() => {
                            self.clear(plane_kind, ongoing.0.bytes_mut());
                            ongoing.0.values_mut().as_mut_ptr()
                        }
                        _ => marks,
                    };
                    self.bases[number] = Base::of_marks(marks, ongoing, first, words);
                    run::mark(&Sweep::new(moves, frame, order, &self.bases), self.unit, &self.starts, meter)
                }
                PlaneKind::Label(kind) => {
                    self.byte_bases[number] = bytes::Base::new(labels, first, words);
                    bytes::sweep(moves, frame, kind, order, &self.byte_bases, meter)
                }
            }
        };
        self.forget_bases(slice, &needed);
        flow?;
        ControlFlow::Continue(self.moves.has_ends())
    }

    fn count(&self, plane_kind: PlaneKind, slice: u64, bytes: &[u8], among: Option<(PlaneKind, &[u8])>) -> Vec<u64> {
        let counting = count::Counting { slices: self.slices, modes: self.modes, slice, unit: self.unit };
        match (plane_kind, among) {
            (PlaneKind::Label(LabelKind::Outcome), _) | (PlaneKind::Reached, None) => counting.outcomes(bytes, None),
            (PlaneKind::Reached, Some((_, outcomes))) => counting.outcomes(outcomes, Some(bytes)),
            (PlaneKind::Label(_), marks) => {
                let (_, marks) = marks.unwrap_or_else(|| unreachable!("colourings are marked"));
                counting.codes(bytes, marks)
            }
        }
    }
}
