//! Levels in memory that all processes see: each writes its part of a level, and reads those of the others where they lie. What it sends is
//! where regions begin.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Crew;
use super::told::{count_of, heads_in, heads_of};
use crate::reachable::KeyWord;
use crate::solve::memory::{Plain, bytes_of};
use crate::solve::sparse::exchange::{ALIGNED, CommonMemory, nonsense};
use crate::solve::sparse::level_items::LevelItems;
use crate::solve::sparse::part::{Items, Part, Piece};
use crate::solve::{SolveError, UpTo};

/// The memory, and up to where it is written: all processes know.
pub(super) struct Common {
    pub(super) memory: Box<dyn CommonMemory>,
    end: AtomicU64,
}

impl Common {
    pub(super) fn new(memory: Box<dyn CommonMemory>) -> Self {
        Self { memory, end: AtomicU64::new(0) }
    }

    /// Where the next so many bytes go. All processes ask for the same.
    pub(super) fn reserve(&self, bytes: u64) -> u64 {
        let start = self.end.load(Ordering::Relaxed);
        self.end.store((start + bytes).next_multiple_of(ALIGNED), Ordering::Relaxed);
        start
    }
}

impl Crew<'_> {
    /// All parts of a level, of which this process has made `own` and each process so many positions, where they lie in `common` memory.
    pub(super) fn in_common<W: KeyWord + Plain>(
        &self,
        common: &Common,
        own: &[Part<W>],
        of_each: &[u64],
    ) -> Result<Piece<W>, SolveError> {
        let refused = || SolveError::Refused { positions: 0, up_to: UpTo::Unordered };
        let (bytes, process) = (|positions: u64| positions * size_of::<W>() as u64, self.others.process());
        let positions = of_each.iter().sum();
        let start = common.reserve(bytes(positions));
        let mut at = start + bytes(of_each[..process].iter().sum());
        let written = own.iter().try_for_each(|part| {
            common.memory.write(bytes_of(&part.items), at)?;
            at += bytes(part.items.len() as u64);
            Ok::<_, std::io::Error>(())
        });
        // Whoever has no room tells nothing.
        let heads = written.map_or_else(|_| Vec::new(), |()| heads_of(own.iter().flat_map(|part| &part.regions)));
        let mut told = self.told(heads.clone())?;
        told[process] = heads;
        if told.iter().any(Vec::is_empty) {
            self.is_short.store(true, Ordering::Relaxed);
            return Err(refused());
        }
        let (mut regions, mut before) = (Vec::new(), 0);
        for (heads, &count) in told.iter().zip(of_each) {
            let (of_one, rest) = heads_in::<W>(heads).ok_or_else(nonsense)?;
            let found = count_of(&of_one);
            if found as u64 != count || !rest.is_empty() {
                return Err(nonsense());
            }
            regions.extend(of_one.into_iter().map(|region| region.behind(before)));
            before += found;
        }
        let map = common.memory.show(start, bytes(positions) as usize).map_err(|_| refused())?;
        Ok(Piece { regions, positions, items: Items::Common(LevelItems::common(map)) })
    }
}
