//! Thermographs.

mod graph;
mod wall;

pub use graph::{Thermograph, Thermographs};
pub use wall::{Point, Wall};
