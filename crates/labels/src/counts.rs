//! Counts of outcomes.

use crate::rules::Outcome;

/// The number of positions with each outcome.
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

    /// `count` positions with `outcome`.
    #[must_use]
    pub const fn of(outcome: Outcome, count: u64) -> Self {
        let none = Self { win: 0, draw: 0, loss: 0 };
        match outcome {
            Outcome::Win => Self { win: count, ..none },
            Outcome::Draw => Self { draw: count, ..none },
            Outcome::Loss => Self { loss: count, ..none },
        }
    }

    /// The number of positions with `outcome`.
    #[must_use]
    pub const fn with(&self, outcome: Outcome) -> u64 {
        match outcome {
            Outcome::Win => self.win,
            Outcome::Draw => self.draw,
            Outcome::Loss => self.loss,
        }
    }

    /// The counts multiplied by `times`.
    #[must_use]
    pub const fn times(self, times: u64) -> Self {
        Self { win: self.win * times, draw: self.draw * times, loss: self.loss * times }
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

/// Adds two lists entry by entry; entries are indexed by mode or by code.
pub fn add_each<T: std::ops::Add<Output = T>>(a: Vec<T>, b: Vec<T>) -> Vec<T> {
    a.into_iter().zip(b).map(|(a, b)| a + b).collect()
}

/// The counts of each mode as a tally: wins, draws and losses.
pub fn figures(counts: impl IntoIterator<Item = Counts>) -> Vec<u64> {
    counts.into_iter().flat_map(|of| [of.win, of.draw, of.loss]).collect()
}

/// The counts of each mode in a tally of [`figures`].
pub fn by_mode(figures: &[u64]) -> Vec<Counts> {
    figures.as_chunks::<3>().0.iter().map(|&[win, draw, loss]| Counts { win, draw, loss }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up() {
        let mut counts = Counts { win: 1, draw: 20, loss: 300 };
        assert_eq!(counts.total(), 321);
        assert_eq!(Outcome::BEST_FIRST.map(|outcome| counts.with(outcome)), [1, 20, 300]);
        let one_each: Counts = Outcome::BEST_FIRST.map(|outcome| Counts::of(outcome, 4)).into_iter().sum();
        assert_eq!(counts + one_each, Counts { win: 5, draw: 24, loss: 304 });
        Outcome::BEST_FIRST.into_iter().for_each(|outcome| counts.add(outcome));
        assert_eq!(counts, Counts { win: 2, draw: 21, loss: 301 });
        assert_eq!(add_each(vec![1, 2], vec![30, 40]), [31, 42]);
    }
}
