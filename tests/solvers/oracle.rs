//! Both solvers, every kernel and the search, compared with an independent solver on random rules and on games with
//! known results. `agree` has more games.

use crate::common::oracle::Oracle;
use crate::common::{assert_twins, dense, games, held, outcome, positions, random, scalar, sparse, table};
use proptest::prelude::*;
use tablegen::label::{Counts, Probe};
use tablegen::rules::{Board, Mode, Node, Outcome, Position, Rules, Start};
use tablegen::search::Search;
use tablegen::solve::{Method, Options, Solution, solve};
use tablegen::verify::{self, Scope};

/// The independent solver's outcome of every position, in the order of [`positions`].
fn expected(rules: &Rules) -> Vec<Outcome> {
    let mut oracle = Oracle::new(rules);
    positions(rules).map(|p| oracle.outcome(p)).collect()
}

fn assert_outcomes(rules: &Rules, solution: &Solution, expected: &[Outcome]) {
    for (p, &expected) in positions(rules).zip(expected) {
        assert_eq!(outcome(solution, p), expected, "{}, {} at {p:?}", rules.name(), solution.program());
    }
}

/// Panics unless every kernel has the bytes of the reference implementation in the kernel's layout. The reference
/// implementation must have the expected outcomes in that layout and in reading order.
fn assert_swept(rules: &Rules, expected: &[Outcome]) {
    assert_outcomes(rules, &assert_twins(rules), expected);
    assert_outcomes(rules, &scalar(rules), expected);
}

/// Panics unless the sparse solver holds exactly the positions reachable from `roots`, each once and with its expected
/// outcome. Empty `roots` mean the starts of the rules. Returns the number of positions.
fn assert_flooded(rules: &Rules, roots: &[Position], expected: &[Outcome]) -> u64 {
    let options = Options { roots, ..Options::of(Method::Sparse) };
    let solution = solve(rules, &options).expect("the rules are small");
    let start = rules.start_positions();
    let mut reachable = reachable(rules, if roots.is_empty() { &start } else { roots });
    for ((p, &expected), &reachable) in positions(rules).zip(expected).zip(&reachable) {
        let expected = reachable.then_some(expected);
        assert_eq!(solution.outcome(p), expected, "{}: {p:?} of {rules:?}", rules.name());
    }
    // Take each listed position out of the set, which must be empty at the end.
    let mut listed = 0;
    for (p, outcome) in held(&solution) {
        let number = number(rules, p);
        assert!(std::mem::take(&mut reachable[number]), "{}: {p:?} is listed once", rules.name());
        assert_eq!(outcome, expected[number], "{}: {p:?} of {rules:?}", rules.name());
        listed += 1;
    }
    assert!(listed == solution.count() && !reachable.contains(&true));
    listed
}

/// Every position of `rules`, ordered by board number, then by mode.
fn by_board(rules: &Rules) -> impl DoubleEndedIterator<Item = Position> {
    let modes = rules.modes().len() as u16;
    (0..1u64 << rules.cells())
        .flat_map(move |b| (0..modes).map(move |mode| Position::new(Mode(mode), Board::from_word(b))))
}

/// The index of `position` in the order of [`positions`].
fn number(rules: &Rules, position: Position) -> usize {
    (usize::from(position.mode.0) << rules.cells()) + position.board.low_word() as usize
}

/// For each position in the order of [`positions`]: it is reachable from `roots`. Follows the definition.
fn reachable(rules: &Rules, roots: &[Position]) -> Vec<bool> {
    let mut found = vec![false; rules.modes().len() << rules.cells()];
    roots.iter().for_each(|&root| found[number(rules, root)] = true);
    // A move leads to a larger board number.
    for position in by_board(rules) {
        if found[number(rules, position)] {
            rules.moves_from(position).for_each(|m| found[number(rules, m.play(position))] = true);
        }
    }
    found
}

