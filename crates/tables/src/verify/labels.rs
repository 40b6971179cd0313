//! Checks that every label follows from the labels of the successors.

use std::ops::Range;

use rayon::prelude::*;

use super::outcomes::OutcomeCheck;
use super::sample::{Draws, named};
use super::{Finding, Options, Scope, byte_labels};
use crate::contents::{Contents, LabelFault, Tally};
use crate::label::{Counts, add_each};
use crate::rules::{Mode, Position};
use crate::table::Table;

/// Recomputes every label of the table from the labels of the successors, directly by definition, and returns the
/// number of labels. Progress counts labels.
///
/// If the scope is all labels, the counts in the header are compared too. A sparse table must also hold exactly the
/// reachable positions, each under its unique key. Reachability bits must mark exactly the reachable positions. If
/// positions may repeat and the table lacks plies, the scope is always all labels: a sample could not tell a win from a
/// position from which play never ends.
///
/// # Errors
/// The first wrong label (in a sample, any wrong label), or [`Finding::Cancelled`].
pub fn labels(table: &Table, options: &Options<'_>) -> Result<u64, Finding> {
    let kinds = table.labels().iter().count() as u64;
    let scope = if table.lacks_plies() { Scope::All } else { options.scope };
    let (contents, check) = (table.contents(), OutcomeCheck::new(table.rules(), table.contents()));
    match scope {
        Scope::All => {
            let Counted { stored, all } = check.all(options)?;
            if table.lacks_plies() {
                check.all_forced(options)?;
            }
            let every = |tallies: &[Tally]| tallies.iter().map(|tally| tally.every).collect::<Vec<Counts>>();
            table.orbits_by_mode().map_or(Ok(()), |header| compare(header, &every(&stored)))?;
            table.every_by_mode().map_or(Ok(()), |header| compare(header, &every(&all)))?;
            let reached: Vec<Counts> = all.iter().map(|tally| tally.reached).collect();
            compare(table.counts_by_mode(), &reached)?;
            table.labels().others().try_for_each(|kind| byte_labels::all(table, kind, options))?;
            Ok(contents.count() * kinds)
        }
        Scope::Sample { count, seed } => {
            let drawn = Drawn { table, draws: Draws::new(seed, contents.count()), count, options };
            drawn.check(|position| check.one(position).map(drop))
        }
    }
}

/// Recomputes the labels of `position` other than the outcome.
fn others(table: &Table, position: Position) -> Result<(), Finding> {
    let contents = table.contents();
    let check = |kind| byte_labels::one(table.rules(), &contents, kind, position).map(drop);
    table.labels().others().try_for_each(check)
}

/// Counts of outcomes, mode by mode: of the stored positions, and of all positions that they represent.
pub(super) struct Counted {
    pub(super) stored: Vec<Tally>,
    pub(super) all: Vec<Tally>,
}

impl Counted {
    pub(super) fn none(modes: usize) -> Self {
        Self { stored: vec![Tally::default(); modes], all: vec![Tally::default(); modes] }
    }

    pub(super) fn with(self, more: Self) -> Self {
        Self { stored: add_each(self.stored, more.stored), all: add_each(self.all, more.all) }
    }
}

/// Draws that are checked together, in the order in which their labels lie in the file.
const TOGETHER: u64 = 1 << 22;
/// Draws that the threads share at a time: few enough to lie in one part of the file.
const NEAR: usize = 1 << 12;
/// If the file has at most this many bytes per draw, reading it sequentially is faster than at random.
const A_DRAW: u64 = 1 << 16;

/// A sample of the labels of a table.
struct Drawn<'a> {
    table: &'a Table,
    draws: Draws,
    count: u64,
    options: &'a Options<'a>,
}

impl Drawn<'_> {
    /// Checks the named positions, then the draws: their outcomes with `outcome`, and then their other labels. Returns
    /// the number of drawn labels.
    fn check(&self, outcome: impl Fn(Position) -> Result<(), Finding> + Sync) -> Result<u64, Finding> {
        let (table, kinds) = (self.table, self.table.labels().iter().count() as u64);
        let label = |position| outcome(position).and_then(|()| others(table, position));
        table.at_random(|| {
            let named = named(table)?;
            let check = |&position: &Position| self.options.tell(0).and_then(|()| label(position)).err();
            named.par_iter().find_map_first(check).map_or(Ok(()), Err)
        })?;
        let check = |position: &Position| label(*position).and_then(|()| self.options.tell(kinds)).err();
        let draws = || {
            for first in (0..self.count).step_by(TOGETHER as usize) {
                let positions = self.positions(first..self.count.min(first + TOGETHER))?;
                let found = positions.chunks(NEAR).find_map(|near| near.par_iter().find_map_any(check));
                found.map_or(Ok(()), Err)?;
            }
            Ok(self.count * kinds)
        };
        if self.count.saturating_mul(A_DRAW) < table.file_bytes() { table.at_random(draws) } else { draws() }
    }

    /// The positions of some draws, in the order in which their labels lie in the file. Nearby labels have successors
    /// with nearby labels, so that a file larger than memory is not read again and again.
    fn positions(&self, numbers: Range<u64>) -> Result<Vec<Position>, Finding> {
        let contents = self.table.contents();
        let place = |number| {
            let rank = self.draws.rank(number);
            let position = contents.unrank(rank)?;
            // Sparse tables and tables by regions store labels in the order of ranks.
            let place = match contents {
                Contents::Sparse(_) | Contents::Regions(_) => rank,
                Contents::Dense(_) | Contents::Coloured(_) => {
                    contents.index(position)?.map_or(rank, |index| index as u64)
                }
            };
            Ok((place, position))
        };
        let mut places = numbers.into_par_iter().map(place).collect::<Result<Vec<_>, LabelFault>>()?;
        places.par_sort_unstable();
        Ok(places.into_iter().map(|(_, position)| position).collect())
    }
}

/// Checks that the counts in the header agree with the labels.
fn compare(header: &[Counts], labels: &[Counts]) -> Result<(), Finding> {
    let modes = (0..).map(Mode).zip(header.iter().zip(labels));
    let differ = modes.into_iter().find(|(_, (expected, found))| expected != found);
    differ.map_or(Ok(()), |(mode, (&expected, &found))| Err(Finding::Counts { mode, expected, found }))
}
