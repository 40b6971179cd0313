//! Regions on the way from one process to the others.

use std::ops::Range;
use std::sync::Arc;

use crate::reachable::KeyWord;
use crate::solve::sparse::part::{Items, Part, Piece};
use crate::solve::sparse::regions::Region;

/// What others are told of a part: the number of regions, of each its top and where play has ended and it ends; and of each key the bytes
/// of its low bits.
pub(super) fn bytes_of<W: KeyWord>(part: &Part<W>, low_bits: u32) -> Vec<u8> {
    let low = low_bytes(low_bits);
    let mut bytes = heads_of(&part.regions);
    let head = bytes.len();
    let length = head + part.items.len() * low;
    // A key is written as a whole, and the next one over what it has too much.
    bytes.resize(length + size_of::<u128>(), 0);
    let mut at = head;
    for &key in &part.items {
        let below = key.below(low_bits);
        if low <= size_of::<u64>() {
            bytes[at..at + size_of::<u64>()].copy_from_slice(&below.low().to_le_bytes());
        } else {
            bytes[at..at + size_of::<u128>()].copy_from_slice(&below.number().to_le_bytes());
        }
        at += low;
    }
    bytes.truncate(length);
    bytes
}

/// How many positions regions from zero on have.
pub(super) fn count_of<W>(regions: &[Region<W>]) -> usize {
    regions.last().map_or(0, |region| region.end)
}

/// The number of regions that follow one another, and of each its top, how many of its positions play goes on from, and how many it has.
pub(super) fn heads_of<'r, W: KeyWord>(regions: impl IntoIterator<Item = &'r Region<W>>) -> Vec<u8> {
    let mut bytes = vec![0; size_of::<u64>()];
    let mut count = 0u64;
    for region in regions {
        bytes.extend_from_slice(&region.top.number().to_le_bytes()[..size_of::<W>()]);
        for end in [region.live - region.start, region.end - region.start] {
            bytes.extend((end as u32).to_le_bytes());
        }
        count += 1;
    }
    bytes[..size_of::<u64>()].copy_from_slice(&count.to_le_bytes());
    bytes
}

/// The regions that [`heads_of`] wrote, from zero on, and what is behind them; `None` if it makes no sense.
pub(super) fn heads_in<W: KeyWord>(bytes: &[u8]) -> Option<(Vec<Region<W>>, &[u8])> {
    let word = size_of::<W>();
    let (count, rest) = bytes.split_first_chunk()?;
    let (heads, rest) = rest.split_at_checked((u64::from_le_bytes(*count) as usize).checked_mul(word + 8)?)?;
    let (mut regions, mut start) = (Vec::with_capacity(heads.len() / (word + 8)), 0);
    for head in heads.chunks_exact(word + 8) {
        let mut top = [0; 16];
        top[..word].copy_from_slice(&head[..word]);
        let (live, end) = head[word..].split_first_chunk()?;
        let [live, end] = [*live, *end.first_chunk()?].map(|number| u32::from_le_bytes(number) as usize);
        let end = start + end;
        regions.push(Region { top: W::of(u128::from_le_bytes(top)), start, live: start + live, end });
        start = end;
    }
    Some((regions, rest))
}

/// What [`bytes_of`] wrote from `at` on, which is moved behind it; `None` if it makes no sense.
pub(super) fn read<W: KeyWord>(message: &Arc<Vec<u8>>, at: &mut usize, low_bits: u32) -> Option<Piece<W>> {
    let low = low_bytes(low_bits);
    let (regions, lows) = heads_in(message.get(*at..)?)?;
    let start = count_of(&regions);
    let length = start.checked_mul(low).filter(|&length| length <= lows.len())?;
    let first = message.len() - lows.len();
    *at = first + length;
    let (message, of) = (Arc::clone(message), regions.clone());
    let write = move |room: &mut [W]| write(&message, first..first + length, low, &of, room);
    Some(Piece { regions, positions: start as u64, items: Items::Told { count: start, write: Box::new(write) } })
}

/// Writes the keys of `regions`, whose low bits are so many bytes each, from `lows` on in a message.
fn write<W: KeyWord>(message: &[u8], lows: Range<usize>, low: usize, regions: &[Region<W>], room: &mut [W]) {
    let below = if low < size_of::<u64>() { (1 << (8 * low)) - 1 } else { u64::MAX };
    for region in regions {
        let lows = lows.start + region.start * low..;
        for (key, at) in room[region.start..region.end].iter_mut().zip(lows.step_by(low)) {
            // As a whole, where there is so much; what it has too much is the next one's.
            *key = region.top
                | match message.get(at..at + size_of::<u64>()).and_then(<[u8]>::first_chunk) {
                    Some(whole) if low <= size_of::<u64>() => W::of((u64::from_le_bytes(*whole) & below).into()),
                    _ => {
                        let mut whole = [0; 16];
                        whole[..low].copy_from_slice(&message[at..at + low]);
                        W::of(u128::from_le_bytes(whole))
                    }
                };
        }
    }
}

/// Bytes of the low bits of a key: one at least.
fn low_bytes(low_bits: u32) -> usize {
    low_bits.div_ceil(8).max(1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_come_back(seed: u64, low_bits in 0u32..=64, is_wide: bool) {
            fn check<W: KeyWord + std::fmt::Debug>(draw: &mut fastrand::Rng, low_bits: u32) {
                let low_bits = low_bits.min(W::BITS - 8);
                let (mut keys, mut regions) = (Vec::new(), Vec::new());
                for number in 0..draw.usize(..9) {
                    let top = W::raised(3 * number, low_bits);
                    let start = keys.len();
                    keys.extend((0..draw.usize(1..20)).map(|_| W::of(draw.u128(..)).below(low_bits) | top));
                    regions.push(Region { top, start, live: draw.usize(start..=keys.len()), end: keys.len() });
                }
                let part = Part { items: keys, regions };
                let bytes = bytes_of(&part, low_bits);
                // Another part before it, and another one behind it.
                let all = [&bytes[..], &bytes[..], &[0; 8]].concat();
                let (message, mut at) = (Arc::new(all), bytes.len());
                let piece = read::<W>(&message, &mut at, low_bits).expect("what was written");
                let mut items = vec![W::default(); part.items.len()];
                assert_eq!((at, &piece.regions, piece.positions), (2 * bytes.len(), &part.regions, items.len() as u64));
                piece.items.write(&mut items);
                assert_eq!(items, part.items);
                for length in 0..bytes.len() {
                    assert!(read::<W>(&Arc::new(bytes[..length].to_vec()), &mut 0, low_bits).is_none());
                }
                let alone = read::<W>(&Arc::new(bytes), &mut 0, low_bits).expect("what was written");
                alone.items.write(&mut items);
                assert_eq!(items, part.items);
            }
            let mut draw = fastrand::Rng::with_seed(seed);
            if is_wide { check::<u128>(&mut draw, low_bits) } else { check::<u64>(&mut draw, low_bits) }
        }
    }
}
