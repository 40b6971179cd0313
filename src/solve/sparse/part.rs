//! Regions that one task has made.

use std::collections::TryReserveError;

use rayon::prelude::*;

use super::item::Item;
use super::regions::{Level, Region};

/// Regions that were made by one task, numbered from the first of its items.
pub(super) struct Part<T: Item> {
    pub(super) items: Vec<T>,
    pub(super) regions: Vec<Region<T::Key>>,
}

impl<T: Item> Part<T> {
    /// Nothing.
    pub(super) const fn new() -> Self {
        Self { items: Vec::new(), regions: Vec::new() }
    }

    /// The number of positions.
    pub(super) fn count(&self) -> u64 {
        self.items.iter().map(|item| item.count()).sum()
    }

    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> u64 {
        (self.items.capacity() * size_of::<T>() + self.regions.capacity() * size_of::<Region<T::Key>>()) as u64
    }
    /// The level whose regions `parts` are, one after the other. All cores of the current rayon pool write them: most of the time
    /// the system clears what is written to. One part alone is not copied.
    pub(super) fn join(mut parts: Vec<Self>, filled: u32, low_bits: u32) -> Result<Level<T>, TryReserveError> {
        if let [Self { items, regions }] = &mut parts[..] {
            let (mut items, regions) = (std::mem::take(items), std::mem::take(regions));
            items.shrink_to_fit();
            return Ok(Level { filled, low_bits, items, regions });
        }
        let mut regions = Vec::new();
        let mut count = 0;
        regions.try_reserve_exact(parts.iter().map(|part| part.regions.len()).sum())?;
        for part in &parts {
            regions.extend(part.regions.iter().map(|region| region.behind(count)));
            count += part.items.len();
        }
        let mut items = T::room(count)?;
        let mut rest = &mut items[..];
        let rooms: Vec<_> = parts
            .into_iter()
            .map(|part| {
                let (room, after) = std::mem::take(&mut rest).split_at_mut(part.items.len());
                rest = after;
                (part.items, room)
            })
            .collect();
        rooms.into_par_iter().for_each(|(items, room)| room.copy_from_slice(&items));
        Ok(Level { filled, low_bits, items, regions })
    }
}
