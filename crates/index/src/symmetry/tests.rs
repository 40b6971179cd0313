//! Groups as permutations of points, compared with the list of their elements.

use super::listed::elements;
use super::search::{KINDS, MOST};
use super::*;
use crate::rules::RulesSpec;

/// What a cell or mode is named by: its points, in order or not. Two things with the same points have different kinds.
#[derive(Clone, PartialEq, Eq)]
struct Named {
    kind: u8,
    points: Vec<usize>,
    is_ordered: bool,
}

const FIXED: &[Vec<usize>] = &[Vec::new()];

/// A thing of this kind for each list of points.
fn named(kind: u8, is_ordered: bool, points: impl IntoIterator<Item = Vec<usize>>) -> Vec<Named> {
    points.into_iter().map(|points| Named { kind, points, is_ordered }).collect()
}

fn one_each(points: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..points).map(|point| vec![point])
}

/// All pairs of different points, in one order or in both.
fn pairs(points: usize, both: bool) -> impl Iterator<Item = Vec<usize>> {
    let others = move |a| (if both { 0 } else { a + 1 })..points;
    (0..points).flat_map(move |a| others(a).filter(move |&b| b != a).map(move |b| vec![a, b]))
}

/// A permutation of points as a permutation of the things that they name.
fn permuted(things: &[Named], of_point: impl Fn(usize) -> usize) -> Vec<usize> {
    let image = |thing: &Named| {
        let mut points: Vec<usize> = thing.points.iter().map(|&point| of_point(point)).collect();
        if !thing.is_ordered {
            points.sort_unstable();
        }
        let image = Named { points, ..*thing };
        things.iter().position(|it| *it == image).unwrap()
    };
    things.iter().map(image).collect()
}

/// The exchanges of neighbouring points of each lot.
fn exchanges(lots: &[usize], cells: &[Named], modes: &[Named]) -> Vec<Symmetry> {
    let firsts = lots.iter().scan(0, |next, lot| Some(std::mem::replace(next, *next + lot)));
    let lower = firsts.zip(lots).flat_map(|(first, lot)| first..first + lot - 1);
    let exchange = |a: usize| {
        let swap = |point| {
            if point == a {
                a + 1
            } else if point == a + 1 {
                a
            } else {
                point
            }
        };
        let cells = permuted(cells, swap).into_iter().map(|to| to as u8).collect();
        Symmetry::new(cells, permuted(modes, swap).into_iter().map(|to| to as u16).collect()).unwrap()
    };
    lower.map(exchange).collect()
}

/// `count` boards of every density, drawn from a seed, and the boards without any cell and with all.
fn boards(cells: u32, count: u32) -> Vec<Board> {
    let mut random = fastrand::Rng::with_seed(7);
    let drawn = (0..count).map(|number| {
        Board::from_number((0..cells).fold(0, |board, cell| board | u128::from(random.u32(..8) < number % 8) << cell))
    });
    [Board::EMPTY, Board::full(cells)].into_iter().chain(drawn).collect()
}

/// The least of all images and the number of elements that leave a position unchanged equal those found by a plain comparison.
fn check_against_list(group: &Group, elements: &[Symmetry], (cells, modes): (u32, u16), count: u32) {
    let key = |position: Position| {
        let mode = group.order_of_modes().iter().position(|&mode| mode == position.mode.0).unwrap();
        (mode, group.order_of_cells().iter().map(|&cell| position.board.has(cell.into())).collect::<Vec<_>>())
    };
    assert_eq!(group.order(), elements.len() as u64);
    for (number, board) in (0..).zip(boards(cells, count)) {
        let position = Position::new(Mode(number % modes), board);
        let images: Vec<Position> = elements.iter().map(|it| it.of(position)).collect();
        let least = *images.iter().min_by_key(|&&image| key(image)).unwrap();
        let stabilizer = images.iter().filter(|&&image| image == position).count() as u64;
        assert_eq!(group.representative_and_stabilizer(position), Representative { position: least, stabilizer });
        assert_eq!(group.representative(position), least);
        assert_eq!(group.representative_of(position.mode, board.number()), (least.mode, least.board.number()));
        assert_eq!(group.orbit(position), elements.len() as u64 / stabilizer);
        if number % 10 == 0 {
            assert_eq!(group.images(position).len() as u64, group.orbit(position));
        }
    }
}

