//! Every (mode, board) of a game, in one descending sweep.
//!
//! A move only fills cells, so each successor of a board has a larger number. Labelling boards from the full one down
//! to the empty one therefore meets every successor before the position that needs it: no queue, no predecessor lists,
//! no second visit.

mod gather;
mod kernel;
mod memory;
mod plan;
pub mod scalar;
mod schedule;
mod sweep;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::io;
use std::time::Duration;

use crate::plane::{Layout, Planes, Shape};
use crate::rules::{Rules, RulesError};
use memory::Memory;

pub use kernel::{Kernel, KernelError};
pub(super) use plan::{LOW, TILE};

/// How to solve.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Told of positions as they are labelled: how many since it was last told, in sum every (mode, board).
    pub progress: Option<&'a (dyn Fn(u64) + Sync)>,
    /// The kernel that sweeps; the machine's best where none is named.
    pub kernel: Option<Kernel>,
    /// The layout of the planes; [`layout::choose`](super::layout::choose) picks one where none is given.
    pub layout: Option<&'a Layout>,
}

/// Why a game was not solved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The rules are not sound.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The kernel asked for is not to be had.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The layout given is for another number of cells.
    #[error("a layout of {expected} cells is expected, found one of {found}")]
    Layout {
        /// Cells of the rules.
        expected: u32,
        /// Cells of the layout.
        found: u32,
    },
    /// More positions than an address space holds.
    #[error("2^{cells} boards times {modes} modes are more than any memory holds")]
    TooLarge {
        /// Cells of the board.
        cells: u32,
        /// Number of modes.
        modes: u32,
    },
    /// The operating system has no memory to give.
    #[error("{bytes} bytes of memory for the planes: {source}")]
    Memory {
        /// Bytes asked for.
        bytes: u64,
        /// What the system said.
        source: io::Error,
    },
}

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
///
/// # Errors
/// Where the rules are not sound, there is not enough memory for their planes, or an option cannot be met.
pub fn dense(rules: &Rules, options: &Options<'_>) -> Result<Solution, SolveError> {
    let kernel = options.kernel.unwrap_or_else(Kernel::best).checked()?;
    let layout = match options.layout {
        Some(layout) if layout.cells() != rules.cells() => {
            return Err(SolveError::Layout { expected: rules.cells(), found: layout.cells() });
        }
        Some(layout) => layout.clone(),
        None => super::layout::choose(rules),
    };
    let progress = options.progress.unwrap_or(&|_| {});
    let (memory, sweep_time) = schedule::solve(&layout.apply(rules), kernel, progress)?;
    Ok(Solution { shape: Shape::of(rules), layout, memory, kernel: kernel.name(), sweep_time })
}
