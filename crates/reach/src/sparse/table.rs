//! Hash tables from keys to labels, for a level that is labelled.
//!
//! Each region has a table of its own, so that look-ups touch the same few kilobytes while a region is labelled. An
//! entry has the label, and a *tag* that identifies the position within its region. The tag is the low bits of the key
//! if they fit, else a hash of them. If two positions on one probe sequence have equal tags, the table is built again
//! with another hash factor.
//!
//! ```text
//! entry      [ tag: 30 or 24 bits | label + 1: 2 or 8 bits ]      0: free
//! ```

use std::collections::TryReserveError;

use rustc_hash::FxHashMap;

use super::fetch::fetch;
use super::regions::{Level, top_of};
use crate::label::Width;
use crate::parallel;
use crate::reachable::KeyWord;

/// The number of entries for every two positions.
const PLACES: usize = 3;
/// Entries that a look-up compares at once.
const AT_ONCE: usize = 4;
/// The number of factors to try. Only a region of millions of positions can make all of them fail.
const TRIES: u64 = 32;
/// The first factor: odd, and 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
/// The number of tasks that make the tables of a level.
const TASKS: usize = 256;

/// The labels of one level.
pub(super) struct Tables<W> {
    form: EntryForm,
    tops: Vec<W>,
    tables: Vec<Table>,
    entries: Vec<u32>,
    /// Positions with labels, sorted by key, of regions for which all factors failed; by the region's top.
    others: FxHashMap<W, Vec<(W, u8)>>,
}

/// The table of a region: a range of entries.
#[derive(Clone, Copy)]
struct Table {
    /// The hash factor; 0 if all factors failed.
    factor: u64,
    at: usize,
    places: usize,
}

#[derive(Clone, Copy)]
struct EntryForm {
    low_bits: u32,
    /// Bits of a label in an entry.
    label: u32,
}

/// Bytes of the tables of `count` positions.
pub(super) const fn bytes(count: u64) -> u64 {
    count * PLACES as u64 / 2 * 4 + 64
}

impl EntryForm {
    /// The index at which the probe sequence of a position starts, and its tag.
    #[inline(always)]
    fn place(self, low: u64, factor: u64, places: usize) -> (usize, u32) {
        let mixed = low.wrapping_mul(factor);
        let home = ((mixed >> 32) * places as u64) >> 32;
        let tag = if self.low_bits <= self.tag_bits() { low } else { mixed ^ mixed >> 32 };
        (home as usize, tag as u32 & (u32::MAX >> self.label))
    }

    const fn tag_bits(self) -> u32 {
        u32::BITS - self.label
    }
}

impl<W: KeyWord> Tables<W> {
    /// Tables of the positions of `level` with their `labels`, which are in the order of the items. All cores of the
    /// current rayon pool share the work.
    pub(super) fn new(level: &Level<W>, labels: &[u8], width: Width) -> Result<Self, TryReserveError> {
        Self::with(level, labels, width, TRIES)
    }

    fn with(level: &Level<W>, labels: &[u8], width: Width, tries: u64) -> Result<Self, TryReserveError> {
        let form = EntryForm { low_bits: level.low_bits, label: if width == Width::Eight { 8 } else { 2 } };
        let (mut tops, mut tables, mut sum) = (Vec::new(), Vec::new(), 0);
        tops.try_reserve_exact(level.regions.len())?;
        tables.try_reserve_exact(level.regions.len())?;
        for region in &level.regions {
            let places = (region.end - region.start) * PLACES / 2 + 1;
            tops.push(region.top);
            tables.push(Table { factor: FACTOR, at: sum, places });
            sum += places;
        }
        let mut entries = Vec::new();
        entries.try_reserve_exact(sum)?;
        entries.resize(sum, 0);
        let mut rest = &mut entries[..];
        let size = level.regions.len().div_ceil(TASKS).max(1);
        let tasks = level.regions.chunks(size).zip(tables.chunks_mut(size)).map(|(regions, tables)| {
            let places = tables.iter().map(|table| table.places).sum();
            let (here, after) = std::mem::take(&mut rest).split_at_mut(places);
            rest = after;
            (regions, tables, here)
        });
        parallel::for_each(tasks, |(regions, tables, mut entries)| {
            for (region, table) in regions.iter().zip(tables) {
                let (here, after) = entries.split_at_mut(table.places);
                entries = after;
                let (keys, labels) = (&level.items[region.start..region.end], &labels[region.start..region.end]);
                let mut factors = (0..tries).map(|number| FACTOR.wrapping_mul(2 * number + 1));
                let factor = factors.find(|&factor| {
                    here.fill(0);
                    form.fill(keys, labels, here, factor)
                });
                table.factor = factor.unwrap_or(0);
            }
        });
        let failed = level.regions.iter().zip(&tables).filter(|(_, table)| table.factor == 0);
        let others = failed.map(|(region, _)| {
            let positions = level.items[region.start..region.end].iter().copied();
            let mut others: Vec<(W, u8)> = positions.zip(labels[region.start..region.end].iter().copied()).collect();
            others.sort_unstable();
            (region.top, others)
        });
        let others = others.collect();
        Ok(Self { form, tops, tables, entries, others })
    }

