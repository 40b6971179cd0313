//! The search of sets of squares, compared with the plain search on random games.

use super::*;
use crate::budget::PIECE;
use crate::outcome::Effort;
use crate::outcome_search::within;
use crate::rules::{Board, End, Mode, Move, RulesSpec};
use crate::{AlphaBeta, Search};

/// A game of `squares` squares in which the player of mode `side` wins with one of `sets[side]`. The first player's cell of a square comes first.
fn game(squares: u32, sets: &[Vec<u64>; 2]) -> RulesSpec {
    let cell = |side: u32, square: u32| Board::bit(2 * square + side);
    let put = |mode: u16, square: u32| {
        let empty = cell(0, square) | cell(1, square);
        Move { mode: Mode(mode), empty, next: Mode(1 - mode), ..Move::fill(cell(mode.into(), square)) }
    };
    let cells = |side: u32, set: u64| (0..squares).filter(|it| set >> it & 1 == 1).map(|it| cell(side, it)).collect();
    let end = |side: u16, set: u64| End {
        mode: Mode(1 - side),
        pattern: cells(side.into(), set),
        outcome: Outcome::Loss.into(),
        empty: Board::EMPTY,
    };
    let ends = (0..2).flat_map(|side| sets[usize::from(side)].iter().map(move |&set| end(side, set)));
    RulesSpec {
        modes: ["first", "second"].map(String::from).to_vec(),
        moves: (0..2).flat_map(|mode| (0..squares).map(move |square| put(mode, square))).collect(),
        ends: ends.collect(),
        terminal: Outcome::Draw,
        ..RulesSpec::new("sets", 2 * squares)
    }
}

/// The paths of Hex on a board of `size` by `size` hexagons: those of the first player from left to right, and of the other from top to bottom. No
/// hexagon of a path can be left out.
fn hex(size: u32) -> [Vec<u64>; 2] {
    let near = |square: u32| {
        let (row, col) = (square / size, square % size);
        let steps = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];
        let at = move |(down, right): (i32, i32)| {
            let (row, col) = (row.checked_add_signed(down)?, col.checked_add_signed(right)?);
            (row < size && col < size).then_some(row * size + col)
        };
        steps.into_iter().filter_map(at)
    };
    let mut paths = [Vec::new(), Vec::new()];
    for (side, paths) in paths.iter_mut().enumerate() {
        let along = |square: u32| if side == 0 { square % size } else { square / size };
        let mut open: Vec<(u64, u32)> = (0..size * size).filter(|&it| along(it) == 0).map(|it| (1 << it, it)).collect();
        while let Some((path, last)) = open.pop() {
            if along(last) == size - 1 {
                paths.push(path);
                continue;
            }
            let touches = |square: u32| near(square).filter(|it| path >> it & 1 == 1).count();
            let next = near(last).filter(|&next| path >> next & 1 == 0 && along(next) > 0 && touches(next) == 1);
            open.extend(next.map(|next| (path | 1 << next, next)));
        }
    }
    paths
}

/// Panics unless the search finds the outcome of random positions, also of those that play cannot reach.
fn assert_searched(squares: u32, sets: &[Vec<u64>; 2], rng: &mut fastrand::Rng, counts: &mut [usize; 3]) {
    let rules = game(squares, sets).build().unwrap();
    let mut search = Claims::new(&rules, 1 << 12).expect("a game of this kind");
    if rng.u8(..4) == 0 {
        search.set_threads(Threads { alone: rng.u64(1..5), ..Threads::new(rng.usize(2..=3)) });
    }
    let mut plain = Search::new(&rules);
    for _ in 0..40 {
        let (all, first) = (rng.u64(..1 << squares) & rng.u64(..1 << squares), rng.u64(..));
        let cells = |side: u32, set: u64| {
            (0..squares).filter(move |it| set >> it & 1 == 1).map(move |it| Board::bit(2 * it + side))
        };
        let board = cells(0, all & first).chain(cells(1, all & !first)).collect();
        let position = Position::new(Mode(rng.u16(..2)), board);
        if !search.has(position) {
            continue;
        }
        let (found, _) = within(u64::MAX, |by| search.outcome(position, by));
        let expected = plain.outcome(position.into()).expect("no limit");
        assert_eq!(found, Some(expected), "{sets:?} {position:?}");
        counts[expected as usize] += 1;
        // Each move that keeps the outcome is as good as another. A square of no set is not looked at, even if no other is left.
        if let (Some(after), _) = within(u64::MAX, |by| search.best(position, expected, by)) {
            let kept = plain.outcome(after.into()).expect("no limit").flip();
            assert!(kept == expected && rules.replies(position.into()).contains(&after), "{sets:?} {position:?}");
        } else {
            assert!(expected == Outcome::Draw || rules.is_over(position), "{sets:?} {position:?}");
        }
    }
}

