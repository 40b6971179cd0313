//! Tables whose checksums hold and whose content does not: labels, counts and headers by a forger who seals what he
//! writes. Opening may accept what it does not read; `verify_labels` accepts none of it.

use crate::common::forge;
use crate::common::{games, outcome, positions, scalar, table_bytes};
use tablegen::plane::{Planes, Shape};
use tablegen::rules::{Descriptor, Outcome, RulesError, RulesSpec};
use tablegen::table::{Draft, Finding, Labels, Table, TableFault, verify_bytes, verify_labels};

fn motley() -> Vec<u8> {
    let rules = games::motley();
    table_bytes(&rules, &scalar(&rules))
}

fn verify(table: &Table) -> Result<u64, Finding> {
    verify_bytes(table, &|_| {}).expect("the forger seals what he writes");
    verify_labels(table, Labels::All, &|_| {})
}

#[test]
fn the_forger_s_seal_is_the_writer_s() {
    for rules in [games::motley(), games::dominoes(3), games::tictactoe()] {
        let whole = table_bytes(&rules, &scalar(&rules));
        let mut sealed = whole.clone();
        sealed[24..88].fill(0);
        let (digest, list) = (forge::field(&whole, "section.digest"), forge::list(&whole));
        sealed[digest].fill(0);
        sealed[list].fill(0);
        forge::seal_all(&mut sealed);
        assert!(sealed == whole);
        // The fields cover the header and stand side by side.
        let fields = forge::fields(&whole);
        assert!(fields.windows(2).all(|pair| pair[0].at.end == pair[1].at.start));
        assert_eq!(fields.last().map(|field| field.at.end), Some(forge::get(&whole, "header.bytes") as usize));
    }
}

/// Each label of a game that can draw and of one that cannot, changed alone: the verifier names it or a position that
/// leads to it.
#[test]
fn every_altered_label_is_found() {
    for rules in [games::motley(), games::chomp(3, 4)] {
        let whole = table_bytes(&rules, &scalar(&rules));
        let start = forge::labels(&whole).start;
        let plane_bytes = Shape::of(&rules).plane_bytes() as usize;
        for p in positions(&rules) {
            for loss in [false, true].into_iter().take(1 + usize::from(rules.can_draw())) {
                let mut bytes = whole.clone();
                let plane = Shape::of(&rules).plane(p.mode, loss) as usize;
                bytes[start + plane * plane_bytes + p.board.0 as usize / 8] ^= 1 << (p.board.0 % 8);
                forge::seal_all(&mut bytes);
                let table = Table::from_bytes(bytes).expect("labels are not read when a table is opened");
                let named = match verify(&table).expect_err("a label was altered") {
                    Finding::Label { position, found, expected } => {
                        assert_ne!(found, expected);
                        assert_eq!(table.outcome(position).expect("the label named is one"), found);
                        position
                    }
                    Finding::Conflict { position } => {
                        assert!(matches!(
                            table.outcome(position).expect_err("two labels").fault,
                            TableFault::Conflict(_)
                        ));
                        position
                    }
                    other => panic!("{p:?}: {other}"),
                };
                let leads_to = rules.moves_from(named).any(|m| m.play(named) == p);
                assert!(named == p || leads_to, "{p:?} was altered, {named:?} named");
            }
        }
    }
}

/// A sample finds what it draws: with as many draws as this, the one label in 2048.
#[test]
fn a_sample_finds_an_altered_label() {
    let rules = games::chomp(3, 4);
    let mut bytes = table_bytes(&rules, &scalar(&rules));
    let labels = forge::labels(&bytes);
    bytes[labels.start + 77] ^= 1;
    forge::seal_all(&mut bytes);
    let table = Table::from_bytes(bytes).expect("labels are not read when a table is opened");
    let found = |count, seed| verify_labels(&table, Labels::Sample { count, seed }, &|_| {}).is_err();
    assert!(found(50_000, 1));
    assert!((0..20).any(|seed| !found(3, seed)), "three draws cannot always meet it");
    assert_eq!(
        (0..20).map(|seed| found(300, seed)).collect::<Vec<_>>(),
        (0..20).map(|seed| found(300, seed)).collect::<Vec<_>>()
    );
}

