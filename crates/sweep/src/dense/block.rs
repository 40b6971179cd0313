//! The units of the sweep: a block of 512 positions, and a tile of 16 blocks.
//!
//! ```text
//! index of a position:    upper (which tile)    | mid (4 bits)  | low (9 bits)
//!                         one of 2^(cells - 13) | block of tile | bit of block
//! ```
//!
//! A block is 512 consecutive positions of one mode: one vector. A tile is the unit in which legality is decided: the
//! upper part of a move is looked at once for 8192 positions.

pub(super) use crate::simd::Block;

/// Index bits inside a block.
pub(super) const LOW: u32 = 9;
/// Index bits that choose a block of its tile.
pub(super) const MID: u32 = 4;
/// Index bits inside a tile.
pub(super) const TILE: u32 = LOW + MID;
/// Blocks of a tile.
pub(super) const BLOCKS: usize = 1 << MID;

/// For each low cell, the positions of a block that have it filled.
pub(super) static FILLED: [Block; LOW as usize] = of_each_cell(true);

/// For each low cell, the positions of a block that have it empty.
pub(super) static EMPTY: [Block; LOW as usize] = of_each_cell(false);

const fn of_each_cell(filled: bool) -> [Block; LOW as usize] {
    let mut table = [Block::ONES; LOW as usize];
    let mut cell = 0;
    while cell < LOW as usize {
        table[cell] = if filled { Block::of_cells(0, 1 << cell) } else { Block::of_cells(1 << cell, 0) };
        cell += 1;
    }
    table
}

/// Blocks of a tile, as a set of their numbers.
pub(super) type Group = u16;

/// Every block of a tile.
pub(super) const ALL: Group = Group::MAX;

/// Blocks with equally many mid cells filled, the most first. They do not depend on each other: solved side by side,
/// they keep the processor busy while one waits for its own last operation.
pub(super) const GROUPS: [Group; 5] = [
    1 << 15,
    1 << 14 | 1 << 13 | 1 << 11 | 1 << 7,
    1 << 12 | 1 << 10 | 1 << 9 | 1 << 6 | 1 << 5 | 1 << 3,
    1 << 8 | 1 << 4 | 1 << 2 | 1 << 1,
    1 << 0,
];

/// The members of a small set, of blocks or of cells, lowest first.
#[inline(always)]
pub(super) const fn bits_of(set: u16) -> Bits {
    // Wider than the set: arithmetic on 16 bits is slow on x86-64.
    Bits(set as u32)
}

/// The iterator of [`bits_of`].
pub(super) struct Bits(u32);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let left = self.0;
        self.0 &= left.wrapping_sub(1);
        (left != 0).then_some(left.trailing_zeros() as usize)
    }
}
