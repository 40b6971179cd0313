//! Every (mode, board) of a game, slice by slice ([`crate::slices`]).
//!
//! The kernels that sweep a whole game also sweep a slice; only the addresses of successors differ ([`part`](super::part)).
//!
//! - `space`: the slices, the other slices that each depends on, and their size.
//! - `folding`: the choice of slices up to symmetry. `image`: a slice as the image of another.
//! - `sample`: an estimate of the time of a sweep.

mod folding;
mod image;
mod sample;
mod space;

use std::collections::HashMap;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::part::Part;
use super::{bytes, mark_part, outcomes_of, reachability, starts_in, sweep};
use crate::compressed::BlockFault;
use crate::contents::{LabelForm, codes_among};
use crate::label::figures;
use crate::label::{Counts, LabelKind, Width};
use crate::memory::{values, values_mut};
use crate::plane::Planes;
use crate::progress::Meter;
use crate::rules::{Position, Rules};
use crate::simd::{Kernel, VectorUnit};
use crate::slices::{
    self, PlaneKind, ResidentSlices, SliceBuffer, SliceOptions, SlicePlan, SliceStore, SliceSweep, Swept,
};
use crate::{Method, SolveError, check_method, check_roots};
pub use folding::{fold, fold_untried};
use image::{Image, ImageWay};
pub(crate) use sample::sweep_time;
pub(crate) use space::BoardSlices;

/// Solves `rules` by `slices` of `plan`, as [`SlicePlan::solve`].
pub(crate) fn solve_by_slices(
    rules: &Rules,
    plan: &SlicePlan,
    slices: &BoardSlices,
    options: &SliceOptions<'_>,
    store: &dyn SliceStore,
) -> Result<Swept, SolveError> {
    check_method(rules, Method::Dense)?;
    check_roots(rules, options.roots)?;
    let kernel = options.kernel.unwrap_or_else(Kernel::best);
    let (starts, rules) = (rules.starts_and(options.roots), &slices.layout.apply(rules));
    let mut boards = BoardSweep { rules, slices, starts, unit: kernel.unit()?, images: HashMap::new() };
    slices::solve(plan, &mut boards, kernel, options.progress, store)
}

/// Every board, slice by slice.
struct BoardSweep<'w> {
    /// The rules in the order of the layout: boards are indices.
    rules: &'w Rules,
    slices: &'w BoardSlices,
    /// The roots, as positions of the game.
    starts: Vec<Position>,
    unit: VectorUnit,
    /// The permutations of planes that symmetries have needed so far.
    images: HashMap<Vec<u8>, Image>,
}

impl BoardSweep<'_> {
    fn form(&self, kind: LabelKind) -> LabelForm {
        LabelForm::of_rules(kind, self.rules)
    }
}

impl SliceSweep for BoardSweep<'_> {
    /// A position in which the game has ended is not ongoing.
    fn clear_ended(&mut self, loaded: &mut [(u64, SliceBuffer)]) {
        loaded.par_iter_mut().for_each(|(slice, planes)| {
            let part = Part::backwards(self.rules, self.slices.cut, *slice);
            reachability::clear_ended(&part, planes.0.values_mut());
        });
    }

    fn make_image(&mut self, plane_kind: PlaneKind, slice: u64, other: u64, there: &[u8], planes: &mut [u8]) {
        let BoardSlices { fold: Some(fold), cut, .. } = self.slices else { unreachable!("images are of symmetries") };
        let [element, back] = [slice, other].map(|slice| fold.image(cut.upper(), slice).1);
        let way = ImageWay::new(element, back, cut.cells(), self.rules.modes().len());
        let shape = self.slices.shape(plane_kind);
        // Indices of bits have more low bits, which stay in place: the bits of a label in bytes stay together.
        let of_label = match shape.width() {
            Width::One | Width::Two => 0,
            width => width.bits().trailing_zeros() as u8,
        };
        let to: Vec<u8> = (0..of_label).chain(way.places.iter().map(|&to| to + of_label)).collect();
        let image = self.images.entry(to).or_insert_with_key(|to| Image::new(to));
        let plane = (there.len() / shape.planes() as usize) / size_of::<u64>();
        let (there, planes) = (values::<u64>(there), values_mut::<u64>(planes));
        for (number, plane_of) in planes.chunks_mut(plane).enumerate() {
            let a_mode = shape.planes_a_mode() as usize;
            let from = usize::from(way.modes[number / a_mode].0) * a_mode + number % a_mode;
            image.copy(&there[from * plane..(from + 1) * plane], plane_of);
        }
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
        let cut = self.slices.cut;
        let part = match plane_kind {
            PlaneKind::Reached => Part::backwards(self.rules, cut, slice),
            PlaneKind::Outcomes | PlaneKind::Label(_) => Part::new(self.rules, cut, slice),
        };
        let others: Vec<&[u8]> = part.others.iter().map(|&other| resident.bytes(other)).collect();
        let blocks: Vec<_> = others.iter().map(|other| values(other)).collect();
        match (plane_kind, ongoing) {
            (PlaneKind::Reached, Some(ongoing)) => {
                let starts = starts_in(&self.starts, &self.slices.layout, cut, slice);
                own.0.bytes_mut().fill(0);
                ongoing.0.bytes_mut().fill(0);
                mark_part(&part, &starts, self.unit, own.0.values_mut(), ongoing.0.values_mut(), &blocks, meter)
            }
            (PlaneKind::Outcomes | PlaneKind::Reached, _) => {
                sweep(&part, self.unit, own.0.values_mut(), &blocks, meter)
            }
            (PlaneKind::Label(kind), _) => {
                bytes::sweep(&part, kind, self.unit, own.0.bytes_mut(), &others, None, meter)
            }
        }?;
        ControlFlow::Continue(!part.ends.is_empty())
    }

    fn derive_outcomes(&self, _: u64, scores: &[u8], outcomes: &mut [u8]) {
        outcomes_of(self.rules, self.slices.cut.cells(), scores, self.unit, outcomes);
    }

    fn count(&self, plane_kind: PlaneKind, _: u64, bytes: &[u8], among: Option<(PlaneKind, &[u8])>) -> Vec<u64> {
        let never = |_: BlockFault| -> Vec<u64> { unreachable!("memory is not compressed") };
        let of = |counts: Result<Vec<Counts>, BlockFault>| {
            counts.unwrap_or_else(|_| unreachable!("memory is not compressed"))
        };
        let made = || unreachable!("the memory was made for the shape");
        let planes = |plane_kind, bytes| Planes::new(self.slices.shape(plane_kind), bytes).unwrap_or_else(made);
        match (plane_kind, among) {
            (PlaneKind::Outcomes, Some((other, marks))) => {
                let (planes, marks) = (planes(plane_kind, bytes), planes(other, marks));
                figures(of(planes.counts()).into_iter().chain(of(planes.counts_among(&marks))))
            }
            (PlaneKind::Outcomes | PlaneKind::Reached, None) => figures(of(planes(plane_kind, bytes).counts())),
            (PlaneKind::Label(kind), None) => self.form(kind).counts(bytes.into(), 0).unwrap_or_else(never),
            (PlaneKind::Reached, Some((other, outcomes))) => {
                figures(of(planes(other, outcomes).counts_among(&planes(plane_kind, bytes))))
            }
            (PlaneKind::Label(kind), Some((other, marks))) => {
                codes_among(bytes.into(), &planes(other, marks), self.form(kind)).unwrap_or_else(never)
            }
        }
    }
}
