//! Sorts the positions of a level with their labels into the order of a table: by code.

use std::borrow::Cow;
use std::collections::TryReserveError;

use rayon::prelude::*;

use super::cost::PARTITIONED as TASK;
use super::lists::Lists;
use super::shard::ShardCut;
use super::sort::{SortBuffers, sort};
use crate::label::Width;
use crate::memory::untouched;
use crate::parallel;
use crate::reachable::{Codes, KeyWord, column_bytes, key_bytes, write_keys};

/// Bits of a label in a word that also holds a code.
const LABEL: u32 = u8::BITS;
/// Bytes of a column that one task writes.
const STRETCH: usize = 1 << 14;

/// The keys and labels of all levels as in a table, written from the last level to the first.
pub(super) struct Columns {
    /// The keys; `None` in a second pass, when the first one has written them.
    keys: Option<Vec<u8>>,
    width: Width,
    labels: Vec<u8>,
    /// The number of bytes of keys, and of labels, still to be written.
    left: [usize; 2],
}

impl Columns {
    /// Empty columns for `labels` bytes of labels of `width`, and for `keys` bytes of keys unless it is `None`.
    pub(super) fn new(keys: Option<u64>, width: Width, labels: u64) -> Result<Self, TryReserveError> {
        let left = [keys.unwrap_or(0) as usize, labels as usize];
        let keys = if keys.is_some() { Some(untouched(left[0])?) } else { None };
        Ok(Self { keys, width, labels: untouched(left[1])?, left })
    }

    /// The keys, if there is a column of them, and the labels.
    pub(super) fn into_parts(self) -> (Option<Vec<u8>>, Vec<u8>) {
        (self.keys, self.labels)
    }
}

/// The positions of a level with their labels, in any order, divided into tasks.
pub(super) trait LabelledLevel: Sync {
    type Key: KeyWord;

    /// The number of tasks.
    fn tasks(&self) -> usize;
    /// Calls `each` with the key and the label of each position of a task.
    fn each(&self, task: usize, each: impl FnMut(Self::Key, u8));
    /// A vector with a byte for each position, which reuses memory if it can.
    fn into_room(self) -> Result<Vec<u8>, TryReserveError>;
}

/// Keys, and labels in the same order.
pub(super) struct Positions<'a, W: KeyWord> {
    pub(super) keys: Cow<'a, [W]>,
    pub(super) labels: Vec<u8>,
}

impl<W: KeyWord> LabelledLevel for Positions<'_, W> {
    type Key = W;

    fn tasks(&self) -> usize {
        self.labels.len().div_ceil(TASK)
    }

    #[inline(always)]
    fn each(&self, task: usize, mut each: impl FnMut(W, u8)) {
        let (first, end) = (task * TASK, self.labels.len().min((task + 1) * TASK));
        self.keys[first..end].iter().zip(&self.labels[first..end]).for_each(|(&key, &label)| each(key, label));
    }

    fn into_room(self) -> Result<Vec<u8>, TryReserveError> {
        Ok(self.labels)
    }
}

/// Sorts the positions of `level`, and writes them to `columns` before the levels above it.
pub(super) fn sort_level<L: LabelledLevel>(
    codes: &Codes,
    level: L,
    columns: &mut Columns,
) -> Result<(), TryReserveError> {
    if codes.bits() <= u64::BITS {
        sort_lists(codes, partition::<L, u64>(codes, &level)?, level.into_room()?, columns)
    } else {
        sort_lists(codes, partition::<L, u128>(codes, &level)?, level.into_room()?, columns)
    }
}

/// The positions of `level` by shard: the low bits of each code, and its label beside them. `P` has room for both.
fn partition<L: LabelledLevel, P: KeyWord>(codes: &Codes, level: &L) -> Result<Vec<Lists<P>>, TryReserveError> {
    let cut = ShardCut::new(codes.bits(), 1);
    let partition = |(packed, lists): &mut (Vec<P>, Vec<u16>), task: usize| {
        packed.clear();
        lists.clear();
        level.each(task, |key, label| {
            let code = codes.code_of_key(key);
            packed.push(P::of(code.below(cut.below).number() << LABEL | u128::from(label)));
            lists.push(code.above(cut.below) as u16);
        });
        Lists::new(packed, lists, cut.shards())
    };
    let room = || (Vec::with_capacity(TASK), Vec::with_capacity(TASK));
    parallel::try_map_with(0..level.tasks(), room, partition)
}

