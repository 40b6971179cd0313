//! Exact search with memory: the outcome of one position under any rules, without a table.
//!
//! This is the independent search that tables are compared with, and the source of answers for positions that no table
//! holds. It shares no code with the solvers. It reads the masks of the rules itself, and never calls
//! [`step`](tablegen_labels::step()) or the functions that `step` uses. So a mistake there cannot go unnoticed here.
//!
//! ```
//! # mod tablegen { pub use tablegen_rules as rules; pub mod search { pub use tablegen_search::*; } }
//! use tablegen::rules::{Board, Move, Node, Outcome, Position, RulesSpec};
//! use tablegen::search::Search;
//!
//! // Fill one or two neighbours of four squares in a row; the player who fills the last square wins.
//! let fills = [0b1000, 0b1100, 0b0100, 0b0110, 0b0010, 0b0011, 0b0001];
//! let rules = RulesSpec { moves: fills.map(|f| Move::fill(Board::from_word(f))).to_vec(), ..RulesSpec::new("row-4", 4) }.build()?;
//! let mut search = Search::new(&rules);
//! assert_eq!(search.outcome(Node::from(Position::of(Board::EMPTY)))?, Outcome::Win);
//! assert_eq!(search.outcome(Node::from(Position::of(Board::from_word(0b0110))))?, Outcome::Loss);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use rustc_hash::FxHashMap;

use super::masks::Masks;
use crate::rules::{Node, Outcome, Position, Rules, Start};

/// Additional knowledge for a search: the values of some positions, and estimates of others.
pub trait Guide {
    /// The outcome of `position` if it is known for certain, for instance from a table. The search trusts it.
    fn known(&mut self, position: Position) -> Option<Outcome> {
        let _ = position;
        None
    }

    /// True if the guide makes estimates; if it does not, the search skips sorting.
    fn estimates(&self) -> bool {
        false
    }

    /// The probable outcome of `position` for the player to move there. Replies estimated as losses are tried first;
    /// nothing else depends on it.
    fn estimate(&mut self, position: Position) -> Option<Outcome> {
        let _ = position;
        None
    }
}

/// A guide without any knowledge.
impl Guide for () {}

/// A [`Guide`] that knows outcomes and makes no estimates.
pub struct Known<F>(pub F);

impl<F: FnMut(Position) -> Option<Outcome>> Guide for Known<F> {
    fn known(&mut self, position: Position) -> Option<Outcome> {
        (self.0)(position)
    }
}

/// Work that a limit allows for each of its positions, in tests of a move or of a terminal pattern against a position.
/// Positions of games with hundreds of moves take less. With thousands of moves, the work limit is reached first, so
/// that the limit bounds time too.
pub(super) const WORK: u64 = 2048;
/// The work of looking up whether the value of a reply is known.
pub(super) const LOOK_UP: u64 = 16;

/// The result of a search that reached its limit: the outcome is not known. The search keeps the values it found, so
/// a repeated call continues from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "not known: the search reached its limit of {limit} positions, or of the work that {limit} positions usually take"
)]
pub struct LimitReached {
    /// The limit: the maximum number of positions expanded per call.
    pub limit: u64,
}

/// A search of one game. It remembers every value it finds, so related calls cost little.
///
/// A remembered position takes about 20 to 40 bytes; [`limit`](Self::limit) bounds time and memory.
pub struct Search {
    masks: Masks,
    start: Start,
    /// True if no position can repeat and moves gain no points. Otherwise nothing is expanded: a search would have to see all play at once, or
    /// to know scores.
    ends: bool,
    limit: u64,
    /// The effort of all calls so far.
    effort: Effort,
    memory: FxHashMap<Position, Outcome>,
    /// The current line of play, never longer than the rules have levels.
    line: Vec<Frame>,
    /// Replies not yet examined, frame by frame.
    open: Vec<Reply>,
}

