//! What a search may still do: positions, work, and time.

use crate::outcome::Effort;

/// The work between two calls of `continues`, in tests of a move or of a set of squares: about a millisecond.
pub(crate) const PIECE: u64 = 1 << 16;

/// What is left to one call of a search.
pub(crate) struct Budget<'a> {
    /// Called now and then with the number of positions expanded so far; the search stops if it returns `false`.
    continues: Option<&'a mut dyn FnMut(u64) -> bool>,
    pub(crate) effort: Effort,
    /// The effort at which the search stops.
    end: Effort,
    /// The work at which `continues` is called next.
    next: u64,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(continues: Option<&'a mut dyn FnMut(u64) -> bool>, effort: Effort, end: Effort) -> Self {
        let next = effort.work;
        Self { continues, effort, end, next }
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
        let goes_on = self.continues.as_mut().is_none_or(|continues| continues(self.effort.expanded));
        // A search that was stopped asks again at once, and stops again.
        self.next = if goes_on { self.effort.work + PIECE } else { 0 };
        goes_on.then_some(())
    }

    /// Counts a position; `None` if the search stops there.
    pub(crate) const fn count(&mut self) -> Option<()> {
        if self.effort.reaches(self.end) {
            return None;
        }
        self.effort.expanded += 1;
        Some(())
    }
}
