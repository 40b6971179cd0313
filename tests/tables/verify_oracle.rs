//! `verify::oracle`: tables checked by plain search, at every position or at a sample, and its report if a search is
//! undecided.
//!
//! The report counts labels: a check of all positions counts each label of each position of the table, and a sample each label of each
//! draw. A table that is right has as many right labels, and none that is unknown if the limit suffices. Seeds are arbitrary.

use crate::common::games::IMPARTIAL;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::{self, dense, forge, games, positions, reachable, scalar, sparse, sparse_of, table_bytes};
use proptest::prelude::*;
use tablegen::contents::LabelFault;
use tablegen::engine;
use tablegen::game::{Game, Parameters, Play, Shiritori, Tactics};
use tablegen::label::{Label, LabelKind, LabelSet, Remoteness, Width, step};
use tablegen::plane::Layout;
use tablegen::rules::{Board, Outcome, Position, Rules, RulesSpec};
use tablegen::solve::{self, Method, Solution, Solver};
use tablegen::table::{Table, TableFault};
use tablegen::verify::{self, Finding, ORACLE_LIMIT, ORACLE_POSITIONS, Options, OracleReport, Scope};

fn open(bytes: Vec<u8>) -> Table {
    let table = Table::from_bytes(bytes).expect("a table");
    verify::bytes(&table, &Options::default()).expect("checksums that hold");
    table
}

fn both(rules: &Rules) -> [Table; 2] {
    [common::table(&dense(rules)), common::table(&sparse(rules))]
}

fn within(table: &Table, scope: Scope, limit: u64) -> Result<OracleReport, Finding> {
    verify::oracle(table, &Options { scope, limit: Some(limit), progress: None })
}

fn all(table: &Table) -> Result<OracleReport, Finding> {
    within(table, Scope::All, u64::MAX)
}

fn some_games() -> [Rules; 6] {
    let tactics = Tactics::new(4, 4, 4, Play::Misere).expect("the quiz's own board");
    let drawn = games::drawn_kayles(12);
    [games::motley(), games::tictactoe(), games::dominoes(4), games::chomp(3, 4), drawn, tactics.rules().clone()]
}

#[test]
fn sound_tables_pass_at_every_position() {
    for rules in some_games() {
        for table in both(&rules) {
            let positions = table.counts().total();
            let told = AtomicU64::new(0);
            let note = |positions| {
                told.fetch_add(positions, Ordering::Relaxed);
                ControlFlow::Continue(())
            };
            let options = Options { limit: Some(u64::MAX), progress: Some(&note), ..Options::default() };
            let found = verify::oracle(&table, &options).expect("right");
            assert_eq!((found, told.into_inner()), (OracleReport { right: positions, unknown: 0 }, positions));
            // Some of these tables have fewer positions than draws, and others more.
            let sample = Scope::Sample { count: 333, seed: 5 };
            let found = within(&table, sample, ORACLE_LIMIT).expect("right");
            assert_eq!(found, OracleReport { right: 333, unknown: 0 }, "{}", rules.name());
        }
    }
}

/// Changes each label alone, under valid checksums. The check finds it, and names the label and the right value.
#[test]
fn every_wrong_label_is_found() {
    for rules in [games::chomp(3, 3), games::dominoes(3)] {
        let whole = table_bytes(&scalar(&rules));
        let labels = forge::outcomes(&whole);
        let plane = labels.len() / rules.modes().len();
        let sound = open(whole.clone());
        for position in positions(&rules) {
            let (mode, board) = (usize::from(position.mode.0), position.board.low_word() as usize);
            let mut bytes = whole.clone();
            bytes[labels.start + mode * plane + board / 8] ^= 1 << (board % 8);
            forge::seal_all(&mut bytes);
            let expected = sound.outcome(position).expect("sound");
            match all(&open(bytes)).expect_err("a wrong label") {
                Finding::Search { position: named, found, expected: right } => {
                    assert_eq!((named, found, right), (position, expected.flip(), expected));
                }
                other => panic!("{other}"),
            }
        }
    }
}

