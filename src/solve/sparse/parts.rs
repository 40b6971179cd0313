//! Regions as a flood makes them: gathered, and each position once.

use std::collections::TryReserveError;

use rayon::prelude::*;

use super::regions::{Level, Region};
use super::zeros::zeros;
use crate::reachable::Word;

/// Regions that were made by one task, numbered from the first of its keys.
pub(super) struct Part<W> {
    pub(super) keys: Vec<W>,
    pub(super) regions: Vec<Region<W>>,
}

/// What a thread works in.
pub(super) struct Scratch<W> {
    pub(super) gathered: Vec<W>,
    /// Open addressing; zero is free, since a position that a move leads to has a filled cell.
    table: Vec<W>,
}

impl<W: Word> Part<W> {
    pub(super) fn bytes(&self) -> u64 {
        (self.keys.capacity() * size_of::<W>() + self.regions.capacity() * size_of::<Region<W>>()) as u64
    }

    /// The level whose regions `parts` are, one after the other.
    pub(super) fn join(parts: Vec<Self>, filled: u32, low_bits: u32) -> Result<Level<W>, TryReserveError> {
        let mut keys = zeros(parts.iter().map(|part| part.keys.len()).sum())?;
        let (mut rest, mut first, mut regions) = (&mut keys[..], 0, Vec::new());
        regions.try_reserve_exact(parts.iter().map(|part| part.regions.len()).sum())?;
        let mut copies = Vec::with_capacity(parts.len());
        for Self { keys, regions: of_part } in parts {
            regions.extend(of_part.into_iter().map(|Region { top, start, live, end }| Region {
                top,
                start: first + start,
                live: first + live,
                end: first + end,
            }));
            first += keys.len();
            let (here, after) = std::mem::take(&mut rest).split_at_mut(keys.len());
            rest = after;
            copies.push((here, keys));
        }
        copies.into_par_iter().for_each(|(here, keys)| here.copy_from_slice(&keys));
        Ok(Level { filled, low_bits, keys, regions })
    }
}

impl<W: Word> Scratch<W> {
    pub(super) const fn new() -> Self {
        Self { gathered: Vec::new(), table: Vec::new() }
    }

    pub(super) fn bytes(&self) -> u64 {
        ((self.gathered.capacity() + self.table.capacity()) * size_of::<W>()) as u64
    }

    /// Appends what was gathered to `keys`, each key once.
    pub(super) fn drop_duplicates(&mut self, keys: &mut Vec<W>) -> Result<(), TryReserveError> {
        /// An odd number near 2^64 divided by the golden ratio: its products spread numbers that are alike.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        keys.try_reserve(self.gathered.len())?;
        if let [only] = self.gathered[..] {
            keys.push(only);
            return Ok(());
        }
        // At most four of five places are taken, and mostly far fewer: most positions are reached in several ways.
        let bits = (self.gathered.len() + self.gathered.len() / 4 + 1).next_power_of_two().ilog2();
        self.table.clear();
        self.table.try_reserve(1 << bits)?;
        self.table.resize(1 << bits, W::default());
        let table = &mut self.table[..1 << bits];
        for &key in &self.gathered {
            let mut at = (key.low().wrapping_mul(FACTOR) >> (u64::BITS - bits)) as usize;
            loop {
                let place = &mut table[at];
                if *place == key {
                    break;
                }
                if *place == W::default() {
                    *place = key;
                    keys.push(key);
                    break;
                }
                at = (at + 1) & ((1 << bits) - 1);
            }
        }
        Ok(())
    }
}