/// Bits behind the last position of a plane of fewer than 512: nothing reads them, so only the verifier can say.
#[test]
fn stray_padding_is_found() {
    let rules = games::motley();
    let whole = motley();
    let start = forge::labels(&whole).start;
    for plane in 0..4 {
        for bit in [32, 33, 63, 64, 511] {
            let mut bytes = whole.clone();
            bytes[start + plane * 64 + bit / 8] ^= 1 << (bit % 8);
            forge::seal_all(&mut bytes);
            let table = Table::from_bytes(bytes).expect("labels are not read when a table is opened");
            let found = verify(&table).expect_err("a bit that belongs to no position");
            assert!(matches!(found, Finding::Padding { mode } if usize::from(mode.0) == plane / 2), "{found}");
            let sound = scalar(&rules);
            assert!(positions(&rules).all(|p| table.outcome(p).expect("sound") == outcome(&sound, p)));
        }
    }
}

#[test]
fn forged_counts() {
    let whole = motley();
    let (win, loss) = (forge::get(&whole, "count.win"), forge::get(&whole, "count.loss"));
    let mut bytes = whole.clone();
    forge::set(&mut bytes, "count.win", win - 1);
    forge::set(&mut bytes, "count.loss", loss + 1);
    forge::seal_all(&mut bytes);
    let table = Table::from_bytes(bytes).expect("counts that add up");
    match verify(&table).expect_err("counts of other labels") {
        Finding::Counts { mode, expected, found } => {
            assert_eq!((mode.0, expected.win, expected.loss), (0, win - 1, loss + 1));
            assert_eq!((found.win, found.loss), (win, loss));
        }
        other => panic!("{other}"),
    }
    // Counts that do not add up.
    for forged in [win + 1, 0, u64::MAX, win.wrapping_sub(1 << 63)] {
        let mut bytes = whole.clone();
        forge::set(&mut bytes, "count.win", forged);
        forge::seal_all(&mut bytes);
        assert_malformed(bytes, "counts");
    }
}

fn assert_malformed(bytes: Vec<u8>, about: &str) {
    match Table::from_bytes(bytes).expect_err("a table that contradicts itself is refused").fault {
        TableFault::Malformed(what) => assert!(what.contains(about), "{about}: {what}"),
        other => panic!("{about}: {other}"),
    }
}

/// Two counts so large that a careless sum would come round to the right number.
#[test]
fn forged_counts_that_overflow() {
    let mut bytes = motley();
    let (win, loss) = (forge::get(&bytes, "count.win"), forge::get(&bytes, "count.loss"));
    forge::set(&mut bytes, "count.win", win + (1 << 63));
    forge::set(&mut bytes, "count.loss", loss + (1 << 63));
    forge::seal_all(&mut bytes);
    assert_malformed(bytes, "counts");
}

/// A header that claims the labels behind it as its padding, which they look like where all of them are losses.
#[test]
fn a_header_that_swallows_labels() {
    let rules = RulesSpec::new("no-moves", 15).build().expect("sound rules");
    let mut bytes = table_bytes(&rules, &scalar(&rules));
    assert_eq!(bytes.len(), 4096 + 4096 + 32);
    forge::set(&mut bytes, "header.bytes", 8192);
    forge::seal_header(&mut bytes);
    assert_malformed(bytes, "sections");
}

/// 64 cells, two modes and draws: 2^63 bytes of labels, in a file of a few thousand. Everything in the header fits but
/// the length.
#[test]
fn a_header_of_64_cells() {
    let mut bytes = motley();
    let layout = forge::field(&bytes, "layout");
    bytes.splice(layout.end..layout.end, 5..64);
    bytes.drain(4096..4096 + 59);
    forge::set(&mut bytes, "cells", 64);
    let counts = forge::fields(&bytes).into_iter().filter(|field| field.name.starts_with("count."));
    for field in counts.collect::<Vec<_>>() {
        let count = if field.name == "count.draw" { 0u64 } else { 1 << 63 };
        bytes[field.at].copy_from_slice(&count.to_le_bytes());
    }
    for labels in [1u64 << 63, 1 << 62, 256] {
        forge::set(&mut bytes, "section.bytes", labels);
        forge::seal_header(&mut bytes);
        assert_malformed(bytes.clone(), "sections");
    }
}

