//! Outcomes as bit planes: one bit a position, the same in memory, in a file and in the kernels.
//!
//! [`Layout`] says which bit of a plane belongs to which board, [`Shape`] which planes there are and where each lies,
//! [`Planes`] reads them. The solvers fill what a table stores; both know this module and not each other.

mod layout;
mod planes;
mod shape;

pub use layout::{Layout, LayoutError};
pub use planes::{Bits, Conflict, Planes};
pub use shape::Shape;
