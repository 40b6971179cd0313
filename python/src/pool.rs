//! The threads that share work: a pool of this process, made again in a process that was forked.
//!
//! A fork copies the pool and not its threads: work given to the copy would wait for ever. Nothing here uses the library's
//! global pool, which could not be made again.

use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::{PyResult, Python};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tablegen::engine::{EngineError, MAX_THREADS};

use crate::errors::{InputError, of_engine};

/// A pool and the process whose threads it has.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// A pool of `threads` threads of its own; without a number, that of this process, with one for each core or as many as
/// `RAYON_NUM_THREADS` says.
///
/// It takes the lock of the interpreter: whoever forks holds it, so that no fork finds the pool locked.
pub(crate) fn pool(_: Python<'_>, threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    if let Some(threads) = threads {
        return match threads {
            1..=MAX_THREADS => Ok(Arc::new(started(threads)?)),
            _ => Err(InputError::new_err(format!("1 to {MAX_THREADS} threads are expected, found {threads}"))),
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
    // The pool of a parent has no threads here that could end.
    std::mem::forget(pool.replace((here, Arc::clone(&started))));
    Ok(started)
}

fn started(threads: usize) -> PyResult<ThreadPool> {
    /// Kernels that are not optimised have large frames; what is not used takes no memory.
    const STACK: usize = 16 << 20;
    let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
    let pool = pool.thread_name(|number| format!("tablegen-{number}")).build();
    pool.map_err(|error| of_engine(EngineError::Threads { threads, reason: error.to_string() }))
}
