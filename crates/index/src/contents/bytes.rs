//! The labels of one or two bytes.

use super::LabelForm;
use crate::compressed::{BlockFault, Bytes};
use crate::label::{ByLabel, LabelKind, LabelSet, Width};
use crate::rules::Outcome;

/// The bytes of a label other than the outcome, and their form.
#[derive(Clone, Copy)]
pub struct LabelBytes<'a> {
    bytes: Bytes<'a>,
    width: Width,
    places: usize,
}

impl<'a> LabelBytes<'a> {
    /// Labels of `width` in `bytes`, with as many [places](tablegen_labels::Label::place) in the counts as `places` says.
    pub fn new(bytes: impl Into<Bytes<'a>>, width: Width, places: usize) -> Self {
        Self { bytes: bytes.into(), width, places }
    }

    /// Labels of one byte.
    pub fn of_one(bytes: impl Into<Bytes<'a>>) -> Self {
        Self::new(bytes, Width::Eight, 1 << 8)
    }
}

/// The labels that take one or two bytes a position, as far as there are any. A dense domain has them in planes in the order of
/// its layout, a sparse domain in the order of ranks, and a domain by regions in the order of numbers.
#[derive(Clone, Copy, Default)]
pub struct ByteLabels<'a>(ByLabel<LabelBytes<'a>>);

impl<'a> ByteLabels<'a> {
    /// The bytes of each label, as `of` gives them.
    pub fn new(of: impl Fn(LabelKind) -> Option<LabelBytes<'a>>) -> Self {
        Self(ByLabel::new(of))
    }

    /// The number of bits of a label of `kind`.
    #[must_use]
    pub const fn width(&self, kind: LabelKind) -> Width {
        match self.0.of(kind) {
            Some(label) => label.width,
            None => Width::Eight,
        }
    }

    /// The number of [places](tablegen_labels::Label::place) in the counts of labels of `kind`.
    #[must_use]
    pub const fn places(&self, kind: LabelKind) -> usize {
        match self.0.of(kind) {
            Some(label) => label.places,
            None => 0,
        }
    }

    /// The number at `index` among the labels of `kind`: a code of one byte, or 16 bits. `None` if there is none.
    ///
    /// # Errors
    /// If its block cannot be read.
    #[inline]
    pub fn number(&self, kind: LabelKind, index: usize) -> Result<Option<u16>, BlockFault> {
        let Some(LabelBytes { bytes, width, .. }) = self.0.of(kind) else { return Ok(None) };
        if *width == Width::Sixteen {
            return Ok(bytes.array(2 * index)?.map(u16::from_le_bytes));
        }
        Ok(bytes.get(index)?.map(u16::from))
    }

    /// The [place](tablegen_labels::Label::place) of the label of `kind` that `number` stands for, of a position with `outcome`. `None` if
    /// the number stands for no label.
    pub(super) fn place_of(&self, kind: LabelKind, number: u16, outcome: Outcome) -> Option<usize> {
        self.form(kind).place(number, outcome)
    }

    /// The form of the labels of `kind`.
    #[must_use]
    pub const fn form(&self, kind: LabelKind) -> LabelForm {
        LabelForm::new(kind, self.width(kind), self.places(kind))
    }

    /// The offset of the label of `kind` at `index` in its bytes.
    #[must_use]
    pub const fn offset(&self, kind: LabelKind, index: usize) -> usize {
        index * (self.width(kind).bits() / 8) as usize
    }

    /// These labels, and the labels of `more` that are missing here.
    pub(crate) fn or(self, more: Self) -> Self {
        Self::new(|kind| self.0.of(kind).or(more.0.of(kind)).copied())
    }

    /// The bytes of `kind`; `None` if it is not there, and for outcomes.
    #[must_use]
    pub const fn of(&self, kind: LabelKind) -> Option<Bytes<'a>> {
        match self.0.of(kind) {
            Some(label) => Some(label.bytes),
            None => None,
        }
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
