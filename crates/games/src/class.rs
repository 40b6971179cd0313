//! The four outcome classes of combinatorial game theory: who wins a game of two sides, depending on who begins.

use std::fmt;

use crate::rules::Outcome;

words! {
    /// The outcome class of a position without draws, named as in *Winning Ways* (Berlekamp, Conway, Guy). The first side is
    /// Left, the second is Right.
    OutcomeClass {
        /// The next player wins: the player who begins.
        N = "N",
        /// The previous player wins: the player who begins loses.
        P = "P",
        /// Left wins, even if Right begins.
        L = "L",
        /// Right wins, even if Left begins.
        R = "R",
    }
}

impl OutcomeClass {
    /// The class of a position that has the outcome `left` for Left if Left begins, and `right` for Right if Right
    /// begins. `None` if either is a draw.
    #[must_use]
    pub const fn of(left: Outcome, right: Outcome) -> Option<Self> {
        match (left, right) {
            (Outcome::Win, Outcome::Win) => Some(Self::N),
            (Outcome::Loss, Outcome::Loss) => Some(Self::P),
            (Outcome::Win, Outcome::Loss) => Some(Self::L),
            (Outcome::Loss, Outcome::Win) => Some(Self::R),
            _ => None,
        }
    }

    /// The winner in words. The two sides are called `left` and `right`, which may be plurals.
    #[must_use]
    pub fn words(self, left: &str, right: &str) -> String {
        match self {
            Self::N => "the player who begins wins".into(),
            Self::P => "the player who begins loses".into(),
            Self::L => format!("a win for {left}, no matter who begins"),
            Self::R => format!("a win for {right}, no matter who begins"),
        }
    }
}

impl fmt::Display for OutcomeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
