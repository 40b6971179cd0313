//! Labelling every position of a game by retrograde induction, or one by search.

pub mod dense;
pub mod layout;
mod search;
pub mod sparse;

pub use dense::{Options, Solution, SolveError, dense};
pub use search::{Guide, Leaves, Search, Unknown};
pub use sparse::sparse;
