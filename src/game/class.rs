//! Who wins a game of two sides, whoever begins: the four outcome classes of combinatorial game theory.

use std::fmt;

use crate::rules::Outcome;

/// The outcome class of a position without draws, in the letters of *Winning Ways* (Berlekamp, Conway, Guy). Left is
/// the first of the two sides, Right the second.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OutcomeClass {
    /// The next player wins, whichever side that is.
    N,
    /// The previous player wins: who begins loses.
    P,
    /// Left wins, whoever begins.
    L,
    /// Right wins, whoever begins.
    R,
}

impl OutcomeClass {
    /// The class of a position with `left` for Left where he is to move and `right` for Right where he is. `None`
    /// where either is a draw.
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

    /// `N`, `P`, `L` or `R`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::N => "N",
            Self::P => "P",
            Self::L => "L",
            Self::R => "R",
        }
    }

    /// Who wins, in words, where the two sides are called `left` and `right`.
    #[must_use]
    pub fn words(self, left: &str, right: &str) -> String {
        match self {
            Self::N => "who begins wins".into(),
            Self::P => "who begins loses".into(),
            Self::L => format!("{left} wins, whoever begins"),
            Self::R => format!("{right} wins, whoever begins"),
        }
    }
}

impl fmt::Display for OutcomeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
