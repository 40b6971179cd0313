//! Wins and losses in few plies: "in k plies?" for k from the least number on.
//!
//! A search that asks whether a position is won at all may miss that it is won in three plies, because it looks at long play first. So
//! the search for an outcome now and then stops, and asks for quick wins. Both remember what they found, and go on from there.

use super::prepared::{Bounded, Form};
use super::scale::{Bounds, Plies};
use super::windows::Decided;
use crate::rules::{Outcome, Position};

/// How far the questions have come for a position.
#[derive(Clone, Copy)]
pub(super) struct Quick {
    plies: u32,
    /// True if the position may be won, and if it may be lost.
    wins: bool,
    loses: bool,
}

impl Default for Quick {
    fn default() -> Self {
        Self { plies: 0, wins: true, loses: true }
    }
}

impl Quick {
    /// The first question about a position with this outcome.
    pub(super) fn of(outcome: Outcome) -> Self {
        Self { plies: 0, wins: outcome == Outcome::Win, loses: outcome == Outcome::Loss }
    }

    /// What `bounds` say, if they say all.
    pub(super) fn known(scale: Plies, bounds: Bounds) -> Option<Decided> {
        let Bounds { low, high } = bounds;
        (low == high).then(|| Decided { outcome: Outcome::of_points(low), plies: (low != 0).then(|| scale.plies(low)) })
    }

    /// Asks on. `None` if the search stops.
    pub(super) fn deepen(
        &mut self,
        scale: Plies,
        form: &mut Form<Plies>,
        position: Position,
        by: &mut Bounded<'_, '_>,
    ) -> Option<Decided> {
        while self.wins || self.loses {
            // The least number of plies that may be right after the questions for this number.
            let mut next = u32::MAX;
            let number = scale.win(self.plies);
            if self.wins {
                let value = form.value(position, number - 1, number, by)?;
                if value >= number {
                    return Some(Decided { outcome: Outcome::Win, plies: Some(self.plies) });
                }
                self.wins = value > 0;
                next = next.min(if self.wins { scale.plies(value) } else { u32::MAX });
            }
            if self.loses {
                let value = form.value(position, -number, 1 - number, by)?;
                if value <= -number {
                    return Some(Decided { outcome: Outcome::Loss, plies: Some(self.plies) });
                }
                self.loses = value < 0;
                next = next.min(if self.loses { scale.plies(value) } else { u32::MAX });
            }
            self.plies = next.max(self.plies + 1);
        }
        Some(Outcome::Draw.into())
    }
}
