//! How long the sweeps of colourings will take: some regions are swept, with nothing in the others.

use std::time::{Duration, Instant};

use super::super::area::{Area, Cut};
use super::super::plan::Plan;
use super::super::sweep::{Base, Sweep};
use super::super::{bytes, run};
use super::crossings::Crossings;
use super::plan::ColouredTask;
use crate::label::LabelKind;
use crate::solve::SolveError;
use crate::solve::dense::Kernel;
use crate::solve::memory::Memory;
use crate::solve::progress::{Meter, Phase};

/// Most positions of an ordinary region of which outcomes are sampled, and of one of which labels of a byte are: some milliseconds.
const POSITIONS: u64 = 1 << 26;
const BYTE_POSITIONS: u64 = 1 << 22;
/// Most top squares. Regions that are smaller than those of a build are slower; but larger ones would take too much memory.
const MOST_TOP: u32 = 22;
/// How many regions are swept, one of them before the clock runs; fewer if they have taken this long.
const SAMPLES: usize = 7;
const ENOUGH: Duration = Duration::from_millis(150);

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
    // Of the three states of a pair, two are occupied.
    let ordinary = |top: u32| frame.count_with(frame.size() - top, (1 << (2 * top / 3)) - 1);
    let top = frame.size().min(MOST_TOP);
    let top = (0..top).find(|&top| ordinary(top) <= most).unwrap_or(top);
    let cut = Cut::new(frame.size(), top);
    let mut random = fastrand::Rng::with_seed(top.into());
    let mut drawn = || {
        let occupied = (cut.below()..frame.size()).filter(|square| match frame.pairs() >> square & 1 {
            1 => random.u8(..3) > 0,
            _ => random.bool(),
        });
        occupied.fold(0, |region, square| region | 1 << (square - cut.below()))
    };
    let drawn: Vec<u64> = (0..SAMPLES).map(|_| drawn()).collect();
    let words = |region: u64| {
        let words = cut.words(frame, region);
        (words.start as usize, (words.end - words.start) as usize)
    };
    let planes = u64::from(frame.slots()) * (1 + u64::from(plan.draws));
    let word_bytes = if kind == LabelKind::Outcome { 8 * planes } else { 64 * u64::from(frame.slots()) };
    let bytes_of = |region: u64| words(region).1 as u64 * word_bytes;
    let crossings = Crossings::new(&plan, cut);
    let needed: Vec<Vec<u64>> = drawn.iter().map(|&region| crossings.needed(region, false)).collect();
    let largest = |regions: &mut dyn Iterator<Item = &u64>| regions.map(|&region| bytes_of(region)).max().unwrap_or(0);
    // Whatever is in the others: it takes as long to read.
    let mut own = Memory::new(largest(&mut drawn.iter()).max(1), None)?;
    let mut other = Memory::new(largest(&mut needed.iter().flatten()).max(1), None)?;
    let [own, other] = [&mut own, &mut other].map(|memory| memory.bytes_mut().as_mut_ptr());
    let meter = Meter::new(None, Phase::Sweep, None);
    let (mut time, mut positions) = (Duration::ZERO, 0);
    for (sample, (&region, needed)) in drawn.iter().zip(&needed).enumerate() {
        let area = Area::of(frame, cut, region);
        let with = |number: u64| (number, if number == region { own } else { other }, words(number));
        let bases_of = needed.iter().chain([&region]).map(|&number| with(number));
        let begun;
        if kind == LabelKind::Outcome {
            let mut bases = vec![Base::NONE; cut.regions() as usize];
            for (number, at, (first, words)) in bases_of {
                bases[number as usize] = Base::of_outcomes(at.cast(), first, words);
            }
            // SAFETY: the memory is of this function's own, and has room for each of these regions.
            let sweep = unsafe { Sweep::new(&plan, frame, area, &bases) };
            begun = Instant::now();
            let _ = run::label(&sweep, ready, &meter);
        } else {
            let mut bases = vec![bytes::Base::NONE; cut.regions() as usize];
            for (number, at, (first, words)) in bases_of {
                bases[number as usize] = bytes::Base::new(at, first, words);
            }
            begun = Instant::now();
            // SAFETY: as above.
            let _ = unsafe { bytes::sweep(&plan, frame, kind, area, &bases, &meter) };
        }
        // The first touches the memory and wakes the threads.
        if sample > 0 || top == 0 {
            time += begun.elapsed();
            positions += frame.count_with(cut.below(), region);
        }
        if time > ENOUGH {
            break;
        }
    }
    let all = frame.count().unwrap_or(u64::MAX) as f64;
    Ok(time.mul_f64(all / (positions as f64).max(1.0)))
}
