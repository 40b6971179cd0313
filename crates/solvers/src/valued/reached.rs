//! The values of the boards that play can reach if either player may move at any time.
//!
//! The sparse solver finds these boards: it solves the rules in which both players have all moves. Positions within a turn, as between
//! an amazon's move and its arrow, are found as well, but have no value.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use tablegen_cgt::{Error, OptionSets, Store};

use super::level::{Level, Levels};
use super::{NONE, listed, room_for};
use crate::contents::{LabelFault, Sparse};
use crate::label::LabelSet;
use crate::memory::Memory;
use crate::progress::{Meter, Phase};
use crate::rules::{Mode, Position, Rules, Sides};
use crate::symmetry::Group;
use crate::values::BoardIndex;
use crate::{Options, SolveError, Solver, solve as find};

/// Positions of a chunk.
const CHUNK: u64 = 1 << 12;

/// The positions of one level of the potential.
struct Reached<'a> {
    rules: &'a Rules,
    sides: Sides,
    sparse: Sparse<'a>,
    number: usize,
    count: u64,
    numbers: &'a [AtomicU32],
}

impl Reached<'_> {
    /// The rank of `board` among all positions that were found.
    fn rank(&self, board: crate::rules::Board) -> u64 {
        let found = self.sparse.find(Position::new(self.sides.left(), board)).unwrap_or_else(|_| makes_sense());
        found.unwrap_or_else(|| unreachable!("every turn leads to a board that was found")).0
    }
}

impl Level for Reached<'_> {
    fn chunks(&self) -> usize {
        self.count.div_ceil(CHUNK) as usize
    }

    fn visit(
        &self,
        chunk: usize,
        options: &mut OptionSets,
        is_wanted: impl Fn(u64) -> bool,
        mut each: impl FnMut(u64, &OptionSets) -> Result<(), Error>,
    ) -> Result<(), SolveError> {
        let Some((level, _)) = self.sparse.level(self.number) else { return Ok(()) };
        let first = chunk as u64 * CHUNK;
        let before = self.sparse.levels().rank_of(self.number, 0).unwrap_or(0);
        for found in level.positions(first, first + CHUNK) {
            let (index, position) = found.unwrap_or_else(|_| makes_sense());
            let rank = before + index;
            if !self.sides.begin_in(position.mode) || !is_wanted(rank) {
                continue;
            }
            options.clear();
            self.sides.turns(self.rules, position.board, |is_right, board| {
                let value = Levels::value(self.numbers, self.rank(board));
                if !is_right {
                    options.push_left(value);
                }
                if is_right || self.sides == Sides::Impartial {
                    options.push_right(value);
                }
            });
            each(rank, options)?;
        }
        Ok(())
    }
}

/// Positions in memory are not damaged.
fn makes_sense() -> ! {
    unreachable!("a solver writes nothing that makes no sense")
}

/// Finds the boards and their values: the index of the boards, its keys, the values by rank, and all values.
pub(super) fn solve(
    rules: &Rules,
    sides: Sides,
    options: &Options<'_>,
) -> Result<(BoardIndex, Vec<u8>, Memory, Store), SolveError> {
    let either = sides.either(rules);
    let roots: Vec<Position> = rules.starts_and(options.roots);
    let [left, right] = sides.both();
    let merged = |mode: Mode| if mode == right { left } else { mode };
    let mut roots: Vec<Position> = roots.iter().map(|root| Position::new(merged(root.mode), root.board)).collect();
    roots.sort_unstable();
    roots.dedup();
    let (solver, labels) = (Solver::Sparse { symmetry: Group::trivial() }, LabelSet::OUTCOME);
    let found = find(&either, &Options { solver, labels, roots: &roots, ..*options })?;
    let contents = found.contents();
    let sparse = contents.only_reachable().unwrap_or_else(|| unreachable!("the sparse solver was asked"));
    let mut memory = room_for(sparse.count(), options)?;
    let numbers: &[AtomicU32] = memory.values_mut();
    let meter = Meter::new(options.progress, Phase::Values, Some(sparse.count()));
    let mut levels = Levels::new(numbers, options, meter);
    let sizes: Vec<u64> = sparse.sizes().map(|size| size.count).collect();
    for (number, &count) in sizes.iter().enumerate().rev() {
        levels.solve(&Reached { rules, sides, sparse, number, count, numbers })?;
    }
    let store = levels.into_store()?;
    let codes = BoardIndex::codes(rules.cells()).ok_or(SolveError::TooManyValued { count: sparse.count() })?;
    let coded = (0..sizes.len()).into_par_iter().map(|number| {
        let Some((level, _)) = sparse.level(number) else { return Ok(Vec::new()) };
        let before = sparse.levels().rank_of(number, 0).unwrap_or(0);
        let mut coded = Vec::new();
        for found in level.positions(0, level.size().count) {
            let (index, position) = found.map_err(LabelFault::from)?;
            let value = numbers[(before + index) as usize].load(Ordering::Relaxed);
            if value != NONE {
                coded.push((codes.code(Position::of(position.board)), value));
            }
        }
        Ok(coded)
    });
    let coded = coded.collect::<Result<Vec<_>, LabelFault>>().unwrap_or_else(|_| makes_sense()).concat();
    drop((found, memory));
    let (index, keys, numbers) = listed(rules.cells(), coded)?;
    Ok((index, keys, numbers, store))
}
