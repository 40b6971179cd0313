//! What is kept of a build, level by level, so that a later one goes on with it.
//!
//! The first process alone keeps it: it gets the keys and the labels of all levels anyway, in the form that a table has, in which they
//! do not say how many processes found them.

use std::io;

use rayon::prelude::*;

use super::cost::passes;
use super::exchange::nonsense;
use crate::label::{LabelKind, LabelSet};
use crate::reachable::{Codes, LevelSize, Levels, MOST_IN_LEVEL, column_bytes, key_bytes};
use crate::rules::Rules;
use crate::solve::{Sheet, SolveError};

/// Figures of a mode: its wins, draws and losses.
pub(super) const FIGURES: usize = 3;

/// A sheet of a level, as it was saved: its keys ([`Sheet::Reached`]) or a label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptLevel {
    /// Its bytes, as a table has them.
    pub bytes: Vec<u8>,
    /// What was counted in it.
    pub tally: Vec<u64>,
}

/// Where the first of several processes keeps the keys and the labels of levels: a store may be files, and outlive the process. Levels are
/// named by their potential.
pub trait LevelStore: Sync {
    /// Reads that sheet of a level; `None` if it is not kept, or not as it was saved.
    ///
    /// # Errors
    /// If the system refuses.
    fn load(&self, sheet: Sheet, level: u32) -> io::Result<Option<KeptLevel>>;

    /// Takes that sheet of a level, whose bytes lie at `offset` among those of all sheets of all levels. A store may return before it
    /// is on disk.
    ///
    /// # Errors
    /// If this one, or one before it, cannot be kept.
    fn save(&self, sheet: Sheet, level: u32, offset: u64, kept: KeptLevel) -> io::Result<()>;

    /// All positions are known: their labels take so many bytes, those that are kept already among them, and the table some `table`
    /// bytes.
    ///
    /// # Errors
    /// If there is no room for them.
    fn expect(&self, labels: u64, table: u64) -> io::Result<()>;
}

/// The positions that are known from before.
#[derive(Default)]
pub(super) struct Known {
    /// The keys of levels, as a table has them, if this is the first process.
    pub(super) keys: Vec<u8>,
    pub(super) sizes: Vec<LevelSize>,
    /// All levels below this one are known; if all positions are, it is the number of levels.
    pub(super) end: u32,
}

/// The labels of all positions of a level, in the order of codes, and the outcomes counted in it.
pub(super) struct LabelsOfLevel {
    pub(super) labels: Vec<u8>,
    pub(super) figures: Vec<u64>,
}

/// What one process tells another of labels: what was counted in them, and they.
pub(super) fn told_labels(figures: &[u64], labels: &[u8]) -> Vec<u8> {
    let mut told = Vec::with_capacity(size_of_val(figures) + labels.len());
    told.extend(figures.iter().flat_map(|figure| figure.to_le_bytes()));
    told.extend_from_slice(labels);
    told
}

/// The labels in what [`told_labels`] has written, of a game with so many modes; and what was counted in them.
pub(super) fn heard_labels(told: &[u8], modes: usize) -> Result<(Vec<u64>, &[u8]), SolveError> {
    let (figures, labels) = told.split_at_checked(size_of::<u64>() * FIGURES * modes).ok_or_else(nonsense)?;
    let figures = figures.as_chunks().0.iter().map(|figure| u64::from_le_bytes(*figure)).collect();
    Ok((figures, labels))
}

/// Sees that there is room for `labels` of `levels`, which `store` will have, and for the table.
pub(super) fn expect(
    store: &dyn LevelStore,
    rules: &Rules,
    labels: LabelSet,
    levels: &Levels,
) -> Result<(), SolveError> {
    let bytes = |kind: LabelKind| levels.column_bytes(kind.width(rules));
    let table = levels.key_bytes() + labels.iter().map(bytes).sum::<u64>();
    store.expect(passes(labels).into_iter().map(bytes).sum(), table).map_err(SolveError::Store)
}

/// The keys that `store` has of the lowest of so many levels.
pub(super) fn kept_keys(store: &dyn LevelStore, codes: &Codes, levels: u32) -> Result<Known, SolveError> {
    let (mut known, mut found) = (Known::default(), 0);
    // Behind the last level it is noted that there are no more.
    for level in 0..=levels {
        let Some(kept) = store.load(Sheet::Reached, level).map_err(SolveError::Store)? else { continue };
        let &[count, before] = kept.tally.as_slice() else { break };
        let bytes = if count == 0 { 0 } else { key_bytes(codes, count) };
        // A level that is lost makes those above it useless: the flood goes through it.
        if before != found || count > MOST_IN_LEVEL || kept.bytes.len() as u64 != bytes {
            break;
        }
        if count > 0 && level < levels {
            known.sizes.push(LevelSize { filled: level, count });
            known.keys.extend_from_slice(&kept.bytes);
        }
        (known.end, found) = ((level + 1).min(levels), found + count);
    }
    Ok(known)
}

/// The labels of the level with this number that `store` has, of `rules`.
pub(super) fn kept_labels(
    store: &dyn LevelStore,
    rules: &Rules,
    kind: LabelKind,
    levels: &Levels,
    number: usize,
) -> Result<Option<LabelsOfLevel>, SolveError> {
    let Some(size) = levels.sizes().nth(number) else { return Ok(None) };
    let kept = store.load(Sheet::Label(kind), size.filled).map_err(SolveError::Store)?;
    let width = kind.width(rules);
    let fits = |kept: &KeptLevel| {
        kept.bytes.len() as u64 == column_bytes(width, size.count) && kept.tally.len() == FIGURES * rules.modes().len()
    };
    let unpacked = |kept: KeptLevel| {
        let column = levels.standalone_column(number, width, &kept.bytes);
        let label = |index: usize| column.number(index as u64).ok().flatten();
        let labels = (0..size.count as usize).into_par_iter().map(label).collect::<Option<_>>()?;
        Some(LabelsOfLevel { labels, figures: kept.tally })
    };
    Ok(kept.filter(fits).and_then(unpacked))
}
