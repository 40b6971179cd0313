//! How long the sweeps of colourings will take: some regions are swept, with nothing in the others.

use std::time::{Duration, Instant};

use super::super::area::{Area, Cut};
use super::super::plan::Plan;
use super::super::sweep::{Base, Sweep};
use super::super::{bytes, run};
use super::plan::ColouredTask;
use crate::label::LabelKind;
use crate::solve::SolveError;
use crate::solve::dense::Kernel;
use crate::solve::memory::Memory;
use crate::solve::progress::{Meter, Phase};

/// Most positions of a region of which outcomes are sampled, and of one of which labels of a byte are: some milliseconds.
const POSITIONS: u64 = 1 << 26;
const BYTE_POSITIONS: u64 = 1 << 22;
/// How many regions are swept.
const SAMPLES: u64 = 6;

/// About how long it takes on the current rayon pool to sweep the labels of every colouring of `task`, and what play reaches, which
/// takes about as long as the outcomes.
///
/// # Errors
/// If the kernel is not available, or there is no memory for a few regions.
pub fn colourings_time(task: &ColouredTask<'_>, kernel: Option<Kernel>) -> Result<Duration, SolveError> {
    let marks = LabelKind::Outcome;
    let all = task.labels.iter().chain([marks]);
    all.map(|kind| sampled(task, kind, kernel.unwrap_or_else(Kernel::best))).sum()
}

/// About how long it takes to sweep `kind`.
fn sampled(task: &ColouredTask<'_>, kind: LabelKind, kernel: Kernel) -> Result<Duration, SolveError> {
    let (frame, plan, ready) = (task.frame, Plan::new(task.rules, task.frame), kernel.ready()?);
    let most = if kind == LabelKind::Outcome { POSITIONS } else { BYTE_POSITIONS };
    let largest = |top: u32| frame.count_with(frame.size() - top, (1 << top) - 1);
    // More regions than can be looked through would be no better.
    let top = (0..=frame.size().min(20)).find(|&top| largest(top) <= most).unwrap_or(frame.size().min(20));
    let cut = Cut::new(frame.size(), top);
    let words = |region: u64| {
        let words = cut.words(frame, region);
        (words.start as usize, (words.end - words.start) as usize)
    };
    let (_, most_words) = words(cut.regions() - 1);
    let planes = u64::from(frame.slots()) * (1 + u64::from(plan.draws));
    let bytes = most_words as u64 * if kind == LabelKind::Outcome { 8 * planes } else { 64 * u64::from(frame.slots()) };
    // Whatever is in the others: it takes as long to read.
    let (mut own, mut other) = (Memory::new(bytes, None)?, Memory::new(bytes, None)?);
    let [own, other] = [&mut own, &mut other].map(|memory| memory.bytes_mut().as_mut_ptr());
    let meter = Meter::new(None, Phase::Sweep, None);
    let mut random = fastrand::Rng::with_seed(top.into());
    let (mut time, mut positions) = (Duration::ZERO, 0);
    for sample in 0..=SAMPLES {
        // As often as they have positions: of the three states of a pair, two are occupied.
        let occupied = (cut.below()..frame.size()).filter(|square| match frame.pairs() >> square & 1 {
            1 => random.u8(..3) > 0,
            _ => random.bool(),
        });
        let region = occupied.fold(0, |region, square| region | 1 << (square - cut.below()));
        let at = |number: u64| if number == region { own } else { other };
        let area = Area::of(frame, cut, region);
        let begun = Instant::now();
        // SAFETY: the memory is of this function's own, and has room for the largest region.
        let _ = unsafe {
            if kind == LabelKind::Outcome {
                let base = |number: u64| Base::of_outcomes(at(number).cast(), words(number).0, words(number).1);
                let bases: Vec<Base> = (0..cut.regions()).map(base).collect();
                run::label(&Sweep::new(&plan, frame, area, &bases), ready, &meter)
            } else {
                let base = |number: u64| bytes::Base::new(at(number), words(number).0, words(number).1);
                let bases: Vec<bytes::Base> = (0..cut.regions()).map(base).collect();
                bytes::sweep(&plan, frame, kind, area, &bases, &meter)
            }
        };
        // The first touches the memory and wakes the threads.
        if sample > 0 {
            time += begun.elapsed();
            positions += frame.count_with(cut.below(), region);
        }
    }
    let all = frame.count().unwrap_or(u64::MAX) as f64;
    Ok(time.mul_f64(all / (positions as f64).max(1.0)))
}