/// Another permutation is a sound header, and makes other labels of the same bits.
#[test]
fn a_forged_layout_is_found() {
    let mut bytes = motley();
    let layout = forge::field(&bytes, "layout");
    bytes[layout].rotate_left(1);
    forge::seal_all(&mut bytes);
    assert!(verify(&Table::from_bytes(bytes).expect("a permutation")).is_err());
}

/// Labels of other rules: a draft is as good as its planes, and the verifier says so.
#[test]
fn planes_of_other_rules_are_found() {
    let rules = games::motley();
    let others = RulesSpec { terminal: Outcome::Win, ..rules.clone().into_spec() }.build().expect("sound rules");
    assert!(verify(&Table::from_bytes(table_bytes(&rules, &scalar(&others))).expect("the same shape")).is_err());
}

/// A caller may hand a draft any bytes of the right size. It writes them; what it wrote is refused or found out.
#[test]
fn a_draft_of_nonsense_planes() {
    for (rules, byte) in [(games::motley(), 0xff), (games::chomp(2, 2), 0xff), (games::chomp(3, 4), 0x5a)] {
        let shape = Shape::of(&rules);
        let bytes = vec![byte; shape.bytes().expect("small") as usize];
        let planes = Planes::new(shape, &bytes).expect("as many bytes as the shape asks for");
        let layout = &tablegen::plane::Layout::reading_order(rules.cells());
        let written = Draft { rules: &rules, descriptor: &Descriptor::default(), layout, planes }.to_bytes();
        if let Ok(table) = Table::from_bytes(written) {
            assert!(verify(&table).is_err(), "{}", rules.name());
        }
    }
}

/// Fields that no writer writes, each with the reason it is refused for.
#[test]
fn nonsense_fields() {
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
        ("coverage", &[1, 255]),
        ("sections.count", &[0, 2, u64::MAX]),
        ("section.kind", &[0, 2, u64::MAX]),
        ("section.start", &[0, 88, 4095, 8192, 1 << 62, (1 << 62) - 1, u64::MAX - 4096, u64::MAX]),
        ("section.bytes", &[0, 255, 257, 1 << 62, (1 << 62) - 1, u64::MAX]),
        ("section.block", &[0, 1, 1 << 15, u64::MAX]),
    ] {
        for &value in values {
            malformed(name, value);
        }
    }
    for cells in [0, 65, 255] {
        assert!(matches!(set("cells", cells), TableFault::Rules(RulesError::Cells { .. })), "{cells}");
    }
    for cells in [4, 6, 63, 64] {
        // Other rules whose planes would have other sizes, or whose masks are outside the board.
        assert!(matches!(set("cells", cells), TableFault::Rules(_) | TableFault::Malformed(_)), "{cells}");
    }
    assert!(matches!(set("name", u64::from_le_bytes(*b"../motle")), TableFault::Rules(RulesError::Name { .. })));
    assert!(matches!(set("name.length", 0), TableFault::Rules(_) | TableFault::Malformed(_)));
    assert!(matches!(set("move.mode", 2), TableFault::Rules(RulesError::UnknownMode { .. })));
    assert!(matches!(set("move.next", 65_535), TableFault::Rules(RulesError::UnknownMode { .. })));
    assert!(matches!(set("move.fills", 0), TableFault::Rules(RulesError::FillsNothingNew { .. })));
    assert!(matches!(set("move.full", 1), TableFault::Rules(RulesError::Contradiction { .. })));
    assert!(matches!(set("move.full", 1 << 63), TableFault::Rules(RulesError::OutsideBoard { .. })));
    assert!(matches!(set("end.pattern", 32), TableFault::Rules(RulesError::OutsideBoard { .. })));
    assert!(matches!(set("start.board", 32), TableFault::Rules(RulesError::OutsideBoard { .. })));
    assert!(matches!(set("version", 2), TableFault::Version { expected: 1, found: 2 }));
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
    assert!(matches!(fault, TableFault::Malformed(what) if what.contains("goes on")), "{fault}");
    // The hash of the rules alone, under a header checksum that holds.
    let mut bytes = motley();
    bytes[56] ^= 1;
    bytes[24..56].fill(0);
    let checksum = blake3::hash(&bytes[..4096]);
    bytes[24..56].copy_from_slice(checksum.as_bytes());
    assert!(matches!(Table::from_bytes(bytes).expect_err("refused").fault, TableFault::RulesHash));
}
