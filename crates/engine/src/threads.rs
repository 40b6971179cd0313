//! The threads that share the work.

use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};

use super::plan::machine::address_room;
use super::{Engine, EngineError};

/// Maximum number of threads to start.
pub const MAX_THREADS: usize = 1024;

/// Address space that a thread takes when it starts: its stack with a guard page, and a stack for signals.
const THREAD_ADDRESSES: u64 = (2 << 20) + (64 << 10);
/// Address space that must remain, if it is limited: enough to report any other shortage.
const LEAST_ADDRESSES: u64 = 2 << 20;

/// True once this process has started the shared threads here.
static STARTED: AtomicBool = AtomicBool::new(false);

impl Engine {
    /// Starts the threads that share the work, and returns their number: as many as this engine was given, or one per
    /// core. If a pool is already running, or the caller is inside a pool, that pool is used.
    ///
    /// Without this call, the first parallel work would start the threads, and panic if the system cannot provide them.
    ///
    /// # Errors
    /// If the system cannot start them.
    pub fn start_threads(&self) -> Result<usize, EngineError> {
        if rayon::current_thread_index().is_some() {
            return Ok(rayon::current_num_threads());
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        let threads = self.threads.unwrap_or_else(cores);
        let needed = threads as u64 * THREAD_ADDRESSES + LEAST_ADDRESSES;
        if let Some(room) = address_room().filter(|&room| room < needed && !STARTED.load(Ordering::Relaxed)) {
            let reason = format!("they need {needed} bytes of address space, and the limit leaves {room}");
            return Err(EngineError::Threads { threads, reason });
        }
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build_global() {
            Ok(()) => {
                STARTED.store(true, Ordering::Relaxed);
                Ok(threads)
            }
            // Only an error from the system has a source; the other cause is a pool that is already running.
            Err(error) if error.source().is_some() => Err(EngineError::Threads { threads, reason: error.to_string() }),
            Err(_) => Ok(rayon::current_num_threads()),
        }
    }
}
