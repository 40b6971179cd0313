//! Regions on the way from one process to the others.

use crate::reachable::Word;
use crate::solve::sparse::part::Part;
use crate::solve::sparse::regions::Region;

impl<W: Word> Part<W> {
    /// What others are told of it: the number of regions, of each its top and where play has ended and it ends; and of each key the bytes of
    /// its low bits.
    pub(super) fn bytes_of(&self, low_bits: u32) -> Vec<u8> {
        let (word, low) = (size_of::<W>(), low_bytes(low_bits));
        let head = 8 + self.regions.len() * (word + 8);
        // A key is written as a whole, and the next one over what it has too much.
        let mut bytes = Vec::with_capacity(head + self.items.len() * low + 16);
        bytes.extend((self.regions.len() as u64).to_le_bytes());
        for region in &self.regions {
            bytes.extend(&region.top.number().to_le_bytes()[..word]);
            bytes.extend(((region.live - region.start) as u32).to_le_bytes());
            bytes.extend(((region.end - region.start) as u32).to_le_bytes());
        }
        for &key in &self.items {
            let below = key.below(low_bits);
            if low <= 8 {
                bytes.extend(below.low().to_le_bytes());
                bytes.truncate(bytes.len() - (8 - low));
            } else {
                bytes.extend(&below.number().to_le_bytes()[..low]);
            }
        }
        bytes
    }

    /// What [`bytes_of`](Self::bytes_of) wrote; `None` if it makes no sense.
    pub(super) fn read(bytes: &[u8], low_bits: u32) -> Option<Self> {
        let (word, low) = (size_of::<W>(), low_bytes(low_bits));
        let number = |bytes: &[u8]| {
            let mut whole = [0; 16];
            whole[..bytes.len()].copy_from_slice(bytes);
            W::of(u128::from_le_bytes(whole))
        };
        let (count, rest) = bytes.split_first_chunk()?;
        let head = (u64::from_le_bytes(*count) as usize).checked_mul(word + 8)?;
        let (heads, lows) = rest.split_at_checked(head)?;
        let mut part = Self { items: Vec::with_capacity(lows.len() / low), regions: Vec::new() };
        let mut rest = lows;
        for head in heads.chunks_exact(word + 8) {
            let top = number(&head[..word]);
            let (live, end) = head[word..].split_first_chunk()?;
            let (live, end) = (u32::from_le_bytes(*live) as usize, u32::from_le_bytes(*end.first_chunk()?) as usize);
            let (here, after) = rest.split_at_checked(end.checked_mul(low)?)?;
            rest = after;
            let start = part.items.len();
            part.items.extend(here.chunks_exact(low).map(|bytes| number(bytes) | top));
            part.regions.push(Region { top, start, live: start + live, end: start + end });
        }
        rest.is_empty().then_some(part)
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
            fn check<W: Word + std::fmt::Debug>(draw: &mut fastrand::Rng, low_bits: u32) {
                let low_bits = low_bits.min(W::BITS - 8);
                let (mut keys, mut regions) = (Vec::new(), Vec::new());
                for number in 0..draw.usize(..9) {
                    let top = W::raised(3 * number, low_bits);
                    let start = keys.len();
                    keys.extend((0..draw.usize(1..20)).map(|_| W::of(draw.u128(..)).below(low_bits) | top));
                    regions.push(Region { top, start, live: draw.usize(start..=keys.len()), end: keys.len() });
                }
                let part = Part { items: keys, regions };
                let bytes = part.bytes_of(low_bits);
                let read = Part::<W>::read(&bytes, low_bits).expect("what was written");
                assert_eq!((&read.items, &read.regions), (&part.items, &part.regions));
                assert!((0..bytes.len()).all(|length| Part::<W>::read(&bytes[..length], low_bits).is_none()));
            }
            let mut draw = fastrand::Rng::with_seed(seed);
            if is_wide { check::<u128>(&mut draw, low_bits) } else { check::<u64>(&mut draw, low_bits) }
        }
    }
}
