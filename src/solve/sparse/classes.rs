//! Moves by the regions that they lead to.

use rustc_hash::FxHashMap;

use super::item::Item;
use super::moves::{ALL as ROOM, Test, Tests};
use super::regions::{keep, top_of};
use crate::reachable::Word;
use crate::rules::{Board, Mode, Move, Potential, Rules};

/// Up to this many moves of a class are tried one after the other, each on all positions of a region; of more, a table
/// says which are legal at a position.
const FEW: usize = 4;

/// The moves of some rules, for regions whose positions differ in certain low bits.
pub(super) struct Classes<T: Item> {
    of_mode: Vec<Vec<Class<T>>>,
}

/// Moves that are alike in all cells but the low ones: what they need there, what they fill there, and the next mode.
pub(super) struct Class<T: Item> {
    empty: u64,
    full: u64,
    clears: u64,
    /// What is added to the top of a region without its mode.
    add: T::Key,
    /// Whether the same player moves again after them.
    is_again: bool,
    /// By how many levels the moves raise a position, or the least and the most, if no cell of `open` was empty.
    least: i32,
    most: i32,
    /// Cells that the moves fill, filled or not before, and their weights.
    open: Vec<(u64, i32)>,
    moves: Vec<Step<T>>,
    tests: Tests,
}

/// A move: what it tests, what it adds to the key of a board without a mode, and what else it does.
pub(super) struct Step<T: Item> {
    test: Test,
    keep: u64,
    add: T::Key,
    pub(super) inner: T::Inner,
}

impl<T: Item> Step<T> {
    /// The key that it leads to from one with `board`.
    #[inline(always)]
    pub(super) fn key(&self, board: u64) -> T::Key {
        T::Key::of((board & self.keep).into()) | self.add
    }

    #[inline(always)]
    pub(super) const fn is_legal(&self, board: u64) -> bool {
        self.test.is_passed(board)
    }
}

impl<T: Item> Classes<T> {
    /// The moves of `rules`, whose levels `potential` makes, for regions whose positions, laid out by `layout`, differ in the
    /// lowest `low_bits` bits.
    pub(super) fn new(rules: &Rules, potential: &Potential, layout: &T::Layout, low_bits: u32) -> Self {
        let cells = T::cells(layout);
        let low = Board::full(low_bits);
        let mut room = ROOM;
        let of_mode = |number: usize| {
            let mut classes: Vec<Class<T>> = Vec::new();
            let mut numbers = FxHashMap::default();
            for original in rules.moves_of(Mode(number as u16)) {
                let (m, inner) = T::laid(layout, original);
                let add = T::Key::of(u128::from(m.fills.0) | u128::from(m.next.0) << cells);
                // If a move may fill cells that are filled, how far it rises depends on the board.
                let open = m.fills & !m.empty & !m.full & !low;
                let (least, most) = potential.rises(&Move { fills: original.fills & !open, ..*original });
                let masks = [m.empty, m.full, m.fills, m.clears].map(|cells| cells.0 & !low.0);
                let class = *numbers.entry((masks, m.next, least, most)).or_insert_with(|| {
                    let [empty, full, _, clears] = masks;
                    let (add, moves, tests) = (top_of(add, low_bits), Vec::new(), Tests::default());
                    let open = open.bits().map(|bit| (1 << bit, potential.cells()[bit as usize])).collect();
                    let is_again = !rules.turns_over(m.mode, m.next);
                    classes.push(Class { empty, full, clears, add, is_again, least, most, open, moves, tests });
                    classes.len() - 1
                });
                classes[class].push(Step { test: Test::of(&m), keep: !m.clears.0, add, inner });
            }
            for class in classes.iter_mut().filter(|class| class.moves.len() > FEW) {
                let tests = class.moves.iter().map(|m| m.test).collect();
                class.tests = Tests::new(tests, cells, &mut room);
            }
            classes
        };
        Self { of_mode: (0..rules.modes().len()).map(of_mode).collect() }
    }

