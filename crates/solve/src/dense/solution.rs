//! Every outcome of a game, as planes.

use std::time::Duration;

use crate::contents::{ByteLabels, Dense, Reach};
use crate::label::{LabelKind, Width};
use crate::memory::Memory;
use crate::plane::{Layout, Planes, Shape};
use crate::rules::Position;

/// Every outcome of a game, as planes.
pub(crate) struct DenseSolution {
    pub(super) shape: Shape,
    pub(super) layout: Layout,
    pub(super) memory: Memory,
    /// The reachable positions, if they were marked.
    pub(super) reached: Option<Reached>,
    /// The other labels, a byte each, in planes of the same layout.
    pub(super) others: Vec<(LabelKind, Memory)>,
    pub(super) kernel: &'static str,
    pub(super) sweep_time: Duration,
}

/// The reachable positions of a game.
pub(crate) struct Reached {
    /// The roots, sorted, each once.
    pub(super) roots: Vec<Position>,
    /// The reachability bits.
    pub(super) marks: Memory,
}

impl DenseSolution {
    /// The labels.
    pub(crate) fn contents(&self) -> Dense<'_> {
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

    /// The planes of `kind`, a label of one byte, if it was solved.
    fn bytes(&self, kind: LabelKind) -> Option<&[u8]> {
        self.others.iter().find(|(found, _)| *found == kind).map(|(_, memory)| memory.bytes())
    }

    /// The program that swept: the name of a [`Kernel`](crate::Kernel), or `scalar`.
    pub(crate) const fn kernel(&self) -> &'static str {
        self.kernel
    }

    /// The time of the sweeps, without choosing a layout or allocating memory.
    pub(crate) const fn sweep_time(&self) -> Duration {
        self.sweep_time
    }
}
