//! The backward pass over blocks: as [`super::super::label`], for all positions of a block at once.

use super::super::classes::{Class, Classes};
use super::super::cost::{SoFar, span};
use super::super::item::split;
use super::super::level_sort::{LabelledLevel, sort_level};
use super::super::regions::{Level, Region, keep, tasks};
use super::layout::InnerMoves;
use super::table::{BlockOutcomes, Tables};
use super::*;
use crate::label::{Width, add_each};
use crate::parallel;
use crate::{Meter, Phase, go_on};

/// Approximate number of blocks that one task labels, and number of blocks that one task sorts.
const TASK: usize = 1 << 12;

/// The positions to label.
pub(super) struct FoundBlocks<'a> {
    pub(super) rules: &'a Rules,
    pub(super) layout: &'a Layout,
    pub(super) low_bits: u32,
    pub(super) levels: &'a Levels,
}

/// Writes the outcomes of the positions of `levels` to `columns`, and returns their counts, mode by mode. Each labelled
/// level is dropped. `N` is the number of bit planes: 1 if the rules have no draws, else 2.
pub(super) fn pass<const N: usize>(
    found: &FoundBlocks<'_>,
    levels: &mut [Option<Level<Block>>],
    columns: &mut Columns,
    options: &Options<'_>,
) -> Result<Vec<Counts>, SolveError> {
    let FoundBlocks { rules, layout, low_bits, levels: all } = *found;
    let potential = all.potential();
    let mut meter = Meter::new(options.progress, Phase::Label, Some(all.count()));
    let classes = Classes::new(rules, potential, layout, low_bits);
    let width = Outcome::width(rules);
    let span = span(rules, potential) as usize;
    let mut tables: Vec<Option<Tables<N>>> = levels.iter().map(|_| None).collect();
    let mut counts = vec![Counts::default(); rules.modes().len()];
    let refused = |_| SoFar::all(rules, all).refused();
    let mut old = None;
    for filled in (0..levels.len()).rev() {
        if let Some(far) = tables.get_mut(filled + span + 1) {
            old = far.take().or(old);
        }
        let Some(mut level) = levels[filled].take() else { continue };
        level.cut(low_bits).map_err(refused)?;
        let mut planes: Vec<BlockOutcomes<N>> = Vec::new();
        planes.try_reserve_exact(level.items.len()).map_err(refused)?;
        planes.resize(level.items.len(), [0; N]);
        let higher = Higher { layout, classes: &classes, level: &level, tables: &tables, modes: rules.modes().len() };
        counts = add_each(counts, higher.label(&mut planes, &meter)?);
        if filled > 0 && span > 0 {
            tables[filled] = Some(Tables::new(&level, &planes, old.take()).map_err(refused)?);
        }
        let size = all.of_level(filled as u32).and_then(|number| all.sizes().nth(number));
        let count = size.map_or(0, |size| size.count as usize);
        let Level { items, regions, .. } = level;
        drop(regions);
        sort_level(&Codes::of(rules), Blocks { layout, width, count, items, planes }, columns).map_err(refused)?;
    }
    go_on(meter.finish())?;
    Ok(counts)
}

/// A level, and the outcomes of the levels above it.
struct Higher<'a, const N: usize> {
    layout: &'a Layout,
    classes: &'a Classes<Block>,
    level: &'a Level<Block>,
    tables: &'a [Option<Tables<N>>],
    modes: usize,
}

/// Memory that a thread reuses from region to region.
#[derive(Default)]
struct Buffers<const N: usize> {
    /// The indices of blocks of the region with positions that may still be lost or drawn.
    undecided: Vec<u32>,
    of_blocks: Vec<BlockState>,
    /// The successors by the moves of a class: their keys, the indices of their blocks, and the indices of the moves.
    found: Vec<(u64, u32, u32)>,
}

/// The positions of a block by what the moves tried so far say.
#[derive(Clone, Copy, Default)]
struct BlockState {
    /// Positions without a winning move so far.
    left: u64,
    /// Positions with a move to a draw.
    drawn: u64,
    /// Positions without a legal move so far.
    stuck: u64,
}

