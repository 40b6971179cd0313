//! A strong search for the outcome of one position without a table.
//!
//! [`AlphaBeta`] answers any two-player game in which positions cannot repeat, and other games as long as they cannot: positions of
//! phases in which they may ([`Phases`](crate::rules::Phases)) must be known, for instance from a table. The plain search
//! [`Search`](super::Search) is its reference implementation. It is much faster where it matters: it looks only at
//! positions that can change the outcome, finds moves and wins at once with masks, tries promising moves first, and
//! remembers bounds in a table of fixed size, which it keeps across calls.

mod absent;
mod compiled;
mod descent;
mod number;
mod order;
mod patterns;
mod race;
mod shape;
mod table;
mod taking;
#[cfg(test)]
pub(super) mod tests;
mod turning;
mod word;

use compiled::Compiled;
use descent::{Ask, Child, Descent};
use order::Order;
use table::Table;
use word::Word;

use super::LimitReached;
use super::outcome::{Effort, of_node};
use crate::rules::{Node, Outcome, Position, Rules, Start};

/// Maximum number of levels of play, which bounds the depth of the recursion.
const MOST_LEVELS: u32 = 1 << 10;

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
    form: Form,
    start: Start,
    limit: u64,
    effort: Effort,
}

enum Form {
    Narrow(Box<Prepared<u64>>),
    Wide(Box<Prepared<u128>>),
}

/// A game in words of one width.
struct Prepared<W> {
    rules: Compiled<W>,
    /// The rules for positions that contain a pattern of another mode, once there was one.
    any_board: Option<Compiled<W>>,
    source: Rules,
    table: Table<W>,
    order: Order,
    children: Vec<Child<W>>,
}

impl AlphaBeta {
    /// A search of `rules` with a transposition table of at most `bytes` bytes, without a limit. `None` if positions may
    /// repeat in every mode, if play can be very long, if moves gain points, if pieces are counted at a pattern, or if the table is too small
    /// for the board.
    #[must_use]
    pub fn new(rules: &Rules, bytes: usize) -> Option<Self> {
        let phases = rules.phases();
        // Where moves gain points, outcomes do not follow from each other.
        let is_fixed = rules.ends().iter().all(|end| end.outcome.fixed().is_some());
        if phases.all_repeat() || phases.longest() > MOST_LEVELS || rules.has_gains() || !is_fixed {
            return None;
        }
        let narrow = || Prepared::new(rules, bytes).map(|it| Form::Narrow(Box::new(it)));
        let wide = || Prepared::new(rules, bytes).map(|it| Form::Wide(Box::new(it)));
        let form = narrow().or_else(wide)?;
        Some(Self { form, start: rules.start().clone(), limit: u64::MAX, effort: Effort::default() })
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
        self.ask(node, &mut Ask { known: None, continues: None })
    }

    /// Like [`outcome`](Self::outcome). `known` gives the outcomes of positions that are known for certain, for instance from a
    /// table; all calls must agree. `continues` is called now and then with the number of positions expanded, and stops
    /// the search by returning `false`.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome), and if the search is stopped.
    pub fn outcome_with(
        &mut self,
        node: Node,
        known: Option<&mut dyn FnMut(Position) -> Option<Outcome>>,
        continues: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Outcome, LimitReached> {
        let known = known.map(|known| known as &mut dyn FnMut(Position) -> Option<Outcome>);
        self.ask(node, &mut Ask { known, continues: Some(continues) })
    }

    fn ask(&mut self, node: Node, ask: &mut Ask<'_>) -> Result<Outcome, LimitReached> {
        let Self { form, start, limit, effort } = self;
        let end = effort.end(*limit);
        of_node(node, start.clone(), |position| {
            let found = match form {
                Form::Narrow(prepared) => prepared.at(position, ask, effort, end),
                Form::Wide(prepared) => prepared.at(position, ask, effort, end),
            };
            found.ok_or(LimitReached { limit: *limit })
        })
    }
}

impl<W: Word> Prepared<W> {
    fn new(rules: &Rules, bytes: usize) -> Option<Self> {
        let table = Table::new(rules.cells(), rules.modes().len(), bytes)?;
        let compiled = Compiled::new(rules, false);
        let order = Order::new(&compiled, rules.cells());
        Some(Self { rules: compiled, any_board: None, source: rules.clone(), table, order, children: Vec::new() })
    }

    /// The outcome of `position`; `None` if `effort` reaches `end` first.
    fn at(&mut self, position: Position, ask: &mut Ask<'_>, effort: &mut Effort, end: Effort) -> Option<Outcome> {
        let (mode, board) = (usize::from(position.mode.0), W::of_board(position.board));
        let of = &self.rules.modes[mode];
        if let Some(value) = of.ended(board) {
            return Some(outcome_of(value));
        }
        let is_open = !of.absent.iter().any(|&pattern| board.contains(pattern));
        let rules =
            if is_open { &self.rules } else { self.any_board.get_or_insert_with(|| Compiled::new(&self.source, true)) };
        let ask = Ask {
            known: ask.known.as_mut().map(|known| &mut **known as &mut dyn FnMut(Position) -> Option<Outcome>),
            continues: ask.continues.as_mut().map(|continues| &mut **continues as &mut dyn FnMut(u64) -> bool),
        };
        let Self { table, order, children, .. } = self;
        let asks = ask.known.is_some() || rules.modes.iter().any(|of| of.may_repeat);
        let mut descent = Descent { rules, table, order, children, ask, asks, effort: *effort, end };
        let found = descent.value(mode, board).ok();
        *effort = descent.effort;
        found.map(outcome_of)
    }
}

const fn outcome_of(value: i8) -> Outcome {
    match value {
        1 => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    }
}
