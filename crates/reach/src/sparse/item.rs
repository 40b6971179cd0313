//! The items of a level: positions, or blocks of positions.

use std::collections::TryReserveError;

use super::moves::Moves;
use crate::memory::untouched;
use crate::reachable::{BoardWord, Codes, KeyWord};
use crate::rules::{Mode, Move, Position, Potential, Rules};

/// A position, or a block of positions with the same key.
pub(super) trait Item: Copy + Default + Send + Sync + 'static {
    type Key: KeyWord;
    /// The mapping of positions to items.
    type Layout: Sync;
    /// The effect of a move inside an item, beyond its effect on the key.
    type Inner: Send + Sync;
    /// An entry in a hash table of items.
    type TableEntry: Copy + Default + Send + Sync;

    /// The number of cells in a key.
    fn cells(layout: &Self::Layout) -> u32;
    /// The set of all cells in a key.
    fn all(layout: &Self::Layout) -> BoardOf<Self>;
    /// The item with this position alone.
    fn of_position(layout: &Self::Layout, rules: &Rules, position: Position) -> Self;
    /// A move as it changes keys, and its effect inside items.
    fn lay_out(layout: &Self::Layout, m: &Move) -> (Move, Self::Inner);
    /// True if moves with equal effects on keys can be joined to one.
    const JOINS: bool;
    /// Adds the inner effect of another move with an equal effect on keys.
    fn join(inner: &mut Self::Inner, other: Self::Inner);

    /// A vector of `count` items to be overwritten. If it must be cleared, all cores of the current rayon pool share that work.
    fn room(count: usize) -> Result<Vec<Self>, TryReserveError>;

    fn key(self) -> Self::Key;
    /// The number of its positions.
    fn count(self) -> u64;
    /// The successor by a move that is legal for its key: an item with `key`.
    fn played(self, key: Self::Key, inner: &Self::Inner) -> Self;
    /// Returns whether it has positions. A move may be legal for the key and for none of the positions.
    fn is_some(self) -> bool;
    /// Returns whether it is in `level` of `potential`, if moves lead from one region to several levels.
    fn is_on(self, layout: &Self::Layout, potential: &Potential, level: u32) -> bool;
    /// Splits it into the positions at which play continues, and those at which a terminal pattern has ended the game.
    fn split_ended(self, layout: &Self::Layout) -> (Option<Self>, Option<Self>);
    /// Appends the items gathered in `room` for the region with `top` to `items`, each key once.
    fn drop_duplicates(room: &mut Scratch<Self>, top: Self::Key, items: &mut Vec<Self>) -> Result<(), TryReserveError>;
}

/// The word that holds the board of an item's key.
pub(super) type BoardOf<T> = <<T as Item>::Key as KeyWord>::Board;

/// Memory that a thread reuses from region to region.
#[derive(Default)]
pub(super) struct Scratch<T: Item> {
    pub(super) gathered: Vec<T>,
    /// A hash table with open addressing.
    pub(super) table: Vec<T::TableEntry>,
}

impl<T: Item> Scratch<T> {
    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> u64 {
        (self.gathered.capacity() * size_of::<T>() + self.table.capacity() * size_of::<T::TableEntry>()) as u64
    }

    /// Bytes that the buffers will hold when the gathered items are in the table.
    pub(super) fn bytes_with_table(&self) -> u64 {
        let places = self.table.capacity().max(1 << self.place_bits());
        (self.gathered.capacity() * size_of::<T>() + places * size_of::<T::TableEntry>()) as u64
    }

    /// The binary logarithm of the size of the table for the gathered items. At most four of five entries are used, and
    /// usually far fewer, because most positions are gathered several times.
    fn place_bits(&self) -> u32 {
        (self.gathered.len() + self.gathered.len() / 4 + 1).next_power_of_two().ilog2()
    }

    /// Clears the table, and sizes it for the gathered items. Returns the binary logarithm of its size.
    pub(super) fn clear_places(&mut self) -> Result<u32, TryReserveError> {
        let bits = self.place_bits();
        self.table.clear();
        self.table.try_reserve(1 << bits)?;
        self.table.resize(1 << bits, T::TableEntry::default());
        Ok(bits)
    }
}

/// The number of the mode, and the board, of the items with `key`.
#[inline(always)]
pub(super) fn split<T: Item>(layout: &T::Layout, key: T::Key) -> (usize, BoardOf<T>) {
    (key.above(T::cells(layout)), key.cells(T::all(layout)))
}

/// An odd number near 2^64 divided by the golden ratio. Multiplying by it spreads similar numbers.
pub(super) const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// A position, which is its key.
impl<W: KeyWord> Item for W {
    type Key = Self;
    type Layout = Moves<W>;
    type Inner = ();
    /// A key; zero marks a free entry.
    type TableEntry = Self;
    const JOINS: bool = false;

    #[inline(always)]
    fn cells(moves: &Moves<W>) -> u32 {
        moves.cells()
    }

    #[inline(always)]
    fn all(moves: &Moves<W>) -> W::Board {
        moves.all()
    }

    fn of_position(_: &Moves<W>, rules: &Rules, position: Position) -> Self {
        let codes = Codes::of(rules);
        codes.key(Self::of(codes.code(position)))
    }

    fn lay_out(_: &Moves<W>, m: &Move) -> (Move, ()) {
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
        potential.level(Position::new(Mode(mode as u16), board.board())) == level
    }

    #[inline(always)]
    fn split_ended(self, moves: &Moves<W>) -> (Option<Self>, Option<Self>) {
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
            let mut at = (key.hashed().wrapping_mul(FACTOR) >> (u64::BITS - bits)) as usize;
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
        // The table cannot hold the key zero. It occurs only if moves empty cells.
        let is_zero = |key: &Self| *key == Self::default();
        if is_zero(&top) && gathered.iter().any(is_zero) {
            keys.push(Self::default());
        }
        Ok(())
    }
}