    /// The classes of the mode with this number.
    pub(super) fn of_mode(&self, mode: usize) -> &[Class<T>] {
        &self.of_mode[mode]
    }
}

impl<T: Item> Class<T> {
    /// Adds a move, to one that changes keys alike if there is one.
    fn push(&mut self, step: Step<T>) {
        let is_alike = |other: &&mut Step<T>| (other.test, other.keep, other.add) == (step.test, step.keep, step.add);
        let other = if T::JOINS { self.moves.iter_mut().find(is_alike) } else { None };
        match other {
            Some(other) => T::join(&mut other.inner, step.inner),
            None => self.moves.push(step),
        }
    }

    /// The region that the moves lead to from the one whose top has `board`; `None` if they are not legal there.
    pub(super) fn region(&self, board: u64) -> Option<T::Key> {
        let is_legal = board & (self.empty | self.full) == self.full;
        is_legal.then(|| T::Key::of((board & !self.clears).into()) | self.add)
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

    /// The moves, in the order of their numbers.
    pub(super) fn steps(&self) -> &[Step<T>] {
        &self.moves
    }

    /// Adds to `found` what the moves lead to from those of the items of a region that have the numbers `of`, each as `make`
    /// makes it of the key that is reached, the number, and the number of the move, where that is asked for. All cells of a key are
    /// `board`.
    pub(super) fn gather_from<F: Copy + Default>(
        &self,
        items: &[T],
        of: &[u32],
        board: Board,
        is_asked: impl Fn(u32, &T::Inner) -> bool,
        make: impl Fn(T::Key, u32, u32) -> F,
        found: &mut Vec<F>,
    ) {
        let of_board = |number: u32| items[number as usize].key().low() & board.0;
        if self.moves.len() <= FEW {
            for (index, m) in self.moves.iter().enumerate() {
                let mut to = found.len();
                found.resize(to + of.len(), F::default());
                for &number in of {
                    // As below.
                    let board = of_board(number);
                    found[to] = make(m.key(board), number, index as u32);
                    to += usize::from(m.is_legal(board) & is_asked(number, &m.inner));
                }
                found.truncate(to);
            }
            return;
        }
        for &number in of {
            let board = of_board(number);
            for word in 0..self.tests.words() {
                let mut legal = self.tests.passed(word, board);
                while legal != 0 {
                    let index = 64 * word + legal.trailing_zeros() as usize;
                    let m = &self.moves[index];
                    if is_asked(number, &m.inner) {
                        found.push(make(m.key(board), number, index as u32));
                    }
                    legal &= legal - 1;
                }
            }
        }
    }

    /// Adds to `found` what the moves lead to from the `items` of a region, all cells of whose keys are `board`. If `is_there` is
    /// given, only items of which it is true.
    pub(super) fn gather(&self, items: &[T], board: Board, is_there: Option<&dyn Fn(T) -> bool>, found: &mut Vec<T>) {
        let of_board = |item: T| item.key().low() & board.0;
        let before = found.len();
        if self.moves.len() <= FEW {
            for m in &self.moves {
                let first = found.len();
                found.resize(first + items.len(), T::default());
                let mut to = first;
                for &item in items {
                    // Written in any case, and kept if the move is legal: nobody could predict a branch.
                    let board = of_board(item);
                    let next = item.played(m.key(board), &m.inner);
                    found[to] = next;
                    to += usize::from(m.is_legal(board) & next.is_some());
                }
                found.truncate(to);
            }
        } else {
            for &item in items {
                let board = of_board(item);
                for word in 0..self.tests.words() {
                    let mut legal = self.tests.passed(word, board);
                    while legal != 0 {
                        let m = &self.moves[64 * word + legal.trailing_zeros() as usize];
                        let next = item.played(m.key(board), &m.inner);
                        if next.is_some() {
                            found.push(next);
                        }
                        legal &= legal - 1;
                    }
                }
            }
        }
        if let Some(is_there) = is_there {
            keep(found, before, is_there);
        }
    }
}
