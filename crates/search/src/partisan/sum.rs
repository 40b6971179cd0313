//! A sum: parts whose values are not known, and values.

use std::rc::Rc;

use tablegen_cgt::Value;

use crate::parts::{Part, is_legal, mixed};
use crate::rules::{Board, Move};

/// A part whose value is not known, and facts about it.
pub(super) struct Open {
    pub(super) part: Part,
    /// The most moves that each player can make in the part, whatever the other player does; `None` if the number is not known.
    most: [Option<u32>; 2],
    /// The number of legal moves of mode 0, minus that of mode 1.
    lead: i32,
}

impl Open {
    pub(super) fn new(moves: &[Move], part: Part) -> Self {
        let of =
            |mode: u16| part.moves.iter().map(move |&number| &moves[number as usize]).filter(move |m| m.mode.0 == mode);
        let count = |mode| of(mode).filter(|m| is_legal(m, part.board)).count() as i32;
        let lead = count(0) - count(1);
        let clears = [0, 1].into_iter().flat_map(of).any(|m| !m.clears.is_empty());
        let most = [0, 1].map(|mode| {
            // Each move fills some of the cells that it needs empty, and they stay filled.
            let filled = |m: &Move| m.fills & m.empty & !part.board;
            let Some(least) = of(mode).map(|m| filled(m).count()).min() else { return Some(0) };
            let all = of(mode).fold(Board::EMPTY, |all, m| all | filled(m));
            if clears { None } else { all.count().checked_div(least) }
        });
        Self { part, most, lead }
    }
}

/// The parts and values whose sum is a position. None of the values is 0, and no two of them can be added.
#[derive(Clone, Default)]
pub(super) struct Sum {
    pub(super) open: Vec<Rc<Open>>,
    pub(super) values: Vec<Value>,
}

impl Sum {
    /// A number that equal sums have if the player of `mode` is to move.
    pub(super) fn key(&self, mode: usize) -> u128 {
        let open = self.open.iter().map(|open| open.part.key);
        let values = self.values.iter().map(|value| mixed(u128::from(value.number()) | 1 << 64));
        mixed(open.chain(values).fold(mode as u128, u128::wrapping_add))
    }

    /// The most moves that the player of `mode` can make in all open parts together; `None` if the number is not known.
    pub(super) fn most(&self, mode: usize) -> Option<u32> {
        self.open.iter().map(|open| open.most[mode]).sum()
    }

    /// The number of legal moves of mode 0 in open parts, minus that of mode 1.
    pub(super) fn lead(&self) -> i32 {
        self.open.iter().map(|open| open.lead).sum()
    }

    /// The same sum without the open part at index `at`.
    pub(super) fn without_open(&self, at: usize) -> Self {
        let mut sum = self.clone();
        sum.open.swap_remove(at);
        sum
    }

    /// The same sum without the value at index `at`.
    pub(super) fn without_value(&self, at: usize) -> Self {
        let mut sum = self.clone();
        sum.values.swap_remove(at);
        sum
    }
}
