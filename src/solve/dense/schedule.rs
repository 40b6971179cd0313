//! Which thread sweeps what, and when.
//!
//! The tiles are cut into chunks by the top bits of their number. A move out of a chunk fills one of its top cells at
//! least, so chunks with equally many top cells filled do not depend on each other: they are swept in parallel, level
//! by level from the chunk with all of them filled down to the one with none.
//!
//! ```text
//! three top bits:      111  |  110 101 011  |  100 010 001  |  000
//!                     level 3      2               1             0
//! ```

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::SolveError;
use super::kernel::Kernel;
use super::memory::Memory;
use super::plan::{Block, Plan, TILE};
use super::sweep::Sweep;
use crate::plane::Shape;
use crate::rules::Rules;

/// Top bits that number the chunks of a large game: 256 chunks in nine levels keep a few cores busy to within some
/// percent, and are large enough to stay in a core's cache.
const TOP_BITS: u32 = 8;
/// Upper bits that a chunk has at least: smaller ones would not pay the waking of a thread.
const LEAST_BITS: u32 = 6;

/// Labels every position of `rules`, whose boards are indices, and tells how long the sweep took.
pub(super) fn solve(
    rules: &Rules,
    kernel: Kernel,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(Memory, Duration), SolveError> {
    let plan = Plan::new(rules);
    let shape = Shape::of(rules);
    if rules.cells() >= TILE {
        let mut memory = Memory::new(shape)?;
        let time = sweep(&plan, kernel, memory.blocks_mut(), progress);
        return Ok((memory, time));
    }
    // A board smaller than a tile is swept as a tile whose other cells no move names, and the first of its copies kept.
    let mut tile = Memory::new(Shape::new(TILE, shape.modes(), shape.width()))?;
    let time = sweep(&plan, kernel, tile.blocks_mut(), &|_| {});
    progress(rules.positions() as u64);
    let mut memory = Memory::new(shape)?;
    let wide = tile.bytes().len() / shape.planes() as usize;
    let narrow = shape.plane_bytes().unwrap_or_default() as usize;
    for (to, from) in memory.bytes_mut().chunks_mut(narrow).zip(tile.bytes().chunks(wide)) {
        to.copy_from_slice(&from[..narrow]);
        clear_from(to, 1 << rules.cells());
    }
    Ok((memory, time))
}

/// Clears bit `first` and all behind it.
fn clear_from(bytes: &mut [u8], first: usize) {
    for (number, byte) in bytes.iter_mut().enumerate() {
        let kept = first.saturating_sub(number * 8).min(8) as u32;
        *byte &= ((1u16 << kept) - 1) as u8;
    }
}

fn sweep(plan: &Plan, kernel: Kernel, memory: &mut [Block], progress: &(dyn Fn(u64) + Sync)) -> Duration {
    let begin = Instant::now();
    let run = kernel.run();
    let sweep = Sweep::new(plan, memory);
    let top_bits = plan.upper_bits.saturating_sub(LEAST_BITS).min(TOP_BITS);
    let tiles = 1u64 << (plan.upper_bits - top_bits);
    let chunk = |top: u64| {
        // SAFETY: the caller of `run` is sure of the processor: `Kernel::checked` was asked. A move out of a tile leads
        // to a later one of the same chunk, finished by this very run, or to a chunk with more top cells filled: those
        // belong to an earlier level, which is over. A chunk is swept once, so no other thread touches its tiles.
        unsafe { run(&sweep, top * tiles, (top + 1) * tiles) };
        progress((tiles << TILE) * plan.modes.len() as u64);
    };
    for level in (0..=top_bits).rev() {
        let chunks: Vec<u64> = (0..1 << top_bits).filter(|top: &u64| top.count_ones() == level).collect();
        match chunks.as_slice() {
            // Nothing to share: a small game is swept without waking a thread.
            &[only] => chunk(only),
            chunks => chunks.par_iter().with_max_len(1).for_each(|&top| chunk(top)),
        }
    }
    begin.elapsed()
}
