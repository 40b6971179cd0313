//! The result of perfect play from a position.

use std::fmt;

/// The value of a position for the player to move, under perfect play by both. Ordered: a loss is worse than a draw, a
/// draw worse than a win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// The opponent can force a win. In an impartial game, a P-position.
    Loss,
    /// Neither player can force a win.
    Draw,
    /// The player to move can force a win. In an impartial game, an N-position.
    Win,
}

impl Outcome {
    /// Every outcome, best first.
    pub const BEST_FIRST: [Self; 3] = [Self::Win, Self::Draw, Self::Loss];

    /// The outcome of the same position for the other player.
    #[must_use]
    pub const fn flip(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }

    /// `win`, `draw` or `loss`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Draw, Loss, Win};

    #[test]
    fn ordered_and_flipped() {
        assert!(Loss < Draw && Draw < Win);
        for outcome in super::Outcome::BEST_FIRST {
            assert_eq!(outcome.flip().flip(), outcome);
        }
        assert_eq!((Win.flip(), Draw.flip()), (Loss, Draw));
    }
}
