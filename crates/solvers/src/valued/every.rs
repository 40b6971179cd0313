//! The values of every board of a game whose moves only fill cells. A level has the boards with one number of filled cells.

use std::sync::atomic::AtomicU32;

use tablegen_cgt::{Error, OptionSets, Store};

use super::level::{Level, Levels};
use crate::SolveError;
use crate::rules::{Move, Rules, Sides};

/// Cells in the low part of a board: boards with the same high part form a chunk, in which neighbours share memory.
const LOW_CELLS: u32 = 12;

/// A move of one player.
#[derive(Clone, Copy)]
struct Turn {
    empty: u64,
    full: u64,
    fills: u64,
}

/// The boards with one number of filled cells.
struct Filled<'a> {
    filled: u32,
    low_cells: u32,
    high_cells: u32,
    /// The moves of Left, then those of Right; the latter are empty in an impartial game.
    turns: &'a [Vec<Turn>; 2],
    is_impartial: bool,
    /// The low parts, by their number of filled cells.
    lows: &'a [Vec<u16>],
    numbers: &'a [AtomicU32],
}

impl Level for Filled<'_> {
    fn chunks(&self) -> usize {
        1 << self.high_cells
    }

    #[inline]
    fn visit(
        &self,
        chunk: usize,
        options: &mut OptionSets,
        is_wanted: impl Fn(u64) -> bool,
        mut each: impl FnMut(u64, &OptionSets) -> Result<(), Error>,
    ) -> Result<(), SolveError> {
        let high = (chunk as u64) << self.low_cells;
        let rest = self.filled.checked_sub(high.count_ones());
        let Some(lows) = rest.and_then(|rest| self.lows.get(rest as usize)) else { return Ok(()) };
        let below = (1 << self.low_cells) - 1;
        // Only the moves that the high part allows.
        let allowed = |turn: &&Turn| turn.empty & !below & high == 0 && turn.full & !below & !high == 0;
        let of = |turns: &[Turn]| {
            let low = |turn: &Turn| (turn.empty & below, turn.full & below, turn.fills);
            turns.iter().filter(allowed).map(low).collect::<Vec<_>>()
        };
        let [left, right] = [of(&self.turns[0]), of(&self.turns[1])];
        for &low in lows {
            let low = u64::from(low);
            let board = high | low;
            if !is_wanted(board) {
                continue;
            }
            options.clear();
            for &(empty, full, fills) in &left {
                if low & empty == 0 && !low & full == 0 {
                    let value = Levels::value(self.numbers, board | fills);
                    options.push_left(value);
                    if self.is_impartial {
                        options.push_right(value);
                    }
                }
            }
            for &(empty, full, fills) in &right {
                if low & empty == 0 && !low & full == 0 {
                    options.push_right(Levels::value(self.numbers, board | fills));
                }
            }
            each(board, options)?;
        }
        Ok(())
    }
}

/// Finds the values of every board of `rules`, in whose `sides` each turn is one move.
pub(super) fn solve(rules: &Rules, sides: Sides, mut levels: Levels<'_>) -> Result<Store, SolveError> {
    let cells = rules.cells();
    let low_cells = cells.min(LOW_CELLS);
    let turns = |moves: &[Move]| -> Vec<Turn> {
        let turn = |m: &Move| Turn { empty: m.empty.low_word(), full: m.full.low_word(), fills: m.fills.low_word() };
        moves.iter().map(turn).collect()
    };
    let [left, right] = sides.both();
    let is_impartial = sides == Sides::Impartial;
    let turns = [turns(rules.moves_of(left)), if is_impartial { Vec::new() } else { turns(rules.moves_of(right)) }];
    let mut lows = vec![Vec::new(); low_cells as usize + 1];
    (0..1u32 << low_cells).for_each(|low| lows[low.count_ones() as usize].push(low as u16));
    for filled in (0..=cells).rev() {
        let (high_cells, numbers) = (cells - low_cells, levels.numbers());
        let (turns, lows) = (&turns, lows.as_slice());
        levels.solve(&Filled { filled, low_cells, high_cells, turns, is_impartial, lows, numbers })?;
    }
    levels.into_store()
}
