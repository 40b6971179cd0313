//! The outcome: a player who can leave a loss wins, one who can leave a draw but no loss draws.

use std::ops::ControlFlow;

use super::{Label, LabelKind, Width};
use crate::rules::Outcome;

impl Label for Outcome {
    const KIND: LabelKind = LabelKind::Outcome;

    /// The best that a move was found to reach, for the player who makes it.
    type Partial = Option<Self>;

    fn ended(outcome: Outcome) -> Self {
        outcome
    }

    fn none() -> Option<Self> {
        None
    }

    #[inline]
    fn absorb(best: &mut Option<Self>, successor: Self) -> ControlFlow<()> {
        *best = (*best).max(Some(successor.flip()));
        if *best == Some(Self::Win) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn finish(best: Option<Self>, terminal: Outcome) -> Self {
        best.unwrap_or(terminal)
    }

    #[inline]
    fn encode(self, width: Width) -> u8 {
        width.of_outcome(self)
    }

    #[inline]
    fn decode(number: u8, width: Width) -> Option<Self> {
        width.outcome(number)
    }
}
