//! The labels of one byte.

use crate::compressed::Bytes;
use crate::label::{LabelKind, LabelSet};

/// The labels that take one byte a position, as far as there are any. In dense contents they are planes in the order of the layout, in
/// sparse contents they are ordered by rank.
#[derive(Clone, Copy, Default)]
pub struct ByteLabels<'a> {
    remoteness: Option<Bytes<'a>>,
    nimber: Option<Bytes<'a>>,
}

impl<'a> ByteLabels<'a> {
    /// The bytes of each label, as `of` gives them.
    pub fn new<B: Into<Bytes<'a>>>(of: impl Fn(LabelKind) -> Option<B>) -> Self {
        let of = |kind| of(kind).map(Into::into);
        Self { remoteness: of(LabelKind::Remoteness), nimber: of(LabelKind::Nimber) }
    }

    /// These labels, and the labels of `more` that are missing here.
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

    /// The kinds of the labels, including the outcome.
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
