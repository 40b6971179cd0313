//! The searches of special kinds of games.

use tablegen_labels::Value;

use crate::Wanted;
use crate::alpha_beta::Ask;
use crate::claims::Claims;
use crate::discs::Discs;
use crate::lines::Lines;
use crate::outcome::Effort;
use crate::partisan::Partisan;
use crate::rules::{Position, Rules};
use crate::sums::Sums;
use crate::threads::Threads;

/// A search of games of one kind.
pub(super) enum Special {
    Lines(Box<Lines>),
    Discs(Box<Discs>),
    Claims(Box<Claims>),
    Sums(Box<Sums>),
    Partisan(Box<Partisan>),
}

impl Special {
    /// The search that `rules` choose, with a table of at most `bytes` bytes; `None` if the rules are of no special kind.
    pub(super) fn new(rules: &Rules, bytes: usize) -> Option<Self> {
        let lines = || Lines::new(rules, bytes).map(|it| Self::Lines(Box::new(it)));
        let discs = || Discs::new(rules, bytes).map(|it| Self::Discs(Box::new(it)));
        let claims = || Claims::new(rules, bytes).map(|it| Self::Claims(Box::new(it)));
        let sums = || Sums::new(rules, bytes).map(|it| Self::Sums(Box::new(it)));
        let partisan = || Partisan::new(rules, bytes).map(|it| Self::Partisan(Box::new(it)));
        lines().or_else(discs).or_else(claims).or_else(sums).or_else(partisan)
    }

    pub(super) const fn set_threads(&mut self, threads: Threads) {
        match self {
            Self::Lines(it) => it.set_threads(threads.count),
            Self::Discs(it) => it.set_threads(threads.count),
            Self::Claims(it) => it.set_threads(threads),
            Self::Sums(_) | Self::Partisan(_) => {}
        }
    }

    pub(super) const fn offers(&self, wanted: Wanted) -> bool {
        match self {
            Self::Lines(it) => it.offers(wanted),
            Self::Discs(it) => it.offers(wanted),
            Self::Claims(_) | Self::Sums(_) | Self::Partisan(_) => matches!(wanted, Wanted::Outcome),
        }
    }

    /// Returns whether the search of any game may be faster, so that both take turns.
    pub(super) const fn takes_turns(&self) -> bool {
        matches!(self, Self::Partisan(_))
    }

    /// Returns whether the search answers this question. It does not ask what else is known.
    pub(super) fn answers(&self, position: Position, wanted: Wanted, ask: &Ask<'_>) -> bool {
        let has = match self {
            Self::Lines(it) => it.has(position),
            Self::Discs(it) => it.answers(position),
            Self::Claims(it) => it.has(position),
            Self::Sums(_) | Self::Partisan(_) => true,
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
            Self::Claims(it) => it.outcome(position, continues, effort, end).map(Value::from),
            Self::Sums(it) => it.outcome(position, continues, effort, end).map(Value::from),
            Self::Partisan(it) => it.outcome(position, continues, effort, end).map(Value::from),
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
            Self::Claims(it) => it.best(position, value.outcome, continues, effort, end),
            Self::Sums(it) => it.best(position, value.outcome, continues, effort, end),
            Self::Partisan(it) => it.best(position, value.outcome, continues, effort, end),
        }
    }
}
