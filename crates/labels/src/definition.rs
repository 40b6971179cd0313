//! The definition of a label: a small algebra, and all that the rest of the program has to know about it.

use std::fmt::{Debug, Display};
use std::ops::ControlFlow;

use super::{About, LabelKind, Undefined, Width};
use crate::rules::{Ending, Outcome, Rules, Step};

/// A label as an algebra over the labels of the successors.
pub trait Label: Copy + Eq + Send + Sync + Debug + Display + Into<Outcome> {
    /// The kind of this label.
    const KIND: LabelKind;

    /// What the label is called, and what kind of label it is.
    const ABOUT: About;

    /// True if only successors that preserve the outcome of the position matter; a search can skip the others.
    const KEEPS_OUTCOME: bool = false;

    /// The state of a position whose successors are partly absorbed.
    type Partial: Copy + Send + Sync;

    /// The label of a position with a terminal pattern, where the game ends for the player to move as `ending` says.
    fn ended(ending: Ending) -> Self;

    /// The state before any successor is absorbed.
    fn none() -> Self::Partial;

    /// This label as the other player sees it: the opposite outcome, and equally many plies. A move after which the same player
    /// moves again absorbs the turned label of its successor.
    fn turned(self) -> Self;

    /// The label of a successor as the other player sees it, less the points of the move that leads there. Only scores know of points.
    fn gained(self, _gain: i16) -> Self {
        self
    }

    /// Absorbs the label of one successor. `Break` if no further successor can change the result of
    /// [`finish`](Self::finish).
    fn absorb(partial: &mut Self::Partial, successor: Self) -> ControlFlow<()>;

    /// The label of a position after its successors are absorbed; without successors, the game ends as `terminal` says.
    fn finish(partial: Self::Partial, terminal: Ending) -> Self;

    /// The number that represents the label in a table, with the number of bits that `width` gives: at most eight.
    fn encode(self, width: Width) -> u8;

    /// The label that `number` represents; `None` if it does not represent one.
    fn decode(number: u8, width: Width) -> Option<Self>;

    /// The label whose 16 bits in a table are `word`, of a position with `outcome`; `None` if no label has them. Remoteness of 16 bits does
    /// not tell the outcome; every other label does.
    fn of_word(_outcome: Outcome, word: u16) -> Option<Self> {
        Self::of_code(word, Width::Sixteen)
    }

    /// As [`encode`](Self::encode), for labels that may have 16 bits and tell the outcome.
    #[inline]
    fn code(self, width: Width) -> u16 {
        self.encode(width).into()
    }

    /// The label that [`code`](Self::code) represents as `code`; `None` if there is none.
    #[inline]
    fn of_code(code: u16, width: Width) -> Option<Self> {
        Self::decode(u8::try_from(code).ok()?, width)
    }

    /// The place of the label in the counts of labels of `width`. With one byte, it is the code.
    fn place(self, width: Width) -> usize {
        self.encode(width).into()
    }

    /// The label at a [place](Self::place) in the counts of labels of `width`; `None` if no label has it.
    fn at_place(place: usize, width: Width) -> Option<Self> {
        Self::decode(u8::try_from(place).ok()?, width)
    }

    /// The number of bits this label takes in a table of `rules`.
    fn width(_: &Rules) -> Width {
        Width::Eight
    }

    /// The number of [places](Self::place) in the counts of these labels in a table of `rules`.
    fn places(_: &Rules) -> usize {
        1 << 8
    }

    /// The reason why no game with `rules` has this label, as far as it follows from the rules.
    fn undefined(_: &Rules) -> Option<Undefined> {
        None
    }

    /// Which codes may stand for a label that is larger than a code can say. `None` if `rules` have no such labels.
    fn overflow(_: &Rules) -> Option<fn(u8) -> bool> {
        None
    }

    /// The label as a number in answers. `None` for outcomes, and for a draw by repetition.
    fn number(self) -> Option<i32>;

    /// The number of the move `step`, which leads to a position with `number`.
    fn of_move(number: i32, _step: &Step) -> i32 {
        number
    }

    /// The number of an opening, given the numbers of its choices, the best first.
    fn of_opening(choices: &mut dyn Iterator<Item = Option<i32>>) -> Option<i32>;
}