#[test]
fn random_sets() {
    let (mut rng, mut counts) = (fastrand::Rng::with_seed(2), [0; 3]);
    for _ in 0..150 {
        let squares = rng.u32(3..8);
        let sets = [(); 2].map(|()| (0..rng.usize(1..9)).map(|_| rng.u64(1..1 << squares)).collect());
        assert_searched(squares, &sets, &mut rng, &mut counts);
    }
    assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
}

#[test]
fn paths_of_hex() {
    let (mut rng, mut counts) = (fastrand::Rng::with_seed(3), [0; 3]);
    let sets = hex(3);
    for _ in 0..4 {
        assert_searched(9, &sets, &mut rng, &mut counts);
    }
    assert!(counts[Outcome::Draw as usize] == 0 && counts.iter().sum::<usize>() > 100, "{counts:?}");
    // The first player wins on an empty board (J. Nash, 1949), and the position is searched by this search.
    let rules = game(16, &hex(4)).build().unwrap();
    let mut search = AlphaBeta::new(&rules, 1 << 16).expect("no position repeats").limit(1 << 10);
    assert_eq!(search.outcome(Position::default().into()), Ok(Outcome::Win));
}

#[test]
fn searches_stop_at_their_limit() {
    let rules = game(16, &hex(4)).build().unwrap();
    let mut search = Claims::new(&rules, 1 << 16).unwrap();
    let (found, effort) = within(3, |by| search.outcome(Position::default(), by));
    assert_eq!((found, effort.expanded), (None, 3));
}

#[test]
fn a_search_asks_as_it_works_and_stops_at_once() {
    let rules = game(16, &hex(4)).build().unwrap();
    let mut search = Claims::new(&rules, 1 << 16).unwrap();
    let (mut effort, mut calls) = (Effort::default(), 0);
    let mut goes_on = |_| {
        calls += 1;
        true
    };
    let end = effort.end(1 << 8);
    search.outcome(Position::default(), &mut Bounded { continues: Some(&mut goes_on), effort: &mut effort, end });
    assert!(calls > effort.work / (2 * PIECE), "{calls} {}", effort.work);
    // Neither the proof nor the search goes on.
    let (mut search, mut effort) = (Claims::new(&rules, 1 << 16).unwrap(), Effort::default());
    let end = effort.end(1 << 8);
    let by = &mut Bounded { continues: Some(&mut |_| false), effort: &mut effort, end };
    assert_eq!(search.outcome(Position::default(), by), None);
    assert!(effort.work < PIECE && effort.expanded == 0, "{} {}", effort.work, effort.expanded);
}

#[test]
fn other_games_are_refused() {
    let sets = [vec![0b011], vec![0b110]];
    let refused = |change: fn(&mut RulesSpec)| {
        let mut spec = game(3, &sets);
        change(&mut spec);
        Claims::new(&spec.build().unwrap(), 1 << 16).is_none()
    };
    assert!(!refused(|_| {}));
    assert!(refused(|spec| spec.terminal = Outcome::Loss));
    assert!(refused(|spec| _ = spec.moves.pop()));
    assert!(refused(|spec| spec.moves[0].next = Mode(0)));
    assert!(refused(|spec| spec.moves[0].otherwise = true));
    assert!(refused(|spec| spec.ends[0].outcome = Outcome::Win.into()));
    assert!(refused(|spec| spec.ends[0].empty = Board::bit(5)));
    assert!(refused(|spec| spec.ends[0].pattern = Board::bit(1) | Board::bit(2)));
}

/// The outcome of Hex after one move of each player, by one thread and by more, with the time of each.
#[test]
#[ignore = "measures"]
fn threads_on_hex() {
    let number = |name, usual| std::env::var(name).map_or(usual, |it| it.parse().expect("a number"));
    let size = number("SIZE", 6);
    let rules = game(size * size, &hex(size)).build().unwrap();
    // Neighbours of the middle.
    let middle = size * size / 2;
    let position = Position::new(Mode(0), Board::bit(2 * middle) | Board::bit(2 * (middle + 1) + 1));
    for _ in 0..number("TIMES", 3) {
        for threads in 1..=number("THREADS", 2) as usize {
            let mut search = AlphaBeta::new(&rules, 1 << 28).expect("no position repeats").threads(threads);
            let begun = std::time::Instant::now();
            let found = search.outcome(position.into());
            println!("{threads} {found:?} {:?} {}", begun.elapsed(), search.expanded());
        }
    }
}
