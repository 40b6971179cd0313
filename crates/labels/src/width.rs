//! The number of bits a label takes in a table.

use crate::rules::Outcome;

/// The number of bits that the label of one position takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Width {
    /// One bit: an outcome in rules without draws.
    One,
    /// Two bits: an outcome in rules with draws, or whose moves empty cells, so that positions may repeat.
    Two,
    /// A byte.
    Eight,
    /// Two bytes: plies or points, of which a game has more than a byte can say.
    Sixteen,
}

impl Width {
    /// The number of bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }

    /// The width with `bits` bits, if there is one.
    #[must_use]
    pub const fn of_bits(bits: u32) -> Option<Self> {
        match bits {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            8 => Some(Self::Eight),
            16 => Some(Self::Sixteen),
            _ => None,
        }
    }

    /// The number that represents `outcome`. A loss is 0. With one bit, a win is 1; with two bits, a draw is 1 and a
    /// win is 2.
    #[must_use]
    pub const fn of_outcome(self, outcome: Outcome) -> u8 {
        match (self, outcome) {
            (_, Outcome::Loss) => 0,
            (Self::One, _) | (_, Outcome::Draw) => 1,
            _ => 2,
        }
    }

    /// The outcome that `number` represents; `None` if it does not represent one.
    #[must_use]
    #[inline]
    pub const fn outcome(self, number: u8) -> Option<Outcome> {
        match (self, number) {
            (_, 0) => Some(Outcome::Loss),
            (Self::One, 1) | (_, 2) => Some(Outcome::Win),
            (_, 1) => Some(Outcome::Draw),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LabelKind;

    #[test]
    fn outcomes_are_numbers_and_back() {
        for outcome in Outcome::BEST_FIRST {
            assert_eq!(Width::Two.outcome(Width::Two.of_outcome(outcome)), Some(outcome));
        }
        assert_eq!([0, 1].map(|number| Width::One.outcome(number)), [Some(Outcome::Loss), Some(Outcome::Win)]);
        assert_eq!(Width::Two.outcome(3), None);
        assert_eq!([1, 2, 8, 16].map(|bits| Width::of_bits(bits).map(Width::bits)), [1, 2, 8, 16].map(Some));
        assert_eq!(Width::of_bits(4), None);
    }

    #[test]
    fn outcomes_that_may_be_draws_take_two_bits() {
        use crate::rules::samples::{Grid, men, runs, three_in_a_line};
        let grid = Grid { rows: 2, cols: 3 };
        let width = |spec: crate::rules::RulesSpec, label: LabelKind| label.width(&spec.build().unwrap());
        assert_eq!(width(runs(grid, 2), LabelKind::Outcome), Width::One);
        // Play may repeat in the last game, in which only patterns decide.
        assert_eq!(width(three_in_a_line(grid), LabelKind::Outcome), Width::Two);
        assert_eq!(width(men(grid, 2), LabelKind::Outcome), Width::Two);
        assert!(LabelKind::OTHERS.iter().all(|&label| width(runs(grid, 2), label) == Width::Eight));
    }
}