    /// The table of the region with `top`; `None` if the level has no region with this top, or all hash factors failed for it.
    pub(super) fn of(&self, top: W) -> Option<View<'_>> {
        let table = self.tables[self.tops.binary_search(&top).ok()?];
        let entries = &self.entries[table.at..table.at + table.places];
        (table.factor != 0).then_some(View { form: self.form, factor: table.factor, entries })
    }

    /// The encoded label of the position with `key`.
    pub(super) fn search(&self, key: W) -> Option<u8> {
        let top = top_of(key, self.form.low_bits);
        let others = || {
            let others = self.others.get(&top)?;
            Some(others[others.binary_search_by_key(&key, |&(key, _)| key).ok()?].1)
        };
        self.of(top).map_or_else(others, |table| table.number(key))
    }
}

/// The table of a region, to look up labels.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    form: EntryForm,
    factor: u64,
    entries: &'a [u32],
}

impl View<'_> {
    /// Brings the table into the cache if `used` look-ups are enough to make that pay.
    pub(super) fn fetch(&self, used: usize) {
        fetch(self.entries, used);
    }

    /// The encoded label of the position with `key`, which is in the region; `None` if its tag is not in the table.
    #[inline(always)]
    pub(super) fn number<W: KeyWord>(&self, key: W) -> Option<u8> {
        let Self { form, factor, entries } = *self;
        let (mut at, tag) = form.place(key.below(form.low_bits).hashed(), factor, entries.len());
        let label = |entry: u32| (entry & ((1 << form.label) - 1)) as u8 - 1;
        // Usually one of the first entries matches, unpredictably which, so these are compared without branches. No
        // free entry comes before a match.
        if let Some(near) = entries[at..].first_chunk::<AT_ONCE>() {
            let equal = near.iter().enumerate().fold(0u32, |equal, (index, &entry)| {
                equal | u32::from(entry >> form.label == tag && entry != 0) << index
            });
            if equal != 0 {
                return Some(label(near[equal.trailing_zeros() as usize % AT_ONCE]));
            }
        }
        loop {
            let entry = entries[at];
            if entry >> form.label == tag && entry != 0 {
                return Some(label(entry));
            }
            if entry == 0 {
                return None;
            }
            at = if at + 1 == entries.len() { 0 } else { at + 1 };
        }
    }
}

impl EntryForm {
    /// Fills the table of a region; `false` if a look-up would confuse two positions.
    fn fill<W: KeyWord>(self, keys: &[W], labels: &[u8], entries: &mut [u32], factor: u64) -> bool {
        for (&key, &label) in keys.iter().zip(labels) {
            let (mut at, tag) = self.place(key.below(self.low_bits).hashed(), factor, entries.len());
            while entries[at] != 0 {
                if entries[at] >> self.label == tag {
                    return false;
                }
                at = if at + 1 == entries.len() { 0 } else { at + 1 };
            }
            entries[at] = tag << self.label | (u32::from(label) + 1);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::regions::Region;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn labels_are_found(seed: u64, count in 1usize..2000, bits in 1u32..=64, low_bits in 1u32..=64, is_byte: bool, tries in 0u64..3) {
            let mut draw = fastrand::Rng::with_seed(seed);
            let low_bits = low_bits.min(bits);
            let mut keys: Vec<u64> = (0..count).map(|_| draw.u64(..) >> (64 - bits)).collect();
            keys.sort_unstable();
            keys.dedup();
            let mut regions = Vec::new();
            for (at, &key) in keys.iter().enumerate() {
                let top = top_of(key, low_bits);
                match regions.last_mut() {
                    Some(Region { top: last, end, ongoing, .. }) if *last == top => (*end, *ongoing) = (at + 1, at + 1),
                    _ => regions.push(Region { top, start: at, ongoing: at + 1, end: at + 1 }),
                }
            }
            let (width, most) = if is_byte { (Width::Eight, 254) } else { (Width::Two, 2) };
            let labels: Vec<u8> = keys.iter().map(|_| draw.u8(..=most)).collect();
            let level = Level { filled: 1, low_bits, items: keys, regions };
            // Without tries, every factor has failed.
            let tables = Tables::with(&level, &labels, width, tries).unwrap();
            prop_assert!(tables.entries.len() as u64 * 4 <= bytes(level.items.len() as u64) + 4 * level.regions.len() as u64);
            for (&key, &label) in level.items.iter().zip(&labels) {
                prop_assert_eq!(tables.search(key), Some(label));
                let table = tables.of(top_of(key, low_bits));
                prop_assert!(tries > 0 || table.is_none());
                if let Some(table) = table {
                    prop_assert_eq!(table.number(key), Some(label));
                }
            }
        }
    }
}
