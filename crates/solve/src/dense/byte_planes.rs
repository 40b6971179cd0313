//! Labels of one byte of every (mode, board).

use std::time::Duration;

use super::bytes;
use crate::label::LabelKind;
use crate::memory::Memory;
use crate::plane::Layout;
use crate::rules::Rules;
use crate::simd::Kernel;
use crate::{SolveError, Watch};

/// Labels of one byte of every (mode, board), in planes of one layout.
pub(crate) struct BytePlanes {
    planes: Vec<(LabelKind, Memory)>,
    kernel: &'static str,
    sweep_time: Duration,
}

impl BytePlanes {
    /// Labels `rules` with each of `kinds` in turn, in the order of `layout`.
    pub(super) fn solve(
        rules: &Rules,
        layout: &Layout,
        kinds: impl Iterator<Item = LabelKind>,
        kernel: Kernel,
        progress: Option<Watch<'_>>,
    ) -> Result<Self, SolveError> {
        let unit = kernel.unit()?;
        let mut all = Self { planes: Vec::new(), kernel: kernel.name(), sweep_time: Duration::ZERO };
        for kind in kinds {
            let (memory, time) = bytes::solve(rules, layout, kind, unit, progress)?;
            all.planes.push((kind, memory));
            all.sweep_time += time;
        }
        Ok(all)
    }

    /// The planes of `kind`, if it was solved.
    pub(crate) fn of(&self, kind: LabelKind) -> Option<&[u8]> {
        self.planes.iter().find(|(found, _)| *found == kind).map(|(_, memory)| memory.bytes())
    }

    /// The planes of each kind.
    pub(super) fn into_planes(self) -> Vec<(LabelKind, Memory)> {
        self.planes
    }

    /// The name of the [`Kernel`] that swept.
    pub(crate) const fn kernel(&self) -> &'static str {
        self.kernel
    }

    /// The time of the sweeps.
    pub(crate) const fn sweep_time(&self) -> Duration {
        self.sweep_time
    }
}
