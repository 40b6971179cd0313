//! The choice of slice cells up to symmetry.

use std::collections::BTreeSet;

use super::space::{dependencies, swept};
use crate::dense::block::TILE;
use crate::dense::layout;
use crate::dense::part::Cut;
use crate::plane::Layout;
use crate::rules::{Board, Rules};
use crate::slices::{Schedule, cycles, stored_share, unions};
use crate::symmetry::{Fold, Group, MOST_FOLDED};

/// The cost of reading another slice, where storing a whole slice costs 1.
const A_DEPENDENCY: f64 = 0.03;
/// Positions of the game per trial of an order: a trial takes about as long as sweeping a part of these.
const A_TRIAL: u128 = 1 << 27;
/// The most orders to try.
const MOST_TRIALS: u128 = 256;
/// Orders are compared as if 1 in `IN_MEMORY` of the stored slices fitted into memory. The order is part of the table,
/// so it must not depend on the machine's memory.
const IN_MEMORY: usize = 8;

/// The fold of the boards of `rules` under the symmetries of `group`, if slices can be images of one another. The slice
/// cells are the union of orbits of cells that has the lowest cost: least is stored, and few other slices are read. The
/// result is the same on every machine.
#[must_use]
pub fn fold(rules: &Rules, group: &Group) -> Option<Fold> {
    let fold = fold_untried(rules, group)?;
    let trials = (rules.positions() / A_TRIAL).min(MOST_TRIALS);
    Some(with_fewer_loads(rules, fold, trials as usize))
}

/// Like [`fold`], with the slice cells in an order that is not optimised. It stores as many slices and is found at
/// once, but the sweep loads more of them.
#[must_use]
pub fn fold_untried(rules: &Rules, group: &Group) -> Option<Fold> {
    if group.is_trivial() || rules.sweep_obstacle().is_some() {
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

/// `fold` with its slice cells in an order with fewer loads. Places are exchanged while that helps, at most `trials`
/// times.
fn with_fewer_loads(rules: &Rules, mut fold: Fold, trials: usize) -> Fold {
    let mut least = if trials > 0 { loads(rules, &fold) } else { 0 };
    let places = fold.cells() - fold.slice_cells()..fold.cells();
    let pairs = places.clone().flat_map(|high| (places.start..high).map(move |low| (low as u8, high as u8)));
    let (all, mut in_vain) = (pairs.clone().count(), 0);
    for (low, high) in pairs.cycle().take(trials) {
        in_vain += 1;
        if let Some(other) = exchanged(rules, &fold, low, high) {
            let found = loads(rules, &other);
            if found < least {
                (least, fold, in_vain) = (found, other, 0);
            }
        }
        if in_vain == all {
            break;
        }
    }
    fold
}

/// `fold` with two of its slice cells exchanged.
fn exchanged(rules: &Rules, fold: &Fold, low: u8, high: u8) -> Option<Fold> {
    let places = fold.layout().permutation().iter().map(|&place| match place {
        place if place == low => high,
        place if place == high => low,
        place => place,
    });
    Fold::new(rules, Layout::new(places.collect()).ok()?, fold.slice_cells(), fold.group().clone())
}

/// The number of loads in a sweep of the slices of `fold` with 1 in [`IN_MEMORY`] of them in memory.
fn loads(rules: &Rules, fold: &Fold) -> u64 {
    let cut = Cut::new(rules.cells(), fold.slice_cells());
    let dependencies = dependencies(&fold.layout().apply(rules), cut);
    let mut order = swept(cut, Some(fold));
    order.reverse();
    let needed: Vec<Vec<u64>> = order.iter().map(|&slice| dependencies.needed(slice, false)).collect();
    let capacity = (fold.stored().len() / IN_MEMORY) as u64;
    Schedule::new(&order, &needed, |_| capacity, |_| 1).loads(|_| 1)
}

/// The cost of `cells` as slice cells: the share of boards that is stored, and a little more for each slice that a
/// slice depends on.
fn cost(rules: &Rules, group: &Group, cells: Board) -> f64 {
    let mut dependencies: BTreeSet<(Board, Board)> = BTreeSet::new();
    for m in rules.moves().iter().filter(|m| !(m.fills & !m.full & cells).is_empty()) {
        dependencies.insert(((m.empty | m.full) & cells, m.fills & cells));
    }
    let read: f64 = dependencies.iter().map(|(named, _)| 1.0 / (1u64 << named.count()) as f64).sum();
    stored(group, cells) * (1.0 + A_DEPENDENCY * read)
}

/// The share of slices that is stored if `cells` are the slice cells (Burnside's lemma).
fn stored(group: &Group, cells: Board) -> f64 {
    // A symmetry keeps a slice if each of its cycles is wholly filled or wholly empty.
    stored_share(group, |element| {
        1.0 / (1u64 << (cells.count() as usize - cycles(element.cells(), cells).len())) as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::{Grid, runs};

    /// A better order of the slice cells stores the same and loads much less.
    #[test]
    fn slice_cells_are_put_in_an_order_that_loads_less() {
        let rules = &runs(Grid { rows: 6, cols: 6 }, 6).build().unwrap();
        let chosen = fold(rules, &Group::of_rules(rules, &rules.start_positions()).unwrap()).unwrap();
        let orbits: Vec<Board> = Vec::new();
        let slice_cells = chosen.layout().board(!0 << (chosen.cells() - chosen.slice_cells()));
        let plain = layout::with_top(rules, slice_cells, &orbits);
        let plain = Fold::new(rules, plain, chosen.slice_cells(), chosen.group().clone()).unwrap();
        assert_eq!(with_fewer_loads(rules, plain.clone(), 0), plain);
        let (before, after) = (loads(rules, &plain), loads(rules, &with_fewer_loads(rules, plain.clone(), 200)));
        assert!(after * 10 < before * 9, "{before} loads before, {after} after");
        assert!(loads(rules, &chosen) * 10 < before * 9);
        assert_eq!(chosen.stored().len(), plain.stored().len());
    }
}
