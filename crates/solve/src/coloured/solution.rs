//! Every colouring of a game with its labels, in memory.

use std::time::Duration;

use crate::colourings::Frame;
use crate::contents::{ByteLabels, Coloured};
use crate::label::LabelKind;
use crate::memory::Memory;

/// Every colouring of a game with its labels.
pub(crate) struct ColouredSolution {
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
    pub(crate) fn contents(&self) -> Coloured<'_> {
        let of = |kind| self.others.iter().find(|(found, _)| *found == kind).map(|(_, memory)| memory.bytes());
        Coloured::new(&self.frame, self.draws, self.outcomes.bytes(), self.reached.bytes(), ByteLabels::new(of))
    }

    /// The program that swept: the name of a [`Kernel`](crate::Kernel), or `scalar`.
    pub(crate) const fn kernel(&self) -> &'static str {
        self.kernel
    }

    /// The time of marking and labelling, without allocating memory.
    pub(crate) const fn sweep_time(&self) -> Duration {
        self.sweep_time
    }
}

/// Labels of one byte, added to colourings that lacked them.
pub(crate) struct Added {
    pub(super) planes: Vec<(LabelKind, Memory)>,
    pub(super) sweep_time: Duration,
}

impl Added {
    /// The planes of `kind`, if they were added.
    pub(crate) fn of(&self, kind: LabelKind) -> Option<&[u8]> {
        self.planes.iter().find(|(found, _)| *found == kind).map(|(_, memory)| memory.bytes())
    }

    /// The time of the sweeps.
    pub(crate) const fn sweep_time(&self) -> Duration {
        self.sweep_time
    }
}
