//! Checks that every label follows from those of its successors.

use rayon::prelude::*;

use super::dense::DenseCheck;
use super::sparse::SparseCheck;
use super::{Finding, Options, Scope, byte_labels, drawn};
use crate::contents::Contents;
use crate::label::Counts;
use crate::rules::{Mode, Position};
use crate::table::Table;

/// Recomputes labels from those of their successors by the definition itself, and returns their number. If the scope
/// is all labels, the counts in the header are compared as well; for a sparse table, it is also checked that it holds
/// exactly the reachable positions, each under its unique key. Progress counts labels.
///
/// # Errors
/// The first wrong label (in a sample, any wrong label), or [`Finding::Cancelled`].
pub fn labels(table: &Table, options: &Options<'_>) -> Result<u64, Finding> {
    match (options.scope, table.contents()) {
        (Scope::All, contents) => {
            let found = match contents {
                Contents::Dense(dense) => DenseCheck::new(table.rules(), dense).all(options)?,
                Contents::Sparse(sparse) => SparseCheck::new(table.rules(), sparse).all(options)?,
            };
            compare(table.counts_by_mode(), &found)?;
            table.labels().others().try_for_each(|kind| byte_labels::all(table, kind, options))?;
            Ok(contents.count())
        }
        (Scope::Sample { count, seed }, Contents::Dense(dense)) => {
            let check = DenseCheck::new(table.rules(), dense);
            sample(count, options, |number| {
                let position = dense.unrank(drawn(table, seed, number));
                check.label(position.mode, dense.layout().index(position.board))?;
                others(table, position)
            })
        }
        (Scope::Sample { count, seed }, Contents::Sparse(sparse)) => {
            let check = SparseCheck::new(table.rules(), sparse);
            sample(count, options, |number| {
                let position = sparse.unrank(drawn(table, seed, number))?;
                check.label(position, |_| {})?;
                others(table, position)
            })
        }
    }
}

/// Recomputes the other labels of `position`.
fn others(table: &Table, position: Position) -> Result<(), Finding> {
    let contents = table.contents();
    let check = |kind| byte_labels::one(table.rules(), &contents, kind, position).map(drop);
    table.labels().others().try_for_each(check)
}

fn sample(
    count: u64,
    options: &Options<'_>,
    check: impl Fn(u64) -> Result<(), Finding> + Sync,
) -> Result<u64, Finding> {
    let recompute = |number| check(number).and_then(|()| options.tell(1)).err();
    (0..count).into_par_iter().find_map_any(recompute).map_or(Ok(count), Err)
}

/// Checks that the counts in the header are those of the labels.
fn compare(header: &[Counts], labels: &[Counts]) -> Result<(), Finding> {
    let modes = (0..).map(Mode).zip(header.iter().zip(labels));
    let differ = modes.into_iter().find(|(_, (expected, found))| expected != found);
    differ.map_or(Ok(()), |(mode, (&expected, &found))| Err(Finding::Counts { mode, expected, found }))
}
