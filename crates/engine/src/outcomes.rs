//! Searches for outcomes, kept from one question to the next.

use std::sync::{Mutex, TryLockError};

use tablegen_games::Ask;
use tablegen_rules::{Node, Outcome, Position, Rules};
use tablegen_search::{AlphaBeta, Known, Search};

/// Maximum memory of the transposition table that a source keeps, in bytes.
pub(super) const KEPT_BYTES: usize = 1 << 27;
/// Maximum memory of the transposition table of a search for one answer, in bytes.
pub(super) const BRIEF_BYTES: usize = 1 << 24;

/// A search for outcomes in one game.
pub(super) enum Outcomes {
    /// The strong search.
    AlphaBeta(Box<AlphaBeta>),
    /// The plain search, for games that the strong search refuses.
    Plain(Box<Search>),
}

impl Outcomes {
    /// A search of `rules` with a transposition table of at most `bytes` bytes.
    pub(super) fn new(rules: &Rules, bytes: usize) -> Self {
        let plain = || Self::Plain(Box::new(Search::new(rules)));
        AlphaBeta::new(rules, bytes).map_or_else(plain, |search| Self::AlphaBeta(Box::new(search)))
    }

    /// The part of limits that all questions so far have used.
    const fn spent(&self) -> u64 {
        match self {
            Self::AlphaBeta(search) => search.spent(),
            Self::Plain(search) => search.spent(),
        }
    }
}

/// A question to a search.
pub(super) struct Asking<'a, 'b> {
    pub(super) outcomes: &'a mut Outcomes,
    /// Look-ups, and the limit that all parts of the answer share.
    pub(super) ask: &'a mut Ask<'b>,
    /// Called now and then; the search stops if it returns `false`.
    pub(super) continues: &'a mut dyn FnMut(u64) -> bool,
}

impl Asking<'_, '_> {
    /// The outcome of `node`; `None` if the limit is reached first, or the search is stopped.
    pub(super) fn outcome(&mut self, node: Node) -> Option<Outcome> {
        let before = self.outcomes.spent();
        let found = self.outcome_within(node, self.ask.limit);
        self.ask.limit = self.ask.limit.saturating_sub(self.outcomes.spent() - before);
        found
    }

    /// Like [`outcome`](Self::outcome), with a limit of its own.
    pub(super) fn outcome_within(&mut self, node: Node, limit: u64) -> Option<Outcome> {
        let look_up = &mut *self.ask.look_up;
        match &mut *self.outcomes {
            Outcomes::AlphaBeta(search) => {
                search.set_limit(limit);
                search.outcome_with(node, Some(look_up), self.continues).ok()
            }
            Outcomes::Plain(search) => {
                search.set_limit(limit);
                search.outcome_with(node, &mut Known(|position: Position| look_up(position))).ok()
            }
        }
    }
}

/// The search that a source keeps. It is made when it is first needed.
#[derive(Default)]
pub(super) struct KeptOutcomes(Mutex<Option<Outcomes>>);

impl KeptOutcomes {
    /// Calls `ask` with the search of `rules`. If another thread is using it, `ask` gets a search of its own.
    pub(super) fn with<T>(&self, rules: &Rules, ask: impl FnOnce(&mut Outcomes) -> T) -> T {
        let mut kept = match self.0.try_lock() {
            Ok(kept) => kept,
            // A search that was interrupted by a panic stored only what it had found.
            Err(TryLockError::Poisoned(kept)) => kept.into_inner(),
            Err(TryLockError::WouldBlock) => return ask(&mut Outcomes::new(rules, BRIEF_BYTES)),
        };
        let answer = ask(kept.get_or_insert_with(|| Outcomes::new(rules, KEPT_BYTES)));
        // The plain search would grow with every question.
        if matches!(*kept, Some(Outcomes::Plain(_))) {
            *kept = None;
        }
        answer
    }
}
