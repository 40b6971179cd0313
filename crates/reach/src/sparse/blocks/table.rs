//! Hash tables from the keys of blocks to outcomes, for a level that is labelled.
//!
//! Each region has a table of its own, as in [`super::super::table`]. It has the blocks with lost or drawn positions.
//! Every successor was found by the flood, so a block that is not in the table has won positions only.

use std::collections::TryReserveError;

use super::super::fetch::lines;
use super::super::item::FACTOR;
use super::super::regions::Level;
use super::layout::Block;
use crate::parallel;

/// The number of entries for every two blocks.
const PLACES: usize = 2;
/// Entries that a look-up compares at once.
const AT_ONCE: usize = 3;
/// The number of tasks that make the tables of a level.
const TASKS: usize = 256;

/// The lost positions of a block, as bits; and the drawn ones, if there are two planes.
pub(super) type BlockOutcomes<const N: usize> = [u64; N];

/// The outcomes of one level.
pub(super) struct Tables<const N: usize> {
    tops: Vec<u64>,
    /// The start of each region's table, and the end of the last one.
    starts: Vec<usize>,
    entries: Vec<Entry<N>>,
}

/// A block with its outcomes; free if no position is lost or drawn.
#[derive(Clone, Copy)]
pub(super) struct Entry<const N: usize> {
    key: u64,
    planes: BlockOutcomes<N>,
}

impl<const N: usize> Entry<N> {
    const FREE: Self = Self { key: 0, planes: [0; N] };

    #[inline(always)]
    fn is_free(&self) -> bool {
        let mut all = 0;
        for plane in 0..N {
            all |= self.planes[plane];
        }
        all == 0
    }
}

/// The index at which the probe sequence of a block starts.
#[inline(always)]
const fn home(key: u64, places: usize) -> usize {
    (((key.wrapping_mul(FACTOR) >> 32) * places as u64) >> 32) as usize
}

impl<const N: usize> Tables<N> {
    /// Tables of the blocks of `level` with `planes`. All cores of the current rayon pool share the work. The memory of
    /// `old` tables is reused.
    pub(super) fn new(
        level: &Level<Block>,
        planes: &[BlockOutcomes<N>],
        old: Option<Self>,
    ) -> Result<Self, TryReserveError> {
        let (mut tops, mut starts, mut sum) = (Vec::new(), Vec::new(), 0);
        tops.try_reserve_exact(level.regions.len())?;
        starts.try_reserve_exact(level.regions.len() + 1)?;
        for region in &level.regions {
            tops.push(region.top);
            starts.push(sum);
            sum += (region.end - region.start) * PLACES / 2 + 1;
        }
        starts.push(sum);
        let mut entries = old.map(|old| old.entries).unwrap_or_default();
        if entries.len() < sum {
            entries.try_reserve_exact(sum - entries.len())?;
            entries.resize(sum, Entry::FREE);
        }
        let mut rest = &mut entries[..];
        let size = level.regions.len().div_ceil(TASKS).max(1);
        let tasks = level.regions.chunks(size).zip(starts[1..].chunks(size)).scan(0, |start, (regions, ends)| {
            let (here, after) = std::mem::take(&mut rest).split_at_mut(ends[ends.len() - 1] - *start);
            rest = after;
            let task = (regions, ends, *start, here);
            *start = ends[ends.len() - 1];
            Some(task)
        });
        parallel::for_each(tasks, |(regions, ends, mut start, mut entries)| {
            for (region, &end) in regions.iter().zip(ends) {
                let (here, after) = entries.split_at_mut(end - start);
                (entries, start) = (after, end);
                here.fill(Entry::FREE);
                let blocks = level.items[region.start..region.end].iter().zip(&planes[region.start..region.end]);
                blocks.for_each(|(block, &planes)| put(here, block.key, planes));
            }
        });
        Ok(Self { tops, starts, entries })
    }

    /// The table of the region with `top`; `None` if the level has no region with this top.
    pub(super) fn of(&self, top: u64) -> Option<OutcomeLookup<'_, N>> {
        let region = self.tops.binary_search(&top).ok()?;
        Some(OutcomeLookup { entries: &self.entries[self.starts[region]..self.starts[region + 1]] })
    }
}

