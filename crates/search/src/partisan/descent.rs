//! The search: does the player to move win a sum of parts?
//!
//! ```text
//! sum of parts and a player to move:
//!     parts that are small enough: their values, which are added
//!     no part left: the value compared with 0
//!     the most moves that each player can make in the parts left, if they settle it
//!     each move in a part, and each option of the value: the sum after it, those first that look best
//! ```
//!
//! A player who has another move need not move in a number (number avoidance; Winning Ways, chapter 6), so these moves come last. The parts
//! left may be numbers as well, so the moves are not left out.

use std::cmp::{Ordering, Reverse};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use tablegen_cgt::Value;

use super::sum::{Open, Sum};
use super::values::Values;
use crate::budget::Budget;
use crate::parts::{Part, after, is_legal};
use crate::rules::Move;

/// The sums that are known to be won or lost for the player to move, at most so many of them.
pub(super) struct Memory {
    won: FxHashMap<u128, bool>,
    most: usize,
}

impl Memory {
    /// Bytes of an entry while the map doubles.
    const ENTRY: usize = 96;

    /// Memory of at most `bytes` bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self { won: FxHashMap::default(), most: bytes / Self::ENTRY }
    }

    fn store(&mut self, key: u128, is_won: bool) {
        // Forgetting everything is rare, and needs no further memory.
        if self.won.len() >= self.most {
            self.won.clear();
        }
        self.won.insert(key, is_won);
    }
}

/// A search of one game.
pub(super) struct Descent<'a, 'b> {
    pub(super) moves: &'a [Move],
    /// The most moves of a part whose value is computed at once.
    pub(super) few_moves: usize,
    pub(super) values: &'a mut Values,
    pub(super) memory: &'a mut Memory,
    pub(super) budget: &'a mut Budget<'b>,
}

/// A sum after a move.
struct Child {
    sum: Sum,
    /// True if the move was made in a number.
    is_late: bool,
    score: i64,
}

/// The moves of a sum, or that one of them is known to win.
enum Children {
    Open(Vec<Child>),
    Won,
}

impl Descent<'_, '_> {
    /// The most moves of a part whose value is computed. Long searches compute values of larger parts.
    pub(super) const fn most_moves(&self) -> usize {
        let doublings = (self.budget.effort.expanded | 1).ilog2() as usize;
        self.few_moves + 2 * doublings
    }

    /// The sum of `parts`. `None` if the search stops.
    pub(super) fn sum_of(&mut self, parts: Vec<Part>) -> Option<Sum> {
        let mut sum = Sum::default();
        self.add(&mut sum, parts)?;
        Some(sum)
    }

    /// Adds `parts` to `sum`. `None` if the search stops.
    fn add(&mut self, sum: &mut Sum, parts: Vec<Part>) -> Option<()> {
        for part in parts {
            match self.value_of(&part)? {
                Some(value) => self.add_value(sum, value),
                None => sum.open.push(Rc::new(Open::new(self.moves, part))),
            }
        }
        Some(())
    }

    fn add_value(&mut self, sum: &mut Sum, mut value: Value) {
        let mut at = 0;
        while at < sum.values.len() {
            match self.values.sum(sum.values[at], value) {
                Some(both) => {
                    sum.values.swap_remove(at);
                    (value, at) = (both, 0);
                }
                None => at += 1,
            }
        }
        if value != Value::ZERO {
            sum.values.push(value);
        }
    }

    /// Whether `sum` is won for the player to move, who is that of `mode`, if that is known without a search.
    pub(super) fn known(&mut self, sum: &Sum, mode: usize) -> Option<bool> {
        self.settled(sum, mode).or_else(|| self.memory.won.get(&sum.key(mode)).copied())
    }

