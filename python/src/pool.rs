//! The thread pool of this process, which is made again after a fork.
//!
//! A fork copies the pool but not its threads, so work given to the copy would wait forever. For the same reason this
//! module does not use rayon's global pool, which cannot be made again.

use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::{PyResult, Python};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tablegen::engine::{EngineError, MAX_THREADS};

use crate::errors::{InputError, of_engine};

/// The pool and the id of the process that owns its threads.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// A new pool of `threads` threads, or without a number the pool of this process. It has one thread per core, or the
/// number in `RAYON_NUM_THREADS`.
///
/// The argument proves that the caller holds the interpreter lock. A fork from Python also needs that lock, so no
/// forked process finds the pool locked.
pub(crate) fn pool(_: Python<'_>, threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    if let Some(threads) = threads {
        return match threads {
            1..=MAX_THREADS => Ok(Arc::new(started(threads)?)),
            _ => Err(InputError::new_err(format!("expected 1 to {MAX_THREADS} threads, found {threads}"))),
        };
    }
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let here = process::id();
    if let Some((process, pool)) = &*pool
        && *process == here
    {
        return Ok(Arc::clone(pool));
    }
    let started = Arc::new(started(0)?);
    // The old pool belongs to the parent process and has no threads here to stop, so it is leaked.
    std::mem::forget(pool.replace((here, Arc::clone(&started))));
    Ok(started)
}

fn started(threads: usize) -> PyResult<ThreadPool> {
    /// A stack size for unoptimised kernels, which have large frames. Unused stack takes no memory.
    const STACK: usize = 16 << 20;
    let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
    let pool = pool.thread_name(|number| format!("tablegen-{number}")).build();
    pool.map_err(|error| of_engine(EngineError::Threads { threads, reason: error.to_string() }))
}
