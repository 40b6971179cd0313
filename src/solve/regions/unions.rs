//! Which cells or squares may name the regions of a game up to symmetry: unions of orbits.

use crate::rules::Board;

/// Most choices that are compared.
const MOST_CHOICES: usize = 1 << 14;

/// Unions of some of `orbits`, each of at most `most` cells, none empty.
pub(in crate::solve) fn unions(orbits: &[Board], most: u32) -> Vec<Board> {
    let mut unions = vec![Board::EMPTY];
    for &orbit in orbits {
        let larger: Vec<Board> =
            unions.iter().map(|&union| union | orbit).filter(|union| union.count() <= most).collect();
        unions.extend(larger);
        unions.truncate(MOST_CHOICES);
    }
    unions.swap_remove(0);
    unions
}

/// The cycles of a permutation among `cells`, which it maps to one another.
pub(in crate::solve) fn cycles(permutation: &[u8], cells: Board) -> Vec<Board> {
    let (mut rest, mut cycles) = (cells, Vec::new());
    while let Some(first) = rest.bits().next() {
        let (mut cell, mut cycle) = (first, Board::EMPTY);
        loop {
            cycle |= Board::bit(cell);
            cell = permutation[cell as usize].into();
            if cell == first {
                break;
            }
        }
        rest &= !cycle;
        cycles.push(cycle);
    }
    cycles
}
