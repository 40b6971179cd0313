//! The passes over reachable positions: one for each label, of which the first yields the outcomes too.

use rayon::prelude::*;

use super::outcomes::of_label;
use crate::SolveError;
use crate::domain::Domain;
use crate::label::{ByLabel, Counts, LabelKind, LabelSet, Remoteness};
use crate::labelled::Labelled;
use crate::reachable::Levels;
use crate::rules::{Position, Rules};
use crate::symmetry::Group;

/// The label among `labels` from which outcomes follow; the outcome itself, unless they have remoteness or scores.
fn first(labels: LabelSet) -> LabelKind {
    let decides = [LabelKind::Remoteness, LabelKind::Score].into_iter().find(|&kind| labels.contains(kind));
    decides.unwrap_or(LabelKind::Outcome)
}

/// The labels that need a pass of their own, first the one from which outcomes follow.
pub(super) fn passes(labels: LabelSet) -> Vec<LabelKind> {
    let first = first(labels);
    [first].into_iter().chain(labels.others().filter(|&kind| kind != first)).collect()
}

/// The results of all passes.
#[derive(Default)]
pub(super) struct Passes {
    /// The outcomes, if a pass labelled positions with them.
    outcomes: Option<Vec<u8>>,
    others: ByLabel<Vec<u8>>,
    /// The counts of outcomes, mode by mode.
    counts: Vec<Counts>,
}

impl Passes {
    /// Calls `pass` for each of the [`passes`] of `labels`, with its label and with whether it is the last one. `pass` returns the column
    /// of the label, and the counts of outcomes, mode by mode.
    pub(super) fn run(
        labels: LabelSet,
        mut pass: impl FnMut(LabelKind, bool) -> Result<(Vec<u8>, Vec<Counts>), SolveError>,
    ) -> Result<Self, SolveError> {
        let (kinds, mut all) = (passes(labels), Self::default());
        for (number, &kind) in kinds.iter().enumerate() {
            let (column, counts) = pass(kind, number + 1 == kinds.len())?;
            if number == 0 {
                all.counts = counts;
            }
            match kind {
                LabelKind::Outcome => all.outcomes = Some(column),
                other => all.others.set(other, Some(column)),
            }
        }
        Ok(all)
    }

    /// The labels of the positions with `keys`, and the counts of outcomes, mode by mode.
    pub(super) fn labelled(
        self,
        rules: &Rules,
        levels: Levels,
        keys: Vec<u8>,
        roots: Vec<Position>,
        group: &Group,
    ) -> Result<(Labelled, Vec<Counts>), SolveError> {
        self.others.iter().try_for_each(|(kind, column)| check_length(rules, kind, column))?;
        let first = first(self.others.labels());
        let derived = || match self.others.of(first) {
            Some(column) => of_label(rules, &levels, first, column),
            None => unreachable!("the first pass yields outcomes or a label that decides them"),
        };
        let outcomes = self.outcomes.map_or_else(derived, Ok)?;
        let domain = Domain::Sparse { levels, starts: roots, group: group.clone() };
        Ok((Labelled::sparse(domain, keys, outcomes, self.others), self.counts))
    }
}

/// An error if some label `kind` in `column` may exceed the largest code.
pub(super) fn check_length(rules: &Rules, kind: LabelKind, column: &[u8]) -> Result<(), SolveError> {
    match kind.overflow(rules) {
        Some(is_cut) if column.par_iter().any(|&code| is_cut(code)) => {
            Err(SolveError::TooLong { name: rules.name().into(), most: Remoteness::MOST_REPEATING.into() })
        }
        _ => Ok(()),
    }
}
