//! Labelling positions by retrograde induction, or a single position by search.
//!
//! [`solve()`] is the entry point: one function, one set of options and one [`Solution`] for all solvers.
//! - [`Method::Dense`] labels every (mode, board) in one descending sweep, many at a time.
//! - [`Method::Coloured`] labels every colouring of a game of two colours.
//! - [`Method::Sparse`] finds the reachable positions, level by level, and labels them backward.
//! - [`Method::Cyclic`] does so for games in which positions may repeat, by retrograde analysis.
//! - [`Method::Regions`] labels every board with the numbers of pieces that play may reach, at a number that is computed.
//!
//! `tablegen_search::Search` looks ahead from one position and shares no code with any of them.
//!
//! ```
//! # mod tablegen { pub use tablegen_rules as rules; pub mod solve { pub use tablegen_solvers::*; } }
//! use tablegen::rules::{Board, Move, Outcome, Position, RulesSpec};
//! use tablegen::solve::{Method, Options, solve};
//!
//! // Fill one cell or two neighbours of three in a row; a player who cannot move loses.
//! let fills = [0b100, 0b110, 0b010, 0b011, 0b001];
//! let rules = RulesSpec { moves: fills.map(|f| Move::fill(Board::from_word(f))).to_vec(), ..RulesSpec::new("row-3", 3) }.build()?;
//! for method in [Method::Dense, Method::Sparse] {
//!     let solution = solve(&rules, &Options::of(method))?;
//!     assert_eq!(solution.outcome(Position::default()), Some(Outcome::Win));
//!     assert_eq!(solution.count(), 8);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod added;
mod valued;

use tablegen_index::{compressed, contents, plane, reachable, symmetry, values};
use tablegen_labels as label;
use tablegen_reach::{cyclic, regions, sparse};
use tablegen_rules as rules;
use tablegen_solve::{check_labels, labelled, memory};
use tablegen_sweep::{coloured, dense};
use tablegen_work::progress;

use crate::label::LabelSet;
use crate::plane::Layout;
use crate::rules::{Position, Rules};

pub use added::add;
pub use tablegen_index::domain::Method;
pub use tablegen_index::plane::PlaneKind;
pub use tablegen_reach::regions::{
    InMemory, RegionLabels, RegionStore, check_region_labels, index as region_index,
    largest_group as least_region_memory_bytes, memory_bytes as region_memory_bytes, solve_to as solve_regions_to,
};
#[cfg(feature = "ranks")]
pub use tablegen_reach::sparse::{Communicator, solve_distributed};
pub use tablegen_reach::sparse::{LevelStore, SavedLevel, is_distributable, solve_with_checkpoints};
pub use tablegen_reach::{ReachableCount, count_reachable, sampled_count, sampled_up_to};
pub use tablegen_simd::{Kernel, KernelError};
pub use tablegen_solve::{Added, MemoryProbe, NotColoured, Options, Solution, SolveError, Solver, UpTo, check_method};
pub use tablegen_sweep::coloured::{Marked, coloured, fold_colourings, mark};
pub use tablegen_sweep::dense::{fold, fold_untried, layout};
pub use tablegen_sweep::slices::{
    Share, SliceBuffer, SliceOptions, SlicePlan, SliceStore, SliceTask, StoreFault, Swept, TrafficTotals,
    TransferEstimate, View,
};
pub use tablegen_work::progress::{Phase, Progress, Watch};
pub use valued::{SolvedValues, ValuedBoards, solve_values};

/// Solves `rules` on all cores of the current rayon pool.
///
/// Equal rules and options give equal solutions, byte for byte, regardless of the number of threads and the kernel.
///
/// # Errors
/// If an option cannot be satisfied, a label is not defined for the rules, memory is insufficient or its limit would be
/// exceeded, a level is too large to count, or the progress function stops the work.
pub fn solve(rules: &Rules, options: &Options<'_>) -> Result<Solution, SolveError> {
    check_labels(rules, options.labels)?;
    check_method(rules, options.solver.method())?;
    match options.solver {
        Solver::Dense { marks, layout, .. } => {
            Solution::of_sweep(rules, dense::solve(rules, marks, layout, options)?, options.progress)
        }
        Solver::Sparse { .. } => sparse::solve(rules, options),
        Solver::Cyclic { .. } => cyclic::solve(rules, options),
        Solver::Regions { .. } => regions::solve_regions(rules, options),
        Solver::Coloured { .. } => Solution::of_sweep(rules, coloured::solve(rules, options)?, options.progress),
    }
}

/// Like [`solve()`] with [`Method::Coloured`], with reachability bits that were [computed](mark) before. The rules and
/// the roots come from `marked`.
///
/// # Errors
/// As [`solve()`].
pub fn solve_marked(marked: Marked, options: &Options<'_>) -> Result<Solution, SolveError> {
    let rules = marked.rules().clone();
    check_labels(&rules, options.labels)?;
    Solution::of_sweep(&rules, coloured::solve_marked(marked, options)?, options.progress)
}

/// Solves `rules` one position at a time, from the full board down, in plain and safe Rust. This is the reference
/// implementation that every kernel must equal bit for bit. The bit planes are in the order of `layout`; `None` is
/// reading order.
///
/// # Errors
/// If the layout has another number of cells, or there is not enough memory.
pub fn scalar(rules: &Rules, layout: Option<&Layout>, labels: LabelSet) -> Result<Solution, SolveError> {
    check_method(rules, Method::Dense)?;
    Solution::of_sweep(rules, dense::scalar(rules, layout, None, labels)?, None)
}

/// Like [`scalar`], with reachability bits from the starts of the rules and from `roots`.
///
/// # Errors
/// As [`scalar`].
pub fn scalar_marked(
    rules: &Rules,
    layout: Option<&Layout>,
    roots: &[Position],
    labels: LabelSet,
) -> Result<Solution, SolveError> {
    check_method(rules, Method::Dense)?;
    Solution::of_sweep(rules, dense::scalar(rules, layout, Some(roots), labels)?, None)
}

/// Like [`scalar`], for every colouring of `rules`, as [`Method::Coloured`] has them, with reachability bits.
///
/// # Errors
/// If the rules cannot have a two-colour table, or there is not enough memory.
pub fn scalar_coloured(rules: &Rules, roots: &[Position], labels: LabelSet) -> Result<Solution, SolveError> {
    check_method(rules, Method::Coloured)?;
    Solution::of_sweep(rules, coloured::scalar(rules, roots, labels)?, None)
}
