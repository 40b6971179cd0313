//! Checks that every label follows from the labels of the successors.

use std::ops::Range;

use rayon::prelude::*;

use super::coloured::ColouredCheck;
use super::dense::DenseCheck;
use super::folded::FoldedCheck;
use super::sample::{Draws, named};
use super::sparse::SparseCheck;
use super::{Finding, Options, Scope, byte_labels};
use crate::contents::{Contents, LabelFault};
use crate::label::Counts;
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
    match (scope, table.contents()) {
        (Scope::All, contents) => {
            let found = match contents {
                Contents::Dense(dense) => match (dense.fold(), dense.reach()) {
                    (Some(fold), _) => {
                        let [every, reached] = FoldedCheck::new(table.rules(), dense, fold).all(options)?;
                        if let Some(header) = table.every_by_mode() {
                            compare(header, &every)?;
                        }
                        reached
                    }
                    (None, None) => DenseCheck::new(table.rules(), dense).all(options)?,
                    (None, Some(reach)) => {
                        let check = DenseCheck::new(table.rules(), dense);
                        compare(table.every_by_mode().unwrap_or_default(), &check.all(options)?)?;
                        check.reached(reach, table.rules(), options)?
                    }
                },
                Contents::Sparse(sparse) => {
                    let check = SparseCheck::new(table.rules(), sparse);
                    let [stored, all] = check.all(options)?;
                    if table.lacks_plies() {
                        check.all_forced(options)?;
                    }
                    if let Some(orbits) = table.orbits_by_mode() {
                        compare(orbits, &stored)?;
                    }
                    all
                }
                Contents::Coloured(coloured) => {
                    let tallies = ColouredCheck::new(table.rules(), coloured).all(options)?;
                    let every: Vec<Counts> = tallies.iter().map(|tally| tally.every).collect();
                    compare(table.every_by_mode().unwrap_or_default(), &every)?;
                    tallies.iter().map(|tally| tally.reached).collect()
                }
            };
            compare(table.counts_by_mode(), &found)?;
            table.labels().others().try_for_each(|kind| byte_labels::all(table, kind, options))?;
            Ok(contents.count() * kinds)
        }
        (Scope::Sample { count, seed }, contents) => {
            let drawn = Drawn { table, draws: Draws::new(seed, contents.count()), count, options };
            match contents {
                Contents::Dense(dense) => match dense.fold() {
                    Some(fold) => {
                        let check = FoldedCheck::new(table.rules(), dense, fold);
                        drawn.check(|p| check.label(p).map(drop))
                    }
                    None => {
                        let check = DenseCheck::new(table.rules(), dense);
                        drawn.check(|p| check.label(p.mode, dense.layout().index(p.board)).map(drop))
                    }
                },
                Contents::Sparse(sparse) => {
                    let check = SparseCheck::new(table.rules(), sparse);
                    drawn.check(|p| check.label(p, |_| {}).map(drop))
                }
                Contents::Coloured(coloured) => {
                    let check = ColouredCheck::new(table.rules(), coloured);
                    drawn.check(|p| check.label(p).map(drop))
                }
            }
        }
    }
}

/// Recomputes the labels of `position` other than the outcome.
fn others(table: &Table, position: Position) -> Result<(), Finding> {
    let contents = table.contents();
    let check = |kind| byte_labels::one(table.rules(), &contents, kind, position).map(drop);
    table.labels().others().try_for_each(check)
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
            let place = match contents {
                Contents::Dense(_) => contents.index(position)?.unwrap_or_default() as u64,
                Contents::Coloured(coloured) if coloured.frame().fold().is_some() => {
                    coloured.frame().place(position).map_or(rank, |place| coloured.frame().bit(place))
                }
                Contents::Sparse(_) | Contents::Coloured(_) => rank,
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