#[test]
fn every_wrong_outcome_of_a_sparse_table_is_found() {
    for rules in [games::dominoes(3), games::drawn_kayles(8)] {
        let solution = sparse(&rules);
        let whole = table_bytes(&solution);
        let outcomes = forge::outcomes(&whole);
        let bits = if rules.can_draw() { 2 } else { 1 };
        let per_byte = 8 / bits;
        let mut first = outcomes.start;
        for size in reachable(solution.contents()).sizes() {
            for index in 0..size.count as usize {
                let mut bytes = whole.clone();
                // Flip the upper of two bits: a loss becomes a win, a win a loss, and a draw an invalid outcome.
                bytes[first + index / per_byte] ^= 1 << (bits * (index % per_byte) + bits - 1);
                forge::seal_all(&mut bytes);
                let table = open(bytes);
                match all(&table).expect_err("a wrong outcome") {
                    Finding::Search { position, found, expected } => {
                        assert_eq!(solution.outcome(position), Some(expected));
                        assert!(found != expected && position.board.count() == size.filled);
                        assert_eq!(table.outcome(position).expect("an outcome"), found);
                    }
                    Finding::Bytes(TableFault::Labels(LabelFault::NoOutcome { position })) => {
                        assert!(table.outcome(position).is_err());
                    }
                    other => panic!("{other}"),
                }
            }
            first += (size.count as usize).div_ceil(per_byte);
        }
        assert_eq!(first, outcomes.end);
    }
}

/// Undecided positions are counted apart and never as right, and a wrong label there is not found.
#[test]
fn undecided_is_not_right() {
    let rules = games::chomp(3, 4);
    let [every, _] = both(&rules);
    let none = within(&every, Scope::All, 0).expect("nothing was compared");
    // Without expanding positions, the search decides only terminal patterns, and this game has none. It has 2^11 boards: the poisoned
    // square is no cell.
    assert_eq!(none, OracleReport { right: 0, unknown: 1 << 11 });
    // Three positions suffice where few squares are left, and not elsewhere.
    let some = within(&every, Scope::Sample { count: 400, seed: 1 }, 3).expect("right as far as known");
    assert!(some.right > 0 && some.unknown > 0 && some.right + some.unknown == 400, "{some:?}");

    let mut bytes = table_bytes(&scalar(&rules));
    let start = forge::outcomes(&bytes).start;
    bytes[start] ^= 1;
    forge::seal_all(&mut bytes);
    let wrong_at_the_start = open(bytes);
    assert!(all(&wrong_at_the_start).is_err());
    // A search of 3 positions cannot decide the empty board, but its label contradicts the labels of its successors.
    let draws = Scope::Sample { count: 1, seed: 2 };
    assert!(within(&wrong_at_the_start, draws, 3).is_err());
    assert!(within(&wrong_at_the_start, draws, ORACLE_LIMIT).is_err());
}

/// The first finding and the counts do not depend on the number of threads.
#[test]
fn the_report_does_not_depend_on_threads() {
    let rules = games::drawn_kayles(14);
    let whole = table_bytes(&scalar(&rules));
    let mut bytes = whole.clone();
    let labels = forge::outcomes(&whole);
    // Two planes of 2 KiB have 43 wrong labels, in the part of every thread.
    for place in (labels.start..labels.end).step_by(97) {
        bytes[place] ^= 0x10;
    }
    forge::seal_all(&mut bytes);
    let (sound, wrong) = (open(whole), open(bytes));
    // Of 2^14 positions, an eighth is drawn, so some draws meet a wrong label.
    let sample = Scope::Sample { count: 2000, seed: 9 };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let finding = |scope| within(&wrong, scope, ORACLE_LIMIT).expect_err("wrong").to_string();
            // Ten positions leave many draws undecided, whose number must not depend on the threads either.
            let counted = within(&sound, sample, 10).expect("right as far as known");
            (finding(sample), finding(Scope::All), counted)
        })
    };
    let one = with(1);
    assert!(one.2.unknown > 0 && one == with(2) && one == with(5));
}

