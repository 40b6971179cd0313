//! A strong search for the value of one position without a table.
//!
//! [`AlphaBeta`] answers any two-player game in which positions cannot repeat, and other games as long as they cannot: positions of
//! phases in which they may ([`Phases`](crate::rules::Phases)) must be known, for instance from a table. The plain searches
//! [`Search`](super::Search) and [`LabelSearch`](super::LabelSearch) are its reference implementation. Games of special kinds have searches
//! of their own, which the rules choose.

mod special;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::cmp::Reverse;
use std::sync::Arc;

use tablegen_labels::{LabelKind, Value};

use super::alpha_beta::{Ask, General};
use super::outcome::{Effort, of_node};
use super::threads::Threads;
use super::turns::{Found, Turn, in_turns};
use super::{LimitReached, Wanted};
use crate::rules::{Node, Outcome, Position, Rules, Start};
use special::Special;

/// The part of the memory that the search of any game gets where a special search has the rest.
const PART_OF_GENERAL: usize = 4;
/// The positions that the search of any game expands in its first turn, before a search that takes turns with it.
const FIRST_TURN: u64 = 1 << 15;
/// The part of them in the turn of the other search, which usually takes 10 to 50 times as long for a position.
const PART_OF_TURN: u64 = 1 << 8;

/// What is known for certain of positions, for instance from a table: the value of a position with what is wanted, if that is known. All calls
/// must agree, because a search remembers what it concluded from them.
pub type KnownValues<'a> = dyn Fn(Position, Wanted) -> Option<Value> + Sync + 'a;

/// A search of one game by alpha-beta with a transposition table. Outcomes are exact.
///
/// ```
/// # mod tablegen { pub use tablegen_rules as rules; pub mod search { pub use tablegen_search::*; } }
/// use tablegen::rules::{Board, Move, Node, Outcome, RulesSpec};
/// use tablegen::search::AlphaBeta;
///
/// // Fill one or two neighbours of four squares in a row; the player who fills the last square wins.
/// let fills = [0b1000, 0b1100, 0b0100, 0b0110, 0b0010, 0b0011, 0b0001];
/// let rules = RulesSpec { moves: fills.map(|f| Move::fill(Board::from_word(f))).to_vec(), ..RulesSpec::new("row-4", 4) }.build()?;
/// let mut search = AlphaBeta::new(&rules, 1 << 20).expect("a game without repetition");
/// assert_eq!(search.outcome(Node::Opening)?, Outcome::Win);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AlphaBeta {
    rules: Arc<Rules>,
    bytes: usize,
    special: Option<Special>,
    /// True once a search that takes turns with that of any game has found what that one did not.
    is_ahead: bool,
    /// The search of any game. Where there is a special search, it is made when it is needed.
    general: Option<Box<General>>,
    limit: u64,
    effort: Effort,
    threads: Threads,
    /// The position that was asked last, what was wanted, and its value.
    last: Option<(Position, Wanted, Value)>,
    /// The best choice, if the first player's was asked last.
    best_choice: Option<Position>,
}

impl AlphaBeta {
    /// A search of `rules` with transposition tables of about `bytes` bytes, without a limit. `None` if positions may repeat in every mode, if
    /// play can be very long, if moves gain points where a search cannot count them, or if the tables are too small for the board.
    #[must_use]
    pub fn new(rules: &Rules, bytes: usize) -> Option<Self> {
        let special = Special::new(rules, bytes);
        let rules = Arc::new(rules.clone());
        let general = match special {
            Some(_) => None,
            None => Some(Box::new(General::new(&rules, bytes)?)),
        };
        Some(Self {
            rules,
            bytes,
            special,
            is_ahead: false,
            general,
            limit: u64::MAX,
            effort: Effort::default(),
            threads: Threads::ONE,
            last: None,
            best_choice: None,
        })
    }

