//! Regions that one task or one process has made.

use std::collections::TryReserveError;

use super::item::Item;
use super::regions::{Level, Region};

/// Regions that were made by one task, numbered from the first of its items.
pub(super) struct Part<T: Item> {
    pub(super) items: Vec<T>,
    pub(super) regions: Vec<Region<T::Key>>,
}

impl<T: Item> Part<T> {
    /// The number of positions.
    pub(super) fn count(&self) -> u64 {
        self.items.iter().map(|item| item.count()).sum()
    }

    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> u64 {
        (self.items.capacity() * size_of::<T>() + self.regions.capacity() * size_of::<Region<T::Key>>()) as u64
    }

    /// The level whose regions `parts` are, one after the other.
    pub(super) fn join(parts: Vec<Self>, filled: u32, low_bits: u32) -> Result<Level<T>, TryReserveError> {
        let (mut items, mut regions) = (Vec::new(), Vec::new());
        items.try_reserve_exact(parts.iter().map(|part| part.items.len()).sum())?;
        regions.try_reserve_exact(parts.iter().map(|part| part.regions.len()).sum())?;
        for part in parts {
            let first = items.len();
            regions.extend(part.regions.iter().map(|&Region { top, start, live, end }| Region {
                top,
                start: first + start,
                live: first + live,
                end: first + end,
            }));
            items.extend_from_slice(&part.items);
        }
        Ok(Level { filled, low_bits, items, regions })
    }
}
