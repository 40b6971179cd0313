//! Damaged and forged tables of reached positions: every bit of a small one, and headers that no writer writes. Each is
//! refused with a reason, found by a verifier, or answers rightly; none panics.

use crate::common::forge;
use crate::common::{games, positions, reached, reached_bytes};
use tablegen::oracle::verify_oracle;
use tablegen::rules::{Board, Descriptor, Mode, Outcome, Position, Rules, RulesSpec};
use tablegen::solve::sparse::Solution;
use tablegen::table::{Finding, Labels, Table, TableFault, verify_bytes, verify_labels};

/// Modes, draws, an opening, ends; and a game without draws, with levels of several buckets.
fn tables() -> [(Rules, Solution, Vec<u8>); 2] {
    [games::motley(), games::dominoes(4)].map(|rules| {
        let solution = reached(&rules);
        let bytes = reached_bytes(&rules, &Descriptor::default(), &solution);
        (rules, solution, bytes)
    })
}

/// Whether `table` errs or says of positions what is true: its outcome, or that it is not reached. A share of them, another
/// for each `turn`: a block that does not hold is hashed at every question.
fn assert_no_lies(rules: &Rules, sound: &Solution, table: &Table, turn: usize, what: &str) {
    for position in positions(rules).skip(turn % SHARE).step_by(SHARE) {
        if let Ok(found) = table.find(position) {
            assert_eq!(found, sound.outcome(position), "{what}: {position:?}");
        }
    }
}

const SHARE: usize = 23;

#[test]
fn every_bit() {
    for (rules, sound, whole) in tables() {
        let sections = forge::sections(&whole);
        assert_eq!((sections.len(), sections[0].start), (2, 4096));
        for bit in 0..whole.len() * 8 {
            let what = format!("{}: bit {bit}", rules.name());
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let table = match Table::from_bytes(bytes.clone()) {
                Err(_) if bit / 8 < 4096 => continue,
                opened => opened.expect("what lies behind the header is not read when a table is opened"),
            };
            assert!(bit / 8 >= 4096, "{what}: a changed header was accepted");
            let found = verify_bytes(&table, &|_| {});
            let in_section = sections.iter().any(|section| section.contains(&(bit / 8)));
            match found {
                Err(Finding::Bytes(TableFault::BlockChecksum { .. })) => assert!(in_section, "{what}"),
                Err(Finding::Bytes(TableFault::ChecksumList)) => assert!(!in_section, "{what}"),
                other => panic!("{what}: {other:?}"),
            }
            // No panic without the checks (of one bit a byte, for time's sake); and with them no wrong answer.
            if in_section && bit % 8 != bit / 8 % 8 {
                assert!(table.checked().is_ok(), "{what}");
            } else if in_section {
                let _ = verify_labels(&table, Labels::All, &|_| {});
                let _ = verify_oracle(&table, Labels::Sample { count: 5, seed: bit as u64 }, 100, &|_| {});
                let share = positions(&rules).skip(bit % SHARE).step_by(SHARE);
                let _ = share.filter(|&position| table.outcome(position).is_ok()).count();
                let checked = table.checked().expect("the lists of checksums hold");
                assert_no_lies(&rules, &sound, &checked, bit, &what);
            } else {
                assert_no_lies(&rules, &sound, &table, bit, &what);
                assert!(matches!(table.checked().expect_err("refused").fault, TableFault::ChecksumList));
            }
        }
    }
}

/// Each bit of keys and outcomes changed under checksums that hold: the labels are found wrong, or what holds them.
#[test]
fn every_bit_under_checksums_that_hold() {
    for (rules, _, whole) in tables() {
        for byte in forge::sections(&whole).into_iter().flatten() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[byte] ^= 1 << bit;
                forge::seal_all(&mut bytes);
                let table = Table::from_bytes(bytes).expect("sections are not read when a table is opened");
                verify_bytes(&table, &|_| {}).expect("the forger seals what he writes");
                assert!(verify_labels(&table, Labels::All, &|_| {}).is_err(), "{}: {byte}.{bit}", rules.name());
                if bit != byte % 8 {
                    continue;
                }
                let _ = verify_labels(&table, Labels::Sample { count: 5, seed: byte as u64 }, &|_| {});
                let _ = verify_oracle(&table, Labels::All, u64::MAX, &|_| {});
                for position in positions(&rules).skip(byte % SHARE).step_by(SHARE) {
                    let _ = table.probe(position);
                }
            }
        }
    }
}

#[test]
fn cut_short_or_grown_at_every_length() {
    for (_, _, whole) in tables() {
        for length in 0..whole.len() {
            let fault = Table::from_bytes(whole[..length].to_vec()).expect_err("cut short").fault;
            assert!(matches!(fault, TableFault::TooShort { .. } | TableFault::Length { .. }), "{length}: {fault}");
        }
        for more in [1, 4096] {
            let mut bytes = whole.clone();
            bytes.resize(whole.len() + more, 0);
            assert!(matches!(Table::from_bytes(bytes).expect_err("grown").fault, TableFault::Length { .. }));
        }
    }
}

