//! Canonical forms, each stored once.

mod games;
mod hints;
mod pairs;
mod value;

pub use games::Store;
pub(crate) use hints::Hints;
pub(crate) use pairs::{Pairs, hash_of};
pub use value::Value;
