//! The sizes of the planes of a two-colour table.

use super::{Frame, WORD};
use crate::label::{LabelSet, Width};
use crate::rules::Rules;

/// The sizes of the planes that hold the labels of every colouring.
///
/// The outcomes are bit planes: the wins of all slots, then the losses of all slots if the rules can draw. Reachability is a bit plane
/// for each slot. Another label is a plane of bytes, or of two bytes each, for each slot. [`Frame`] gives the order. The planes of a kind
/// together are padded with zeros to a multiple of 64 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColouredShape {
    /// Words of all slots.
    words: Option<u64>,
    draws: bool,
}

impl ColouredShape {
    /// The shape of the planes of `rules`, with the squares of `frame`.
    pub fn new(frame: &Frame, rules: &Rules) -> Self {
        Self { words: frame.all_words(), draws: rules.can_draw() }
    }

    /// The shape of a game with `words` words in all slots together.
    pub const fn of_words(words: Option<u64>, draws: bool) -> Self {
        Self { words, draws }
    }

    /// Bytes of the outcomes.
    pub fn outcome_bytes(self) -> Option<u64> {
        self.words?.checked_mul(8 * (1 + u64::from(self.draws)))?.checked_next_multiple_of(64)
    }

    /// Bytes of the reachability bits.
    pub fn reached_bytes(self) -> Option<u64> {
        self.words?.checked_mul(8)?.checked_next_multiple_of(64)
    }

    /// Bytes of a label of `width`, which is not the outcome.
    pub fn label_bytes(self, width: Width) -> Option<u64> {
        self.words?.checked_mul(WORD / 8 * u64::from(width.bits()))
    }

    /// Bytes of `labels` of `rules`, and of the reachability bits.
    pub fn bytes(self, labels: LabelSet, rules: &Rules) -> Option<u64> {
        let bits = self.outcome_bytes()?.checked_add(self.reached_bytes()?)?;
        labels.others().try_fold(bits, |all, kind| all.checked_add(self.label_bytes(kind.width(rules))?))
    }
}
