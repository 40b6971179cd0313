//! Every outcome of a game, as planes.

use std::time::Duration;

use crate::contents::{ByteLabels, Dense, Reach};
use crate::label::{LabelKind, Width};
use crate::plane::{Layout, Planes, Shape};
use crate::rules::Position;
use crate::solve::memory::Memory;

/// Every outcome of a game, as planes.
pub(in crate::solve) struct DenseSolution {
    pub(super) shape: Shape,
    pub(super) layout: Layout,
    pub(super) memory: Memory,
    /// What play reaches, if it was marked.
    pub(super) reached: Option<Reached>,
    /// The other labels, a byte each, in planes of the same layout.
    pub(super) others: Vec<(LabelKind, Memory)>,
    pub(super) kernel: &'static str,
    pub(super) sweep_time: Duration,
}

/// What play reaches.
pub(in crate::solve) struct Reached {
    /// Where play was followed from: sorted, each once.
    pub(super) roots: Vec<Position>,
    /// A bit for each (mode, board), in planes of the layout.
    pub(super) marks: Memory,
}

impl DenseSolution {
    /// The labels.
    pub(in crate::solve) fn contents(&self) -> Dense<'_> {
        let reach = self.reached.as_ref().map(|reached| {
            let shape = Shape::new(self.shape.cells(), self.shape.modes(), Width::One);
            Reach::new(&reached.roots, shape, reached.marks.bytes())
                .unwrap_or_else(|| unreachable!("the memory was made for the shape"))
        });
        Dense::new(&self.layout, self.planes(), reach, ByteLabels::new(|kind| self.bytes(kind)))
    }

    /// The outcomes.
    fn planes(&self) -> Planes<'_> {
        Planes::new(self.shape, self.memory.bytes())
            .unwrap_or_else(|| unreachable!("the memory was made for the shape"))
    }

    /// The planes of `kind`, a label of one byte, if they were made.
    fn bytes(&self, kind: LabelKind) -> Option<&[u8]> {
        self.others.iter().find(|(found, _)| *found == kind).map(|(_, memory)| memory.bytes())
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
