//! Proofs that play does not reach a position.
//!
//! A board that someone types, or that another program writes in another order, may be one that play never leads to. Two tests find most of
//! these, without a search:
//!
//! - *What play can change.* A cell that no move empties is filled by its last move. So the moves to a board in which it is empty do not
//!   fill it. With the moves that are left, each cell must be able to become what it is:
//!
//! ```text
//! connect-four   . . X .     the piece needs a filled square below it, and no move fills that one
//!                . . . .
//! ```
//!
//! - *What every move keeps.* Weights of cells and modes whose sum is the same before and after each move: it is the same at the start. In
//!   games in which the players place pieces in turn, the side to move and the numbers of pieces are such a sum. All of them are found by
//!   elimination, modulo a prime number: sums that are equal are equal modulo any number.
//!
//! Positions that pass both tests may still be out of reach.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Board, Line, Mode, Move, Position, Rules};

/// The prime number 2^31 - 1. Products of smaller numbers fit a `u64`.
const PRIME: u64 = (1 << 31) - 1;
/// Maximum number of cells and modes, and of moves: beyond them the tests would take longer than an answer.
const MOST: usize = 192;
const MOST_MOVES: usize = 1 << 13;

/// What is known of the way from the start to any position.
pub(super) struct Unreached {
    starts: Vec<Position>,
    /// The moves, each with one of its lines, or with one of the pieces that it takes.
    moves: Vec<Move>,
    /// The cells that no move empties, and those that no move fills.
    never_emptied: Board,
    never_filled: Board,
    sums: Vec<Sum>,
}

impl Rules {
    /// Returns whether it is certain that play does not reach `position` from the start. `false` says nothing.
    ///
    /// # Panics
    /// If the rules lack the position.
    #[must_use]
    pub fn cannot_reach(&self, position: Position) -> bool {
        assert!(self.has(position), "a position of these rules");
        let unreached = self.unreached.get_or_init(|| Unreached::of(self).map(Arc::new));
        unreached.as_ref().is_some_and(|of| of.starts.iter().all(|&start| of.is_apart(start, position)))
    }
}

impl Unreached {
    /// `None` if the rules are too large.
    fn of(rules: &Rules) -> Option<Self> {
        if rules.cells() as usize + rules.modes().len() > MOST || rules.moves().len() > MOST_MOVES {
            return None;
        }
        let moves: Vec<Move> = rules.moves().iter().flat_map(|m| rules.each_line(m)).take(MOST_MOVES + 1).collect();
        if moves.len() > MOST_MOVES {
            return None;
        }
        let full = Board::full(rules.cells());
        let changed = |of: fn(&Move) -> Board| moves.iter().fold(Board::EMPTY, |all, m| all | of(m));
        let (never_emptied, never_filled) = (full & !changed(|m| m.clears), full & !changed(|m| m.fills));
        Some(Self { starts: rules.start_positions(), never_emptied, never_filled, sums: sums(rules), moves })
    }

    /// Returns whether no play leads from `start` to `position`.
    fn is_apart(&self, start: Position, position: Position) -> bool {
        self.sums.iter().any(|sum| sum.of(start) != sum.of(position)) || !self.can_change(start, position)
    }

    /// Returns whether each cell, and the mode, can become what it is in `position` if any moves follow each other that may lead there.
    fn can_change(&self, start: Position, position: Position) -> bool {
        let (mut filled, mut empty) = (start.board, !start.board);
        let mut modes = BTreeSet::from([start.mode]);
        let stays_empty = self.never_emptied & !position.board;
        let stays_filled = self.never_filled & position.board;
        let may_lead = |m: &&Move| m.fills.is_disjoint(stays_empty) && m.clears.is_disjoint(stays_filled);
        let mut left: Vec<&Move> = self.moves.iter().filter(may_lead).collect();
        loop {
            let before = left.len();
            left.retain(|m| {
                let fits = modes.contains(&m.mode) && filled.contains(m.full) && empty.contains(m.empty);
                if fits {
                    (filled, empty) = (filled | m.fills, empty | m.clears);
                    modes.insert(m.next);
                }
                !fits
            });
            if left.len() == before {
                break;
            }
        }
        let outside = position.board & !filled;
        outside.is_empty() && (!position.board & !empty).is_empty() && modes.contains(&position.mode)
    }
}

/// Weights of cells and modes whose sum no move changes.
struct Sum {
    /// The weights of the cells, and then those of the modes, modulo [`PRIME`].
    weights: Vec<u64>,
    cells: usize,
}

impl Sum {
    fn of(&self, position: Position) -> u64 {
        let cells = position.board.bits().map(|cell| cell as usize);
        let places = cells.chain([self.cells + usize::from(position.mode.0)]);
        places.map(|place| self.weights[place]).sum::<u64>() % PRIME
    }
}

/// What a move changes, or a part of it: the cells that it fills and those that it empties, and the mode before and after it.
type Change = (Board, Board, Mode, Mode);

