//! What a search may still do: positions, work, and time.

use crate::outcome::{Effort, WORK};
use crate::pool::{Pool, Why};

/// The work between two calls of `continues`, in tests of a move or of a set of squares: about a millisecond.
pub(crate) const PIECE: u64 = 1 << 16;

/// What a thread takes from a pool at once: the work of a fraction of a millisecond.
const SHARE: Effort = Effort { expanded: 1 << 8, work: WORK << 8 };

/// What is left to one call of a search, or to one of its threads.
pub(crate) struct Budget<'a> {
    /// Called now and then with the number of positions expanded so far; the search stops if it returns `false`.
    continues: Option<&'a mut dyn FnMut(u64) -> bool>,
    pub(crate) effort: Effort,
    /// The effort at which the search stops.
    end: Effort,
    /// The work at which `continues` is called next.
    next: u64,
    /// Where the thread gets more, if it is one of several.
    pool: Option<&'a Pool>,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(continues: Option<&'a mut dyn FnMut(u64) -> bool>, effort: Effort, end: Effort) -> Self {
        let next = effort.work;
        Self { continues, effort, end, next, pool: None }
    }

    /// The budget of one of the threads that share `pool`.
    pub(crate) fn of(pool: &'a Pool, continues: Option<&'a mut dyn FnMut(u64) -> bool>) -> Self {
        Self { continues, effort: Effort::default(), end: Effort::default(), next: 0, pool: Some(pool) }
    }

    /// Gives back what the thread did not use.
    pub(crate) fn finish(self) {
        if let Some(pool) = self.pool {
            pool.give(self.end.minus(self.effort));
        }
    }

    /// The work that is left.
    pub(crate) const fn left(&self) -> u64 {
        self.end.work.saturating_sub(self.effort.work)
    }

    /// Counts `tests` tests; `None` if the search stops there.
    pub(crate) fn work(&mut self, tests: usize) -> Option<()> {
        self.effort.work += tests as u64;
        if self.effort.work < self.next {
            return Some(());
        }
        let goes_on = self.goes_on();
        // A search that was stopped asks again at once, and stops again.
        self.next = if goes_on { self.effort.work + PIECE } else { 0 };
        goes_on.then_some(())
    }

    /// Asks the caller whether to continue.
    pub(crate) fn goes_on(&mut self) -> bool {
        self.continues.as_mut().is_none_or(|continues| continues(self.effort.expanded))
    }

    /// Counts a position; `None` if the search stops there.
    #[inline(always)]
    pub(crate) fn count(&mut self) -> Option<()> {
        if self.effort.reaches(self.end) {
            self.take_share()?;
        }
        self.effort.expanded += 1;
        Some(())
    }

    /// Takes more from the pool; `None` if there is none, or if the threads stop.
    #[cold]
    #[inline(never)]
    fn take_share(&mut self) -> Option<()> {
        let pool = self.pool.filter(|pool| pool.why().is_none())?;
        // One position may take more work than was left.
        self.end = self.end.plus(pool.take(self.effort.plus(SHARE).minus(self.end)));
        if self.effort.reaches(self.end) {
            pool.stop(Why::Limit);
            return None;
        }
        Some(())
    }
}
