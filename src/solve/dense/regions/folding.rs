//! By which cells boards are folded up to symmetry.

use std::collections::BTreeSet;

use super::crossings::Crossings;
use crate::plane::Layout;
use crate::rules::{Board, Rules, Symmetry};
use crate::solve::dense::block::TILE;
use crate::solve::dense::layout;
use crate::solve::dense::part::Cut;
use crate::solve::regions::{cycles, unions};
use crate::symmetry::{Fold, Group, MOST_FOLDED};

/// What another region to read costs, where all that is stored is one.
const A_CROSSING: f64 = 0.03;
/// Positions for which another order of the region cells is tried: that takes as long as sweeping some of them.
const A_TRIAL: u128 = 1 << 27;
/// Most orders that are tried.
const MOST_TRIALS: u128 = 256;
/// What part of the stored regions is taken to be in memory at once, to compare orders. It is no matter of the machine, since the
/// order stands in the table.
const IN_MEMORY: usize = 8;

/// The boards of `rules` up to the symmetries of `group`, if regions of them can stand for one another: the region cells are those
/// orbits of cells with which least is stored, and of equally good ones those that fewest moves fill. It is the same on
/// every machine.
#[must_use]
pub fn fold(rules: &Rules, group: &Group) -> Option<Fold> {
    let fold = fold_untried(rules, group)?;
    let trials = (rules.positions() / A_TRIAL).min(MOST_TRIALS);
    Some(with_fewer_loads(rules, fold, trials as usize))
}

/// As [`fold`], with the region cells in the first order that comes to mind. As much is stored, and it is known at once; but
/// regions are not swept so soon.
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

/// `fold` with its region cells in an order in which less is loaded: places are exchanged as long as that helps, `trials` times at most.
fn with_fewer_loads(rules: &Rules, mut fold: Fold, trials: usize) -> Fold {
    let mut least = if trials > 0 { loads(rules, &fold) } else { 0 };
    let places = fold.cells() - fold.region_cells()..fold.cells();
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

/// `fold` with the cells of two places of its region cells exchanged.
fn exchanged(rules: &Rules, fold: &Fold, low: u8, high: u8) -> Option<Fold> {
    let places = fold.layout().permutation().iter().map(|&place| match place {
        place if place == low => high,
        place if place == high => low,
        place => place,
    });
    Fold::new(rules, Layout::new(places.collect()).ok()?, fold.region_cells(), fold.group().clone())
}

/// How many pieces are loaded if the regions of `fold` are swept, and some of them are in memory.
fn loads(rules: &Rules, fold: &Fold) -> u64 {
    let cut = Cut::new(rules.cells(), fold.region_cells());
    let crossings = Crossings::new(&fold.layout().apply(rules), cut, Some(fold));
    crossings.schedule(false, fold.stored().len() / IN_MEMORY).loads(|_| 1)
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
    let kept = |element: &Symmetry| -> f64 {
        1.0 / (1u64 << (cells.count() as usize - cycles(element.cells(), cells).len())) as f64
    };
    elements.iter().map(kept).sum::<f64>() / elements.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::{Grid, runs};

    /// Another order stores the same, and loads a good deal less.
    #[test]
    fn region_cells_are_put_in_an_order_that_loads_less() {
        let rules = &runs(Grid { rows: 6, cols: 6 }, 6).build().unwrap();
        let chosen = fold(rules, &Group::of_rules(rules, &rules.start_positions()).unwrap()).unwrap();
        let orbits: Vec<Board> = Vec::new();
        let region_cells = chosen.layout().board(!0 << (chosen.cells() - chosen.region_cells()));
        let plain = layout::with_top(rules, region_cells, &orbits);
        let plain = Fold::new(rules, plain, chosen.region_cells(), chosen.group().clone()).unwrap();
        assert_eq!(with_fewer_loads(rules, plain.clone(), 0), plain);
        let (before, after) = (loads(rules, &plain), loads(rules, &with_fewer_loads(rules, plain.clone(), 200)));
        assert!(after * 10 < before * 9, "{before} loads before, {after} after");
        assert!(loads(rules, &chosen) * 10 < before * 9);
        assert_eq!(chosen.stored().len(), plain.stored().len());
    }
}
