//! Exact search with a memory: the value of one position, of any rules, without a table.
//!
//! The oracle that tables are held against, and the answer to positions no table holds. It shares no code with the
//! solvers: it reads the masks of the rules itself and never calls [`Rules::step`](crate::rules::Rules::step) or what
//! that is made of, so that a mistake there cannot hide here.
//!
//! ```
//! use tablegen::rules::{Board, Move, Node, Outcome, Position, RulesSpec};
//! use tablegen::solve::Search;
//!
//! // Fill one or two neighbours of four squares in a row; who fills the last square wins.
//! let fills = [0b1000, 0b1100, 0b0100, 0b0110, 0b0010, 0b0011, 0b0001];
//! let rules = RulesSpec { moves: fills.map(|f| Move::fill(Board(f))).to_vec(), ..RulesSpec::new("row-4", 4) }.build()?;
//! let mut search = Search::new(&rules);
//! assert_eq!(search.outcome(Node::from(Position::of(Board::EMPTY)))?, Outcome::Win);
//! assert_eq!(search.outcome(Node::from(Position::of(Board(0b0110))))?, Outcome::Loss);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use rustc_hash::FxHashMap;

use crate::rules::{Board, Move, Node, Outcome, Position, Rules, Start};

/// What else is known to a search: the value of some positions, and a guess at others.
pub trait Guide {
    /// The outcome of `position` if it is known for certain, from a table for instance. It is believed.
    fn known(&mut self, position: Position) -> Option<Outcome> {
        let _ = position;
        None
    }

    /// Whether it guesses at all; one that does not is spared the sorting.
    fn estimates(&self) -> bool {
        false
    }

    /// What `position` probably is for the player to move there. Replies estimated as losses are tried first; nothing
    /// else depends on it.
    fn estimate(&mut self, position: Position) -> Option<Outcome> {
        let _ = position;
        None
    }
}

/// Nothing else is known.
impl Guide for () {}

/// A [`Guide`] that knows outcomes and guesses none.
pub struct Known<F>(pub F);

impl<F: FnMut(Position) -> Option<Outcome>> Guide for Known<F> {
    fn known(&mut self, position: Position) -> Option<Outcome> {
        (self.0)(position)
    }
}

/// The answer of a search that reached its limit: not known. What it found on the way is kept, so that asking again
/// goes on from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not known: the search stopped at its limit of {limit} positions")]
pub struct LimitReached {
    /// The limit: positions it may expand for one question.
    pub limit: u64,
}

/// A search of one game. It remembers every value it found, so that related questions cost little.
///
/// A position found takes some 20 to 40 bytes; [`limit`](Self::limit) bounds time and memory.
pub struct Search {
    /// Moves and ends by the mode they belong to.
    moves: Vec<Vec<Move>>,
    ends: Vec<Vec<(Board, Outcome)>>,
    terminal: Outcome,
    start: Start,
    limit: u64,
    expanded: u64,
    memory: FxHashMap<Position, Outcome>,
    /// The line of play being looked at. A move fills a cell, so it never has more than 65 frames.
    line: Vec<Frame>,
    /// Replies still to be looked at, those of each frame after those of the frame before.
    open: Vec<Position>,
}

/// A position on the line being looked at.
struct Frame {
    position: Position,
    /// The best of the replies seen so far, for the player to move here.
    best: Outcome,
    /// Index in `open` of its first reply; it takes replies from the end.
    first: usize,
}