/// Panics unless the search finds the expected outcome of every position, and of the opening.
fn assert_searched(rules: &Rules, expected: &[Outcome]) {
    let mut search = Search::new(rules);
    // Start with the full board, so that the search remembers the successors of each position.
    for p in by_board(rules).rev() {
        let expected = expected[number(rules, p)];
        assert_eq!(search.outcome(Node::At(p)), Ok(expected), "{}: {p:?} of {rules:?}", rules.name());
    }
    // The opening has the outcome of its best choice. Search it once with the remembered outcomes, and once without.
    let choices = |choices: &[Position]| choices.iter().map(|&p| expected[number(rules, p)].flip()).max();
    let opening = match rules.start() {
        Start::At(position) => Some(expected[number(rules, *position)]),
        Start::Opening(first) => choices(first),
    };
    let opening = opening.expect("an opening has a choice");
    assert_eq!(search.outcome(Node::Opening), Ok(opening));
    assert_eq!(Search::new(rules).outcome(Node::Opening), Ok(opening));
}

/// Panics unless the kernels, the reference implementation, the sparse solver and the search agree on every position.
/// The independent solver joins in if the game has few enough positions. Returns the numbers of reachable and of
/// unreachable positions.
pub(crate) fn agree(rules: &Rules) -> (u64, u64) {
    let expected: Vec<Outcome> = if rules.positions() <= 1 << 17 {
        let expected = expected(rules);
        assert_swept(rules, &expected);
        expected
    } else {
        let twin = assert_twins(rules);
        positions(rules).map(|p| outcome(&twin, p)).collect()
    };
    assert_searched(rules, &expected);
    let reachable = assert_flooded(rules, &[], &expected);
    (reachable, expected.len() as u64 - reachable)
}

/// Panics unless a table of the rules has the outcomes, moves, order of moves, opening and counts that the independent
/// solver finds, and passes every verifier.
fn assert_tabled(rules: &Rules) {
    let mut oracle = Oracle::new(rules);
    let table = table(&dense(rules));
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
    // If the start is one position, a probe of the opening is a probe of that position.
    let same = table.probe(Node::Opening).expect("nothing is damaged");
    assert_eq!((same.value, same.moves), (probe.value, probe.moves));

    verify::bytes(&table, &verify::Options::default()).expect("nothing is damaged");
    let labels =
        |scope| verify::labels(&table, &verify::Options { scope, ..Default::default() }).expect("every label is right");
    assert_eq!(labels(Scope::All), counts.iter().map(Counts::total).sum::<u64>());
    assert_eq!(labels(Scope::Sample { count: 50, seed: 7 }), 50);
}

