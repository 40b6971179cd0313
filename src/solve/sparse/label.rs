//! The backward pass: labels every position.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::higher::Higher;
use crate::label::{Counts, Label, LabelKind, add_by_mode};
use crate::reachable::{Column, Level, Levels};
use crate::rules::{Outcome, Rules};
use crate::solve::{Meter, Options, Phase, SolveError};

/// Positions whose successors are looked up together: enough that the reads overlap, few enough that what is kept of
/// them stays in a core's first cache.
const AT_ONCE: usize = 128;

/// Bytes of labels that one task writes.
const STRETCH: usize = 1024;

/// Positions that were found: their levels, and the keys of all levels, one after the other.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) levels: &'a Levels,
    pub(super) keys: &'a [u8],
}

/// The labels `L` of all levels, one after the other, and the counts of outcomes, mode by mode.
pub(super) fn column<L: Label + Into<Outcome>>(
    rules: &Rules,
    found: Found<'_>,
    options: &Options<'_>,
) -> Result<(Vec<u8>, Vec<Counts>), SolveError> {
    let total = Some(found.levels.count());
    let phase = if L::KIND == LabelKind::Outcome { Phase::Label } else { Phase::LabelWith(L::KIND) };
    let mut labels = Labels { rules, found, meter: Meter::new(options.progress, phase, total) };
    let mut column = empty(rules, found, L::KIND)?;
    let mut counts = vec![Counts::default(); rules.modes().len()];
    for number in (0..found.levels.sizes().len()).rev() {
        let of_level = labels.level::<L>(number, &mut column)?;
        counts = add_by_mode(counts, of_level);
    }
    match labels.meter.finish() {
        ControlFlow::Continue(()) => Ok((column, counts)),
        ControlFlow::Break(()) => Err(SolveError::Cancelled),
    }
}

/// Zeros for the label `kind` of all levels.
pub(super) fn empty(rules: &Rules, found: Found<'_>, kind: LabelKind) -> Result<Vec<u8>, SolveError> {
    let (positions, cells) = (found.levels.count(), rules.cells());
    let bytes = found.levels.column_bytes(kind.width(rules)) as usize;
    let mut column = Vec::new();
    column.try_reserve_exact(bytes).map_err(|_| SolveError::Refused { positions, filled: cells, cells })?;
    column.resize(bytes, 0);
    Ok(column)
}

struct Labels<'a> {
    rules: &'a Rules,
    found: Found<'a>,
    /// Counts the positions labelled.
    meter: Meter<'a>,
}

impl Labels<'_> {
    fn keys(&self, number: usize) -> Level<'_> {
        let level = self.found.levels.level(number, self.found.keys);
        level.unwrap_or_else(|| unreachable!("the keys are those of the levels"))
    }

    /// Writes the labels of level `number` into `column`, which already holds those of the later levels, and counts
    /// them.
    fn level<L: Label + Into<Outcome>>(&self, number: usize, column: &mut [u8]) -> Result<Vec<Counts>, SolveError> {
        let (levels, rules, width) = (self.found.levels, self.rules, L::KIND.width(self.rules));
        let level = self.keys(number);
        let range = levels.column_range(number, width).unwrap_or_default();
        let (column, after) = column.split_at_mut(range.end as usize);
        let (column, after) = (&mut column[range.start as usize..], &*after);
        // The level of a successor is looked up once per level, not once per successor.
        let filled = level.size().filled;
        let of_filled = |filled| -> Option<(Level<'_>, Column<'_>)> {
            let number = levels.of_filled(filled).filter(|&found| found > number)?;
            let at = levels.column_range(number, width)?;
            let bytes = &after[(at.start - range.end) as usize..(at.end - range.end) as usize];
            Some((self.keys(number), levels.standalone_column(number, width, bytes)))
        };
        let higher = Higher::new(rules, width, filled, of_filled);
        let (bits, modes) = (u64::from(width.bits()), rules.modes().len());
        let in_byte = 8 / bits;
        let write = |(stretch, bytes): (usize, &mut [u8])| {
            let mut counts = vec![Counts::default(); modes];
            let first = stretch as u64 * STRETCH as u64 * in_byte;
            let end = level.size().count.min(first + bytes.len() as u64 * in_byte);
            let mut positions = level.positions(first, end);
            let (mut batch, mut undecided) = (Vec::with_capacity(AT_ONCE), Vec::with_capacity(AT_ONCE));
            let mut found = [L::ended(Outcome::Draw); AT_ONCE];
            loop {
                batch.clear();
                for found in positions.by_ref().take(AT_ONCE) {
                    batch.push(found.map_err(|_| SolveError::Keys)?);
                }
                if batch.is_empty() {
                    break;
                }
                higher.label(batch.iter().map(|&(_, position)| position), &mut found, &mut undecided);
                for (&(index, position), label) in batch.iter().zip(found) {
                    bytes[((index - first) / in_byte) as usize] |= label.encode(width) << (bits * (index % in_byte));
                    counts[usize::from(position.mode.0)].add(label.into());
                }
            }
            if higher.is_astray() {
                return Err(SolveError::Keys);
            }
            if self.meter.add(end - first).is_break() {
                return Err(SolveError::Cancelled);
            }
            Ok(counts)
        };
        let none = || Ok(vec![Counts::default(); modes]);
        let add = |a: Result<_, _>, b: Result<_, _>| Ok(add_by_mode(a?, b?));
        column.par_chunks_mut(STRETCH).enumerate().map(write).reduce(none, add)
    }
}
