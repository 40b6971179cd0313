//! Choices of slice cells up to symmetry: unions of orbits of cells, so that symmetries map slices to slices.

use crate::rules::{Board, Symmetry};
use crate::symmetry::Group;

/// The most choices to compare.
const MOST_CHOICES: usize = 1 << 14;

/// Nonempty unions of `orbits` with at most `most` cells.
pub(crate) fn unions(orbits: &[Board], most: u32) -> Vec<Board> {
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

/// The cycles of a permutation of `cells`.
pub(crate) fn cycles(permutation: &[u8], cells: Board) -> Vec<Board> {
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

/// The share of positions that is stored up to the symmetries of `group` (Burnside's lemma). `kept` is the share of
/// positions whose slice a symmetry keeps.
pub(crate) fn stored_share(group: &Group, kept: impl Fn(&Symmetry) -> f64) -> f64 {
    match group.elements() {
        Some(elements) => elements.iter().map(kept).sum::<f64>() / elements.len() as f64,
        // A group too large to list: a lower bound, as if no symmetry but the identity kept a slice.
        None => 1.0 / group.order() as f64,
    }
}
