//! Builds: the work, its checkpoints, and the ranks that share it.

pub(crate) mod help;
pub(crate) mod levels;
pub(crate) mod older;
pub(crate) mod order;
pub(crate) mod plan;
pub(crate) mod positions;
pub(crate) mod slices;
pub(crate) mod steps;
pub(crate) mod team;
pub(crate) mod values;
pub(crate) mod work;
