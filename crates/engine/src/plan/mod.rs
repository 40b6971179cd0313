//! Decisions before any work starts: the solver, and the memory and the disk space that it takes.

pub(crate) mod choice;
pub(crate) mod compress;
pub(crate) mod cost;
pub(crate) mod disk;
pub(crate) mod estimate;
pub(crate) mod fits;
pub(crate) mod machine;
pub(crate) mod memory_budget;
pub(crate) mod options;
pub(crate) mod regions;
mod repeating;
pub(crate) mod sweep;
pub(crate) mod symmetry;
pub(crate) mod trial;
