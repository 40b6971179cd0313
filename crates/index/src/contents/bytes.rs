//! The labels of one byte.

use crate::compressed::Bytes;
use crate::label::{ByLabel, LabelKind, LabelSet};

/// The labels that take one byte a position, as far as there are any. A dense domain has them in planes in the order of
/// its layout, a sparse domain in the order of ranks.
#[derive(Clone, Copy, Default)]
pub struct ByteLabels<'a>(ByLabel<Bytes<'a>>);

impl<'a> ByteLabels<'a> {
    /// The bytes of each label, as `of` gives them.
    pub fn new<B: Into<Bytes<'a>>>(of: impl Fn(LabelKind) -> Option<B>) -> Self {
        Self(ByLabel::new(|kind| of(kind).map(Into::into)))
    }

    /// These labels, and the labels of `more` that are missing here.
    pub(crate) fn or(self, more: Self) -> Self {
        Self::new(|kind| self.of(kind).or(more.of(kind)))
    }

    /// The bytes of `kind`; `None` if it is not there, and for outcomes.
    #[must_use]
    pub const fn of(&self, kind: LabelKind) -> Option<Bytes<'a>> {
        self.0.of(kind).copied()
    }

    /// The kinds of the labels, including the outcome.
    #[must_use]
    pub fn labels(&self) -> LabelSet {
        self.0.labels()
    }
}

impl std::fmt::Debug for ByteLabels<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.labels().fmt(f)
    }
}
