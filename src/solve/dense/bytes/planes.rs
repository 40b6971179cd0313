//! The planes of a label of one byte while they are swept.

use std::marker::PhantomData;

use super::line::Line;
use super::plan::{BlockPlan, LINES};

/// The planes being swept, shared by all threads, as [`Sweep`](super::super::sweep::Sweep) is.
pub(super) struct SharedPlanes<'a> {
    pub(super) modes: &'a [BlockPlan],
    /// The code of a player without a move.
    pub(super) terminal: u8,
    first: *mut Line,
    /// Lines of a plane.
    lines: usize,
    memory: PhantomData<&'a mut [Line]>,
}

// SAFETY: a line is written by one thread, and read by others only after that thread has finished it: who sweeps promises
// it.
unsafe impl Sync for SharedPlanes<'_> {}

impl<'a> SharedPlanes<'a> {
    /// The planes in `memory`, one for each of `modes`.
    pub(super) fn new(modes: &'a [BlockPlan], terminal: u8, memory: &'a mut [Line]) -> Self {
        let lines = memory.len() / modes.len();
        Self { modes, terminal, first: memory.as_mut_ptr(), lines, memory: PhantomData }
    }

    /// Line `line` of `block` in the plane of `mode`.
    #[inline(always)]
    pub(super) fn line(&self, mode: usize, block: u64, line: usize) -> *mut Line {
        self.first.wrapping_add(self.lines * mode + block as usize * LINES + line)
    }
}
