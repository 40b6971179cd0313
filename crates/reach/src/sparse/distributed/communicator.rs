//! The collective operations of the ranks.

use std::io;

use crate::SolveError;

/// The ranks that solve a game together, as one of them sees them. All ranks call the same operations in the same order.
pub trait Communicator: Sync {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// Sends `parts[rank]` to each rank, and returns what each rank sent to this one, by rank.
    ///
    /// # Errors
    /// If a rank has failed.
    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>>;
}

/// The error for a message that cannot be decoded.
pub(super) fn malformed_message() -> SolveError {
    SolveError::Store(io::Error::other("a message of another process cannot be decoded"))
}
