//! Every (mode, board) of a game, slice by slice ([`crate::slices`]).
//!
//! The kernels that sweep a whole game also sweep a slice; only the addresses of successors differ ([`part`](super::part)).
//!
//! - `plan`: the choice of slices. `dependencies`: the other slices that each depends on.
//! - `folding`: the choice of slices up to symmetry. `image`: a slice as the image of another.
//! - `sample`: an estimate of the time of a sweep.

mod dependencies;
mod folding;
mod image;
mod plan;
mod sample;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::part::Part;
use super::{bytes, mark_part, marks, starts_in, sweep};
use crate::compressed::BlockFault;
use crate::contents::{codes, codes_among};
use crate::label::figures;
use crate::label::{Counts, LabelKind, Width};
use crate::memory::{values, values_mut};
use crate::plane::Planes;
use crate::progress::Meter;
use crate::rules::{Position, Rules};
use crate::simd::{Kernel, VectorUnit};
use crate::slices::{
    self, PlaneKind, ResidentSlices, Schedule, SliceBuffer, SliceOptions, SliceSpace, SliceStore, Stop, Swept,
    TransferEstimate,
};
use crate::{Method, SolveError, check_method};
use dependencies::Dependencies;
pub use folding::{fold, fold_untried};
use image::{Image, Way};
pub use plan::{SlicePlan, SliceTask};
pub use sample::sweep_time;

/// Solves `rules` by the slices of `plan`, which was made for them, on all cores of the current rayon pool. Slices that
/// `store` has finished are skipped.
///
/// # Errors
/// If the rules are not swept, the kernel is not available, memory is insufficient, the store fails, or the progress
/// function stops the work.
pub fn solve_by_slices(
    rules: &Rules,
    plan: &SlicePlan,
    options: &SliceOptions<'_>,
    store: &dyn SliceStore,
) -> Result<Swept, SolveError> {
    check_method(rules, Method::Dense)?;
    if let Some(&position) = options.roots.iter().find(|&&root| !rules.has(root)) {
        return Err(SolveError::Root { name: rules.name().into(), position });
    }
    let kernel = options.kernel.unwrap_or_else(Kernel::best);
    let renumbered = plan.layout.apply(rules);
    let starts = rules.starts_and(options.roots);
    let mut boards = Boards::new(&renumbered, plan, starts, kernel)?;
    slices::solve(&mut boards, kernel, options.progress, store)
}

/// The transfers of each of `processes` processes that sweep `rules` by the slices of `plan`.
///
/// # Errors
/// If no kernel is available.
pub(crate) fn board_transfers(
    rules: &Rules,
    plan: &SlicePlan,
    processes: usize,
) -> Result<Vec<TransferEstimate>, SolveError> {
    let renumbered = plan.layout.apply(rules);
    Ok(slices::transfers(&Boards::new(&renumbered, plan, Vec::new(), Kernel::best())?, processes))
}

/// Every board, slice by slice.
struct Boards<'w> {
    /// The rules in the order of the layout: boards are indices.
    rules: &'w Rules,
    plan: &'w SlicePlan,
    dependencies: Dependencies,
    /// The roots, as positions of the game.
    starts: Vec<Position>,
    unit: VectorUnit,
    /// The permutations of planes that symmetries have needed so far.
    images: HashMap<Vec<u8>, Image>,
}

impl<'w> Boards<'w> {
    /// The slices of `rules`, whose boards are indices.
    fn new(rules: &'w Rules, plan: &'w SlicePlan, starts: Vec<Position>, kernel: Kernel) -> Result<Self, SolveError> {
        let dependencies = Dependencies::new(rules, plan.cut, plan.fold.as_ref());
        Ok(Self { rules, plan, dependencies, starts, unit: kernel.unit()?, images: HashMap::new() })
    }
}

