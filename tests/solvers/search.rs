//! The strong search, compared with an independent solver on random rules and with tables of the games that users know.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use crate::common::oracle::Oracle;
use crate::common::{games, positions, random};
use proptest::prelude::*;
use tablegen::game::{FAMILIES, Game, LIBRARY, Parameters};
use tablegen::label::{Label, LabelKind, LabelSet, Remoteness};
use tablegen::rules::{Node, Outcome, Position, Rules};
use tablegen::search::{AlphaBeta, KnownValues, Search, Wanted};
use tablegen::solve::{Method, Options, SolveError, solve};

/// A transposition table so small that entries are replaced.
const SMALL: usize = 1 << 12;

/// Panics unless the search finds the outcome of every position, asked in random order.
fn assert_searched(rules: &Rules, bytes: usize) {
    let mut search = AlphaBeta::new(rules, bytes).expect("no position repeats");
    let mut oracle = Oracle::new(rules);
    let mut all: Vec<Position> = positions(rules).collect();
    fastrand::Rng::with_seed(3).shuffle(&mut all);
    for position in all {
        assert_eq!(search.outcome(position.into()), Ok(oracle.outcome(position)), "{}: {position:?}", rules.name());
    }
    assert_eq!(search.outcome(Node::Opening), Ok(oracle.opening().0), "{}", rules.name());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_games(rules in random::small(), is_small: bool) {
        assert_searched(&rules, if is_small { SMALL } else { 1 << 20 });
    }

    #[test]
    fn random_games_of_many_moves(rules in random::crowded()) {
        assert_searched(&rules, SMALL);
    }
}

#[test]
fn games_written_by_hand() {
    for rules in games::of_every_kind() {
        assert_searched(&rules, SMALL);
        assert_searched(&rules, 1 << 20);
    }
}

