//! The pits of a Kalah board and their cells.
//!
//! A pit is a house or a store. It has a row of cells, one for each seed of the game, filled from the left: a pit with
//! three seeds has its first three cells filled. So each number of seeds in a pit is a mask of two cells at most.

use crate::rules::Board;
use crate::side::{SIDES, Side};

/// The most cells of a board. A table of reachable positions has 127 bits for the board and the mode, which takes one bit.
pub(super) const MOST_CELLS: u32 = 126;

/// The pits of a board. They are numbered in the order of sowing: the houses of the first player, their store, the
/// houses of the second player, their store.
///
/// ```text
///           f   e   d              6   5   4
///       S               F      7               3      three houses each; F and S are the stores
///           a   b   c              0   1   2
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pits {
    /// The houses of each player.
    pub(super) houses: u32,
    /// The seeds in each house at the start.
    pub(super) seeds: u32,
}

impl Pits {
    /// The number of pits.
    pub(super) const fn count(self) -> u32 {
        2 * self.houses + 2
    }

    /// The number of seeds of the whole game, and of cells of each pit.
    pub(super) const fn total(self) -> u32 {
        2 * self.houses * self.seeds
    }

    /// The number of cells; `None` if they do not fit on a board.
    pub(super) fn cells(self) -> Option<u32> {
        let houses = u64::from(self.houses);
        let cells = (2 * houses + 2).checked_mul(2 * houses)?.checked_mul(self.seeds.into())?;
        u32::try_from(cells).ok().filter(|&cells| cells <= MOST_CELLS)
    }

    /// The largest board that fits, with as many houses if possible, else with one seed in each house.
    pub(super) fn largest_below(self) -> Self {
        let mut most = Self { seeds: 1, houses: self.houses.min(MOST_CELLS) };
        while most.cells().is_none() {
            most.houses -= 1;
        }
        let with = |seeds| Self { seeds, ..most };
        (1..self.seeds.min(MOST_CELLS)).rev().map(with).find(|pits| pits.cells().is_some()).unwrap_or(most)
    }

    /// The cell of `pit` that is filled if the pit has more than `seeds` seeds.
    pub(super) const fn cell(self, pit: u32, seeds: u32) -> Board {
        Board::at(pit * self.total() + seeds, self.count() * self.total())
    }

    /// The cells of `pit` from number `from` up to, but not including, number `to`.
    pub(super) fn span(self, pit: u32, from: u32, to: u32) -> Board {
        (from..to).map(|seeds| self.cell(pit, seeds)).collect()
    }

    /// The pit that follows `steps` pits after the first house of `side`.
    pub(super) const fn after(self, side: Side, steps: u32) -> u32 {
        let first = match side {
            Side::First => 0,
            Side::Second => self.houses + 1,
        };
        (first + steps) % self.count()
    }

    /// The houses of `side`, in the order of sowing.
    pub(super) fn houses_of(self, side: Side) -> impl DoubleEndedIterator<Item = u32> + Clone {
        (0..self.houses).map(move |house| self.after(side, house))
    }

    /// The store of `side`.
    pub(super) const fn store_of(self, side: Side) -> u32 {
        self.after(side, self.houses)
    }

    /// The cells of the houses of `side`.
    pub(super) fn cells_of_houses(self, side: Side) -> Board {
        self.houses_of(side).map(|pit| self.span(pit, 0, self.total())).fold(Board::EMPTY, |all, part| all | part)
    }

    /// The cells of the houses and the store of `side`.
    pub(super) fn cells_of(self, side: Side) -> Board {
        self.cells_of_houses(side) | self.span(self.store_of(side), 0, self.total())
    }

    /// The number of filled cells of `pit`.
    pub(super) fn seeds_in(self, board: Board, pit: u32) -> u32 {
        (board & self.span(pit, 0, self.total())).count()
    }

    /// The board with this number of seeds in each pit.
    pub(super) fn board(self, seeds: &[u32]) -> Board {
        (0..).zip(seeds).map(|(pit, &seeds)| self.span(pit, 0, seeds)).fold(Board::EMPTY, |all, part| all | part)
    }

    /// The board before the first move.
    pub(super) fn start(self) -> Board {
        let house = |side| self.houses_of(side).map(|pit| self.span(pit, 0, self.seeds));
        SIDES.into_iter().flat_map(house).fold(Board::EMPTY, |all, part| all | part)
    }

    /// The name of `house`, which is not a store: its letter.
    pub(super) fn name(self, house: u32) -> String {
        let letter = if house > self.houses { house - 1 } else { house };
        char::from_u32('a' as u32 + letter).map(String::from).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PITS: Pits = Pits { houses: 3, seeds: 2 };

    #[test]
    fn pits_are_numbered_in_the_order_of_sowing() {
        let of = |side| (PITS.houses_of(side).collect::<Vec<_>>(), PITS.store_of(side));
        assert_eq!((of(Side::First), of(Side::Second)), ((vec![0, 1, 2], 3), (vec![4, 5, 6], 7)));
        assert_eq!(PITS.after(Side::Second, 4), 0);
        assert_eq!([0, 2, 4, 6].map(|house| PITS.name(house)), ["a", "c", "d", "f"]);
    }

    #[test]
    fn cells_are_filled_from_the_left() {
        let board = PITS.board(&[0, 3, 3, 1, 0, 2, 2, 1]);
        assert_eq!((0..8).map(|pit| PITS.seeds_in(board, pit)).collect::<Vec<_>>(), [0, 3, 3, 1, 0, 2, 2, 1]);
        assert_eq!(PITS.start(), PITS.board(&[2, 2, 2, 0, 2, 2, 2, 0]));
        assert!(board.contains(PITS.cell(1, 2)) && !board.contains(PITS.cell(1, 3)));
        assert_eq!(PITS.cells_of(Side::First) | PITS.cells_of(Side::Second), Board::full(96));
    }

    #[test]
    fn boards_that_fit() {
        let cells = |houses, seeds| Pits { houses, seeds }.cells();
        assert_eq!([cells(3, 2), cells(5, 1), cells(2, 5), cells(1, 15)], [Some(96), Some(120), Some(120), Some(120)]);
        assert_eq!([cells(3, 3), cells(6, 4), cells(1, 16), cells(u32::MAX, u32::MAX)], [None; 4]);
    }
}
