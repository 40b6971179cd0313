//! A solved game in memory, whichever solver it comes from.

use std::fmt;
use std::time::Duration;

use super::dense::Planar;
use crate::contents::{Contents, Dense, Sparse};
use crate::label::{Counts, LabelKind, Width};
use crate::reachable::Levels;
use crate::rules::{Outcome, Position, Rules};

/// A solved game: its rules and the labels that follow from them. Only a solver makes one, so the labels are those of
/// the rules, and whatever is saved of it can be opened again.
pub struct Solution {
    rules: Rules,
    labels: Labels,
    counts: Vec<Counts>,
    program: &'static str,
    solve_time: Duration,
}

/// The labels, owned.
pub(super) enum Labels {
    Dense(Planar),
    Sparse(Reached),
}

/// What play can reach, and its outcomes.
#[derive(PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) levels: Levels,
    pub(super) roots: Vec<Position>,
    /// Keys of all levels, one after the other.
    pub(super) keys: Vec<u8>,
    /// Outcomes of all levels, one after the other.
    pub(super) outcomes: Vec<u8>,
}

impl Solution {
    /// What the sweep of `rules` has labelled.
    pub(super) fn of_dense(rules: &Rules, solution: Planar) -> Self {
        let counts = solution.planes().counts();
        let (program, solve_time) = (solution.kernel(), solution.sweep_time());
        Self { rules: rules.clone(), labels: Labels::Dense(solution), counts, program, solve_time }
    }

    /// What the flood of `rules` has found and labelled.
    pub(super) fn of_sparse(rules: &Rules, reached: Reached, counts: Vec<Counts>, solve_time: Duration) -> Self {
        Self { rules: rules.clone(), labels: Labels::Sparse(reached), counts, program: "sparse", solve_time }
    }

    /// The rules that were solved.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The labels.
    #[must_use]
    pub fn contents(&self) -> Contents<'_> {
        match &self.labels {
            Labels::Dense(solution) => Contents::Dense(Dense::new(solution.layout(), solution.planes())),
            Labels::Sparse(Reached { levels, roots, keys, outcomes }) => {
                Contents::Sparse(Sparse::new(levels, roots, keys, self.width(), outcomes))
            }
        }
    }

    fn width(&self) -> Width {
        LabelKind::Outcome.width(&self.rules)
    }

    /// How many positions have labels.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.contents().count()
    }

    /// The outcome of `position` for the player to move; `None` if the rules have no such position, or a sparse solution
    /// does not hold it because play cannot reach it.
    #[must_use]
    pub fn outcome(&self, position: Position) -> Option<Outcome> {
        if !self.rules.has(position) {
            return None;
        }
        self.contents()
            .outcome(position)
            .unwrap_or_else(|_| unreachable!("a solver writes nothing that makes no sense"))
    }

    /// Outcomes counted, mode by mode.
    #[must_use]
    pub fn counts_by_mode(&self) -> &[Counts] {
        &self.counts
    }

    /// Outcomes counted over every position that has a label.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts.iter().copied().sum()
    }

    /// What labelled it: a kernel of the sweep, `scalar`, or `sparse`.
    #[must_use]
    pub const fn program(&self) -> &'static str {
        self.program
    }

    /// How long labelling took: the sweep alone, without choosing a layout or being given memory; of a sparse solution
    /// finding the positions too.
    #[must_use]
    pub const fn solve_time(&self) -> Duration {
        self.solve_time
    }
}

impl PartialEq for Solution {
    /// Whether rules and labels are equal, byte for byte.
    fn eq(&self, other: &Self) -> bool {
        let labels = match (&self.labels, &other.labels) {
            (Labels::Dense(a), Labels::Dense(b)) => {
                a.layout() == b.layout() && a.planes().bytes() == b.planes().bytes()
            }
            (Labels::Sparse(a), Labels::Sparse(b)) => a == b,
            _ => false,
        };
        labels && self.rules == other.rules
    }
}

impl fmt::Debug for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solution")
            .field("rules", &self.rules.name())
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}
