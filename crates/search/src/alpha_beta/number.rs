//! Conditions on numbers of pieces, and ends by them.

use super::ending::sign_of;
use super::word::Word;
use crate::rules::{Count, CountEnd, Mode, Move, Rules};

/// A condition on the number of filled cells among some cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Number<W> {
    cells: W,
    least: u32,
    most: u32,
}

impl<W: Word> Number<W> {
    fn new(count: &Count) -> Self {
        Self { cells: W::of_board(count.cells), least: count.least.into(), most: count.most.into() }
    }

    /// The condition of `m`, a move of `rules`; `None` if it has none.
    pub(super) fn of(rules: &Rules, m: &Move) -> Option<Self> {
        m.when.map(|number| Self::new(&rules.spec().counts[usize::from(number)]))
    }

    /// Returns whether `board` has such a number of filled cells.
    #[inline]
    pub(super) fn fits(&self, board: W) -> bool {
        let filled = (board & self.cells).count();
        self.least <= filled && filled <= self.most
    }
}

/// A number of pieces that ends the game.
pub(super) struct NumberEnd<W> {
    pub(super) number: Number<W>,
    /// -1, 0 or 1 for the player to move.
    pub(super) worth: i32,
}

impl<W: Word> NumberEnd<W> {
    /// The numbers of pieces that end the game in `mode`; the first that fits decides, before any pattern.
    pub(super) fn all(rules: &Rules, mode: Mode) -> Vec<Self> {
        let ends = rules.spec().count_ends.iter().filter(|end| end.mode == mode);
        ends.map(|CountEnd { count, outcome, .. }| Self { number: Number::new(count), worth: sign_of(*outcome) })
            .collect()
    }
}
