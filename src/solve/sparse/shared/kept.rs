//! What is known of an earlier build, dealt out.

use super::Shared;
use super::parts::{read_codes, write_codes};
use crate::reachable::{KeyWord, Level, LevelSize, Levels};
use crate::solve::sparse::exchange::nonsense;
use crate::solve::sparse::kept::{KeptLevel, Known, LabelsOfLevel, kept_keys};
use crate::solve::{Sheet, SolveError};

impl<P: KeyWord> Shared<'_, P> {
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
            let level = levels.level(number, keys.as_slice());
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
