//! What an earlier build kept, told to all processes; and what is kept for a later one.
//!
//! The first process keeps it, in the form that a table has. To put a level into this form takes time of its own before it has labels, so that
//! it is done now and then, for all levels that were found meanwhile.

use std::collections::TryReserveError;
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::Crew;
use crate::label::{Label, LabelSet};
use crate::reachable::{self, Codes, KeyWord, LevelSize, Levels};
use crate::rules::Rules;
use crate::solve::sparse::exchange::nonsense;
use crate::solve::sparse::kept::{
    KeptLevel, Known, LabelsOfLevel, expect, heard_labels, kept_keys, kept_labels, told_labels,
};
use crate::solve::{Sheet, SolveError};

/// How far the levels that were found are kept.
#[derive(Default)]
pub(in crate::solve::sparse) struct Keeping {
    /// The first level that is not.
    pub(super) next: u32,
    /// Bytes of those below it, and their positions.
    pub(super) bytes: u64,
    pub(super) found: u64,
}

impl Crew<'_> {
    /// The keys that are known from before, of levels of which there are so many; told to all.
    pub(in crate::solve::sparse) fn known(&self, codes: &Codes, levels: u32) -> Result<(Known, Keeping), SolveError> {
        let known = self.store.map_or_else(|| Ok(Known::default()), |store| kept_keys(store, codes, levels))?;
        let mut message = Vec::new();
        if self.is_first() {
            message.extend(u64::from(known.end).to_le_bytes());
            message.extend((known.sizes.len() as u64).to_le_bytes());
            for size in &known.sizes {
                message.extend(u64::from(size.filled).to_le_bytes());
                message.extend(size.count.to_le_bytes());
            }
            message.extend_from_slice(&known.keys);
        }
        let told = self.told(message)?;
        let known = if self.is_first() { known } else { read(&told[0]).ok_or_else(nonsense)? };
        self.resumes.store(known.end == levels, Ordering::Relaxed);
        let found = known.sizes.iter().map(|size| size.count).sum();
        let keeping = Keeping { next: known.end, bytes: known.keys.len() as u64, found };
        Ok((known, keeping))
    }

    /// Sees that there is room for the labels of `levels`, if they are kept, and for the table. Where others may put levels in order, they are told
    /// whether they are kept.
    pub(in crate::solve::sparse) fn expect(
        &self,
        rules: &Rules,
        labels: LabelSet,
        levels: &Levels,
    ) -> Result<(), SolveError> {
        let keeps = self.keeps.load(Ordering::Relaxed);
        if let Some(store) = self.store.filter(|_| keeps) {
            expect(store, rules, labels, levels)?;
        }
        if self.common.is_some() {
            let told = self.told(vec![u8::from(keeps)])?;
            self.keeps.store(keeps || told[0] == [1], Ordering::Relaxed);
        }
        Ok(())
    }

    /// The labels `L` that are known from before, of the level with this number; told to all.
    pub(in crate::solve::sparse) fn known_labels<L: Label>(
        &self,
        rules: &Rules,
        levels: &Levels,
        number: usize,
    ) -> Result<Option<LabelsOfLevel>, SolveError> {
        if !self.resumes.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let known = match self.store {
            Some(store) => kept_labels(store, rules, L::KIND, levels, number)?,
            None => None,
        };
        let message = known.as_ref().map_or_else(Vec::new, |known| told_labels(&known.figures, &known.labels));
        let told = self.told(message)?;
        if self.is_first() || told[0].is_empty() {
            return Ok(known);
        }
        let (figures, labels) = heard_labels(&told[0], rules.modes().len())?;
        Ok(Some(LabelsOfLevel { labels: labels.to_vec(), figures }))
    }

    /// Keeps the labels `L` of a level, as a table has them: at `offset` among all that is kept.
    pub(in crate::solve::sparse) fn keep_labels<L: Label>(
        &self,
        level: u32,
        offset: u64,
        labels: &[u8],
        figures: Vec<u64>,
    ) -> Result<(), SolveError> {
        let Some(store) = self.store.filter(|_| self.keeps.load(Ordering::Relaxed)) else { return Ok(()) };
        let kept = KeptLevel { bytes: labels.to_vec(), tally: figures };
        store.save(Sheet::Label(L::KIND), level, offset, kept).map_err(SolveError::Store)
    }
}

/// What the first process has told; `None` if it makes no sense.
fn read(mut told: &[u8]) -> Option<Known> {
    let mut number = || {
        let (number, rest) = told.split_first_chunk()?;
        told = rest;
        Some(u64::from_le_bytes(*number))
    };
    let (end, count) = (number()? as u32, number()?);
    let size = |_| Some(LevelSize { filled: number()? as u32, count: number()? });
    let sizes = (0..count).map(size).collect::<Option<_>>()?;
    Some(Known { keys: told.to_vec(), sizes, end })
}

/// The keys of a level that a table has, in any order.
pub(in crate::solve::sparse) fn level_of<W: KeyWord>(
    codes: &Codes,
    level: &reachable::Level<'_>,
) -> Result<Vec<W>, TryReserveError> {
    let count = level.size().count;
    let mut keys = Vec::new();
    keys.try_reserve_exact(count as usize)?;
    level.read::<W>(&mut level.cursor(0), count, count as usize, &mut keys);
    keys.par_iter_mut().for_each(|code| *code = codes.key(*code));
    Ok(keys)
}

/// The labels of positions with `keys`, of those in the order of codes.
pub(in crate::solve::sparse) fn labels_of<W: KeyWord>(
    codes: &Codes,
    keys: &[W],
    in_order: &[u8],
) -> Result<Vec<u8>, SolveError> {
    let mut order: Vec<(W, u32)> =
        keys.par_iter().enumerate().map(|(at, &key)| (codes.code_of_key(key), at as u32)).collect();
    order.par_sort_unstable();
    let mut labels = vec![0; keys.len()];
    if order.len() != in_order.len() {
        return Err(nonsense());
    }
    order.iter().zip(in_order).for_each(|(&(_, at), &label)| labels[at as usize] = label);
    Ok(labels)
}
