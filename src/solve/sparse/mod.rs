//! Solves only the reachable positions: for games with too many boards to label, of which play reaches few.
//!
//! Two passes over the positions, level by level of filled cells:
//! 1. *flood* forward from the roots: the positions of a level are known once every lower level is expanded, since a
//!    move only fills cells;
//! 2. *label* backward: every successor of a position lies in a higher level, and has its label already. Each label is a
//!    pass, except that outcomes are read off remoteness where both are asked for.
//!
//! Both use all cores of the current rayon pool, and the result does not depend on the number of threads: a level is
//! a set, and it is kept sorted.

mod batch;
mod flood;
mod label;
mod moves;
mod outcomes;
mod pending;
mod replies;
mod tags;

use std::time::Instant;

use super::solution::Reached;
use super::{Census, Options, Solution, SolveError};
use crate::contents::Sparse;
use crate::label::{LabelKind, Nimber, Remoteness};
use crate::reachable::Codes;
use crate::rules::{Outcome, Position, Rules};
use flood::Flooded;
use label::Found;

/// Solves the reachable positions of `rules`.
pub(super) fn solve(rules: &Rules, options: &Options<'_>) -> Result<Solution, SolveError> {
    let begun = Instant::now();
    let (roots, flooded) = find(rules, options)?;
    let found = Found { levels: &flooded.levels, keys: &flooded.keys, to_spare: Some(flooded.to_spare) };
    let (outcomes, others, counts) = if options.labels.contains(LabelKind::Remoteness) {
        let (remoteness, counts) = label::column::<Remoteness>(rules, found, options)?;
        let mut outcomes = label::empty(rules, found, LabelKind::Outcome)?;
        outcomes::write(rules, found, &remoteness, &mut outcomes);
        let mut others = vec![(LabelKind::Remoteness, remoteness)];
        let more = options.labels.others().filter(|&kind| kind != LabelKind::Remoteness);
        others.extend(columns(rules, found, more, options)?);
        (outcomes, others, counts)
    } else {
        let (outcomes, counts) = label::column::<Outcome>(rules, found, options)?;
        (outcomes, columns(rules, found, options.labels.others(), options)?, counts)
    };
    let Flooded { levels, keys, .. } = flooded;
    Ok(Solution::of_sparse(rules, Reached { levels, roots, keys, outcomes, others }, counts, begun.elapsed()))
}

/// Labels the positions of `sparse`, which belong to `rules`, with each of `kinds`, labels of one byte.
pub(super) fn add(
    rules: &Rules,
    sparse: &Sparse<'_>,
    kinds: &[LabelKind],
    options: &Options<'_>,
) -> Result<Vec<(LabelKind, Vec<u8>)>, SolveError> {
    let bytes = kinds.iter().map(|kind| sparse.levels().column_bytes(kind.width(rules))).sum();
    match options.max_bytes {
        Some(allowed) if bytes > allowed => return Err(SolveError::LabelMemory { needed: bytes, allowed }),
        _ => {}
    }
    let found = Found { levels: sparse.levels(), keys: sparse.keys(), to_spare: None };
    columns(rules, found, kinds.iter().copied(), options)
}

/// The labels of `kinds`, labels of one byte, of the positions that were found.
fn columns(
    rules: &Rules,
    found: Found<'_>,
    kinds: impl Iterator<Item = LabelKind>,
    options: &Options<'_>,
) -> Result<Vec<(LabelKind, Vec<u8>)>, SolveError> {
    let of = |kind| {
        let (column, _) = match kind {
            LabelKind::Nimber => label::column::<Nimber>(rules, found, options)?,
            LabelKind::Outcome | LabelKind::Remoteness => label::column::<Remoteness>(rules, found, options)?,
        };
        Ok((kind, column))
    };
    kinds.map(of).collect()
}

/// Counts the positions of `rules` that play can reach.
pub(super) fn census(rules: &Rules, options: &Options<'_>) -> Result<Census, SolveError> {
    let (roots, flooded) = find(rules, options)?;
    Ok(Census { levels: flooded.levels, roots, peak_bytes: flooded.peak })
}

/// The roots, and the positions that can be reached from them.
fn find(rules: &Rules, options: &Options<'_>) -> Result<(Vec<Position>, Flooded), SolveError> {
    let roots = if options.roots.is_empty() { rules.start_positions() } else { sorted(options.roots) };
    if let Some(&position) = roots.iter().find(|&&root| !rules.has(root)) {
        return Err(SolveError::Root { name: rules.name().into(), position });
    }
    // The narrowest word that holds a code: pending positions take most of the memory.
    let flooded = match Codes::of(rules).bits() {
        ..=32 => flood::flood::<u32>(rules, &roots, options),
        33..=64 => flood::flood::<u64>(rules, &roots, options),
        _ => flood::flood::<u128>(rules, &roots, options),
    }?;
    Ok((roots, flooded))
}

fn sorted(positions: &[Position]) -> Vec<Position> {
    let mut positions = positions.to_vec();
    positions.sort_unstable();
    positions.dedup();
    positions
}
