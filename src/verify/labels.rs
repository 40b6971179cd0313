//! Checks that every label follows from those of its successors.

use rayon::prelude::*;

use super::coloured::ColouredCheck;
use super::dense::DenseCheck;
use super::folded::FoldedCheck;
use super::sample::{Draws, named};
use super::sparse::SparseCheck;
use super::{Finding, Options, Scope, byte_labels};
use crate::contents::Contents;
use crate::label::Counts;
use crate::rules::{Mode, Position};
use crate::table::Table;

/// Recomputes every label of the table from those of the successors by the definition itself, and returns the number of
/// labels. If the scope
/// is all labels, the counts in the header are compared as well; for a sparse table, it is also checked that it holds
/// exactly the reachable positions, each under its unique key; where these are marked, that exactly those are. Progress
/// counts labels.
///
/// # Errors
/// The first wrong label (in a sample, any wrong label), or [`Finding::Cancelled`].
pub fn labels(table: &Table, options: &Options<'_>) -> Result<u64, Finding> {
    let kinds = table.labels().iter().count() as u64;
    match (options.scope, table.contents()) {
        (Scope::All, contents) => {
            let found = match contents {
                Contents::Dense(dense) => {
                    let check = DenseCheck::new(table.rules(), dense);
                    match dense.reach() {
                        None => check.all(options)?,
                        Some(reach) => {
                            compare(table.every_by_mode().unwrap_or_default(), &check.all(options)?)?;
                            check.reached(reach, table.rules(), options)?
                        }
                    }
                }
                Contents::Sparse(sparse) => {
                    let [stored, all] = SparseCheck::new(table.rules(), sparse).all(options)?;
                    if let Some(orbits) = table.orbits_by_mode() {
                        compare(orbits, &stored)?;
                    }
                    all
                }
                Contents::Folded(folded) => {
                    let [every, reached] = FoldedCheck::new(table.rules(), folded).all(options)?;
                    if let Some(header) = table.every_by_mode() {
                        compare(header, &every)?;
                    }
                    reached
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
        (Scope::Sample { count, seed }, contents) => table.at_random(|| {
            let draws = Draws::new(seed, contents.count());
            let named = named(table.rules(), contents)?;
            let unrank = |number| contents.unrank(draws.rank(number));
            match contents {
                Contents::Dense(dense) => {
                    let check = DenseCheck::new(table.rules(), dense);
                    let label =
                        |p: Position| check.label(p.mode, dense.layout().index(p.board)).and_then(|_| others(table, p));
                    sample(&named, (count, kinds), options, |number| label(unrank(number)?), label)
                }
                Contents::Sparse(sparse) => {
                    let check = SparseCheck::new(table.rules(), sparse);
                    check.symmetries()?;
                    let label = |p| check.label(p, |_| {}).and_then(|_| others(table, p));
                    sample(&named, (count, kinds), options, |number| label(unrank(number)?), label)
                }
                Contents::Folded(folded) => {
                    let check = FoldedCheck::new(table.rules(), folded);
                    let label = |p| check.label(p).and_then(|_| others(table, p));
                    sample(&named, (count, kinds), options, |number| label(unrank(number)?), label)
                }
                Contents::Coloured(coloured) => {
                    let check = ColouredCheck::new(table.rules(), coloured);
                    let label = |p| check.label(p).and_then(|_| others(table, p));
                    sample(&named, (count, kinds), options, |number| label(unrank(number)?), label)
                }
            }
        }),
    }
}

/// Recomputes the other labels of `position`.
fn others(table: &Table, position: Position) -> Result<(), Finding> {
    let contents = table.contents();
    let check = |kind| byte_labels::one(table.rules(), &contents, kind, position).map(drop);
    table.labels().others().try_for_each(check)
}

/// Checks the named positions, then the draws, each of so many labels, and returns the number of labels drawn.
fn sample(
    named: &[Position],
    (count, kinds): (u64, u64),
    options: &Options<'_>,
    draw: impl Fn(u64) -> Result<(), Finding> + Sync,
    label: impl Fn(Position) -> Result<(), Finding> + Sync,
) -> Result<u64, Finding> {
    let check = |&position: &Position| options.tell(0).and_then(|()| label(position)).err();
    if let Some(finding) = named.par_iter().find_map_first(check) {
        return Err(finding);
    }
    let recompute = |number| draw(number).and_then(|()| options.tell(kinds)).err();
    (0..count).into_par_iter().find_map_any(recompute).map_or(Ok(count * kinds), Err)
}

/// Checks that the counts in the header are those of the labels.
fn compare(header: &[Counts], labels: &[Counts]) -> Result<(), Finding> {
    let modes = (0..).map(Mode).zip(header.iter().zip(labels));
    let differ = modes.into_iter().find(|(_, (expected, found))| expected != found);
    differ.map_or(Ok(()), |(mode, (&expected, &found))| Err(Finding::Counts { mode, expected, found }))
}
