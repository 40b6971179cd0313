//! The searches of special kinds of games.

use tablegen_labels::Value;

use crate::Wanted;
use crate::alpha_beta::Ask;
use crate::claims::Claims;
use crate::discs::Discs;
use crate::lines::Lines;
use crate::outcome::Effort;
use crate::outcome_search::{Bounded, OutcomeSearch};
use crate::partisan::Partisan;
use crate::rules::{Position, Rules};
use crate::sums::Sums;
use crate::threads::Threads;

/// A search of games of one kind.
pub(super) enum Special {
    Lines(Box<Lines>),
    Discs(Box<Discs>),
    Outcomes(Box<dyn OutcomeSearch>),
}

impl Special {
    /// The search that `rules` choose, with a table of at most `bytes` bytes; `None` if the rules are of no special kind.
    pub(super) fn new(rules: &Rules, bytes: usize) -> Option<Self> {
        let lines = || Lines::new(rules, bytes).map(|it| Self::Lines(Box::new(it)));
        let discs = || Discs::new(rules, bytes).map(|it| Self::Discs(Box::new(it)));
        let claims = || Claims::new(rules, bytes).map(|it| Self::Outcomes(Box::new(it)));
        let sums = || Sums::new(rules, bytes).map(|it| Self::Outcomes(Box::new(it)));
        let partisan = || Partisan::new(rules, bytes).map(|it| Self::Outcomes(Box::new(it)));
        lines().or_else(discs).or_else(claims).or_else(sums).or_else(partisan)
    }

    pub(super) fn set_threads(&mut self, threads: Threads) {
        match self {
            Self::Lines(it) => it.set_threads(threads.count),
            Self::Discs(it) => it.set_threads(threads.count),
            Self::Outcomes(it) => it.set_threads(threads),
        }
    }

    pub(super) const fn offers(&self, wanted: Wanted) -> bool {
        match self {
            Self::Lines(it) => it.offers(wanted),
            Self::Discs(it) => it.offers(wanted),
            Self::Outcomes(_) => matches!(wanted, Wanted::Outcome),
        }
    }

    /// Returns whether the search of any game may be faster, so that both take turns.
    pub(super) fn takes_turns(&self) -> bool {
        matches!(self, Self::Outcomes(it) if it.takes_turns())
    }

    /// Returns whether the search answers this question. It does not ask what else is known.
    pub(super) fn answers(&self, position: Position, wanted: Wanted, ask: &Ask<'_>) -> bool {
        let has = match self {
            Self::Lines(it) => it.has(position),
            Self::Discs(it) => it.answers(position),
            Self::Outcomes(it) => it.has(position),
        };
        has && self.offers(wanted) && ask.known.is_none()
    }

    /// The value of `position`, which the search [answers](Self::answers); `None` if it stops.
    pub(super) fn value(
        &mut self,
        position: Position,
        wanted: Wanted,
        ask: &mut Ask<'_>,
        effort: &mut Effort,
        end: Effort,
    ) -> Option<Value> {
        let mut watched = ask.watched();
        let continues = watched.as_mut().map(|it| it as &mut dyn FnMut(u64) -> bool);
        match self {
            Self::Lines(it) => it.value(position, wanted, continues, effort, end),
            Self::Discs(it) => it.value(position, wanted, continues, effort, end),
            Self::Outcomes(it) => it.outcome(position, &mut Bounded { continues, effort, end }).map(Value::from),
        }
    }

    /// The best move of `position`, whose `value` was just found: the position that it leads to. `None` if there is no move, or if the search
    /// stops.
    pub(super) fn best(
        &mut self,
        position: Position,
        value: Value,
        ask: &mut Ask<'_>,
        (effort, end): (&mut Effort, Effort),
    ) -> Option<Position> {
        let continues = ask.continues.as_mut().map(|it| &mut **it as &mut dyn FnMut(u64) -> bool);
        match self {
            Self::Discs(it) => it.best(),
            Self::Lines(it) => it.best(position, value, continues, effort, end),
            Self::Outcomes(it) => it.best(position, value.outcome, &mut Bounded { continues, effort, end }),
        }
    }
}
