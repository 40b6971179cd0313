//! Forged headers and lists of sections.

use super::{assert_malformed, dominoes, every_label, motley};
use crate::common::{forge, scalar, sparse, table_bytes};
use tablegen::rules::{RulesError, RulesSpec};
use tablegen::solve::Method;
use tablegen::table::{Table, TableFault, VERSION};
use tablegen::verify::{self, Options};

/// Sections of labels in the wrong order, twice, or of a wrong width or size.
#[test]
fn nonsense_sections_of_labels() {
    for method in [Method::Dense, Method::Sparse] {
        let whole = every_label(method);
        let last = forge::every(&whole, "section.label").len() - 1;
        let fields: [(&str, usize, &[u64]); 5] = [
            ("section.label", last - 1, &[0, 1, 2, 4, 255]),
            ("section.label", last, &[0, 1, 3, 5, 255]),
            ("section.bits", last, &[0, 1, 2, 7, 16]),
            ("section.kind", last, &[0, 2, 4]),
            ("section.bytes", last, &[0, 63, 65, u64::MAX]),
        ];
        for (name, number, values) in fields {
            for &value in values {
                let mut bytes = whole.clone();
                let at = forge::every(&bytes, name).swap_remove(number);
                let size = at.len();
                bytes[at].copy_from_slice(&value.to_le_bytes()[..size]);
                forge::seal_header(&mut bytes);
                let fault = Table::from_bytes(bytes).expect_err("nonsense is refused").fault;
                assert!(matches!(fault, TableFault::Malformed(_)), "{name} = {value}: {fault}");
            }
        }
    }
}

/// A header whose stated size includes the labels after it. If all of them are losses, they look like padding.
#[test]
fn a_header_that_includes_labels() {
    let rules = RulesSpec::new("no-moves", 15).build().expect("sound rules");
    let mut bytes = table_bytes(&scalar(&rules));
    assert_eq!(bytes.len(), 4096 + 4096 + 32);
    forge::set(&mut bytes, "header.bytes", 8192);
    forge::seal_header(&mut bytes);
    assert_malformed(bytes, "sections");
}

/// 64 cells, two modes and draws: 2^63 bytes of labels, in a file of a few thousand bytes. Only the length contradicts
/// the header.
#[test]
fn a_header_of_64_cells() {
    let mut bytes = motley();
    let layout = forge::field(&bytes, "layout");
    bytes.splice(layout.end..layout.end, 5..64);
    bytes.drain(4096..4096 + 59);
    forge::set(&mut bytes, "cells", 64);
    let counts = forge::fields(&bytes).into_iter().filter(|field| field.name.starts_with("figure."));
    for field in counts.collect::<Vec<_>>() {
        let count = if field.name == "figure.draws" { 0u64 } else { 1 << 63 };
        bytes[field.at].copy_from_slice(&count.to_le_bytes());
    }
    for labels in [1u64 << 63, 1 << 62, 256] {
        forge::set(&mut bytes, "section.bytes", labels);
        forge::seal_header(&mut bytes);
        assert_malformed(bytes.clone(), "sections");
    }
}

