//! Labels as numbers in an array.

use tablegen_index::contents::ByteLabels;
use tablegen_labels::{Label, LabelKind, LabelSet, Nimber, Remoteness, Width};
use tablegen_rules::Outcome;

/// The error for a label that a table does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a table with {asked}, found one with {held}")]
pub struct NotHeld {
    /// The label to export.
    pub asked: LabelKind,
    /// The labels of the table.
    pub held: LabelSet,
}

pub(super) fn check_held(bytes: ByteLabels<'_>, asked: LabelKind) -> Result<(), NotHeld> {
    let held = bytes.labels();
    if held.contains(asked) { Ok(()) } else { Err(NotHeld { asked, held }) }
}

/// Outcomes in an array, and two values that no valid label has.
pub(super) const WIN: u8 = 1;
pub(super) const DRAW: u8 = 0;
const LOSS: u8 = -1i8 as u8;
pub(super) const NO_OUTCOME: u8 = 2;
pub(super) const NO_NUMBER: u8 = u8::MAX;
/// The remoteness, in an array, of a draw by repetition.
pub(super) const NO_END: u8 = u8::MAX - 1;

pub(super) const fn of_outcome(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Win => WIN,
        Outcome::Draw => DRAW,
        Outcome::Loss => LOSS,
    }
}

/// The number in an array for each code of `label`, a one-byte label.
pub(super) fn numbers(label: LabelKind) -> [u8; 256] {
    std::array::from_fn(|code| {
        let number = match label {
            LabelKind::Nimber | LabelKind::MisereNimber => {
                Nimber::decode(code as u8, Width::Eight).map(|nimber| nimber.0)
            }
            _ => Remoteness::decode(code as u8, Width::Eight)
                .map(|label| label.end().map_or(NO_END, |plies| plies as u8)),
        };
        number.unwrap_or(NO_NUMBER)
    })
}
