//! Classes of moves that lead from a region to the same region.

use rustc_hash::FxHashMap;

use super::item::{BoardOf, Item};
use super::moves::{ALL as ROOM, Test, Tests, Turn};
use super::regions::{keep, top_of};
use crate::reachable::{BoardWord, KeyWord};
use crate::rules::{Board, Mode, Move, Potential, Rules};

/// Up to this many moves of a class are tried one after the other, each on all positions of a region. For larger
/// classes a table says which moves are legal.
const FEW: usize = 4;

/// The moves of some rules in classes, for regions whose keys differ in a certain number of low bits.
pub(super) struct Classes<T: Item> {
    of_mode: Vec<Vec<Class<T>>>,
}

/// Moves with the same conditions and effects on the top cells, the same next mode and the same points.
pub(super) struct Class<T: Item> {
    empty: BoardOf<T>,
    full: BoardOf<T>,
    clears: BoardOf<T>,
    /// The top cells that the moves fill and the next mode, as bits of a key.
    add: T::Key,
    turn: Turn,
    /// Minimum and maximum number of levels by which the moves raise a position, if all cells of `open` are filled before.
    least: i32,
    most: i32,
    /// Top cells that the moves fill whether they are empty or not, with their weights.
    open: Vec<(BoardOf<T>, i32)>,
    moves: Vec<ClassMove<T>>,
    tests: Tests<BoardOf<T>>,
}

/// A move of a class. `inner` is its effect inside an item.
pub(super) struct ClassMove<T: Item> {
    test: Test<BoardOf<T>>,
    keep: BoardOf<T>,
    add: T::Key,
    pub(super) inner: T::Inner,
}

impl<T: Item> ClassMove<T> {
    /// The key of the successor of a position with `board`.
    #[inline(always)]
    pub(super) fn key(&self, board: BoardOf<T>) -> T::Key {
        T::Key::of_cells(board & self.keep) | self.add
    }

    #[inline(always)]
    pub(super) fn is_legal(&self, board: BoardOf<T>) -> bool {
        self.test.is_passed(board)
    }
}

impl<T: Item> Classes<T> {
    /// The classes of `rules`, with levels by `potential`. Keys are laid out by `layout`, and regions differ in the lowest `low_bits` bits.
    pub(super) fn new(rules: &Rules, potential: &Potential, layout: &T::Layout, low_bits: u32) -> Self {
        let cells = T::cells(layout);
        let low = Board::full(low_bits);
        let mut room = ROOM;
        let of_mode = |number: usize| {
            let mut classes: Vec<Class<T>> = Vec::new();
            let mut numbers = FxHashMap::default();
            for original in rules.moves_of(Mode(number as u16)) {
                let (m, inner) = T::lay_out(layout, original);
                let add = T::Key::of(m.fills.number() | u128::from(m.next.0) << cells);
                // A move that may fill filled cells rises by a number of levels that depends on the board.
                let open = m.fills & !m.empty & !m.full & !low;
                let (least, most) = potential.rises(&Move { fills: original.fills & !open, ..*original });
                let masks = [m.empty, m.full, m.fills, m.clears].map(|cells| BoardOf::<T>::of(cells & !low));
                let turn = Turn::of(rules, original);
                let class = *numbers.entry((masks, m.next, turn, least, most)).or_insert_with(|| {
                    let [empty, full, _, clears] = masks;
                    let (add, moves, tests) = (top_of(add, low_bits), Vec::new(), Tests::default());
                    let open =
                        open.bits().map(|bit| (BoardOf::<T>::of(Board::bit(bit)), potential.cells()[bit as usize]));
                    let open = open.collect();
                    classes.push(Class { empty, full, clears, add, turn, least, most, open, moves, tests });
                    classes.len() - 1
                });
                classes[class].push(ClassMove { test: Test::of(&m), keep: !BoardOf::<T>::of(m.clears), add, inner });
            }
            for class in classes.iter_mut().filter(|class| class.moves.len() > FEW) {
                let tests = class.moves.iter().map(|m| m.test).collect();
                class.tests = Tests::new(tests, cells, &mut room);
            }
            classes
        };
        Self { of_mode: (0..rules.modes().len()).map(of_mode).collect() }
    }

    /// The classes of mode number `mode`.
    pub(super) fn of_mode(&self, mode: usize) -> &[Class<T>] {
        &self.of_mode[mode]
    }
}

impl<T: Item> Class<T> {
    /// Adds a move. If items allow it, moves with equal effects on keys become one.
    fn push(&mut self, step: ClassMove<T>) {
        let is_alike =
            |other: &&mut ClassMove<T>| (other.test, other.keep, other.add) == (step.test, step.keep, step.add);
        let other = if T::JOINS { self.moves.iter_mut().find(is_alike) } else { None };
        match other {
            Some(other) => T::join(&mut other.inner, step.inner),
            None => self.moves.push(step),
        }
    }

    /// The top of the region that the moves lead to from the region whose top has `board`; `None` if they are not legal there.
    pub(super) fn region(&self, board: BoardOf<T>) -> Option<T::Key> {
        let is_legal = board & (self.empty | self.full) == self.full;
        is_legal.then(|| T::Key::of_cells(board & !self.clears) | self.add)
    }

    /// Minimum and maximum number of levels by which the moves rise from the region whose top has `board`.
    pub(super) fn rises(&self, board: BoardOf<T>) -> (u32, u32) {
        let new = self.open.iter().filter(|&&(cell, _)| board & cell == BoardOf::<T>::default());
        let top: i32 = new.map(|(_, weight)| weight).sum();
        // Moves that are legal nowhere in the region may seem to fall.
        ((top + self.least).max(0) as u32, (top + self.most).max(0) as u32)
    }

    /// What the moves mean for the labels of their successors.
    pub(super) const fn turn(&self) -> Turn {
        self.turn
    }

    /// The moves, in the order of their numbers.
    pub(super) fn steps(&self) -> &[ClassMove<T>] {
        &self.moves
    }

    /// Appends to `found` the successors of the `items` of a region with the indices `of`. `make` makes an entry of the
    /// successor's key, the item's index and the move's index; `is_asked` says whether an item needs a move. `all` is
    /// the set of all cells of a key.
    pub(super) fn gather_from<F: Copy + Default>(
        &self,
        items: &[T],
        of: &[u32],
        all: BoardOf<T>,
        is_asked: impl Fn(u32, &T::Inner) -> bool,
        make: impl Fn(T::Key, u32, u32) -> F,
        found: &mut Vec<F>,
    ) {
        let of_board = |number: u32| items[number as usize].key().cells(all);
        if self.moves.len() <= FEW {
            for (index, m) in self.moves.iter().enumerate() {
                let mut to = found.len();
                found.resize(to + of.len(), F::default());
                for &number in of {
                    // Without a branch, as in `gather`.
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

    /// Appends to `found` the successors of the `items` of a region; if `is_there` is given, only successors for which
    /// it is true. `all` is the set of all cells of a key.
    pub(super) fn gather(
        &self,
        items: &[T],
        all: BoardOf<T>,
        is_there: Option<&dyn Fn(T) -> bool>,
        found: &mut Vec<T>,
    ) {
        let of_board = |item: T| item.key().cells(all);
        let before = found.len();
        if self.moves.len() <= FEW {
            for m in &self.moves {
                let first = found.len();
                found.resize(first + items.len(), T::default());
                let mut to = first;
                for &item in items {
                    // Every successor is written, and overwritten if the move is not legal: a branch would often be predicted wrong.
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