fn assert_probe(probe: &Probe, node: Node, value: Outcome, choices: &[(Position, Outcome)]) {
    let found: Vec<_> = probe.moves.iter().map(|choice| (choice.to, choice.value.outcome)).collect();
    assert_eq!((probe.node, probe.value.outcome), (node, value), "{node:?}");
    assert_eq!(found, choices, "the moves at {node:?}");
    assert_eq!(probe.over, choices.is_empty(), "{node:?}");
    // If there is a move, the best move has the outcome of the position.
    assert!(choices.is_empty() || probe.best().count() > 0, "{node:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]
    #[test]
    fn random_rules_are_swept(rules in random::small()) {
        assert_swept(&rules, &expected(&rules));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 230, ..ProptestConfig::default() })]
    #[test]
    fn random_rules_by_the_sparse_solver_and_by_search(rules in random::small()) {
        let expected = expected(&rules);
        assert_flooded(&rules, &[], &expected);
        assert_searched(&rules, &expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]
    #[test]
    fn random_rules_with_passes(rules in random::with_passes()) {
        prop_assume!(rules.potential().is_some());
        let expected = expected(&rules);
        assert_flooded(&rules, &[], &expected);
        assert_searched(&rules, &expected);
        let table = table(&sparse(&rules));
        prop_assert_eq!(table.rules(), &rules);
        verify::labels(&table, &verify::Options::default()).expect("every label is right");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn random_rules_by_the_sparse_solver_from_other_roots(rules in random::small(), words in prop::collection::vec(any::<u64>(), 1..4)) {
        let modes = rules.modes().len() as u16;
        let root = |&word: &u64| Position::new(Mode((word >> 32) as u16 % modes), Board::from_word(word) & Board::full(rules.cells()));
        let mut roots: Vec<Position> = words.iter().map(root).collect();
        // A root that occurs twice counts once.
        roots.push(roots[0]);
        assert_flooded(&rules, &roots, &expected(&rules));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]
    #[test]
    fn tables_of_random_rules(rules in random::small()) {
        assert_tabled(&rules);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]
    #[test]
    fn large_random_rules_are_swept(rules in random::large()) {
        assert_swept(&rules, &expected(&rules));
    }

    #[test]
    fn crowded_random_rules_are_swept(rules in random::crowded()) {
        assert_swept(&rules, &expected(&rules));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn crowded_random_rules_by_the_sparse_solver_and_by_search(rules in random::crowded()) {
        let expected = expected(&rules);
        assert_flooded(&rules, &[], &expected);
        assert_searched(&rules, &expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]
    #[test]
    fn large_random_rules_by_the_sparse_solver_and_by_search(rules in random::large()) {
        let expected = expected(&rules);
        assert_flooded(&rules, &[], &expected);
        assert_searched(&rules, &expected);
    }

    #[test]
    fn wide_random_rules_by_the_sparse_solver_and_by_search(rules in random::wide()) {
        let expected = expected(&rules);
        assert_flooded(&rules, &[], &expected);
        assert_searched(&rules, &expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    /// Boards large enough to be swept in many blocks at once.
    #[test]
    fn wide_random_rules_are_swept(rules in random::wide()) {
        assert_twins(&rules);
    }
}

#[test]
fn tables_of_games_written_by_hand() {
    for rules in games::of_every_kind() {
        assert_tabled(&rules);
    }
}

#[test]
fn known_results() {
    let start = |rules: &Rules| {
        let table = table(&assert_twins(rules));
        table.probe(Node::Opening).expect("nothing is damaged").value.outcome
    };
    assert_eq!(start(&games::tictactoe()), Outcome::Draw);
    // Chomp: the first player wins every board but the single poisoned square, by a strategy-stealing argument.
    for (rows, cols) in [(1, 2), (2, 2), (3, 5), (4, 4)] {
        assert_eq!(start(&games::chomp(rows, cols)), Outcome::Win, "chomp {rows}x{cols}");
    }
    // Node Kayles on a path is Dawson's Chess (octal 0.137). These are the paths of up to 17 vertices that the second
    // player wins (OEIS A002187: Grundy value 0).
    let lost = (1..=17).filter(|&n| start(&games::node_kayles(n, Outcome::Loss)) == Outcome::Loss);
    assert_eq!(lost.collect::<Vec<_>>(), [4, 8, 14]);
    // In Domineering, the player who moves first wins on 4x4 and 2x2 boards. On 3x2, with more rows than columns, Left
    // always wins.
    assert_eq!(start(&games::domineering(4, 4)), Outcome::Win);
    let tall = dense(&games::domineering(3, 2));
    let to_move = |mode| outcome(&tall, Position::new(Mode(mode), Board::EMPTY));
    assert_eq!((to_move(0), start(&games::domineering(3, 3))), (Outcome::Win, Outcome::Win));
}

/// Games too large for the independent solver, large enough to be swept in many blocks at once.
#[test]
fn wide_games_equal_the_reference_implementation() {
    for rules in [games::dominoes(6), games::chomp(3, 7), games::drawn_kayles(21)] {
        let twin = assert_twins(&rules);
        // A game with only one outcome would not test the kernel.
        let counts = twin.counts();
        assert_eq!([counts.win, counts.draw, counts.loss].map(|n| n > 0), [true, rules.can_draw(), true]);
    }
}

/// The random rules cover the cases that they are meant for. Otherwise the tests above would test less than they seem
/// to.
#[test]
fn the_random_rules_cover_their_cases() {
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
    // Play lasts for a while in one game of six, which is about two thousand for each solver, and often leaves boards
    // unreachable.
    let reach = |rules: &Rules| reachable(rules, &rules.start_positions()).into_iter().filter(|&found| found).count();
    let far = share(&|rules| reach(rules) > 30);
    assert!(far > 40, "{far}");
    assert!(share(&|rules| (reach(rules) as u128) < rules.positions() / 2) > 200);
    // Most games have both wins and losses, so that a solver that writes only zeros fails.
    let mixed = share(&|rules| {
        let mut oracle = Oracle::new(rules);
        let mut seen = positions(rules).map(|p| oracle.outcome(p));
        let first = seen.next();
        seen.any(|outcome| Some(outcome) != first)
    });
    assert!(mixed > 200, "{mixed}");
}