fn group_of_points(lots: &[usize], cells: &[Named], modes: &[Named]) -> (Group, Vec<Symmetry>) {
    let generators = exchanges(lots, cells, modes);
    let (points, used) = Points::new(cells.len() as u32, modes.len(), &generators).unwrap();
    assert_eq!(used, generators);
    let elements = elements(cells.len() as u32, modes.len(), &generators, 1 << 14).unwrap();
    (Group::with(used, points.order(), GroupForm::Points(Box::new(points))), elements)
}

/// In each case, cells or modes belong to the points in another way.
#[test]
fn permutations_of_points_find_the_least_image() {
    let fixed = || named(0, true, FIXED.to_vec());
    let alone = |kind| named(kind, true, one_each(5));
    let by_rows: Vec<Named> = (0..5)
        .rev()
        .flat_map(|a| (a..5).rev().map(move |b| (a, b)))
        .flat_map(|(a, b)| named(1, false, [if a == b { vec![a] } else { vec![a, b] }]))
        .collect();
    let cases = [
        // Cells in the order in which they are compared, and in other orders.
        (by_rows, alone(1)),
        ([alone(1), named(2, false, pairs(5, false)), fixed()].concat(), [fixed(), alone(1)].concat()),
        ([fixed(), named(2, true, pairs(5, true)), alone(1)].concat(), [alone(1), fixed(), alone(2)].concat()),
        ([named(1, false, pairs(5, false)), alone(2), named(3, false, pairs(5, false)), alone(4)].concat(), fixed()),
        // Kinds of cells after the ordered pairs, and more kinds than a search has.
        (
            (0..=KINDS as u8)
                .flat_map(|kind| named(kind, true, FIXED.to_vec()))
                .chain([named(5, true, pairs(5, true)), named(6, false, pairs(5, false))].concat())
                .collect(),
            fixed(),
        ),
    ];
    for (cells, modes) in cases {
        let (group, elements) = group_of_points(&[5], &cells, &modes);
        assert_eq!((group.name(), group.order(), group.is_trivial()), ("S5", 120, false));
        check_against_list(&group, &elements, (cells.len() as u32, modes.len() as u16), 120);
    }
}

/// Cells belong to a point of each lot, and modes to a point of one lot.
#[test]
fn permutations_of_two_lots_find_the_least_image() {
    let both = (0..5).flat_map(|a| (5..10).map(move |b| vec![a, b]));
    let cells = [named(1, true, both), named(2, true, one_each(5))].concat();
    let modes = [named(1, true, (5..10).map(|point| vec![point])), named(2, true, FIXED.to_vec())].concat();
    let (group, elements) = group_of_points(&[5, 5], &cells, &modes);
    assert_eq!((group.name(), group.order()), ("S5xS5", 14400));
    check_against_list(&group, &elements, (cells.len() as u32, modes.len() as u16), 16);
}

/// The most points that a search permutes, and the most cells that it compares. There are too many permutations to try each: the search
/// must notice that points can be exchanged without a change.
#[test]
fn many_points_find_the_least_image() {
    let mode = named(0, true, FIXED.to_vec());
    let search =
        |lots: &[usize], cells: &[Named]| Some(Points::new(cells.len() as u32, 1, &exchanges(lots, cells, &mode))?.0);
    let check = |points: &Points, board: u64, least: u64, stabilizer: u64| {
        let position = |word| Position::new(Mode(0), Board::from_word(word));
        assert_eq!(points.least(position(board)), Representative { position: position(least), stabilizer });
    };
    let factorial = |points: u32| (1..=u64::from(points)).product::<u64>();
    let last = |count: u32| (1u64 << count) - 1;

    // One cell for each point, the last point in the lowest bit: the marked points come last.
    let cells = named(1, true, one_each(16).collect::<Vec<_>>().into_iter().rev());
    let points = search(&[16], &cells).unwrap();
    assert_eq!((points.name(), points.order()), ("S16".to_owned(), factorial(16)));
    for board in [0, 0x0200, 0xA659, 0xFFFF_u64] {
        let marked = board.count_ones();
        check(&points, board, last(marked), factorial(marked) * factorial(16 - marked));
    }
    assert!(search(&[17], &named(1, true, one_each(17))).is_none());

    // Eight rows of eight cells, whose rows and columns are permuted.
    let squares = (0..8).rev().flat_map(|row| (8..16).rev().map(move |column| vec![row, column]));
    let points = search(&[8, 8], &named(1, true, squares)).unwrap();
    let rows = |rows: u64, row: u64| (0..8).filter(|at| rows >> at & 1 == 1).map(|at| row << (8 * at)).sum::<u64>();
    for (marked, row) in [(0u64, 0u64), (0b1001_0010, 0b0110_1101), (0xFF, 0xFF)] {
        let (height, width) = (marked.count_ones(), row.count_ones());
        let unchanged = [height, 8 - height, width, 8 - width].into_iter().map(factorial).product();
        check(&points, rows(marked, row), rows(last(height), last(width)), unchanged);
    }
}

