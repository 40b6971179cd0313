//! A solved game in memory, from any solver.

use std::fmt;
use std::time::Duration;

use super::coloured::ColouredSolution;
use super::dense::DenseSolution;
use super::{Meter, Method, Phase, SolveError, Watch};
use crate::compressed::Bytes;
use crate::contents::{ByteLabels, Coloured, Contents, Dense, Reach, Sparse};
use crate::label::{Counts, LabelKind, Value, Width};
use crate::reachable::Levels;
use crate::rules::{Outcome, Position, Rules};
use crate::symmetry::Group;

/// A solved game: its rules and the labels that follow from them. Only a solver can make one, so the labels belong to
/// the rules, and a saved solution can always be opened again.
pub struct Solution {
    rules: Rules,
    labels: Labels,
    counts: Vec<Counts>,
    /// The counts of every board or colouring, if `counts` has only reachable ones.
    every: Option<Vec<Counts>>,
    /// The counts of stored positions, if `counts` has all positions of their symmetry classes.
    orbits: Option<Vec<Counts>>,
    /// The number of positions with each code of a label of one byte, as far as they were counted together with the outcomes.
    codes: Vec<(LabelKind, Vec<u64>)>,
    program: &'static str,
    solve_time: Duration,
}

/// The labels, owned.
pub(super) enum Labels {
    Dense(DenseSolution),
    Sparse(Reached),
    Coloured(ColouredSolution),
}

/// The reachable positions and their outcomes.
#[derive(PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) levels: Levels,
    pub(super) roots: Vec<Position>,
    /// The symmetries, if one position of each symmetry class is stored.
    pub(super) group: Option<Group>,
    /// Keys of all levels, one after the other.
    pub(super) keys: Vec<u8>,
    /// Outcomes of all levels, one after the other.
    pub(super) outcomes: Vec<u8>,
    /// The other labels, a byte for each rank.
    pub(super) others: Vec<(LabelKind, Vec<u8>)>,
}

impl Solution {
    /// The result of the sweep of `rules`, whose outcomes are counted for it.
    pub(super) fn of_dense(
        rules: &Rules,
        solution: DenseSolution,
        watch: Option<Watch<'_>>,
    ) -> Result<Self, SolveError> {
        let dense = solution.contents();
        let mut meter = Meter::new(watch, Phase::Count, Some(dense.planes().bytes().len() as u64));
        let counts = dense.planes().counts_watched(&|bytes| meter.add(bytes));
        let counts = counts.unwrap_or_else(|_| never_compressed()).ok_or(SolveError::Cancelled)?;
        if meter.finish().is_break() {
            return Err(SolveError::Cancelled);
        }
        let (counts, every) = match dense.reach() {
            Some(reach) => {
                let among = dense.planes().counts_among(&reach.marks());
                (among.unwrap_or_else(|_| never_compressed()), Some(counts))
            }
            None => (counts, None),
        };
        let (program, solve_time) = (solution.kernel(), solution.sweep_time());
        Ok(Self {
            rules: rules.clone(),
            labels: Labels::Dense(solution),
            counts,
            every,
            orbits: None,
            codes: Vec::new(),
            program,
            solve_time,
        })
    }

    /// The result of the sweep of all colourings of `rules`, whose outcomes are counted for it.
    pub(super) fn of_coloured(
        rules: &Rules,
        solution: ColouredSolution,
        watch: Option<Watch<'_>>,
    ) -> Result<Self, SolveError> {
        let coloured = solution.contents();
        let mut meter = Meter::new(watch, Phase::Count, Some(coloured.outcome_bytes()));
        let tallies = coloured.tallies(|bytes| meter.add(bytes));
        let tallies = tallies.unwrap_or_else(|_| unreachable!("a solver writes nothing that makes no sense"));
        let by_mode = tallies.ok_or(SolveError::Cancelled)?.by_mode(coloured.frame(), rules.modes().len());
        if meter.finish().is_break() {
            return Err(SolveError::Cancelled);
        }
        let (program, solve_time) = (solution.kernel(), solution.sweep_time());
        let counts = by_mode.iter().map(|tally| tally.reached).collect();
        let every = Some(by_mode.iter().map(|tally| tally.every).collect());
        let (rules, labels) = (rules.clone(), Labels::Coloured(solution));
        Ok(Self { rules, labels, counts, every, orbits: None, codes: Vec::new(), program, solve_time })
    }

