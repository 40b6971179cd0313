//! The positions of a level, region by region.
//!
//! The positions whose keys have the same top bits are a *region*: they have the same mode and the same top cells. A
//! move leads from all positions of a region to one region, or to one of a few. So the work on a region reads and
//! writes the same few thousand positions again and again, and they stay in a core's cache.

use std::collections::TryReserveError;

use super::item::Item;
use crate::parallel;
use crate::reachable::KeyWord;

/// A level is cut into smaller regions if its regions have more positions than this on average ...
const MOST: usize = if cfg!(test) { 5 } else { 4096 };
/// ... until they have at most this many.
const ENOUGH: usize = if cfg!(test) { 3 } else { 1536 };
/// Minimum number of low bits in which the positions of a region differ.
const LEAST: u32 = if cfg!(test) { 1 } else { 8 };
/// Maximum number of bits by which regions are cut at once.
const AT_ONCE: u32 = 8;

/// A region: a range of its level's items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Region<W> {
    /// The top bits of its keys; the low bits are zero.
    pub(super) top: W,
    pub(super) start: usize,
    /// The end of the positions at which play continues.
    pub(super) ongoing: usize,
    /// The end of the region; from `ongoing` on, a terminal pattern has ended the game.
    pub(super) end: usize,
}

impl<W> Region<W> {
    /// The same region `count` items further.
    pub(super) fn shifted(self, count: usize) -> Self {
        let Self { top, start, ongoing, end } = self;
        Self { top, start: count + start, ongoing: count + ongoing, end: count + end }
    }
}

/// All positions of one level.
pub(super) struct Level<T: Item> {
    pub(super) filled: u32,
    /// The number of low bits of a key that do not choose its region.
    pub(super) low_bits: u32,
    /// The items. Within a region, ongoing ones come first, else in no order.
    pub(super) items: Vec<T>,
    /// The regions in the order of their top bits.
    pub(super) regions: Vec<Region<T::Key>>,
}

/// `key` with its lowest `low_bits` bits zero.
#[inline(always)]
pub(super) fn top_of<W: KeyWord>(key: W, low_bits: u32) -> W {
    key ^ key.below(low_bits)
}

/// Divides consecutive `regions`, and `of`, which has a value for each of their items, into tasks of about `least` items.
pub(super) fn tasks<'r, 'o, W, O>(
    mut regions: &'r [Region<W>],
    mut of: &'o mut [O],
    least: usize,
) -> Vec<(&'r [Region<W>], &'o mut [O])> {
    let mut tasks = Vec::new();
    while let Some(first) = regions.first() {
        let end = regions.partition_point(|region| region.end - first.start <= least).max(1);
        let (here, after) = regions.split_at(end);
        let (of_here, of_after) = of.split_at_mut(here[here.len() - 1].end - first.start);
        tasks.push((here, of_here));
        (regions, of) = (after, of_after);
    }
    tasks
}

/// Removes the items of `list` from `first` on for which `is_kept` is false. It writes every item, and overwrites those it removes: a
/// branch would often be predicted wrong.
#[inline(always)]
pub(super) fn keep<T: Copy>(list: &mut Vec<T>, first: usize, is_kept: impl Fn(T) -> bool) {
    let mut kept = first;
    for at in first..list.len() {
        let it = list[at];
        list[kept] = it;
        kept += usize::from(is_kept(it));
    }
    list.truncate(kept);
}

impl<T: Item> Level<T> {
    /// A level without items.
    pub(super) const fn new(filled: u32, low_bits: u32) -> Self {
        Self { filled, low_bits, items: Vec::new(), regions: Vec::new() }
    }

    /// Joins `parts`, which tasks have made of one level, in their order. A single part is not copied. Else all cores of
    /// the current rayon pool copy, since most of the time goes into first touches of new memory.
    pub(super) fn join(mut parts: Vec<Self>) -> Result<Self, TryReserveError> {
        if let [_] = parts[..] {
            let mut only = parts.remove(0);
            only.items.shrink_to_fit();
            return Ok(only);
        }
        let mut level = Self::new(parts[0].filled, parts[0].low_bits);
        let mut count = 0;
        level.regions.try_reserve_exact(parts.iter().map(|part| part.regions.len()).sum())?;
        for part in &parts {
            level.regions.extend(part.regions.iter().map(|region| region.shifted(count)));
            count += part.items.len();
        }
        level.items = T::room(count)?;
        let mut rest = &mut level.items[..];
        let rooms = parts.into_iter().map(|part| {
            let (room, after) = std::mem::take(&mut rest).split_at_mut(part.items.len());
            rest = after;
            (part.items, room)
        });
        parallel::for_each(rooms, |(items, room)| room.copy_from_slice(&items));
        Ok(level)
    }

