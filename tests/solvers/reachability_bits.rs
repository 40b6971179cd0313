//! Reachability bits of dense tables. Every kernel equals the reference implementation, which equals the sparse solver.
//! The reader in Python reads the tables, and the verifier rejects forged ones.

use crate::common::library::named;
use crate::common::{
    assert_verified_and_read, attacks, every, forge, games, held, labels, layout, random, script, sparse, table,
    table_bytes,
};
use proptest::prelude::*;
use tablegen::engine;
use tablegen::game::{Game, Mnk, Play};
use tablegen::label::{Counts, LabelSet};
use tablegen::rules::{Board, Mode, Position, Rules};
use tablegen::solve::{self, Kernel, Method, Options, Solution, SolveError, Solver, solve};
use tablegen::table::Table;
use tablegen::verify::{self, Finding};

fn marked(rules: &Rules, labels: LabelSet) -> Solution {
    solve(rules, &Options { labels, ..Options::of(Solver::dense(true)) }).expect("small rules")
}

/// Panics unless every kernel gives the bytes of the reference implementation, with any number of threads. The marked
/// positions must equal the positions of the sparse solver.
fn assert_marked(rules: &Rules, roots: &[Position]) -> Solution {
    let mut twin = None;
    for kernel in Kernel::available() {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let solver = Solver::Dense { marks: true, kernel: Some(kernel), layout: None };
            let options = Options { roots, ..Options::of(solver) };
            let fast = pool.install(|| solve(rules, &options)).expect("small rules");
            let twin = twin.get_or_insert_with(|| {
                solve::scalar_marked(rules, Some(layout(&fast)), roots, LabelSet::OUTCOME).expect("small rules")
            });
            assert!(fast == *twin, "{}: {} in {threads} threads and its twin differ", rules.name(), fast.program());
            assert_eq!((fast.counts_by_mode(), fast.every_by_mode()), (twin.counts_by_mode(), twin.every_by_mode()));
        }
    }
    let twin = twin.expect("every machine has a kernel");
    assert_reached(&twin, roots);
    twin
}

