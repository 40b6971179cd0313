//! The misère nimber: the Grundy value in misère play, in which the player without a move wins.
//!
//! It is 1 in a position without a move, and otherwise the least number that no successor has (Conway, On Numbers and Games, chapter 12).
//! A player who moves first loses misère play exactly if it is 0. It depends on the moves alone, so a game has misère nimbers whether its
//! own rules are those of normal or of misère play. In misère play, sums do not follow from it as they do from nimbers in normal play.

use std::fmt;
use std::ops::ControlFlow;

use super::{About, Label, LabelKind, Nimber, Undefined, Width};
use crate::rules::{Ending, Outcome, Rules};

/// The Grundy value of a position in misère play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MisereNimber(pub u8);

impl Label for MisereNimber {
    const KIND: LabelKind = LabelKind::MisereNimber;
    const ABOUT: About = About {
        number: 4,
        name: "misere-nimber",
        key: "misere_nimber",
        noun: "misère nimber",
        help: "Grundy value in misere play",
        option: "Grundy value in misere play, for impartial games",
        summary: "misère nimbers: Grundy values in misère play",
        heading: "Misère nimbers",
        axis: "misère nimber (Grundy value in misère play)",
        impartial: true,
        // The outcome is that of misère play, whatever the rules of the game are.
        decides: false,
        // Few users need it.
        usual: false,
        ..About::USUAL
    };

    /// The numbers of the successors so far, as a set.
    type Partial = u128;

    /// 1: a position without a move. Rules with ends have no misère nimbers.
    fn ended(_: Ending) -> Self {
        Self(1)
    }

    fn none() -> u128 {
        0
    }

    /// The number itself, because no game in which a player moves again has misère nimbers.
    fn turned(self) -> Self {
        self
    }

    #[inline]
    fn absorb(taken: &mut u128, successor: Self) -> ControlFlow<()> {
        Nimber::absorb(taken, Nimber(successor.0))
    }

    #[inline]
    fn finish(taken: u128, _: Ending) -> Self {
        if taken == 0 { Self(1) } else { Self(taken.trailing_ones() as u8) }
    }

    #[inline]
    fn encode(self, _: Width) -> u8 {
        self.0
    }

    #[inline]
    fn decode(number: u8, width: Width) -> Option<Self> {
        Nimber::decode(number, width).map(|nimber| Self(nimber.0))
    }

    fn undefined(rules: &Rules) -> Option<Undefined> {
        Undefined::without_impartial_play(rules)
    }

    fn number(self) -> Option<i32> {
        Some(self.0.into())
    }

    fn of_opening(choices: &mut dyn Iterator<Item = Option<i32>>) -> Option<i32> {
        Nimber::of_opening(choices)
    }
}

impl From<MisereNimber> for Outcome {
    /// In misère play, a player loses exactly at the positions with misère nimber 0.
    fn from(nimber: MisereNimber) -> Self {
        if nimber.0 == 0 { Self::Loss } else { Self::Win }
    }
}

impl fmt::Display for MisereNimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_without_a_move_has_1() {
        let of = |successors: &[u8]| {
            let mut taken = MisereNimber::none();
            successors.iter().for_each(|&n| _ = MisereNimber::absorb(&mut taken, MisereNimber(n)));
            MisereNimber::finish(taken, Outcome::Loss.into()).0
        };
        assert_eq!([of(&[]), of(&[1]), of(&[0, 1]), of(&[1, 2]), of(&[2, 3])], [1, 0, 2, 0, 0]);
    }
}
