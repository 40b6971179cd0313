//! Progress reports, for a watcher that may also stop the work.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, TryLockError};

use crate::label::LabelKind;

/// The current phase of the work, and the unit in which it is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Allocating memory, in bytes.
    Allocate,
    /// Computing reachability bits, in positions of the whole game.
    Mark,
    /// Labelling every position of a game, in positions.
    Sweep,
    /// Counting the outcomes of a sweep, in bytes of its labels.
    Count,
    /// Finding the reachable positions, in positions. Their number is not known in advance.
    Find,
    /// Labelling the positions found, in positions.
    Label,
    /// Labelling positions with a label other than the outcome, in positions.
    LabelWith(LabelKind),
    /// Finding the values of boards, in boards.
    Values,
    /// Checking the bytes of a table that is read, in bytes.
    Check,
    /// Writing a table, in bytes.
    Write,
}

impl Phase {
    /// Labelling positions with `label`.
    #[must_use]
    pub const fn of_label(label: LabelKind) -> Self {
        match label {
            LabelKind::Outcome => Self::Label,
            other => Self::LabelWith(other),
        }
    }
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
pub struct Meter<'a> {
    watcher: Option<Watch<'a>>,
    phase: Phase,
    total: Option<u64>,
    done: AtomicU64,
    /// The amount in the last report to the watcher.
    told: Mutex<Option<u64>>,
    is_cancelled: AtomicBool,
}

impl<'a> Meter<'a> {
    /// A phase that has just begun, which is reported to the watcher.
    pub fn new(watcher: Option<Watch<'a>>, phase: Phase, total: Option<u64>) -> Self {
        let (done, told, is_cancelled) = (AtomicU64::new(0), Mutex::new(None), AtomicBool::new(false));
        let meter = Self { watcher, phase, total, done, told, is_cancelled };
        let _ = meter.add(0);
        meter
    }

    /// Adds `units` to the work done. `Break` if the watcher has stopped the work, now or before.
    pub fn add(&self, units: u64) -> ControlFlow<()> {
        self.done.fetch_add(units, Ordering::Relaxed);
        match self.told.try_lock() {
            Ok(mut told) => self.tell(&mut told),
            // Another thread is reporting: the next report includes this thread's work.
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Poisoned(_)) => self.is_cancelled.store(true, Ordering::Relaxed),
        }
        self.flow()
    }

    /// Reports what has not been reported yet; to be called when the threads are done.
    pub fn finish(&mut self) -> ControlFlow<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A watcher that appends the work done to `told`.
    fn recording(told: &Mutex<Vec<u64>>) -> impl Fn(Progress) -> ControlFlow<()> {
        |progress| {
            told.lock().unwrap().push(progress.done);
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn reports_sum_all_threads_and_never_decrease() {
        let told = Mutex::new(Vec::new());
        let watch = recording(&told);
        let mut meter = Meter::new(Some(&watch), Phase::Find, None);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (1..=100).for_each(|units| assert!(meter.add(units).is_continue())));
            }
        });
        assert!(meter.finish().is_continue());
        let told = told.lock().unwrap();
        assert!(told.is_sorted(), "{told:?}");
        assert_eq!((told.first(), told.last()), (Some(&0), Some(&(4 * 5050))));
    }

    /// Work that is added while another thread reports is in no report until the end.
    #[test]
    fn the_end_reports_what_no_report_had() {
        let told = Mutex::new(Vec::new());
        let watch = recording(&told);
        let mut meter = Meter::new(Some(&watch), Phase::Find, None);
        let reporting = meter.told.lock().unwrap();
        assert!(meter.add(3).is_continue());
        drop(reporting);
        assert_eq!(*told.lock().unwrap(), [0]);
        // The second time, nothing is new.
        assert!(meter.finish().is_continue() && meter.finish().is_continue());
        assert_eq!(*told.lock().unwrap(), [0, 3]);
    }

    #[test]
    fn a_break_reaches_the_next_thread_that_adds() {
        let watch = |progress: Progress| {
            if progress.done < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut meter = Meter::new(Some(&watch), Phase::Write, Some(3));
        assert!(meter.add(1).is_continue());
        assert!(meter.add(1).is_break() && meter.add(0).is_break() && meter.finish().is_break());
        let nobody = Meter::new(None, Phase::Write, None);
        assert!(nobody.add(5).is_continue());
    }
}
