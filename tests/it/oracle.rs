//! The solvers against a program that shares nothing with them, on random rules and on games with known results.

use crate::common::oracle::Oracle;
use crate::common::{assert_twins, dense, games, kernels, outcome, positions, random, scalar, table_bytes};
use proptest::prelude::*;
use tablegen::label::Probe;
use tablegen::plane::Counts;
use tablegen::rules::{Node, Outcome, Position, Rules};
use tablegen::solve;
use tablegen::table::{Labels, Table, verify_bytes, verify_labels};

/// Every kernel, the scalar twin and the oracle agree on every position, and the first two on every byte.
fn assert_solved(rules: &Rules) {
    let mut oracle = Oracle::new(rules);
    let expected: Vec<Outcome> = positions(rules).map(|p| oracle.outcome(p)).collect();
    let twin = scalar(rules);
    for (p, &expected) in positions(rules).zip(&expected) {
        assert_eq!(outcome(&twin, p), expected, "the scalar twin at {p:?}");
    }
    for options in kernels() {
        let fast = solve::dense(rules, &options).expect("sound and small");
        for (p, &expected) in positions(rules).zip(&expected) {
            assert_eq!(outcome(&fast, p), expected, "{} at {p:?}", fast.kernel());
        }
        assert_twins(rules, &fast);
    }
}

/// A table of the rules says what the oracle says: of every position, of its moves and their order, of the opening and
/// in the counts of its header; and every verifier passes it.
fn assert_tabled(rules: &Rules) {
    let mut oracle = Oracle::new(rules);
    let table = Table::from_bytes(table_bytes(rules, &dense(rules))).expect("what was just written");
    assert_eq!(table.rules(), rules);

    let mut counts = vec![Counts::default(); rules.modes().len()];
    for p in positions(rules) {
        let (expected, choices) = (oracle.outcome(p), oracle.choices(p));
        counts[usize::from(p.mode.0)].add(expected);
        assert_eq!(table.outcome(p).expect("nothing is damaged"), expected, "{p:?}");
        assert_probe(&table.probe(p).expect("nothing is damaged"), p.into(), expected, &choices);
    }
    assert_eq!(table.counts_by_mode(), counts);
    assert_eq!(table.counts().total(), (rules.modes().len() as u64) << rules.cells());

    let (value, choices) = oracle.opening();
    let probe = table.probe(rules.start_node()).expect("nothing is damaged");
    assert_probe(&probe, rules.start_node(), value, &choices);
    // A start that is one position is what a probe of "the opening" means too.
    let same = table.probe(Node::Opening).expect("nothing is damaged");
    assert_eq!((same.value, same.moves), (probe.value, probe.moves));

    verify_bytes(&table, &|_| {}).expect("nothing is damaged");
    assert_eq!(verify_labels(&table, Labels::All, &|_| {}).expect("every label is right"), counts_total(&counts));
    let sample = Labels::Sample { count: 50, seed: 7 };
    assert_eq!(verify_labels(&table, sample, &|_| {}).expect("every label is right"), 50);
}

fn counts_total(counts: &[Counts]) -> u64 {
    counts.iter().map(Counts::total).sum()
}

