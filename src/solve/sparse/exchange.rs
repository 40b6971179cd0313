//! What is asked of processes that solve together.

use std::io;

use memmap2::Mmap;

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

    /// The same, where only processes that are among `tellers`, which all of them know, have something for others: nobody waits for the rest.
    ///
    /// # Errors
    /// If one of them does not go on.
    fn exchange_of(&self, tellers: &[bool], parts: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>>;

    /// Memory that all processes see. All of them ask at once.
    ///
    /// # Errors
    /// If one of them does not go on.
    fn common_memory(&self) -> io::Result<Option<Box<dyn CommonMemory>>> {
        Ok(None)
    }

    /// The most processes that know all positions, where each of them has the memory for it. More of them deal positions out from the start:
    /// what all are told of every position would be more than what is sent of its successors.
    fn most_alike(&self) -> usize {
        16
    }

    /// How many positions a process finds and labels in the time that an exchange takes at least.
    fn an_exchange(&self) -> u64 {
        1 << 13
    }
}

/// Memory that several processes see, because they are on one machine: as long as one of them has it.
pub trait CommonMemory: Send + Sync {
    /// Writes `bytes` at `offset`, where nobody has written before.
    ///
    /// # Errors
    /// If there is not enough memory.
    fn write(&self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Shows so many bytes from `offset` on, a multiple of [`ALIGNED`]. All processes have written there what they will.
    ///
    /// # Errors
    /// If the system does not show them.
    fn show(&self, offset: u64, bytes: usize) -> io::Result<Mmap>;

    /// Gives it back when this process has nothing more to do for the others, and not now.
    fn leave_at_the_end(self: Box<Self>);
}

/// What is shown begins at a multiple of so many bytes: a page, or several.
pub const ALIGNED: u64 = 1 << 16;

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

    fn exchange_of(&self, _: &[bool], parts: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>> {
        Ok(parts)
    }
}

/// What another process has sent makes no sense.
pub(super) fn nonsense() -> SolveError {
    SolveError::Store(io::Error::other("what another process has sent makes no sense"))
}
