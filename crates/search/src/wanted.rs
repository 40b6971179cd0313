//! What a search is asked for.

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