/// Adds a block to a table. A block with both ongoing and ended positions is added twice, once for each.
fn put<const N: usize>(entries: &mut [Entry<N>], key: u64, planes: BlockOutcomes<N>) {
    let new = Entry { key, planes };
    if new.is_free() {
        return;
    }
    let mut at = home(key, entries.len());
    while !entries[at].is_free() {
        if entries[at].key == key {
            let both = entries[at].planes.iter_mut().zip(planes);
            return both.for_each(|(all, more)| *all |= more);
        }
        at = if at + 1 == entries.len() { 0 } else { at + 1 };
    }
    entries[at] = new;
}

/// The table of a region, to look up outcomes.
#[derive(Clone, Copy)]
pub(super) struct OutcomeLookup<'a, const N: usize> {
    entries: &'a [Entry<N>],
}

impl<const N: usize> OutcomeLookup<'_, N> {
    /// Brings the table into the cache if `used` look-ups are enough to make that pay.
    pub(super) fn fetch(&self, used: usize) {
        lines(self.entries, used, |entry| entry.key);
    }

    /// The planes of the block with `key`, which is in the region.
    #[inline(always)]
    pub(super) fn planes(&self, key: u64) -> BlockOutcomes<N> {
        let mut at = home(key, self.entries.len());
        // Usually one of the first entries matches or is free, unpredictably which, so these are compared without branches.
        if let Some(near) = self.entries[at..].first_chunk::<AT_ONCE>() {
            let (mut planes, mut is_done) = ([0; N], false);
            for entry in near {
                let is_it = entry.key == key;
                let mask = u64::from(is_it).wrapping_neg();
                for (plane, of) in planes.iter_mut().zip(&entry.planes) {
                    *plane |= of & mask;
                }
                is_done |= is_it | entry.is_free();
            }
            if is_done {
                return planes;
            }
        }
        loop {
            let entry = &self.entries[at];
            if entry.key == key || entry.is_free() {
                return if entry.key == key { entry.planes } else { [0; N] };
            }
            at = if at + 1 == self.entries.len() { 0 } else { at + 1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::regions::{Region, top_of};
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn check<const N: usize>(
        draw: &mut fastrand::Rng,
        count: usize,
        bits: u32,
        low_bits: u32,
        old: &mut Option<Tables<N>>,
    ) {
        let mut keys: Vec<u64> = (0..count).map(|_| draw.u64(..) >> (64 - bits)).collect();
        keys.sort_unstable();
        // Each key at most twice.
        let mut runs: Vec<u64> =
            keys.chunk_by(|a, b| a == b).flat_map(|run| run[..run.len().min(2)].to_vec()).collect();
        std::mem::swap(&mut keys, &mut runs);
        let (mut regions, mut expected) = (Vec::new(), BTreeMap::new());
        let mut planes: Vec<BlockOutcomes<N>> = Vec::new();
        for (at, &key) in keys.iter().enumerate() {
            let top = top_of(key, low_bits);
            match regions.last_mut() {
                Some(Region { top: last, end, ongoing, .. }) if *last == top => (*end, *ongoing) = (at + 1, at + 1),
                _ => regions.push(Region { top, start: at, ongoing: at + 1, end: at + 1 }),
            }
            let of = std::array::from_fn(|_| if draw.bool() { draw.u64(..) & draw.u64(..) } else { 0 });
            planes.push(of);
            let all = expected.entry(key).or_insert([0; N]);
            (0..N).for_each(|plane| all[plane] |= of[plane]);
        }
        let items: Vec<Block> = keys.iter().map(|&key| Block { key, boards: u64::MAX }).collect();
        let level = Level { filled: 1, low_bits, items, regions };
        let tables = Tables::new(&level, &planes, old.take()).unwrap();
        for (&key, &planes) in &expected {
            assert_eq!(tables.of(top_of(key, low_bits)).unwrap().planes(key), planes);
        }
        for _ in 0..count {
            let key = draw.u64(..) >> (64 - bits);
            if let Some(table) = tables.of(top_of(key, low_bits)) {
                assert_eq!(table.planes(key), expected.get(&key).copied().unwrap_or([0; N]));
            }
        }
        *old = Some(tables);
    }

    proptest! {
        #[test]
        fn planes_are_found(seed: u64, count in 1usize..2000, bits in 1u32..=58, low_bits in 1u32..=58) {
            let mut draw = fastrand::Rng::with_seed(seed);
            let low_bits = low_bits.min(bits);
            let (mut one, mut two) = (None, None);
            // The second tables reuse the memory of the first.
            for count in [count, count / 2 + 1] {
                check::<1>(&mut draw, count, bits, low_bits, &mut one);
                check::<2>(&mut draw, count, bits, low_bits, &mut two);
            }
        }
    }
}
