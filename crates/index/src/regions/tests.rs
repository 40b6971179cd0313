use std::collections::HashMap;

use super::*;
use crate::rules::samples::{Grid, men, mills, three_in_a_line};
use crate::symmetry::Group;

/// All boards on which no square has two pieces and the cells that no move changes are as at the start, by mode.
fn boards(rules: &Rules, planes: &Planes) -> Vec<Position> {
    let boards = (0..1u64 << rules.cells()).map(Board::from_word).filter(|&board| planes.has(board));
    boards.flat_map(|board| (0..rules.modes().len() as u16).map(move |mode| Position::new(Mode(mode), board))).collect()
}

fn index(rules: &Rules, has_symmetry: bool) -> Regions {
    let group = if has_symmetry { Group::of_rules(rules, &[]).unwrap() } else { Group::trivial().clone() };
    Regions::new(rules, &rules.start_positions(), None, &group).unwrap()
}

/// Checks that numbers and positions map to each other, and that moves lead where the regions say.
fn check(rules: &Rules, has_symmetry: bool) -> Regions {
    let index = index(rules, has_symmetry);
    let mut weights: HashMap<u64, u64> = HashMap::new();
    for position in boards(rules, &index.planes) {
        let Some(place) = index.find(position) else { continue };
        let Place::At(number) = place else {
            assert!(rules.is_over(position));
            continue;
        };
        *weights.entry(number).or_default() += 1;
        let region = index.region_of(number).unwrap();
        // Positions with one number are one class, so they have as many moves.
        let stored = index.position(number).unwrap();
        assert_eq!(rules.moves_from(stored).count(), rules.moves_from(position).count(), "{position:?} {stored:?}");
        assert_eq!(index.find(stored), Some(place));
        for next in rules.successors(stored) {
            let group = match index.find(next) {
                Some(Place::At(number)) => index.region_of(number).unwrap().group,
                Some(Place::Ended(outcome)) => {
                    assert_eq!(rules.ended(next), Some(outcome));
                    0
                }
                None => panic!("{next:?} after {stored:?}"),
            };
            assert!(group <= region.group);
        }
    }
    assert_eq!(weights.len() as u64, index.numbers());
    for number in 0..index.numbers() {
        let mut images = index.images(number);
        assert!(images.iter().all(|&image| index.find(image) == Some(Place::At(number))));
        images.sort_unstable();
        images.dedup();
        assert_eq!(
            (images.len() as u64, images.len() > 1),
            (index.weight(number), images.len() > 1 && index.has_classes())
        );
        // The twins are the numbers of the images under symmetries.
        let stored = index.position(number).unwrap();
        let of = |image| match index.find(image) {
            Some(Place::At(number)) => number,
            _ => panic!("{image:?}"),
        };
        let mut class: Vec<u64> = match has_symmetry {
            true => Group::of_rules(rules, &[]).unwrap().images(stored).into_iter().map(of).collect(),
            false => vec![number],
        };
        class.sort_unstable();
        class.dedup();
        let twins = index.twins(number);
        assert!(twins.iter().all(|twin| class.contains(twin)) && !twins.contains(&number));
        assert!(index.folds().is_none_or(|folds| folds.order() == 1) || twins.len() + 1 == class.len());
    }
    assert!(weights.iter().all(|(&number, &weight)| index.weight(number) == weight));
    assert_eq!((index.position(index.numbers()), index.region_of(u64::MAX)), (None, None));
    let sorted = index.regions().is_sorted_by_key(|region| region.base);
    assert!(sorted && index.regions().iter().all(|region| region.ended.is_none() || region.shape.size == 0));
    index
}

#[test]
fn each_board_has_one_number() {
    let grid = |rows, cols| Grid { rows, cols };
    for spec in [
        men(grid(3, 2), 2),
        men(grid(3, 3), 2),
        mills(grid(3, 2), 4),
        mills(grid(3, 3), 3),
        three_in_a_line(grid(3, 3)),
    ] {
        let rules = spec.build().unwrap();
        let [all, classes] = [false, true].map(|has_symmetry| check(&rules, has_symmetry));
        assert!(classes.numbers() < all.numbers(), "{}", rules.name());
    }
}

