//! `verify_oracle`: tables held against plain search, every position or a sample, and what it says where it does not know.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::{dense, forge, games, positions, reached, reached_bytes, scalar, table_bytes};
use proptest::prelude::*;
use tablegen::game::{Game, Play, Shiritori, Tactics};
use tablegen::oracle::{Checked, LIMIT, verify_oracle};
use tablegen::rules::{Descriptor, Rules};
use tablegen::table::{Finding, Labels, Table, TableFault, verify_bytes};

fn table(bytes: Vec<u8>) -> Table {
    let table = Table::from_bytes(bytes).expect("a table");
    verify_bytes(&table, &|_| {}).expect("checksums that hold");
    table
}

fn both(rules: &Rules) -> [Table; 2] {
    let every = table(table_bytes(rules, &dense(rules)));
    [every, table(reached_bytes(rules, &Descriptor::default(), &reached(rules)))]
}

fn all(table: &Table) -> Result<Checked, Finding> {
    verify_oracle(table, Labels::All, u64::MAX, &|_| {})
}

fn some_games() -> [Rules; 6] {
    let tactics = Tactics::new(4, 4, 4, Play::Misere).expect("the quiz's own board");
    let drawn = games::drawn_kayles(12);
    [games::motley(), games::tictactoe(), games::dominoes(4), games::chomp(3, 4), drawn, tactics.rules().clone()]
}

#[test]
fn sound_tables_are_right_throughout() {
    for rules in some_games() {
        for table in both(&rules) {
            let positions = table.counts().win + table.counts().draw + table.counts().loss;
            let told = AtomicU64::new(0);
            let note = |positions| _ = told.fetch_add(positions, Ordering::Relaxed);
            let found = verify_oracle(&table, Labels::All, u64::MAX, &note).expect("right");
            assert_eq!((found, told.into_inner()), (Checked { right: positions, unknown: 0 }, positions));
            let sample = Labels::Sample { count: 333, seed: 5 };
            let found = verify_oracle(&table, sample, LIMIT, &|_| {}).expect("right");
            assert_eq!(found, Checked { right: 333, unknown: 0 }, "{}", rules.name());
        }
    }
}

/// Each label changed alone, under checksums that hold: it is found, and named with what it should be.
#[test]
fn every_wrong_label_is_found() {
    for rules in [games::chomp(3, 3), games::dominoes(3)] {
        let whole = table_bytes(&rules, &scalar(&rules));
        let labels = forge::labels(&whole);
        let plane = labels.len() / rules.modes().len();
        let sound = table(whole.clone());
        for position in positions(&rules) {
            let (mode, board) = (usize::from(position.mode.0), position.board.0 as usize);
            let mut bytes = whole.clone();
            bytes[labels.start + mode * plane + board / 8] ^= 1 << (board % 8);
            forge::seal_all(&mut bytes);
            let expected = sound.outcome(position).expect("sound");
            match all(&table(bytes)).expect_err("a wrong label") {
                Finding::Oracle { position: named, found, expected: right } => {
                    assert_eq!((named, found, right), (position, expected.flip(), expected));
                }
                other => panic!("{other}"),
            }
        }
    }
}

#[test]
fn every_wrong_outcome_of_a_table_of_reached_positions_is_found() {
    for rules in [games::dominoes(3), games::drawn_kayles(8)] {
        let solution = reached(&rules);
        let whole = reached_bytes(&rules, &Descriptor::default(), &solution);
        let outcomes = forge::sections(&whole).swap_remove(1);
        let bits = if rules.can_draw() { 2 } else { 1 };
        let per_byte = 8 / bits;
        let mut first = outcomes.start;
        for size in solution.levels().sizes() {
            for index in 0..size.count as usize {
                let mut bytes = whole.clone();
                // Of two bits the upper: a loss becomes a win, a win a loss, and a draw no outcome at all.
                bytes[first + index / per_byte] ^= 1 << (bits * (index % per_byte) + bits - 1);
                forge::seal_all(&mut bytes);
                let table = table(bytes);
                match all(&table).expect_err("a wrong outcome") {
                    Finding::Oracle { position, found, expected } => {
                        assert_eq!(solution.outcome(position), Some(expected));
                        assert!(found != expected && position.board.count() == size.filled);
                        assert_eq!(table.outcome(position).expect("an outcome"), found);
                    }
                    Finding::Bytes(TableFault::NoOutcome { position }) => assert!(table.outcome(position).is_err()),
                    other => panic!("{other}"),
                }
            }
            first += (size.count as usize).div_ceil(per_byte);
        }
        assert_eq!(first, outcomes.end);
    }
}

