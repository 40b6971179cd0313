//! What each kind of label says about itself.

use std::fmt;
use std::str::FromStr;

use super::{About, Label, LabelKind, Undefined, Width};
use crate::rules::Rules;
use crate::with_label;

impl LabelKind {
    /// The number of labels of one byte: all but the outcome.
    pub const BYTE_LABELS: usize = Self::ALL.len() - 1;

    /// The labels of one byte.
    pub const OTHERS: [Self; Self::BYTE_LABELS] = {
        let (mut others, mut at) = ([Self::Outcome; Self::BYTE_LABELS], 0);
        while at < others.len() {
            others[at] = Self::ALL[at + 1];
            at += 1;
        }
        others
    };

    /// What the label is called, and what kind of label it is.
    #[must_use]
    pub const fn about(self) -> &'static About {
        with_label!(self, L => &L::ABOUT)
    }

    /// The name of the label in options and messages: `outcome`, `remoteness`, `nimber`, `misere-nimber` or `score`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.about().name
    }

    /// The number that represents the label in files.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.about().number
    }

    /// The number of bits this label takes in a table of `rules`.
    #[must_use]
    pub fn width(self, rules: &Rules) -> Width {
        with_label!(self, L => L::width(rules))
    }

    /// The number of counts of this label in a table of `rules`: one for each number that a label may have.
    #[must_use]
    pub fn places(self, rules: &Rules) -> usize {
        with_label!(self, L => <L as Label>::places(rules))
    }

    /// Which codes of this label may stand for a larger one, if `rules` have such labels.
    #[must_use]
    pub fn overflow(self, rules: &Rules) -> Option<fn(u8) -> bool> {
        with_label!(self, L => L::overflow(rules))
    }

    /// The reason why no game with `rules` has this label, as far as it follows from the rules.
    #[must_use]
    pub fn undefined_by(self, rules: &Rules) -> Option<Undefined> {
        with_label!(self, L => L::undefined(rules))
    }
}

impl fmt::Display for LabelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that does not belong to any label.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {} or value, found {found:?}", LabelKind::ALL.map(LabelKind::name).join(", "))]
pub struct UnknownLabel {
    found: String,
}

impl FromStr for LabelKind {
    type Err = UnknownLabel;

    fn from_str(name: &str) -> Result<Self, UnknownLabel> {
        // The keys of objects and columns have underscores.
        let is_meant = |label: &Self| label.name() == name || label.about().key == name;
        Self::ALL.into_iter().find(is_meant).ok_or_else(|| UnknownLabel { found: name.into() })
    }
}
