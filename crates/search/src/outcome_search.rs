//! Searches of special kinds of games that find outcomes and nothing else.

use crate::budget::Budget;
use crate::outcome::Effort;
use crate::rules::{Outcome, Position};
use crate::threads::Threads;

/// A search of one game for outcomes.
pub(crate) trait OutcomeSearch: Send {
    /// Sets the threads, if the search can use several.
    fn set_threads(&mut self, _: Threads) {}

    /// Returns whether the search of any game may be faster, so that both take turns.
    fn takes_turns(&self) -> bool {
        false
    }

    /// Returns whether the search can answer `position`.
    fn has(&self, _: Position) -> bool {
        true
    }

    /// The outcome of `position`. `None` if the search stops, or if it does not [have](Self::has) the position.
    fn outcome(&mut self, position: Position, by: &mut Bounded<'_, '_>) -> Option<Outcome>;

    /// The position after a best move from `position`, whose outcome is `outcome`. `None` if there is no move, or as for
    /// [`outcome`](Self::outcome).
    fn best(&mut self, position: Position, outcome: Outcome, by: &mut Bounded<'_, '_>) -> Option<Position>;
}

/// What a call may use.
pub(crate) struct Bounded<'a, 'b> {
    /// Told the number of positions expanded now and then; says whether to continue.
    pub(crate) continues: Option<&'a mut (dyn FnMut(u64) -> bool + 'b)>,
    pub(crate) effort: &'a mut Effort,
    /// The effort at which the search stops.
    pub(crate) end: Effort,
}

impl Bounded<'_, '_> {
    /// What `find` finds with the budget that is left.
    pub(crate) fn spend<T>(&mut self, find: impl FnOnce(&mut Budget<'_>) -> T) -> T {
        let continues = self.continues.as_mut().map(|it| &mut **it as _);
        let budget = &mut Budget::new(continues, *self.effort, self.end);
        let found = find(budget);
        *self.effort = budget.effort;
        found
    }
}

/// What `find` finds by at most `limit` positions, and the effort that it takes.
#[cfg(test)]
pub(crate) fn within<T>(limit: u64, find: impl FnOnce(&mut Bounded<'_, '_>) -> T) -> (T, Effort) {
    let mut effort = Effort::default();
    let end = effort.end(limit);
    let found = find(&mut Bounded { continues: None, effort: &mut effort, end });
    (found, effort)
}
