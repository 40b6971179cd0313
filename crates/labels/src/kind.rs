//! The kinds of label, by name.

use std::fmt;
use std::str::FromStr;

/// The kinds of values that a table can hold for a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LabelKind {
    /// Win, draw or loss for the player to move under perfect play.
    Outcome,
    /// Plies to the end if the winner plays as fast as possible and the loser, or both in a draw, as slowly as
    /// possible.
    Remoteness,
    /// The Grundy value (nimber); only for impartial games in normal play.
    Nimber,
    /// The Grundy value in misère play; only for impartial games.
    MisereNimber,
}

/// A name that does not belong to any label.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected outcome, remoteness, nimber, misere-nimber or value, found {0:?}")]
pub struct UnknownLabel(String);

impl LabelKind {
    /// Every label, in the order in which a table stores them.
    pub const ALL: [Self; 4] = [Self::Outcome, Self::Remoteness, Self::Nimber, Self::MisereNimber];

    /// The labels other than the outcome.
    pub const OTHERS: [Self; Self::ALL.len() - 1] = [Self::Remoteness, Self::Nimber, Self::MisereNimber];

    /// The number that represents the label in files.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Outcome => 1,
            Self::Remoteness => 2,
            Self::Nimber => 3,
            Self::MisereNimber => 4,
        }
    }

    /// `outcome`, `remoteness`, `nimber` or `misere-nimber`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Outcome => "outcome",
            Self::Remoteness => "remoteness",
            Self::Nimber => "nimber",
            Self::MisereNimber => "misere-nimber",
        }
    }
}

impl fmt::Display for LabelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for LabelKind {
    type Err = UnknownLabel;

    fn from_str(name: &str) -> Result<Self, UnknownLabel> {
        Self::ALL.into_iter().find(|label| label.name() == name).ok_or_else(|| UnknownLabel(name.into()))
    }
}
