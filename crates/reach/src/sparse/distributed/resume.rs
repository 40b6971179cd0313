//! Resuming from checkpoints: rank 0 loads levels and scatters them.

use super::Distributed;
use super::partition::{read_codes, write_codes};
use crate::reachable::{KeyWord, Level, LevelSize, Levels};
use crate::sparse::checkpoint::{LevelLabels, LoadedKeys, SavedLevel, load_keys};
use crate::sparse::communicator::malformed_message;
use crate::{PlaneKind, SolveError};

impl<P: KeyWord> Distributed<'_, P> {
    /// Saves the keys or labels of a level, if this rank has a store.
    pub(super) fn save(
        &self,
        plane_kind: PlaneKind,
        level: u32,
        offset: u64,
        saved: impl FnOnce() -> SavedLevel,
    ) -> Result<(), SolveError> {
        self.store.map_or(Ok(()), |store| store.save(plane_kind, level, offset, saved())).map_err(SolveError::Store)
    }

    /// Loads the positions that an earlier build found, and gives each rank its share of them.
    pub(super) fn resume(&mut self) -> Result<LoadedKeys, SolveError> {
        let loaded = self.store.map(|store| load_keys(store, &self.codes, self.levels.len() as u32)).transpose()?;
        let LoadedKeys { keys, sizes, end } = loaded.unwrap_or_default();
        let sizes: Vec<u64> = sizes.iter().flat_map(|size| [size.filled.into(), size.count]).collect();
        let all = self.all_gather(&[&[end.into()], sizes.as_slice()].concat())?;
        let (&end, sizes) = all[0].split_first().ok_or_else(malformed_message)?;
        let of = |&[filled, count]: &[u64; 2]| LevelSize { filled: filled as u32, count };
        let sizes: Vec<LevelSize> = sizes.as_chunks().0.iter().map(of).collect();
        let levels = Levels::new(self.rules, self.potential, &sizes).ok_or_else(malformed_message)?;
        for (number, size) in sizes.iter().enumerate() {
            // Only rank 0 has the keys. It holds all codes of a level, the parts for the ranks, and its own part.
            let level = levels.level(number, keys.as_slice());
            let codes = if level.is_some() { 3 * size.count } else { size.count / self.ranks.size() as u64 };
            let held: usize = self.levels.iter().map(Vec::capacity).sum();
            let held = (held * size_of::<P>() + keys.capacity()) as u64;
            self.found += size.count;
            let at = (self.found, self.up_to(size.filled));
            self.watch.check(self.options, held, held + codes * size_of::<P>() as u64, at)?;
            self.levels[size.filled as usize] = self.scatter_codes(level)?;
        }
        Ok(LoadedKeys { keys, sizes, end: end as u32 })
    }

    /// This rank's share of the codes of `level`, which only rank 0 has.
    fn scatter_codes(&self, level: Option<Level<'_>>) -> Result<Vec<P>, SolveError> {
        let mut parts = vec![Vec::new(); self.ranks.size()];
        if let Some(level) = level {
            let (count, mut codes) = (level.size().count, Vec::new());
            level.read::<P>(&mut level.cursor(0), count, count as usize, &mut codes);
            codes.chunk_by(|&a, &b| self.owner(a) == self.owner(b)).for_each(|share| {
                write_codes(&mut parts[self.owner(share[0])], share.iter().copied());
            });
        }
        let parts = self.all_to_all(parts)?;
        Ok(read_codes(parts.first().ok_or_else(malformed_message)?).collect())
    }

    /// This rank's share of the labels of a level, which only rank 0 has loaded. `lengths` has the length of each rank's share.
    pub(super) fn scatter_labels(
        &self,
        loaded: Option<&LevelLabels>,
        lengths: &[usize],
    ) -> Result<Vec<u8>, SolveError> {
        let mut parts = vec![Vec::new(); lengths.len()];
        if let Some(loaded) = loaded {
            let mut rest = loaded.labels.as_slice();
            for (part, &length) in parts.iter_mut().zip(lengths) {
                part.extend_from_slice(rest.split_off(..length).ok_or_else(malformed_message)?);
            }
        }
        let own = self.all_to_all(parts)?.into_iter().next();
        own.filter(|own| own.len() == lengths[self.ranks.rank()]).ok_or_else(malformed_message)
    }
}
