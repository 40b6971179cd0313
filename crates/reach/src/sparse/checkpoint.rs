//! Checkpoints of a build by several ranks: the keys and the labels of levels, from which a later build resumes.
//!
//! Rank 0 alone writes checkpoints, and a process that resumes without other ranks. It receives the keys and the labels of all levels for the table anyway, and in the
//! form that they have in a table they do not depend on the number of ranks.

use std::io;

use super::passes::passes;
use crate::label::{Label, LabelSet};
use crate::reachable::{Codes, LevelSize, Levels, MOST_IN_LEVEL, column_bytes, key_bytes};
use crate::rules::Rules;
use crate::{PlaneKind, SolveError};

/// The counts for each mode: wins, draws and losses.
pub(super) const COUNTS_PER_MODE: usize = 3;

/// The saved keys ([`PlaneKind::Reached`]) or labels of one level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedLevel {
    /// The bytes that the level has in a table.
    pub bytes: Vec<u8>,
    /// For keys: the number of positions in this level, and in all levels below. For labels: wins, draws and losses in each mode.
    pub tally: Vec<u64>,
}

/// A place for the checkpoints of rank 0, for example files that outlive the process. A level is identified by its
/// potential.
pub trait LevelStore: Sync {
    /// Reads the saved keys or labels of a level. `None` if they were not saved, or were changed since.
    ///
    /// # Errors
    /// If they cannot be read.
    fn load(&self, plane_kind: PlaneKind, level: u32) -> io::Result<Option<SavedLevel>>;

    /// Saves the keys or labels of a level. `offset` is their place in the bytes of all keys and labels of all levels.
    /// They may be on disk only later.
    ///
    /// # Errors
    /// If these or earlier bytes cannot be written.
    fn save(&self, plane_kind: PlaneKind, level: u32, offset: u64, saved: SavedLevel) -> io::Result<()>;

    /// Checks that there is room for `labels` bytes of labels, including those saved already, and for a table of
    /// `table` bytes.
    ///
    /// # Errors
    /// If there is not enough room.
    fn expect(&self, labels: u64, table: u64) -> io::Result<()>;
}

/// The positions that rank 0 has loaded from checkpoints.
#[derive(Default)]
pub(super) struct LoadedKeys {
    /// The keys of the loaded levels as in a table; empty on other ranks.
    pub(super) keys: Vec<u8>,
    pub(super) sizes: Vec<LevelSize>,
    /// All levels below this one are loaded. If it is the number of levels, all positions are.
    pub(super) end: u32,
}

/// The labels of a level, and the counts of outcomes in it.
pub(super) struct LevelLabels {
    /// The bytes that the level has in a table.
    pub(super) bytes: Vec<u8>,
    pub(super) counts: Vec<u64>,
}

/// Loads the keys of the lowest levels, of `levels` levels, as far as `store` has them without a gap.
pub(super) fn load_keys(store: &dyn LevelStore, codes: &Codes, levels: u32) -> Result<LoadedKeys, SolveError> {
    let (mut loaded, mut found) = (LoadedKeys::default(), 0);
    // An empty level above the highest one says that the flood was complete.
    for level in 0..=levels {
        let Some(saved) = store.load(PlaneKind::Reached, level).map_err(SolveError::Store)? else { continue };
        let &[count, below] = saved.tally.as_slice() else { break };
        let bytes = if count == 0 { 0 } else { key_bytes(codes, count) };
        // If a lower level is missing, the flood must pass through it again, and the levels above it are useless.
        if below != found || count > MOST_IN_LEVEL || saved.bytes.len() as u64 != bytes {
            break;
        }
        if count > 0 && level < levels {
            loaded.sizes.push(LevelSize { filled: level, count });
            loaded.keys.extend_from_slice(&saved.bytes);
        }
        (loaded.end, found) = ((level + 1).min(levels), found + count);
    }
    Ok(loaded)
}

/// The checkpoints of the labels of `levels` in a store.
#[derive(Clone, Copy)]
pub(super) struct LabelCheckpoints<'a> {
    pub(super) store: &'a dyn LevelStore,
    pub(super) rules: &'a Rules,
    /// All labels of the build.
    pub(super) labels: LabelSet,
    pub(super) levels: &'a Levels,
}

impl LabelCheckpoints<'_> {
    /// Checks that the store has room for the labels, and the disk for the table.
    pub(super) fn expect(&self) -> Result<(), SolveError> {
        let columns = self.labels.widths(self.rules).map(|width| self.levels.column_bytes(width));
        let table = self.levels.key_bytes() + columns.sum::<u64>();
        let of_passes = passes(self.labels).into_iter().map(|kind| self.levels.column_bytes(kind.width(self.rules)));
        self.store.expect(of_passes.sum(), table).map_err(SolveError::Store)
    }

    /// Saves the labels `L` of the level at index `number`: its `bytes` of their column, and the counts of outcomes in each mode.
    pub(super) fn save<L: Label>(&self, number: usize, bytes: Vec<u8>, tally: Vec<u64>) -> Result<(), SolveError> {
        let passes = passes(self.labels).into_iter();
        let before = passes.take_while(|&kind| kind != L::KIND).map(|kind| kind.width(self.rules));
        let before: u64 = before.map(|width| self.levels.column_bytes(width)).sum();
        let range = self.levels.column_range(number, L::width(self.rules)).unwrap_or_default();
        let level = self.levels.sizes().nth(number).map_or(0, |size| size.filled);
        let (offset, saved) = (self.levels.key_bytes() + before + range.start, SavedLevel { bytes, tally });
        self.store.save(PlaneKind::of(L::KIND), level, offset, saved).map_err(SolveError::Store)
    }

    /// Loads the labels `L` of the level at index `number`; `None` if the store does not have them.
    pub(super) fn load<L: Label>(&self, number: usize) -> Result<Option<LevelLabels>, SolveError> {
        let Some(size) = self.levels.sizes().nth(number) else { return Ok(None) };
        let saved = self.store.load(PlaneKind::of(L::KIND), size.filled).map_err(SolveError::Store)?;
        let width = L::width(self.rules);
        let fits = |saved: &SavedLevel| {
            saved.bytes.len() as u64 == column_bytes(width, size.count)
                && saved.tally.len() == COUNTS_PER_MODE * self.rules.modes().len()
        };
        Ok(saved.filter(fits).map(|saved| LevelLabels { bytes: saved.bytes, counts: saved.tally }))
    }
}