fn assert_probe(probe: &Probe, node: Node, value: Outcome, choices: &[(Position, Outcome)]) {
    let found: Vec<_> = probe.moves.iter().map(|choice| (choice.to, choice.value.outcome)).collect();
    assert_eq!((probe.node, probe.value.outcome), (node, value), "{node:?}");
    assert_eq!(found, choices, "the moves at {node:?}");
    assert_eq!(probe.over, choices.is_empty(), "{node:?}");
    // Where there is a move, the best one is worth what the position is.
    assert!(choices.is_empty() || probe.best().count() > 0, "{node:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
    #[test]
    fn random_rules_are_solved(rules in random::small()) {
        assert_solved(&rules);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
    #[test]
    fn random_rules_are_tabled(rules in random::small()) {
        assert_tabled(&rules);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]
    #[test]
    fn large_random_rules_are_solved(rules in random::large()) {
        assert_solved(&rules);
    }

    #[test]
    fn crowded_random_rules_are_solved(rules in random::crowded()) {
        assert_solved(&rules);
    }
}

#[test]
fn games_written_by_hand_are_solved_and_tabled() {
    let kayles = [Outcome::Loss, Outcome::Win].map(|terminal| games::node_kayles(12, terminal));
    let others =
        [games::motley(), games::chomp(3, 4), games::domineering(3, 4), games::dominoes(4), games::drawn_kayles(13)];
    for rules in kayles.iter().chain(&others) {
        assert_solved(rules);
        assert_tabled(rules);
    }
}

#[test]
fn known_results() {
    let start = |rules: &Rules| {
        let solution = dense(rules);
        assert_twins(rules, &solution);
        let table = Table::from_bytes(table_bytes(rules, &solution)).expect("what was just written");
        table.probe(Node::Opening).expect("nothing is damaged").value.outcome
    };
    assert_eq!(start(&games::tictactoe()), Outcome::Draw);
    // Chomp: the first player wins by stealing any strategy, on every board but the poisoned square itself.
    for (rows, cols) in [(1, 2), (2, 2), (3, 5), (4, 4)] {
        assert_eq!(start(&games::chomp(rows, cols)), Outcome::Win, "chomp {rows}x{cols}");
    }
    // Node Kayles on a path is Dawson's Chess (octal 0.137): the paths that the second player wins, as far as they go here (OEIS A002187: Grundy value 0).
    let lost = (1..=17).filter(|&n| start(&games::node_kayles(n, Outcome::Loss)) == Outcome::Loss);
    assert_eq!(lost.collect::<Vec<_>>(), [4, 8, 14]);
    // Domineering 4x4 is won by whoever moves first, 2x2 too; on 3x2 (more rows than columns) Left always wins.
    assert_eq!(start(&games::domineering(4, 4)), Outcome::Win);
    let tall = dense(&games::domineering(3, 2));
    let to_move = |mode| outcome(&tall, Position::new(tablegen::rules::Mode(mode), tablegen::rules::Board::EMPTY));
    assert_eq!((to_move(0), start(&games::domineering(3, 3))), (Outcome::Win, Outcome::Win));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    /// Too large for the oracle, large enough to be swept in many blocks at once: against the twin alone.
    #[test]
    fn wide_random_rules_equal_their_twin(rules in random::wide()) {
        for options in kernels() {
            assert_twins(&rules, &solve::dense(&rules, &options).expect("sound and small"));
        }
    }
}

#[test]
fn wide_games_equal_their_twin() {
    for rules in [games::dominoes(6), games::chomp(3, 7), games::drawn_kayles(21)] {
        for options in kernels() {
            let solution = solve::dense(&rules, &options).expect("sound and small");
            assert_twins(&rules, &solution);
            // A game of one outcome would pass whatever the kernel did.
            let seen = |wanted| positions(&rules).any(|p| outcome(&solution, p) == wanted);
            let expected = [true, rules.can_draw(), true];
            assert_eq!(Outcome::BEST_FIRST.map(seen), expected, "{}", rules.name());
        }
    }
}

/// What the strategies are for: if they stopped making such games, the properties above would say less than they seem.
#[test]
fn the_strategies_reach_what_they_aim_at() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let strategy = random::small();
    let games: Vec<Rules> =
        (0..300).map(|_| strategy.new_tree(&mut runner).expect("nothing is rejected").current()).collect();
    let share = |what: &dyn Fn(&Rules) -> bool| games.iter().filter(|rules| what(rules)).count();
    let any_move = |what: fn(&tablegen::rules::Move) -> bool| move |rules: &Rules| rules.moves().iter().any(what);
    assert!(share(&|rules| rules.cells() >= 10) > 100);
    assert!(share(&|rules| rules.cells() < 9) > 30);
    assert!(share(&|rules| rules.modes().len() > 1) > 150);
    assert!(share(&Rules::can_draw) > 90 && share(&|rules| !rules.can_draw()) > 90);
    assert!(share(&any_move(|m| !m.full.is_empty())) > 150);
    assert!(share(&any_move(|m| !m.empty.contains(m.fills))) > 150);
    assert!(share(&any_move(|m| !m.fills.contains(m.empty))) > 150);
    assert!(share(&|rules| rules.start_node() == Node::Opening) > 90);
    for outcome in Outcome::BEST_FIRST {
        assert!(share(&|rules| rules.terminal() == outcome) > 40, "{outcome}");
    }
    // Both ways to end: most games hold wins and losses, so that a solver cannot pass by writing zeros.
    let mixed = share(&|rules| {
        let mut oracle = Oracle::new(rules);
        let mut seen = positions(rules).map(|p| oracle.outcome(p));
        let first = seen.next();
        seen.any(|outcome| Some(outcome) != first)
    });
    assert!(mixed > 200, "{mixed}");
}
