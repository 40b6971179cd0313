//! Two-colour tables. Every kernel equals the reference implementation, which equals the tests' own solver. Known games
//! equal the other solvers, the reader in Python reads the tables, and the verifier rejects forged ones.

use crate::common::library::named as library;
use crate::common::oracle::Oracle;
use crate::common::{
    assert_verified_and_read, attacks, coloured, dense, forge, games, held, labels, positions, script, sparse, squares,
    table, table_bytes,
};
use proptest::prelude::*;
use tablegen::contents::{Coloured, Contents};
use tablegen::game::{Game, Mnk, Play};
use tablegen::label::{Counts, LabelKind, LabelSet};
use tablegen::rules::{Board, Move, Outcome, Position, Rules, RulesSpec};
use tablegen::solve::{self, Kernel, Method, NotColoured, Options, Solution, SolveError, Solver, solve};
use tablegen::table::Table;
use tablegen::verify::Finding;

/// The two-colour contents of a solution.
fn contents(solution: &Solution) -> Coloured<'_> {
    let Contents::Coloured(coloured) = solution.contents() else { panic!("a label of every colouring") };
    coloured
}

/// Panics unless every kernel gives the bytes of the reference implementation with any number of threads. Returns the
/// reference solution.
fn assert_twins(rules: &Rules) -> Solution {
    let labels = labels(rules);
    let twin = solve::scalar_coloured(rules, &[], labels).expect("small rules of two colours");
    for kernel in Kernel::available() {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let options = Options { labels, ..Options::of(Solver::Coloured { kernel: Some(kernel) }) };
            let fast = pool.install(|| solve(rules, &options)).expect("small rules of two colours");
            assert!(fast == twin, "{}: {} in {threads} threads and its twin differ", rules.name(), fast.program());
            assert_eq!((fast.counts_by_mode(), fast.every_by_mode()), (twin.counts_by_mode(), twin.every_by_mode()));
        }
    }
    twin
}

