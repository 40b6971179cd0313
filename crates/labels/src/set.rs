//! A set of labels.

use std::fmt;
use std::str::FromStr;

use super::{LabelKind, UnknownLabel, Width};
use crate::rules::Rules;

/// The labels to compute, or the labels that a table holds. The outcome is always among them, because it is small and every answer
/// begins with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LabelSet(u8);

const fn bit(kind: LabelKind) -> u8 {
    1 << (kind.number() - 1)
}

impl LabelSet {
    /// The outcome alone.
    pub const OUTCOME: Self = Self(bit(LabelKind::Outcome));

    /// This set without `kind`, which is not the outcome.
    #[must_use]
    pub const fn without(self, kind: LabelKind) -> Self {
        Self(self.0 & !bit(kind)).union(Self::OUTCOME)
    }

    /// Every label.
    pub const ALL: Self = Self((1 << LabelKind::ALL.len()) - 1);

    /// The outcome and the plies to the end: the labels that best play needs.
    pub const BEST_PLAY: Self = Self::OUTCOME.with(LabelKind::Remoteness);

    /// This set and `kind`.
    #[must_use]
    pub const fn with(self, kind: LabelKind) -> Self {
        Self(self.0 | bit(kind))
    }

    /// The labels that are in either.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The labels that are in both; the outcome always is.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The labels that are here but not in `other`, and the outcome.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0).union(Self::OUTCOME)
    }

    /// Returns whether `kind` is one of them.
    #[must_use]
    pub const fn contains(self, kind: LabelKind) -> bool {
        self.0 & bit(kind) != 0
    }

    /// The set as a number, for other processes.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set that [`bits`](Self::bits) gave this number for.
    pub const fn of_bits(bits: u8) -> Self {
        Self(bits).intersection(Self::ALL).union(Self::OUTCOME)
    }

    /// The labels, in the order in which a table stores them.
    pub fn iter(self) -> impl Iterator<Item = LabelKind> {
        LabelKind::ALL.into_iter().filter(move |&kind| self.contains(kind))
    }

    /// Those labels that a table gets unless its labels are named.
    #[must_use]
    pub fn usual(self) -> Self {
        self.iter().filter(|kind| kind.about().usual).collect()
    }

    /// This set with the label from which outcomes by `rules` follow, if they do not follow from each other: scores, where moves gain
    /// points.
    #[must_use]
    pub fn needed_by(self, rules: &Rules) -> Self {
        if rules.has_gains() { self.with(LabelKind::Score) } else { self }
    }

    /// The names of the labels.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.iter().map(LabelKind::name)
    }

    /// The number of bits that each label takes in a table of `rules`.
    pub fn widths(self, rules: &Rules) -> impl Iterator<Item = Width> {
        self.iter().map(|kind| kind.width(rules))
    }

    /// The labels other than the outcome.
    pub fn others(self) -> impl Iterator<Item = LabelKind> {
        self.iter().filter(|&kind| kind != LabelKind::Outcome)
    }
}

impl Default for LabelSet {
    fn default() -> Self {
        Self::OUTCOME
    }
}

impl FromIterator<LabelKind> for LabelSet {
    fn from_iter<I: IntoIterator<Item = LabelKind>>(kinds: I) -> Self {
        kinds.into_iter().fold(Self::OUTCOME, Self::with)
    }
}

impl FromStr for LabelSet {
    type Err = UnknownLabel;

    /// Names with commas between them: `outcome,remoteness`.
    fn from_str(names: &str) -> Result<Self, UnknownLabel> {
        names.split(',').map(|name| name.trim().parse()).collect()
    }
}

impl fmt::Display for LabelSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.names().collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Debug for LabelSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_back() {
        let set: LabelSet = "nimber, outcome".parse().unwrap();
        assert_eq!(set.to_string(), "outcome, nimber");
        assert!(set.contains(LabelKind::Nimber) && !set.contains(LabelKind::Remoteness));
        assert!(LabelKind::ALL.into_iter().all(|kind| kind.about().key.parse() == Ok(kind)));
        assert_eq!("remoteness".parse::<LabelSet>().unwrap(), LabelSet::OUTCOME.with(LabelKind::Remoteness));
        let both = LabelSet::OUTCOME.with(LabelKind::Remoteness).union(set);
        assert_eq!(
            (both, both.intersection(set)),
            (LabelSet::ALL.without(LabelKind::MisereNimber).without(LabelKind::Score), set)
        );
        assert_eq!(
            [LabelSet::OUTCOME, set, LabelSet::ALL].map(|set| LabelSet::of_bits(set.bits())),
            [LabelSet::OUTCOME, set, LabelSet::ALL]
        );
        assert_eq!([0, u8::MAX].map(LabelSet::of_bits), [LabelSet::OUTCOME, LabelSet::ALL]);
        assert!("outcome,".parse::<LabelSet>().is_err() && "winner".parse::<LabelSet>().is_err());
    }

    #[test]
    fn the_outcome_is_in_every_set() {
        let set = LabelSet::OUTCOME.with(LabelKind::Nimber);
        assert_eq!(set.others().collect::<Vec<_>>(), [LabelKind::Nimber]);
        assert_eq!(format!("{set:?} {}", LabelKind::MisereNimber), "{Outcome, Nimber} misere-nimber");
    }
}
