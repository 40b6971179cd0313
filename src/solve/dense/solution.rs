//! Every outcome of a game, as planes.

use std::time::Duration;

use crate::label::LabelKind;
use crate::plane::{Layout, Planes, Shape};
use crate::solve::memory::Memory;

/// Every outcome of a game, as planes.
pub(in crate::solve) struct Planar {
    pub(super) shape: Shape,
    pub(super) layout: Layout,
    pub(super) memory: Memory,
    /// The other labels, a byte each, in planes of the same layout.
    pub(super) others: Vec<(LabelKind, Memory)>,
    pub(super) kernel: &'static str,
    pub(super) sweep_time: Duration,
}

impl Planar {
    /// The outcomes.
    pub(in crate::solve) fn planes(&self) -> Planes<'_> {
        Planes::new(self.shape, self.memory.bytes())
            .unwrap_or_else(|| unreachable!("the memory was made for the shape"))
    }

    /// The planes of `kind`, a label of one byte, if they were made.
    pub(in crate::solve) fn bytes(&self, kind: LabelKind) -> Option<&[u8]> {
        self.others.iter().find(|(found, _)| *found == kind).map(|(_, memory)| memory.bytes())
    }

    /// Which bit of a plane belongs to which board.
    pub(in crate::solve) const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Which program swept it: the name of a [`Kernel`](super::Kernel), or `scalar`.
    pub(in crate::solve) const fn kernel(&self) -> &'static str {
        self.kernel
    }

    /// How long the sweep took: labelling alone, without choosing a layout or being given memory.
    pub(in crate::solve) const fn sweep_time(&self) -> Duration {
        self.sweep_time
    }
}
