//! The search of parts, compared with the plain search on random rules.

use super::*;
use crate::outcome_search::within;
use crate::rules::{Mode, RulesSpec};
use crate::{AlphaBeta, Search};

/// A random impartial game of few cells. Moves fill cells, and some need or empty others.
fn random(rng: &mut fastrand::Rng) -> RulesSpec {
    let cells = rng.u32(4..9);
    let cell = |rng: &mut fastrand::Rng| Board::bit(rng.u32(..cells));
    let some = |rng: &mut fastrand::Rng, one_in: u8| {
        if rng.u8(..one_in) == 0 { Board::bit(rng.u32(..cells)) } else { Board::EMPTY }
    };
    let one = |rng: &mut fastrand::Rng| {
        let fills = cell(rng) | some(rng, 2);
        let full = some(rng, 3) & !fills;
        let clears = if rng.u8(..3) == 0 { full } else { Board::EMPTY };
        Move { empty: fills | some(rng, 4) & !full, full, clears, ..Move::fill(fills) }
    };
    let moves = (0..rng.usize(3..12)).map(|_| one(rng)).collect();
    RulesSpec { moves, ..RulesSpec::new("random", cells) }
}

/// Rows of pins, of which a move fills one or two neighbours.
fn kayles(pins: u32) -> RulesSpec {
    let one = (0..pins).map(|pin| Move::fill(Board::bit(pin)));
    let two = (1..pins).map(|pin| Move::fill(Board::bit(pin) | Board::bit(pin - 1)));
    RulesSpec { moves: one.chain(two).collect(), ..RulesSpec::new("row", pins) }
}

fn outcome(search: &mut Sums, board: Board) -> Option<Outcome> {
    within(1 << 20, |by| search.outcome(Position::of(board), by)).0
}

#[test]
fn random_rules() {
    let (mut rng, mut counts, mut apart) = (fastrand::Rng::with_seed(11), [0; 3], 0);
    for _ in 0..600 {
        let Ok(rules) = random(&mut rng).build() else { continue };
        // With few bytes, parts are forgotten now and then.
        let bytes = if rng.bool() { 1 << 16 } else { 1 << 9 };
        let Some(mut search) = Sums::of_kind(&rules, bytes) else { continue };
        let mut plain = Search::new(&rules);
        for _ in 0..20 {
            let position = Position::of(Board::from_word(rng.u64(..1 << rules.cells())));
            let expected = plain.outcome(position.into()).unwrap();
            assert_eq!(outcome(&mut search, position.board), Some(expected), "{:?} {position:?}", rules.moves());
            counts[expected as usize] += 1;
            apart += usize::from(all_parts(&search.moves, position.board).len() > 1);
            match within(1 << 20, |by| search.best(position, expected, by)).0 {
                Some(reply) => {
                    assert!(rules.replies(position.into()).contains(&reply));
                    assert!(expected == Outcome::Loss || plain.outcome(reply.into()) == Ok(Outcome::Loss));
                }
                None => assert!(rules.is_over(position)),
            }
        }
    }
    assert!(
        counts[Outcome::Win as usize] > 500 && counts[Outcome::Loss as usize] > 500 && apart > 500,
        "{counts:?} {apart}"
    );
}

#[test]
fn rows_come_apart() {
    // Every row is won: the nimbers are not 0 (OEIS A002186). Two equal rows are lost.
    let rules = kayles(41).build().unwrap();
    let mut search = Sums::new(&rules, 1 << 20).expect("rows of this kind");
    assert_eq!(outcome(&mut search, Board::EMPTY), Some(Outcome::Win));
    assert_eq!(outcome(&mut search, Board::bit(20)), Some(Outcome::Loss));
    let best = within(u64::MAX, |by| search.best(Position::default(), Outcome::Win, by)).0.unwrap();
    assert_eq!(outcome(&mut search, best.board), Some(Outcome::Loss));
    // A limit and a watch stop the search.
    let mut search = Sums::new(&rules, 1 << 20).unwrap();
    let (found, effort) = within(5, |by| search.outcome(Position::default(), by));
    assert!(found.is_none() && effort.expanded <= 5);
    let stopped = |by: &mut Bounded<'_, '_>| {
        search.outcome(
            Position::default(),
            &mut Bounded { continues: Some(&mut |_| false), effort: by.effort, end: by.end },
        )
    };
    assert_eq!(within(u64::MAX, stopped).0, None);
}

/// Dominoes on a board of `rows` by `cols` squares, for both players.
fn cram(rows: u32, cols: u32) -> RulesSpec {
    let squares = || (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
    let cell = |row: u32, col: u32| Board::bit(row * cols + col);
    let across = squares().filter(|&(_, col)| col + 1 < cols).map(|(row, col)| cell(row, col) | cell(row, col + 1));
    let down = squares().filter(|&(row, _)| row + 1 < rows).map(|(row, col)| cell(row, col) | cell(row + 1, col));
    RulesSpec { moves: across.chain(down).map(Move::fill).collect(), ..RulesSpec::new("cram", rows * cols) }
}

/// The positions that this search and the general one expand from the start.
fn efforts(spec: RulesSpec) -> [u64; 2] {
    let rules = spec.build().unwrap();
    let mut general = AlphaBeta::only_general(&rules, 1 << 24).unwrap();
    let mut search = Sums::of_kind(&rules, 1 << 24).unwrap();
    let begun = std::time::Instant::now();
    let (found, effort) = within(1 << 20, |by| search.outcome(Position::default(), by));
    let by_parts = begun.elapsed();
    assert_eq!(found, general.outcome(Position::default().into()).ok());
    let work = [effort.expanded, general.expanded()];
    println!("{}: {work:?} positions, {by_parts:?} and {:?}", rules.name(), begun.elapsed() - by_parts);
    work
}

#[test]
fn parts_save_work() {
    let [by_parts, whole] = efforts(kayles(16));
    assert!(by_parts * 10 < whole, "{by_parts} {whole}");
    let [by_parts, whole] = efforts(cram(4, 5));
    assert!(by_parts * 2 < whole, "{by_parts} {whole}");
}

#[test]
fn other_games_are_refused() {
    let refused = |change: fn(&mut RulesSpec)| {
        let mut spec = kayles(22);
        change(&mut spec);
        Sums::new(&spec.build().unwrap(), 1 << 16).is_none()
    };
    assert!(!refused(|_| {}));
    assert!(refused(|spec| spec.terminal = Outcome::Win));
    assert!(refused(|spec| spec.moves[0].otherwise = true));
    assert!(refused(|spec| {
        spec.modes = ["a", "b"].map(String::from).to_vec();
        spec.moves[0].next = Mode(1);
    }));
    // All moves share a cell, so nothing comes apart.
    assert!(refused(|spec| spec.moves.iter_mut().for_each(|m| m.empty |= Board::bit(0))));
}