/// A position after a move, and whether the same player moves again there.
type Reply = (Position, bool);

/// The outcome for the player who makes a move after which the player to move has `outcome`.
const fn for_mover(is_again: bool, outcome: Outcome) -> Outcome {
    if is_again { outcome } else { outcome.flip() }
}

/// A position on the current line.
struct Frame {
    position: Position,
    /// True if the move that led here lets the same player move again.
    is_again: bool,
    /// The best outcome of the replies examined so far, for the player to move here.
    best: Outcome,
    /// The index in `open` of its first reply. The search examines replies from the end.
    first: usize,
}

/// The effort of a search, or the effort at which a call stops.
#[derive(Clone, Copy, Default)]
pub(super) struct Effort {
    /// Positions expanded.
    pub(super) expanded: u64,
    /// Work done, see [`WORK`].
    pub(super) work: u64,
}

impl Effort {
    /// The effort at which a call with this limit stops.
    pub(super) const fn end(self, limit: u64) -> Self {
        let work = self.work.saturating_add(limit.saturating_mul(WORK));
        Self { expanded: self.expanded.saturating_add(limit), work }
    }

    /// The effort at which a call stops that must stop at both.
    pub(super) fn least(self, other: Self) -> Self {
        Self { expanded: self.expanded.min(other.expanded), work: self.work.min(other.work) }
    }

    /// Both together.
    pub(super) const fn plus(self, other: Self) -> Self {
        Self { expanded: self.expanded.saturating_add(other.expanded), work: self.work.saturating_add(other.work) }
    }

    /// What this is more than `other`.
    pub(super) const fn minus(self, other: Self) -> Self {
        Self { expanded: self.expanded.saturating_sub(other.expanded), work: self.work.saturating_sub(other.work) }
    }

    pub(super) const fn reaches(self, end: Self) -> bool {
        self.expanded >= end.expanded || self.work >= end.work
    }

    /// The number of positions expanded, or the number that usually takes the same work, if that is more.
    pub(super) const fn spent(self) -> u64 {
        let worked = self.work / WORK;
        if worked > self.expanded { worked } else { self.expanded }
    }
}

/// The outcome of `node` in a game with this `start`, given the outcomes of positions.
pub(super) fn of_node(
    node: Node,
    start: Start,
    mut at: impl FnMut(Position) -> Result<Outcome, LimitReached>,
) -> Result<Outcome, LimitReached> {
    let choices = match (node, start) {
        (Node::At(position), _) | (Node::Opening, Start::At(position)) => return at(position),
        (Node::Opening, Start::Opening(choices)) => choices,
    };
    let (mut best, mut unknown) = (None, None);
    for choice in choices {
        match at(choice) {
            Ok(Outcome::Loss) => return Ok(Outcome::Win),
            Ok(outcome) => best = best.max(Some(outcome.flip())),
            Err(limit) => unknown = Some(limit),
        }
    }
    unknown.map_or(Ok(best.unwrap_or(Outcome::Loss)), Err)
}

impl Search {
    /// A search of `rules` without a limit.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self {
            masks: Masks::new(rules),
            start: rules.start().clone(),
            ends: rules.potential().is_some() && !rules.has_gains(),
            limit: u64::MAX,
            effort: Effort::default(),
            memory: FxHashMap::default(),
            line: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The same search, expanding at most `positions` positions per call; fewer if each has thousands of moves, so that
    /// the limit bounds the work as well.
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

