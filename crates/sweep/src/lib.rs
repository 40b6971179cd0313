//! Sweeps: every board, or every colouring of a game of two colours, from the fullest down.
//!
//! - `dense`: every board in every mode, many positions at a time.
//! - `coloured`: every colouring of every set of squares.
//! - `slices`: what both share when a game is cut into slices.
//!
//! `tablegen-solvers` calls them. Other items serve its crates and may change.

pub mod coloured;
pub mod dense;
mod index_bits;
pub mod slices;

use tablegen_index::domain::Method;
use tablegen_index::{colourings, compressed, contents, domain, plane, symmetry};
use tablegen_labels as label;
use tablegen_rules as rules;
use tablegen_simd as simd;
use tablegen_solve::{NotColoured, Options, SolveError, check_method, labelled, memory};
use tablegen_work::progress::{Meter, Phase, Watch};
use tablegen_work::{parallel, progress};
