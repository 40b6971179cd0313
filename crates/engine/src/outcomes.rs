//! Searches for values, kept from one question to the next.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, TryLockError};
use std::time::Instant;

use crate::SearchSetup;
use tablegen_labels::Value;
use tablegen_rules::{Node, Outcome, Position, Rules};
use tablegen_search::{AlphaBeta, Known, KnownValues, Search, Wanted};

/// Maximum memory of the transposition table of a search for one answer, in bytes.
pub(super) const BRIEF_BYTES: usize = 1 << 24;
/// The positions that the plain search expands between two looks at the clock.
const PIECE: u64 = 1 << 13;

/// A search in one game.
pub(super) enum Outcomes {
    /// The strong search.
    AlphaBeta(Box<AlphaBeta>),
    /// The plain search, for games that the strong search refuses.
    Plain(Box<Search>),
    /// No search.
    Nothing,
}

impl Outcomes {
    /// A search of `rules`.
    pub(super) fn new(rules: &Rules, setup: SearchSetup) -> Self {
        let strong = AlphaBeta::new(rules, setup.bytes).map(|search| search.threads(setup.threads));
        strong.map_or_else(|| Self::Plain(Box::new(Search::new(rules))), |search| Self::AlphaBeta(Box::new(search)))
    }

    /// The part of limits that all questions so far have used.
    const fn spent(&self) -> u64 {
        match self {
            Self::AlphaBeta(search) => search.spent(),
            Self::Plain(search) => search.spent(),
            Self::Nothing => 0,
        }
    }

    /// True if the search can find what is `wanted`.
    pub(super) fn offers(&self, wanted: Wanted) -> bool {
        match self {
            Self::AlphaBeta(search) => search.offers(wanted),
            Self::Plain(_) => wanted == Wanted::Outcome,
            Self::Nothing => false,
        }
    }
}

/// A question to a search.
pub(super) struct Asking<'a> {
    pub(super) outcomes: &'a mut Outcomes,
    /// What look-ups find, if there is a table.
    pub(super) known: Option<&'a KnownValues<'a>>,
    /// The limit that all parts of the answer share.
    pub(super) limit: u64,
    /// What to find beside outcomes.
    pub(super) wanted: Wanted,
    /// The time at which the search stops.
    pub(super) until: Option<Instant>,
    /// Called now and then; the search stops if it returns `false`.
    pub(super) continues: &'a mut dyn FnMut(u64) -> bool,
}

impl Asking<'_> {
    /// The outcome of `position` in a table, if there is one that has it.
    pub(super) fn look_up(&self, position: Position) -> Option<Outcome> {
        self.known.and_then(|known| known(position, Wanted::Outcome)).map(|value| value.outcome)
    }

    /// Returns whether there is time left, and nobody stops the search.
    pub(super) fn goes_on(&mut self) -> bool {
        (self.continues)(0) && self.until.is_none_or(|until| Instant::now() < until)
    }

    /// The outcome of `node`; `None` if the limit is reached first, or the search is stopped.
    pub(super) fn outcome(&mut self, node: Node) -> Option<Outcome> {
        self.value(node, Wanted::Outcome).map(|value| value.outcome)
    }

    /// The value of `node`; `None` if the limit is reached first, or the search is stopped, or does not offer what is `wanted`.
    pub(super) fn value(&mut self, node: Node, wanted: Wanted) -> Option<Value> {
        let before = self.outcomes.spent();
        let found = self.value_within(node, wanted, self.limit);
        self.limit = self.limit.saturating_sub(self.outcomes.spent() - before);
        found
    }

    /// Like [`value`](Self::value), with a limit of its own.
    pub(super) fn value_within(&mut self, node: Node, wanted: Wanted, limit: u64) -> Option<Value> {
        if !self.outcomes.offers(wanted) {
            return None;
        }
        // A search that was stopped is not asked for the other moves.
        if limit > 0 && !self.goes_on() {
            return None;
        }
        let known = self.known;
        let (until, continues) = (self.until, &mut *self.continues);
        let mut goes_on = |expanded| continues(expanded) && until.is_none_or(|until| Instant::now() < until);
        match &mut *self.outcomes {
            Outcomes::AlphaBeta(search) => {
                search.set_limit(limit);
                search.value_with(node, wanted, known, &mut goes_on).ok()
            }
            Outcomes::Nothing => None,
            // It does not look at a clock, so it is asked in pieces.
            Outcomes::Plain(search) => {
                let outcome = |position| Some(known?(position, Wanted::Outcome)?.outcome);
                let mut left = limit;
                loop {
                    let before = search.expanded();
                    search.set_limit(left.min(PIECE));
                    let found = search.outcome_with(node, &mut Known(outcome));
                    left = left.saturating_sub(PIECE);
                    match found {
                        Ok(outcome) => return Some(outcome.into()),
                        // It expands nothing where positions repeat or moves gain points.
                        Err(_) if left == 0 || search.expanded() == before || !goes_on(search.expanded()) => {
                            return None;
                        }
                        Err(_) => {}
                    }
                }
            }
        }
    }

    /// The best move of the node whose value was just found; `None` if the limit is reached first, or the search is stopped.
    pub(super) fn best(&mut self) -> Option<Position> {
        let (known, until, continues) = (self.known, self.until, &mut *self.continues);
        let mut goes_on = |expanded| continues(expanded) && until.is_none_or(|until| Instant::now() < until);
        let Outcomes::AlphaBeta(search) = &mut *self.outcomes else { return None };
        let before = search.spent();
        search.set_limit(self.limit);
        let found = search.best_with(known, &mut goes_on);
        self.limit = self.limit.saturating_sub(search.spent() - before);
        found
    }
}

/// The search that a source keeps. It is made when it is first needed.
#[derive(Default)]
pub(super) struct KeptOutcomes {
    search: Mutex<Option<Outcomes>>,
    is_kept: AtomicBool,
}

impl KeptOutcomes {
    /// Calls `ask` with the search of `rules`. If another thread is using it, `ask` gets a search of its own.
    pub(super) fn with<T>(&self, rules: &Rules, setup: SearchSetup, ask: impl FnOnce(&mut Outcomes) -> T) -> T {
        let brief = SearchSetup { bytes: setup.bytes.min(BRIEF_BYTES), ..setup };
        let mut kept = match self.search.try_lock() {
            Ok(kept) => kept,
            // A search that was interrupted by a panic stored only what it had found.
            Err(TryLockError::Poisoned(kept)) => kept.into_inner(),
            Err(TryLockError::WouldBlock) => return ask(&mut Outcomes::new(rules, brief)),
        };
        let answer = ask(kept.get_or_insert_with(|| Outcomes::new(rules, setup)));
        // The plain search would grow with every question.
        if matches!(*kept, Some(Outcomes::Plain(_))) {
            *kept = None;
        }
        self.is_kept.store(kept.is_some(), Ordering::Relaxed);
        answer
    }

    /// Calls `ask` with the search that earlier questions left, without making one.
    pub(super) fn with_kept<T>(&self, ask: impl FnOnce(&mut Outcomes) -> T) -> T {
        match self.search.try_lock() {
            Ok(mut kept) => ask(kept.as_mut().unwrap_or(&mut Outcomes::Nothing)),
            Err(_) => ask(&mut Outcomes::Nothing),
        }
    }

    /// True if there is a search for the next question.
    pub(super) fn is_kept(&self) -> bool {
        self.is_kept.load(Ordering::Relaxed)
    }
}
