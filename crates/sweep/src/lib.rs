//! Sweeps: every board, or every colouring of a game of two colours, from the fullest down.
//!
//! - `dense`: every board in every mode, many positions at a time.
//! - `coloured`: every colouring of every set of squares.
//! - `slices`: what both share when a game is cut into slices.
//!
//! `tablegen-solvers` calls them. Other items serve its crates and may change.

mod algebra;
pub mod coloured;
pub mod dense;
mod derived;
mod index_bits;
mod shared;
pub mod slices;
mod worth;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tablegen_index::domain::Method;
use tablegen_index::{colourings, compressed, contents, domain, plane, reachable, symmetry};
use tablegen_labels as label;
use tablegen_rules as rules;
use tablegen_simd as simd;
use tablegen_solve::{NotColoured, Options, SolveError, check_method, check_planes, check_roots, labelled, memory};
use tablegen_work::progress::{Meter, Phase, Watch};
use tablegen_work::{parallel, progress};

/// The direction of a sweep.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// From the empty board up, predecessors first.
    Up,
    /// From the full board down, successors first.
    Down,
}

/// Does `work`, whose progress counts to `total` in `phase`. Returns the time.
fn timed(
    watch: Option<Watch<'_>>,
    phase: Phase,
    total: Option<u64>,
    work: impl FnOnce(&Meter<'_>) -> Result<ControlFlow<()>, SolveError>,
) -> Result<Duration, SolveError> {
    let mut meter = Meter::new(watch, phase, total);
    let begun = Instant::now();
    let flow = work(&meter)?;
    let time = begun.elapsed();
    if flow.is_break() || meter.finish().is_break() { Err(SolveError::Cancelled) } else { Ok(time) }
}
