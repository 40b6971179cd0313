//! What processes send each other: codes of positions, level by level.

use crate::reachable::KeyWord;

/// A position: its level, and its code.
pub(super) type Place<P> = (u32, P);

/// The process of `processes` whose share has `code`, of so many bits: all codes are dealt out in equal ranges, one after the other.
pub(super) fn owner<P: KeyWord>(code: P, bits: u32, processes: usize) -> usize {
    let top = code.above(bits.saturating_sub(u32::BITS)) as u64;
    ((top * processes as u64) >> bits.min(u32::BITS)) as usize
}

/// Bytes of a code as it is sent.
const fn code_bytes<P: KeyWord>() -> usize {
    P::BITS as usize / 8
}

/// Appends `codes` to `bytes`.
pub(super) fn write_codes<P: KeyWord>(bytes: &mut Vec<u8>, codes: impl IntoIterator<Item = P>) {
    codes.into_iter().for_each(|code| bytes.extend_from_slice(&code.number().to_le_bytes()[..code_bytes::<P>()]));
}

/// The codes in `bytes`.
pub(super) fn read_codes<P: KeyWord>(bytes: &[u8]) -> impl Iterator<Item = P> + '_ {
    bytes.chunks_exact(code_bytes::<P>()).map(|code| {
        let mut number = [0; 16];
        number[..code.len()].copy_from_slice(code);
        P::of(u128::from_le_bytes(number))
    })
}

/// For each process, those of `places` that are in its share: `places` are sorted, and stay so.
pub(super) fn dealt<P: KeyWord>(places: &[Place<P>], bits: u32, processes: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new(); processes];
    for of_level in places.chunk_by(|a, b| a.0 == b.0) {
        for (process, part) in of_owners(of_level, bits, processes) {
            let bytes = &mut all[process];
            bytes.extend(of_level[0].0.to_le_bytes());
            bytes.extend((part.len() as u32).to_le_bytes());
            write_codes(bytes, part.iter().map(|&(_, code)| code));
        }
    }
    all
}

/// The parts of `of_level`, sorted places of one level, that are in the share of each process: none that is empty.
pub(super) fn of_owners<P: KeyWord>(
    of_level: &[Place<P>],
    bits: u32,
    processes: usize,
) -> impl Iterator<Item = (usize, &[Place<P>])> {
    let parts = of_level.chunk_by(move |a, b| owner(a.1, bits, processes) == owner(b.1, bits, processes));
    parts.map(move |part| (owner(part[0].1, bits, processes), part))
}

/// The levels and codes that [`dealt`] wrote; `None` if they make no sense.
pub(super) fn read<P: KeyWord>(mut bytes: &[u8]) -> Option<Vec<(u32, &[u8])>> {
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

/// Where codes lie in a sorted list of them: codes look random, so that the top bits of one say about where it is.
pub(super) struct Directory<'l, P> {
    codes: &'l [P],
    /// Bits of a code below those that choose a bucket.
    below: u32,
    /// The first bucket.
    first: usize,
    /// Where each bucket begins, and where the last one ends.
    starts: Vec<u32>,
}

impl<'l, P: KeyWord> Directory<'l, P> {
    /// That of `codes`, sorted, which are the share of one of so many processes.
    pub(super) fn new(codes: &'l [P], bits: u32, processes: usize) -> Self {
        // Some four codes to a bucket.
        let wanted = (codes.len() as u64 / 4 + 1).saturating_mul(processes as u64).ilog2().min(bits).min(40);
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
        Self { codes, below, first, starts }
    }

    /// The index of `code`, if it is there.
    pub(super) fn index(&self, code: P) -> Option<usize> {
        let bucket = code.above(self.below).checked_sub(self.first)?;
        let (start, end) = (*self.starts.get(bucket)?, *self.starts.get(bucket + 1)?);
        let bucket = &self.codes[start as usize..end as usize];
        bucket.iter().position(|&found| found == code).map(|at| start as usize + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_dealt_in_ranges_and_come_back() {
        let mut random = fastrand::Rng::with_seed(1);
        for bits in [1, 3, 20, 33, 40, 64] {
            for processes in [1, 2, 3, 7, 64] {
                let mask = u64::MAX >> (64 - bits);
                let mut places: Vec<Place<u64>> = (0..500).map(|_| (random.u32(..5), random.u64(..) & mask)).collect();
                places.sort_unstable();
                places.dedup();
                let parts = dealt(&places, bits, processes);
                let mut back = Vec::new();
                for (process, part) in parts.iter().enumerate() {
                    for (level, codes) in read::<u64>(part).expect("what was written") {
                        for code in read_codes::<u64>(codes) {
                            assert_eq!(owner(code, bits, processes), process);
                            back.push((level, code));
                        }
                    }
                    assert!((1..part.len().min(8)).all(|cut| read::<u64>(&part[..cut]).is_none()));
                }
                back.sort_unstable();
                assert_eq!(back, places);
                let mut codes: Vec<u64> = places.iter().map(|&(_, code)| code).collect();
                codes.sort_unstable();
                codes.dedup();
                assert!(codes.is_sorted_by_key(|&code| owner(code, bits, processes)));
                let directory = Directory::new(&codes, bits, processes);
                for code in (0..200).map(|_| random.u64(..) & mask).chain(codes.iter().copied()) {
                    assert_eq!(directory.index(code), codes.binary_search(&code).ok());
                }
            }
        }
        assert_eq!(Directory::<u64>::new(&[], 9, 3).index(5), None);
    }
}
