//! How long a sweep will take: some regions are swept, with nothing in the others.

use std::time::{Duration, Instant};

use crate::label::LabelKind;
use crate::plane::Layout;
use crate::rules::Rules;
use crate::solve::dense::block::TILE;
use crate::solve::dense::layout;
use crate::solve::dense::part::{Cut, Part};
use crate::solve::dense::{Kernel, bytes as byte_sweep, sweep};
use crate::solve::memory::{Memory, values};
use crate::solve::progress::{Meter, Phase};
use crate::solve::regions::Sheet;
use crate::solve::{Method, SolveError, check_method};

/// Cells of a region of which outcomes are sampled, and of one of which labels of a byte are: some milliseconds.
const CELLS: u32 = 24;
const BYTE_CELLS: u32 = 21;
/// How many regions are swept, or fewer if they have taken this long.
const SAMPLES: u64 = 6;
const ENOUGH: Duration = Duration::from_millis(150);

/// About how long it takes on the current rayon pool to sweep the outcomes of every board of `rules`, and `labels` of them. What
/// play reaches is marked in about the time of the outcomes, and is not among it.
///
/// # Errors
/// If the rules are not swept, the kernel is not available, or there is no memory for a few regions.
pub fn sweep_time(
    rules: &Rules,
    labels: impl IntoIterator<Item = LabelKind>,
    kernel: Option<Kernel>,
) -> Result<Duration, SolveError> {
    check_method(rules, Method::Dense)?;
    let layout = layout::choose(rules);
    labels.into_iter().map(|kind| sampled(rules, &layout, kind, kernel.unwrap_or_else(Kernel::best))).sum()
}

/// About how long it takes to sweep `kind`.
fn sampled(rules: &Rules, layout: &Layout, kind: LabelKind, kernel: Kernel) -> Result<Duration, SolveError> {
    let ready = kernel.ready()?;
    let most = if kind == LabelKind::Outcome { CELLS } else { BYTE_CELLS };
    let upper = rules.cells().saturating_sub(most.max(TILE));
    let cut = Cut::new(rules.cells(), upper);
    if cut.cells() < TILE {
        // Over at once.
        return Ok(Duration::ZERO);
    }
    let renumbered = layout.apply(rules);
    let bytes = Sheet::Label(kind).shape(rules, cut.cells()).bytes().unwrap_or(u64::MAX);
    // Whatever is in the others: it takes as long to read.
    let (mut own, other) = (Memory::new(bytes, None)?, Memory::new(bytes, None)?);
    let meter = Meter::new(None, Phase::Sweep, None);
    let mut random = fastrand::Rng::with_seed(upper.into());
    let (mut time, mut regions) = (Duration::ZERO, 0);
    while regions < SAMPLES.min(cut.regions()) && time < ENOUGH {
        let part = Part::new(&renumbered, cut, random.u64(..cut.regions()));
        let others = vec![other.bytes(); part.others.len()];
        let begun = Instant::now();
        let _ = match kind {
            LabelKind::Outcome => {
                let others: Vec<_> = others.iter().map(|other| values(other)).collect();
                sweep(&part, ready, own.values_mut(), &others, &meter)
            }
            LabelKind::Remoteness | LabelKind::Nimber => {
                byte_sweep::sweep(&part, kind, ready, own.bytes_mut(), &others, &meter)
            }
        };
        // The first touches the memory and wakes the threads.
        if regions > 0 || cut.regions() == 1 {
            time += begun.elapsed();
        }
        regions += 1;
    }
    Ok(time.mul_f64(cut.regions() as f64 / regions.saturating_sub(1).max(1) as f64))
}
