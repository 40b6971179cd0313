//! Labels of one byte of every colouring: remoteness, nimbers and scores.
//!
//! The sweep is the sweep of outcomes, with a byte for each colouring in place of a bit. A *line* is 64 colourings that follow each other:
//! one vector of bytes. Each set has whole lines; of a set with fewer than six two-colour squares, one line has colourings and padding.
//!
//! - `kernel`: one set, written over [`simd`](crate::simd) and [`algebra`](crate::algebra). `here`: moves and patterns in one set.

mod here;
mod kernel;

use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};
use std::time::Duration;

use super::plan::Plan;
use super::set_order::SetPart;
use super::sweep::{Bases, SlicePlanes, Sweep};
use crate::algebra::{Algebra, Lanes};
use crate::colourings::{ColouredShape, Frame};
use crate::label::{ByLabel, LabelKind, LabelSet};
use crate::labelled::Buffer;
use crate::memory::Memory;
use crate::progress::{Meter, Phase};
use crate::simd::{Bytes, Line, Unit, VectorUnit, Work};
use crate::{Direction, SolveError, Watch, timed};
use kernel::LineKernel;
use tablegen_labels::with_byte_label;

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
    let bytes = ColouredShape::of_words(frame.all_words(), plan.draws).byte_bytes().unwrap_or(u64::MAX);
    let (mut columns, mut time) = (ByLabel::NONE, Duration::ZERO);
    for kind in labels.others() {
        let (mut memory, mut bases) = (Memory::new(bytes, progress)?, Bases::new(1));
        time += timed(progress, Phase::of_label(kind), frame.count(), |meter| {
            let outcomes = outcomes.as_mut().filter(|(source, _)| *source == kind);
            let outcomes = outcomes.map(|(_, memory)| memory.values_mut());
            Ok(sweep(&Sweep::whole(plan, frame, 1, memory.values_mut(), &mut bases), kind, unit, outcomes, meter))
        })?;
        columns.set(kind, Some(Buffer::Pages(memory)));
    }
    Ok((columns, time))
}

/// Labels every colouring of every set of `sweep` with `kind`, on all cores of the current rayon pool. `outcomes` are planes of outcomes of
/// the same sets, which are written as well if the label tells them.
pub(super) fn sweep<'a>(
    sweep: &Sweep<'a, Line>,
    kind: LabelKind,
    unit: VectorUnit,
    outcomes: Option<&'a mut [u64]>,
    meter: &Meter<'_>,
) -> ControlFlow<()> {
    let sweep_with = with_byte_label!(kind, L => match sweep.plan.draws {
        true => sweep_with::<<<L as Lanes>::WithDraws as Algebra>::Widest>,
        false => sweep_with::<<<L as Lanes>::WithoutDraws as Algebra>::Widest>,
    });
    let outcomes = outcomes.map(|words| sweep.beside(words, sweep.plan.outcome_planes()));
    sweep_with(sweep, outcomes, unit, meter)
}

fn sweep_with<A: Algebra>(
    sweep: &Sweep<'_, Line>,
    outcomes: Option<SlicePlanes<*mut u64>>,
    unit: VectorUnit,
    meter: &Meter<'_>,
) -> ControlFlow<()> {
    sweep.order.levels(Direction::Down, |first| {
        sweep.order.shares(sweep.frame, first, Direction::Down, |sets, part| {
            // SAFETY: `levels` and `shares` give each share to one thread, after all larger sets, to which moves lead.
            unit.run_on_bytes(unsafe { Share::<A>::new(sweep, outcomes, first, sets, part, meter) })
        })
    })
}

/// Sets that one thread labels one after the other, or a part of one of them.
struct Share<'a, A> {
    sweep: &'a Sweep<'a, Line>,
    /// Planes of outcomes, if they are written with the codes.
    outcomes: Option<SlicePlanes<*mut u64>>,
    /// The first set of the group.
    first: u64,
    /// The numbers of the sets in the order of the sweep.
    sets: Range<usize>,
    part: SetPart,
    meter: &'a Meter<'a>,
    label: PhantomData<A>,
}

impl<'a, A: Algebra> Share<'a, A> {
    /// # Safety
    /// As long as this exists, no other thread touches this part of these sets. All larger sets are labelled, and no thread writes them.
    const unsafe fn new(
        sweep: &'a Sweep<'a, Line>,
        outcomes: Option<SlicePlanes<*mut u64>>,
        first: u64,
        sets: Range<usize>,
        part: SetPart,
        meter: &'a Meter<'a>,
    ) -> Self {
        Self { sweep, outcomes, first, sets, part, meter, label: PhantomData }
    }

    #[inline(always)]
    fn run_with<V: Bytes>(self, token: V::Token) -> ControlFlow<()> {
        let Self { sweep, outcomes, first, sets, part, meter, .. } = self;
        // SAFETY: the sets below are of this share, and the caller of `new` promised the rest.
        let mut kernel = unsafe { LineKernel::<V, A>::new(sweep, outcomes, part, token) };
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

impl<A: Algebra> Work for Share<'_, A> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> ControlFlow<()> {
        self.run_with::<U::Bytes>(unit.bytes())
    }
}
