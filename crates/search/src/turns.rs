//! Two searches of one position, where rules do not say which is faster: one is interrupted now and then, and the other gets a turn.
//!
//! The first one is not begun again after a turn, because its order of moves changes with what it finds.

use std::cell::Cell;

use super::alpha_beta::Ask;
use super::outcome::Effort;

/// The next turn of the other search.
pub(crate) struct Turn {
    /// The positions that it may expand.
    pub(crate) length: u64,
    /// The positions that the first search has expanded before the turn after it.
    pub(crate) next: u64,
}

/// What two searches found.
pub(crate) struct Found<T, F> {
    /// What the other search found in one of its turns, which stops the first one.
    pub(crate) in_turn: Option<T>,
    pub(crate) by_first: F,
    /// The effort of all turns.
    pub(crate) spent: Effort,
}

/// Lets `search` run, which has spent `begun` so far and ends at `end`. Once it has expanded `wait` positions, `other` gets a turn as long as
/// `plan` says, which is called with the number of positions expanded. The effort of turns counts towards `end`. What is known from elsewhere
/// is for `search` alone.
pub(crate) fn in_turns<T, F>(
    ask: &mut Ask<'_>,
    (begun, end): (Effort, Effort),
    mut wait: u64,
    mut plan: impl FnMut(u64) -> Turn,
    mut other: impl FnMut(&mut Ask<'_>, (&mut Effort, Effort)) -> Option<T>,
    search: impl FnOnce(&mut Ask<'_>) -> F,
) -> Found<T, F> {
    let is_stopped = ask.is_stopped;
    let Ask { known, mut continues, .. } = ask.again();
    let (mut spent, mut in_turn) = (Effort::default(), None);
    let mut step = |expanded: u64| {
        let total = expanded + spent.expanded;
        if continues.as_mut().is_some_and(|continues| !continues(total)) {
            is_stopped.set(true);
            return false;
        }
        let done = expanded - begun.expanded;
        if done >= wait {
            let turn = plan(done);
            wait = turn.next;
            let first = Effort { expanded: total, work: 0 };
            let last = first.end(turn.length).least(Effort { work: u64::MAX, ..end });
            let ask = &mut Ask { known: None, continues: continues.as_mut().map(|it| &mut **it as _), is_stopped };
            let mut effort = first;
            in_turn = other(ask, (&mut effort, last));
            spent = spent.plus(effort.minus(first));
        }
        in_turn.is_none() && !is_stopped.get() && expanded + spent.expanded < end.expanded
    };
    let inner = Cell::new(false);
    let by_first = search(&mut Ask { known, continues: Some(&mut step), is_stopped: &inner });
    Found { in_turn, by_first, spent }
}
