//! Checks of labels other than the outcome: each must follow from the labels of the successors, by the label's own algebra.

use std::ops::Range;

use rayon::prelude::*;

use super::unused::{check_byte_padding, check_stray_bytes};
use super::{Finding, Options};
use crate::contents::{Contents, LabelFault};
use crate::label::{Label, LabelKind, Width, add_each, try_step};
use crate::rules::{Position, Rules};
use crate::table::Table;
use tablegen_labels::with_byte_label;

/// The number of positions per task.
const STRETCH: u64 = 1 << 13;

/// Recomputes every label of `kind` from the labels of the successors, and compares the counts of its codes with the header.
pub(super) fn all(table: &Table, kind: LabelKind, options: &Options<'_>) -> Result<(), Finding> {
    let contents = table.contents();
    let none = || Ok::<_, Finding>(vec![0u64; table.codes(kind).len()]);
    let add = |a: Result<_, _>, b: Result<_, _>| Ok(add_each(a?, b?));
    let stretch = |ranks: Range<u64>, position: &dyn Fn(u64) -> Result<Position, LabelFault>, weight: u64| {
        let mut codes = none()?;
        options.tell(weight * (ranks.end - ranks.start))?;
        for rank in ranks {
            let position = position(rank)?;
            let place = one(table.rules(), &contents, kind, position)?;
            // The header counts reachable positions if there are reachability bits, and all positions of a symmetry
            // class.
            let count = codes.get_mut(place).ok_or(Finding::Codes { label: kind })?;
            *count += match contents {
                Contents::Dense(_) | Contents::Coloured(_) => weight * u64::from(contents.is_counted(position)?),
                Contents::Sparse(sparse) => sparse.weight(position),
                Contents::Regions(regions) => regions.regions().weight(rank),
            };
        }
        Ok(codes)
    };
    // Ranges of ranks, and the number of positions that each position there represents.
    let (ranges, frame) = match contents {
        Contents::Coloured(coloured) => {
            let (frame, fold) = (coloured.frame(), coloured.frame().fold());
            let weights = fold.map(|fold| fold.slice_classes().weights());
            let weight = |rank: usize| weights.as_ref().map_or(1, |weights| weights[rank]);
            let ranges = frame.stored_ranks().into_iter().enumerate().map(|(rank, all)| (all, weight(rank)));
            (ranges.collect(), Some(frame))
        }
        Contents::Dense(_) | Contents::Sparse(_) | Contents::Regions(_) => (vec![(0..contents.count(), 1)], None),
    };
    let position = |rank: u64| match frame {
        // Every rank in these ranges belongs to a position.
        Some(frame) => Ok(frame.unrank(rank).and_then(|place| frame.position(place)).unwrap_or_default()),
        None => contents.unrank(rank),
    };
    let stretches = ranges.into_par_iter().flat_map(|(all, weight): (Range<u64>, u64)| {
        let first = move |number: u64| all.start + number * STRETCH;
        let count = (all.end - all.start).div_ceil(STRETCH);
        (0..count).into_par_iter().map(move |at| (first(at)..all.end.min(first(at + 1)), weight))
    });
    let codes = stretches.map(|(ranks, weight)| stretch(ranks, &position, weight)).reduce(none, add)?;
    if codes != table.codes(kind) {
        return Err(Finding::Codes { label: kind });
    }
    match contents {
        Contents::Dense(dense) => check_byte_padding(dense, kind),
        Contents::Coloured(coloured) => check_stray_bytes(coloured, kind),
        Contents::Sparse(_) | Contents::Regions(_) => Ok(()),
    }
}

/// Recomputes label `kind` of `position`, which must be in the contents, and returns its place among the counts of such labels.
pub(super) fn one(
    rules: &Rules,
    contents: &Contents<'_>,
    kind: LabelKind,
    position: Position,
) -> Result<usize, Finding> {
    with_byte_label!(kind, L => recomputed::<L>(rules, contents, position))
}

fn recomputed<L: Label>(rules: &Rules, contents: &Contents<'_>, position: Position) -> Result<usize, Finding> {
    let label = |position| label::<L>(contents, position);
    let (found, expected) = (label(position)?, try_step(rules, position, label)?);
    let width = contents.bytes().width(L::KIND);
    // A label with the maximum number of plies may be too short: the true number did not fit. Then it follows from
    // labels that are no shorter.
    let is_cut = width == Width::Eight && L::overflow(rules).is_some_and(|is_cut| is_cut(found.encode(width)));
    if found == expected && !is_cut {
        return Ok(found.place(width));
    }
    Err(Finding::Number { label: L::KIND, position, found: found.to_string(), expected: expected.to_string() })
}

/// The label of `position`, which must have one.
pub(super) fn label<L: Label>(contents: &Contents<'_>, position: Position) -> Result<L, Finding> {
    contents.label::<L>(position)?.ok_or(Finding::Missing { position })
}