#[test]
fn cells_of_three_points_have_no_search() {
    let triples = (0..6).flat_map(|a| (a + 1..6).flat_map(move |b| (b + 1..6).map(move |c| vec![a, b, c])));
    let (cells, modes) = (named(1, false, triples), named(1, true, FIXED.to_vec()));
    assert!(Points::new(20, 1, &exchanges(&[6], &cells, &modes)).is_none());
    // A mode of two points has none either, nor has a row of more cells than a word has bits.
    let (cells, pairs) = (named(1, true, one_each(5)), named(1, false, pairs(5, false)));
    assert!(Points::new(5, 10, &exchanges(&[5], &cells, &pairs)).is_none());
    let cells: Vec<Named> = (0..13).flat_map(|kind| named(kind, true, one_each(5))).collect();
    assert!(Points::new(65, 1, &exchanges(&[5], &cells, &modes)).is_none());
    // The points of all lots together are limited too.
    for (lots, has_search) in [([5, MOST - 5], true), ([5, MOST - 4], false)] {
        let points = lots.iter().sum();
        let swaps = exchanges(&lots, &named(1, true, one_each(points)), &modes);
        assert_eq!(Points::new(points as u32, 1, &swaps).is_some(), has_search);
    }
}

/// Rules without moves have every permutation of cells as a symmetry. Here these are all permutations of some of the cells, and with
/// them perhaps an exchange of the last two.
#[test]
fn large_groups_are_searched_and_others_are_listed() {
    let rules = RulesSpec::new("no-moves", 9).build().unwrap();
    let mut groups: Vec<Group> = Vec::new();
    for (points, with_last, order, is_listed) in [
        (4, false, 24, true),
        (4, true, 48, true),
        (5, false, 120, false),
        (5, true, 240, true),
        (6, false, 720, false),
        // The exchange of the last two cells is left out, because the group is neither searched nor listed with it.
        (6, true, 720, false),
        (7, true, 5040, false),
    ] {
        let mut swaps: Vec<[u8; 2]> = (0..points - 1).map(|point| [point, point + 1]).collect();
        swaps.extend(with_last.then_some([7, 8]));
        let swaps = swaps.into_iter().map(|[a, b]| {
            let mut cells: Vec<u8> = (0..9).collect();
            cells.swap(a.into(), b.into());
            Symmetry::new(cells, vec![0]).unwrap()
        });
        let group = Group::new(&rules, &rules.start_positions(), &swaps.collect::<Vec<_>>()).unwrap();
        assert_eq!((group.order(), group.elements().is_some()), (order, is_listed));
        // The sixth group is the fifth again.
        assert_eq!(groups.contains(&group), (points, with_last) == (6, true));
        groups.push(group);
    }
    assert_eq!(format!("{:?}", groups[2]), "Group { name: \"S5\", order: 120, .. }");
    assert!(Group::trivial().is_trivial());
}

/// Groups of up to eight elements, of more, and of so many that a table lookup maps fewer bits. Boards of 64 and of 128
/// cells fill the word that holds them.
#[test]
fn listed_groups_find_the_least_image() {
    let turns = |cells: u8| Symmetry::new((0..cells).map(|cell| (cell + 1) % cells).collect(), vec![1, 0, 2]).unwrap();
    let flip = |cells: u8| Symmetry::new((0..cells).rev().collect(), vec![0, 1, 2]).unwrap();
    let of_five = [named(1, true, one_each(5)), named(2, false, pairs(5, false)), named(3, true, one_each(5))].concat();
    let of_points = exchanges(&[5], &of_five, &named(1, true, [vec![], vec![], vec![]].into_iter().take(1)));
    let cases = [
        (4, vec![turns(4), flip(4)], 3),
        (10, vec![turns(10), flip(10)], 3),
        (17, vec![turns(17)], 3),
        (64, vec![turns(64), flip(64)], 3),
        (70, vec![turns(70), flip(70)], 3),
        (128, vec![turns(128)], 3),
        (20, of_points, 1),
    ];
    for (cells, generators, modes) in cases {
        let (form, order) = GroupForm::listed(cells, modes.into(), &generators).unwrap();
        let group = Group::with(generators, order, form);
        let elements = group.elements().unwrap().to_vec();
        check_against_list(&group, &elements, (cells, modes), 120);
    }
}
