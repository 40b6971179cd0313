//! The state of the positions of a group: a cell of 16 bits each, and the outcome of the decided ones.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

use crate::parallel;
use crate::rules::Outcome;

/// Maximum number of moves that are left to try, which a cell of an undecided position has.
pub(super) const LEFT: u32 = 1000;
/// Cells from this one on are of undecided positions: this number and the number of moves left. Smaller cells are plies.
const UNDECIDED: u16 = 64_500;
/// Maximum number of plies that a cell can hold.
pub(super) const MOST_PLIES: u16 = UNDECIDED - 1;

/// A word of draws, which are the outcomes of undecided positions.
const DRAWS: u64 = u64::MAX / 3;
/// Words that one task sets.
const PART: usize = 1 << 16;

/// The states of the positions of a group. Outcomes have two bits each, as in a table.
pub(super) struct Cells<'a> {
    cells: &'a [AtomicU16],
    outcomes: &'a [AtomicU64],
}

impl<'a> Cells<'a> {
    /// The states of positions, in memory that is zero.
    pub(super) fn new(cells: &'a [AtomicU16], outcomes: &'a [AtomicU64]) -> Self {
        let draws = |part: &[AtomicU64]| part.iter().for_each(|word| word.store(DRAWS, Relaxed));
        parallel::for_each(outcomes.chunks(PART).collect::<Vec<_>>(), draws);
        Self { cells, outcomes }
    }

    /// The cell of the position with `number`, to be fetched into a core's cache.
    #[inline(always)]
    pub(super) fn cell(&self, number: u32) -> &AtomicU16 {
        &self.cells[number as usize]
    }

    /// The position with `number` is undecided and has `left` moves left to try.
    #[inline(always)]
    pub(super) fn begin(&self, number: u32, left: u32) {
        self.cell(number).store(UNDECIDED + left as u16, Relaxed);
    }

    /// The game has ended at the position with `number`.
    #[inline(always)]
    pub(super) fn end(&self, number: u32, outcome: Outcome) {
        self.cell(number).store(0, Relaxed);
        self.turn(number, outcome);
    }

    #[inline(always)]
    pub(super) fn is_undecided(&self, number: u32) -> bool {
        self.cell(number).load(Relaxed) >= UNDECIDED
    }

    /// Decides an undecided position. Returns `false` if another thread was first; if no other thread may, `IS_EXCLUSIVE` saves an atomic
    /// change.
    #[inline(always)]
    pub(super) fn decide<const IS_EXCLUSIVE: bool>(&self, number: u32, outcome: Outcome, plies: u16) -> bool {
        let cell = self.cell(number);
        let before = cell.load(Relaxed);
        if before < UNDECIDED {
            return false;
        }
        if IS_EXCLUSIVE {
            cell.store(plies, Relaxed);
        } else if cell.compare_exchange(before, plies, Relaxed, Relaxed).is_err() {
            return false;
        }
        self.turn(number, outcome);
        true
    }

    /// Takes a move off those left to an undecided position; if it was the last, decides the position and returns `true`.
    #[inline(always)]
    pub(super) fn take_off<const IS_EXCLUSIVE: bool>(&self, number: u32, outcome: Outcome, plies: u16) -> bool {
        let cell = self.cell(number);
        let before = if IS_EXCLUSIVE {
            let before = cell.load(Relaxed);
            if before < UNDECIDED {
                return false;
            }
            cell.store(before - 1, Relaxed);
            before
        } else {
            if cell.load(Relaxed) < UNDECIDED {
                return false;
            }
            cell.fetch_sub(1, Relaxed)
        };
        if before != UNDECIDED + 1 {
            return false;
        }
        cell.store(plies, Relaxed);
        self.turn(number, outcome);
        true
    }

    /// Changes the outcome from a draw, which it is while the position is undecided.
    #[inline(always)]
    fn turn(&self, number: u32, outcome: Outcome) {
        let change = match outcome {
            Outcome::Draw => return,
            Outcome::Loss => 1,
            Outcome::Win => 3,
        };
        self.outcomes[(number >> 5) as usize].fetch_xor(change << (2 * (number & 31)), Relaxed);
    }

    /// The plies of the positions with some numbers; `repetition` for those that are undecided.
    pub(super) fn plies(&self, from: u32, count: u32, repetition: u16) -> impl Iterator<Item = u16> + '_ {
        let cells = &self.cells[from as usize..][..count as usize];
        cells.iter().map(move |cell| match cell.load(Relaxed) {
            UNDECIDED.. => repetition,
            plies => plies,
        })
    }

    /// The outcomes from number `from`, a multiple of 32: two bits each, 32 in a word.
    pub(super) fn outcomes(&self, from: u32, count: u32) -> impl Iterator<Item = u64> + '_ {
        let words = &self.outcomes[(from >> 5) as usize..][..count.div_ceil(32) as usize];
        words.iter().map(|word| word.load(Relaxed))
    }
}