impl<const N: usize> Higher<'_, N> {
    /// Writes the planes of all blocks of the level, and counts outcomes.
    fn label(&self, planes: &mut [BlockOutcomes<N>], meter: &Meter<'_>) -> Result<Vec<Counts>, SolveError> {
        let task = |buffers: &mut Buffers<N>, (regions, mut planes): (&[Region<u64>], &mut [BlockOutcomes<N>])| {
            let mut counts = vec![Counts::default(); self.modes];
            let mut done = 0;
            for region in regions {
                let (here, after) = planes.split_at_mut(region.end - region.start);
                planes = after;
                let of_region = self.region(region, here, buffers, &mut counts);
                done += of_region;
            }
            go_on(meter.add(done)).map(|()| counts)
        };
        let counts = parallel::try_map_with(tasks(&self.level.regions, planes, TASK), Buffers::default, task)?;
        Ok(counts.into_iter().fold(vec![Counts::default(); self.modes], add_each))
    }

    /// Writes the planes of the blocks of `region`. Returns the number of positions.
    fn region(
        &self,
        region: &Region<u64>,
        planes: &mut [BlockOutcomes<N>],
        buffers: &mut Buffers<N>,
        counts: &mut [Counts],
    ) -> u64 {
        let (mode, board) = split::<Block>(self.layout, region.top);
        let cells = Block::all(self.layout);
        let blocks = &self.level.items[region.start..region.ongoing];
        let Buffers { undecided, of_blocks, found } = buffers;
        undecided.clear();
        undecided.extend(0..blocks.len() as u32);
        of_blocks.clear();
        of_blocks.extend(blocks.iter().map(|block| BlockState { left: block.boards, drawn: 0, stuck: block.boards }));
        for class in self.classes.of_mode(mode) {
            if undecided.is_empty() {
                break;
            }
            let Some(table) = self.target(class, board) else { continue };
            found.clear();
            let is_asked = |block: u32, parts: &InnerMoves| of_blocks[block as usize].left & parts.legal != 0;
            class.gather_from(blocks, undecided, cells, is_asked, |key, block, step| (key, block, step), found);
            table.fetch(found.len());
            let (steps, is_again) = (class.steps(), class.turn().again);
            for &(key, block, step) in &*found {
                absorb(&mut of_blocks[block as usize], table.planes(key), &steps[step as usize].inner, is_again);
            }
            keep(undecided, 0, |at| of_blocks[at as usize].left != 0);
        }
        let counts = &mut counts[mode];
        let terminal = self.layout.terminal(mode);
        let before = counts.total();
        let (ongoing, over) = planes.split_at_mut(blocks.len());
        for ((planes, block), of) in ongoing.iter_mut().zip(blocks).zip(&*of_blocks) {
            let left = if terminal == Outcome::Win { of.left & !of.stuck } else { of.left };
            let drawn = left & if terminal == Outcome::Draw { of.drawn | of.stuck } else { of.drawn };
            write(planes, block.boards, left & !drawn, drawn, counts);
        }
        for (planes, block) in over.iter_mut().zip(&self.level.items[region.ongoing..region.end]) {
            let [lost, drawn, _] = self.layout.ended(mode, block.key & cells);
            write(planes, block.boards, block.boards & lost, block.boards & drawn, counts);
        }
        counts.total() - before
    }

    /// The table of the region that `class` leads to from the region whose top has `board`; `None` if the moves are legal in none of its
    /// positions.
    fn target(&self, class: &Class<Block>, board: u64) -> Option<super::table::OutcomeLookup<'_, N>> {
        let top = class.region(board)?;
        let (rises, _) = class.rises(board);
        self.tables.get((self.level.filled + rises) as usize)?.as_ref()?.of(top)
    }
}

/// Updates `of`, the state of a block, for moves with the effects `parts` that lead to a block with planes `next`.
#[inline(always)]
fn absorb<const N: usize>(of: &mut BlockState, next: BlockOutcomes<N>, parts: &InnerMoves, is_again: bool) {
    let boards = of.left;
    parts.each(|part| {
        let legal = part.legal & boards;
        // The outcomes of the successors, rotated back to the positions.
        let lost = next[0].rotate_right(part.by) & legal;
        let drawn = if N > 1 { next[N - 1].rotate_right(part.by) & legal } else { 0 };
        of.left &= !if is_again { legal & !lost & !drawn } else { lost };
        of.drawn |= drawn;
        of.stuck &= !legal;
    });
}

/// Writes the `lost` and `drawn` positions of a block to `planes`, and counts the outcomes of its positions `boards`.
#[inline(always)]
fn write<const N: usize>(planes: &mut BlockOutcomes<N>, boards: u64, lost: u64, drawn: u64, counts: &mut Counts) {
    planes[0] = lost;
    if N > 1 {
        planes[N - 1] = drawn;
    }
    counts.loss += u64::from(lost.count_ones());
    counts.draw += u64::from(drawn.count_ones());
    counts.win += u64::from((boards & !lost & !drawn).count_ones());
}

/// The blocks of a level and their planes.
struct Blocks<'a, const N: usize> {
    layout: &'a Layout,
    width: Width,
    /// The number of positions.
    count: usize,
    items: Vec<Block>,
    planes: Vec<BlockOutcomes<N>>,
}

impl<const N: usize> LabelledLevel for Blocks<'_, N> {
    type Key = u64;

    fn tasks(&self) -> usize {
        self.items.len().div_ceil(TASK)
    }

    #[inline(always)]
    fn each(&self, task: usize, mut each: impl FnMut(u64, u8)) {
        let numbers = [Outcome::Loss, Outcome::Draw, Outcome::Win].map(|outcome| self.width.of_outcome(outcome));
        let end = self.items.len().min((task + 1) * TASK);
        for (&block, planes) in self.items[task * TASK..end].iter().zip(&self.planes[task * TASK..end]) {
            let better = !planes[0];
            let best = if N > 1 { better & !planes[N - 1] } else { better };
            self.layout.each(block, |key, bit| {
                each(key, numbers[((better >> bit & 1) + (best >> bit & 1)) as usize]);
            });
        }
    }

    fn into_room(self) -> Result<Vec<u8>, TryReserveError> {
        let Self { count, items, planes, .. } = self;
        drop((items, planes));
        let mut room = Vec::new();
        room.try_reserve_exact(count)?;
        room.resize(count, 0);
        Ok(room)
    }
}
