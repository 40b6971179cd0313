//! The outcome: a win if some move leaves the opponent with a loss; otherwise a draw if some move leaves a draw;
//! otherwise a loss. Without moves, it is the rules' terminal outcome.

use std::ops::ControlFlow;

use super::{About, Label, LabelKind, Width};
use crate::rules::{Ending, Outcome, Rules};

impl Label for Outcome {
    const KIND: LabelKind = LabelKind::Outcome;
    const ABOUT: About = About {
        number: 1,
        name: "outcome",
        key: "outcome",
        noun: "outcome",
        help: "Win, draw or loss for the player to move",
        summary: "outcomes by number of filled cells",
        heading: "Outcomes by number of filled cells",
        axis: "filled cells",
        ..About::USUAL
    };

    /// The best outcome that a move reaches so far, for the player who makes it.
    type Partial = Option<Self>;

    fn ended(ending: Ending) -> Self {
        ending.outcome
    }

    fn none() -> Option<Self> {
        None
    }

    #[inline]
    fn turned(self) -> Self {
        self.flip()
    }

    #[inline]
    fn absorb(best: &mut Option<Self>, successor: Self) -> ControlFlow<()> {
        *best = (*best).max(Some(successor.flip()));
        if *best == Some(Self::Win) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn finish(best: Option<Self>, terminal: Ending) -> Self {
        best.unwrap_or(terminal.outcome)
    }

    #[inline]
    fn encode(self, width: Width) -> u8 {
        width.of_outcome(self)
    }

    #[inline]
    fn decode(number: u8, width: Width) -> Option<Self> {
        width.outcome(number)
    }

    fn width(rules: &Rules) -> Width {
        if rules.can_draw() || rules.may_repeat() { Width::Two } else { Width::One }
    }

    fn number(self) -> Option<i32> {
        None
    }

    fn of_opening(_: &mut dyn Iterator<Item = Option<i32>>) -> Option<i32> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_encoded_in_one_bit_or_two() {
        for (width, outcomes) in [(Width::One, &[Outcome::Loss, Outcome::Win][..]), (Width::Two, &Outcome::BEST_FIRST)]
        {
            for &outcome in outcomes {
                assert_eq!(Outcome::decode(outcome.encode(width), width), Some(outcome));
            }
        }
        assert_eq!(Outcome::BEST_FIRST.map(|outcome| outcome.to_string()), ["win", "draw", "loss"]);
    }
}
