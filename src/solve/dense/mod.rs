//! Every (mode, board) of a game, in one descending sweep.
//!
//! A move only fills cells, so each successor of a board has a larger number. Labelling boards from the full one down
//! to the empty one therefore meets every successor before the position that needs it: no queue, no predecessor lists,
//! no second visit.

mod gather;
mod kernel;
mod memory;
mod plan;
mod scalar;
mod schedule;
mod sweep;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::time::Duration;

use super::{Options, SolveError};
use crate::plane::{Layout, Planes, Shape};
use crate::rules::Rules;
use memory::Memory;

pub use kernel::{Kernel, KernelError};
pub(super) use plan::{LOW, TILE};

/// Every outcome of a game.
pub struct Solution {
    shape: Shape,
    layout: Layout,
    memory: Memory,
    kernel: &'static str,
    sweep_time: Duration,
}

impl Solution {
    /// The outcomes.
    #[must_use]
    pub fn planes(&self) -> Planes<'_> {
        Planes::new(self.shape, self.memory.bytes())
            .unwrap_or_else(|| unreachable!("the memory was made for the shape"))
    }

    /// Which bit of a plane belongs to which board.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Which program swept it.
    #[must_use]
    pub const fn kernel(&self) -> &'static str {
        self.kernel
    }

    /// How long the sweep took: labelling alone, without choosing a layout or being given memory.
    #[must_use]
    pub const fn sweep_time(&self) -> Duration {
        self.sweep_time
    }
}

/// Solves `rules`: labels every (mode, board), on all cores of the current rayon pool.
pub(super) fn solve(rules: &Rules, options: &Options<'_>) -> Result<super::Solution, SolveError> {
    let kernel = options.kernel.unwrap_or_else(Kernel::best).checked()?;
    let shape = Shape::of(rules);
    if let (Some(needed), Some(allowed)) = (shape.bytes(), options.max_bytes)
        && needed > allowed
    {
        return Err(SolveError::DenseMemory { needed, allowed });
    }
    let layout = match options.layout {
        Some(layout) if layout.cells() != rules.cells() => {
            return Err(SolveError::Layout { expected: rules.cells(), found: layout.cells() });
        }
        Some(layout) => layout.clone(),
        None => super::layout::choose(rules),
    };
    let (memory, sweep_time) = schedule::solve(&layout.apply(rules), kernel, &|_| {})?;
    let solution = Solution { shape, layout, memory, kernel: kernel.name(), sweep_time };
    Ok(super::Solution::of_dense(rules, solution))
}

/// The scalar twin.
pub(super) fn scalar(rules: &Rules, layout: Option<&Layout>) -> Result<super::Solution, SolveError> {
    let layout = layout.cloned().unwrap_or_else(|| Layout::reading_order(rules.cells()));
    Ok(super::Solution::of_dense(rules, scalar::solve_in(rules, layout)?))
}
