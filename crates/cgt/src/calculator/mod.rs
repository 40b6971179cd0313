//! Arithmetic of values.

mod base;
mod import;
mod named;
mod reduced;
mod sums;
mod weights;

pub use base::Calculator;
pub use import::Imports;
