//! What a search is asked for.

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
