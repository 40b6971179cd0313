//! The order in which the blocks of a section are compressed and written.
//!
//! A sweep goes from the last position down to the first, in all bit planes at once. So blocks of labels are written
//! from last to first, with blocks at the same place of all bit planes together. Reachability is computed upward, so
//! its blocks are written from first to last. A block is written when its last byte is known, so a table written while
//! it is solved equals one written afterwards, wherever slices begin.
//!
//! ```text
//! section   | plane 0           | plane 1           |
//! blocks    |  0  |  1  |  2  |  3  |  4  |  5  | 6 |      swept downwards: 6 2 5 1 4 0 3
//! ```
//!
//! Block 2 is swept after block 6, because block 2 begins farther from the end of its bit plane. Block 3 has the first
//! bytes of plane 1.

use std::cmp::Reverse;
use std::ops::Range;

/// Bytes of each bit plane whose blocks are sorted together.
const WINDOW: u64 = 64 << 20;

/// A section of equal bit planes, which are swept at the same time, cut into blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BlockOrder {
    /// The number of bit planes.
    pub(super) planes: u64,
    /// Bytes of a bit plane.
    pub(super) plane: u64,
    /// Bytes of the section: all bit planes, and padding in the last block that is shorter than a block.
    pub(super) bytes: u64,
    /// True if bit planes are swept from the first byte to the last.
    pub(super) ascends: bool,
    /// Bytes of a block; the last may be shorter.
    pub(super) block: u64,
}

impl BlockOrder {
    /// The range of a block in the section.
    pub(super) fn range(&self, number: u64) -> Range<u64> {
        number * self.block..((number + 1) * self.block).min(self.bytes)
    }

    /// The place, within its bit plane, of the byte of a block that is swept last.
    pub(super) fn key(&self, number: u64) -> u64 {
        let Range { start, end } = self.range(number);
        let last = end.min(self.planes * self.plane) - 1;
        match (start / self.plane == last / self.plane, self.ascends) {
            (true, false) => start % self.plane,
            (true, true) => last % self.plane,
            // The block has the first byte of a bit plane and the last of the plane before.
            (false, false) => 0,
            (false, true) => self.plane - 1,
        }
    }

    /// The blocks that are completed by sweeping the range `place` of all bit planes, in order.
    pub(super) fn within(&self, place: Range<u64>) -> Vec<u64> {
        if place.is_empty() {
            return Vec::new();
        }
        let of_plane = |plane: u64| {
            let (first, end) = (plane * self.plane + place.start, plane * self.plane + place.end);
            // Add the block in which this bit plane ends and the next begins.
            let joint = ((plane + 1) * self.plane).min(self.bytes - 1) / self.block;
            (first / self.block..end.div_ceil(self.block)).chain([joint])
        };
        let all = (0..self.planes).flat_map(of_plane);
        let mut keys: Vec<(u64, u64)> = all.map(|number| (self.key(number), number)).collect();
        keys.retain(|(key, _)| place.contains(key));
        if self.ascends {
            keys.sort_unstable();
        } else {
            keys.sort_unstable_by_key(|&(key, number)| (Reverse(key), number));
        }
        keys.dedup();
        keys.into_iter().map(|(_, number)| number).collect()
    }

    /// All blocks, in order.
    pub(super) fn all(self) -> impl Iterator<Item = u64> {
        let windows = self.plane.div_ceil(WINDOW);
        let number = move |number: u64| if self.ascends { number } else { windows - 1 - number };
        let window = move |number: u64| number * WINDOW..((number + 1) * WINDOW).min(self.plane);
        (0..windows).flat_map(move |at| self.within(window(number(at))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(planes: u64, plane: u64, padding: u64, ascends: bool) -> BlockOrder {
        BlockOrder { planes, plane, bytes: planes * plane + padding, ascends, block: 4 }
    }

    #[test]
    fn blocks_of_all_planes_are_written_together() {
        let all = |planes, plane, ascends| order(planes, plane, 0, ascends).all().collect::<Vec<u64>>();
        assert_eq!(all(1, 16, false), [3, 2, 1, 0]);
        assert_eq!(all(2, 12, false), [2, 5, 1, 4, 0, 3]);
        assert_eq!(all(2, 12, true), [0, 3, 1, 4, 2, 5]);
        // The example in the module documentation.
        assert_eq!(all(2, 13, false), [6, 2, 5, 1, 4, 0, 3]);
        // Several planes in a block.
        assert_eq!((all(3, 2, false), all(3, 1, true), all(1, 3, false)), (vec![0, 1], vec![0], vec![0]));
    }

    /// However bit planes are cut, each block is written exactly once, when its last byte is known.
    #[test]
    fn blocks_are_written_when_complete() {
        let mut random = fastrand::Rng::with_seed(16);
        for _ in 0..500 {
            let (planes, plane, ascends) = (random.u64(1..5), random.u64(1..60), random.bool());
            let padding = if (planes * plane).is_multiple_of(4) { 0 } else { random.u64(..4 - planes * plane % 4 + 1) };
            let order = order(planes, plane, padding, ascends);
            let mut cuts: Vec<u64> = (0..random.usize(..6)).map(|_| random.u64(..=plane)).chain([0, plane]).collect();
            cuts.sort_unstable();
            let mut slices: Vec<Range<u64>> = cuts.windows(2).map(|cut| cut[0]..cut[1]).collect();
            if !ascends {
                slices.reverse();
            }
            let mut known = vec![false; order.bytes as usize];
            known[(planes * plane) as usize..].fill(true);
            let (mut written, blocks) = (Vec::new(), order.bytes.div_ceil(4));
            for slice in slices {
                for number in 0..planes {
                    let at = number * plane;
                    known[(at + slice.start) as usize..(at + slice.end) as usize].fill(true);
                }
                written.extend(order.within(slice));
                for number in 0..blocks {
                    let range = order.range(number);
                    let is_known = known[range.start as usize..range.end as usize].iter().all(|&known| known);
                    assert_eq!(written.contains(&number), is_known, "{order:?} {number} {written:?}");
                }
            }
            assert_eq!(written, order.all().collect::<Vec<u64>>(), "{order:?}");
            assert_eq!(written.len() as u64, blocks);
        }
    }
}
