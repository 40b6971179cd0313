use fastrand::Rng;

use super::*;
use crate::Options;
use crate::index::Regions;
use crate::rules::samples::{Grid, men, mills, three_in_a_line};
use crate::rules::{Board, Count, CountEnd, End, Mode, Move, Outcome, Player, Position, Rules, RulesSpec, Start, Take};
use crate::simd::VectorUnit;
use crate::symmetry::Group;

/// Solves all regions, and compares the labels with those of the reference implementation. Returns how many draws by repetition there are, and
/// whether rows are kept; `None` if there is no index by regions.
fn compare(rules: &Rules, group: &Group) -> Option<(usize, bool)> {
    let index = Regions::new(rules, &rules.start_positions(), None, group).ok()?;
    let expected = reference::solve(rules, &index, None).unwrap();
    for unit in [VectorUnit::Portable, VectorUnit::best()] {
        let mut store = InMemory::new(&index);
        solve_groups(rules, &index, &Options::default(), unit, &mut store).unwrap();
        let labels = store.into_labels();
        let plies = labels.iter().flatten().flat_map(|labels| labels.plies.iter().copied());
        assert!(plies.eq(expected.plies.iter().copied()), "{} of {rules:?}", group.order());
        let (outcomes, _, longest) = assembled::assembled(&index, labels);
        assert!(outcomes == expected.outcomes, "{} of {rules:?}", group.order());
        assert_eq!(longest, expected.longest);
    }
    let repeating = expected.plies.iter().filter(|&&plies| plies == u16::MAX).count();
    Some((repeating, index.orders().keeps_rows()))
}

