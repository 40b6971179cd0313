//! The rows of a region: of its positions, and of the positions just after a move.

use crate::SolveError;
use crate::index::{Regions, Shape};

/// The two indexes of a region.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    /// The index of its positions.
    pub(super) shape: Shape,
    /// The index of its arrivals.
    pub(super) arrival: Shape,
    /// True if another colour comes first in the index of arrivals.
    pub(super) is_exchanged: bool,
}

impl Rows {
    /// The rows of the region at place `at` of the list.
    pub(super) fn new(index: &Regions, at: usize) -> Result<Self, SolveError> {
        let region = &index.regions()[at];
        let [a, b, single] = region.counts;
        let is_turned = index.orders().is_turned_on_arrival(region.mode);
        let counts = if is_turned { [b, a, single] } else { [a, b, single] };
        let arrival = index.shape(counts).ok_or(SolveError::TooManyNumbers)?;
        let is_exchanged = is_turned != index.orders().is_turned(region.mode);
        Ok(Self { shape: region.shape, arrival, is_exchanged })
    }

    /// The number of rows of arrivals.
    pub(super) const fn choices(&self) -> u32 {
        self.arrival.size / self.arrival.row
    }
}
