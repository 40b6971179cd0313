//! What is known of an earlier build, level by level, and how it is dealt out.
//!
//! The first process alone keeps it: it gets the keys and the labels of all levels anyway, in the form that a table has, in which they
//! do not say how many processes found them.

use std::io;

use rayon::prelude::*;

use super::Shared;
use super::label::{FIGURES, nonsense};
use super::parts::{read_codes, write_codes};
use crate::label::LabelKind;
use crate::reachable::{Codes, Level, LevelSize, Levels, MOST_IN_LEVEL, Word, column_bytes, key_bytes};
use crate::rules::Rules;
use crate::solve::{Sheet, SolveError};

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

    /// Whether it is time to keep what has to be put in order first: what is soon done, or was kept a moment ago, is not.
    fn is_due(&self) -> bool;

    /// All positions are known: their labels take so many bytes, those that are kept already among them, and the table some `table`
    /// bytes.
    ///
    /// # Errors
    /// If there is no room for them.
    fn expect(&self, labels: u64, table: u64) -> io::Result<()>;
}

/// The positions that are known from before.
#[derive(Default)]
pub(in crate::solve::sparse) struct Known {
    /// The keys of levels, as a table has them, if this is the first process.
    pub(in crate::solve::sparse) keys: Vec<u8>,
    pub(in crate::solve::sparse) sizes: Vec<LevelSize>,
    /// All levels below this one are known; if all positions are, it is the number of levels.
    pub(in crate::solve::sparse) end: u32,
}

/// The labels of all positions of a level, in the order of codes, and the outcomes counted in it.
pub(in crate::solve::sparse) struct LabelsOfLevel {
    pub(in crate::solve::sparse) labels: Vec<u8>,
    pub(in crate::solve::sparse) figures: Vec<u64>,
}

impl<P: Word> Shared<'_, P> {
    /// Keeps that sheet of a level, if this process has a store.
    pub(super) fn keep(
        &self,
        sheet: Sheet,
        level: u32,
        offset: u64,
        kept: impl FnOnce() -> KeptLevel,
    ) -> Result<(), SolveError> {
        self.store.map_or(Ok(()), |store| store.save(sheet, level, offset, kept())).map_err(SolveError::Store)
    }

    /// Takes the positions that are known from before: each process has its share of their levels then.
    pub(super) fn resume(&mut self) -> Result<Known, SolveError> {
        let known = self.store.map(|store| kept_keys(store, &self.codes, self.levels.len() as u32)).transpose()?;
        let Known { keys, sizes, end } = known.unwrap_or_default();
        let told: Vec<u64> = sizes.iter().flat_map(|size| [size.filled.into(), size.count]).collect();
        let told = self.numbers(&[&[end.into()], told.as_slice()].concat())?;
        let (&end, sizes) = told[0].split_first().ok_or_else(nonsense)?;
        let of = |&[filled, count]: &[u64; 2]| LevelSize { filled: filled as u32, count };
        let sizes: Vec<LevelSize> = sizes.as_chunks().0.iter().map(of).collect();
        let levels = Levels::new(self.rules, self.potential, &sizes).ok_or_else(nonsense)?;
        for (number, size) in sizes.iter().enumerate() {
            // The first process has the keys; it takes all codes of a level apart.
            let level = levels.level(number, &keys);
            let codes = if level.is_some() { 3 * size.count } else { size.count / self.others.processes() as u64 };
            let of_levels: usize = self.levels.iter().map(Vec::capacity).sum();
            let held = (of_levels * size_of::<P>() + keys.capacity()) as u64;
            self.found += size.count;
            let at = (self.found, self.up_to(size.filled));
            self.watch.check(self.options, held, held + codes * size_of::<P>() as u64, at)?;
            self.levels[size.filled as usize] = self.dealt_codes(level)?;
        }
        Ok(Known { keys, sizes, end: end as u32 })
    }

    /// This process's share of the codes of a level, which the first process has.
    fn dealt_codes(&self, level: Option<Level<'_>>) -> Result<Vec<P>, SolveError> {
        let mut parts = vec![Vec::new(); self.others.processes()];
        if let Some(level) = level {
            let (count, mut codes) = (level.size().count, Vec::new());
            level.read::<P>(&mut level.cursor(0), count, count as usize, &mut codes);
            codes.chunk_by(|&a, &b| self.owner(a) == self.owner(b)).for_each(|of_one| {
                write_codes(&mut parts[self.owner(of_one[0])], of_one.iter().copied());
            });
        }
        let parts = self.exchange(parts)?;
        Ok(read_codes(parts.first().ok_or_else(nonsense)?).collect())
    }

    /// This process's share of the labels of a level, which the first process has: each has as many as `lengths` says.
    pub(super) fn dealt_labels(&self, kept: Option<&LabelsOfLevel>, lengths: &[usize]) -> Result<Vec<u8>, SolveError> {
        let mut parts = vec![Vec::new(); lengths.len()];
        if let Some(kept) = kept {
            let mut rest = kept.labels.as_slice();
            for (part, &length) in parts.iter_mut().zip(lengths) {
                part.extend_from_slice(rest.split_off(..length).ok_or_else(nonsense)?);
            }
        }
        let own = self.exchange(parts)?.into_iter().next().filter(|own| own.len() == lengths[self.others.process()]);
        own.ok_or_else(nonsense)
    }
}

/// The keys that `store` has of the lowest of so many levels.
pub(in crate::solve::sparse) fn kept_keys(
    store: &dyn LevelStore,
    codes: &Codes,
    levels: u32,
) -> Result<Known, SolveError> {
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
pub(in crate::solve::sparse) fn kept_labels(
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
