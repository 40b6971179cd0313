//! Labels of one byte or two of every colouring: remoteness, nimbers and scores.
//!
//! The sweep is the sweep of outcomes, with a code for each colouring in place of a bit. A *line* is 64 colourings that follow each other:
//! one vector of codes. Each set has whole lines; of a set with fewer than six two-colour squares, one line has colourings and padding.
//!
//! - `kernel`: one set, written over [`simd`](crate::simd) and [`algebra`](crate::algebra). `here`: moves and patterns in one set.

mod here;
mod kernel;

use std::ops::{ControlFlow, Range};
use std::time::Duration;

use super::plan::Plan;
use super::set_order::{Cut, SetOrder, SetPart};
use super::sweep::{Bases, SlicePlanes, Sweep};
use crate::algebra::{Algebra, with_algebra};
use crate::colourings::{ColouredShape, Frame};
use crate::label::{ByLabel, LabelKind, LabelSet};
use crate::labelled::Buffer;
use crate::memory::{Memory, Plain, values, values_mut};
use crate::progress::{Meter, Phase};
use crate::simd::{Line, Unit, VectorUnit, Work};
use crate::{Direction, SolveError, Watch, timed};
use kernel::LineKernel;

/// Colourings between two progress reports.
const REPORT: u64 = 1 << 22;

/// Solves each of `labels` but the outcome. Returns their planes and the time of the sweeps. With the codes of one of the labels,
/// `outcomes` are written, if it has a label and planes.
pub(super) fn solve(
    plan: &Plan,
    frame: &Frame,
    labels: LabelSet,
    unit: VectorUnit,
    mut outcomes: Option<(LabelKind, &mut Memory)>,
    progress: Option<Watch<'_>>,
) -> Result<(ByLabel<Buffer>, Duration), SolveError> {
    let shape = ColouredShape::of_words(frame.all_words(), plan.draws);
    let (mut columns, mut time) = (ByLabel::NONE, Duration::ZERO);
    for kind in labels.others() {
        let mut memory = Memory::new(shape.label_bytes(plan.width(kind)).unwrap_or(u64::MAX), progress)?;
        time += timed(progress, Phase::of_label(kind), frame.count(), |meter| {
            let outcomes = outcomes.as_mut().filter(|(source, _)| *source == kind);
            let outcomes = outcomes.map(|(_, memory)| memory.values_mut());
            let (order, own) = (SetOrder::of(frame, &Cut::whole(frame), 0), memory.bytes_mut());
            let slice = CodeSlice { plan, frame, order, own, others: Vec::new(), bases: &mut Bases::new(1) };
            Ok(sweep(slice, kind, unit, outcomes, meter))
        })?;
        columns.set(kind, Some(Buffer::Pages(memory)));
    }
    Ok((columns, time))
}

/// A slice to be labelled, and the slices that it depends on.
pub(super) struct CodeSlice<'a> {
    pub(super) plan: &'a Plan,
    pub(super) frame: &'a Frame,
    pub(super) order: SetOrder,
    /// The planes of the slice.
    pub(super) own: &'a mut [u8],
    /// The other slices, with their planes.
    pub(super) others: Vec<(u64, &'a [u8])>,
    pub(super) bases: &'a mut Bases,
}

/// Labels every colouring of every set of `slice` with `kind`, on all cores of the current rayon pool. `outcomes` are planes of outcomes of
/// the same sets, which are written as well if the label tells them.
///
/// # Panics
/// If some planes are not large enough for their slice, or are not aligned to a line.
pub(super) fn sweep(
    slice: CodeSlice<'_>,
    kind: LabelKind,
    unit: VectorUnit,
    outcomes: Option<&mut [u64]>,
    meter: &Meter<'_>,
) -> ControlFlow<()> {
    let Plan { draws, scores, .. } = *slice.plan;
    with_algebra!(kind, draws, scores, A => sweep_with::<<A as Algebra>::Widest>(slice, unit, outcomes, meter))
}

fn sweep_with<A: Algebra>(
    slice: CodeSlice<'_>,
    unit: VectorUnit,
    outcomes: Option<&mut [u64]>,
    meter: &Meter<'_>,
) -> ControlFlow<()>
where
    Line<A::Code>: Plain,
{
    let CodeSlice { plan, frame, order, own, others, bases } = slice;
    let others: Vec<_> = others.into_iter().map(|(other, planes)| (other, values(planes))).collect();
    let sweep: Sweep<'_, Line<A::Code>> = Sweep::of_slice(plan, frame, order, 1, values_mut(own), &others, bases);
    let outcomes = outcomes.map(|words| sweep.beside(words, plan.outcome_planes()));
    sweep.order.levels(Direction::Down, |first| {
        sweep.order.shares(frame, first, Direction::Down, |sets, part| {
            // SAFETY: `levels` and `shares` give each share to one thread, after all larger sets, to which moves lead.
            unit.run_on_bytes(unsafe { Share::<A>::new(&sweep, outcomes, first, sets, part, meter) })
        })
    })
}

/// Sets that one thread labels one after the other, or a part of one of them.
struct Share<'a, A: Algebra> {
    sweep: &'a Sweep<'a, Line<A::Code>>,
    /// Planes of outcomes, if they are written with the codes.
    outcomes: Option<SlicePlanes<*mut u64>>,
    /// The first set of the group.
    first: u64,
    /// The numbers of the sets in the order of the sweep.
    sets: Range<usize>,
    part: SetPart,
    meter: &'a Meter<'a>,
}

impl<'a, A: Algebra> Share<'a, A> {
    /// # Safety
    /// As long as this exists, no other thread touches this part of these sets. All larger sets are labelled, and no thread writes them.
    const unsafe fn new(
        sweep: &'a Sweep<'a, Line<A::Code>>,
        outcomes: Option<SlicePlanes<*mut u64>>,
        first: u64,
        sets: Range<usize>,
        part: SetPart,
        meter: &'a Meter<'a>,
    ) -> Self {
        Self { sweep, outcomes, first, sets, part, meter }
    }
}

impl<A: Algebra> Work for Share<'_, A> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> ControlFlow<()> {
        let Self { sweep, outcomes, first, sets, part, meter } = self;
        // SAFETY: the sets below are of this share, and the caller of `new` promised the rest.
        let mut kernel = unsafe { LineKernel::<U, A>::new(sweep, outcomes, part, unit) };
        let mut done = 0;
        for set in sweep.order.sets(first, Direction::Down, sets) {
            for (slot, mode) in sweep.frame.modes_at(set.count_ones()).iter().enumerate() {
                kernel.label(set, slot, usize::from(mode.0));
                done += 1 << sweep.frame.coloured(set) >> part.log;
            }
            if done >= REPORT {
                meter.add(std::mem::take(&mut done))?;
            }
        }
        meter.add(done)
    }
}
