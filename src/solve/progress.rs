//! Progress reports, for a watcher that may also stop the work.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, TryLockError};

/// The current phase of the work, and the unit in which it is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Allocating memory, in bytes.
    Allocate,
    /// Labelling every position of a game, in positions.
    Sweep,
    /// Finding the reachable positions, in positions. Their number is not known in advance.
    Find,
    /// Labelling the positions found, in positions.
    Label,
    /// Writing a table, in bytes.
    Write,
}

/// The progress of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The current phase.
    pub phase: Phase,
    /// The amount done: the sum since the phase began, not the amount since the last report.
    pub done: u64,
    /// The total amount of work; `None` if it is not known.
    pub total: Option<u64>,
}

/// A function that is called with the progress, from any thread, and may stop the work: the work stops soon after a
/// `Break`.
pub type Watch<'a> = &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// Adds up the work of all threads in one phase, and reports it to the watcher.
///
/// The watcher is called by one thread at a time, and `done` never decreases.
pub(crate) struct Meter<'a> {
    watcher: Option<Watch<'a>>,
    phase: Phase,
    total: Option<u64>,
    done: AtomicU64,
    /// The amount in the last report to the watcher.
    told: Mutex<Option<u64>>,
    is_cancelled: AtomicBool,
}

impl<'a> Meter<'a> {
    /// A phase of which nothing is done yet.
    pub(crate) const fn new(watcher: Option<Watch<'a>>, phase: Phase, total: Option<u64>) -> Self {
        let (done, told, is_cancelled) = (AtomicU64::new(0), Mutex::new(None), AtomicBool::new(false));
        Self { watcher, phase, total, done, told, is_cancelled }
    }

    /// Adds `units` to the work done. `Break` if the watcher has stopped the work, now or before.
    pub(crate) fn add(&self, units: u64) -> ControlFlow<()> {
        self.done.fetch_add(units, Ordering::Relaxed);
        match self.told.try_lock() {
            Ok(mut told) => self.tell(&mut told),
            // Another thread is reporting: this thread's work is part of the next report.
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Poisoned(_)) => self.is_cancelled.store(true, Ordering::Relaxed),
        }
        self.flow()
    }

    /// Reports what has not been reported yet; to be called when the threads are done.
    pub(crate) fn finish(&mut self) -> ControlFlow<()> {
        if let Ok(mut told) = self.told.lock()
            && *told != Some(self.done.load(Ordering::Relaxed))
        {
            self.tell(&mut told);
        }
        self.flow()
    }

    fn tell(&self, told: &mut Option<u64>) {
        let Some(watcher) = self.watcher else { return };
        let done = self.done.load(Ordering::Relaxed);
        *told = Some(done);
        if watcher(Progress { phase: self.phase, done, total: self.total }).is_break() {
            self.is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.is_cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
