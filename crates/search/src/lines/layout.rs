//! Boards as two words: the pieces of the player to move, and those of the other player.
//!
//! Chains lie one after the other, each from the bottom up, so that the square above another is one bit higher. If there is room, a chain
//! has one bit more than squares. Then the sum of the own pieces and all pieces is a different number for each board:
//!
//! ```text
//! chain           . . x o x     5 squares and the spare bit, bottom on the right; x moves
//! own           0 0 0 1 0 1
//! all           0 0 0 1 1 1
//! own + all     0 0 1 1 0 0     the bits of `own`, changed up to the height of the chain
//! ```
//!
//! Otherwise the key of a board is the two words side by side.

use super::kind::Kind;
use crate::rules::{Board, Mode, Outcome, Position};

/// A board as the player to move sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sides {
    pub(super) own: u64,
    pub(super) other: u64,
}

impl Sides {
    pub(super) const fn occupied(self) -> u64 {
        self.own | self.other
    }

    pub(super) const fn filled(self) -> u32 {
        self.occupied().count_ones()
    }
}

/// The bits of the squares.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The bits of the squares of a game.
    pub(super) board: u64,
    /// The squares that can be filled on an empty board, and the others.
    bottoms: u64,
    pub(super) supported: u64,
    /// The squares of chains from which an even number of squares lie up to the top, itself included.
    pub(super) lower: u64,
    /// The number of squares.
    pub(super) squares: u32,
    /// The bit of each square, and its cells.
    pub(super) bits: Vec<u32>,
    cells: Vec<[u32; 2]>,
    /// The set of all cells of squares.
    all: Board,
    /// How far the occupied squares are shifted in a key.
    shift: u32,
    /// Bits of a key.
    pub(super) key_bits: u32,
    /// The value of a full board for the player to move.
    pub(super) full: i32,
}

impl Layout {
    pub(super) fn new(kind: &Kind) -> Self {
        let squares = kind.cells.len() as u32;
        let is_spaced = kind.chains.len() < kind.cells.len() && squares as usize + kind.chains.len() <= 64;
        let mut bits = vec![0; kind.cells.len()];
        let (mut next, mut bottoms, mut lower) = (0, 0, 0);
        for chain in &kind.chains {
            bottoms |= 1 << next;
            for (at, &square) in chain.iter().enumerate() {
                bits[square] = next;
                lower |= u64::from((chain.len() - at) % 2 == 0) << next;
                next += 1;
            }
            next += u32::from(is_spaced);
        }
        let board = bits.iter().fold(0u64, |board, &bit| board | 1 << bit);
        let (shift, key_bits) = if is_spaced { (0, next) } else { (squares, 2 * squares) };
        Self {
            board,
            bottoms,
            supported: board & !bottoms,
            lower,
            squares,
            bits,
            all: kind.cells.iter().flatten().map(|&cell| Board::bit(cell)).collect(),
            cells: kind.cells.clone(),
            shift,
            key_bits,
            full: match kind.full {
                Outcome::Loss => -1,
                Outcome::Draw => 0,
                Outcome::Win => 1,
            },
        }
    }

    /// The empty squares that can be filled.
    #[inline(always)]
    pub(super) const fn playable(&self, occupied: u64) -> u64 {
        (occupied << 1 | self.bottoms) & self.board & !occupied
    }

    /// The squares of `set` that have a support, one square lower.
    #[inline(always)]
    pub(super) const fn below(&self, set: u64) -> u64 {
        (set & self.supported) >> 1
    }

    /// The squares above those of `set`.
    #[inline(always)]
    pub(super) const fn above(&self, set: u64) -> u64 {
        set << 1 & self.supported
    }

    /// A number of `key_bits` bits that no other board has, where `own` are some of the squares `occupied`.
    #[inline(always)]
    pub(super) const fn key(&self, own: u64, occupied: u64) -> u64 {
        (occupied << self.shift).wrapping_add(own)
    }

    /// The same number for boards of more than 32 squares without spare bits.
    #[inline(always)]
    pub(super) const fn wide_key(&self, own: u64, occupied: u64) -> u128 {
        ((occupied as u128) << self.shift) + own as u128
    }

    /// The board of `position`; `None` if it has a square with both colours, a piece without its support or a cell of no square.
    pub(super) fn sides(&self, position: Position) -> Option<Sides> {
        if !self.all.contains(position.board) {
            return None;
        }
        let mut words = [0u64; 2];
        for (cells, bit) in self.cells.iter().zip(&self.bits) {
            for (word, &cell) in words.iter_mut().zip(cells) {
                *word |= u64::from(position.board.contains(Board::bit(cell))) << bit;
            }
        }
        let [first, second] = words;
        let occupied = first | second;
        let is_sound = first & second == 0 && occupied & !(occupied << 1 | self.bottoms) == 0;
        let (own, other) = if position.mode == Mode(0) { (first, second) } else { (second, first) };
        is_sound.then_some(Sides { own, other })
    }

    /// The position after the player to move in `mode` puts a piece on `square`, the set of one square, from `position`.
    pub(super) fn after(&self, position: Position, square: u64) -> Option<Position> {
        let index = self.bits.iter().position(|&bit| 1 << bit == square)?;
        let cell = self.cells[index][usize::from(position.mode.0)];
        Some(Position::new(Mode(1 - position.mode.0), position.board | Board::bit(cell)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::tests::grid;
    use super::*;

    /// Boards of grids with spare bits, without chains, and with chains that leave no room for spare bits.
    #[test]
    fn keys_are_different_numbers() {
        let mut rng = fastrand::Rng::with_seed(3);
        for (rows, cols, falls) in [(4, 3, true), (3, 3, false), (6, 7, true), (8, 8, true), (5, 6, false)] {
            let layout = Layout::new(&Kind::of(&grid(rows, cols, 3, falls).build().unwrap()).unwrap());
            assert_eq!(layout.board.count_ones(), rows * cols);
            let mut seen = HashMap::new();
            for _ in 0..2_000 {
                let mut sides = Sides { own: 0, other: 0 };
                let mut position = Position::default();
                for _ in 0..rng.u32(..rows * cols) {
                    let playable: Vec<u32> =
                        (0..64).filter(|bit| layout.playable(sides.occupied()) >> bit & 1 == 1).collect();
                    let square = 1 << playable[rng.usize(..playable.len())];
                    position = layout.after(position, square).unwrap();
                    sides = Sides { own: sides.other, other: sides.own | square };
                }
                assert_eq!(layout.sides(position), Some(sides));
                let key = layout.wide_key(sides.own, sides.occupied());
                assert!(layout.key_bits == 128 || key >> layout.key_bits == 0);
                assert!(layout.key_bits > 64 || u128::from(layout.key(sides.own, sides.occupied())) == key);
                assert_eq!(*seen.entry(key).or_insert(sides), sides);
            }
        }
    }

    #[test]
    fn boards_of_no_game_are_refused() {
        let layout = Layout::new(&Kind::of(&grid(3, 3, 3, true).build().unwrap()).unwrap());
        let sides = |cells: &[u32]| layout.sides(Position::of(cells.iter().map(|&cell| Board::bit(cell)).collect()));
        // The cells of the second colour are 9 higher.
        assert!(sides(&[6, 3, 16, 13]).is_some());
        assert!(sides(&[6, 15]).is_none() && sides(&[3]).is_none() && sides(&[18]).is_none());
    }
}
