//! The labels and the limits of a solver.

use crate::label::LabelSet;
use crate::plane::Layout;
use crate::rules::Position;
use crate::simd::Kernel;
use crate::symmetry::Group;
use crate::{Method, Watch};

/// Returns the bytes of memory that the system has left for the process; `None` without a limit. Any thread may call
/// it.
pub type MemoryProbe<'a> = &'a (dyn Fn() -> Option<u64> + Sync);

/// Options of solving.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// The set of positions.
    pub method: Method,
    /// The labels, besides the outcome, which is always solved.
    pub labels: LabelSet,
    /// Sparse: the roots of reachability; if empty, the starts of the rules ([`Rules::start_positions`](crate::rules::Rules::start_positions)). Two-colour,
    /// and dense with `marks`: roots in addition to these starts.
    pub roots: &'a [Position],
    /// Sparse: the symmetries up to which positions are solved; by default the trivial group.
    pub symmetry: &'a Group,
    /// Dense: compute reachability bits, so that counts cover only reachable boards. Two-colour solutions always have
    /// them.
    pub marks: bool,
    /// Maximum memory for labels and keys, in bytes; `None` for as much as the system provides.
    pub max_bytes: Option<u64>,
    /// Sparse: a probe for the bytes of memory that the system has left for the process. It is called before each step
    /// that takes more memory. `max_bytes` limits the solver's own count, this probe the system's.
    pub room: Option<MemoryProbe<'a>>,
    /// Sparse: maximum number of positions to find; `None` for no limit.
    pub max_positions: Option<u64>,
    /// Dense: the kernel for the sweep; `None` for the fastest on this machine.
    pub kernel: Option<Kernel>,
    /// Dense: the layout of the bit planes; `None` for the layout with the lowest cost for the kernel.
    pub layout: Option<&'a Layout>,
    /// Called with the progress of the work.
    pub progress: Option<Watch<'a>>,
}

impl Options<'_> {
    /// The same for the solver that finds positions level by level.
    #[must_use]
    pub const fn by_levels(self) -> Self {
        Self { method: Method::Sparse, ..self }
    }
}
