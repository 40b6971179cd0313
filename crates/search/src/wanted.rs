//! What a search is asked for.

use std::str::FromStr;

use tablegen_labels::LabelKind;

/// What a search is asked for, beside the outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Nothing else.
    Outcome,
    /// The plies to the end, as the label [`Remoteness`](tablegen_labels::Remoteness) counts them.
    Plies,
    /// The net points still to come, as the label [`Score`](tablegen_labels::Score) counts them.
    Score,
}

impl Wanted {
    /// Everything that a search can be asked for.
    pub const ALL: [Self; 3] = [Self::Outcome, Self::Plies, Self::Score];

    /// The name of the label: `outcome`, `remoteness` or `score`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.label().unwrap_or(LabelKind::Outcome).name()
    }

    /// The label that is wanted beside the outcome.
    #[must_use]
    pub const fn label(self) -> Option<LabelKind> {
        match self {
            Self::Outcome => None,
            Self::Plies => Some(LabelKind::Remoteness),
            Self::Score => Some(LabelKind::Score),
        }
    }
}

/// Reads the name of a label that a search finds.
impl FromStr for Wanted {
    type Err = WantedError;

    fn from_str(text: &str) -> Result<Self, WantedError> {
        Self::ALL.into_iter().find(|wanted| wanted.name() == text).ok_or(WantedError)
    }
}

/// A text that names no label that a search finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected outcome, remoteness or score")]
pub struct WantedError;
