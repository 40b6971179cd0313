//! What a level is a list of: positions, each by its key, or blocks of positions.

use std::collections::TryReserveError;

use super::moves::Moves;
use crate::reachable::{Codes, Word};
use crate::rules::{Board, Mode, Move, Position, Potential, Rules};
use crate::solve::memory::untouched;

/// A position, or several that have the same key.
pub(super) trait Item: Copy + Default + Send + Sync + 'static {
    type Key: Word;
    /// How positions become items.
    type Layout: Sync;
    /// What a move does beside what it does to the key.
    type Inner: Send + Sync;
    /// A place in a table of items.
    type Place: Copy + Default + Send + Sync;

    /// The number of cells in a key.
    fn cells(layout: &Self::Layout) -> u32;
    /// The item with this position alone.
    fn alone(layout: &Self::Layout, rules: &Rules, position: Position) -> Self;
    /// A move as it changes keys, and what else it does.
    fn laid(layout: &Self::Layout, m: &Move) -> (Move, Self::Inner);
    /// Whether moves that change keys alike become one.
    const JOINS: bool;
    /// Makes one move of two that change keys alike.
    fn join(inner: &mut Self::Inner, other: Self::Inner);

    /// Room for so many items, which are written over. All cores of the current rayon pool may clear it: not one for the others.
    fn room(count: usize) -> Result<Vec<Self>, TryReserveError>;

    fn key(self) -> Self::Key;
    /// How many positions it has.
    fn count(self) -> u64;
    /// What a move that is legal for its key leads to: an item with `key`.
    fn played(self, key: Self::Key, inner: &Self::Inner) -> Self;
    /// Whether it has any positions, if a move was played.
    fn is_some(self) -> bool;
    /// Whether it is on `level` of `potential`, if moves may lead from one region to several levels.
    fn is_on(self, layout: &Self::Layout, potential: &Potential, level: u32) -> bool;
    /// Its positions at which play goes on, and those at which a pattern has ended the game.
    fn apart(self, layout: &Self::Layout) -> (Option<Self>, Option<Self>);
    /// Appends what was gathered for the region with `top` to `items`, each key once.
    fn drop_duplicates(room: &mut Scratch<Self>, top: Self::Key, items: &mut Vec<Self>) -> Result<(), TryReserveError>;
}

/// What a thread works in.
pub(super) struct Scratch<T: Item> {
    pub(super) gathered: Vec<T>,
    /// Open addressing.
    pub(super) table: Vec<T::Place>,
}

impl<T: Item> Scratch<T> {
    pub(super) const fn new() -> Self {
        Self { gathered: Vec::new(), table: Vec::new() }
    }

    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> u64 {
        (self.gathered.capacity() * size_of::<T>() + self.table.capacity() * size_of::<T::Place>()) as u64
    }

    /// Makes the table one of free places for what was gathered. Returns the binary logarithm of their number.
    pub(super) fn clear_places(&mut self) -> Result<u32, TryReserveError> {
        // At most four of five places are taken, and mostly far fewer: most positions are reached in several ways.
        let bits = (self.gathered.len() + self.gathered.len() / 4 + 1).next_power_of_two().ilog2();
        self.table.clear();
        self.table.try_reserve(1 << bits)?;
        self.table.resize(1 << bits, T::Place::default());
        Ok(bits)
    }
}

/// The mode of the items with `key`, by number, and their board.
#[inline(always)]
pub(super) fn split<T: Item>(layout: &T::Layout, key: T::Key) -> (usize, u64) {
    let cells = T::cells(layout);
    (key.above(cells), key.low() & Board::full(cells).0)
}

/// An odd number near 2^64 divided by the golden ratio: its products spread numbers that are alike.
pub(super) const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// A position by its key.
impl<W: Word> Item for W {
    type Key = Self;
    type Layout = Moves<W>;
    type Inner = ();
    /// A key; zero is free.
    type Place = Self;
    const JOINS: bool = false;

    #[inline(always)]
    fn cells(moves: &Moves<W>) -> u32 {
        moves.cells()
    }

    fn alone(_: &Moves<W>, rules: &Rules, position: Position) -> Self {
        let codes = Codes::of(rules);
        codes.key(Self::of(codes.code(position)))
    }

    fn laid(_: &Moves<W>, m: &Move) -> (Move, ()) {
        (*m, ())
    }

    fn join((): &mut (), (): ()) {}

    fn room(count: usize) -> Result<Vec<Self>, TryReserveError> {
        untouched(count)
    }

    #[inline(always)]
    fn key(self) -> Self {
        self
    }

    #[inline(always)]
    fn count(self) -> u64 {
        1
    }

    #[inline(always)]
    fn played(self, key: Self, (): &()) -> Self {
        key
    }

    #[inline(always)]
    fn is_some(self) -> bool {
        true
    }

    #[inline]
    fn is_on(self, moves: &Moves<W>, potential: &Potential, level: u32) -> bool {
        let (mode, board) = moves.split(self);
        potential.level(Position::new(Mode(mode as u16), Board(board))) == level
    }

    #[inline(always)]
    fn apart(self, moves: &Moves<W>) -> (Option<Self>, Option<Self>) {
        let (mode, board) = moves.split(self);
        if moves.of(mode).ended(board).is_some() { (None, Some(self)) } else { (Some(self), None) }
    }

    fn drop_duplicates(room: &mut Scratch<Self>, top: Self, keys: &mut Vec<Self>) -> Result<(), TryReserveError> {
        keys.try_reserve(room.gathered.len())?;
        if let [only] = room.gathered[..] {
            keys.push(only);
            return Ok(());
        }
        let bits = room.clear_places()?;
        let Scratch { gathered, table } = room;
        let table = &mut table[..1 << bits];
        for &key in &*gathered {
            let mut at = (key.low().wrapping_mul(FACTOR) >> (u64::BITS - bits)) as usize;
            loop {
                let place = &mut table[at];
                if *place == key {
                    break;
                }
                if *place == Self::default() {
                    *place = key;
                    keys.push(key);
                    break;
                }
                at = (at + 1) & ((1 << bits) - 1);
            }
        }
        // Zero is taken for a free place; a move may lead there if it empties cells.
        let is_zero = |key: &Self| *key == Self::default();
        if is_zero(&top) && gathered.iter().any(is_zero) {
            keys.push(Self::default());
        }
        Ok(())
    }
}