/// Invalid fields of a dense table, each with the reason for its refusal.
#[test]
fn nonsense_fields_of_a_dense_table() {
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = motley();
        change(&mut bytes);
        forge::seal_header(&mut bytes);
        Table::from_bytes(bytes).expect_err("nonsense is refused").fault
    };
    let set = |name: &'static str, value: u64| refused(&move |bytes| forge::set(bytes, name, value));
    let malformed = |name: &'static str, value: u64| match set(name, value) {
        TableFault::Malformed(_) => {}
        other => panic!("{name} = {value}: {other}"),
    };
    for (name, values) in [
        ("terminal", &[3, 255][..]),
        ("modes.count", &[u64::MAX]),
        ("mode.length", &[4096, u64::MAX]),
        ("moves.count", &[1 << 20, u64::MAX]),
        ("end.outcome", &[3]),
        ("start.kind", &[0, 2]),
        ("start.count", &[u64::MAX]),
        ("family.length", &[4000, u64::MAX]),
        ("parameters.count", &[u64::MAX]),
        ("tool.length", &[u64::MAX]),
        ("solver", &[1, 2, 3, 4, 255]),
        ("sections.count", &[0, 2, u64::MAX]),
        ("section.kind", &[0, 2, 3, 255]),
        ("section.label", &[0, 2, 3, 255]),
        ("section.bits", &[0, 1, 3, 8, 255]),
        ("section.compression", &[1, 255]),
        ("section.start", &[0, 88, 4095, 8192, 1 << 62, (1 << 62) - 1, u64::MAX - 4096, u64::MAX]),
        ("section.bytes", &[0, 255, 257, 1 << 62, (1 << 62) - 1, u64::MAX]),
        ("section.block", &[0, 1, 1 << 15, u64::MAX]),
        ("figures.count", &[0, 3, 5, 7, u64::MAX]),
    ] {
        for &value in values {
            malformed(name, value);
        }
    }
    for cells in [0, 129, 255] {
        assert!(matches!(set("cells", cells), TableFault::Rules(RulesError::Cells { .. })), "{cells}");
    }
    for cells in [4, 6, 63, 64] {
        // With another number of cells, planes would have other sizes or masks would be outside the board.
        assert!(matches!(set("cells", cells), TableFault::Rules(_) | TableFault::Malformed(_)), "{cells}");
    }
    assert!(matches!(set("name", u64::from_le_bytes(*b"../motle")), TableFault::Rules(RulesError::Name { .. })));
    assert!(matches!(set("name.length", 0), TableFault::Rules(_) | TableFault::Malformed(_)));
    assert!(matches!(set("move.mode", 2), TableFault::Rules(RulesError::UnknownMode { .. })));
    assert!(matches!(set("move.next", 65_535), TableFault::Rules(RulesError::UnknownMode { .. })));
    assert!(matches!(set("move.fills", 2), TableFault::Rules(RulesError::FillsNothingNew { .. })));
    assert!(matches!(set("move.full", 1), TableFault::Rules(RulesError::Contradiction { .. })));
    assert!(matches!(set("move.full", 1 << 63), TableFault::Rules(RulesError::OutsideBoard { .. })));
    assert!(matches!(set("end.pattern", 32), TableFault::Rules(RulesError::OutsideBoard { .. })));
    assert!(matches!(set("start.board", 32), TableFault::Rules(RulesError::OutsideBoard { .. })));
    for version in [0, VERSION + 1, VERSION + 2, u32::MAX] {
        let fault = set("version", version.into());
        assert!(matches!(fault, TableFault::Version { expected: VERSION, found } if found == version), "{fault}");
    }
    assert!(matches!(set("file.bytes", 0), TableFault::Length { expected: 0, .. }));
    assert!(matches!(set("file.bytes", u64::MAX), TableFault::Length { expected: u64::MAX, .. }));
    for header in [0, 87, 88, 4095, 8192, u64::MAX] {
        assert!(
            matches!(set("header.bytes", header), TableFault::HeaderChecksum | TableFault::Malformed(_)),
            "{header}"
        );
    }
    for layout in [[0, 0, 1, 2, 3], [1, 2, 3, 4, 5], [0, 1, 2, 3, 255]] {
        let fault = refused(&|bytes| {
            let at = forge::field(bytes, "layout");
            bytes[at].copy_from_slice(&layout);
        });
        assert!(matches!(fault, TableFault::Malformed(what) if what.contains("layout")), "{layout:?}: {fault}");
    }
    for name in ["mode.name", "tool"] {
        let fault = refused(&|bytes| {
            let at = forge::field(bytes, name);
            bytes[at.start] = 0xff;
        });
        assert!(matches!(fault, TableFault::Malformed(what) if what.contains("UTF-8")), "{name}: {fault}");
    }
    let fault = refused(&|bytes| bytes[4095] = 1);
    assert!(matches!(fault, TableFault::Malformed(what) if what.contains("after its last field")), "{fault}");
    // Only the hash of the rules is wrong; the checksum of the header is valid.
    let mut bytes = motley();
    bytes[56] ^= 1;
    bytes[24..56].fill(0);
    let checksum = blake3::hash(&bytes[..4096]);
    bytes[24..56].copy_from_slice(checksum.as_bytes());
    assert!(matches!(Table::from_bytes(bytes).expect_err("refused").fault, TableFault::RulesHash));
}

