//! Every colouring of a game with its labels, in memory.

use std::time::Duration;

use crate::coloured::Frame;
use crate::contents::{ByteLabels, Coloured};
use crate::label::LabelKind;
use crate::solve::memory::Memory;

/// Every colouring of a game with its labels.
pub(in crate::solve) struct ColouredSolution {
    pub(super) frame: Frame,
    pub(super) draws: bool,
    pub(super) outcomes: Memory,
    pub(super) reached: Memory,
    /// The other labels, a byte each.
    pub(super) others: Vec<(LabelKind, Memory)>,
    pub(super) kernel: &'static str,
    pub(super) sweep_time: Duration,
}

impl ColouredSolution {
    /// The labels.
    pub(in crate::solve) fn contents(&self) -> Coloured<'_> {
        let of = |kind| self.others.iter().find(|(found, _)| *found == kind).map(|(_, memory)| memory.bytes());
        Coloured::new(&self.frame, self.draws, self.outcomes.bytes(), self.reached.bytes(), ByteLabels::new(of))
    }

    /// Which program swept it: the name of a [`Kernel`](crate::solve::Kernel), or `scalar`.
    pub(in crate::solve) const fn kernel(&self) -> &'static str {
        self.kernel
    }

    /// How long the sweeps took: marking and labelling, without being given memory.
    pub(in crate::solve) const fn sweep_time(&self) -> Duration {
        self.sweep_time
    }
}

/// Labels of one byte, added to colourings that lacked them.
pub(in crate::solve) struct Added {
    pub(super) planes: Vec<(LabelKind, Memory)>,
    pub(super) sweep_time: Duration,
}

impl Added {
    /// The bytes of `kind`, if they were made.
    pub(in crate::solve) fn of(&self, kind: LabelKind) -> Option<&[u8]> {
        self.planes.iter().find(|(found, _)| *found == kind).map(|(_, memory)| memory.bytes())
    }

    /// How long the sweeps took.
    pub(in crate::solve) const fn sweep_time(&self) -> Duration {
        self.sweep_time
    }
}