/// About half of the squares of a random position are filled, so a search decides it quickly.
#[test]
fn a_sample_of_a_large_table() {
    let rules = Tactics::new(4, 5, 4, Play::Misere).expect("an ordinary board").rules().clone();
    let sample = Scope::Sample { count: 1000, seed: 0 };
    for table in both(&rules) {
        let found = within(&table, sample, ORACLE_LIMIT).expect("right");
        assert_eq!(found, OracleReport { right: 1000, unknown: 0 });
    }
}

/// The table has 80 positions, which `shiritori.rs` pins, each with its outcome alone.
#[test]
fn the_medium_list_of_shiritori() {
    let game = Shiritori::new(include_str!("../data/shiritori/medium.txt"), Play::Normal).expect("a list");
    let table = common::table(&sparse_of(&game));
    assert_eq!(all(&table).expect("right"), OracleReport { right: 80, unknown: 0 });
}

const REMOTENESS: LabelSet = LabelSet::OUTCOME.with(LabelKind::Remoteness);

fn with_labels(rules: &Rules, labels: LabelSet, method: Method) -> Solution {
    let layout = Layout::reading_order(rules.cells());
    let solver = match method {
        Method::Dense => Solver::Dense { marks: false, kernel: None, layout: Some(&layout) },
        _ => method.into(),
    };
    solve::solve(rules, &solve::Options { labels, ..solve::Options::of(solver) }).expect("the rules are small")
}

/// Remoteness and nimbers, at all positions and at a sample: each label counts. Fifty draws are fewer than the positions of each table.
#[test]
fn every_label_is_compared() {
    let normal = Tactics::new(3, 4, 4, Play::Normal).expect("an ordinary board").rules().clone();
    let cases = [
        (normal, IMPARTIAL),
        (games::dominoes(4), IMPARTIAL),
        (games::chomp(3, 4), LabelSet::OUTCOME.with(LabelKind::Nimber)),
        (games::motley(), REMOTENESS),
        (games::drawn_kayles(12), REMOTENESS),
        (games::tictactoe(), REMOTENESS),
    ];
    for (rules, labels) in cases {
        let kinds = labels.iter().count() as u64;
        for method in [Method::Dense, Method::Sparse] {
            let table = common::table(&with_labels(&rules, labels, method));
            let positions = table.contents().count();
            assert_eq!(all(&table).expect("right"), OracleReport { right: kinds * positions, unknown: 0 });
            let found = within(&table, Scope::Sample { count: 50, seed: 3 }, ORACLE_LIMIT).expect("right");
            assert_eq!(found, OracleReport { right: kinds * 50, unknown: 0 }, "{}", rules.name());
            // Undecided labels are counted one by one.
            let none = within(&table, Scope::Sample { count: 50, seed: 3 }, 1).expect("right as far as known");
            assert!(none.unknown > 0 && none.right + none.unknown == kinds * 50, "{none:?}");
        }
    }
}

