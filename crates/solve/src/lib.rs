//! Labelling positions by retrograde induction, or a single position by search.
//!
//! [`solve()`] is the entry point: one function, one set of options and one [`Solution`] for all solvers.
//! - [`Method::Dense`] labels every (mode, board) in one descending sweep, many at a time.
//! - [`Method::Coloured`] labels every colouring of a game of two colours.
//! - [`Method::Sparse`] finds the reachable positions, level by level, and labels them backward.
//! - [`Method::Cyclic`] does so for games in which positions may repeat, by retrograde analysis.
//!
//! [`Search`](tablegen_core::search::Search) looks ahead from one position and shares no code with any of them.
//!
//! ```
//! # mod tablegen { pub use tablegen_core::*; pub use tablegen_solve as solve; }
//! use tablegen::rules::{Board, Move, Outcome, Position, RulesSpec};
//! use tablegen::solve::{Method, Options, solve};
//!
//! // Fill one cell or two neighbours of three in a row; a player who cannot move loses.
//! let fills = [0b100, 0b110, 0b010, 0b011, 0b001];
//! let rules = RulesSpec { moves: fills.map(|f| Move::fill(Board::from_word(f))).to_vec(), ..RulesSpec::new("row-3", 3) }.build()?;
//! for method in [Method::Dense, Method::Sparse] {
//!     let solution = solve(&rules, &Options { method, ..Options::default() })?;
//!     assert_eq!(solution.outcome(Position::default()), Some(Outcome::Win));
//!     assert_eq!(solution.count(), 8);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod added;
mod coloured;
mod cyclic;
mod dense;
mod error;
mod index_bits;
mod labelled;
mod memory;
mod sampled;
mod simd;
mod slices;
mod solution;
mod sparse;
mod up_to;
mod valued;

pub use tablegen_core::domain::Method;
use tablegen_core::progress::Meter;
pub use tablegen_core::progress::{Phase, Progress, Watch};
use tablegen_core::{
    colourings, compressed, contents, domain, label, parallel, plane, progress, reachable, rules, symmetry, values,
};

use crate::domain::Domain;
use crate::label::{LabelKind, LabelSet};
use crate::plane::Layout;
use crate::reachable::Codes;
use crate::rules::{Position, Rules};
use crate::symmetry::Group;

pub use added::add;
pub use coloured::{
    ColouredPlan, ColouredTask, Marked, NotColoured, coloured, colourings_time, fold_colourings, mark,
    solve_colourings_by_slices,
};
pub use dense::{SlicePlan, SliceTask, fold, fold_untried, layout, solve_by_slices, sweep_time};
pub use error::SolveError;
pub use labelled::Added;
pub use sampled::sampled_count;
pub use simd::{Kernel, KernelError};
pub use slices::{
    PlaneKind, Share, SliceBuffer, SliceOptions, SliceStore, Slicing, StoreFault, Swept, TransferEstimate, View,
};
pub use solution::Solution;
pub use sparse::{Alone, Communicator, LevelStore, SavedLevel, is_distributable, solve_distributed};
pub use up_to::UpTo;
pub use valued::{SolvedValues, ValuedBoards, solve_values};

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
    /// Sparse: the roots of reachability; if empty, the starts of the rules ([`Rules::start_positions`]). Two-colour,
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

/// Solves `rules` on all cores of the current rayon pool.
///
/// Equal rules and options give equal solutions, byte for byte, regardless of the number of threads and the kernel.
///
/// # Errors
/// If an option cannot be satisfied, a label is not defined for the rules, memory is insufficient or its limit would be
/// exceeded, a level is too large to count, or the progress function stops the work.
pub fn solve(rules: &Rules, options: &Options<'_>) -> Result<Solution, SolveError> {
    check_labels(rules, options.labels)?;
    check_method(rules, options.method)?;
    match options.method {
        Method::Dense => Solution::of_sweep(rules, dense::solve(rules, options)?, options.progress),
        Method::Sparse => sparse::solve(rules, options),
        Method::Cyclic => cyclic::solve(rules, options),
        Method::Coloured => Solution::of_sweep(rules, coloured::solve(rules, options)?, options.progress),
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

/// Checks that `method` can solve `rules`. A sweep needs players who fill cells in turn, the sparse solver needs
/// positions that cannot repeat, and the cyclic solver positions that may.
///
/// # Errors
/// [`SolveError::SweepObstacle`], [`SolveError::Repetition`], [`SolveError::Lines`], [`SolveError::TooWide`] or [`SolveError::TooLarge`] if it
/// cannot.
pub fn check_method(rules: &Rules, method: Method) -> Result<(), SolveError> {
    if method.is_of_reachable() {
        check_codes(rules)?;
        return match Method::of_reachable(rules) == method {
            // The cyclic solver undoes moves, and would have to know for each whether another one was legal.
            true if method == Method::Cyclic && rules.has_otherwise() => {
                Err(SolveError::Otherwise { name: rules.name().into() })
            }
            true => Ok(()),
            false => Err(SolveError::Repetition { name: rules.name().into(), method }),
        };
    }
    // The index of a board is one machine word.
    if method == Method::Dense && rules.cells() > u64::BITS {
        return Err(SolveError::TooLarge { cells: rules.cells(), modes: rules.modes().len() as u32 });
    }
    match rules.sweep_obstacle() {
        Some(reason) => {
            let instead = Method::of_reachable(rules);
            Err(SolveError::SweepObstacle { name: rules.name().into(), method, reason, instead })
        }
        None => Ok(()),
    }
}

/// Rejects rules whose positions have no codes, and those whose moves are not listed.
pub(crate) fn check_codes(rules: &Rules) -> Result<(), SolveError> {
    if rules.has_lines() {
        return Err(SolveError::Lines { name: rules.name().into() });
    }
    let (found, most) = (Codes::of(rules).bits(), Codes::MOST_BITS);
    if found <= most { Ok(()) } else { Err(SolveError::TooWide { name: rules.name().into(), found, most }) }
}

/// Rejects labels that no game of `rules` has.
fn check_labels(rules: &Rules, labels: LabelSet) -> Result<(), SolveError> {
    let undefined = |kind: LabelKind| kind.undefined_by(rules);
    let Some((label, reason)) = labels.iter().find_map(|kind| Some((kind, undefined(kind)?))) else { return Ok(()) };
    let defined = labels.iter().filter(|&kind| undefined(kind).is_none()).collect();
    Err(SolveError::Undefined { name: rules.name().into(), label, reason, defined })
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

/// The reachable positions of a game, counted, and the memory for solving them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReachableCount {
    /// The domain of their table.
    pub domain: Domain,
    /// The number of reachable positions, including all positions of each symmetry class.
    pub positions: u64,
    /// Bytes of memory that solving holds at its peak.
    pub peak_bytes: u64,
}

impl ReachableCount {
    /// The number of positions that a table stores: under symmetry, of representatives.
    #[must_use]
    pub fn stored(&self) -> u64 {
        match &self.domain {
            Domain::Sparse { levels, .. } => levels.count(),
            Domain::Dense { .. } | Domain::Folded { .. } | Domain::Coloured(_) => self.positions,
        }
    }
}

/// Counts the reachable positions of `rules`, without labelling them.
///
/// # Errors
/// As [`solve()`] with the method that labels reachable positions ([`Method::of_reachable`]).
pub fn count_reachable(rules: &Rules, options: &Options<'_>) -> Result<ReachableCount, SolveError> {
    check_codes(rules)?;
    match rules.potential() {
        Some(potential) => sparse::count_reachable(rules, potential, options),
        None => cyclic::count_reachable(rules, options),
    }
}
