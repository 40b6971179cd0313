//! Labelling positions by retrograde induction, or one of them by search.
//!
//! [`solve()`] is the way in: one function, one set of options and one [`Solution`] for both solvers. [`Method::Dense`]
//! labels every (mode, board) in one descending sweep, many at a time; [`Method::Sparse`] finds what play can reach and
//! labels that.
//! [`Search`] looks ahead from one position and shares no code with either.
//!
//! ```
//! use tablegen::rules::{Board, Move, Outcome, Position, RulesSpec};
//! use tablegen::solve::{Method, Options, solve};
//!
//! // Fill one cell or two neighbours of three in a row; who cannot move loses.
//! let fills = [0b100, 0b110, 0b010, 0b011, 0b001];
//! let rules = RulesSpec { moves: fills.map(|f| Move::fill(Board(f))).to_vec(), ..RulesSpec::new("row-3", 3) }.build()?;
//! for method in [Method::Dense, Method::Sparse] {
//!     let solution = solve(&rules, &Options { method, ..Options::default() })?;
//!     assert_eq!(solution.outcome(Position::default()), Some(Outcome::Win));
//!     assert_eq!(solution.count(), 8);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dense;
mod error;
mod progress;
mod search;
mod solution;
mod sparse;

use crate::plane::Layout;
use crate::reachable::{LevelSize, Levels};
use crate::rules::{Position, Rules};

pub use dense::{Kernel, KernelError, layout};
pub use error::SolveError;
pub(crate) use progress::Meter;
pub use progress::{Phase, Progress, Watch};
pub use search::{Guide, Known, LimitReached, Search};
pub use solution::Solution;

/// Which positions are solved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Method {
    /// Every board in every mode, many at a time.
    #[default]
    Dense,
    /// The positions that play can reach, and no others.
    Sparse,
}

impl Method {
    /// `dense` or `sparse`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Sparse => "sparse",
        }
    }
}

/// How to solve.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Which positions.
    pub method: Method,
    /// Sparse: positions to follow play from; if there are none, those the rules start from
    /// ([`Rules::start_positions`]).
    pub roots: &'a [Position],
    /// Most bytes of memory that labels and keys may take; if it is `None`, what the system gives.
    pub max_bytes: Option<u64>,
    /// Sparse: most positions to find; if it is `None`, all there are.
    pub max_positions: Option<u64>,
    /// Dense: the kernel that sweeps; if it is `None`, the fastest this machine has.
    pub kernel: Option<Kernel>,
    /// Dense: the layout of the planes; if it is `None`, the one that costs the kernel least.
    pub layout: Option<&'a Layout>,
    /// Told how far the work is.
    pub progress: Option<Watch<'a>>,
}

/// Solves `rules` on all cores of the current rayon pool.
///
/// Equal rules and options give equal solutions, byte for byte, whatever the number of threads and the kernel.
///
/// # Errors
/// If an option cannot be met, there is not enough memory or more would be needed than is allowed, a level is too large
/// to count, or the progress function stops the work.
pub fn solve(rules: &Rules, options: &Options<'_>) -> Result<Solution, SolveError> {
    match options.method {
        Method::Dense => dense::solve(rules, options).map(|planar| Solution::of_dense(rules, planar)),
        Method::Sparse => sparse::solve(rules, options),
    }
}

/// Solves `rules` one position at a time, from the full board down, in plain and safe Rust: the scalar twin, which every
/// kernel must equal bit for bit. The planes are in the order of `layout`; if it is `None`, in reading order.
///
/// # Errors
/// If the layout is for another number of cells, or there is not enough memory.
pub fn scalar(rules: &Rules, layout: Option<&Layout>) -> Result<Solution, SolveError> {
    dense::scalar(rules, layout).map(|planar| Solution::of_dense(rules, planar))
}

/// How many positions can be reached, and what solving them takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Census {
    pub(crate) levels: Levels,
    pub(crate) roots: Vec<Position>,
    /// Bytes of memory that solving holds at its peak.
    pub peak_bytes: u64,
}

impl Census {
    /// How many positions there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.levels.count()
    }

    /// How many there are with each number of filled cells, the fewest first.
    pub fn sizes(&self) -> impl ExactSizeIterator<Item = LevelSize> {
        self.levels.sizes()
    }

    /// Where play was followed from: sorted, each once.
    #[must_use]
    pub fn roots(&self) -> &[Position] {
        &self.roots
    }
}

/// Counts the positions of `rules` that can be reached, without labelling them.
///
/// # Errors
/// As [`solve()`] with [`Method::Sparse`].
pub fn census(rules: &Rules, options: &Options<'_>) -> Result<Census, SolveError> {
    sparse::census(rules, options)
}
