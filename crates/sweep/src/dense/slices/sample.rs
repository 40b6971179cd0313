//! An estimate of the time of a sweep: a few slices are swept, with empty slices as successors.

use std::time::{Duration, Instant};

use crate::SolveError;
use crate::dense::block::TILE;
use crate::dense::part::{Cut, Part};
use crate::dense::{bytes as byte_sweep, sweep};
use crate::label::LabelKind;
use crate::memory::{Memory, values};
use crate::progress::{Meter, Phase};
use crate::rules::Rules;
use crate::simd::Kernel;
use crate::slices::PlaneKind;

/// Cells within a sampled slice, for outcomes and for labels of a byte: a few milliseconds each.
const CELLS: u32 = 24;
const BYTE_CELLS: u32 = 21;
/// The number of slices to sweep. Fewer are swept if they take [`ENOUGH`] time.
const SAMPLES: u64 = 6;
const ENOUGH: Duration = Duration::from_millis(150);

/// The approximate time to sweep `kind` on every board of `rules`, whose boards are indices, on the current rayon pool.
///
/// # Errors
/// If the kernel is not available, or there is no memory for a few slices.
pub(crate) fn sweep_time(rules: &Rules, kind: LabelKind, kernel: Kernel) -> Result<Duration, SolveError> {
    let unit = kernel.unit()?;
    let most = if kind == LabelKind::Outcome { CELLS } else { BYTE_CELLS };
    let upper = rules.cells().saturating_sub(most.max(TILE));
    let cut = Cut::new(rules.cells(), upper);
    if cut.cells() < TILE {
        // Small games take no time.
        return Ok(Duration::ZERO);
    }
    let bytes = PlaneKind::of(kind).shape(rules, cut.cells()).bytes().unwrap_or(u64::MAX);
    // The content of other slices does not matter: it takes the same time to read.
    let (mut own, other) = (Memory::new(bytes, None)?, Memory::new(bytes, None)?);
    let meter = Meter::new(None, Phase::Sweep, None);
    let mut random = fastrand::Rng::with_seed(upper.into());
    let (mut time, mut slices) = (Duration::ZERO, 0);
    while slices < SAMPLES.min(cut.slices()) && time < ENOUGH {
        let part = Part::new(rules, cut, random.u64(..cut.slices()));
        let others = vec![other.bytes(); part.others.len()];
        let begun = Instant::now();
        let _ = match kind {
            LabelKind::Outcome => {
                let others: Vec<_> = others.iter().map(|other| values(other)).collect();
                sweep(&part, unit, own.values_mut(), &others, &meter)
            }
            _ => byte_sweep::sweep(&part, kind, unit, own.bytes_mut(), &others, None, &meter),
        };
        // The first slice touches the memory and wakes the threads.
        if slices > 0 || cut.slices() == 1 {
            time += begun.elapsed();
        }
        slices += 1;
    }
    Ok(time.mul_f64(cut.slices() as f64 / slices.saturating_sub(1).max(1) as f64))
}