#[test]
fn one_side_is_stored_if_colours_can_be_exchanged() {
    let rules = mills(Grid { rows: 3, cols: 3 }, 4).build().unwrap();
    let index = index(&rules, true);
    // The modes of the hand have no counterpart; of the last two, the second is not stored.
    assert_eq!(index.swap[8..], [None, Some(8)]);
    assert!(index.swap[..8].iter().all(Option::is_none) && index.regions().iter().all(|region| region.mode != 9));
    assert!(index.orders().keeps_rows());
    // Ends of one side only leave no exchange.
    let mut spec = mills(Grid { rows: 3, cols: 3 }, 4);
    spec.count_ends.pop();
    let rules = spec.build().unwrap();
    assert!(super::tests::index(&rules, true).swap.iter().all(Option::is_none));
}

#[test]
fn the_index_of_a_part_has_the_regions_of_its_modes() {
    for (spec, modes) in [(mills(Grid { rows: 3, cols: 3 }, 4), 8..10), (mills(Grid { rows: 3, cols: 2 }, 3), 4..8)] {
        let rules = spec.build().unwrap();
        let has: Vec<bool> = (0..rules.modes().len() as u16).map(|mode| modes.contains(&mode)).collect();
        let starts = entries(&rules, &rules.start_positions(), &has).unwrap();
        let part = rules.part("part".into(), &modes.clone().map(Mode).collect::<Vec<_>>(), &starts).unwrap();
        for has_symmetry in [false, true] {
            let group =
                |rules| if has_symmetry { Group::of_rules(rules, &[]).unwrap() } else { Group::trivial().clone() };
            let roots = rules.start_positions();
            let [whole, part] = [
                Regions::new(&rules, &roots, Some(&has), &group(&rules)),
                Regions::new(&part, &part.start_positions(), None, &group(&part)),
            ]
            .map(Result::unwrap);
            let named = |index: &Regions, first: u16| -> Vec<_> {
                let mut all: Vec<_> =
                    index.regions().iter().map(|it| (it.mode - first, it.counts, it.ended, it.shape.size)).collect();
                all.sort_by_key(|it| (it.0, it.1));
                all
            };
            assert_eq!(named(&whole, modes.start), named(&part, 0));
            assert!(whole.numbers() == part.numbers() && part.numbers() > 0);
        }
    }
}

#[test]
fn groups_are_solved_from_the_last() {
    let rules = mills(Grid { rows: 3, cols: 3 }, 4).build().unwrap();
    let index = index(&rules, false);
    let list = index.list();
    for (number, group) in list.groups().iter().enumerate() {
        for &region in group {
            let leads = list.leads(region as usize).iter().flatten();
            let groups: Vec<usize> = leads.map(|lead| index.regions()[lead.region as usize].group as usize).collect();
            assert!(groups.iter().all(|&to| to <= number) && index.regions()[region as usize].group as usize == number);
            // With both modes of the moving phase, X with a men and O with b lead to each other.
            assert!(group.len() == 1 || groups.contains(&number));
        }
    }
    assert_eq!(list.groups().iter().map(Vec::len).max(), Some(2));
}

#[test]
fn what_has_no_index_is_refused() {
    let refused = |change: &dyn Fn(&mut crate::rules::RulesSpec)| {
        let mut spec = mills(Grid { rows: 3, cols: 2 }, 3);
        change(&mut spec);
        let rules = spec.build().unwrap();
        Regions::new(&rules, &rules.start_positions(), None, Group::trivial()).unwrap_err()
    };
    assert_eq!(
        refused(&|spec| (spec.counts[0].cells, spec.counts[0].most) = (Board::full(5), 5)),
        NoRegions::Condition
    );
    assert_eq!(refused(&|spec| spec.count_ends[0].count.cells = Board::full(4)), NoRegions::Condition);
    assert_eq!(refused(&|spec| spec.cells = 65), NoRegions::Planes);
}
