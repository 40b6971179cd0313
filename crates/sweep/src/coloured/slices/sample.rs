//! Estimates of the time of the sweeps of colourings: some slices are swept, with empty slices as successors.

use std::time::{Duration, Instant};

use super::super::plan::Plan;
use super::super::set_order::{Cut, SetOrder};
use super::super::sweep::{Bases, Sweep};
use super::super::{bytes, run};
use super::space::{dependencies, tops};
use crate::SolveError;
use crate::colourings::Frame;
use crate::label::LabelKind;
use crate::memory::{Memory, values, values_mut};
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
    let planes = if kind == LabelKind::Outcome { plan.outcome_planes() } else { 1 };
    let bits = if kind == LabelKind::Outcome { 1 } else { plan.width(kind).bits() as usize };
    let word_bytes = 8 * bits * frame.slots() as usize * planes;
    let bytes_of = |slice: u64| {
        let words = cut.words(frame, slice);
        (words.end - words.start) as usize * word_bytes
    };
    let dependencies = dependencies(plan, &cut);
    let possible = |slice: u64| dependencies.needed(slice, false).into_iter().filter(|&other| cut.has(other)).collect();
    let needed: Vec<Vec<u64>> = drawn.iter().map(|&slice| possible(slice)).collect();
    let largest =
        |slices: &mut dyn Iterator<Item = &u64>| slices.map(|&slice| bytes_of(slice) as u64).max().unwrap_or(0);
    // The content of other slices does not matter: it takes the same time to read.
    let mut own = Memory::new(largest(&mut drawn.iter()).max(1), None)?;
    let other = Memory::new(largest(&mut needed.iter().flatten()).max(1), None)?;
    let mut bases = Bases::new(cut.slices());
    let meter = Meter::new(None, Phase::Sweep, None);
    let (mut time, mut positions) = (Duration::ZERO, 0);
    for (sample, (&slice, needed)) in drawn.iter().zip(&needed).enumerate() {
        let own = &mut own.bytes_mut()[..bytes_of(slice)];
        let others = needed.iter().map(|&number| (number, &other.bytes()[..bytes_of(number)]));
        let order = SetOrder::of(frame, &cut, slice);
        let begun;
        if kind == LabelKind::Outcome {
            let others: Vec<_> = others.map(|(number, bytes)| (number, values(bytes))).collect();
            let own = values_mut(own);
            let sweep = Sweep::of_slice(plan, frame, order, planes, own, &others, &mut bases);
            begun = Instant::now();
            let _ = run::label(&sweep, unit, &meter);
        } else {
            let slice = bytes::CodeSlice { plan, frame, order, own, others: others.collect(), bases: &mut bases };
            begun = Instant::now();
            let _ = bytes::sweep(slice, kind, unit, None, &meter);
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