    /// The part of limits that all calls so far have used. It is the number of positions expanded, or the number that
    /// usually takes the same work, if that is more.
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.effort.spent()
    }

    /// The outcome of `node` for the player to move.
    ///
    /// # Errors
    /// [`LimitReached`] if the limit is reached first, and in a game in which positions may repeat or moves gain points.
    pub fn outcome(&mut self, node: Node) -> Result<Outcome, LimitReached> {
        self.outcome_with(node, &mut ())
    }

    /// Like [`outcome`](Self::outcome), with additional knowledge from `guide`. All guides given to one search must
    /// agree, because the search remembers what it concluded from them.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    ///
    /// # Panics
    /// If the rules lack that mode ([`Rules::has`](crate::rules::Rules::has) checks this).
    pub fn outcome_with(&mut self, node: Node, guide: &mut impl Guide) -> Result<Outcome, LimitReached> {
        let end = self.effort.end(self.limit);
        of_node(node, self.start.clone(), |position| self.at(position, guide, end))
    }

    /// The outcome of one position; the search stops at `end`.
    ///
    /// ```text
    /// expand the position: each reply with a known value updates its best value, the other replies are open
    /// until the line is empty:
    ///     if the last position of the line is won or has no open reply: its value is known; update the position before it
    ///     else take an open reply: use its value if known by now, or expand it and append it to the line
    /// ```
    fn at(&mut self, position: Position, guide: &mut impl Guide, end: Effort) -> Result<Outcome, LimitReached> {
        self.line.clear();
        self.open.clear();
        if let Some(outcome) = self.known(position, guide) {
            return Ok(outcome);
        }
        self.expand((position, false), guide, end)?;
        let mut found = Outcome::Loss;
        while let Some(frame) = self.line.last_mut() {
            if frame.best < Outcome::Win && self.open.len() > frame.first {
                let reply = self.open.remove(self.open.len() - 1);
                match self.memory.get(&reply.0) {
                    Some(&outcome) => frame.best = frame.best.max(for_mover(reply.1, outcome)),
                    None => self.expand(reply, guide, end)?,
                }
                continue;
            }
            found = frame.best;
            let is_again = frame.is_again;
            self.memory.insert(frame.position, found);
            self.open.truncate(frame.first);
            self.line.pop();
            if let Some(before) = self.line.last_mut() {
                before.best = before.best.max(for_mover(is_again, found));
            }
        }
        Ok(found)
    }

    /// The outcome of `position`, if it is known without looking ahead.
    fn known(&self, position: Position, guide: &mut impl Guide) -> Option<Outcome> {
        let known = self.memory.get(&position).copied().or_else(|| guide.known(position));
        known.or_else(|| self.masks.ended(position).map(|ending| ending.outcome))
    }

    /// Appends `position`, whose value is not known yet, to the line.
    fn expand(&mut self, reply: Reply, guide: &mut impl Guide, end: Effort) -> Result<(), LimitReached> {
        if !self.ends || self.effort.reaches(end) {
            return Err(LimitReached { limit: self.limit });
        }
        let (position, is_again) = reply;
        self.effort.expanded += 1;
        let first = self.open.len();
        let mut best = None;
        let [moves, _] = self.masks.tests(position);
        self.effort.work += moves;
        for reply in self.masks.replies(position) {
            let [_, ends] = self.masks.tests(reply.to);
            self.effort.work += LOOK_UP + ends;
            match self.known(reply.to, guide) {
                Some(outcome) => best = best.max(Some(for_mover(reply.again, outcome))),
                None => self.open.push((reply.to, reply.again)),
            }
            if best == Some(Outcome::Win) {
                break;
            }
        }
        let best = match best {
            Some(best) => best,
            None if self.open.len() == first => self.masks.terminal(position).outcome,
            // Every reply is still open, and the value is at least this.
            None => Outcome::Loss,
        };
        // The search examines replies from the end, so the most promising one comes last; equally promising replies are tried
        // in the game's own order.
        self.open[first..].reverse();
        if guide.estimates() {
            self.open[first..].sort_by_cached_key(|&(reply, _)| match guide.estimate(reply) {
                Some(Outcome::Win) => 0,
                Some(Outcome::Draw) => 1,
                None => 2,
                Some(Outcome::Loss) => 3,
            });
        }
        self.line.push(Frame { position, is_again, best, first });
        Ok(())
    }
}
