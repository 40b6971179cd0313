//! Writing the keys of a level.

use std::collections::TryReserveError;

use super::levels::{Form, key_bytes};
use super::{Codes, KeyWord};
use crate::parallel;

/// Appends the keys of a level to `keys`. `shards` holds the level's positions, and its length is a power of two: shard
/// `i` has the positions whose codes begin with the bits of `i`. `code` returns a position's code; codes must strictly
/// increase. Writes on all cores of the current rayon pool.
///
/// # Errors
/// If the system provides no memory for the keys.
pub fn append_keys<P: Copy + Send + Sync, K: KeyWord>(
    keys: &mut Vec<u8>,
    all: &Codes,
    shards: &[Vec<P>],
    code: impl Fn(usize, P) -> K + Sync,
) -> Result<(), TryReserveError> {
    let count: usize = shards.iter().map(Vec::len).sum();
    let (before, room) = (keys.len(), key_bytes(all, count as u64) as usize);
    // Reserve exactly the bytes needed, because spare capacity would count as used memory.
    keys.try_reserve_exact(room)?;
    keys.resize(before + room, 0);
    write_keys(&mut keys[before..], all, shards, code);
    Ok(())
}

/// Writes the keys of a level like [`append_keys`], into [`key_bytes`] zero bytes.
pub fn write_keys<P: Copy + Send + Sync, K: KeyWord>(
    keys: &mut [u8],
    all: &Codes,
    shards: &[Vec<P>],
    code: impl Fn(usize, P) -> K + Sync,
) {
    let count: usize = shards.iter().map(Vec::len).sum();
    let form = Form::new(all, count as u64);
    let (mut directory, mut rests) = keys.split_at_mut(form.directory_bytes() as usize);
    // Shards that share a bucket are written by one task, so that tasks share no bucket.
    let part = shards.len() >> form.bucket_bits.min(shards.len().ilog2());
    let buckets = (part << form.bucket_bits) / shards.len();
    let mut parts = Vec::with_capacity(shards.len() / part);
    let mut first = 0;
    for (number, shards) in shards.chunks(part).enumerate() {
        let count: usize = shards.iter().map(Vec::len).sum();
        let (here, after) = directory.split_at_mut(4 * buckets);
        directory = after;
        let (bytes, after) = rests.split_at_mut(count * form.rest_bytes);
        rests = after;
        let (first_bucket, first_shard) = (number * buckets, number * part);
        parts.push(Part { form, first_bucket, first, directory: here, rests: bytes, first_shard, shards });
        first += count;
    }
    directory.copy_from_slice(&(first as u32).to_le_bytes());
    parallel::for_each(parts, |part| part.write(&code));
}

/// A range of consecutive buckets.
struct Part<'a, P> {
    form: Form,
    /// The number of its first bucket, and the index of the first position in it.
    first_bucket: usize,
    first: usize,
    /// The directory and the rests of these buckets.
    directory: &'a mut [u8],
    rests: &'a mut [u8],
    first_shard: usize,
    shards: &'a [Vec<P>],
}

