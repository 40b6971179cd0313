//! A solved game in memory, from any solver.

use std::fmt;
use std::time::Duration;

use crate::contents::{Coloured, Contents, Dense};
use crate::domain::Domain;
use crate::label::{ByLabel, Counts, Value};
use crate::labelled::Labelled;
use crate::rules::{Outcome, Position, Rules};
use crate::{Meter, Phase, SolveError, Watch};

/// A solved game: its rules and the labels that follow from them. Only a solver can make one, so the labels belong to
/// the rules, and a saved solution can always be opened again.
pub struct Solution {
    rules: Rules,
    labelled: Labelled,
    counts: Vec<Counts>,
    /// The counts of every board or colouring, if `counts` has only reachable ones.
    every: Option<Vec<Counts>>,
    /// The counts of stored positions, if `counts` has all positions of their symmetry classes.
    orbits: Option<Vec<Counts>>,
    /// The number of positions with each code of a label of one byte, as far as they were counted together with the outcomes.
    codes: ByLabel<Vec<u64>>,
}

impl Solution {
    /// The result of a sweep of `rules`, whose outcomes are counted for it.
    pub fn of_sweep(rules: &Rules, labelled: Labelled, watch: Option<Watch<'_>>) -> Result<Self, SolveError> {
        let contents = labelled.contents(rules);
        let mut meter = Meter::new(watch, Phase::Count, Some(contents.outcome_bytes()));
        let counted = match contents {
            Contents::Dense(dense) => count_boards(&dense, &meter),
            Contents::Coloured(coloured) => count_colourings(&coloured, rules.modes().len(), &meter),
            Contents::Sparse(_) | Contents::Regions(_) => unreachable!("a sweep labels every board or colouring"),
        };
        let (counts, every) = counted.ok_or(SolveError::Cancelled)?;
        if meter.finish().is_break() {
            return Err(SolveError::Cancelled);
        }
        Ok(Self { rules: rules.clone(), labelled, counts, every, orbits: None, codes: ByLabel::NONE })
    }

    /// The reachable positions of `rules`, found and labelled; `counts` has the outcomes of the stored positions.
    pub fn of_reached(rules: &Rules, labelled: Labelled, counts: Vec<Counts>) -> Self {
        let (rules, codes) = (rules.clone(), ByLabel::NONE);
        let mut solution = Self { rules, labelled, counts, every: None, orbits: None, codes };
        if let Contents::Sparse(sparse) = solution.contents()
            && !sparse.group().is_trivial()
        {
            let weighted = sparse.weighted().unwrap_or_else(|_| makes_sense());
            solution.orbits = Some(std::mem::replace(&mut solution.counts, weighted.by_mode));
            solution.codes = weighted.codes;
        }
        solution
    }

    /// The boards of `rules` with the numbers of pieces that play may reach, labelled by regions. Counts them.
    ///
    /// # Errors
    /// If `watch` stops the work.
    pub fn of_regions(rules: &Rules, labelled: Labelled, watch: Option<Watch<'_>>) -> Result<Self, SolveError> {
        let modes = rules.modes().len();
        let contents = labelled.contents(rules);
        let mut meter = Meter::new(watch, Phase::Count, Some(contents.outcome_bytes()));
        let Contents::Regions(regions) = contents else { unreachable!("these are labels by regions") };
        let tallies = regions.tallies(|bytes| meter.add(bytes)).unwrap_or_else(|_| makes_sense());
        let tallies = tallies.ok_or(SolveError::Cancelled)?;
        if meter.finish().is_break() {
            return Err(SolveError::Cancelled);
        }
        let codes = |kind| regions.codes(kind).unwrap_or_else(|_| makes_sense());
        let codes = contents.labels().others().map(|kind| (kind, codes(kind))).collect();
        let counts = regions.by_mode(&tallies, modes);
        let orbits = labelled.domain.has_representatives().then(|| regions.stored_by_mode(&tallies, modes));
        Ok(Self { rules: rules.clone(), labelled, counts, every: None, orbits, codes })
    }