/// Panics unless the search finds the outcomes of some positions of the table of `game`. Returns whether the game is small
/// enough for a table.
fn assert_equals_table(game: &dyn Game, rng: &mut fastrand::Rng, compared: &mut HashMap<LabelKind, u32>) -> bool {
    let rules = game.rules();
    let Some(mut search) = AlphaBeta::new(rules, 1 << 16) else { return false };
    // Other labels than the outcome, where the search offers them.
    let offered = [(Wanted::Plies, LabelKind::Remoteness), (Wanted::Score, LabelKind::Score)];
    let has_plies = Remoteness::undefined(rules).is_none();
    let offered: Vec<_> =
        offered.into_iter().filter(|it| search.offers(it.0) && (it.0 == Wanted::Score || has_plies)).collect();
    let labels = offered.iter().fold(LabelSet::OUTCOME, |labels, it| labels.with(it.1));
    let options = Options {
        roots: &game.roots(),
        max_positions: Some(1 << 16),
        labels,
        ..Options::of(Method::of_reachable(rules))
    };
    let solution = match solve(rules, &options) {
        Ok(solution) => solution,
        Err(SolveError::MaxPositions { .. } | SolveError::Counts { .. } | SolveError::CountsAndGains { .. }) => {
            return false;
        }
        Err(error) => panic!("{}: {error}", rules.name()),
    };
    // Positions of random lines of play.
    let mut asked: HashSet<Position> = HashSet::new();
    let starts = rules.start_positions();
    for _ in 0..60 {
        let mut position = starts[rng.usize(..starts.len())];
        loop {
            asked.insert(position);
            let moves: Vec<_> = rules.moves_from(position).collect();
            if moves.is_empty() {
                break;
            }
            position = moves[rng.usize(..moves.len())].play(position);
        }
    }
    for (number, position) in asked.into_iter().enumerate() {
        let expected: Option<Outcome> = solution.outcome(position);
        // A search ends where positions may repeat, and must know their outcomes.
        let known = |at: Position, _| solution.value(at).filter(|_| rules.phases().may_repeat(at.mode));
        let found = search.outcome_with(position.into(), Some(&known), &mut |_| true);
        assert_eq!(found.ok(), expected, "{}: {position:?}", rules.name());
        // The other labels take longer.
        for &(wanted, kind) in offered.iter().filter(|_| number % 5 == 0) {
            let known = rules.potential().is_none().then_some(&known as &KnownValues<'_>);
            let found = search.value_with(position.into(), wanted, known, &mut |_| true).expect("no limit");
            let expected = solution.value(position).expect("a reachable position");
            assert_eq!(
                (found.outcome, found.number(kind)),
                (expected.outcome, expected.number(kind)),
                "{}: {wanted:?} {position:?}",
                rules.name()
            );
            let best = search.best_with(known, &mut |_| true);
            assert_eq!(best.is_none(), rules.is_over(position), "{}: {position:?}", rules.name());
            compared.entry(kind).and_modify(|count| *count += 1).or_insert(1);
        }
    }
    true
}

#[test]
fn games_that_users_know() {
    let mut rng = fastrand::Rng::with_seed(9);
    let (mut compared, mut labels) = (0, HashMap::new());
    for game in LIBRARY {
        let variants = game.variants.iter().filter_map(|&variant| Parameters::listed(variant));
        for parameters in std::iter::once(Parameters::new()).chain(variants) {
            let game = game.read(&parameters).expect("a game of the library");
            compared += usize::from(assert_equals_table(&game, &mut rng, &mut labels));
        }
    }
    for family in FAMILIES {
        if let Ok(game) = family.make(&family.samples()) {
            compared += usize::from(assert_equals_table(game.as_ref(), &mut rng, &mut labels));
        }
    }
    assert!(compared > 40, "{compared}");
    assert!(labels[&LabelKind::Remoteness] > 1_000 && labels[&LabelKind::Score] > 100, "{labels:?}");
}

/// Where one player surely lays more pieces than the other can, counting replaces the search.
#[test]
fn every_board_of_a_race() {
    let game = LIBRARY.iter().find(|game| game.name == "domineering").expect("a game of the library");
    let game = game.read(&Parameters::new().with("rows", 4).with("cols", 4)).expect("a game of the library");
    let solution = solve(game.rules(), &Options::default()).expect("a small game");
    // So small that most positions are searched again.
    let mut search = AlphaBeta::new(game.rules(), SMALL).expect("no position repeats");
    for position in positions(game.rules()).step_by(3) {
        assert_eq!(search.outcome(position.into()).ok(), solution.outcome(position), "{position:?}");
    }
}

fn of_library(name: &str) -> tablegen::game::FileGame {
    let game = LIBRARY.iter().find(|game| game.name == name).expect("a game of the library");
    game.read(&Parameters::new()).expect("a game of the library")
}

#[test]
fn games_that_may_repeat_in_every_mode_are_refused() {
    assert!(AlphaBeta::new(of_library("dodgem").rules(), 1 << 20).is_none());
}

/// A search from any position of the opening ends where the men of Three Men's Morris move, if it knows the outcomes there.
#[test]
fn openings_end_at_known_positions() {
    let game = of_library("three-mens-morris");
    let rules = game.rules();
    let labels = LabelSet::BEST_PLAY;
    let options = Options { labels, ..Options::of(Method::of_reachable(rules)) };
    let solution = solve(rules, &options).expect("a small game");
    let moves = |position: Position| ["x", "o"].contains(&&*rules.modes()[usize::from(position.mode.0)]);
    let known = |position: Position, _| solution.value(position).filter(|_| moves(position));
    let mut search = AlphaBeta::new(rules, 1 << 20).expect("men are put before they move");
    let start = rules.start_node();
    assert!(search.outcome(start).is_err() && search.expanded() > 0);
    assert_eq!(search.outcome_with(start, Some(&known), &mut |_| true), Ok(Outcome::Win));
    let mut next = rules.start_positions();
    let mut seen: HashSet<Position> = HashSet::new();
    while let Some(position) = next.pop() {
        if !seen.insert(position) || moves(position) {
            continue;
        }
        let found = search.value_with(position.into(), Wanted::Plies, Some(&known), &mut |_| true);
        assert_eq!(found.ok(), solution.value(position), "{position:?}");
        next.extend(rules.moves_from(position).map(|m| m.play(position)));
    }
    assert!(seen.len() > 2_000, "{}", seen.len());
}

/// Both sides of Domineering on a board that the plain search takes minutes for, by published results: the player to move
/// wins.
#[test]
fn domineering_of_six_by_six() {
    let game = LIBRARY.iter().find(|game| game.name == "domineering").expect("a game of the library");
    let game = game.read(&Parameters::new().with("rows", 6).with("cols", 6)).expect("a game of the library");
    let mut search = AlphaBeta::new(game.rules(), 1 << 24).expect("no position repeats");
    for position in game.rules().start_positions() {
        assert_eq!(search.outcome(position.into()), Ok(Outcome::Win));
    }
    // What it remembers answers the question again.
    let before = search.expanded();
    assert_eq!(search.outcome(Node::At(game.rules().start_positions()[0])), Ok(Outcome::Win));
    assert_eq!(search.expanded(), before);
}

/// Knowledge from elsewhere replaces expansions, and a search can be stopped.
#[test]
fn known_outcomes_and_stops() {
    let rules = games::domineering(4, 4);
    let start = rules.start_node();
    let expected = Search::new(&rules).outcome(start);
    let plain = Mutex::new(Search::new(&rules));
    let known = |position: Position, _| {
        let outcome = || plain.lock().expect("no panic").outcome(position.into()).expect("no limit");
        (position.board.count() > 2).then(|| outcome().into())
    };
    let mut search = AlphaBeta::new(&rules, 1 << 20).expect("no position repeats");
    assert_eq!(search.outcome_with(start, Some(&known), &mut |_| true), expected);
    assert!(search.expanded() < 10);
    let game = LIBRARY.iter().find(|game| game.name == "domineering").expect("a game of the library");
    let game = game.read(&Parameters::new().with("rows", 8).with("cols", 8)).expect("a game of the library");
    let mut search = AlphaBeta::new(game.rules(), 1 << 20).expect("no position repeats");
    assert!(search.outcome_with(game.rules().start_node(), None, &mut |expanded| expanded < 20_000).is_err());
    assert!((20_000..30_000).contains(&search.expanded()));
}
