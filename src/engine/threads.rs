//! The threads that work is shared among.

use std::error::Error;

use super::{Engine, EngineError};

/// Most threads that are started.
pub const MAX_THREADS: usize = 1024;

impl Engine {
    /// Starts the threads that work is shared among, and returns how many there are: as many as this engine was given, or
    /// one for each core. If a pool runs already, or the caller is inside one, that is used.
    ///
    /// Without this the first shared work would start them, and panic if the system does not give them.
    ///
    /// # Errors
    /// If the system does not give them.
    pub fn start_threads(&self) -> Result<usize, EngineError> {
        if rayon::current_thread_index().is_some() {
            return Ok(rayon::current_num_threads());
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        let threads = self.threads.unwrap_or_else(cores);
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build_global() {
            Ok(()) => Ok(threads),
            // Only what the system refuses has a source; the other reason is a pool that runs already.
            Err(error) if error.source().is_some() => Err(EngineError::Threads { threads, reason: error.to_string() }),
            Err(_) => Ok(rayon::current_num_threads()),
        }
    }
}
