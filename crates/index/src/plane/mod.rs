//! Outcomes as bit planes: one bit per position, the same in memory, in a file and in the kernels.
//!
//! [`Layout`] defines which bit of a plane belongs to which board, [`Shape`] defines which planes there are and where
//! each one lies, and [`Planes`] reads them; `BoardOrder` reads them by board number. The solvers fill
//! the planes and a table stores them; both use this module, and neither knows the other.

mod board_order;
mod by_fill_count;
mod kind;
mod layout;
mod planes;
mod shape;

pub use board_order::BoardOrder;
pub(crate) use by_fill_count::of_planes;
pub use kind::PlaneKind;
pub use layout::{Layout, LayoutError};
pub use planes::{Bits, Conflict, PlaneFault, Planes};
pub use shape::Shape;
