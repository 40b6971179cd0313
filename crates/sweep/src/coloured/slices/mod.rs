//! Every colouring of a game, slice by slice ([`crate::slices`]).
//!
//! The kernels that sweep a whole game also sweep a slice; only the addresses of other sets differ
//! ([`sweep`](super::sweep)). The colourings of a slice are consecutive in each plane of a table, so the table is the
//! same for every choice of slices. A slice with more top squares occupied has more colourings.
//!
//! - `plan`: the choice of slices and their dependencies. `count`: tallies.
//! - `folding`: the choice of slices up to symmetry. `image`: a slice as the image of another; `permute`: of one set.
//! - `sample`: an estimate of the time of a sweep.

mod count;
mod folding;
mod image;
mod permute;
mod plan;
mod sample;

use std::ops::ControlFlow;
use std::sync::Arc;

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
    self, Dependencies, PlaneKind, ResidentSlices, Schedule, SliceBuffer, SliceOptions, SliceSpace, SliceStore, Stop,
    Swept, TransferEstimate,
};
pub use folding::fold_colourings;
use image::Image;
pub use plan::{ColouredPlan, ColouredTask};
pub use sample::colourings_time;

/// Bytes that one thread clears at a time.
const CLEARED: usize = 1 << 20;

/// Solves every colouring of `rules` by the slices of `plan`, which was made for them, on all cores of the current
/// rayon pool. The roots are the roots of the plan's frame. Slices that `store` has finished are skipped.
///
/// # Errors
/// If the kernel is not available, memory is insufficient, the store fails, or the progress function stops the work.
pub fn solve_colourings_by_slices(
    rules: &Rules,
    plan: &ColouredPlan,
    options: &SliceOptions<'_>,
    store: &dyn SliceStore,
) -> Result<Swept, SolveError> {
    let kernel = options.kernel.unwrap_or_else(Kernel::best);
    slices::solve(&mut Colourings::new(rules, plan, kernel)?, kernel, options.progress, store)
}

/// The transfers of each of `processes` processes that sweep `rules` by the slices of `plan`.
///
/// # Errors
/// If no kernel is available.
pub(crate) fn colouring_transfers(
    rules: &Rules,
    plan: &ColouredPlan,
    processes: usize,
) -> Result<Vec<TransferEstimate>, SolveError> {
    Ok(slices::transfers(&Colourings::new(rules, plan, Kernel::best())?, processes))
}

/// Every colouring, slice by slice.
struct Colourings<'w> {
    plan: &'w ColouredPlan,
    moves: Plan,
    dependencies: Dependencies,
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
    fn new(rules: &Rules, plan: &'w ColouredPlan, kernel: Kernel) -> Result<Self, SolveError> {
        let moves = Plan::new(rules, plan.frame());
        let slices = plan.cut.slices();
        Ok(Self {
            plan,
            dependencies: plan::dependencies(&moves, &plan.cut),
            starts: starts(plan.frame()),
            unit: kernel.unit()?,
            bases: vec![Base::NONE; slices],
            byte_bases: vec![bytes::Base::NONE; slices],
            moves,
            modes: rules.modes().len(),
        })
    }
}

impl Colourings<'_> {
    /// The first word of `slice` in a plane of the whole game, and the number of its words.
    fn words(&self, slice: u64) -> (usize, usize) {
        let words = self.plan.cut.words(self.plan.frame(), slice);
        (words.start as usize, (words.end - words.start) as usize)
    }

    /// Clears the parts that no set writes: slots of modes that some sets do not have, and the ends of words of small sets.
    fn clear(&self, plane_kind: PlaneKind, bytes: &mut [u8]) {
        let frame = self.plan.frame();
        let is_even = (0..=frame.size()).all(|pieces| frame.modes_at(pieces).len() == frame.slots() as usize);
        if !is_even || !matches!(plane_kind, PlaneKind::Label(LabelKind::Outcome) | PlaneKind::Reached) {
            bytes.par_chunks_mut(CLEARED).for_each(|part| part.fill(0));
        }
    }

    /// Turns the reachability bits of `slice` into its ongoing positions, by clearing those in which the game has ended.
    fn clear_ended(&mut self, plane_kind: PlaneKind, slice: u64, buffer: &mut SliceBuffer) {
        if plane_kind != PlaneKind::Reached || !self.moves.has_ends() {
            return;
        }
        let (first, words) = self.words(slice);
        let marks = buffer.0.values_mut::<u64>().as_mut_ptr();
        let number = self.plan.cut.number(slice);
        self.bases[number] = Base::of_marks(marks, marks, first, words);
        let order = SetOrder::of(self.plan.frame(), &self.plan.cut, slice);
        // SAFETY: the buffer is of this slice, and this function has the only reference to it.
        let sweep = unsafe { Sweep::new(&self.moves, self.plan.frame(), order, &self.bases) };
        run::clear_ended(&sweep, self.unit);
        self.bases[number] = Base::NONE;
    }

    fn forget_bases(&mut self, slice: u64, needed: &[u64]) {
        for &slice in needed.iter().chain([&slice]) {
            let number = self.plan.cut.number(slice);
            self.bases[number] = Base::NONE;
            self.byte_bases[number] = bytes::Base::NONE;
        }
    }
}