    /// The same search by `threads` threads, where the game has a search that can use them. The values do not depend on them.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Threads::new(threads.max(1));
        if let Some(special) = &mut self.special {
            special.set_threads(self.threads);
        }
        self
    }

    /// The same search, expanding at most `positions` positions per call; fewer if each has thousands of moves.
    #[must_use]
    pub const fn limit(mut self, positions: u64) -> Self {
        self.limit = positions;
        self
    }

    /// Sets the limit to `positions` expanded positions per call from now on.
    pub const fn set_limit(&mut self, positions: u64) {
        self.limit = positions;
    }

    /// The number of positions expanded in all calls so far.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.effort.expanded
    }

    /// The part of limits that all calls so far have used, as [`Search::spent`](super::Search::spent).
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.effort.spent()
    }

    /// The outcome of `node` for the player to move.
    ///
    /// # Errors
    /// [`LimitReached`] if the limit is reached first, or if the outcome depends on positions that may repeat and are not known.
    pub fn outcome(&mut self, node: Node) -> Result<Outcome, LimitReached> {
        let stopped = Cell::new(false);
        self.outcome_of(node, 0, &mut Ask { known: None, continues: None, is_stopped: &stopped })
    }

    /// Like [`outcome`](Self::outcome), with what is [known](KnownValues) from elsewhere. `continues` is called now and then with the number of positions expanded, and stops
    /// the search by returning `false`.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome), and if the search is stopped.
    pub fn outcome_with(
        &mut self,
        node: Node,
        known: Option<&KnownValues<'_>>,
        continues: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Outcome, LimitReached> {
        let stopped = Cell::new(false);
        self.outcome_of(node, 0, &mut Ask { known, continues: Some(continues), is_stopped: &stopped })
    }

    /// The outcome of `node` for a player to move who has `lead` points more than the other. Where moves gain no points, a lead makes no
    /// difference.
    ///
    /// # Errors
    /// As [`outcome_with`](Self::outcome_with).
    pub fn outcome_with_lead(
        &mut self,
        node: Node,
        lead: i32,
        continues: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Outcome, LimitReached> {
        let stopped = Cell::new(false);
        self.outcome_of(node, lead, &mut Ask { known: None, continues: Some(continues), is_stopped: &stopped })
    }

    /// Returns whether [`value_with`](Self::value_with) can find what is `wanted`.
    #[must_use]
    pub fn offers(&self, wanted: Wanted) -> bool {
        let special = self.special.as_ref().is_some_and(|special| special.offers(wanted));
        special || self.general.as_ref().is_some_and(|general| general.offers(wanted)) || self.lacks_general(wanted)
    }

    /// Returns whether the search of any game was not made yet, and will offer what is `wanted`.
    fn lacks_general(&self, wanted: Wanted) -> bool {
        // Special searches are of games without gains and without repetition.
        let offered = match wanted {
            Wanted::Score => self.rules.counts_points() && self.rules.ends_by_points(),
            Wanted::Outcome | Wanted::Plies => true,
        };
        self.general.is_none() && offered
    }

    /// The value of `node` for the player to move: its outcome, and what is `wanted`. A draw has no plies where the search cannot tell
    /// them. `known` and `continues` are those of [`outcome_with`](Self::outcome_with). Afterwards, [`best_with`](Self::best_with) finds the best
    /// move.
    ///
    /// # Errors
    /// As [`outcome_with`](Self::outcome_with), and if the search does not [offer](Self::offers) what is `wanted`.
    pub fn value_with(
        &mut self,
        node: Node,
        wanted: Wanted,
        known: Option<&KnownValues<'_>>,
        continues: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Value, LimitReached> {
        let stopped = Cell::new(false);
        let ask = &mut Ask { known, continues: Some(continues), is_stopped: &stopped };
        let end = self.effort.end(self.limit);
        (self.last, self.best_choice) = (None, None);
        let found = if self.offers(wanted) { self.value_of(node, wanted, ask, end) } else { None };
        found.ok_or(LimitReached { limit: self.limit })
    }

    /// The best move of the node whose value [`value_with`](Self::value_with) has just found: the position that it leads to. Most of the work was
    /// done then. `known` and `continues` are as there. `None` if the game is over there, or if the search stops first.
    pub fn best_with(
        &mut self,
        known: Option<&KnownValues<'_>>,
        continues: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Position> {
        let Some((position, wanted, value)) = self.last else { return self.best_choice };
        if self.rules.is_over(position) {
            return None;
        }
        let stopped = Cell::new(false);
        let ask = &mut Ask { known, continues: Some(continues), is_stopped: &stopped };
        let end = self.effort.end(self.limit);
        self.by_either(
            self.is_special(position, wanted, ask),
            |general, ask, end| general.best(position, value, ask, end),
            |special, ask, bounds| special.best(position, value, ask, bounds),
            (ask, end),
        )
    }

    fn outcome_of(&mut self, node: Node, lead: i32, ask: &mut Ask<'_>) -> Result<Outcome, LimitReached> {
        let end = self.effort.end(self.limit);
        let start = self.rules.start().clone();
        of_node(node, start, |position| {
            let found = self.outcome_at(position, lead, ask, end);
            found.ok_or(LimitReached { limit: self.limit })
        })
    }

    fn outcome_at(&mut self, position: Position, lead: i32, ask: &mut Ask<'_>, end: Effort) -> Option<Outcome> {
        if self.is_special(position, Wanted::Outcome, ask) {
            return self.value_at(position, Wanted::Outcome, ask, end).map(|value| value.outcome);
        }
        self.by_general(|general| general.outcome(position, lead, ask, end))
    }

    fn value_of(&mut self, node: Node, wanted: Wanted, ask: &mut Ask<'_>, end: Effort) -> Option<Value> {
        let choices = match (node, self.rules.start()) {
            (Node::At(position), _) | (Node::Opening, &Start::At(position)) => {
                let value = self.value_at(position, wanted, ask, end)?;
                self.last = Some((position, wanted, value));
                return Some(value);
            }
            (Node::Opening, Start::Opening(choices)) => choices.clone(),
        };
        // The first player chooses, and hands over.
        let mut best: Option<Value> = None;
        for choice in choices {
            let value = self.value_at(choice, wanted, ask, end)?;
            let value = Value { outcome: value.outcome.flip(), ..value }
                .with_remoteness(value.remoteness().map(|plies| plies + 1))
                .with(LabelKind::Score, value.score().map(|score| -score));
            if best.is_none_or(|best| rank(value) > rank(best)) {
                (best, self.best_choice) = (Some(value), Some(choice));
            }
            if wanted == Wanted::Outcome && value.outcome == Outcome::Win {
                break;
            }
        }
        best
    }

    fn value_at(&mut self, position: Position, wanted: Wanted, ask: &mut Ask<'_>, end: Effort) -> Option<Value> {
        self.by_either(
            self.is_special(position, wanted, ask),
            |general, ask, end| general.value(position, wanted, ask, end),
            |special, ask, (effort, end)| special.value(position, wanted, ask, effort, end),
            (ask, end),
        )
    }

    /// Returns whether a special search answers this question.
    fn is_special(&self, position: Position, wanted: Wanted, ask: &Ask<'_>) -> bool {
        self.special.as_ref().is_some_and(|special| special.answers(position, wanted, ask))
    }

    /// What the special search finds if it answers this question, otherwise the search of any game. Both take turns if either may be faster.
    fn by_either<T>(
        &mut self,
        is_special: bool,
        by_general: impl Fn(&mut General, &mut Ask<'_>, Effort) -> Option<T>,
        by_special: impl Fn(&mut Special, &mut Ask<'_>, (&mut Effort, Effort)) -> Option<T>,
        (ask, end): (&mut Ask<'_>, Effort),
    ) -> Option<T> {
        if !is_special {
            return self.by_general(|general| by_general(general, ask, end));
        }
        let mut special = self.special.take()?;
        let found = if special.takes_turns() {
            self.with_turns(by_general, |ask, bounds| by_special(&mut special, ask, bounds), (ask, end))
        } else {
            by_special(&mut special, ask, (&mut self.effort, end))
        };
        self.special = Some(special);
        found
    }

    /// What the search of any game finds, or a special search, which gets turns now and then. They become longer.
    fn with_turns<T>(
        &mut self,
        by_general: impl Fn(&mut General, &mut Ask<'_>, Effort) -> Option<T>,
        mut by_special: impl FnMut(&mut Ask<'_>, (&mut Effort, Effort)) -> Option<T>,
        (ask, end): (&mut Ask<'_>, Effort),
    ) -> Option<T> {
        if self.is_ahead {
            let until = self.effort.end(FIRST_TURN).least(end);
            let found = by_special(ask, (&mut self.effort, until));
            if found.is_some() || ask.is_stopped() || self.effort.reaches(end) {
                return found;
            }
        }
        let mut length = FIRST_TURN;
        let plan = |done: u64| {
            let now = length / PART_OF_TURN;
            length *= 2;
            Turn { length: now, next: done + length }
        };
        let bounds = (self.effort, end);
        let Found { in_turn, by_first, spent } = in_turns(ask, bounds, FIRST_TURN, plan, &mut by_special, |ask| {
            self.by_general(|general| by_general(general, ask, end))
        });
        self.effort = self.effort.plus(spent);
        self.is_ahead |= in_turn.is_some();
        let found = in_turn.or(by_first);
        // Without a search of any game, the special one has the rest.
        if found.is_none() && !ask.is_stopped() && !self.effort.reaches(end) {
            return by_special(ask, (&mut self.effort, end));
        }
        found
    }

    /// What `find` finds by the search of any game, which is made if it is missing. `None` if it cannot be made.
    fn by_general<T>(&mut self, find: impl FnOnce(&mut General) -> Option<T>) -> Option<T> {
        if self.general.is_none() {
            self.general = General::new(&self.rules, self.bytes / PART_OF_GENERAL).map(Box::new);
        }
        let general = self.general.as_mut()?;
        (general.effort, general.threads) = (self.effort, self.threads);
        let found = find(general);
        self.effort = general.effort;
        found
    }

    /// The search of any game, whatever the rules are: for tests.
    #[cfg(test)]
    pub(crate) fn only_general(rules: &Rules, bytes: usize) -> Option<Self> {
        let rules = Arc::new(rules.clone());
        let general = Some(Box::new(General::new(&rules, bytes)?));
        let (effort, threads) = (Effort::default(), Threads::ONE);
        Some(Self {
            rules,
            bytes,
            special: None,
            is_ahead: false,
            general,
            limit: u64::MAX,
            effort,
            threads,
            last: None,
            best_choice: None,
        })
    }

    /// Returns whether the search of any game uses symmetries: for tests.
    #[cfg(test)]
    pub(crate) fn knows_symmetries(&self) -> bool {
        self.general.as_ref().is_some_and(|general| general.knows_symmetries())
    }

    /// The same search, which other threads join after `alone` positions: for tests.
    #[cfg(test)]
    pub(crate) const fn joined_after(mut self, alone: u64) -> Self {
        self.threads.alone = alone;
        self
    }

    /// Looks for symmetries at once: for tests.
    #[cfg(test)]
    pub(crate) fn with_symmetries(self) -> Self {
        self.general.iter().for_each(|general| general.find_symmetries());
        self
    }
}

/// A number that is greater for better values.
fn rank(value: Value) -> (Option<i32>, Outcome, Reverse<i64>) {
    let plies = i64::from(value.remoteness().unwrap_or(0));
    (value.score(), value.outcome, Reverse(if value.outcome == Outcome::Win { plies } else { -plies }))
}
