//! The planes of a label of one byte while they are swept.

use std::marker::PhantomData;

use super::plan::{BlockPlan, LINES};
use crate::memory::Shared;
use crate::simd::Line;

/// The planes being swept, shared by all threads, as [`Sweep`](super::super::sweep::Sweep) is.
pub(super) struct SharedPlanes<'a> {
    pub(super) modes: &'a [BlockPlan],
    /// The code of a player without a move.
    pub(super) terminal: u8,
    first: Shared<Line>,
    /// Lines of a plane.
    lines: usize,
    /// The planes of successors, by [`BlockMove::base`](super::plan::BlockMove): first of each mode here, then of each
    /// mode in each other slice that moves lead to.
    bases: Vec<Shared<Line>>,
    memory: PhantomData<&'a mut [Line]>,
}

impl<'a> SharedPlanes<'a> {
    /// The planes in `memory`, one for each of `modes`. `others` are the planes of other slices that moves lead to, all
    /// labelled.
    ///
    /// # Panics
    /// If one of `others` is not as large as `memory`.
    pub(super) fn new(modes: &'a [BlockPlan], terminal: u8, memory: &'a mut [Line], others: &[&'a [Line]]) -> Self {
        assert!(others.iter().all(|other| other.len() == memory.len()), "all planes of the plan");
        let (lines, first) = (memory.len() / modes.len(), Shared::new(memory));
        let of = |first: Shared<Line>| (0..modes.len()).map(move |mode| first.from(mode * lines));
        let others = others.iter().flat_map(|other| of(Shared::finished(other)));
        let bases = of(first).chain(others).collect();
        Self { modes, terminal, first, lines, bases, memory: PhantomData }
    }

    /// The first line of `block` in the planes with number `base`.
    #[inline(always)]
    pub(super) fn successors(&self, base: usize, block: u64) -> *const Line {
        self.bases[base].at(block as usize * LINES)
    }

    /// Line `line` of `block` in the plane of `mode`.
    #[inline(always)]
    pub(super) fn line(&self, mode: usize, block: u64, line: usize) -> *mut Line {
        self.first.at(self.lines * mode + block as usize * LINES + line)
    }
}
