//! The search of partisan parts, compared with the plain search on random rules.

use super::*;
use crate::outcome_search::within;
use crate::rules::{Board, Mode, RulesSpec, Start};
use crate::{AlphaBeta, Search};

/// Rules in which the players move in turn. `moves` are those of each player, without modes.
fn of_players(name: &str, cells: u32, moves: [Vec<Move>; 2]) -> RulesSpec {
    let [left, right] = moves;
    let left = left.into_iter().map(|m| Move { next: Mode(1), ..m });
    let right = right.into_iter().map(|m| Move { mode: Mode(1), ..m });
    let modes = ["left", "right"].map(String::from).to_vec();
    RulesSpec { modes, moves: left.chain(right).collect(), ..RulesSpec::new(name, cells) }
}

/// A random partisan game of few cells. Moves fill cells, and some need or empty others. In some games, each move is on neighbouring cells, so
/// that positions come apart.
fn random(rng: &mut fastrand::Rng) -> RulesSpec {
    let cells = rng.u32(4..10);
    let is_local = rng.bool();
    let mut one = || {
        let first = rng.u32(..cells);
        let cell = |rng: &mut fastrand::Rng| {
            let near = (first + rng.u32(..3)).min(cells - 1);
            Board::bit(if is_local { near } else { rng.u32(..cells) })
        };
        let some = |rng: &mut fastrand::Rng, one_in: u8| {
            if rng.u8(..one_in) == 0 { cell(rng) } else { Board::EMPTY }
        };
        let fills = cell(rng) | some(rng, 2);
        let full = some(rng, 3) & !fills;
        let clears = if rng.u8(..3) == 0 { full } else { Board::EMPTY };
        Move { empty: fills | some(rng, 4) & !full, full, clears, ..Move::fill(fills) }
    };
    let mut moves = |count: usize| (0..count).map(|_| one()).collect();
    of_players("random", cells, [moves(5), moves(5)])
}

fn outcome(search: &mut Partisan, position: Position) -> Option<Outcome> {
    within(1 << 20, |by| search.outcome(position, by)).0
}

/// Compares the search with the plain one on `count` random rules. Returns the number of positions of each outcome, and of those with several
/// parts.
fn compared(seed: u64, count: u32) -> ([u32; 3], u32) {
    let (mut rng, mut counts, mut apart) = (fastrand::Rng::with_seed(seed), [0; 3], 0);
    let mut rules_left = count;
    while rules_left > 0 {
        let Ok(rules) = random(&mut rng).build() else { continue };
        let Some(moves) = kind::of_kind(&rules) else { continue };
        rules_left -= 1;
        // With few bytes, sums are forgotten now and then, and some values are too many.
        let mut search = Partisan::of(moves, if rng.bool() { 1 << 16 } else { 1 << 9 });
        search.few_moves = rng.usize(..8);
        let mut plain = Search::new(&rules);
        for _ in 0..20 {
            let position = Position::new(Mode(rng.u16(..2)), Board::from_word(rng.u64(..1 << rules.cells())));
            let expected = plain.outcome(position.into()).unwrap();
            assert_eq!(
                outcome(&mut search, position),
                Some(expected),
                "{:?} {position:?} {}",
                rules.moves(),
                search.few_moves
            );
            counts[expected as usize] += 1;
            apart += u32::from(all_parts(moves, position.board).len() > 1);
            match within(1 << 20, |by| search.best(position, expected, by)).0 {
                Some(reply) => {
                    assert!(rules.replies(position.into()).contains(&reply));
                    assert!(expected == Outcome::Loss || plain.outcome(reply.into()) == Ok(Outcome::Loss));
                }
                None => assert!(rules.is_over(position)),
            }
        }
    }
    (counts, apart)
}

#[test]
fn random_rules() {
    let (counts, apart) = compared(12, 500);
    let [loss, _, win] = counts;
    assert!(loss > 1000 && win > 1000 && apart > 1000, "{counts:?} {apart}");
}

#[test]
#[ignore = "takes minutes"]
fn many_random_rules() {
    let (counts, apart) = compared(13, 20_000);
    println!("{counts:?} {apart}");
}

