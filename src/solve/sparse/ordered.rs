//! The labels of a level in the order of a table: by code.

use std::borrow::Cow;
use std::collections::TryReserveError;

use rayon::prelude::*;

use super::lists::Lists;
use super::sort::{Room, sort};
use super::zeros::zeros;
use crate::label::Width;
use crate::reachable::{Codes, Word, column_bytes, key_bytes, write_keys};

/// The number of top bits of a code that choose its shard: enough for many cores, each small enough for a core's cache.
const SHARD_BITS: u32 = 8;
/// Positions that one task deals out to shards.
pub(super) const TASK: usize = 1 << 15;
/// Bits of a label beside a code.
const LABEL: u32 = u8::BITS;
/// Bytes of a column that one task writes.
const STRETCH: usize = 1 << 14;

/// Keys and labels of all levels as a table has them. They are written from the end: levels are done from the last to the
/// first.
pub(super) struct Columns {
    width: Width,
    /// The keys, unless there are some already, and how many bytes of them are not written.
    keys: Option<(Vec<u8>, usize)>,
    /// The labels, and how many bytes of them are not written.
    labels: (Vec<u8>, usize),
}

impl Columns {
    /// Room for labels of `width`, `labels` bytes of them, and for `keys` bytes of keys, if they are to be written.
    pub(super) fn new(width: Width, keys: Option<u64>, labels: u64) -> Result<Self, TryReserveError> {
        let room = |bytes: u64| Ok::<_, TryReserveError>((zeros(bytes as usize)?, bytes as usize));
        Ok(Self { width, keys: keys.map(room).transpose()?, labels: room(labels)? })
    }

    /// The keys, if they were written, and the labels.
    pub(super) fn into_parts(self) -> (Option<Vec<u8>>, Vec<u8>) {
        (self.keys.map(|(keys, _)| keys), self.labels.0)
    }
}

/// The last `bytes` bytes that are not written.
fn next((all, left): &mut (Vec<u8>, usize), bytes: u64) -> &mut [u8] {
    let end = *left;
    *left -= bytes as usize;
    &mut all[*left..end]
}

/// Writes the positions of a level, with `keys` and `labels` in the same order, to `columns`.
pub(super) fn order<W: Word>(
    codes: &Codes,
    keys: Cow<'_, [W]>,
    labels: Vec<u8>,
    columns: &mut Columns,
) -> Result<(), TryReserveError> {
    if codes.bits() <= u64::BITS {
        order_as::<W, u64>(codes, keys, labels, columns)
    } else {
        order_as::<W, u128>(codes, keys, labels, columns)
    }
}

