//! How far the work is: told to whoever wants to know, who may end it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, TryLockError};

/// What is being done, and in which units it is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Being given memory, in bytes.
    Allocate,
    /// Labelling every position of a game, in positions.
    Sweep,
    /// Finding the positions that play can reach, in positions. How many there are is not known before.
    Find,
    /// Labelling the positions found, in positions.
    Label,
    /// Writing a table, in bytes.
    Write,
}

/// How far a phase is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// How much of it is done: the sum since the phase began, not what was added since the last report.
    pub done: u64,
    /// How much there is to do; `None` if that is not known.
    pub total: Option<u64>,
}

/// Who is told how far the work is, by any thread, and may end it: it stops soon after a `Break`.
pub type Watch<'a> = &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// Adds up what the threads of one phase have done, and tells the watcher.
///
/// The watcher is told by one thread at a time, and `done` never falls.
pub(crate) struct Meter<'a> {
    watcher: Option<Watch<'a>>,
    phase: Phase,
    total: Option<u64>,
    done: AtomicU64,
    /// What the watcher was told last.
    told: Mutex<Option<u64>>,
    is_cancelled: AtomicBool,
}

impl<'a> Meter<'a> {
    /// A phase of which nothing is done yet.
    pub(crate) const fn new(watcher: Option<Watch<'a>>, phase: Phase, total: Option<u64>) -> Self {
        let (done, told, is_cancelled) = (AtomicU64::new(0), Mutex::new(None), AtomicBool::new(false));
        Self { watcher, phase, total, done, told, is_cancelled }
    }

    /// Counts `units` more as done. `Break` if the watcher has ended the work, now or before.
    pub(crate) fn add(&self, units: u64) -> ControlFlow<()> {
        self.done.fetch_add(units, Ordering::Relaxed);
        match self.told.try_lock() {
            Ok(mut told) => self.tell(&mut told),
            // Another thread is telling: this one's work is part of the next report.
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Poisoned(_)) => self.is_cancelled.store(true, Ordering::Relaxed),
        }
        self.flow()
    }

    /// Tells what has not been told yet: to be called when the threads are done.
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