    /// The rules that were solved.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The positions that have labels: their index, their symmetries and the starts of play.
    #[must_use]
    pub const fn domain(&self) -> &Domain {
        &self.labelled.domain
    }

    /// The labels.
    #[must_use]
    pub fn contents(&self) -> Contents<'_> {
        self.labelled.contents(&self.rules)
    }

    /// The number of positions with labels.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.contents().count()
    }

    /// The outcome of `position` for the player to move; `None` if the rules lack the position, or the solution is
    /// sparse and the position is not reachable.
    #[must_use]
    pub fn outcome(&self, position: Position) -> Option<Outcome> {
        if !self.rules.has(position) {
            return None;
        }
        self.contents().outcome(position).unwrap_or_else(|_| makes_sense())
    }

    /// All labels of `position`; `None` as for [`outcome`](Self::outcome).
    #[must_use]
    pub fn value(&self, position: Position) -> Option<Value> {
        if !self.rules.has(position) {
            return None;
        }
        self.contents().value(position).unwrap_or_else(|_| makes_sense())
    }

    /// The counts of outcomes, mode by mode. They cover reachable positions if these are marked, else every position
    /// with a label. Under symmetry, all positions of each class count.
    #[must_use]
    pub fn counts_by_mode(&self) -> &[Counts] {
        &self.counts
    }

    /// The counts of every position with a label, mode by mode, if reachable positions are counted separately.
    #[must_use]
    pub fn every_by_mode(&self) -> Option<&[Counts]> {
        self.every.as_deref()
    }

    /// The counts of representatives, mode by mode, in a solution up to symmetry.
    #[must_use]
    pub fn orbits_by_mode(&self) -> Option<&[Counts]> {
        self.orbits.as_deref()
    }

    /// The counts of codes that were made together with the counts of outcomes.
    pub const fn codes(&self) -> &ByLabel<Vec<u64>> {
        &self.codes
    }

    /// The counts of outcomes over all positions with labels.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts.iter().copied().sum()
    }

    /// The program that labelled it: a kernel of the sweep, `scalar`, `sparse` or `cyclic`.
    #[must_use]
    pub const fn program(&self) -> &'static str {
        self.labelled.program
    }

    /// The time spent on labelling, for all labels. For a dense solution this is the sweep alone, without choosing a
    /// layout or allocating memory. For a sparse solution it includes finding the positions.
    #[must_use]
    pub const fn solve_time(&self) -> Duration {
        self.labelled.solve_time
    }
}

/// Counts by mode, and counts of every board or colouring if the first are of reachable ones.
type ByMode = (Vec<Counts>, Option<Vec<Counts>>);

/// Counts the outcomes of all boards, or of reachable boards if these are marked; `None` if `meter` stops.
fn count_boards(dense: &Dense<'_>, meter: &Meter<'_>) -> Option<ByMode> {
    let counts = dense.planes().counts_watched(&|bytes| meter.add(bytes)).unwrap_or_else(|_| makes_sense())?;
    let Some(reach) = dense.reach() else { return Some((counts, None)) };
    let among = dense.planes().counts_among(&reach.marks()).unwrap_or_else(|_| makes_sense());
    Some((among, Some(counts)))
}

/// Counts the outcomes of reachable colourings and of all; `None` if `meter` stops.
fn count_colourings(coloured: &Coloured<'_>, modes: usize, meter: &Meter<'_>) -> Option<ByMode> {
    let tallies = coloured.tallies(|bytes| meter.add(bytes)).unwrap_or_else(|_| makes_sense())?;
    let by_mode = tallies.by_mode(coloured.frame(), modes);
    let every = by_mode.iter().map(|tally| tally.every).collect();
    Some((by_mode.iter().map(|tally| tally.reached).collect(), Some(every)))
}

/// Labels in memory are neither compressed nor damaged.
fn makes_sense() -> ! {
    unreachable!("a solver writes nothing that makes no sense")
}

impl PartialEq for Solution {
    /// True if the rules and the labels are equal, byte for byte.
    fn eq(&self, other: &Self) -> bool {
        self.labelled == other.labelled && self.rules == other.rules
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
