//! Labels: the values computed for a position, each a small algebra.
//!
//! A [`Label`] defines how the values of a position's successors determine its own value: absorb each successor, then
//! finish. Applied backward over all positions, this is retrograde induction, and
//! [`step()`] is its single step. The sparse solver and the verifiers are generic over labels.
//!
//! A label is a type that implements [`Label`] in a file of its own, which says all about it: its words, its number in files, its width,
//! the rules without it, and its form in answers. This file lists the labels: their modules and types, [`LabelKind`], and
//! [`with_byte_label!`](crate::with_byte_label), from where solvers, tables and verifiers take the type of a kind. Only the vector
//! kernels have their own code for the lanes.

mod about;
mod by_label;
mod counts;
mod definition;
mod kind;
mod misere_nimber;
mod nimber;
mod outcome;
mod probe;
mod remoteness;
mod score;
mod set;
mod step;
mod undefined;
mod width;

use tablegen_rules as rules;

pub use about::About;
pub use by_label::ByLabel;
pub use counts::{Counts, add_each, by_mode, figures};
pub use definition::Label;
pub use kind::UnknownLabel;
pub use misere_nimber::MisereNimber;
pub use nimber::Nimber;
pub use probe::{Choice, Probe, Value, probe};
pub use remoteness::{NO_SUCCESSOR, Remoteness, ended_code};
pub use score::{NO_POINTS, Score};
pub use set::LabelSet;
pub use step::{step, try_step};
pub use tablegen_rules::Outcome;
pub use undefined::Undefined;
pub use width::Width;

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
    /// The net points still to come for the player to move; only for games that count points.
    Score,
}

impl LabelKind {
    /// Every label, in the order in which a table stores them.
    pub const ALL: [Self; 5] = [Self::Outcome, Self::Remoteness, Self::Nimber, Self::MisereNimber, Self::Score];
}

/// Evaluates `$body` with `$label` bound to the type of the label of `$kind`.
///
/// ```
/// use tablegen_labels::{Label, LabelKind, Width};
/// use tablegen_labels::with_label;
///
/// let known = |kind, code| with_label!(kind, L => L::decode(code, Width::Eight).is_some());
/// assert!(LabelKind::ALL.iter().all(|&kind| known(kind, 2)));
/// ```
#[macro_export]
macro_rules! with_label {
    ($kind:expr, $label:ident => $body:expr) => {
        match $kind {
            $crate::LabelKind::Outcome => {
                type $label = $crate::Outcome;
                $body
            }
            kind => $crate::with_byte_label!(kind, $label => $body),
        }
    };
}

/// Evaluates `$body` with `$label` bound to the type of the label of `$kind`, which is not the outcome.
///
/// # Panics
/// For the outcome.
#[macro_export]
macro_rules! with_byte_label {
    ($kind:expr, $label:ident => $body:expr) => {
        match $kind {
            $crate::LabelKind::Outcome => unreachable!(),
            $crate::LabelKind::Remoteness => {
                type $label = $crate::Remoteness;
                $body
            }
            $crate::LabelKind::Nimber => {
                type $label = $crate::Nimber;
                $body
            }
            $crate::LabelKind::MisereNimber => {
                type $label = $crate::MisereNimber;
                $body
            }
            $crate::LabelKind::Score => {
                type $label = $crate::Score;
                $body
            }
        }
    };
}
