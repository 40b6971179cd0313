//! Moves by the regions that they lead to.

use rustc_hash::FxHashMap;

use super::moves::{ALL as ROOM, Test, Tests};
use super::regions::top_of;
use crate::reachable::Word;
use crate::rules::{Board, Mode, Potential, Rules};

/// Up to this many moves of a class are tried one after the other, each on all positions of a region; of more, a table
/// says which are legal at a position.
const FEW: usize = 4;

/// The moves of some rules, for regions whose positions differ in certain low bits.
pub(super) struct Classes<W> {
    of_mode: Vec<Vec<Class<W>>>,
}

/// Moves that are alike in all cells but the low ones: what they need there, what they fill there, and the next mode.
pub(super) struct Class<W> {
    empty: u64,
    full: u64,
    clears: u64,
    /// What is added to the top of a region without its mode.
    add: W,
    /// Whether the same player moves again after them.
    is_again: bool,
    /// By how many levels the moves raise a position, or the least and the most, if no cell of `open` was empty.
    least: i32,
    most: i32,
    /// Cells that the moves fill, filled or not before, and their weights.
    open: Vec<(u64, i32)>,
    moves: Vec<Move<W>>,
    tests: Tests,
}

/// A move: what it tests, and what it adds to the key of a board without a mode.
struct Move<W> {
    test: Test,
    keep: u64,
    add: W,
}

impl<W: Word> Classes<W> {
    /// The moves of `rules`, whose levels `potential` makes, for regions whose positions differ in the lowest `low_bits` bits.
    pub(super) fn new(rules: &Rules, potential: &Potential, low_bits: u32) -> Self {
        let low = Board::full(low_bits);
        let mut room = ROOM;
        let of_mode = |number: usize| {
            let mut classes: Vec<Class<W>> = Vec::new();
            let mut numbers = FxHashMap::default();
            for m in rules.moves_of(Mode(number as u16)) {
                let add = W::of(u128::from(m.fills.0) | u128::from(m.next.0) << rules.cells());
                // If a move may fill cells that are filled, how far it rises depends on the board.
                let open = m.fills & !m.empty & !m.full & !low;
                let (least, most) = potential.rises(&crate::rules::Move { fills: m.fills & !open, ..*m });
                let masks = [m.empty, m.full, m.fills, m.clears].map(|cells| cells.0 & !low.0);
                let class = *numbers.entry((masks, m.next, least, most)).or_insert_with(|| {
                    let [empty, full, _, clears] = masks;
                    let (add, moves, tests) = (top_of(add, low_bits), Vec::new(), Tests::default());
                    let open = open.bits().map(|bit| (1 << bit, potential.cells()[bit as usize])).collect();
                    let is_again = !rules.turns_over(m.mode, m.next);
                    classes.push(Class { empty, full, clears, add, is_again, least, most, open, moves, tests });
                    classes.len() - 1
                });
                classes[class].moves.push(Move { test: Test::of(m), keep: !m.clears.0, add });
            }
            for class in classes.iter_mut().filter(|class| class.moves.len() > FEW) {
                let tests = class.moves.iter().map(|m| m.test).collect();
                class.tests = Tests::new(tests, rules.cells(), &mut room);
            }
            classes
        };
        Self { of_mode: (0..rules.modes().len()).map(of_mode).collect() }
    }

    /// The classes of the mode with this number.
    pub(super) fn of_mode(&self, mode: usize) -> &[Class<W>] {
        &self.of_mode[mode]
    }
}

impl<W: Word> Class<W> {
    /// The region that the moves lead to from the one whose top has `board`; `None` if they are not legal there.
    pub(super) fn region(&self, board: u64) -> Option<W> {
        let is_legal = board & (self.empty | self.full) == self.full;
        is_legal.then(|| W::of((board & !self.clears).into()) | self.add)
    }

    /// The least and the largest number of levels that the moves rise, from the region whose top has `board`.
    pub(super) fn rises(&self, board: u64) -> (u32, u32) {
        let new = self.open.iter().filter(|(cell, _)| board & cell == 0);
        let top: i32 = new.map(|(_, weight)| weight).sum();
        // What is legal nowhere in the region may seem to fall.
        ((top + self.least).max(0) as u32, (top + self.most).max(0) as u32)
    }

    /// Whether the same player moves again after the moves.
    pub(super) const fn is_again(&self) -> bool {
        self.is_again
    }

    /// Adds to `found` what the moves lead to from those of the positions of a region, with `keys`, that have the numbers `of`,
    /// each with that number. All cells are `board`.
    pub(super) fn gather_from(&self, keys: &[W], of: &[u32], board: Board, found: &mut Vec<(W, u32)>) {
        let of_board = |key: W| key.low() & board.0;
        let play = |key: W, m: &Move<W>| W::of((of_board(key) & m.keep).into()) | m.add;
        if self.moves.len() <= FEW {
            for m in &self.moves {
                let mut to = found.len();
                found.resize(to + of.len(), (W::default(), 0));
                for &number in of {
                    // As below.
                    let key = keys[number as usize];
                    found[to] = (play(key, m), number);
                    to += usize::from(m.test.is_passed(of_board(key)));
                }
                found.truncate(to);
            }
            return;
        }
        for &number in of {
            let key = keys[number as usize];
            for word in 0..self.tests.words() {
                let mut legal = self.tests.passed(word, of_board(key));
                while legal != 0 {
                    found.push((play(key, &self.moves[64 * word + legal.trailing_zeros() as usize]), number));
                    legal &= legal - 1;
                }
            }
        }
    }

    /// Adds to `found` what the moves lead to from the positions of a region with `keys`, all cells of which are `board`.
    /// If `is_there` is given, only positions of which it is true.
    pub(super) fn gather(&self, keys: &[W], board: Board, is_there: Option<&dyn Fn(W) -> bool>, found: &mut Vec<W>) {
        let of_board = |key: W| key.low() & board.0;
        let play = |key: W, m: &Move<W>| W::of((of_board(key) & m.keep).into()) | m.add;
        let before = found.len();
        if self.moves.len() <= FEW {
            for m in &self.moves {
                let first = found.len();
                found.resize(first + keys.len(), W::default());
                let mut to = first;
                for &key in keys {
                    // Written in any case, and kept if the move is legal: nobody could predict a branch.
                    found[to] = play(key, m);
                    to += usize::from(m.test.is_passed(of_board(key)));
                }
                found.truncate(to);
            }
        } else {
            for &key in keys {
                for word in 0..self.tests.words() {
                    let mut legal = self.tests.passed(word, of_board(key));
                    while legal != 0 {
                        found.push(play(key, &self.moves[64 * word + legal.trailing_zeros() as usize]));
                        legal &= legal - 1;
                    }
                }
            }
        }
        if let Some(is_there) = is_there {
            let mut kept = before;
            for at in before..found.len() {
                let key = found[at];
                found[kept] = key;
                kept += usize::from(is_there(key));
            }
            found.truncate(kept);
        }
    }
}
