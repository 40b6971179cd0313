//! Labelling every position of a game by retrograde induction.

pub mod dense;

pub use dense::{Options, Solution, SolveError, dense};
