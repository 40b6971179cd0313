//! The sparse solver's memory, roots and wide codes, and searches with some known outcomes. `oracle` compares the
//! sparse solver with the others.

use crate::common::{held, random, sparse, table, table_bytes};
use proptest::prelude::*;
use tablegen::engine;
use tablegen::game::{Game, Parameters, Play, Tactics};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Board, End, Mode, Move, Node, Outcome, Position, Rules, RulesSpec, Start};
use tablegen::search::{Known, Search};
use tablegen::solve::{Method, Options, Solution, SolveError, UpTo, solve};
use tablegen::table::TableFault;
use tablegen::verify::{self, Scope};

fn tactics(rows: u32, cols: u32, play: Play) -> Rules {
    Tactics::new(rows, cols, 4, play).expect("a board of ordinary size").rules().clone()
}

fn solve_with(rules: &Rules, options: Options<'_>) -> Result<Solution, SolveError> {
    solve(rules, &Options { solver: Method::Sparse.into(), ..options })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn tables_of_random_rules_pass_their_checks(rules in random::small()) {
        let solution = sparse(&rules);
        let table = table(&solution).checked().unwrap();
        verify::bytes(&table, &verify::Options::default()).unwrap();
        let labels = |scope| verify::labels(&table, &verify::Options { scope, ..Default::default() }).unwrap();
        prop_assert_eq!(labels(Scope::All), solution.count());
        prop_assert_eq!(labels(Scope::Sample { count: 50, seed: 1 }), 50);
        for (position, outcome) in held(&solution) {
            prop_assert_eq!(table.outcome(position).unwrap(), outcome);
        }
        prop_assert_eq!((table.counts(), table.counts_by_mode()), (solution.counts(), solution.counts_by_mode()));
    }

    #[test]
    fn a_search_with_known_outcomes_and_a_limit_is_right_or_undecided(rules in random::small(), limit in 0u64..60) {
        let solution = sparse(&rules);
        let mut search = Search::new(&rules).limit(limit);
        let mut known = Known(|p: Position| (p.board.low_word() % 3 == 1).then(|| solution.outcome(p)).flatten());
        for (position, outcome) in held(&solution).take(200) {
            let before = search.expanded();
            match search.outcome_with(Node::At(position), &mut known) {
                Ok(found) => prop_assert_eq!(found, outcome),
                Err(unknown) => prop_assert_eq!(unknown.limit, limit),
            }
            prop_assert!(search.expanded() - before <= limit);
        }
    }
}

/// A limit of positions also bounds the work: if positions have thousands of moves, the search expands fewer of them.
#[test]
fn a_search_that_fails_is_bounded_in_work() {
    let alone: Vec<Board> = (0..64).map(Board::bit).collect();
    let threes = (0..64u32).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| [a, b, c])));
    let threes: Vec<Board> =
        threes.step_by(2).take(16_384).map(|cells| cells.into_iter().map(Board::bit).collect()).collect();
    let limit = 1_000;
    for (fills, least, most) in [(threes, 1, limit / 10), (alone, limit, limit)] {
        let moves = fills.into_iter().map(Move::fill).collect();
        let rules = RulesSpec { moves, ..RulesSpec::new("wide", 64) }.build().expect("sound rules");
        let mut search = Search::new(&rules).limit(limit);
        let unknown = search.outcome(rules.start_node()).expect_err("there is far more to look at");
        assert_eq!(unknown.limit, limit);
        let expanded = search.expanded();
        assert!((least..=most).contains(&expanded), "{expanded}");
        // Each call has the limit for itself.
        search.outcome(rules.start_node()).expect_err("there is far more to look at");
        assert!(search.expanded() > expanded);
    }
}

