//! Arithmetic of values.

mod base;
mod named;
mod reduced;
mod sums;

pub use base::Calculator;
