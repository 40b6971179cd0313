//! Labels for positions with known keys, for example the positions of a table.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::batch::{Higher, Labelled};
use super::checkpoint::{LabelCheckpoints, LevelLabels, LevelStore};
use super::cost::SoFar;
use super::moves::Moves;
use super::word::with_key_word;
use crate::label::{Counts, Label, Width, add_each, by_mode, figures};
use crate::parallel;
use crate::reachable::{Codes, Column, KeyWord, Level, Levels, write_number};
use crate::rules::{Outcome, Rules};
use crate::symmetry::Group;
use crate::{Meter, Options, Phase, SolveError, go_on};

/// Positions of a batch: enough for reads to overlap, few enough for a core's first cache.
const AT_ONCE: usize = 128;

/// Bytes of labels that one task writes.
const STRETCH: usize = 1 << 12;

/// Known positions: their levels, and the keys of all levels, one after the other.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) levels: &'a Levels,
    pub(super) keys: &'a [u8],
    /// The symmetries up to which positions are stored.
    pub(super) group: &'a Group,
    /// The place for checkpoints of the labels, if there is one.
    pub(super) store: Option<&'a dyn LevelStore>,
}

/// The column of labels `L` of all levels, and the counts of outcomes, mode by mode.
pub(super) fn column<L: Label>(
    rules: &Rules,
    found: Found<'_>,
    options: &Options<'_>,
) -> Result<(Vec<u8>, Vec<Counts>), SolveError> {
    with_key_word!(rules, W => Labels::<W>::column::<L>(rules, found, options))
}

/// A column of zeros for labels of `width` of all levels.
pub(super) fn empty(rules: &Rules, levels: &Levels, width: Width) -> Result<Vec<u8>, SolveError> {
    let bytes = levels.column_bytes(width) as usize;
    let mut column = Vec::new();
    column.try_reserve_exact(bytes).map_err(|_| SoFar::all(rules, levels).refused())?;
    column.resize(bytes, 0);
    Ok(column)
}

struct Labels<'a, W: KeyWord> {
    rules: &'a Rules,
    moves: Moves<W>,
    codes: Codes,
    found: Found<'a>,
    width: Width,
    /// Counts the positions labelled.
    meter: Meter<'a>,
}

impl<'a, W: KeyWord> Labels<'a, W> {
    fn column<L: Label>(
        rules: &'a Rules,
        found: Found<'a>,
        options: &Options<'a>,
    ) -> Result<(Vec<u8>, Vec<Counts>), SolveError> {
        let total = Some(found.levels.count());
        let phase = Phase::of_label(L::KIND);
        let labels = Self {
            rules,
            moves: Moves::new(rules, found.levels.potential()),
            codes: Codes::of(rules),
            found,
            width: L::width(rules),
            meter: Meter::new(options.progress, phase, total),
        };
        let checkpoint = |store| LabelCheckpoints { store, rules, labels: options.labels, levels: found.levels };
        let checkpoints = found.store.map(checkpoint);
        let mut column = empty(rules, found.levels, labels.width)?;
        let mut counts = vec![Counts::default(); rules.modes().len()];
        for number in (0..found.levels.sizes().len()).rev() {
            let loaded = checkpoints.map(|checkpoints| checkpoints.load::<L>(number)).transpose()?.flatten();
            let of_level = if let Some(LevelLabels { bytes, counts }) = loaded {
                go_on(labels.meter.add(labels.keys(number).size().count))?;
                column[labels.range(number)].copy_from_slice(&bytes);
                by_mode(&counts)
            } else {
                let counts = labels.level::<L>(number, &mut column)?;
                if let Some(checkpoints) = checkpoints {
                    let bytes = column[labels.range(number)].to_vec();
                    checkpoints.save::<L>(number, bytes, figures(counts.iter().copied()))?;
                }
                counts
            };
            counts = add_each(counts, of_level);
        }
        let mut meter = labels.meter;
        go_on(meter.finish())?;
        Ok((column, counts))
    }

    /// The bytes of the level at index `number` in the column.
    fn range(&self, number: usize) -> Range<usize> {
        let range = self.found.levels.column_range(number, self.width).unwrap_or_default();
        range.start as usize..range.end as usize
    }

    fn keys(&self, number: usize) -> Level<'_> {
        let level = self.found.levels.level(number, self.found.keys);
        level.unwrap_or_else(|| unreachable!("the keys belong to these levels"))
    }

    /// Writes the labels of the level at index `number` to `column`, which already holds the labels of all higher
    /// levels. Returns the counts of outcomes.
    fn level<L: Label>(&self, number: usize, column: &mut [u8]) -> Result<Vec<Counts>, SolveError> {
        let (levels, width) = (self.found.levels, self.width);
        let level = self.keys(number);
        let range = self.range(number);
        let (column, after) = column.split_at_mut(range.end);
        let (column, after) = (&mut column[range.start..], &*after);
        // Higher levels are located once here, not once for each successor.
        let filled = level.size().filled;
        let of_filled = |filled| -> Option<Labelled<'_>> {
            let number = levels.of_level(filled).filter(|&found| found > number)?;
            let at = self.range(number);
            let bytes = &after[at.start - range.end..at.end - range.end];
            let column: Column<'_> = levels.standalone_column(number, width, bytes);
            Some(Labelled { level: self.keys(number), column })
        };
        let higher = Higher {
            moves: &self.moves,
            codes: self.codes,
            group: self.found.group,
            width,
            levels: (filled..=levels.potential().most()).map(of_filled).collect(),
            is_astray: AtomicBool::new(false),
        };
        let (bits, modes) = (u64::from(width.bits()), self.rules.modes().len());
        let labels_in = |bytes: usize| bytes as u64 * 8 / bits;
        let write = |(stretch, bytes): (usize, &mut [u8])| {
            let mut counts = vec![Counts::default(); modes];
            let first = stretch as u64 * labels_in(STRETCH);
            let end = level.size().count.min(first + labels_in(bytes.len()));
            // The keys may come from a file, so they are checked before they are used.
            if level.positions(first, end).any(|found| found.is_err()) {
                return Err(SolveError::Keys);
            }
            let mut cursor = level.cursor(first);
            let (mut codes, mut batch) = (Vec::with_capacity(AT_ONCE), Vec::with_capacity(AT_ONCE));
            let mut undecided = Vec::with_capacity(AT_ONCE);
            let mut found = [L::ended(Outcome::Draw.into()); AT_ONCE];
            let mut index = 0;
            loop {
                level.read::<W>(&mut cursor, end, AT_ONCE, &mut codes);
                if codes.is_empty() {
                    break;
                }
                batch.clear();
                batch.extend(codes.iter().map(|&code| self.moves.split(self.codes.key(code))));
                higher.label(batch.iter().copied(), &mut found, &mut undecided);
                for (&(mode, _), label) in batch.iter().zip(found) {
                    write_number(bytes, width, index, label.code(width));
                    counts[mode].add(label.into());
                    index += 1;
                }
            }
            if higher.is_astray() {
                return Err(SolveError::Keys);
            }
            go_on(self.meter.add(end - first))?;
            Ok(counts)
        };
        let counts = parallel::try_map(column.chunks_mut(STRETCH).enumerate(), write)?;
        Ok(counts.into_iter().fold(vec![Counts::default(); modes], add_each))
    }
}