/// The solver succeeds with exactly the allowed number of positions, and stops if one fewer is allowed.
#[test]
fn the_sparse_solver_stops_at_too_many_positions() {
    let rules = tactics(3, 4, Play::Misere);
    let solve = |most| solve_with(&rules, Options { max_positions: Some(most), ..Options::default() });
    assert_eq!(solve(1 << 12).unwrap().count(), 1 << 12);
    let error = solve((1 << 12) - 1).unwrap_err();
    assert!(
        matches!(error, SolveError::MaxPositions { limit: 4095, up_to: UpTo::Filled { filled: 12, cells: 12 } }),
        "{error}"
    );
}

#[test]
fn a_root_outside_the_rules_is_refused() {
    for root in [Position::new(Mode(1), Board::EMPTY), Position::of(Board::from_word(1 << 4))] {
        let options = Options { roots: &[root], ..Options::default() };
        let error = solve_with(&tactics(2, 2, Play::Normal), options).unwrap_err();
        assert!(matches!(error, SolveError::Root { position, .. } if position == root), "{error}");
    }
}

/// Wide boards need codes of more than 64 bits: 64 cells in 3 modes, filled one by one from the left.
#[test]
fn codes_of_more_than_a_word() {
    let moves = (0..64u32).flat_map(|bit| {
        (0..3u16).map(move |mode| Move {
            mode: Mode(mode),
            full: Board::full(bit),
            next: Mode((mode + 1 + (bit % 2) as u16) % 3),
            ..Move::fill(Board::bit(bit))
        })
    });
    let rules = RulesSpec {
        modes: ["a", "b", "c"].map(String::from).to_vec(),
        moves: moves.collect(),
        ends: vec![End { mode: Mode(1), pattern: Board::full(60), outcome: Outcome::Draw.into(), empty: Board::EMPTY }],
        start: Start::Opening((0..3).map(|mode| Position::new(Mode(mode), Board::EMPTY)).collect()),
        ..RulesSpec::new("wide", 64)
    }
    .build()
    .expect("sound rules");
    let solution = sparse(&rules);
    let mut search = Search::new(&rules);
    assert_eq!(held(&solution).count() as u64, solution.count());
    for (position, outcome) in held(&solution) {
        assert_eq!(search.outcome(position.into()), Ok(outcome));
    }
    let table = table(&solution);
    verify::labels(&table, &verify::Options::default()).unwrap();
    let outside = Position::new(Mode(0), Board::from_word(2));
    assert!(
        matches!(table.outcome(outside).unwrap_err().fault, TableFault::NotReached { position } if position == outside)
    );
    assert_eq!(table.find(outside).unwrap(), None);
}

/// In games with captures, the solver labels outcomes block by block, and remoteness position by position. Keys and
/// outcomes are equal in both ways, with and without draws and for any number of threads.
#[test]
fn blocks_and_positions_give_the_same_outcomes() {
    let game = |name: &str, rows: &str, cols: &str| {
        let set = Parameters::new().with("rows", rows).with("cols", cols);
        engine::game(name, &set).expect("a game of the library")
    };
    let clobber = game("clobber", "3", "6");
    let konane = game("konane", "4", "6");
    // The same game, except that a player who cannot move draws.
    let drawn = RulesSpec { terminal: Outcome::Draw, terminals: Vec::new(), ..clobber.rules().clone().into_spec() };
    let drawn = drawn.build().expect("sound rules");
    for (rules, roots) in
        [(clobber.rules(), clobber.roots()), (konane.rules(), konane.roots()), (&drawn, clobber.roots())]
    {
        let with = |labels, threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let options = Options { roots: &roots, labels, ..Options::default() };
            pool.install(|| solve_with(rules, options)).expect("memory for the game")
        };
        let positions = with(LabelSet::OUTCOME.with(LabelKind::Remoteness), 2);
        let outcomes = with(LabelSet::OUTCOME, 3);
        assert_eq!(outcomes.counts_by_mode(), positions.counts_by_mode(), "{}", rules.name());
        assert!(held(&outcomes).eq(held(&positions)), "{}", rules.name());
        assert!(table_bytes(&outcomes) == table_bytes(&with(LabelSet::OUTCOME, 1)), "{}", rules.name());
    }
}
