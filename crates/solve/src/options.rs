//! The solver, its labels and its limits.

use crate::label::LabelSet;
use crate::plane::Layout;
use crate::rules::{Position, Rules};
use crate::simd::Kernel;
use crate::symmetry::Group;
use crate::{Method, Watch};

/// Returns the bytes of memory that the system has left for the process; `None` without a limit. Any thread may call
/// it.
pub type MemoryProbe<'a> = &'a (dyn Fn() -> Option<u64> + Sync);

/// A solver, with the options that only this solver has.
#[derive(Clone, Copy)]
pub enum Solver<'a> {
    /// [`Method::Dense`].
    Dense {
        /// Compute reachability bits, so that counts cover only reachable boards.
        marks: bool,
        /// The kernel for the sweep; `None` for the fastest on this machine.
        kernel: Option<Kernel>,
        /// The layout of the bit planes; `None` for the layout with the lowest cost for the kernel.
        layout: Option<&'a Layout>,
    },
    /// [`Method::Coloured`], which always computes reachability bits.
    Coloured {
        /// The kernel for the sweep; `None` for the fastest on this machine.
        kernel: Option<Kernel>,
    },
    /// [`Method::Sparse`].
    Sparse {
        /// The symmetries up to which positions are solved.
        symmetry: &'a Group,
    },
    /// [`Method::Cyclic`].
    Cyclic {
        /// The symmetries up to which positions are solved.
        symmetry: &'a Group,
    },
    /// [`Method::Regions`].
    Regions {
        /// Symmetries of the rules, which need not keep the starts. With the trivial group, every board is stored.
        symmetry: &'a Group,
    },
}

impl<'a> Solver<'a> {
    /// Every board, with the fastest kernel and the best layout; with reachability bits if `marks`.
    #[must_use]
    pub const fn dense(marks: bool) -> Self {
        Self::Dense { marks, kernel: None, layout: None }
    }

    /// The reachable positions of `rules`, up to `symmetry`.
    #[must_use]
    pub fn of_reachable(rules: &Rules, symmetry: &'a Group) -> Self {
        match Method::of_reachable(rules) {
            Method::Cyclic => Self::Cyclic { symmetry },
            _ => Self::Sparse { symmetry },
        }
    }

    /// The set of positions, and the way to label them.
    #[must_use]
    pub const fn method(&self) -> Method {
        match self {
            Self::Dense { .. } => Method::Dense,
            Self::Coloured { .. } => Method::Coloured,
            Self::Sparse { .. } => Method::Sparse,
            Self::Cyclic { .. } => Method::Cyclic,
            Self::Regions { .. } => Method::Regions,
        }
    }

    /// The kernel of a sweep: the fastest if none is named.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        let named = match self {
            Self::Dense { kernel, .. } | Self::Coloured { kernel } => *kernel,
            Self::Sparse { .. } | Self::Cyclic { .. } | Self::Regions { .. } => None,
        };
        named.unwrap_or_else(Kernel::best)
    }

    /// The symmetries up to which positions are solved, by a solver that is not a sweep.
    #[must_use]
    pub fn symmetry(&self) -> &'a Group {
        match self {
            Self::Dense { .. } | Self::Coloured { .. } => Group::trivial(),
            Self::Sparse { symmetry } | Self::Cyclic { symmetry } | Self::Regions { symmetry } => symmetry,
        }
    }
}

/// The solver of `method` on the fastest kernel, without reachability bits of boards and without symmetry.
impl From<Method> for Solver<'_> {
    fn from(method: Method) -> Self {
        let symmetry = Group::trivial();
        match method {
            Method::Dense => Self::dense(false),
            Method::Coloured => Self::Coloured { kernel: None },
            Method::Sparse => Self::Sparse { symmetry },
            Method::Cyclic => Self::Cyclic { symmetry },
            Method::Regions => Self::Regions { symmetry },
        }
    }
}

impl Default for Solver<'_> {
    fn default() -> Self {
        Method::default().into()
    }
}

/// Options of solving.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// The solver.
    pub solver: Solver<'a>,
    /// The labels, besides the outcome, which is always solved.
    pub labels: LabelSet,
    /// The roots of reachability. A sweep, which computes reachability bits, adds them to the starts of the rules
    /// ([`Rules::start_positions`](crate::rules::Rules::start_positions)). Other solvers begin at the starts only if there are no roots.
    pub roots: &'a [Position],
    /// Maximum memory for labels and keys, in bytes; `None` for as much as the system provides.
    pub max_bytes: Option<u64>,
    /// A probe for the bytes of memory that the system has left for the process. It is called before each step that
    /// takes more memory to find positions or values. `max_bytes` limits the solver's own count, this probe the system's.
    pub room: Option<MemoryProbe<'a>>,
    /// Maximum number of positions to find; `None` for no limit. A sweep finds none.
    pub max_positions: Option<u64>,
    /// Called with the progress of the work.
    pub progress: Option<Watch<'a>>,
}

impl<'a> Options<'a> {
    /// The outcomes by `solver`, without limits.
    pub fn of(solver: impl Into<Solver<'a>>) -> Self {
        Self { solver: solver.into(), ..Self::default() }
    }
}