/// Domineering: Left lays dominoes upright, Right across.
fn domineering(rows: u32, cols: u32) -> RulesSpec {
    let squares = || (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
    let cell = |row: u32, col: u32| Board::bit(row * cols + col);
    let across = squares().filter(|&(_, col)| col + 1 < cols).map(|(row, col)| cell(row, col) | cell(row, col + 1));
    let down = squares().filter(|&(row, _)| row + 1 < rows).map(|(row, col)| cell(row, col) | cell(row + 1, col));
    let moves = [down.map(Move::fill).collect(), across.map(Move::fill).collect()];
    of_players("domineering", rows * cols, moves)
}

/// Squares of a grid, which the players colour. The cells of a square are those of Left's and of Right's colour.
fn colours(name: &str, [rows, cols]: [u32; 2], may_be_neighbours: [bool; 2]) -> RulesSpec {
    let cell = |square: u32, side: u32| Board::bit(2 * square + side);
    let moves = [0, 1].map(|side| {
        let of = |square: u32| {
            let (row, col) = (square / cols, square % cols);
            let beside = [col.checked_sub(1), Some(col + 1).filter(|&it| it < cols)].map(|it| Some(row * cols + it?));
            let above = [row.checked_sub(1), Some(row + 1).filter(|&it| it < rows)].map(|it| Some(it? * cols + col));
            let near = beside.into_iter().chain(above).flatten();
            let all = near.flat_map(|it| [cell(it, side), cell(it, 1 - side)].into_iter().zip(may_be_neighbours));
            let others = all.filter(|it| !it.1).map(|it| it.0);
            let empty = others.fold(cell(square, 0) | cell(square, 1), |all, it| all | it);
            Move { empty, ..Move::fill(cell(square, side)) }
        };
        (0..rows * cols).map(of).collect()
    });
    of_players(name, 2 * rows * cols, moves)
}

/// Snort: different colours may not be neighbours.
fn snort(squares: u32) -> RulesSpec {
    colours("snort", [1, squares], [true, false])
}

/// Col: equal colours may not be neighbours.
pub(crate) fn col(squares: u32) -> RulesSpec {
    colours("col", [1, squares], [false, true])
}

#[test]
fn every_position_of_small_games() {
    for spec in [domineering(2, 5), domineering(3, 4), snort(5), col(5)] {
        let rules = spec.build().unwrap();
        let mut search = Partisan::of(kind::of_kind(&rules).unwrap(), 1 << 20);
        let (mut plain, mut general) = (Search::new(&rules), AlphaBeta::only_general(&rules, 1 << 20).unwrap());
        for mode in [0, 1].map(Mode) {
            for board in 0..1 << rules.cells() {
                let position = Position::new(mode, Board::from_word(board));
                let expected = plain.outcome(position.into());
                assert_eq!(general.outcome(position.into()), expected);
                assert_eq!(outcome(&mut search, position), expected.ok(), "{} {position:?}", rules.name());
            }
        }
    }
}

#[test]
fn rows_come_apart() {
    let rules = snort(30).build().unwrap();
    let mut search = Partisan::new(&rules, 1 << 24).expect("rows of this kind");
    let start = Position::default();
    assert_eq!(outcome(&mut search, start), Some(Outcome::Win));
    let best = within(u64::MAX, |by| search.best(start, Outcome::Win, by)).0.unwrap();
    assert_eq!(outcome(&mut search, best), Some(Outcome::Loss));
    // A limit and a watch stop the search.
    let mut search = Partisan::new(&rules, 1 << 24).unwrap();
    let (found, effort) = within(5, |by| search.outcome(start, by));
    assert!(found.is_none() && effort.expanded <= 5);
    let stopped = |by: &mut Bounded<'_, '_>| {
        search.outcome(start, &mut Bounded { continues: Some(&mut |_| false), effort: by.effort, end: by.end })
    };
    assert_eq!(within(u64::MAX, stopped).0, None);
}

/// The positions that this search and the general one expand from the start, with either player to move. The general one stops at a limit.
fn efforts(spec: RulesSpec) -> [u64; 2] {
    let rules = spec.build().unwrap();
    let mut general = AlphaBeta::only_general(&rules, 1 << 24).unwrap().limit(1 << 18);
    let (mut expanded, mut search) = (0, Partisan::of(kind::of_kind(&rules).unwrap(), 1 << 24));
    let mut times = [std::time::Duration::ZERO; 2];
    for position in [0, 1].map(|mode| Position::new(Mode(mode), Board::EMPTY)) {
        let begun = std::time::Instant::now();
        let (found, effort) = within(1 << 18, |by| search.outcome(position, by));
        expanded += effort.expanded;
        times[0] += begun.elapsed();
        let begun = std::time::Instant::now();
        let expected = general.outcome(position.into());
        times[1] += begun.elapsed();
        assert!(found.is_some() && expected.is_ok_and(|expected| found == Some(expected)));
    }
    let work = [expanded, general.expanded()];
    println!("{}: {work:?} positions, {times:?}", rules.name());
    work
}

/// The processor time of this thread. Linux tells it.
fn processor_time() -> std::time::Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    std::time::Duration::from_nanos(told.split(' ').next().and_then(|it| it.parse().ok()).expect("nanoseconds"))
}

