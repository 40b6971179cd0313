//! The labels of one byte.

use crate::compressed::{BlockFault, Bytes};
use crate::label::{ByLabel, LabelKind, LabelSet, Width};

/// The labels that take one byte a position, as far as there are any. A dense domain has them in planes in the order of
/// its layout, a sparse domain in the order of ranks, and a domain by regions in the order of numbers. There, remoteness may take two
/// bytes a position.
#[derive(Clone, Copy, Default)]
pub struct ByteLabels<'a> {
    of: ByLabel<Bytes<'a>>,
    has_words: bool,
}

impl<'a> ByteLabels<'a> {
    /// The bytes of each label, as `of` gives them.
    pub fn new<B: Into<Bytes<'a>>>(of: impl Fn(LabelKind) -> Option<B>) -> Self {
        Self { of: ByLabel::new(|kind| of(kind).map(Into::into)), has_words: false }
    }

    /// The same bytes, where remoteness has `width`.
    pub(super) fn with_plies(self, width: Width) -> Self {
        Self { has_words: width == Width::Sixteen, ..self }
    }

    /// The number of bits of a label of `kind`.
    #[must_use]
    pub const fn width(&self, kind: LabelKind) -> Width {
        if self.has_words && matches!(kind, LabelKind::Remoteness) { Width::Sixteen } else { Width::Eight }
    }

    /// The number at `index` among the labels of `kind`: a code, or the 16 bits of remoteness. `None` if there is none.
    ///
    /// # Errors
    /// If its block cannot be read.
    #[inline]
    pub fn number(&self, kind: LabelKind, index: usize) -> Result<Option<u16>, BlockFault> {
        let Some(bytes) = self.of(kind) else { return Ok(None) };
        if self.width(kind) == Width::Sixteen {
            return Ok(bytes.array(2 * index)?.map(u16::from_le_bytes));
        }
        Ok(bytes.get(index)?.map(u16::from))
    }

    /// The offset of the label of `kind` at `index` in its bytes.
    #[must_use]
    pub const fn offset(&self, kind: LabelKind, index: usize) -> usize {
        index * (self.width(kind).bits() / 8) as usize
    }

    /// These labels, and the labels of `more` that are missing here.
    pub(crate) fn or(self, more: Self) -> Self {
        Self { has_words: self.has_words, ..Self::new(|kind| self.of(kind).or(more.of(kind))) }
    }

    /// The bytes of `kind`; `None` if it is not there, and for outcomes.
    #[must_use]
    pub const fn of(&self, kind: LabelKind) -> Option<Bytes<'a>> {
        self.of.of(kind).copied()
    }

    /// The kinds of the labels, including the outcome.
    #[must_use]
    pub fn labels(&self) -> LabelSet {
        self.of.labels()
    }
}

impl std::fmt::Debug for ByteLabels<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.labels().fmt(f)
    }
}