/// Random rules in which pieces of two colours are placed, step, flip others and take them; one cell belongs to no square. Numbers of pieces
/// allow moves and end the game, lines that are filled take pieces, and some moves are legal only without others.
fn random_men(draw: &mut Rng, only_own: bool, has_counts: bool) -> Rules {
    let squares = draw.u32(2..=5);
    let cell = |colour: u32, square: u32| Board::bit(colour * squares + square);
    let aside = Board::bit(2 * squares);
    let none = Board::EMPTY;
    let colour = |colour: u32| Board::full(squares) << (colour * squares);
    let counts: Vec<Count> = (0..3)
        .map(|number| {
            let cells = if number == 2 { colour(0) | colour(1) } else { colour(number) };
            let least = draw.u8(..3);
            Count { cells, least, most: draw.u8(least..=squares as u8) }
        })
        .collect();
    let mut takes = Vec::new();
    let percent_otherwise = [0, 0, 30, 90][draw.usize(..4)];
    // With many moves, each square gets the same two cells that conditions count.
    let count = if has_counts { draw.usize(30..80) } else { draw.usize(4..60) };
    let moves = (0..count).map(|_| {
        let (mine, a, b) = (draw.u32(..2), draw.u32(..squares), draw.u32(..squares));
        let (own, other, there) = (cell(mine, a), cell(1 - mine, a), cell(mine, b));
        let free = there | cell(1 - mine, b);
        let way = if only_own { draw.u8(6..10) } else { draw.u8(..10) };
        let (full, empty, fills, clears) = match way {
            0 => (none, own | other, own, none),
            1 => (other, if draw.bool() { own } else { none }, own, other),
            2 => (other, none, none, other),
            3 => (own | cell(1 - mine, b), none, there, own | cell(1 - mine, b)),
            4 => (own, free, there | aside, own),
            5 => (own | aside, free, there, own | aside),
            6 => (none, own | other, own, none),
            _ => (own, free, there, own),
        };
        let (fills, clears) = if a == b && fills.contains(own) && !clears.is_disjoint(fills) {
            (none, clears & !fills | own)
        } else {
            (fills, clears)
        };
        let full = full | clears;
        let (mode, next) = match only_own {
            true => (Mode(mine as u16), Mode(1 - mine as u16)),
            false => (Mode(draw.u16(..2)), Mode(draw.u16(..2))),
        };
        let when = (has_counts && draw.u8(..4) == 0).then(|| draw.u16(..3));
        let otherwise = draw.u8(..100) < percent_otherwise;
        let mut m = Move { mode, next, empty: empty & !full, full, clears, when, otherwise, ..Move::fill(fills) };
        let new = fills & m.empty;
        if !fills.contains(aside) && new.count() == 1 && has_counts && draw.u8(..3) == 0 {
            let line = |draw: &mut Rng| cell(mine, draw.u32(..squares)) | cell(mine, draw.u32(..squares)) | new;
            let lines = (0..draw.usize(1..3)).map(|_| line(draw)).collect();
            let taken = (0..squares).map(|square| cell(1 - mine, square)).collect::<Board>() & !(fills | clears | full);
            let guard = |draw: &mut Rng| cell(1 - mine, draw.u32(..squares)) | cell(1 - mine, draw.u32(..squares));
            takes.push(Take { lines, cells: taken, guards: (0..draw.usize(..3)).map(|_| guard(draw)).collect() });
            m.takes = (!taken.is_empty()).then_some(takes.len() as u16 - 1);
        }
        m
    });
    let moves: Vec<Move> = moves.filter(|m| !m.fills.is_empty() || !m.clears.is_empty()).collect();
    let moves = moves.into_iter().filter(|m| m.fills.is_disjoint(m.full) || !m.clears.is_empty()).collect();
    let ends = (0..draw.usize(..4)).map(|_| {
        let pattern = cell(draw.u32(..2), draw.u32(..squares)) | cell(draw.u32(..2), draw.u32(..squares));
        let empty = if draw.bool() { cell(draw.u32(..2), draw.u32(..squares)) & !pattern } else { none };
        End { mode: Mode(draw.u16(..2)), pattern, outcome: Outcome::BEST_FIRST[draw.usize(..3)].into(), empty }
    });
    let ends = ends.collect();
    let count_ends = (0..if has_counts { draw.usize(..2) } else { 0 }).map(|_| CountEnd {
        mode: Mode(draw.u16(..2)),
        count: counts[draw.usize(..3)],
        outcome: Outcome::BEST_FIRST[draw.usize(..3)],
    });
    let count_ends = count_ends.collect();
    let start = (0..draw.usize(1..3)).map(|_| {
        let mode = Mode(draw.u16(..2));
        let piece = |square| match draw.u8(..3) {
            0 => none,
            colour => cell(u32::from(colour) - 1, square),
        };
        Position::new(mode, (0..squares).map(piece).collect())
    });
    let start = Start::Opening(start.collect());
    let players = (0..2).map(|_| if draw.bool() { Player::First } else { Player::Second }).collect();
    let terminals = (0..2).map(|_| Outcome::BEST_FIRST[draw.usize(..3)].into()).collect();
    let (modes, cells) = (vec!["a".into(), "b".into()], 2 * squares + 1);
    let spec = RulesSpec { modes, moves, ends, terminals, counts, takes, count_ends, ..RulesSpec::new("men", cells) };
    let players = if draw.bool() && !only_own { players } else { Vec::new() };
    RulesSpec { start, players, ..spec }.build().unwrap()
}

#[test]
fn labels_equal_value_iteration() {
    let mut draw = Rng::with_seed(21);
    let (mut solved, mut repeat, mut rows, mut taking, mut bound) = (0, 0, 0, 0, 0);
    for number in 0..600 {
        let rules = random_men(&mut draw, number % 3 == 0, number % 2 == 0);
        if let Some((repeating, keeps_rows)) = compare(&rules, Group::trivial()) {
            (solved, repeat, rows) = (solved + 1, repeat + usize::from(repeating > 0), rows + usize::from(keeps_rows));
            taking += usize::from(rules.moves().iter().any(|m| m.takes.is_some()));
            bound += usize::from(rules.has_otherwise());
        }
    }
    let counts = [solved, repeat, rows, taking, bound];
    assert!(solved > 300 && repeat > 100 && rows > 100 && taking > 30 && bound > 100, "{counts:?}");
}

#[test]
fn labels_up_to_symmetry_equal_value_iteration() {
    let grid = |rows, cols| Grid { rows, cols };
    let games = [
        men(grid(3, 2), 2),
        men(grid(3, 3), 3),
        mills(grid(3, 2), 4),
        mills(grid(3, 3), 4),
        three_in_a_line(grid(3, 3)),
    ];
    for spec in games {
        let rules = spec.build().unwrap();
        let group = Group::of_rules(&rules, &[]).unwrap();
        assert!(group.order() > 1 && compare(&rules, &group).is_some(), "{}", rules.name());
        assert!(compare(&rules, Group::trivial()).is_some());
    }
}
