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

use crate::{Direction, Meter, parallel};

/// Top bits of a large game: 256 chunks in nine levels keep a few cores busy to within a few percent, and neighbouring
/// tiles share a core's cache.
const TOP_BITS: u32 = 8;
/// The least number of other upper bits: smaller chunks would not be worth waking a thread.
const LEAST_BITS: u32 = 6;

/// Tiles of a run, after which progress is reported: a million positions of a mode, less than a millisecond.
const RUN: u64 = 128;

/// Every tile once, in chunks, in levels.
///
/// A chunk is the tiles that one thread sweeps. Moves lead to later tiles of the same chunk, or to chunks of earlier levels. The chunks of
/// a level do not depend on each other.
struct Schedule {
    /// The levels, first to last, of chunks of tiles.
    levels: Vec<Vec<Range<u64>>>,
}

/// Calls `sweep` with every tile of a board with `upper_bits` upper cells, in runs of a hundred or so tiles, on all cores of the current
/// rayon pool. Progress counts `positions` positions a tile. Returns early if `meter` stops.
///
/// - Up: the tiles with fewer cells filled are finished before, or come first in the run.
/// - Down: the tiles with more cells filled are finished before, or come last in the run, which is swept last tile first.
///
/// No tile is in two runs.
pub(super) fn each_run(
    upper_bits: u32,
    direction: Direction,
    positions: u64,
    meter: &Meter<'_>,
    sweep: impl Fn(Range<u64>) + Sync,
) -> ControlFlow<()> {
    Schedule::new(upper_bits).run(direction, |chunk| {
        runs(chunk, direction).try_for_each(|tiles| {
            let count = tiles.end - tiles.start;
            sweep(tiles);
            meter.add(count * positions)
        })
    })
}

/// The tiles of a chunk in runs, the first run first or the last one.
fn runs(chunk: &Range<u64>, direction: Direction) -> impl Iterator<Item = Range<u64>> {
    let Range { start, end } = *chunk;
    let runs = (end - start).div_ceil(RUN);
    (0..runs).map(move |number| {
        let first = start + RUN * if direction == Direction::Up { number } else { runs - 1 - number };
        first..end.min(first + RUN)
    })
}

impl Schedule {
    /// The schedule of a board with `upper_bits` upper cells, which has 2^`upper_bits` tiles.
    fn new(upper_bits: u32) -> Self {
        let top_bits = upper_bits.saturating_sub(LEAST_BITS).min(TOP_BITS);
        let tiles = 1u64 << (upper_bits - top_bits);
        let chunk = |top: u64| top * tiles..(top + 1) * tiles;
        let level = |filled| (0..1 << top_bits).filter(|top: &u64| top.count_ones() == filled).map(chunk).collect();
        Self { levels: (0..=top_bits).rev().map(level).collect() }
    }

    /// Calls `sweep` with each chunk, level by level, on all cores of the current rayon pool. Returns early if `sweep`
    /// breaks.
    fn run(&self, direction: Direction, sweep: impl Fn(&Range<u64>) -> ControlFlow<()> + Sync) -> ControlFlow<()> {
        let levels = self.levels.len();
        (0..levels).try_for_each(|number| {
            let level = &self.levels[if direction == Direction::Down { number } else { levels - 1 - number }];
            parallel::each_below(level.len(), &|number| sweep(&level[number]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_once() {
        for upper_bits in 0..=20 {
            let mut chunks: Vec<Range<u64>> = Schedule::new(upper_bits).levels.concat();
            chunks.sort_by_key(|chunk| chunk.start);
            let end = chunks.iter().fold(0, |end, chunk| {
                assert_eq!(chunk.start, end);
                chunk.end
            });
            assert_eq!(end, 1 << upper_bits);
        }
    }

    /// A move fills upper cells, one or more: filling one of them is enough to try.
    #[test]
    fn a_move_leads_to_a_later_tile_of_its_chunk_or_to_an_earlier_level() {
        let upper_bits = 12;
        let levels = Schedule::new(upper_bits).levels;
        let level_of = |tile| levels.iter().position(|level| level.iter().any(|chunk| chunk.contains(&tile)));
        for (number, level) in levels.iter().enumerate() {
            for chunk in level {
                for tile in chunk.clone() {
                    for successor in (0..upper_bits).map(|cell| tile | 1 << cell).filter(|&next| next != tile) {
                        let is_later = successor > tile && chunk.contains(&successor);
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
            let flow = schedule.run(Direction::Down, |chunk| {
                seen.lock().unwrap().push(chunk.start);
                if chunk.start == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
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
