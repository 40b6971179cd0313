//! Counts of outcomes.

use crate::rules::Outcome;

/// How many positions have each outcome.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counts {
    /// Wins for the player to move.
    pub win: u64,
    /// Draws.
    pub draw: u64,
    /// Losses for the player to move.
    pub loss: u64,
}

impl Counts {
    /// The number of all positions.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.win + self.draw + self.loss
    }

    /// Counts one more position.
    pub const fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.win += 1,
            Outcome::Draw => self.draw += 1,
            Outcome::Loss => self.loss += 1,
        }
    }
}

impl std::ops::Add for Counts {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self { win: self.win + more.win, draw: self.draw + more.draw, loss: self.loss + more.loss }
    }
}

impl std::iter::Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |sum, more| sum + more)
    }
}

/// The sums for each mode.
pub(crate) fn add_by_mode(a: Vec<Counts>, b: Vec<Counts>) -> Vec<Counts> {
    a.into_iter().zip(b).map(|(a, b)| a + b).collect()
}
