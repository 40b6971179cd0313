//! What the ends of play are worth.

use super::word::Word;
use crate::rules::{Board, End, Outcome, Terminal};

/// The number of an outcome for the player to move.
pub(super) const fn sign_of(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Loss => -1,
        Outcome::Draw => 0,
        Outcome::Win => 1,
    }
}

/// A pattern that ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ending<W> {
    pub(super) pattern: W,
    /// The cells that must be empty.
    pub(super) empty: W,
    /// The points of the player to move; -1, 0 or 1 where a player wins whatever the points are.
    worth: i16,
    /// 1 more than the number of the [`Margin`] that counts; 0 if none does.
    margin: u16,
}

/// Pieces that are counted at the end: those of the player to move, and those of the other player.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Margin<W> {
    own: W,
    other: W,
}

impl<W: Word> Margin<W> {
    fn on(&self, board: W) -> i32 {
        (board & self.own).count() as i32 - (board & self.other).count() as i32
    }

    /// The number of a margin in `margins`, to which it is added if it is new.
    fn number(margins: &mut Vec<Self>, own: Board, other: Board) -> u16 {
        let margin = Self { own: W::of_board(own), other: W::of_board(other) };
        let found = margins.iter().position(|it| *it == margin);
        let number = found.unwrap_or_else(|| {
            margins.push(margin);
            margins.len() - 1
        });
        number as u16
    }
}

impl<W: Word> Ending<W> {
    /// The end in words; its margin is added to `margins`.
    pub(super) fn new(end: &End, margins: &mut Vec<Margin<W>>) -> Self {
        let (worth, margin) = match end.outcome {
            Terminal::Always(outcome) => (sign_of(outcome) as i16, 0),
            Terminal::Points(points) => (points, 0),
            Terminal::Most { own, other } => (0, 1 + Margin::number(margins, own, other)),
        };
        Self { pattern: W::of_board(end.pattern), empty: W::of_board(end.empty), worth, margin }
    }

    #[inline]
    pub(super) fn matches(&self, board: W) -> bool {
        board.contains(self.pattern) && (board & self.empty).is_empty()
    }

    /// Who wins, if it is the same on every board.
    pub(super) fn sign(&self) -> Option<i32> {
        (self.margin == 0).then(|| i32::from(self.worth).signum())
    }

    /// What the end is worth on `board`.
    #[inline]
    pub(super) fn worth(&self, margins: &[Margin<W>], board: W) -> i32 {
        let margin = usize::from(self.margin).checked_sub(1).map_or(0, |number| margins[number].on(board));
        i32::from(self.worth) + margin
    }
}