/// What is not known is counted as that and never as right, and a wrong label behind it is not found.
#[test]
fn what_is_not_known_is_not_right() {
    let rules = games::chomp(3, 4);
    let [every, _] = both(&rules);
    let none = verify_oracle(&every, Labels::All, 0, &|_| {}).expect("nothing was compared");
    // Without expanding anything only what a pattern ends is known, and here nothing is.
    assert_eq!(none, Checked { right: 0, unknown: 1 << 11 });
    let sample = Labels::Sample { count: 400, seed: 1 };
    let some = verify_oracle(&every, sample, 3, &|_| {}).expect("right as far as known");
    assert!(some.right > 0 && some.unknown > 0 && some.right + some.unknown == 400, "{some:?}");

    let mut bytes = table_bytes(&rules, &scalar(&rules));
    let start = forge::labels(&bytes).start;
    bytes[start] ^= 1;
    forge::seal_all(&mut bytes);
    let wrong_at_the_start = table(bytes);
    assert!(all(&wrong_at_the_start).is_err());
    // Each position is asked by a search of few steps; the empty board takes more.
    let draws = Labels::Sample { count: 20_000, seed: 2 };
    let unknown = verify_oracle(&wrong_at_the_start, draws, 3, &|_| {}).expect("the label is out of reach").unknown;
    assert!(unknown > 0);
    assert!(verify_oracle(&wrong_at_the_start, draws, LIMIT, &|_| {}).is_err());
}

/// The first finding and the counts are the same whatever the number of threads.
#[test]
fn threads_cannot_be_seen() {
    let rules = games::drawn_kayles(14);
    let whole = table_bytes(&rules, &scalar(&rules));
    let mut bytes = whole.clone();
    let labels = forge::labels(&whole);
    for place in (labels.start..labels.end).step_by(97) {
        bytes[place] ^= 0x10;
    }
    forge::seal_all(&mut bytes);
    let (sound, wrong) = (table(whole), table(bytes));
    let sample = Labels::Sample { count: 2000, seed: 9 };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let finding = |labels| verify_oracle(&wrong, labels, LIMIT, &|_| {}).expect_err("wrong").to_string();
            let counted = verify_oracle(&sound, sample, 10, &|_| {}).expect("right as far as known");
            (finding(sample), finding(Labels::All), counted)
        })
    };
    let one = with(1);
    assert!(one.2.unknown > 0 && one == with(2) && one == with(5));
}

/// A drawn position has half of its squares filled or so: a search knows it in a moment.
#[test]
fn a_sample_of_a_large_table() {
    let rules = Tactics::new(4, 5, 4, Play::Misere).expect("an ordinary board").rules().clone();
    let sample = Labels::Sample { count: 1000, seed: 0 };
    for table in both(&rules) {
        assert_eq!(verify_oracle(&table, sample, LIMIT, &|_| {}).expect("right"), Checked { right: 1000, unknown: 0 });
    }
}

#[test]
fn the_medium_list_of_shiritori() {
    let game = Shiritori::new(include_str!("../data/shiritori/medium.txt"), Play::Normal).expect("a list");
    let options = tablegen::solve::sparse::Options { roots: &game.roots(), ..Default::default() };
    let solution = tablegen::solve::sparse(game.rules(), &options).expect("a small list");
    let table = table(reached_bytes(game.rules(), &game.descriptor(), &solution));
    assert_eq!(all(&table).expect("right"), Checked { right: 80, unknown: 0 });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn tables_of_random_rules_are_right(rules in crate::common::random::small()) {
        for table in both(&rules) {
            prop_assert_eq!(all(&table).map_err(|e| TestCaseError::fail(e.to_string()))?.unknown, 0);
        }
    }
}