impl Boards<'_> {
    /// Writes the planes of a slice, made from the planes `there` by `way`.
    fn make_image(&mut self, plane_kind: PlaneKind, way: &Way, there: &[u8], planes: &mut [u8]) {
        let shape = self.plan.shape(self.rules, plane_kind);
        // Indices of bits have three more low bits, which stay in place: the bits of a byte stay together.
        let of_byte = if shape.width() == Width::Eight { 3 } else { 0 };
        let to: Vec<u8> = (0..of_byte).chain(way.places.iter().map(|&to| to + of_byte)).collect();
        let image = self.images.entry(to).or_insert_with_key(|to| Image::new(to));
        let plane = (there.len() / shape.planes() as usize) / size_of::<u64>();
        let (there, planes) = (values::<u64>(there), values_mut::<u64>(planes));
        for (number, plane_of) in planes.chunks_mut(plane).enumerate() {
            let a_mode = shape.planes_a_mode() as usize;
            let from = usize::from(way.modes[number / a_mode].0) * a_mode + number % a_mode;
            image.copy(&there[from * plane..(from + 1) * plane], plane_of);
        }
    }
}

impl SliceSpace for Boards<'_> {
    fn plane_kinds(&self) -> &[PlaneKind] {
        &self.plan.plane_kinds
    }

    fn swept(&self) -> Vec<u64> {
        self.plan.swept().collect()
    }

    fn schedule(&self, plane_kind: PlaneKind, order: &[u64]) -> Schedule {
        self.dependencies.schedule_of(plane_kind == PlaneKind::Reached, self.plan.capacity, order)
    }

    fn positions(&self) -> u64 {
        self.positions_of(0) * self.plan.slices()
    }

    fn positions_of(&self, _: u64) -> u64 {
        self.rules.positions() as u64 / self.plan.cut.slices()
    }

    fn stored(&self, slice: u64) -> u64 {
        self.plan.fold.as_ref().map_or(slice, |fold| fold.image(self.plan.cut.upper(), slice).0)
    }

    fn rank_of(&self, slice: u64) -> u64 {
        self.plan.rank_of(slice)
    }

    fn bytes(&self, plane_kind: PlaneKind, _: u64) -> u64 {
        self.plan.plane_bytes_of(self.rules, plane_kind)
    }

    /// All buffers have one size, and the schedule bounds their number.
    fn most_bytes(&self, _: bool) -> u64 {
        u64::MAX
    }

    /// Loads planes of other slices. Up to symmetry, representatives are loaded and their images made.
    fn load(
        &mut self,
        store: &dyn SliceStore,
        plane_kind: PlaneKind,
        slices: &[u64],
        resident: &mut ResidentSlices,
    ) -> Result<(), Stop> {
        let (rules, plan, cut) = (self.rules, self.plan, self.plan.cut);
        let bytes = plan.plane_bytes_of(rules, plane_kind);
        let load = |slice, planes: &mut [u8]| {
            let rank = plan.rank_of(slice);
            store.load(plane_kind, rank, planes).map_err(Stop::of(plane_kind, rank))
        };
        // A position in which the game has ended is not ongoing.
        let goes_on = |slice, planes: &mut [u8]| {
            if plane_kind == PlaneKind::Reached {
                marks::clear_ended(&Part::backwards(rules, cut, slice), values_mut(planes));
            }
        };
        let Some(fold) = &plan.fold else {
            let mut slices = slices.to_vec();
            if plane_kind != PlaneKind::Reached {
                let mut left = Vec::new();
                for slice in slices {
                    let rank = plan.rank_of(slice);
                    match store.view(plane_kind, rank).map_err(Stop::of(plane_kind, rank))? {
                        Some(view) => resident.show(slice, view),
                        None => left.push(slice),
                    }
                }
                slices = left;
            }
            return resident.load(&slices, bytes, |slice, planes| {
                load(slice, planes)?;
                goes_on(slice, planes);
                Ok::<_, Stop>(())
            });
        };
        for &slice in slices {
            let (stored, element) = fold.image(cut.upper(), slice);
            let way = |back| Way::new(element, back, cut.cells(), rules.modes().len());
            // It is faster to permute a slice of the same symmetry class in memory than to decompress the representative.
            let sibling = resident.find(|sibling| fold.image(cut.upper(), sibling).0 == stored);
            let mut buffer = resident.allocate(bytes)?;
            if let Some(sibling) = sibling {
                let way = way(Some(fold.image(cut.upper(), sibling).1));
                self.make_image(plane_kind, &way, resident.bytes(sibling), buffer.0.bytes_mut());
            } else {
                load(stored, buffer.0.bytes_mut())?;
                if !element.moves_nothing() {
                    let before = std::mem::replace(&mut buffer, resident.allocate(bytes)?);
                    self.make_image(plane_kind, &way(None), before.bytes(), buffer.0.bytes_mut());
                    resident.retire(Arc::new(before));
                }
                goes_on(slice, buffer.0.bytes_mut());
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
        let cut = self.plan.cut;
        let part = match plane_kind {
            PlaneKind::Reached => Part::backwards(self.rules, cut, slice),
            PlaneKind::Label(_) => Part::new(self.rules, cut, slice),
        };
        let others: Vec<&[u8]> = part.others.iter().map(|&other| resident.bytes(other)).collect();
        let blocks: Vec<_> = others.iter().map(|other| values(other)).collect();
        match (plane_kind, ongoing) {
            (PlaneKind::Reached, Some(ongoing)) => {
                let starts = starts_in(&self.starts, &self.plan.layout, cut, slice);
                own.0.bytes_mut().fill(0);
                ongoing.0.bytes_mut().fill(0);
                mark_part(&part, &starts, self.unit, own.0.values_mut(), ongoing.0.values_mut(), &blocks, meter)
            }
            (PlaneKind::Label(LabelKind::Outcome) | PlaneKind::Reached, _) => {
                sweep(&part, self.unit, own.0.values_mut(), &blocks, meter)
            }
            (PlaneKind::Label(kind), _) => bytes::sweep(&part, kind, self.unit, own.0.bytes_mut(), &others, meter),
        }?;
        ControlFlow::Continue(!part.ends.is_empty())
    }

    fn count(&self, plane_kind: PlaneKind, _: u64, bytes: &[u8], among: Option<(PlaneKind, &[u8])>) -> Vec<u64> {
        let never = |_: BlockFault| -> Vec<u64> { unreachable!("memory is not compressed") };
        let of = |counts: Result<Vec<Counts>, BlockFault>| {
            counts.unwrap_or_else(|_| unreachable!("memory is not compressed"))
        };
        let made = || unreachable!("the memory was made for the shape");
        let planes =
            |plane_kind, bytes| Planes::new(self.plan.shape(self.rules, plane_kind), bytes).unwrap_or_else(made);
        match (plane_kind, among) {
            (PlaneKind::Label(LabelKind::Outcome) | PlaneKind::Reached, None) => {
                figures(of(planes(plane_kind, bytes).counts()))
            }
            (PlaneKind::Label(_), None) => codes(bytes.into(), 0).unwrap_or_else(never),
            (PlaneKind::Reached, Some((other, outcomes))) => {
                figures(of(planes(other, outcomes).counts_among(&planes(plane_kind, bytes))))
            }
            (PlaneKind::Label(_), Some((other, marks))) => {
                codes_among(bytes.into(), &planes(other, marks)).unwrap_or_else(never)
            }
        }
    }

    /// The tally of a plane kind over all slices.
    fn total(&self, store: &dyn SliceStore, plane_kind: PlaneKind) -> Vec<u64> {
        let fold = self.plan.fold.as_ref();
        let ends = fold.map(|fold| {
            let (classes, more) = (fold.slice_classes(), self.plan.cut.upper() - fold.slice_cells());
            (classes, (1..=classes.stored().len() as u64).map(|rank| rank << more).collect::<Vec<u64>>())
        });
        let orbits = ends.as_ref().map(|(classes, ends)| (*classes, ends.as_slice()));
        slices::total(store, plane_kind, self.plan.slices(), orbits)
    }
}