    /// The reachable positions of `rules`, which `method` found and labelled; `counts` has the outcomes of the stored positions.
    pub(super) fn of_reached(
        rules: &Rules,
        method: Method,
        reached: Reached,
        counts: Vec<Counts>,
        solve_time: Duration,
    ) -> Self {
        let (rules, labels, program) = (rules.clone(), Labels::Sparse(reached), method.name());
        let (every, orbits, codes) = (None, None, Vec::new());
        let mut solution = Self { rules, labels, counts, every, orbits, codes, program, solve_time };
        if let Contents::Sparse(sparse) = solution.contents()
            && let Some(group) = sparse.group()
        {
            let weighted = sparse.weighted(group);
            let weighted = weighted.unwrap_or_else(|_| unreachable!("a solver writes nothing that makes no sense"));
            solution.orbits = Some(std::mem::replace(&mut solution.counts, weighted.by_mode));
            solution.codes = weighted.codes;
        }
        solution
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
            Labels::Dense(solution) => Contents::Dense(solution.contents()),
            Labels::Sparse(Reached { levels, roots, group, keys, outcomes, others }) => {
                let of = |kind| others.iter().find(|(found, _)| *found == kind).map(|(_, bytes)| bytes.as_slice());
                let outcomes = Bytes::Plain(outcomes);
                let sparse =
                    Sparse::new(levels, roots, Bytes::Plain(keys), self.width(), outcomes, ByteLabels::new(of));
                Contents::Sparse(sparse.up_to(group.as_ref()))
            }
            Labels::Coloured(solution) => Contents::Coloured(solution.contents()),
        }
    }

    fn width(&self) -> Width {
        LabelKind::Outcome.width(&self.rules)
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
        self.contents()
            .outcome(position)
            .unwrap_or_else(|_| unreachable!("a solver writes nothing that makes no sense"))
    }

    /// All labels of `position`; `None` as for [`outcome`](Self::outcome).
    #[must_use]
    pub fn value(&self, position: Position) -> Option<Value> {
        if !self.rules.has(position) {
            return None;
        }
        self.contents().value(position).unwrap_or_else(|_| unreachable!("a solver writes nothing that makes no sense"))
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
    pub fn codes(&self) -> &[(LabelKind, Vec<u64>)] {
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
        self.program
    }

    /// The time spent on labelling, for all labels. For a dense solution this is the sweep alone, without choosing a
    /// layout or allocating memory. For a sparse solution it includes finding the positions.
    #[must_use]
    pub const fn solve_time(&self) -> Duration {
        self.solve_time
    }
}

/// Solvers keep labels uncompressed, so this cannot happen.
fn never_compressed() -> ! {
    unreachable!("a solution is not compressed")
}

fn memory(bytes: Bytes<'_>) -> &[u8] {
    bytes.plain().unwrap_or_else(|| never_compressed())
}

fn others(bytes: ByteLabels<'_>) -> [Option<&[u8]>; LabelKind::ALL.len()] {
    LabelKind::ALL.map(|kind| bytes.of(kind).map(memory))
}

impl PartialEq for Solution {
    /// True if the rules and the labels are equal, byte for byte.
    fn eq(&self, other: &Self) -> bool {
        let labels = match (&self.labels, &other.labels) {
            (Labels::Dense(a), Labels::Dense(b)) => {
                let (a, b) = (a.contents(), b.contents());
                let marks = |reach: Reach<'_>| (reach.roots().to_vec(), memory(reach.marks().bytes()).to_vec());
                let reach = |dense: &Dense<'_>| dense.reach().map(marks);
                a.layout() == b.layout()
                    && memory(a.planes().bytes()) == memory(b.planes().bytes())
                    && reach(&a) == reach(&b)
                    && others(a.bytes()) == others(b.bytes())
            }
            (Labels::Sparse(a), Labels::Sparse(b)) => a == b,
            (Labels::Coloured(a), Labels::Coloured(b)) => {
                let (a, b) = (a.contents(), b.contents());
                let planes = |coloured: &Coloured<'_>| coloured.sections().map(|bytes| memory(bytes).to_vec());
                a.frame() == b.frame() && planes(&a) == planes(&b) && others(a.bytes()) == others(b.bytes())
            }
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
