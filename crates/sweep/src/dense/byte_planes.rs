//! Labels of one byte of every (mode, board).

use std::time::Duration;

use super::bytes;
use crate::label::LabelKind;
use crate::labelled::{Added, ByteColumns};
use crate::plane::Layout;
use crate::rules::Rules;
use crate::simd::Kernel;
use crate::{SolveError, Watch};

/// Labels `rules` with each of `kinds` in turn, in bit planes in the order of `layout`.
pub(super) fn solve(
    rules: &Rules,
    layout: &Layout,
    kinds: impl Iterator<Item = LabelKind>,
    kernel: Kernel,
    progress: Option<Watch<'_>>,
) -> Result<Added, SolveError> {
    let unit = kernel.unit()?;
    let (mut planes, mut solve_time) = (Vec::new(), Duration::ZERO);
    for kind in kinds {
        let (memory, time) = bytes::solve(rules, layout, kind, unit, progress)?;
        planes.push((kind, memory));
        solve_time += time;
    }
    Ok(Added { columns: ByteColumns::of_pages(planes), program: kernel.name(), solve_time })
}
