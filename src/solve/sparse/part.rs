//! Regions that one task or one process has made.

use std::collections::TryReserveError;

use rayon::prelude::*;

use super::item::Item;
use super::regions::{Level, Region};

/// Items that one task copies, at least.
const COPY: usize = 1 << 13;

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

    /// The level whose regions `parts` are, one after the other. All cores of the current rayon pool copy them: most of the time
    /// the system clears what is written to.
    pub(super) fn join(parts: Vec<Self>, filled: u32, low_bits: u32) -> Result<Level<T>, TryReserveError> {
        let (mut items, mut regions, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut count = 0;
        regions.try_reserve_exact(parts.iter().map(|part| part.regions.len()).sum())?;
        for part in &parts {
            regions.extend(part.regions.iter().map(|&Region { top, start, live, end }| Region {
                top,
                start: count + start,
                live: count + live,
                end: count + end,
            }));
            starts.push(count);
            count += part.items.len();
        }
        items.try_reserve_exact(count)?;
        // The part that was read last, and where it begins.
        let item = |(start, part): &mut (usize, usize), at: usize| {
            if at.wrapping_sub(*start) >= parts[*part].items.len() {
                *part = starts.partition_point(|&start| start <= at) - 1;
                *start = starts[*part];
            }
            parts[*part].items[at - *start]
        };
        let all = (0..count).into_par_iter().with_min_len(COPY).map_init(|| (0, 0), item);
        all.collect_into_vec(&mut items);
        Ok(Level { filled, low_bits, items, regions })
    }
}