/// Compares the reachable positions and all their labels with the sparse solver, and all positions with `outcome`.
fn assert_right(solution: &Solution, labels: LabelSet, mut outcome: impl FnMut(Position) -> Outcome) {
    let rules = solution.rules();
    let reached = solve(rules, &Options { labels, ..Options::of(Method::Sparse) }).expect("small rules");
    let coloured = contents(solution);
    for (position, _) in held(&reached) {
        assert!(coloured.is_reached(position).expect("in memory"), "{position:?} is reached");
        assert_eq!(solution.value(position), reached.value(position), "{position:?}");
    }
    assert_eq!(solution.counts_by_mode(), reached.counts_by_mode());
    assert_eq!(coloured.positions().count() as u64, reached.count());
    for rank in 0..coloured.count() {
        let position = solution.contents().unrank(rank).expect("a rank");
        assert_eq!(solution.outcome(position), Some(outcome(position)), "{}: {position:?}", rules.name());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Gravity, neighbours, holes, single cells, several modes, draws, starts. The tests' own solver works from the
    /// masks alone.
    #[test]
    fn random_rules_of_two_colours(seed in any::<u64>()) {
        let rules = squares::rules(seed, 1..=5);
        match solve::coloured(&rules, &[]) {
            Ok(_) => {
                let twin = assert_twins(&rules);
                let mut oracle = Oracle::new(&rules);
                assert_right(&twin, labels(&rules), |position| oracle.outcome(position));
            }
            Err(reason) => {
                prop_assert_eq!(reason, NotColoured::NoPairs);
                let options = Options::of(Method::Coloured);
                let is_refused = matches!(solve(&rules, &options), Err(SolveError::NotColoured { .. }));
                prop_assert!(is_refused);
            }
        }
    }
}

/// Occupied sets with more colourings than a vector has bits, so that sweeps use words, vectors and sizes in between.
#[test]
fn larger_random_rules_of_two_colours() {
    let mut solved = 0;
    for seed in 0..120 {
        let rules = squares::rules(seed, 9..=11);
        if solve::coloured(&rules, &[]).is_ok_and(|frame| frame.squares().pairs() >= 9) {
            let reached = sparse(&rules);
            let all = assert_kernels_agree(&rules);
            assert_eq!(all.counts_by_mode(), reached.counts_by_mode(), "{seed}");
            held(&reached).for_each(|(p, outcome)| assert_eq!(all.outcome(p), Some(outcome), "{seed}: {p:?}"));
            solved += 1;
        }
    }
    assert!(solved > 5, "{solved} of the rules have nine pairs");
}

fn assert_kernels_agree(rules: &Rules) -> Solution {
    let labels = labels(rules);
    let mut all = Kernel::available().into_iter().map(|kernel| {
        let solver = Solver::Coloured { kernel: Some(kernel) };
        solve(rules, &Options { labels, ..Options::of(solver) }).expect("small rules of two colours")
    });
    let first = all.next().expect("every machine has a kernel");
    all.for_each(|other| assert!(first == other, "{}: {} differs", rules.name(), other.program()));
    first
}

/// Thousands of random rules: `cargo test --test solvers coloured -- --ignored`.
#[test]
#[ignore = "a minute"]
fn thousands_of_random_rules_of_two_colours() {
    for seed in 1 << 32..(1 << 32) + 4000 {
        let rules = squares::rules(seed, 1..=6);
        if solve::coloured(&rules, &[]).is_ok() {
            let mut oracle = Oracle::new(&rules);
            assert_right(&assert_twins(&rules), labels(&rules), |position| oracle.outcome(position));
        }
    }
}

/// Roots with nine squares and more occupied lie in every word of a vector.
#[test]
fn roots_among_many_colourings() {
    let rules = mnk(3, 4, 4, Play::Normal);
    let whole = solve(&rules, &Options::of(Method::Coloured)).expect("a small board");
    let every = (0..contents(&whole).count()).step_by(997).map(|rank| whole.contents().unrank(rank).expect("a rank"));
    let roots: Vec<Position> = every.filter(|position| position.board.count() >= 9).collect();
    assert!(roots.len() > 100, "{} roots", roots.len());
    let twin = solve::scalar_coloured(&rules, &roots, LabelSet::OUTCOME).expect("a small board");
    for kernel in Kernel::available() {
        let options = Options { roots: &roots, ..Options::of(Solver::Coloured { kernel: Some(kernel) }) };
        let fast = solve(&rules, &options).expect("a small board");
        assert_eq!(fast.counts_by_mode(), twin.counts_by_mode(), "{}", fast.program());
        for &root in &roots {
            assert!(contents(&fast).is_reached(root).expect("in memory"), "{}: {root:?}", fast.program());
        }
    }
}

fn mnk(rows: u32, cols: u32, k: u32, play: Play) -> Rules {
    Mnk::new(rows, cols, k, play).expect("a board of ordinary size").rules().clone()
}

/// Compares every label and every count with the sparse solver, from the roots of the game.
fn assert_as_sparse(game: &dyn Game) -> Solution {
    let (rules, roots) = (game.rules(), game.roots());
    let by = |method| {
        let options = Options { roots: &roots, labels: labels(rules), ..Options::of(method) };
        solve(rules, &options).expect("a game of ordinary size")
    };
    let (all, reached) = (by(Method::Coloured), by(Method::Sparse));
    assert_eq!(all.counts_by_mode(), reached.counts_by_mode(), "{}", rules.name());
    for (position, _) in held(&reached) {
        assert_eq!(all.value(position), reached.value(position), "{}: {position:?}", rules.name());
    }
    all
}

#[test]
#[ignore = "minutes, and 8 GiB of memory"]
fn larger_boards_with_gravity_equal_the_sparse_solver() {
    for size in ["rows=4 cols=5", "rows=5 cols=4", "rows=5 cols=5"] {
        assert_as_sparse(library("connect-four", size).as_ref());
    }
}

#[test]
fn two_colour_games_equal_the_sparse_solver() {
    for (rows, cols, k) in [(3, 3, 3), (2, 4, 3), (3, 4, 3), (3, 4, 4)] {
        for play in [Play::Normal, Play::Misere] {
            assert_as_sparse(&Mnk::new(rows, cols, k, play).expect("a board"));
        }
    }
    for name in ["col", "snort"] {
        assert_as_sparse(library(name, "rows=3 cols=3").as_ref());
    }
    assert_as_sparse(library("hex", "rows=3 cols=3").as_ref());
    assert_as_sparse(library("connect-four", "rows=3 cols=4").as_ref());
}

/// Compares every colouring with a dense table, whether it is reachable or not.
#[test]
fn colourings_equal_the_dense_solver() {
    for rules in [mnk(3, 3, 3, Play::Misere), library("snort", "rows=2 cols=4").rules().clone()] {
        let (all, every) = (coloured(&rules), dense(&rules));
        let frame = contents(&all).frame();
        let placed = positions(&rules).filter(|&position| frame.place(position).is_some());
        let compared = placed.map(|p| assert_eq!(all.outcome(p), every.outcome(p), "{p:?}")).count() as u64;
        assert_eq!(compared, all.count());
    }
}

#[test]
#[ignore = "larger boards: half a minute"]
fn larger_two_colour_games_equal_the_sparse_solver() {
    for k in [3, 4] {
        for play in [Play::Normal, Play::Misere] {
            assert_as_sparse(&Mnk::new(4, 4, k, play).expect("a board"));
        }
    }
    for name in ["col", "snort"] {
        assert_as_sparse(library(name, "rows=3 cols=4").as_ref());
    }
    assert_as_sparse(library("sim", "").as_ref());
    assert_as_sparse(library("hex", "rows=4 cols=4").as_ref());
}

/// Four in a line on 4x4: a figure that an early prototype and the sparse solver agree on.
#[test]
fn four_in_a_line_on_4x4() {
    let all = coloured(&mnk(4, 4, 4, Play::Normal));
    assert_eq!(all.counts(), Counts { win: 2_730_266, draw: 6_031_189, loss: 960_556 });
    assert_eq!((all.counts().total(), all.count()), (9_722_011, 3u64.pow(16)));
    assert_eq!(all.outcome(Position::default()), Some(Outcome::Draw));
    // The counts of all colourings are larger: for example, six crosses without a nought are not reachable.
    let every: Counts = all.every_by_mode().expect("of every colouring").iter().copied().sum();
    assert_eq!(every.total(), 3u64.pow(16));
}

/// Tables are saved, opened, verified at three levels, extended with labels and read in Python.
#[test]
fn tables_of_colourings_are_verified_and_read() {
    let tictactoe = mnk(3, 3, 3, Play::Normal);
    for rules in [games::squares(), tictactoe, mnk(2, 3, 2, Play::Misere)] {
        let labels = labels(&rules);
        let options = Options { labels, ..Options::of(Method::Coloured) };
        let solution = solve(&rules, &options).expect("small rules");
        let outcomes = solve(&rules, &Options { labels: LabelSet::OUTCOME, ..options }).expect("small rules");
        assert_verified_and_read(&solution, &outcomes, &options);
    }
}

/// Changes each bit of the outcomes and of the reachability bits, and a byte of remoteness, under valid checksums.
#[test]
fn every_altered_bit_is_found() {
    let rules = games::squares();
    let labels = LabelSet::OUTCOME.with(LabelKind::Remoteness);
    let options = Options { labels, ..Options::of(Method::Coloured) };
    let whole = table_bytes(&solve(&rules, &options).expect("small rules"));
    let sections: [_; 3] = forge::sections(&whole).try_into().expect("three sections");
    let [outcomes, reached, remoteness] = sections;
    // Positions that are marked wrongly, and positions that are wrongly not marked, have findings of their own.
    let mut is_either = [false; 2];
    attacks::alter(&whole, attacks::bits(outcomes.chain(reached)), |(byte, bit), bytes, finding| {
        // The script ignores bits that belong to no position.
        if byte % 37 == 5 && bit == 3 && !matches!(finding, Finding::Stray) {
            assert!(!script::labels_of(bytes).status.success(), "byte {byte}, bit {bit}");
        }
        let named = matches!(
            finding,
            Finding::Label { .. }
                | Finding::Conflict { .. }
                | Finding::Stray
                | Finding::Unmarked { .. }
                | Finding::Unreached { .. }
                | Finding::Counts { .. }
        );
        assert!(named, "byte {byte}, bit {bit}: {finding}");
        is_either[0] |= matches!(finding, Finding::Unmarked { .. });
        is_either[1] |= matches!(finding, Finding::Unreached { .. });
    });
    assert_eq!(is_either, [true; 2]);
    attacks::alter(&whole, remoteness.map(|byte| (byte, 0)), |_, _, _| {});
}

/// Opening a table refuses headers that contradict themselves.
#[test]
fn headers_that_contradict_themselves_are_refused() {
    let whole = table_bytes(&coloured(&games::squares()));
    let squares = forge::every(&whole, "square.second");
    attacks::refused(&whole, |bytes| bytes[squares[0].start] = 255, "squares");
    attacks::refused(&whole, |bytes| bytes[squares[0].start] = 200, "squares");
    attacks::refused(&whole, |bytes| bytes.swap(squares[0].start, squares[1].start), "squares");
    attacks::refused(&whole, |bytes| forge::set(bytes, "squares.count", 0), "");
    attacks::refused(&whole, |bytes| forge::set(bytes, "solver", 7), "solver");
    attacks::refused(&whole, |bytes| forge::set(bytes, "starts.board", 1 << 40), "start positions");
    for figure in ["figure.wins", "figure.draws", "figure.losses"] {
        for at in forge::every(&whole, figure) {
            let more = u64::MAX / 2;
            attacks::refused(&whole, |bytes| bytes[at.clone()].copy_from_slice(&more.to_le_bytes()), "counts");
        }
    }
    let opened = Table::from_bytes(whole).expect("a sound table");
    assert!(opened.find(Position::default()).is_ok());
}

/// A board with both colours on a square has no place in the table: `find` returns `None`, and `outcome` is an error.
#[test]
fn positions_without_a_place() {
    let rules = mnk(3, 3, 3, Play::Normal);
    let (all, opened) = (coloured(&rules), table(&coloured(&rules)));
    let both = Position::of(Board::from_word(1 | 1 << 9));
    assert_eq!((all.outcome(both), opened.find(both).expect("a position of the rules")), (None, None));
    assert!(opened.outcome(both).is_err() && opened.value(both).is_err());
}

#[test]
fn rules_without_pairs_and_too_large_rules_are_refused() {
    let refusal = |rules: &Rules| match solve(rules, &Options::of(Method::Coloured)) {
        Err(SolveError::NotColoured { reason, .. }) => reason,
        other => panic!("expected a refusal, found {other:?}"),
    };
    assert_eq!(refusal(&games::dominoes(3)), NotColoured::NoPairs);
    assert_eq!(refusal(&games::chomp(2, 3)), NotColoured::NoPairs);
    assert_eq!(refusal(&RulesSpec::new("none", 64).build().expect("sound rules")), NotColoured::TooLarge);
    // A move that fills one free square, and the other eight whether they are free or not.
    let board = mnk(3, 3, 3, Play::Normal);
    let [x, o] = [Board::from_word(0o777 << 9), Board::from_word(0o777)];
    let sweeping = Move { empty: Board::bit(9) | o, fills: x, ..board.moves()[0] };
    let moves = board.moves().iter().copied().chain([sweeping]).collect();
    let rules = RulesSpec { moves, symmetries: Vec::new(), ..board.spec().clone() }.build().expect("sound rules");
    assert_eq!(refusal(&rules), NotColoured::Unasked);
    let options = Options { max_bytes: Some(4000), ..Options::of(Method::Coloured) };
    let error = solve(&mnk(3, 3, 3, Play::Normal), &options).expect_err("too little memory");
    assert!(matches!(error, SolveError::DenseMemory { allowed: 4000, .. }), "{error}");
}
