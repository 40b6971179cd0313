//! By which cells boards are folded up to symmetry.

use std::collections::BTreeSet;

use crate::rules::{Board, Rules, Symmetry};
use crate::solve::dense::block::TILE;
use crate::solve::dense::layout;
use crate::symmetry::{Fold, Group, MOST_FOLDED};

/// Most choices of region cells that are compared.
const MOST_CHOICES: usize = 1 << 14;
/// What another region to read costs, where all that is stored is one.
const A_CROSSING: f64 = 0.03;

/// The boards of `rules` up to the symmetries of `group`, if regions of them can stand for one another: the region cells are those
/// orbits of cells with which least is stored, and of equally good ones those that fewest moves fill. It is the same on
/// every machine.
#[must_use]
pub fn fold(rules: &Rules, group: &Group) -> Option<Fold> {
    if group.is_trivial() || rules.beyond().is_some() {
        return None;
    }
    let all = group.orbits_of_cells(rules.cells()).into_iter();
    let orbits: BTreeSet<Board> =
        all.map(|orbit| orbit.into_iter().map(|cell| Board::bit(cell as u32)).collect()).collect();
    let orbits: Vec<Board> = orbits.into_iter().collect();
    let most = MOST_FOLDED.min(rules.cells().saturating_sub(TILE));
    let costs = unions(&orbits, most).into_iter().map(|cells| (cost(rules, group, cells), cells));
    let (_, cells) = costs.min_by(|(a, cells), (b, others)| a.total_cmp(b).then_with(|| cells.cmp(others)))?;
    Fold::new(rules, layout::with_top(rules, cells, &orbits), cells.count(), group.clone())
}

/// Unions of some of `orbits`, each of at most `most` cells, none empty.
fn unions(orbits: &[Board], most: u32) -> Vec<Board> {
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

/// The part of all boards that is stored if `cells` are the region cells, and a little more for each region that a region needs.
fn cost(rules: &Rules, group: &Group, cells: Board) -> f64 {
    let mut crossings: BTreeSet<(Board, Board)> = BTreeSet::new();
    for m in rules.moves().iter().filter(|m| !(m.fills & !m.full & cells).is_empty()) {
        crossings.insert(((m.empty | m.full) & cells, m.fills & cells));
    }
    let read: f64 = crossings.iter().map(|(named, _)| 1.0 / (1u64 << named.count()) as f64).sum();
    stored(group, cells) * (1.0 + A_CROSSING * read)
}

/// The part of all regions that is stored, if `cells` are the region cells (Burnside's lemma).
fn stored(group: &Group, cells: Board) -> f64 {
    let Some(elements) = group.elements() else {
        // Of a group that is not listed: at least as much as one of each orbit.
        return 1.0 / group.order() as f64;
    };
    // An element keeps a region if each of its cycles is filled as a whole or not at all.
    let kept = |element: &Symmetry| -> f64 { 1.0 / (1u64 << (cells.count() - cycles(element, cells))) as f64 };
    elements.iter().map(kept).sum::<f64>() / elements.len() as f64
}

/// The cycles of `element` among `cells`.
fn cycles(element: &Symmetry, cells: Board) -> u32 {
    let (mut rest, mut count) = (cells, 0);
    while let Some(first) = rest.bits().next() {
        let mut cell = first;
        loop {
            rest = rest & !Board::bit(cell);
            cell = element.cells()[cell as usize].into();
            if cell == first {
                break;
            }
        }
        count += 1;
    }
    count
}
