//! Which boards play reaches: one ascending sweep over the planes that the descending one labels.
//!
//! A board is reached if it is a start or if a move leads to it from a reached board on which the game goes on. All boards
//! that a move comes from have smaller numbers, so that blocks are marked from the empty board up, each once, from what is
//! already known of smaller ones.
//!
//! - `plan`: the moves, by where they lead. `kernel`: blocks of 512 boards.

mod kernel;
mod plan;

use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};

use super::block::{BLOCKS, Block, LOW, TILE};
use super::op::Op;
use super::part::Part;
use super::plan::EndOp;
use super::schedule::Schedule;
use crate::solve::progress::Meter;
use crate::solve::simd::VectorUnit;

use kernel::MarkTiles;
pub(super) use plan::MarkPlan;

/// The planes being marked, shared by all threads.
///
/// A tile is written by one thread, and read by others only after that thread has finished it: what `unsafe` in this
/// module is about. [`mark`] sees to it.
pub(super) struct Marks<'a> {
    plan: &'a MarkPlan,
    /// Where play is followed from: index and mode, by index.
    starts: &'a [(u64, u16)],
    /// The first block of the first mode's plane of what play reaches.
    reached: *mut Block,
    /// Of what play reaches and goes on from: kept where the wins will be, and what play reaches where no pattern ends the
    /// game.
    ongoing: *mut Block,
    /// Blocks of a plane.
    plane_blocks: usize,
    /// Blocks from one mode's plane of `ongoing` to the next one's.
    ongoing_blocks: usize,
    /// Where the planes lie that an operation reads, by [`Op::base`]: that of each mode of `ongoing`, then of what play goes on from
    /// in each other slice that moves come from.
    bases: Vec<*const Block>,
    memory: PhantomData<&'a mut [Block]>,
}

// SAFETY: threads share the planes as `MarkTiles::new` demands: a tile is written by one thread, and read by others only
// after that thread has finished it.
unsafe impl Sync for Marks<'_> {}

impl<'a> Marks<'a> {
    /// Marks in `reached`, with what play goes on from in `ongoing`: both are zero. The latter may be the planes of outcomes, which
    /// are not labelled yet, and is used only if the game [ends](MarkPlan::has_ends) somewhere. Play also comes from `others`, what
    /// it goes on from in other slices that are marked. Its `starts` are pairs of index and mode, sorted.
    ///
    /// # Panics
    /// If there are not as many blocks as `plan` needs.
    pub(super) fn new(
        plan: &'a MarkPlan,
        starts: &'a [(u64, u16)],
        reached: &'a mut [Block],
        ongoing: &'a mut [Block],
        others: &[&'a [Block]],
    ) -> Self {
        let (plane_blocks, modes) = (BLOCKS << plan.upper_bits, plan.modes.len());
        let whole = modes * plane_blocks;
        assert!(reached.len() == whole && others.iter().all(|other| other.len() == whole), "all planes of marks");
        assert!(!plan.has_ends() || ongoing.len().is_multiple_of(whole) && !ongoing.is_empty(), "all planes of marks");
        let reached = reached.as_mut_ptr();
        let (ongoing, ongoing_blocks) =
            if plan.has_ends() { (ongoing.as_mut_ptr(), ongoing.len() / modes) } else { (reached, plane_blocks) };
        let of = |first: *const Block, step| (0..modes).map(move |mode| first.wrapping_add(mode * step));
        let bases = of(ongoing, ongoing_blocks).chain(others.iter().flat_map(|other| of(other.as_ptr(), plane_blocks)));
        Self {
            plan,
            starts,
            reached,
            ongoing,
            plane_blocks,
            ongoing_blocks,
            bases: bases.collect(),
            memory: PhantomData,
        }
    }

    /// The starts in `tile`.
    fn starts_in(&self, tile: u64) -> &[(u64, u16)] {
        let first = self.starts.partition_point(|&(index, _)| index >> TILE < tile);
        let here = self.starts[first..].partition_point(|&(index, _)| index >> TILE == tile);
        &self.starts[first..first + here]
    }

    /// The first block of `tile` among what play of `mode` reaches.
    #[inline(always)]
    fn reached_of(&self, mode: usize, tile: u64) -> *mut Block {
        self.reached.wrapping_add(mode * self.plane_blocks + tile as usize * BLOCKS)
    }

    /// The first block of `tile` among what `op` comes from.
    #[inline(always)]
    fn came_from(&self, op: &Op, tile: u64) -> *const Block {
        self.bases[op.base as usize].wrapping_add(tile as usize * BLOCKS)
    }

    /// The first block of `tile` among what play of `mode` goes on from.
    #[inline(always)]
    fn ongoing_of(&self, mode: usize, tile: u64) -> *mut Block {
        self.ongoing.wrapping_add(mode * self.ongoing_blocks + tile as usize * BLOCKS)
    }
}

/// Unmarks the boards of `part` on which a pattern has ended the game: what is left of what play reaches is what it goes on from.
pub(super) fn clear_ended(part: &Part, marks: &mut [Block]) {
    let modes = usize::from(part.modes);
    for (mode, plane) in marks.chunks_mut((marks.len() / modes).max(1)).enumerate() {
        let ends: Vec<EndOp> = part.ends_of(mode as u16).map(EndOp::new).collect();
        for (number, block) in plane.iter_mut().enumerate() {
            let (tile, number) = ((number / BLOCKS) as u64, number % BLOCKS);
            for end in ends.iter().filter(|end| end.is_met(tile, number)) {
                block.0.iter_mut().zip(end.mask.0).for_each(|(word, over)| *word &= !over);
            }
        }
    }
}

/// Marks every board that play reaches, on all cores of the current rayon pool. Progress counts positions.
pub(super) fn mark(marks: &Marks<'_>, unit: VectorUnit, meter: &Meter<'_>) -> ControlFlow<()> {
    let positions_of_a_tile = (marks.plan.modes.len() as u64) << TILE;
    Schedule::new(marks.plan.upper_bits).run_up(|chunk| {
        chunk.pieces_up().try_for_each(|tiles: Range<u64>| {
            let positions = (tiles.end - tiles.start) * positions_of_a_tile;
            // SAFETY: a move comes from a tile of an earlier level, all of which are finished; or from one of this chunk,
            // which is one of these tiles, or of a piece before. The schedule has each tile once, so that no other thread
            // touches these.
            unit.run(unsafe { MarkTiles::new(marks, tiles) });
            meter.add(positions)
        })
    })
}

/// The block of its tile that index `index` lies in, and its bit there.
const fn block_of(index: u64) -> (usize, u64) {
    ((index >> LOW) as usize & (BLOCKS - 1), index & ((1 << LOW) - 1))
}
