//! Builds: the work, its checkpoints, and the ranks that share it.

pub(crate) mod levels;
pub(crate) mod older;
pub(crate) mod plan;
#[cfg(not(feature = "ranks"))]
#[path = "no_ranks.rs"]
pub(crate) mod ranks;
#[cfg(feature = "ranks")]
pub(crate) mod ranks;
mod regions;
pub(crate) mod slices;
pub(crate) mod steps;
pub(crate) mod values;
pub(crate) mod work;
