//! Estimates of the time of the sweeps of colourings: some slices are swept, with empty slices as successors.

use std::time::{Duration, Instant};

use super::super::plan::Plan;
use super::super::set_order::{Cut, SetOrder};
use super::super::sweep::{Base, Sweep};
use super::super::{bytes, run};
use super::space::{dependencies, tops};
use crate::SolveError;
use crate::colourings::Frame;
use crate::label::LabelKind;
use crate::memory::Memory;
use crate::progress::{Meter, Phase};
use crate::simd::Kernel;

/// The most positions of an average slice to sample, for outcomes and for labels of a byte: a few milliseconds each.
const POSITIONS: u64 = 1 << 26;
const BYTE_POSITIONS: u64 = 1 << 22;
/// The most slices to cut. Slices smaller than in a build would take longer for each colouring, but larger ones too
/// much memory.
const MOST_SLICES: u128 = 1 << 22;
/// The number of slices to sweep, one of them to warm up. Fewer are swept if they take [`ENOUGH`] time.
const SAMPLES: usize = 7;
const ENOUGH: Duration = Duration::from_millis(150);

/// The approximate time to sweep `kind` of all colourings of `frame`, whose moves are in `plan`, on the current rayon
/// pool.
///
/// # Errors
/// If the kernel is not available, or there is no memory for a few slices.
pub(crate) fn sweep_time(plan: &Plan, frame: &Frame, kind: LabelKind, kernel: Kernel) -> Result<Duration, SolveError> {
    let unit = kernel.unit()?;
    let most = if kind == LabelKind::Outcome { POSITIONS } else { BYTE_POSITIONS };
    let all = frame.count().unwrap_or(u64::MAX);
    // A slice is drawn as often as it has positions.
    let drawn = |top: u32| {
        let mut random = fastrand::Rng::with_seed(top.into());
        let draws = (0..SAMPLES).map(move |_| frame.unrank(random.u64(..all)).map_or(0, |place| place.set));
        draws.map(move |set| set >> (frame.size() - top)).collect::<Vec<u64>>()
    };
    let ordinary = |top: u32| {
        let positions = drawn(top).into_iter().map(|slice| frame.count_with(frame.size() - top, slice));
        positions.sum::<u64>() / SAMPLES as u64
    };
    let tops = tops(frame, MOST_SLICES);
    let top = tops.clone().find(|&top| ordinary(top) <= most).or(tops.max()).unwrap_or(0);
    let (cut, drawn) = (Cut::new(frame, top), drawn(top));
    let words = |slice: u64| {
        let words = cut.words(frame, slice);
        (words.start as usize, (words.end - words.start) as usize)
    };
    let planes = u64::from(frame.slots()) * (1 + u64::from(plan.draws));
    let word_bytes = if kind == LabelKind::Outcome { 8 * planes } else { 64 * u64::from(frame.slots()) };
    let bytes_of = |slice: u64| words(slice).1 as u64 * word_bytes;
    let dependencies = dependencies(plan, &cut);
    let needed: Vec<Vec<u64>> = drawn.iter().map(|&slice| dependencies.needed(slice, false)).collect();
    let largest = |slices: &mut dyn Iterator<Item = &u64>| slices.map(|&slice| bytes_of(slice)).max().unwrap_or(0);
    // The content of other slices does not matter: it takes the same time to read.
    let mut own = Memory::new(largest(&mut drawn.iter()).max(1), None)?;
    let mut other = Memory::new(largest(&mut needed.iter().flatten()).max(1), None)?;
    let [own, other] = [&mut own, &mut other].map(|memory| memory.bytes_mut().as_mut_ptr());
    let meter = Meter::new(None, Phase::Sweep, None);
    let (mut time, mut positions) = (Duration::ZERO, 0);
    for (sample, (&slice, needed)) in drawn.iter().zip(&needed).enumerate() {
        let order = SetOrder::of(frame, &cut, slice);
        let with = |number: u64| (number, if number == slice { own } else { other }, words(number));
        let bases_of = needed.iter().chain([&slice]).map(|&number| with(number));
        let begun;
        if kind == LabelKind::Outcome {
            let mut bases = vec![Base::NONE; cut.slices()];
            for (number, at, (first, words)) in bases_of {
                bases[cut.number(number)] = Base::of_outcomes(at.cast(), first, words);
            }
            // SAFETY: the memory is of this function's own, and has capacity for each of these slices.
            let sweep = unsafe { Sweep::new(plan, frame, order, &bases) };
            begun = Instant::now();
            let _ = run::label(&sweep, unit, &meter);
        } else {
            let mut bases = vec![bytes::Base::NONE; cut.slices()];
            for (number, at, (first, words)) in bases_of {
                bases[cut.number(number)] = bytes::Base::new(at, first, words);
            }
            begun = Instant::now();
            // SAFETY: as above.
            let _ = unsafe { bytes::sweep(plan, frame, kind, order, &bases, &meter) };
        }
        // The first touches the memory and wakes the threads.
        if sample > 0 || top == 0 {
            time += begun.elapsed();
            positions += frame.count_with(cut.below(), slice);
        }
        if time > ENOUGH {
            break;
        }
    }
    Ok(time.mul_f64(all as f64 / (positions as f64).max(1.0)))
}
