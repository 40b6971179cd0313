//! Reasons why the flood of a level stops early.

use std::collections::TryReserveError;

use super::Flood;
use crate::SolveError;
use crate::sparse::item::Item;

/// The reason why a task has stopped.
pub(super) enum FloodStop {
    Cancelled,
    /// The allocator has failed.
    Refused,
    /// The flood needs this many bytes, more than the limit.
    Memory(u64),
    /// The flood needs more bytes than the system has left.
    NoRoom {
        needed: u64,
        left: u64,
    },
    /// There are more positions than the limit.
    Positions,
}

impl From<TryReserveError> for FloodStop {
    fn from(_: TryReserveError) -> Self {
        Self::Refused
    }
}

impl<T: Item> Flood<'_, T> {
    /// The error for a `stop` in level `filled`.
    pub(super) fn stopped(&self, filled: u32, stop: FloodStop) -> SolveError {
        let (positions, up_to) = (self.found, self.up_to(filled.saturating_sub(1)));
        match stop {
            FloodStop::Cancelled => SolveError::Cancelled,
            FloodStop::Refused => SolveError::Refused { positions, up_to },
            FloodStop::Memory(needed) => {
                let allowed = self.options.max_bytes.unwrap_or_default();
                SolveError::SparseMemory { allowed, needed, positions, up_to }
            }
            FloodStop::NoRoom { needed, left } => SolveError::NoRoom { needed, left, positions, up_to },
            FloodStop::Positions => {
                let limit = self.options.max_positions.unwrap_or_default();
                SolveError::MaxPositions { limit, up_to: self.up_to(filled) }
            }
        }
    }
}