/// Invalid fields of a sparse table: all of them are refused.
#[test]
fn nonsense_fields_of_a_sparse_table() {
    let whole = dominoes();
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
        ("solver", &[0, 1, 3, 4, 255][..]),
        ("starts.count", &[0, 1, u64::MAX]),
        ("starts.mode", &[4, 65_535]),
        ("starts.board", &[1 << 10, u64::MAX]),
        ("levels.count", &[0, 1, 11, u64::MAX]),
        ("level.number", &[2, 11, 255, u64::MAX]),
        ("level.positions", &[0, 1, 1 << 11, 1 << 32, u64::MAX]),
        ("figure.wins", &[0, u64::MAX, 1 << 63]),
        ("sections.count", &[0, 1, 3, u64::MAX]),
        ("section.kind", &[0, 1, 3]),
        ("section.label", &[1, 255]),
        ("section.bits", &[1, 2, 8]),
        ("section.compression", &[1]),
        ("section.start", &[0, 88, 4095, 8192, 1 << 62, u64::MAX]),
        ("section.bytes", &[0, 1, 1 << 62, u64::MAX]),
        ("section.block", &[0, 1 << 15]),
        ("figures.count", &[1, 3, u64::MAX]),
    ] {
        for &value in values {
            malformed(&format!("{name} = {value}"), &|bytes| forge::set(bytes, name, value));
        }
    }
    // Fields of the second section, the outcomes.
    for (name, values) in [
        ("section.kind", &[0, 1, 2][..]),
        ("section.label", &[0, 2]),
        ("section.bits", &[0, 2, 8]),
        ("figures.count", &[0, 3, 11, 13]),
    ] {
        for &value in values {
            malformed(&format!("second {name} = {value}"), &|bytes| {
                let at = forge::every(bytes, name).swap_remove(1);
                bytes[at.start] = value;
            });
        }
    }
    malformed("starts out of order", &|bytes| {
        let [first, second] = [0, 1].map(|n| forge::field(bytes, "starts.mode").start + 10 * n);
        let (a, b) = (bytes[first..first + 10].to_vec(), bytes[second..second + 10].to_vec());
        bytes[first..first + 10].copy_from_slice(&b);
        bytes[second..second + 10].copy_from_slice(&a);
    });
    malformed("a start twice", &|bytes| {
        let first = forge::field(bytes, "starts.mode").start;
        bytes.copy_within(first..first + 10, first + 10);
    });
    // A start that exists but is not the table's, and a level with fewer filled cells than it has: only the check of the
    // labels finds them.
    for name in ["starts.board", "level.number"] {
        let mut bytes = whole.clone();
        forge::set(&mut bytes, name, 0);
        forge::seal_all(&mut bytes);
        let table = Table::from_bytes(bytes).expect("positions and levels in their order");
        assert!(verify::labels(&table, &Options::default()).is_err(), "{name}");
    }
    // The levels have the same total, but other numbers of positions each.
    let mut bytes = whole.clone();
    let first = forge::field(&bytes, "level.positions");
    let second = first.start + 12..first.end + 12;
    let (a, b) = (bytes[first.start], bytes[second.start]);
    (bytes[first.start], bytes[second.start]) = (a - 1, b + 1);
    forge::seal_all(&mut bytes);
    if let Ok(table) = Table::from_bytes(bytes) {
        assert!(verify::labels(&table, &Options::default()).is_err());
    }
}

/// A table without positions is impossible, because it holds at least a start.
#[test]
fn a_table_without_positions_is_refused() {
    let rules = RulesSpec::new("nothing", 3).build().expect("sound rules");
    let mut bytes = table_bytes(&sparse(&rules));
    let levels = forge::field(&bytes, "levels.count");
    bytes[levels.start] = 0;
    bytes.drain(levels.end..levels.end + 12);
    bytes.splice(4084..4084, [0; 12]);
    for name in ["figure.wins", "figure.losses", "section.bytes"] {
        forge::set(&mut bytes, name, 0);
    }
    forge::seal_header(&mut bytes);
    assert_malformed(bytes, "levels");
}
