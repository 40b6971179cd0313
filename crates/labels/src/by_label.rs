//! A value for each label of one byte.

use std::fmt;

use super::{LabelKind, LabelSet};

/// A value for each label of one byte, as far as there is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByLabel<T>([Option<T>; LabelKind::BYTE_LABELS]);

impl<T> ByLabel<T> {
    /// No value for any label.
    pub const NONE: Self = Self([const { None }; LabelKind::BYTE_LABELS]);

    /// The value that `of` gives for each label.
    pub fn new(of: impl FnMut(LabelKind) -> Option<T>) -> Self {
        Self(LabelKind::OTHERS.map(of))
    }

    /// The value of `kind`; `None` for outcomes.
    #[must_use]
    pub const fn of(&self, kind: LabelKind) -> Option<&T> {
        match (kind as usize).checked_sub(1) {
            Some(at) => self.0[at].as_ref(),
            None => None,
        }
    }

    /// Sets the value of `kind`, which is not the outcome.
    pub fn set(&mut self, kind: LabelKind, value: Option<T>) {
        self.0[kind as usize - 1] = value;
    }

    /// The labels that have values, with their values, in the order in which a table stores labels.
    pub fn iter(&self) -> impl Iterator<Item = (LabelKind, &T)> {
        LabelKind::OTHERS.into_iter().zip(&self.0).filter_map(|(kind, value)| Some((kind, value.as_ref()?)))
    }

    /// The values in the order in which a table stores labels.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }

    /// The labels that have values, and the outcome.
    #[must_use]
    pub fn labels(&self) -> LabelSet {
        self.iter().map(|(kind, _)| kind).collect()
    }

    /// What `of` makes of each value.
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> ByLabel<U> {
        ByLabel(self.0.map(|value| value.map(&mut of)))
    }
}

impl<T> Default for ByLabel<T> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<T> FromIterator<(LabelKind, T)> for ByLabel<T> {
    fn from_iter<I: IntoIterator<Item = (LabelKind, T)>>(values: I) -> Self {
        let mut all = Self::NONE;
        values.into_iter().for_each(|(kind, value)| all.set(kind, Some(value)));
        all
    }
}

impl<T: fmt::Debug> fmt::Debug for ByLabel<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_values_of_their_own() {
        let mut all: ByLabel<u8> = LabelKind::OTHERS.into_iter().zip(1..).collect();
        assert_eq!(all, ByLabel::new(|kind| Some(kind.number() - 1)));
        assert_eq!((all.of(LabelKind::Outcome), all.of(LabelKind::Nimber)), (None, Some(&2)));
        all.set(LabelKind::Nimber, None);
        assert_eq!(all.labels(), LabelSet::ALL.without(LabelKind::Nimber));
        assert_eq!(all.map(u32::from).values().collect::<Vec<_>>(), [&1, &3, &4]);
        assert_eq!(format!("{all:?} {:?}", ByLabel::<u8>::NONE), "{Remoteness: 1, MisereNimber: 3, Score: 4} {}");
    }
}
