//! The nimber, or Grundy value: the size of the heap of Nim that a position is equal to (Sprague 1935, Grundy 1939).
//!
//! It is the least number that no successor has (the *mex*). It exists for impartial games in normal play. A nimber is at
//! most the number of plies that are left, so at most 128. Only the empty board of 128 cells can have nimber 128, and no
//! move leads to it.

use std::fmt;
use std::ops::ControlFlow;

use super::{About, Label, LabelKind, Undefined, Width};
use crate::rules::{Ending, MAX_CELLS, Outcome, Rules};

/// The Grundy value of a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nimber(pub u8);

impl Label for Nimber {
    const KIND: LabelKind = LabelKind::Nimber;
    const ABOUT: About = About {
        number: 3,
        name: "nimber",
        key: "nimber",
        noun: "nimber",
        help: "Grundy value",
        option: "Grundy value, for impartial games in normal play",
        summary: "nimbers: Grundy values",
        heading: "Nimbers",
        axis: "nimber (Grundy value)",
        impartial: true,
        ..About::USUAL
    };

    /// The nimbers of the successors so far, as a set.
    type Partial = u128;

    /// 0: a position in which the player to move has no move. Rules with ends have no nimbers.
    fn ended(_: Ending) -> Self {
        Self(0)
    }

    fn none() -> u128 {
        0
    }

    /// The nimber itself, because no game in which a player moves again has nimbers.
    fn turned(self) -> Self {
        self
    }

    #[inline]
    fn absorb(taken: &mut u128, successor: Self) -> ControlFlow<()> {
        // A damaged table may say 128. A check must then report an error and not panic.
        *taken |= 1u128.wrapping_shl(successor.0.into());
        ControlFlow::Continue(())
    }

    #[inline]
    fn finish(taken: u128, _: Ending) -> Self {
        Self(taken.trailing_ones() as u8)
    }

    #[inline]
    fn encode(self, _: Width) -> u8 {
        self.0
    }

    #[inline]
    fn decode(number: u8, _: Width) -> Option<Self> {
        (u32::from(number) <= MAX_CELLS).then_some(Self(number))
    }

    fn undefined(rules: &Rules) -> Option<Undefined> {
        Undefined::without_normal_play(rules)
    }

    fn number(self) -> Option<i32> {
        Some(self.0.into())
    }

    /// The least number that no choice has (the mex); `None` if a choice has no number.
    fn of_opening(choices: &mut dyn Iterator<Item = Option<i32>>) -> Option<i32> {
        let taken = choices.collect::<Option<Vec<i32>>>()?;
        (0..).find(|number| !taken.contains(number))
    }
}

impl From<Nimber> for Outcome {
    /// A player loses exactly at the positions with nimber 0.
    fn from(nimber: Nimber) -> Self {
        if nimber.0 == 0 { Self::Loss } else { Self::Win }
    }
}

impl fmt::Display for Nimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::MisereNimber;
    use super::*;

    #[test]
    fn the_least_number_that_no_successor_has() {
        let mex = |successors: &[u8]| {
            let mut taken = Nimber::none();
            successors.iter().for_each(|&n| _ = Nimber::absorb(&mut taken, Nimber(n)));
            Nimber::finish(taken, Outcome::Loss.into()).0
        };
        assert_eq!(mex(&[]), 0);
        assert_eq!(mex(&[1, 2]), 0);
        assert_eq!(mex(&[0, 1, 3, 1]), 2);
        assert_eq!(mex(&(0..64).collect::<Vec<_>>()), 64);
        assert_eq!(mex(&(0..128).collect::<Vec<_>>()), 128);
        assert_eq!(Nimber(12).to_string(), "12");
        assert_eq!([128, 129].map(|number| Nimber::decode(number, Width::Eight)), [Some(Nimber(128)), None]);
    }

    #[test]
    fn nimbers_are_encoded_as_themselves() {
        for number in 0..=MAX_CELLS as u8 {
            let (nimber, misere) = (Nimber(number), MisereNimber(number));
            assert_eq!((nimber.encode(Width::Eight), misere.encode(Width::Eight)), (number, number));
            assert_eq!(Nimber::decode(number, Width::Eight), Some(nimber));
            assert_eq!(MisereNimber::decode(number, Width::Eight), Some(misere));
            let outcome = if number == 0 { Outcome::Loss } else { Outcome::Win };
            assert_eq!((Outcome::from(nimber), Outcome::from(misere)), (outcome, outcome));
            assert_eq!([nimber.to_string(), misere.to_string()], [number.to_string(), number.to_string()]);
        }
        assert_eq!(Nimber::decode(MAX_CELLS as u8 + 1, Width::Eight), None);
    }
}
