//! Builds by several ranks. Without the feature `ranks`, `no_ranks.rs` takes the place of this module.

mod help;
mod order;
mod positions;
mod slices;
mod team;

pub(crate) use order::SliceOrder;
pub(crate) use slices::Together;
pub(crate) use team::Team;
pub use team::TeamError;