/// Sorts `lists` and writes them to `columns`. `labels` has room for the labels, whatever it contains. This function does not
/// depend on the kind of level, so it is compiled once for each word.
fn sort_lists<P: KeyWord>(
    codes: &Codes,
    lists: Vec<Lists<P>>,
    mut labels: Vec<u8>,
    columns: &mut Columns,
) -> Result<(), TryReserveError> {
    let cut = ShardCut::new(codes.bits(), 1);
    let shard = |buffers: &mut SortBuffers<P>, number: usize| {
        let of_shard = || lists.iter().map(|lists| lists.of(number));
        let mut shard = Vec::new();
        shard.try_reserve_exact(of_shard().map(<[P]>::len).sum())?;
        of_shard().for_each(|list| shard.extend_from_slice(list));
        sort(&mut shard, cut.below + LABEL, buffers)?;
        Ok::<_, TryReserveError>(shard)
    };
    let shards: Vec<Vec<P>> = parallel::try_map_with(0..cut.shards(), SortBuffers::default, shard)?;
    drop(lists);
    if let Some(keys) = &mut columns.keys {
        let room = key_bytes(codes, labels.len() as u64) as usize;
        let (_, room) = keys[..columns.left[0]].split_at_mut(columns.left[0] - room);
        let code = |shard: usize, packed: P| cut.code(shard, P::of(packed.number() >> LABEL));
        columns.left[0] -= room.len();
        write_keys(room, codes, &shards, code);
    }
    let mut rest = &mut labels[..];
    let parts = shards.iter().map(|shard| {
        let (here, after) = std::mem::take(&mut rest).split_at_mut(shard.len());
        rest = after;
        (shard, here)
    });
    parallel::for_each(parts, |(shard, labels)| {
        shard.iter().zip(labels).for_each(|(packed, label)| *label = packed.low() as u8);
    });
    drop(shards);
    let room = column_bytes(columns.width, labels.len() as u64) as usize;
    let (_, room) = columns.labels[..columns.left[1]].split_at_mut(columns.left[1] - room);
    columns.left[1] -= room.len();
    write_labels(room, columns.width, &labels);
    Ok(())
}

/// Packs `labels`, each of `width`, into the bytes of `column`, whose length must be right.
pub(super) fn write_labels(column: &mut [u8], width: Width, labels: &[u8]) {
    let bits = width.bits() as usize;
    let in_byte = 8 / bits;
    let stretches = column.par_chunks_mut(STRETCH).zip(labels.par_chunks(STRETCH * in_byte));
    stretches.for_each(|(bytes, labels)| {
        for (byte, labels) in bytes.iter_mut().zip(labels.chunks(in_byte)) {
            *byte = labels.iter().rev().fold(0, |byte, &label| byte.unbounded_shl(bits as u32) | label);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reachable::append_keys;
    use proptest::prelude::*;

    fn check<W: KeyWord>(codes: &Codes, all: &[u128], width: Width, draw: &mut fastrand::Rng) {
        let most = if width == Width::Eight { 255 } else { 1 };
        // Two levels, the higher one first, each in random order.
        let (mut keys, mut labels) = (Vec::new(), Vec::new());
        let levels = all.split_at(all.len() / 3);
        let sum = |of: &dyn Fn(u64) -> u64| [levels.0, levels.1].iter().map(|level| of(level.len() as u64)).sum();
        let key_bytes = sum(&|count| key_bytes(codes, count));
        let mut columns = Columns::new(Some(key_bytes), width, sum(&|count| column_bytes(width, count))).unwrap();
        for codes_of_level in [levels.1, levels.0] {
            let mut level: Vec<(u128, u8)> = codes_of_level.iter().map(|&code| (code, draw.u8(..=most))).collect();
            let mut sorted = vec![0u8; column_bytes(width, level.len() as u64) as usize];
            for (index, &(_, label)) in level.iter().enumerate() {
                let bit = index * width.bits() as usize;
                sorted[bit / 8] |= label << (bit % 8);
            }
            let shard = [level.iter().map(|&(code, _)| code).collect::<Vec<u128>>()];
            let in_order: Vec<u8> = level.iter().map(|&(_, label)| label).collect();
            let mut written = vec![0; sorted.len()];
            write_labels(&mut written, width, &in_order);
            assert_eq!(written, sorted);
            let mut of_level = Vec::new();
            append_keys(&mut of_level, codes, &shard, |_, code| code).unwrap();
            (keys, labels) = ([of_level, keys].concat(), [sorted, labels].concat());
            draw.shuffle(&mut level);
            let raw: Vec<W> = level.iter().map(|&(code, _)| codes.key(W::of(code))).collect();
            let labels = level.iter().map(|&(_, label)| label).collect();
            sort_level(codes, Positions { keys: Cow::Owned(raw), labels }, &mut columns).unwrap();
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
