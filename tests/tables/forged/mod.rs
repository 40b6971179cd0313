//! Tables with valid checksums and wrong content: labels, keys, counts and headers. Opening a table does not read the
//! labels, so it may accept such a table; `verify::labels` accepts none of them.

mod counts;
mod headers;
mod labels;

use crate::common::games::IMPARTIAL;
use crate::common::{forge, games, scalar, sparse, table_bytes};
use tablegen::game::{Game, Play, Tactics};
use tablegen::rules::Rules;
use tablegen::solve::{self, Method};
use tablegen::table::{Table, TableFault};
use tablegen::verify::{self, Finding, Options};

fn motley() -> Vec<u8> {
    table_bytes(&scalar(&games::motley()))
}

/// A sparse table of a game with four modes and no draws, whose levels have several buckets.
fn dominoes() -> Vec<u8> {
    table_bytes(&sparse(&games::dominoes(4)))
}

/// The smallest board with several levels and one root.
fn small_tactics() -> Rules {
    Tactics::new(2, 3, 4, Play::Misere).expect("a small board").rules().clone()
}

fn open(bytes: Vec<u8>) -> Table {
    Table::from_bytes(bytes).expect("opening reads only the header")
}

/// The result of the check of the labels for a forged table, whose checksums must be valid.
fn check(table: &Table) -> Result<u64, Finding> {
    verify::bytes(table, &Options::default()).expect("the forger seals what he writes");
    verify::labels(table, &Options::default())
}

fn assert_malformed(bytes: Vec<u8>, about: &str) {
    match Table::from_bytes(bytes).expect_err("a table that contradicts itself is refused").fault {
        TableFault::Malformed(what) => assert!(what.contains(about), "{about}: {what}"),
        other => panic!("{about}: {other}"),
    }
}

/// A table with every label: 64 positions, all of them reachable.
fn every_label(method: Method) -> Vec<u8> {
    let game = Tactics::new(2, 3, 3, Play::Normal).expect("a board of ordinary size");
    let options = solve::Options { labels: IMPARTIAL, ..solve::Options::of(method) };
    table_bytes(&solve::solve(game.rules(), &options).expect("small rules"))
}

#[test]
fn the_forger_s_checksums_equal_the_writer_s() {
    for rules in [games::motley(), games::dominoes(3), games::tictactoe()] {
        for whole in [table_bytes(&scalar(&rules)), table_bytes(&sparse(&rules))] {
            let mut sealed = whole.clone();
            sealed[24..88].fill(0);
            for digest in forge::every(&whole, "section.digest") {
                sealed[digest].fill(0);
            }
            for section in forge::sections(&whole) {
                sealed[forge::list_of(&section)].fill(0);
            }
            forge::seal_all(&mut sealed);
            assert!(sealed == whole);
            // The fields cover the header without gaps.
            let fields = forge::fields(&whole);
            assert!(fields.windows(2).all(|pair| pair[0].at.end == pair[1].at.start));
            assert_eq!(fields.last().map(|field| field.at.end), Some(forge::get(&whole, "header.bytes") as usize));
        }
    }
}