impl Search {
    /// A search of `rules` without a limit.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        let mut moves = vec![Vec::new(); rules.modes().len()];
        let mut ends = vec![Vec::new(); rules.modes().len()];
        rules.moves().iter().for_each(|m| moves[usize::from(m.mode.0)].push(*m));
        rules.ends().iter().for_each(|end| ends[usize::from(end.mode.0)].push((end.pattern, end.outcome)));
        Self {
            moves,
            ends,
            terminal: rules.terminal(),
            start: rules.start().clone(),
            limit: u64::MAX,
            expanded: 0,
            memory: FxHashMap::default(),
            line: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The same search, expanding at most `positions` positions for each question.
    #[must_use]
    pub const fn limit(mut self, positions: u64) -> Self {
        self.limit = positions;
        self
    }

    /// Has the search expand at most `positions` positions for each question from now on.
    pub const fn set_limit(&mut self, positions: u64) {
        self.limit = positions;
    }

    /// Positions expanded for all questions so far.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The outcome of `node` for the player to move.
    ///
    /// # Errors
    /// [`LimitReached`] if the limit was reached first.
    pub fn outcome(&mut self, node: Node) -> Result<Outcome, LimitReached> {
        self.outcome_with(node, &mut ())
    }

    /// As [`outcome`](Self::outcome), with what `guide` knows. One search must be given guides that agree: what was
    /// concluded from leaves is remembered.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    ///
    /// # Panics
    /// If the rules have no such mode ([`Rules::has`](crate::rules::Rules::has) tells).
    pub fn outcome_with(&mut self, node: Node, guide: &mut impl Guide) -> Result<Outcome, LimitReached> {
        let end = self.expanded.saturating_add(self.limit);
        let choices = match (node, &self.start) {
            (Node::At(position), _) => return self.at(position, guide, end),
            (Node::Opening, Start::At(position)) => return self.at(*position, guide, end),
            (Node::Opening, Start::Opening(choices)) => choices.clone(),
        };
        let mut best = None;
        let mut unknown = None;
        for choice in choices {
            match self.at(choice, guide, end) {
                Ok(Outcome::Loss) => return Ok(Outcome::Win),
                Ok(outcome) => best = best.max(Some(outcome.flip())),
                Err(limit) => unknown = Some(limit),
            }
        }
        unknown.map_or(Ok(best.unwrap_or(self.terminal)), Err)
    }

    /// The outcome of one position, `end` being how far `expanded` may count.
    ///
    /// ```text
    /// expand the position: every reply whose value is known at once is taken into its best, the others are open
    /// until the line is empty:
    ///     if the last of the line has won or has no open reply: it is known; tell the one before it
    ///     else take an open reply: known by now, or expanded and put on the line
    /// ```
    fn at(&mut self, position: Position, guide: &mut impl Guide, end: u64) -> Result<Outcome, LimitReached> {
        self.line.clear();
        self.open.clear();
        if let Some(outcome) = self.known(position, guide) {
            return Ok(outcome);
        }
        self.expand(position, guide, end)?;
        let mut found = Outcome::Loss;
        while let Some(frame) = self.line.last_mut() {
            if frame.best < Outcome::Win && self.open.len() > frame.first {
                let reply = self.open.remove(self.open.len() - 1);
                match self.memory.get(&reply) {
                    Some(outcome) => frame.best = frame.best.max(outcome.flip()),
                    None => self.expand(reply, guide, end)?,
                }
                continue;
            }
            found = frame.best;
            self.memory.insert(frame.position, found);
            self.open.truncate(frame.first);
            self.line.pop();
            if let Some(before) = self.line.last_mut() {
                before.best = before.best.max(found.flip());
            }
        }
        Ok(found)
    }

    /// The outcome of `position`, if that takes no looking ahead.
    fn known(&self, position: Position, guide: &mut impl Guide) -> Option<Outcome> {
        self.memory.get(&position).copied().or_else(|| guide.known(position)).or_else(|| {
            let ends = &self.ends[usize::from(position.mode.0)];
            ends.iter().find(|(pattern, _)| position.board.0 & pattern.0 == pattern.0).map(|&(_, outcome)| outcome)
        })
    }

    /// Puts `position`, of which nothing is known yet, on the line.
    fn expand(&mut self, position: Position, guide: &mut impl Guide, end: u64) -> Result<(), LimitReached> {
        if self.expanded >= end {
            return Err(LimitReached { limit: self.limit });
        }
        self.expanded += 1;
        let board = position.board.0;
        let first = self.open.len();
        let mut best = None;
        for m in &self.moves[usize::from(position.mode.0)] {
            if board & m.empty.0 != 0 || !board & m.full.0 != 0 {
                continue;
            }
            let reply = Position { mode: m.next, board: Board(board | m.fills.0) };
            match self.known(reply, guide) {
                Some(outcome) => best = best.max(Some(outcome.flip())),
                None => self.open.push(reply),
            }
            if best == Some(Outcome::Win) {
                break;
            }
        }
        let best = match best {
            Some(best) => best,
            None if self.open.len() == first => self.terminal,
            // Every reply is open: whatever they turn out to be is at least this.
            None => Outcome::Loss,
        };
        // Taken from the end: the most promising reply stands last, those that promise the same in the game's order.
        self.open[first..].reverse();
        if guide.estimates() {
            self.open[first..].sort_by_cached_key(|&reply| match guide.estimate(reply) {
                Some(Outcome::Win) => 0,
                Some(Outcome::Draw) => 1,
                None => 2,
                Some(Outcome::Loss) => 3,
            });
        }
        self.line.push(Frame { position, best, first });
        Ok(())
    }
}
