//! Comparison and simplification.

mod comparer;
mod memo;
mod simplify;

pub use comparer::{Comparer, Comparison};
