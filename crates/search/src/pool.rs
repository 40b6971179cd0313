//! What the threads of a search share beside its table: the effort that is left, and why they stop.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::outcome::Effort;

/// Why a search stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Why {
    /// It reached its limit.
    Limit,
    /// It was told to stop.
    Told,
    /// The table should grow.
    Full,
    /// A thread found the value.
    Done,
}

const RUNS: u8 = 0;

/// The number of notes about positions that threads are searching.
const NOTES: usize = 1 << 12;

/// What the threads of a search share beside its table.
pub(crate) struct Pool {
    /// The positions and the work that threads may still take.
    expanded: AtomicU64,
    work: AtomicU64,
    stop: AtomicU8,
    /// Codes of positions that threads are searching; 0 where there is none. A wrong note costs time, and changes no value.
    notes: Box<[AtomicU64]>,
}

impl Pool {
    /// A search that may take `left`.
    pub(crate) fn new(left: Effort) -> Self {
        Self {
            expanded: AtomicU64::new(left.expanded),
            work: AtomicU64::new(left.work),
            stop: AtomicU8::new(RUNS),
            notes: (0..NOTES).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    fn note(&self, code: u64) -> &AtomicU64 {
        &self.notes[code as usize % NOTES]
    }

    /// Notes that a thread searches the position with this `code`. Returns the note, which is [taken back](Self::end); `None` if there is
    /// another in its place.
    pub(crate) fn begin(&self, code: u64) -> Option<&AtomicU64> {
        let note = self.note(code);
        (note.load(Ordering::Relaxed) == 0).then(|| {
            note.store(code | 1 << 63, Ordering::Relaxed);
            note
        })
    }

    pub(crate) fn end(note: &AtomicU64) {
        note.store(0, Ordering::Relaxed);
    }

    /// Returns whether a thread searches the position with this `code`.
    pub(crate) fn is_busy(&self, code: u64) -> bool {
        self.note(code).load(Ordering::Relaxed) == code | 1 << 63
    }

    /// What no thread has taken.
    pub(crate) fn left(&self) -> Effort {
        Effort { expanded: self.expanded.load(Ordering::Relaxed), work: self.work.load(Ordering::Relaxed) }
    }

    /// Takes at most `most` from what is left.
    pub(crate) fn take(&self, most: Effort) -> Effort {
        let take = |left: &AtomicU64, most: u64| {
            let before =
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(most)));
            before.unwrap_or_else(|left| left).min(most)
        };
        Effort { expanded: take(&self.expanded, most.expanded), work: take(&self.work, most.work) }
    }

    /// Gives back what a thread has taken and not used.
    pub(crate) fn give(&self, rest: Effort) {
        self.expanded.fetch_add(rest.expanded, Ordering::Relaxed);
        self.work.fetch_add(rest.work, Ordering::Relaxed);
    }

    /// Tells all threads to stop. The first reason counts.
    pub(crate) fn stop(&self, why: Why) {
        let _ = self.stop.compare_exchange(RUNS, 1 + why as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Why the threads stop; `None` if they do not.
    pub(crate) fn why(&self) -> Option<Why> {
        let stop = self.stop.load(Ordering::Relaxed);
        [Why::Limit, Why::Told, Why::Full, Why::Done].into_iter().find(|&why| 1 + why as u8 == stop)
    }

    /// What threads find together: this one by `first`, and others by `search` of each of `others`. `None` if they stop for another reason.
    pub(crate) fn search<T: Send, O: Send>(
        &self,
        others: Vec<O>,
        search: impl Fn(O) -> Option<T> + Sync,
        first: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let ended = |found: Option<T>| {
            self.stop(if found.is_some() { Why::Done } else { Why::Told });
            found
        };
        let (search, ended) = (&search, &ended);
        std::thread::scope(|scope| {
            let others: Vec<_> = others.into_iter().map(|other| scope.spawn(move || ended(search(other)))).collect();
            let found = ended(first());
            let others = others.into_iter().filter_map(|other| other.join().ok().flatten());
            others.fold(found, |found, other| found.or(Some(other)))
        })
    }
}