impl SliceSpace for Colourings<'_> {
    fn plane_kinds(&self) -> &[PlaneKind] {
        self.plan.plane_kinds()
    }

    fn swept(&self) -> Vec<u64> {
        self.plan.swept().to_vec()
    }

    fn schedule(&self, plane_kind: PlaneKind, order: &[u64]) -> Schedule {
        self.plan.schedule(&self.dependencies, plane_kind, order)
    }

    fn positions(&self) -> u64 {
        self.plan.frame().stored_positions()
    }

    fn positions_of(&self, slice: u64) -> u64 {
        self.plan.positions_of(slice)
    }

    fn stored(&self, slice: u64) -> u64 {
        self.plan.stored(slice)
    }

    fn rank_of(&self, slice: u64) -> u64 {
        self.plan.rank_of(slice)
    }

    fn bytes(&self, plane_kind: PlaneKind, slice: u64) -> u64 {
        self.plan.plane_bytes_of(plane_kind, slice)
    }

    fn most_bytes(&self, of_counting: bool) -> u64 {
        if of_counting { 0 } else { self.plan.kept_bytes() }
    }

    fn load(
        &mut self,
        store: &dyn SliceStore,
        plane_kind: PlaneKind,
        slices: &[u64],
        resident: &mut ResidentSlices,
    ) -> Result<(), Stop> {
        let (plan, top) = (self.plan, self.plan.top_squares());
        let load = |slice: u64, buffer: &mut SliceBuffer| {
            let rank = plan.rank_of(slice);
            store.load(plane_kind, rank, buffer.0.bytes_mut()).map_err(Stop::of(plane_kind, rank))
        };
        // One after the other: the compressed form of a slice takes memory as well.
        for &slice in slices {
            let mut buffer = resident.allocate(self.bytes(plane_kind, slice))?;
            let orbit = plan.frame().fold().map(|fold| (fold, fold.image(top, slice)));
            let image = |turn, other| Image { plan, plane_kind, turn, slice, other };
            // It is faster to permute a slice of the same symmetry class in memory than to decompress the representative.
            let sibling =
                orbit.and_then(|(fold, (stored, _))| resident.find(|sibling| fold.image(top, sibling).0 == stored));
            match (orbit, sibling) {
                (Some((fold, (_, turn))), Some(sibling)) => {
                    let back = fold.image(top, sibling).1.symmetry().inverse();
                    let turn = SquareSymmetry::new(&turn.symmetry().then(&back), plan.frame().squares());
                    let turn = turn.unwrap_or_else(|| unreachable!("elements map squares to squares"));
                    image(&turn, sibling).copy(resident.bytes(sibling), buffer.0.bytes_mut());
                }
                (Some((_, (stored, turn))), None) if stored != slice => {
                    let mut before = resident.allocate(self.bytes(plane_kind, stored))?;
                    load(stored, &mut before)?;
                    image(turn, stored).copy(before.bytes(), buffer.0.bytes_mut());
                    resident.retire(Arc::new(before));
                    self.clear_ended(plane_kind, slice, &mut buffer);
                }
                _ => {
                    load(slice, &mut buffer)?;
                    self.clear_ended(plane_kind, slice, &mut buffer);
                }
            }
            resident.keep(slice, Arc::new(buffer));
        }
        Ok(())
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
        let (first, words) = self.words(slice);
        let needed = self.plan.needed(&self.dependencies, slice, plane_kind);
        for &other in &needed {
            let (first, words) = self.words(other);
            // These planes are only read.
            let labels = resident.bytes(other).as_ptr().cast_mut();
            match plane_kind {
                PlaneKind::Label(LabelKind::Outcome) => {
                    self.bases[self.plan.cut.number(other)] = Base::of_outcomes(labels.cast(), first, words);
                }
                PlaneKind::Reached => {
                    self.bases[self.plan.cut.number(other)] =
                        Base::of_marks(labels.cast(), labels.cast(), first, words);
                }
                PlaneKind::Label(_) => {
                    self.byte_bases[self.plan.cut.number(other)] = bytes::Base::new(labels, first, words)
                }
            }
        }
        let order = SetOrder::of(self.plan.frame(), &self.plan.cut, slice);
        let (moves, frame) = (&self.moves, self.plan.frame());
        let (labels, number) = (own.0.bytes_mut().as_mut_ptr(), self.plan.cut.number(slice));
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
        let counting = count::Counting { plan: self.plan, modes: self.modes, slice, unit: self.unit };
        match (plane_kind, among) {
            (PlaneKind::Label(LabelKind::Outcome), _) | (PlaneKind::Reached, None) => counting.outcomes(bytes, None),
            (PlaneKind::Reached, Some((_, outcomes))) => counting.outcomes(outcomes, Some(bytes)),
            (PlaneKind::Label(_), marks) => {
                let (_, marks) = marks.unwrap_or_else(|| unreachable!("colourings are marked"));
                counting.codes(bytes, marks)
            }
        }
    }

    fn total(&self, store: &dyn SliceStore, plane_kind: PlaneKind) -> Vec<u64> {
        let ends = self.plan.frame().fold().map(|fold| {
            let more = self.plan.top_squares() - fold.top_squares();
            let end = |slice: u64| self.plan.swept().partition_point(|swept| swept >> more <= slice) as u64;
            (fold.slice_classes(), fold.stored().iter().map(|&slice| end(slice)).collect::<Vec<u64>>())
        });
        let orbits = ends.as_ref().map(|(classes, ends)| (*classes, ends.as_slice()));
        slices::total(store, plane_kind, self.plan.slices(), orbits)
    }
}