/// Changes of which every move of `rules` is a sum.
fn changes(rules: &Rules) -> BTreeSet<Change> {
    let mut all = BTreeSet::new();
    let stay = |fills, clears| (fills, clears, Mode(0), Mode(0));
    for m in rules.moves() {
        let lines = rules.spec().lines_of(m);
        // A cell that a move fills may have been filled before, unless the move needs it empty.
        let mut open = m.fills & !m.empty & !m.full;
        let mut changed = m.fills | m.clears;
        for (at, line) in lines.iter().enumerate() {
            let cells = line.fills | line.clears;
            let meets = |other: &Line| {
                let together = line.full.is_disjoint(other.empty) && other.full.is_disjoint(line.empty);
                together && !cells.is_disjoint(other.fills | other.clears)
            };
            if lines[..at].iter().any(meets) || !cells.is_disjoint(m.fills | m.clears) {
                open |= cells;
            }
            open |= line.fills & !line.empty & !line.full;
            changed |= cells;
        }
        all.insert((m.fills & m.empty & !open, m.clears & !open, m.mode, m.next));
        all.extend(lines.iter().map(|line| stay(line.fills & line.empty & !open, line.clears & !open)));
        let taken = m.takes.map_or(Board::EMPTY, |number| rules.spec().takes[usize::from(number)].cells);
        all.extend((open & changed | taken).bits().map(|cell| stay(Board::bit(cell), Board::EMPTY)));
    }
    all
}

/// A basis of the sums that no move of `rules` changes.
fn sums(rules: &Rules) -> Vec<Sum> {
    let cells = rules.cells() as usize;
    let places = cells + rules.modes().len();
    // In each row, the first weight that is not zero is 1, and the other rows have a zero there.
    let mut rows: Vec<(usize, Vec<u64>)> = Vec::new();
    for (fills, clears, mode, next) in changes(rules) {
        let mut row = vec![0; places];
        fills.bits().for_each(|cell| row[cell as usize] = 1);
        clears.bits().for_each(|cell| row[cell as usize] = PRIME - 1);
        if mode != next {
            row[cells + usize::from(next.0)] = 1;
            row[cells + usize::from(mode.0)] = PRIME - 1;
        }
        for (pivot, other) in &rows {
            let factor = row[*pivot];
            subtract(&mut row, factor, other);
        }
        let Some(pivot) = row.iter().position(|&weight| weight != 0) else { continue };
        let inverse = power(row[pivot], PRIME - 2);
        row.iter_mut().for_each(|weight| *weight = *weight * inverse % PRIME);
        for (_, other) in &mut rows {
            let factor = other[pivot];
            subtract(other, factor, &row);
        }
        rows.push((pivot, row));
    }
    let is_free = |place: &usize| rows.iter().all(|(pivot, _)| pivot != place);
    let sum = |free: usize| {
        let mut weights = vec![0; places];
        weights[free] = 1;
        rows.iter().for_each(|(pivot, row)| weights[*pivot] = (PRIME - row[free]) % PRIME);
        Sum { weights, cells }
    };
    (0..places).filter(is_free).map(sum).collect()
}

/// Takes `factor` times `other` off `row`.
fn subtract(row: &mut [u64], factor: u64, other: &[u64]) {
    if factor == 0 {
        return;
    }
    let factor = PRIME - factor;
    row.iter_mut().zip(other).for_each(|(weight, &other)| *weight = (*weight + factor * other) % PRIME);
}

fn power(base: u64, exponent: u64) -> u64 {
    (0..u64::BITS).rev().fold(1, |power, bit| {
        let square = power * power % PRIME;
        if exponent >> bit & 1 == 1 { square * base % PRIME } else { square }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{Grid, map_colouring, men, mills, runs, three_in_a_line};
    use crate::{RulesSpec, samples};

    /// All positions that play reaches.
    fn reached(rules: &Rules) -> BTreeSet<Position> {
        let mut found: BTreeSet<Position> = rules.start_positions().into_iter().collect();
        let mut left: Vec<Position> = found.iter().copied().collect();
        while let Some(position) = left.pop() {
            left.extend(rules.successors(position).filter(|&next| found.insert(next)));
        }
        found
    }

    /// The numbers of positions that play reaches, and of others for which that is certain.
    fn told(spec: RulesSpec) -> (usize, usize) {
        let rules = spec.build().unwrap();
        let reached = reached(&rules);
        let modes = 0..rules.modes().len() as u16;
        let boards =
            |mode| (0..1u64 << rules.cells()).map(move |board| Position::new(Mode(mode), Board::from_word(board)));
        let out_of_reach: BTreeSet<Position> = modes.flat_map(boards).filter(|&it| rules.cannot_reach(it)).collect();
        assert!(out_of_reach.is_disjoint(&reached), "{}", rules.name());
        (reached.len(), out_of_reach.len())
    }

    #[test]
    fn no_position_that_play_reaches_is_told_out_of_reach() {
        let grid = |rows, cols| Grid { rows, cols };
        assert_eq!(told(runs(grid(2, 3), 3)), (64, 0));
        // Of 2 times 4^6 pairs of a mode and a board, most have numbers of pieces that no turns give.
        assert_eq!(told(three_in_a_line(grid(2, 3))), (267, 6476));
        for spec in [map_colouring(grid(2, 2)), men(grid(2, 3), 2), mills(grid(2, 3), 2), samples::pairs(4)] {
            told(spec);
        }
    }

    #[test]
    fn pieces_need_what_their_moves_need() {
        // Two columns of three squares each, in which pieces fall: cells 0 to 2, and 3 to 5.
        let fall = |cell: u32| {
            let below = if cell.is_multiple_of(3) { Board::EMPTY } else { Board::bit(cell - 1) };
            Move { full: below, ..Move::fill(Board::bit(cell)) }
        };
        let rules = RulesSpec { moves: (0..6).map(fall).collect(), ..RulesSpec::new("fall", 6) }.build().unwrap();
        let cannot = |board| rules.cannot_reach(Position::of(Board::from_word(board)));
        assert_eq!([0, 0b001, 0b011_111, 0b010, 0b100_001].map(cannot), [false, false, false, true, true]);
    }
}
