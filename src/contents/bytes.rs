//! The labels of one byte.

use crate::label::{LabelKind, LabelSet};
use crate::packed::Bytes;

/// The labels of one byte of each position, where there are any: of a dense solution in planes of its layout, of a sparse
/// one by rank.
#[derive(Clone, Copy, Default)]
pub struct ByteLabels<'a> {
    remoteness: Option<Bytes<'a>>,
    nimber: Option<Bytes<'a>>,
}

impl<'a> ByteLabels<'a> {
    /// The bytes of each label, as `of` gives them.
    pub(crate) fn new<B: Into<Bytes<'a>>>(of: impl Fn(LabelKind) -> Option<B>) -> Self {
        let of = |kind| of(kind).map(Into::into);
        Self { remoteness: of(LabelKind::Remoteness), nimber: of(LabelKind::Nimber) }
    }

    /// These, and those of `more` that are not among them.
    pub(crate) const fn or(self, more: Self) -> Self {
        const fn either<'a>(here: Option<Bytes<'a>>, there: Option<Bytes<'a>>) -> Option<Bytes<'a>> {
            match here {
                Some(_) => here,
                None => there,
            }
        }
        let remoteness = either(self.remoteness, more.remoteness);
        Self { remoteness, nimber: either(self.nimber, more.nimber) }
    }

    /// The bytes of `kind`; `None` if it is not there, and for outcomes.
    #[must_use]
    pub const fn of(&self, kind: LabelKind) -> Option<Bytes<'a>> {
        match kind {
            LabelKind::Outcome => None,
            LabelKind::Remoteness => self.remoteness,
            LabelKind::Nimber => self.nimber,
        }
    }

    /// The labels that are there, the outcome among them.
    #[must_use]
    pub fn labels(&self) -> LabelSet {
        LabelKind::ALL.into_iter().filter(|&kind| self.of(kind).is_some()).collect()
    }
}

impl std::fmt::Debug for ByteLabels<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.labels().fmt(f)
    }
}