    /// Whether `sum` is won, if values and numbers of moves settle it.
    fn settled(&mut self, sum: &Sum, mode: usize) -> Option<bool> {
        let value = match sum.values[..] {
            [] => Value::ZERO,
            [value] => value,
            _ => return None,
        };
        if sum.open.is_empty() {
            let lost = [Ordering::Less, Ordering::Greater][mode];
            let sign = self.values.calculator.store().sign(value);
            return Some(sign.is_none_or(|sign| sign != Ordering::Equal && sign != lost));
        }
        // The open parts are at least minus the most moves of mode 1, and at most the most moves of mode 0.
        let calculator = &mut self.values.calculator;
        let mut at_most = |bound: Option<u32>, sign: i64| {
            let bound = calculator.integer(sign * i64::from(bound?)).ok()?;
            (if mode == 0 { calculator.at_most(value, bound) } else { calculator.at_most(bound, value) }).ok()
        };
        let sign = [1, -1][mode];
        match at_most(sum.most(1 - mode), sign) {
            Some(false) => Some(true),
            _ => at_most(sum.most(mode), -sign).filter(|&is_lost| is_lost).map(|_| false),
        }
    }

    /// Whether `sum` is won for the player to move, who is that of `mode`. `None` if the search stops.
    pub(super) fn is_won(&mut self, sum: &Sum, mode: usize) -> Option<bool> {
        if let Some(known) = self.known(sum, mode) {
            return Some(known);
        }
        self.budget.count()?;
        let is_won = match self.children(sum, mode)? {
            Children::Won => true,
            Children::Open(mut children) => {
                children.sort_by_key(|child| (child.is_late, Reverse(child.score)));
                let mut is_won = false;
                for child in children {
                    is_won = !self.is_won(&child.sum, 1 - mode)?;
                    if is_won {
                        break;
                    }
                }
                is_won
            }
        };
        self.memory.store(sum.key(mode), is_won);
        Some(is_won)
    }

    /// The sums after each move of the player of `mode` that may win.
    fn children(&mut self, sum: &Sum, mode: usize) -> Option<Children> {
        let mut children = Vec::new();
        for (at, open) in sum.open.iter().enumerate() {
            if sum.open[..at].iter().any(|other| other.part.key == open.part.key) {
                continue;
            }
            for &number in &open.part.moves {
                let m = &self.moves[number as usize];
                if usize::from(m.mode.0) != mode || !is_legal(m, open.part.board) {
                    continue;
                }
                let parts = self.divided(&open.part, after(m, open.part.board))?;
                let mut to = sum.without_open(at);
                self.add(&mut to, parts)?;
                self.count_steps()?;
                if self.enter(&mut children, to, mode, false) {
                    return Some(Children::Won);
                }
            }
        }
        for (at, &value) in sum.values.iter().enumerate() {
            let store = self.values.calculator.store();
            let (lefts, rights) = store.options(value);
            let (options, is_late) = (if mode == 0 { lefts } else { rights }.to_vec(), store.is_number(value));
            for option in options {
                let mut to = sum.without_value(at);
                self.add_value(&mut to, option);
                self.count_steps()?;
                if self.enter(&mut children, to, mode, is_late) {
                    return Some(Children::Won);
                }
            }
        }
        Some(Children::Open(children))
    }

    /// Adds the sum after a move of the player of `mode`, unless it is known. Returns whether the move is known to win.
    fn enter(&mut self, children: &mut Vec<Child>, sum: Sum, mode: usize, is_late: bool) -> bool {
        match self.known(&sum, 1 - mode) {
            Some(is_won) => !is_won,
            None => {
                let score = self.score(&sum, mode);
                children.push(Child { sum, is_late, score });
                false
            }
        }
    }

    /// A guess of how good `sum` is for the player of `mode`, who has just moved.
    fn score(&mut self, sum: &Sum, mode: usize) -> i64 {
        let calculator = &mut self.values.calculator;
        // The other player moves first.
        let stop = |value: &Value| {
            let stops = calculator.stops(*value);
            if mode == 0 { stops.right.floor() } else { stops.left.floor() }
        };
        let score = sum.values.iter().map(stop).sum::<i64>() + i64::from(sum.lead());
        if mode == 0 { score } else { -score }
    }
}
