//! The partition of positions among ranks, messages with their codes, level by level, and the index of the codes of a rank.

use crate::label::Width;
use crate::reachable::KeyWord;
use crate::sparse::shard::ShardCut;

impl ShardCut {
    /// The rank of `ranks` ranks that owns shard `shard`. Each rank owns a range of shards, in the order of ranks.
    pub(super) const fn owner(self, shard: usize, ranks: usize) -> usize {
        shard * ranks / self.shards()
    }

    /// The codes in `shards`, in order.
    pub(super) fn codes<P: KeyWord>(self, shards: &[Vec<P>]) -> impl Iterator<Item = P> + '_ {
        let lows = shards.iter().enumerate().flat_map(|(shard, lows)| lows.iter().map(move |&low| (shard, low)));
        lows.map(move |(shard, low)| self.code(shard, low))
    }
}

/// Bytes of a code in a message.
pub(super) const fn code_bytes<P: KeyWord>() -> usize {
    P::BITS as usize / 8
}

/// Appends `codes` to `bytes`.
pub(super) fn write_codes<P: KeyWord>(bytes: &mut Vec<u8>, codes: impl IntoIterator<Item = P>) {
    codes.into_iter().for_each(|code| bytes.extend_from_slice(&code.number().to_le_bytes()[..code_bytes::<P>()]));
}

/// The codes in `bytes`, which [`write_codes`] has written.
pub(super) fn read_codes<P: KeyWord>(bytes: &[u8]) -> impl Iterator<Item = P> + '_ {
    bytes.chunks_exact(code_bytes::<P>()).map(|code| {
        let mut number = [0; 16];
        number[..code.len()].copy_from_slice(code);
        P::of(u128::from_le_bytes(number))
    })
}

/// Appends `codes` in `level` to a message, if there are any.
pub(super) fn write_level<P: KeyWord>(message: &mut Vec<u8>, level: u32, codes: impl Iterator<Item = P>) {
    let before = message.len();
    message.extend(level.to_le_bytes());
    message.extend([0; size_of::<u32>()]);
    let start = message.len();
    write_codes(message, codes);
    let count = ((message.len() - start) / code_bytes::<P>()) as u32;
    if count == 0 {
        message.truncate(before);
    } else {
        message[start - size_of::<u32>()..start].copy_from_slice(&count.to_le_bytes());
    }
}

/// The levels that [`write_level`] has written, each with the bytes of its codes; `None` if the message is malformed.
pub(super) fn read_levels<P: KeyWord>(mut bytes: &[u8]) -> Option<Vec<(u32, &[u8])>> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let (level, rest) = bytes.split_first_chunk()?;
        let (count, rest) = rest.split_first_chunk()?;
        let length = (u32::from_le_bytes(*count) as usize).checked_mul(code_bytes::<P>())?;
        let (codes, rest) = rest.split_at_checked(length)?;
        all.push((u32::from_le_bytes(*level), codes));
        bytes = rest;
    }
    Some(all)
}

/// Bytes of a label of `width` in a message.
pub(super) const fn label_bytes(width: Width) -> usize {
    match width {
        Width::One | Width::Two | Width::Eight => 1,
        Width::Sixteen => 2,
    }
}

/// The labels of a sorted list of codes. Codes look random, so the top bits of a code say about where it lies in the list.
pub(super) struct LabelDirectory<'l, P> {
    codes: &'l [P],
    /// The labels, each with as many bytes as in a message.
    labels: Vec<u8>,
    label_bytes: usize,
    /// The number of low bits of a code that do not choose its bucket.
    below: u32,
    /// The bucket of the first code.
    first: usize,
    /// The start of each bucket, and the end of the last one.
    starts: Vec<u32>,
}

impl<'l, P: KeyWord> LabelDirectory<'l, P> {
    /// The directory of the `labels` of `codes`, each of `label_bytes` bytes, which are sorted and all owned by one of `ranks` ranks.
    pub(super) fn new(codes: &'l [P], labels: Vec<u8>, label_bytes: usize, bits: u32, ranks: usize) -> Self {
        // About four codes per bucket, if all ranks own equally many.
        let wanted = (codes.len() as u64 / 4 + 1).saturating_mul(ranks as u64).ilog2().min(bits).min(40);
        let below = bits - wanted;
        let first = codes.first().map_or(0, |code| code.above(below));
        let last = codes.last().map_or(0, |code| code.above(below));
        let mut starts = Vec::with_capacity(last - first + 2);
        for (index, code) in codes.iter().enumerate() {
            let bucket = code.above(below) - first;
            while starts.len() <= bucket {
                starts.push(index as u32);
            }
        }
        starts.push(codes.len() as u32);
        Self { codes, labels, label_bytes, below, first, starts }
    }

    /// The bytes of the label of `code`, if the code is in the list.
    pub(super) fn label(&self, code: P) -> Option<&[u8]> {
        let bucket = code.above(self.below).checked_sub(self.first)?;
        let (start, end) = (*self.starts.get(bucket)?, *self.starts.get(bucket + 1)?);
        let bucket = &self.codes[start as usize..end as usize];
        let at = bucket.iter().position(|&found| found == code)?;
        let at = (start as usize + at) * self.label_bytes;
        self.labels.get(at..at + self.label_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_own_ranges_of_codes_and_messages_survive_encoding() {
        let mut random = fastrand::Rng::with_seed(1);
        for bits in [1, 3, 20, 33, 40, 64] {
            for ranks in [1, 2, 3, 7, 64] {
                let mask = u64::MAX >> (64 - bits);
                let mut codes: Vec<u64> = (0..500).map(|_| random.u64(..) & mask).collect();
                let (first, second) = codes.split_at(200);
                let mut message = Vec::new();
                write_level(&mut message, 3, first.iter().chain(second).copied());
                write_level(&mut message, 4, std::iter::empty::<u64>());
                write_level(&mut message, 5, second.iter().copied());
                let levels = read_levels::<u64>(&message).expect("a message");
                let levels: Vec<_> =
                    levels.into_iter().map(|(level, codes)| (level, read_codes(codes).collect::<Vec<u64>>())).collect();
                assert_eq!(levels, [(3, codes.clone()), (5, second.to_vec())]);
                assert!((1..8).all(|cut| read_levels::<u64>(&message[..cut]).is_none()));
                let cut = ShardCut::new(bits, ranks);
                let owner = |code: u64| cut.owner(code.above(cut.below), ranks);
                let shards = cut.partition(codes.iter().copied());
                codes.sort_unstable_by_key(|code| code.above(cut.below));
                assert!(
                    cut.codes(&shards)
                        .map(|code| code.above(cut.below))
                        .eq(codes.iter().map(|code| code.above(cut.below)))
                );
                codes.sort_unstable();
                codes.dedup();
                assert!(codes.is_sorted_by_key(|&code| owner(code)));
                assert!(codes.iter().all(|&code| owner(code) < ranks));
                for label_bytes in [1, 2] {
                    let label = |index: usize| (index as u16 + 300).to_le_bytes()[..label_bytes].to_vec();
                    let labels = (0..codes.len()).flat_map(label).collect();
                    let directory = LabelDirectory::new(&codes, labels, label_bytes, bits, ranks);
                    for code in (0..200).map(|_| random.u64(..) & mask).chain(codes.iter().copied()) {
                        let expected = codes.binary_search(&code).ok().map(label);
                        assert_eq!(directory.label(code).map(<[u8]>::to_vec), expected);
                    }
                }
            }
        }
        assert_eq!(LabelDirectory::<u64>::new(&[], Vec::new(), 1, 9, 3).label(5), None);
    }
}
