//! What is asked of processes that solve together.

use std::io;

use crate::solve::SolveError;

/// What several processes that solve together do at once: each of them the same, in the same order.
pub trait Exchange: Sync {
    /// The number of this process; the first one is 0.
    fn process(&self) -> usize;

    /// How many there are.
    fn processes(&self) -> usize;

    /// Gives each process what is listed for it, and gets what each has for this one, by process.
    ///
    /// # Errors
    /// If one of them does not go on.
    fn exchange(&self, parts: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>>;
}

/// One process alone.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Exchange for Alone {
    fn process(&self) -> usize {
        0
    }

    fn processes(&self) -> usize {
        1
    }

    fn exchange(&self, parts: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>> {
        Ok(parts)
    }
}

/// What another process has sent makes no sense.
pub(super) fn nonsense() -> SolveError {
    SolveError::Store(io::Error::other("what another process has sent makes no sense"))
}
