//! Labelling every position of a game by retrograde induction.

pub mod dense;
pub mod layout;

pub use dense::{Options, Solution, SolveError, dense};
