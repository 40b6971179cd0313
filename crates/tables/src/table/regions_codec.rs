//! The index by regions in bytes.
//!
//! A reader needs no rules to number boards: squares, exchanged modes and the list of regions stand in the header. A writer computes them
//! from the rules, and this reader checks that they are the ones that it computes itself.

use super::TableFault;
use super::codec::{Decoder, Encoder};
use crate::regions::Regions;
use crate::rules::{Board, Outcome, Position, Rules};
use crate::symmetry::Group;

/// The mode that says that a mode is stored itself.
const STORED: u16 = u16::MAX;
/// The byte that says that a region's number of pieces does not end the game. Otherwise it is 1 + the outcome: a loss, a draw or a win.
const OPEN: u8 = 0;

const DIFFERENT: TableFault = TableFault::Malformed("its regions are not those of its rules");

/// Encodes `regions` of `rules`: the squares, the other cells, the modes, and the list of regions.
pub(super) fn encode(regions: &Regions, rules: &Rules, e: &mut Encoder) {
    let [first, second, single] = regions.planes().masks().map(Board::from_word);
    e.u8(first.count() as u8);
    for (first, second) in first.bits().zip(second.bits()) {
        e.u8(first as u8);
        e.u8(second as u8);
    }
    e.u8(single.count() as u8);
    single.bits().for_each(|cell| e.u8(cell as u8));
    e.u64(regions.planes().fixed());
    for (mode, swap) in (0..rules.modes().len() as u16).zip(regions.swap()) {
        e.u16(swap.unwrap_or(STORED));
        e.u8(regions.orders().is_turned(mode).into());
    }
    e.u8(regions.folds().is_some().into());
    e.u32(regions.regions().len() as u32);
    for region in regions.regions() {
        e.u16(region.mode);
        region.counts.iter().for_each(|&count| e.u8(count as u8));
        e.u8(region.ended.map_or(OPEN, |outcome| 1 + outcome as u8));
        e.u32(region.group);
        e.u64(region.base);
    }
}

/// Decodes the index by regions of `rules` for positions that play reaches from `starts`, up to `group`.
///
/// # Errors
/// If the rules have none, or another one.
pub(super) fn decode(
    d: &mut Decoder<'_>,
    rules: &Rules,
    starts: &[Position],
    group: &Group,
) -> Result<Regions, TableFault> {
    let regions = Regions::new(rules, starts, None, group).map_err(|_| DIFFERENT)?;
    let mut expected = Encoder::default();
    encode(&regions, rules, &mut expected);
    if d.take(expected.bytes.len())? == expected.bytes { Ok(regions) } else { Err(DIFFERENT) }
}

/// The outcomes by which a number of pieces ends the game are numbered as this says.
const _: () = assert!(Outcome::Loss as u8 == 0 && Outcome::Draw as u8 == 1 && Outcome::Win as u8 == 2);