/// Compares the marked positions with the positions that the sparse solver holds.
fn assert_reached(solution: &Solution, roots: &[Position]) {
    let rules = solution.rules();
    let roots = rules.starts_and(roots);
    let reached = solve(rules, &Options { roots: &roots, ..Options::of(Method::Sparse) });
    let reached = reached.expect("small rules");
    let dense = every(solution.contents());
    held(&reached)
        .for_each(|(p, _)| assert!(dense.is_counted(p).expect("in memory"), "{}: {p:?} is reached", rules.name()));
    assert_eq!(solution.counts_by_mode(), reached.counts_by_mode(), "{}", rules.name());
    let all: Counts = solution.every_by_mode().expect("of every board").iter().copied().sum();
    assert_eq!(u128::from(all.total()), rules.positions());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    /// Modes, terminal patterns, draws, openings and moves that fill cells that may be filled already, on several
    /// blocks.
    #[test]
    fn random_rules(rules in random::small()) {
        assert_marked(&rules, &[]);
    }

    #[test]
    fn random_rules_with_hundreds_of_moves(rules in random::crowded()) {
        assert_marked(&rules, &[]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Several tiles, and a root in addition to the starts.
    #[test]
    fn random_rules_of_several_tiles(rules in random::large(), seed in any::<u64>()) {
        let mut draw = fastrand::Rng::with_seed(seed);
        let mode = Mode(draw.u16(..rules.modes().len() as u16));
        let root = Position::new(mode, Board::from_word(draw.u64(..1 << rules.cells()) & draw.u64(..)));
        assert_marked(&rules, &[root]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Several chunks of tiles.
    #[test]
    fn random_rules_of_many_tiles(rules in random::wide()) {
        assert_marked(&rules, &[]);
    }
}

/// Thousands of random rules: `cargo test --test solvers marked -- --ignored`.
#[test]
#[ignore = "minutes"]
fn thousands_of_random_rules() {
    let config = |cases| ProptestConfig { cases, ..ProptestConfig::default() };
    proptest!(config(4000), |(rules in random::small())| { assert_marked(&rules, &[]); });
    proptest!(config(1000), |(rules in random::large())| { assert_marked(&rules, &[]); });
    proptest!(config(100), |(rules in random::wide())| { assert_marked(&rules, &[]); });
}

#[test]
fn known_games() {
    for rules in games::of_every_kind() {
        assert_marked(&rules, &[]);
    }
    // Moves that overlap in every part of a board; several modes; draws and terminal patterns.
    for rules in [games::chomp(4, 4), games::chomp(2, 7), games::node_kayles(14, tablegen::rules::Outcome::Loss)] {
        assert_marked(&rules, &[]);
    }
    let right = Position::new(Mode(1), Board::EMPTY);
    for rules in [games::dominoes(5), games::domineering(4, 4)] {
        assert_marked(&rules, &[right]);
    }
    assert_marked(Mnk::new(3, 3, 3, Play::Normal).expect("a board").rules(), &[]);
}

/// Larger games, by the best kernel only, compared with the sparse solver.
#[test]
fn larger_games() {
    for rules in [games::dominoes(6), games::chomp(4, 5), games::domineering(4, 5)] {
        assert_reached(&marked(&rules, LabelSet::OUTCOME), &[]);
    }
}

#[test]
fn roots_that_the_rules_do_not_have_are_refused() {
    let rules = games::domineering(3, 3);
    let roots = [Position::new(Mode(7), Board::EMPTY)];
    let error = solve(&rules, &Options { roots: &roots, ..Options::of(Solver::dense(true)) }).expect_err("no mode 7");
    assert!(matches!(error, SolveError::Root { .. }), "{error}");
    // Without reachability bits, the roots are not read.
    assert!(solve(&rules, &Options { roots: &roots, ..Options::default() }).is_ok());
}

/// Tables are saved, opened, verified at three levels, extended with labels, counted by filled cells and read in
/// Python.
#[test]
fn tables_with_reachability_bits_are_verified_and_read() {
    let tictactoe = Mnk::new(2, 3, 2, Play::Normal).expect("a board").rules().clone();
    for rules in [games::domineering(2, 4), games::chomp(2, 4), games::dominoes(3), tictactoe, games::motley()] {
        let labels = labels(&rules);
        let solution = marked(&rules, labels);
        let outcomes = marked(&rules, LabelSet::OUTCOME);
        let opened = assert_verified_and_read(&solution, &outcomes, &Options { labels, ..Options::default() });
        // The sparse solver has the same counts of reachable positions, by filled cells and by code.
        let reached = solve(&rules, &Options { labels, ..Options::of(Method::Sparse) });
        let reached = table(&reached.expect("small rules"));
        let by_filled = |table: &Table| {
            let counted = table.contents().counts_by_fill_count(|_| std::ops::ControlFlow::Continue(()));
            counted.expect("sound labels").expect("nobody stops it")
        };
        assert_eq!(by_filled(&opened), by_filled(&reached), "{}", rules.name());
        labels.iter().for_each(|kind| assert_eq!(opened.codes(kind), reached.codes(kind), "{}", rules.name()));
    }
}

/// Changes each reachability bit, under valid checksums.
#[test]
fn every_altered_reachability_bit_is_found() {
    for rules in [games::domineering(2, 4), games::chomp(2, 4)] {
        let whole = table_bytes(&marked(&rules, LabelSet::OUTCOME));
        let [_, marks]: [_; 2] = forge::sections(&whole).try_into().expect("two sections");
        attacks::alter(&whole, attacks::bits(marks), |(byte, bit), bytes, finding| {
            let is_named =
                matches!(finding, Finding::Unmarked { .. } | Finding::Unreached { .. } | Finding::Padding { .. });
            assert!(is_named, "byte {byte}, bit {bit}: {finding}");
            if byte % 41 == 7 && bit == 3 && !matches!(finding, Finding::Padding { .. }) {
                assert!(!script::labels_of(bytes).status.success(), "byte {byte}, bit {bit}");
            }
        });
    }
}

#[test]
fn headers_that_contradict_themselves_are_refused() {
    let whole = table_bytes(&marked(&games::domineering(2, 4), LabelSet::OUTCOME));
    attacks::refused(&whole, |bytes| forge::set(bytes, "solver", 7), "solver");
    attacks::refused(&whole, |bytes| forge::set(bytes, "starts.mode", 1), "start positions");
    attacks::refused(&whole, |bytes| forge::set(bytes, "starts.board", 1 << 40), "start positions");
    for figure in ["figure.wins", "figure.draws", "figure.losses"] {
        for at in forge::every(&whole, figure) {
            let more = u64::MAX / 2;
            attacks::refused(&whole, |bytes| bytes[at.clone()].copy_from_slice(&more.to_le_bytes()), "counts");
        }
    }
}

/// Reachability bits change the counts of a table and none of its labels.
#[test]
fn reachability_bits_change_no_label() {
    for rules in [games::dominoes(4), games::domineering(3, 4), games::tictactoe()] {
        let (with, without) = (marked(&rules, LabelSet::OUTCOME), solve(&rules, &Options::default()).expect("small"));
        assert_eq!(every(with.contents()).planes().bytes().plain(), every(without.contents()).planes().bytes().plain());
        assert_eq!(with.every_by_mode(), Some(without.counts_by_mode()));
        assert_eq!(with.counts_by_mode(), sparse(&rules).counts_by_mode());
        assert!(without.every_by_mode().is_none());
    }
}

/// When the engine solves a game of the library on the spot, it marks the positions reachable from the game's roots.
#[test]
fn the_engine_marks_reachable_positions() {
    let engine = engine::Engine::new(engine::TableDirs::none());
    for game in [named("domineering", "rows=3 cols=3"), named("chomp", "rows=3 cols=4")] {
        let (rules, roots) = (game.rules().clone(), game.rules().starts_and(&game.roots()));
        let source = engine.source(game, 1000).expect("a small game");
        let table = source.table().expect("solved in memory");
        let reached = solve(&rules, &Options { roots: &roots, ..Options::of(Method::Sparse) });
        assert_eq!(table.counts_by_mode(), reached.expect("small rules").counts_by_mode());
        assert!(engine::reachable(table).is_some_and(|reached| u128::from(reached) < rules.positions()));
        verify::labels(table, &verify::Options::default()).expect("labels of a solver are right");
    }
    // Every board of Tactics is known to be reachable, so the engine does not mark any.
    let source = engine.source(named("tactics", "rows=3 cols=3"), 1000).expect("a small game");
    assert_eq!(source.table().and_then(engine::reachable), None);
}