/// The same; `P` holds a code, or the bits of a code below its shard beside a label.
fn order_as<W: Word, P: Word>(
    codes: &Codes,
    keys: Cow<'_, [W]>,
    mut labels: Vec<u8>,
    columns: &mut Columns,
) -> Result<(), TryReserveError> {
    let shard_bits = SHARD_BITS.min(codes.bits());
    let below = codes.bits() - shard_bits;
    let deal = |(packed, lists): &mut (Vec<P>, Vec<u16>), (keys, labels): (&[W], &[u8])| {
        packed.clear();
        lists.clear();
        for (&key, &label) in keys.iter().zip(labels) {
            let code = codes.code_of_key(key);
            packed.push(P::of(code.below(below).number() << LABEL | u128::from(label)));
            lists.push(code.above(below) as u16);
        }
        Lists::new(packed, lists, 1 << shard_bits)
    };
    let room = || (Vec::with_capacity(TASK), Vec::with_capacity(TASK));
    let lists = keys.par_chunks(TASK).zip(labels.par_chunks(TASK)).map_init(room, deal);
    let lists: Vec<Lists<P>> = lists.collect::<Result<_, _>>()?;
    drop(keys);
    let shard = |room: &mut Room<P>, number: usize| {
        let of_shard = || lists.iter().map(|lists| lists.of(number));
        let mut shard = Vec::new();
        shard.try_reserve_exact(of_shard().map(<[P]>::len).sum())?;
        of_shard().for_each(|list| shard.extend_from_slice(list));
        sort(&mut shard, below + LABEL, room)?;
        Ok::<_, TryReserveError>(shard)
    };
    let shards = (0..1usize << shard_bits).into_par_iter().map_init(Room::new, shard);
    let shards: Vec<Vec<P>> = shards.collect::<Result<_, _>>()?;
    drop(lists);
    let count = labels.len() as u64;
    if let Some(keys) = &mut columns.keys {
        let code = |shard: usize, packed: P| P::raised(shard, below) | P::of(packed.number() >> LABEL);
        write_keys(next(keys, key_bytes(codes, count)), codes, &shards, code);
    }
    let mut rest = &mut labels[..];
    let parts: Vec<_> = shards
        .iter()
        .map(|shard| {
            let (here, after) = std::mem::take(&mut rest).split_at_mut(shard.len());
            rest = after;
            (shard, here)
        })
        .collect();
    parts.into_par_iter().for_each(|(shard, labels)| {
        shard.iter().zip(labels).for_each(|(packed, label)| *label = packed.low() as u8);
    });
    drop(shards);
    let column = next(&mut columns.labels, column_bytes(columns.width, count));
    let bits = columns.width.bits() as usize;
    let in_byte = 8 / bits;
    let stretches = column.par_chunks_mut(STRETCH).zip(labels.par_chunks(STRETCH * in_byte));
    stretches.for_each(|(bytes, labels)| {
        for (byte, labels) in bytes.iter_mut().zip(labels.chunks(in_byte)) {
            *byte = labels.iter().rev().fold(0, |byte, &label| byte.unbounded_shl(bits as u32) | label);
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<W: Word>(codes: &Codes, all: &[u128], width: Width, draw: &mut fastrand::Rng) {
        let most = if width == Width::Eight { 255 } else { 1 };
        // Two levels, the later one first, each in any order.
        let (mut keys, mut labels) = (Vec::new(), Vec::new());
        let levels = all.split_at(all.len() / 3);
        let bytes = |of: &dyn Fn(u64) -> u64| of(levels.0.len() as u64) + of(levels.1.len() as u64);
        let (key_room, room) = (bytes(&|count| key_bytes(codes, count)), bytes(&|count| column_bytes(width, count)));
        let mut columns = Columns::new(width, Some(key_room), room).unwrap();
        for codes_of_level in [levels.1, levels.0] {
            let mut level: Vec<(u128, u8)> = codes_of_level.iter().map(|&code| (code, draw.u8(..=most))).collect();
            let mut sorted = vec![0u8; column_bytes(width, level.len() as u64) as usize];
            for (index, &(_, label)) in level.iter().enumerate() {
                let bit = index * width.bits() as usize;
                sorted[bit / 8] |= label << (bit % 8);
            }
            let shard = [level.iter().map(|&(code, _)| code).collect::<Vec<u128>>()];
            let mut of_level = vec![0; key_bytes(codes, level.len() as u64) as usize];
            write_keys(&mut of_level, codes, &shard, |_, code| code);
            (keys, labels) = ([of_level, keys].concat(), [sorted, labels].concat());
            draw.shuffle(&mut level);
            let raw: Vec<W> = level.iter().map(|&(code, _)| codes.key(W::of(code))).collect();
            order(codes, Cow::Owned(raw), level.iter().map(|&(_, label)| label).collect(), &mut columns).unwrap();
        }
        assert_eq!(columns.into_parts(), (Some(keys), labels));
    }

    proptest! {
        #[test]
        fn levels_are_in_the_order_of_a_table(cells in 1u32..=64, modes in 1u32..=40, seed: u64, size in 0u32..13, width in 0usize..3) {
            let mut draw = fastrand::Rng::with_seed(seed);
            let codes = Codes::new(cells, modes);
            let mut all: Vec<u128> = (0..1 << size).map(|_| draw.u128(..1 << codes.bits())).collect();
            all.sort_unstable();
            all.dedup();
            let width = [Width::One, Width::Two, Width::Eight][width];
            match codes.bits() {
                ..=32 => check::<u32>(&codes, &all, width, &mut draw),
                33..=64 => check::<u64>(&codes, &all, width, &mut draw),
                _ => check::<u128>(&codes, &all, width, &mut draw),
            }
        }
    }
}