/// Value iteration labels every reachable position, so it also decides a sample.
#[test]
fn a_sample_of_a_game_with_repetition_is_compared() {
    let game = engine::game("three-mens-morris", &Parameters::new()).expect("a game");
    let whole = table_bytes(&with_labels(game.rules(), REMOTENESS, Method::Cyclic));
    let (table, sample) = (open(whole.clone()), Scope::Sample { count: 40, seed: 2 });
    // Each of the 40 draws has two labels. Value iteration labels the whole game, which has more than nine positions, or nothing.
    assert_eq!(within(&table, sample, ORACLE_POSITIONS).expect("right"), OracleReport { right: 80, unknown: 0 });
    assert_eq!(within(&table, sample, 9).expect("not known"), OracleReport { right: 0, unknown: 80 });
    let count = table.contents().count();
    assert_eq!(all(&table).expect("right"), OracleReport { right: 2 * count, unknown: 0 });
    // Every win and every loss lasts two plies longer.
    let section = forge::sections(&whole).into_iter().next_back().expect("remoteness");
    let mut bytes = whole;
    for byte in &mut bytes[section] {
        let label = Remoteness::decode(*byte, Width::Eight).expect("a label");
        if label.outcome != Outcome::Draw {
            *byte = Remoteness { plies: label.plies + 2, ..label }.encode(Width::Eight);
        }
    }
    forge::seal_all(&mut bytes);
    let finding = within(&open(bytes), Scope::Sample { count: 1, seed: 0 }, ORACLE_POSITIONS).expect_err("wrong");
    assert!(matches!(finding, Finding::SearchNumber { label: LabelKind::Remoteness, .. }), "{finding}");
}

/// Forges remoteness consistently. The positions with 13 of 16 filled squares that `lies` selects last two plies longer
/// than they should, and all earlier positions are labelled to match.
fn consistent_lie(rules: &Rules, whole: &[u8], lies: impl Fn(u64) -> bool) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let at = forge::labels(whole, 2).expect("remoteness").start;
    for board in (0..1u64 << 16).rev() {
        let label =
            |p: Position| Remoteness::decode(bytes[at + p.board.low_word() as usize], Width::Eight).expect("a label");
        let mut label: Remoteness = step(rules, Position::of(Board::from_word(board)), label);
        if board.count_ones() == 13 && lies(board) {
            label.plies += 2;
        }
        bytes[at + board as usize] = label.encode(Width::Eight);
    }
    forge::seal_all(&mut bytes);
    bytes
}

/// All labels follow from their successors, except a few near the end of the game. A sample of single steps misses
/// those. Searching to the end finds the lie from nearly every position.
#[test]
fn a_consistent_lie_is_found_near_the_end_of_games() {
    let rules = Tactics::new(4, 4, 4, Play::Misere).expect("the quiz's own board").rules().clone();
    let whole = table_bytes(&with_labels(&rules, REMOTENESS, Method::Dense));
    let scope = Scope::Sample { count: 20, seed: 1 };
    let mut unseen = 0;
    for part in 0..8 {
        let table = open(consistent_lie(&rules, &whole, |board| board.wrapping_mul(0x9e37_79b9) >> 7 & 7 == part));
        unseen += u32::from(verify::labels(&table, &Options { scope, ..Options::default() }).is_ok());
        match within(&table, scope, ORACLE_LIMIT).expect_err("a lie") {
            Finding::SearchNumber { label: LabelKind::Remoteness, position, .. } => {
                assert!(position.board.count() <= 13, "{position:?}");
            }
            other => panic!("{other}"),
        }
    }
    // Twenty of 65,536 boards: the sample meets one of the boards that contradict their successors only by luck.
    assert!(unseen >= 4, "{unseen} of 8 were not met by 20 steps");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn labels_of_random_rules_are_right(rules in common::random::small()) {
        let spec = RulesSpec { ends: Vec::new(), terminal: Outcome::Loss, ..rules.clone().into_spec() };
        for (rules, labels) in [(rules, REMOTENESS), (spec.build().expect("sound rules"), IMPARTIAL)] {
            for method in [Method::Dense, Method::Sparse] {
                let table = common::table(&with_labels(&rules, labels, method));
                prop_assert_eq!(all(&table).map_err(|e| TestCaseError::fail(e.to_string()))?.unknown, 0);
            }
        }
    }

    #[test]
    fn tables_of_random_rules_are_right(rules in common::random::small()) {
        for table in both(&rules) {
            prop_assert_eq!(all(&table).map_err(|e| TestCaseError::fail(e.to_string()))?.unknown, 0);
        }
    }
}
