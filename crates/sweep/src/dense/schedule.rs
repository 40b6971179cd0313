//! The order in which tiles are swept, and which of them may be swept in parallel.
//!
//! The top bits of a tile's number name its chunk. A move out of a chunk fills at least one of these top cells. So
//! chunks with equally many top cells filled do not depend on each other: they form a level and are swept in parallel.
//! Levels follow each other from all top cells filled down to none.
//!
//! ```text
//! three top bits:      111  |  110 101 011  |  100 010 001  |  000
//!                     first level                           last level
//! ```

use std::ops::{ControlFlow, Range};

use crate::parallel;

/// Top bits of a large game: 256 chunks in nine levels keep a few cores busy to within a few percent, and neighbouring
/// tiles share a core's cache.
const TOP_BITS: u32 = 8;
/// The least number of other upper bits: smaller chunks would not be worth waking a thread.
const LEAST_BITS: u32 = 6;

/// Tiles between two progress reports: a million positions of a mode, less than a millisecond.
const PIECE: u64 = 128;

/// Tiles that one thread sweeps, last first. Moves lead to later tiles of the same chunk, or to chunks of earlier levels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Chunk {
    /// The numbers of the tiles.
    pub(super) tiles: Range<u64>,
}

/// Every tile once, in chunks, in levels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Schedule {
    /// The levels, first to last. The chunks of a level do not depend on each other.
    pub(super) levels: Vec<Vec<Chunk>>,
}

impl Chunk {
    /// The tiles in runs of a hundred or so, the last run first.
    pub(super) fn pieces(&self) -> impl Iterator<Item = Range<u64>> {
        let Range { start, end } = self.tiles;
        let pieces = (end - start).div_ceil(PIECE);
        (0..pieces).rev().map(move |piece| start + piece * PIECE..end.min(start + (piece + 1) * PIECE))
    }
}

impl Chunk {
    /// The tiles in runs of a hundred or so, the first run first.
    pub(super) fn pieces_up(&self) -> impl Iterator<Item = Range<u64>> {
        let Range { start, end } = self.tiles;
        (start..end).step_by(PIECE as usize).map(move |first| first..end.min(first + PIECE))
    }
}

impl Schedule {
    /// The schedule of a board with `upper_bits` upper cells, which has 2^`upper_bits` tiles.
    pub(super) fn new(upper_bits: u32) -> Self {
        let top_bits = upper_bits.saturating_sub(LEAST_BITS).min(TOP_BITS);
        let tiles = 1u64 << (upper_bits - top_bits);
        let chunk = |top: u64| Chunk { tiles: top * tiles..(top + 1) * tiles };
        let level = |filled| (0..1 << top_bits).filter(|top: &u64| top.count_ones() == filled).map(chunk).collect();
        Self { levels: (0..=top_bits).rev().map(level).collect() }
    }

    /// Calls `sweep` with each chunk, level by level, on all cores of the current rayon pool. Returns early if `sweep`
    /// breaks.
    pub(super) fn run(&self, sweep: impl Fn(&Chunk) -> ControlFlow<()> + Sync) -> ControlFlow<()> {
        self.levels.iter().try_for_each(|level| Self::level(level, &sweep))
    }

    /// As [`run`](Self::run), the last level first: predecessors before successors.
    pub(super) fn run_up(&self, sweep: impl Fn(&Chunk) -> ControlFlow<()> + Sync) -> ControlFlow<()> {
        self.levels.iter().rev().try_for_each(|level| Self::level(level, &sweep))
    }

    fn level(level: &[Chunk], sweep: &(impl Fn(&Chunk) -> ControlFlow<()> + Sync)) -> ControlFlow<()> {
        parallel::each_below(level.len(), &|number| sweep(&level[number]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_once() {
        for upper_bits in 0..=20 {
            let mut chunks: Vec<Chunk> = Schedule::new(upper_bits).levels.concat();
            chunks.sort_by_key(|chunk| chunk.tiles.start);
            let end = chunks.iter().fold(0, |end, chunk| {
                assert_eq!(chunk.tiles.start, end);
                chunk.tiles.end
            });
            assert_eq!(end, 1 << upper_bits);
        }
    }

    /// A move fills upper cells, one or more: filling one of them is enough to try.
    #[test]
    fn a_move_leads_to_a_later_tile_of_its_chunk_or_to_an_earlier_level() {
        let upper_bits = 12;
        let levels = Schedule::new(upper_bits).levels;
        let level_of = |tile| levels.iter().position(|level| level.iter().any(|chunk| chunk.tiles.contains(&tile)));
        for (number, level) in levels.iter().enumerate() {
            for chunk in level {
                for tile in chunk.tiles.clone() {
                    for successor in (0..upper_bits).map(|cell| tile | 1 << cell).filter(|&next| next != tile) {
                        let is_later = successor > tile && chunk.tiles.contains(&successor);
                        assert!(is_later || level_of(successor) < Some(number), "{tile} to {successor}");
                    }
                }
            }
        }
    }

    #[test]
    fn levels_are_run_in_order_until_one_breaks() {
        use std::sync::Mutex;
        let schedule = Schedule::new(9);
        let run = |last: u64| {
            let seen = Mutex::new(Vec::new());
            let flow = schedule.run(|chunk| {
                seen.lock().unwrap().push(chunk.tiles.start);
                if chunk.tiles.start == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            (flow.is_break(), seen.into_inner().unwrap())
        };
        let (is_cancelled, seen) = run(u64::MAX);
        assert!(!is_cancelled && seen.len() == 8);
        assert!(seen.is_sorted_by_key(|start| std::cmp::Reverse((start / 64).count_ones())));
        assert_eq!(run(7 * 64), (true, vec![7 * 64]));
        assert!(!run(3 * 64).1.contains(&0));
    }
}
