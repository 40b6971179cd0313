//! Arithmetic of values.

mod base;
mod import;
mod named;
mod reduced;
mod sums;

pub use base::Calculator;
pub use import::Imports;