impl<P: Copy> Part<'_, P> {
    fn write<K: KeyWord>(self, code: &impl Fn(usize, P) -> K) {
        let Self { form, first_bucket, first, directory, rests, first_shard, shards } = self;
        let (mut entries, mut index) = (directory.as_chunks_mut::<4>().0.iter_mut(), first);
        let mut begun = 0;
        let shards = (first_shard..).zip(shards);
        for code in shards.flat_map(|(shard, positions)| positions.iter().map(move |&it| code(shard, it))) {
            let bucket = code.above(form.rest_bits) - first_bucket;
            while begun <= bucket {
                begun += 1;
                if let Some(entry) = entries.next() {
                    *entry = (index as u32).to_le_bytes();
                }
            }
            let at = (index - first) * form.rest_bytes;
            let rest = code.below(form.rest_bits).number();
            // Whole words are written, as they are read. The next rest overwrites the bytes above this one.
            if form.rest_bytes <= 8
                && let Some(word) = rests.get_mut(at..at + 8)
            {
                word.copy_from_slice(&(rest as u64).to_le_bytes());
            } else {
                rests[at..at + form.rest_bytes].copy_from_slice(&rest.to_le_bytes()[..form.rest_bytes]);
            }
            index += 1;
        }
        entries.for_each(|entry| *entry = (index as u32).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reachable::{Level, LevelSize};
    use crate::rules::{Potential, RulesSpec};
    use proptest::prelude::*;

    /// The keys, encoded as docs/reference/format.md describes them.
    fn plain(all: &Codes, codes: &[u128]) -> Vec<u8> {
        let form = Form::new(all, codes.len() as u64);
        let mut bytes = Vec::new();
        for bucket in 0..=1u128 << form.bucket_bits {
            let below = codes.iter().filter(|&&code| code < bucket << form.rest_bits).count();
            bytes.extend((below as u32).to_le_bytes());
        }
        for code in codes {
            bytes.extend(&(code % (1 << form.rest_bits)).to_le_bytes()[..form.rest_bytes]);
        }
        bytes.resize(key_bytes(all, codes.len() as u64) as usize, 0);
        bytes
    }

    /// Any potential: a level's codes do not depend on it.
    fn any_potential() -> Potential {
        Potential::filled(&RulesSpec::new("any", 1).build().unwrap())
    }

    fn check<W: KeyWord + std::fmt::Debug>(all: &Codes, codes: &[u128], shard_bits: u32) {
        let of = |shard| move |code: &&u128| **code >> (all.bits() - shard_bits) == shard;
        let shards: Vec<Vec<W>> = (0..1 << shard_bits)
            .map(|shard| codes.iter().filter(of(shard)).map(|&code| W::of(code)).collect())
            .collect();
        let mut keys = vec![7];
        append_keys(&mut keys, all, &shards, |_, code| code).unwrap();
        assert_eq!(keys[1..], plain(all, codes));
        let size = LevelSize { filled: 1, count: codes.len() as u64 };
        let potential = any_potential();
        let form = Form::new(all, size.count);
        let level = Level::new(all, &potential, size, form, &keys[1..]);
        // Every code is found; the code with another first stored bit only if it is stored as well.
        for wanted in codes.iter().flat_map(|code| [*code, code ^ 1 << (form.rest_bits - 1)]) {
            let expected = codes.binary_search(&wanted).ok().map(|index| index as u64);
            assert_eq!(level.find_in(level.bucket(wanted).unwrap(), wanted), Ok(expected));
        }
        for (first, end, most) in [(0, size.count, usize::MAX), (size.count / 3, size.count / 2, 10)] {
            let (mut cursor, mut read, mut some) = (level.cursor(first), Vec::<W>::new(), Vec::new());
            loop {
                level.read(&mut cursor, end, most, &mut some);
                if some.is_empty() {
                    break;
                }
                assert!(some.len() <= most);
                read.extend(&some);
            }
            let expected: Vec<W> = codes[first as usize..end as usize].iter().map(|&code| W::of(code)).collect();
            assert_eq!(read, expected);
        }
    }

    proptest! {
        #[test]
        fn keys_follow_the_format(
            cells in 1u32..=121, modes in 1u32..=40, seed: u64, size in 0u32..12, shard_bits in 0u32..=8,
        ) {
            let mut draw = fastrand::Rng::with_seed(seed);
            let all = Codes::new(cells, modes);
            let mut codes: Vec<u128> = (0..1 << size).map(|_| draw.u128(..1 << all.bits())).collect();
            codes.sort_unstable();
            codes.dedup();
            let shard_bits = shard_bits.min(all.bits());
            match all.bits() {
                ..=32 => check::<u32>(&all, &codes, shard_bits),
                33..=64 => check::<u64>(&all, &codes, shard_bits),
                _ => check::<u128>(&all, &codes, shard_bits),
            }
        }
    }
}
