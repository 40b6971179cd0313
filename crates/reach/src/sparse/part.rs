//! Parts of a level, each made by one task.

use std::collections::TryReserveError;

use super::item::Item;
use super::regions::{Level, Region};
use crate::parallel;

/// The regions that one task has made. Their ranges start at the part's own first item.
pub(super) struct TaskRegions<T: Item> {
    pub(super) items: Vec<T>,
    pub(super) regions: Vec<Region<T::Key>>,
}

impl<T: Item> TaskRegions<T> {
    /// A part without regions.
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
    /// Joins `parts` to a level, in their order. A single part is not copied. Else all cores of the current rayon pool
    /// copy, since most of the time goes into first touches of new memory.
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
            regions.extend(part.regions.iter().map(|region| region.shifted(count)));
            count += part.items.len();
        }
        let mut items = T::room(count)?;
        let mut rest = &mut items[..];
        let rooms = parts.into_iter().map(|part| {
            let (room, after) = std::mem::take(&mut rest).split_at_mut(part.items.len());
            rest = after;
            (part.items, room)
        });
        parallel::for_each(rooms, |(items, room)| room.copy_from_slice(&items));
        Ok(Level { filled, low_bits, items, regions })
    }
}
