//! Work without the interpreter lock, which can report progress and be stopped by Ctrl-C.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use tablegen::engine::EngineError;
use tablegen::solve::{Phase, Progress};

use crate::errors::{Error, of_engine};
use crate::pool::pool;

/// The time between two checks for signals of the process.
const TICK: Duration = Duration::from_millis(50);

/// The progress of work, and a flag that tells it to stop.
#[derive(Default)]
pub(crate) struct Watched {
    stop: AtomicBool,
    done: AtomicU64,
    /// The phase, and its total if it is known.
    phase: Mutex<(&'static str, Option<u64>)>,
}

impl Watched {
    /// Stores a report from a solver or a writer.
    pub(crate) fn tell(&self, progress: Progress) -> ControlFlow<()> {
        let name = match progress.phase {
            Phase::Allocate => "memory",
            Phase::Mark | Phase::Find => "finding",
            Phase::Sweep => "sweeping",
            Phase::Count => "counting",
            Phase::Label => "labelling",
            Phase::LabelWith(label) => label.name(),
            Phase::Values => "values",
            Phase::Check => "checking",
            Phase::Write => "writing",
        };
        let mut phase = self.phase();
        if *phase != (name, progress.total) {
            *phase = (name, progress.total);
            self.done.store(progress.done, Ordering::Relaxed);
        }
        drop(phase);
        self.done.fetch_max(progress.done, Ordering::Relaxed);
        self.flow()
    }

    /// Starts a phase.
    pub(crate) fn begin(&self, name: &'static str, total: Option<u64>) {
        *self.phase() = (name, total);
        self.done.store(0, Ordering::Relaxed);
    }

    /// Adds `units` to the work done in the phase.
    pub(crate) fn add(&self, units: u64) -> ControlFlow<()> {
        self.done.fetch_add(units, Ordering::Relaxed);
        self.flow()
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn phase(&self) -> std::sync::MutexGuard<'_, (&'static str, Option<u64>)> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs `work` on `threads` threads, or in the pool of the process, while this thread watches for signals and calls
/// `progress` with the name of the phase, the work done in it, and its total. If either raises an exception, the work is
/// stopped and the exception is returned.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watched) -> T + Send,
) -> PyResult<T> {
    let (watched, pool) = (Watched::default(), pool(py, threads)?);
    let mut raised = None;
    let done = py.detach(|| {
        std::thread::scope(|scope| {
            let (ended, end) = channel::<()>();
            let (watching, pool) = (&watched, &pool);
            let worker = std::thread::Builder::new().name("tablegen".into()).spawn_scoped(scope, move || {
                let done = catch_unwind(AssertUnwindSafe(|| pool.install(|| work(watching))));
                drop(ended);
                done
            });
            let worker = worker.map_err(|error| EngineError::Threads { threads: 1, reason: error.to_string() })?;
            while end.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none()
                    && let Err(error) = Python::attach(|py| report(py, &watched, progress))
                {
                    raised = Some(error);
                    watched.stop.store(true, Ordering::Relaxed);
                }
            }
            Ok::<_, EngineError>(worker.join().and_then(|done| done))
        })
    });
    let done = done.map_err(of_engine)?.map_err(|panic| of_panic(&*panic));
    match raised {
        Some(error) => Err(error),
        None => done,
    }
}

fn report(py: Python<'_>, watched: &Watched, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    py.check_signals()?;
    if let Some(progress) = progress {
        let (phase, total) = *watched.phase();
        if !phase.is_empty() {
            progress.call1(py, (phase, watched.done.load(Ordering::Relaxed), total))?;
        }
    }
    Ok(())
}

/// Runs short `work` in the pool of the process while this thread waits.
pub(crate) fn quick<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool(py, None)?;
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| pool.install(work))));
    done.map_err(|panic| of_panic(&*panic))
}

/// Runs `work` on this thread, without the interpreter lock. It must not share its work with other threads.
pub(crate) fn alone<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    done.map_err(|panic| of_panic(&*panic))
}

/// The exception for a panic, which is a defect of the library.
fn of_panic(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    Error::new_err(format!("internal error: {}; please report this defect of tablegen", text.unwrap_or("it panicked")))
}
