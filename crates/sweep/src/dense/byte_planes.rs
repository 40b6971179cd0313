//! Labels of one byte of every (mode, board).

use std::time::Duration;

use super::bytes;
use crate::label::{ByLabel, LabelSet};
use crate::labelled::{Added, Buffer};
use crate::plane::Layout;
use crate::rules::Rules;
use crate::simd::Kernel;
use crate::{SolveError, Watch};

/// Labels `rules` with each of `labels` but the outcome in turn, in planes in the order of `layout`.
pub(super) fn solve(
    rules: &Rules,
    layout: &Layout,
    labels: LabelSet,
    kernel: Kernel,
    progress: Option<Watch<'_>>,
) -> Result<Added, SolveError> {
    let unit = kernel.unit()?;
    let (mut columns, mut solve_time) = (ByLabel::NONE, Duration::ZERO);
    for kind in labels.others() {
        let (memory, time) = bytes::solve(rules, layout, kind, unit, progress)?;
        columns.set(kind, Some(Buffer::Pages(memory)));
        solve_time += time;
    }
    Ok(Added { columns, program: kernel.name(), solve_time })
}