/// A row of pieces of two players in turn. A move puts a piece onto a neighbouring one of the other player, and takes that.
fn clobber(squares: u32) -> RulesSpec {
    let cell = |square: u32, side: u32| Board::bit(2 * square + side);
    let of = |side: u32| {
        let pairs = (1..squares).flat_map(|it| [(it - 1, it), (it, it - 1)]);
        let to = |(from, to)| {
            let clears = cell(from, side) | cell(to, 1 - side);
            Move { empty: cell(to, side), full: clears, clears, ..Move::fill(cell(to, side)) }
        };
        pairs.map(to).collect()
    };
    let start = Start::At(Position::of((0..squares).map(|square| cell(square, square % 2)).collect()));
    RulesSpec { start, ..of_players("clobber", 2 * squares, [of(0), of(1)]) }
}

/// The processor time of the general search alone, and in turns with this one, from the start with either player to move. `ROUNDS` says how often.
#[test]
#[ignore = "measures"]
fn turns() {
    let two = |name, cols, may| colours(name, [2, cols], may);
    let (snort_2, col_2) = (|cols| two("snort-2", cols, [true, false]), |cols| two("col-2", cols, [false, true]));
    let one_row = [snort(30), col(24), col(26), clobber(24), clobber(26)];
    let two_rows = [snort_2(12), snort_2(13), snort_2(14), col_2(11), col_2(12), col_2(13)];
    let rounds = std::env::var("ROUNDS").map_or(1, |it| it.parse().expect("a number"));
    for spec in one_row.into_iter().chain(two_rows) {
        let rules = spec.build().unwrap();
        let board = rules.start_positions()[0].board;
        for position in [0, 1].map(|mode| Position::new(Mode(mode), board)) {
            let found = |name: &str, search: Option<AlphaBeta>| {
                let begun = processor_time();
                let mut search = search.unwrap().limit(1 << 24);
                let found = search.outcome(position.into());
                let time = (processor_time() - begun).as_secs_f64();
                println!(
                    "{} {} {} {name} {time:.4} s {}",
                    rules.name(),
                    rules.cells(),
                    position.mode.0,
                    search.expanded()
                );
                found
            };
            for _ in 0..rounds {
                let alone = found("alone", AlphaBeta::only_general(&rules, 1 << 24));
                let both = found("turns", AlphaBeta::new(&rules, 1 << 24));
                assert!(alone.is_err() || both.is_err() || alone == both);
            }
        }
    }
}

/// The general search goes on after each turn of this one: begun again, it would expand other positions.
#[test]
fn turns_do_not_begin_the_general_search_again() {
    let rules = colours("snort", [2, 12], [true, false]).build().unwrap();
    let searches = [AlphaBeta::only_general(&rules, 1 << 24), AlphaBeta::new(&rules, 1 << 24)];
    let [alone, turns] = searches.map(|search| {
        let mut search = search.unwrap();
        assert_eq!(search.outcome(rules.start_node()), Ok(Outcome::Loss));
        search.expanded()
    });
    assert!((alone + 1..alone + alone / 100).contains(&turns), "{alone} {turns}");
}

#[test]
fn parts_save_work() {
    for spec in [snort(20), col(18)] {
        let [by_parts, whole] = efforts(spec);
        assert!(by_parts * 10 < whole, "{by_parts} {whole}");
    }
}

#[test]
fn other_games_are_refused() {
    let refused = |change: fn(&mut RulesSpec)| {
        let mut spec = snort(20);
        change(&mut spec);
        Partisan::new(&spec.build().unwrap(), 1 << 16).is_none()
    };
    assert!(!refused(|_| {}));
    assert!(refused(|spec| spec.terminal = Outcome::Win));
    assert!(refused(|spec| spec.moves[0].otherwise = true));
    assert!(refused(|spec| spec.moves[0].again = true));
    assert!(refused(|spec| spec.moves[0].next = Mode(0)));
    assert!(refused(|spec| spec.modes.push("third".into())));
    assert!(Partisan::new(&domineering(2, 20).build().unwrap(), 1 << 16).is_none());
    // All moves share a cell, so nothing comes apart.
    assert!(refused(|spec| spec.moves.iter_mut().for_each(|m| m.empty |= Board::bit(0))));
}