    /// The number of positions.
    pub(super) fn count(&self) -> u64 {
        self.items.iter().map(|item| item.count()).sum()
    }

    /// The number of bytes it holds.
    pub(super) fn bytes(&self) -> u64 {
        (self.items.capacity() * size_of::<T>() + self.regions.capacity() * size_of::<Region<T::Key>>()) as u64
    }

    /// True if its regions are too large for a cache, and can be cut.
    pub(super) fn is_coarse(&self) -> bool {
        self.low_bits > LEAST && self.items.len() > MOST * self.regions.len()
    }

    /// Cuts its regions until they are small enough, or cannot be cut further.
    pub(super) fn refine(&mut self) -> Result<(), TryReserveError> {
        while self.low_bits > LEAST && self.items.len() > ENOUGH * self.regions.len() {
            self.cut(self.low_bits.saturating_sub(2).max(LEAST))?;
        }
        Ok(())
    }

    /// Cuts its regions so that keys of a region differ in their lowest `low_bits` bits only.
    pub(super) fn cut(&mut self, low_bits: u32) -> Result<(), TryReserveError> {
        while self.low_bits > low_bits {
            self.cut_once(low_bits.max(self.low_bits.saturating_sub(AT_ONCE)))?;
        }
        Ok(())
    }

    fn cut_once(&mut self, low_bits: u32) -> Result<(), TryReserveError> {
        let parts = 1 << (self.low_bits - low_bits);
        let mut items = Vec::new();
        items.try_reserve_exact(self.items.len())?;
        let mut regions = Vec::new();
        regions.try_reserve(self.regions.len())?;
        let mut starts = vec![0; 2 * parts + 1];
        for region in &self.regions {
            // Two counters for each new region: ongoing positions come before ended ones.
            let part =
                |item: T, is_ended: bool| 2 * item.key().below(self.low_bits).above(low_bits) + usize::from(is_ended);
            let (ongoing, ended) = (&self.items[region.start..region.ongoing], &self.items[region.ongoing..region.end]);
            starts.fill(0);
            ongoing.iter().for_each(|&item| starts[part(item, false) + 1] += 1);
            ended.iter().for_each(|&item| starts[part(item, true) + 1] += 1);
            let mut sum = 0;
            for start in &mut starts {
                sum += *start;
                *start = sum;
            }
            let first = items.len();
            items.resize(first + sum, T::default());
            for (list, is_ended) in [(ongoing, false), (ended, true)] {
                for &item in list {
                    let start = &mut starts[part(item, is_ended)];
                    items[first + *start] = item;
                    *start += 1;
                }
            }
            // Each start has advanced to an end.
            let mut start = first;
            for ends in starts.chunks_exact(2) {
                let (ongoing, end) = (first + ends[0], first + ends[1]);
                if end > start {
                    regions.try_reserve(1)?;
                    regions.push(Region { top: top_of(items[start].key(), low_bits), start, ongoing, end });
                }
                start = end;
            }
        }
        (self.items, self.regions, self.low_bits) = (items, regions, low_bits);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn regions_are_cut_where_their_bits_differ(seed: u64, count in 1usize..3000, low_bits in 0u32..30) {
            let mut draw = fastrand::Rng::with_seed(seed);
            let mut keys: Vec<u64> = (0..count).map(|_| draw.u64(..1 << 30)).collect();
            keys.sort_unstable();
            keys.dedup();
            draw.shuffle(&mut keys);
            let ongoing = draw.usize(..=keys.len());
            let region = Region { top: 0, start: 0, ongoing, end: keys.len() };
            let mut level = Level { filled: 3, low_bits: 30, items: keys.clone(), regions: vec![region] };
            level.cut(low_bits).unwrap();
            prop_assert!(level.regions.is_sorted_by(|a, b| a.top < b.top && a.end == b.start));
            let mut found = [Vec::new(), Vec::new()];
            for region in &level.regions {
                prop_assert!(region.start < region.end);
                for (at, &key) in (region.start..).zip(&level.items[region.start..region.end]) {
                    prop_assert_eq!(top_of(key, low_bits), region.top);
                    found[usize::from(at >= region.ongoing)].push(key);
                }
            }
            for (mut found, plain) in found.into_iter().zip([&keys[..ongoing], &keys[ongoing..]]) {
                let mut plain = plain.to_vec();
                plain.sort_unstable();
                found.sort_unstable();
                prop_assert_eq!(found, plain);
            }
        }
    }
}