#[test]
fn the_forger_s_seal_is_the_writer_s() {
    for (_, _, whole) in tables() {
        let mut sealed = whole.clone();
        sealed[24..88].fill(0);
        for list in forge::sections(&whole) {
            sealed[list.end..list.end + 32].fill(0);
        }
        forge::seal_all(&mut sealed);
        assert!(sealed == whole);
        let fields = forge::fields(&whole);
        assert!(fields.windows(2).all(|pair| pair[0].at.end == pair[1].at.start));
        assert_eq!(fields.last().map(|field| field.at.end), Some(forge::get(&whole, "header.bytes") as usize));
    }
}

/// Fields of a header that no writer writes, sealed: refused, all of them.
#[test]
fn nonsense_fields() {
    let [_, (_, _, whole)] = tables();
    let malformed = |what: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        forge::seal_header(&mut bytes);
        match Table::from_bytes(bytes).expect_err(what).fault {
            TableFault::Malformed(_) => {}
            other => panic!("{what}: {other}"),
        }
    };
    for (name, values) in [
        ("coverage", &[0, 2, 255][..]),
        ("roots.count", &[0, 1, u64::MAX]),
        ("root.mode", &[4, 65_535]),
        ("root.board", &[1 << 10, u64::MAX]),
        ("levels.count", &[0, 1, 11, u64::MAX]),
        ("level.filled", &[2, 11, 255]),
        ("level.positions", &[0, 1, 1 << 11, 1 << 32, u64::MAX]),
        ("count.win", &[0, u64::MAX, 1 << 63]),
        ("sections.count", &[0, 1, 3, u64::MAX]),
        ("section.kind", &[0, 1, 3]),
        ("section.start", &[0, 88, 4095, 8192, 1 << 62, u64::MAX]),
        ("section.bytes", &[0, 1, 1 << 62, u64::MAX]),
        ("section.block", &[0, 1 << 15]),
    ] {
        for &value in values {
            malformed(&format!("{name} = {value}"), &|bytes| forge::set(bytes, name, value));
        }
    }
    malformed("roots out of order", &|bytes| {
        let [first, second] = [0, 1].map(|n| forge::field(bytes, "root.mode").start + 10 * n);
        let (a, b) = (bytes[first..first + 10].to_vec(), bytes[second..second + 10].to_vec());
        bytes[first..first + 10].copy_from_slice(&b);
        bytes[second..second + 10].copy_from_slice(&a);
    });
    malformed("a root twice", &|bytes| {
        let first = forge::field(bytes, "root.mode").start;
        bytes.copy_within(first..first + 10, first + 10);
    });
    // A root that is a position, and not the one play was followed from; a level of fewer filled cells than it has.
    for name in ["root.board", "level.filled"] {
        let mut bytes = whole.clone();
        forge::set(&mut bytes, name, 0);
        forge::seal_all(&mut bytes);
        let table = Table::from_bytes(bytes).expect("positions and levels in their order");
        assert!(verify_labels(&table, Labels::All, &|_| {}).is_err(), "{name}");
    }
    // Levels that are as many in all, and hold other numbers each.
    let mut bytes = whole.clone();
    let first = forge::field(&bytes, "level.positions");
    let second = first.start + 9..first.end + 9;
    let (a, b) = (bytes[first.start], bytes[second.start]);
    (bytes[first.start], bytes[second.start]) = (a - 1, b + 1);
    forge::seal_all(&mut bytes);
    if let Ok(table) = Table::from_bytes(bytes) {
        assert!(verify_labels(&table, Labels::All, &|_| {}).is_err());
    }
}

/// A table without a position cannot be: there is a root at least. Nor are there any draws to be made from it.
#[test]
fn a_table_of_nothing_is_refused() {
    let rules = RulesSpec::new("nothing", 3).build().expect("sound rules");
    let mut bytes = reached_bytes(&rules, &Descriptor::default(), &reached(&rules));
    let levels = forge::field(&bytes, "levels.count");
    bytes[levels.start] = 0;
    bytes.drain(levels.end..levels.end + 9);
    bytes.insert(4087, 0);
    bytes.splice(4088..4088, [0; 8]);
    for name in ["count.win", "count.loss", "section.bytes"] {
        forge::set(&mut bytes, name, 0);
    }
    forge::seal_header(&mut bytes);
    let fault = Table::from_bytes(bytes).expect_err("no position at all").fault;
    assert!(matches!(fault, TableFault::Malformed(what) if what.contains("levels")), "{fault}");
}

/// What is not held, and what the rules do not have, are told apart.
#[test]
fn positions_beyond_the_table() {
    let [_, (rules, solution, whole)] = tables();
    let table = Table::from_bytes(whole).expect("sound").checked().expect("sound");
    let outside: Vec<Position> = positions(&rules).filter(|&p| solution.outcome(p).is_none()).collect();
    assert!(outside.len() > 100);
    for position in outside {
        let fault = table.outcome(position).expect_err("not held").fault;
        assert!(matches!(fault, TableFault::NotReached { position: named } if named == position) && !fault.is_damage());
        assert_eq!(table.find(position).expect("sound"), None);
    }
    for (mode, board) in [(4, 0), (0, 1 << 10), (u16::MAX, u64::MAX)] {
        let position = Position::new(Mode(mode), Board(board));
        let fault = table.find(position).expect_err("no such position").fault;
        assert!(matches!(fault, TableFault::NoSuchPosition { .. }), "{fault}");
    }
    let held = solution.positions().next().expect("a position");
    assert_eq!(table.outcome(held.0).expect("held"), held.1);
    assert!([Outcome::Win, Outcome::Loss].contains(&held.1));
}
