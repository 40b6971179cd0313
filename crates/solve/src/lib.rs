//! The words of every solver: options, errors, memory for labels, and a solved game.
//!
//! - [`Options`]: the labels and the limits of a solver.
//! - [`SolveError`], [`UpTo`]: why there is no solution, and how far the solver came.
//! - [`Solution`]: a solved game, of [`Labelled`] bytes in [`memory`].
//!
//! `tablegen` re-exports what users may rely on. Other items serve its crates and may change.

mod checks;
mod error;
pub mod labelled;
pub mod memory;
mod not_coloured;
mod options;
mod solution;
mod up_to;

use tablegen_index::domain::Method;
use tablegen_index::{compressed, contents, domain, plane, reachable, regions, symmetry};
use tablegen_labels as label;
use tablegen_rules as rules;
use tablegen_simd as simd;
use tablegen_work::progress;
use tablegen_work::progress::{Meter, Phase, Watch};

pub use checks::{check_codes, check_labels, check_method, check_planes, check_roots};
pub use error::SolveError;
pub use labelled::{Added, Labelled};
pub use not_coloured::NotColoured;
pub use options::{MemoryProbe, Options, Solver};
pub use solution::Solution;
pub use up_to::UpTo;
