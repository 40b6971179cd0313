//! Tables whose checksums hold and whose content does not: labels, keys, counts and headers by a forger who seals what he
//! writes. Opening may accept what it does not read; `verify::labels` accepts none of it.

use crate::common::{dense, forge, games, outcome, positions, scalar, sparse, table_bytes};
use tablegen::contents::{Contents, LabelFault};
use tablegen::game::{Game, Play, Tactics};
use tablegen::label::LabelSet;
use tablegen::plane::{Planes, Shape};
use tablegen::rules::{Outcome, Position, Rules, RulesError, RulesSpec};
use tablegen::solve::{self, Method};
use tablegen::table::{Table, TableFault, VERSION};
use tablegen::verify::{self, Finding, Options, Scope};

fn motley() -> Vec<u8> {
    table_bytes(&scalar(&games::motley()))
}

/// Four modes and no draws, as far as play can reach: levels of several buckets.
fn dominoes() -> Vec<u8> {
    table_bytes(&sparse(&games::dominoes(4)))
}

/// The smallest board with several levels and one root, as far as play can reach.
fn small_tactics() -> Rules {
    Tactics::new(2, 3, 4, Play::Misere).expect("a small board").rules().clone()
}

fn open(bytes: Vec<u8>) -> Table {
    Table::from_bytes(bytes).expect("what follows the header is not read when a table is opened")
}

/// What the check of the labels says of a forged table, whose bytes match their checksums.
fn check(table: &Table) -> Result<u64, Finding> {
    verify::bytes(table, &Options::default()).expect("the forger seals what he writes");
    verify::labels(table, &Options::default())
}

#[test]
fn the_forger_s_seal_is_the_writer_s() {
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
            // The fields cover the header and follow each other.
            let fields = forge::fields(&whole);
            assert!(fields.windows(2).all(|pair| pair[0].at.end == pair[1].at.start));
            assert_eq!(fields.last().map(|field| field.at.end), Some(forge::get(&whole, "header.bytes") as usize));
        }
    }
}

/// Each label of a game that can draw and of one that cannot, changed alone: the verifier names it, or a position that
/// leads to it.
#[test]
fn every_altered_label_is_found() {
    for rules in [games::motley(), games::chomp(3, 4)] {
        let whole = table_bytes(&scalar(&rules));
        let start = forge::outcomes(&whole).start;
        let plane_bytes = Shape::of(&rules).plane_bytes().expect("small") as usize;
        for p in positions(&rules) {
            for loss in [false, true].into_iter().take(1 + usize::from(rules.can_draw())) {
                let mut bytes = whole.clone();
                let plane = Shape::of(&rules).plane(p.mode, loss) as usize;
                bytes[start + plane * plane_bytes + p.board.0 as usize / 8] ^= 1 << (p.board.0 % 8);
                forge::seal_all(&mut bytes);
                let table = open(bytes);
                let named = match check(&table).expect_err("a label was altered") {
                    Finding::Label { position, found, expected } => {
                        assert_ne!(found, expected);
                        assert_eq!(table.outcome(position).expect("the label named is one"), found);
                        position
                    }
                    Finding::Conflict { position } => {
                        let fault = table.outcome(position).expect_err("a win and a loss at once").fault;
                        assert!(matches!(fault, TableFault::Labels(LabelFault::Conflict(_))), "{fault}");
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

/// Each bit of the keys and outcomes of sparse tables, changed alone: the labels are found wrong, or what holds them.
#[test]
fn every_altered_bit_of_keys_and_outcomes_is_found() {
    /// One position in so many is asked about, others for each byte.
    const SHARE: usize = 23;
    for rules in [games::motley(), games::dominoes(4), small_tactics()] {
        let whole = table_bytes(&sparse(&rules));
        let outcomes = forge::outcomes(&whole);
        for byte in forge::sections(&whole).into_iter().flatten() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[byte] ^= 1 << bit;
                forge::seal_all(&mut bytes);
                let table = open(bytes);
                let what = format!("{}: {byte}.{bit}", rules.name());
                let finding = check(&table).expect_err(&what);
                // The lowest bit of an outcome's byte belongs to a position.
                let is_outcome = outcomes.contains(&byte) && bit == 0 && !rules.can_draw();
                let of_a_label = matches!(finding, Finding::Label { .. } | Finding::Counts { .. });
                assert!(of_a_label || !is_outcome, "{what}: {finding}");
                if bit != byte % 8 {
                    continue;
                }
                let scope = Scope::Sample { count: 5, seed: byte as u64 };
                let _ = verify::labels(&table, &Options { scope, ..Options::default() });
                let _ = verify::oracle(&table, &Options { limit: u64::MAX, ..Options::default() });
                for position in positions(&rules).skip(byte % SHARE).step_by(SHARE) {
                    let _ = table.probe(position);
                }
            }
        }
    }
}

/// A root that play was not followed from leaves positions that nothing reaches.
#[test]
fn a_forged_root_is_found() {
    let mut bytes = table_bytes(&sparse(&small_tactics()));
    forge::set(&mut bytes, "root.board", 1);
    forge::seal_all(&mut bytes);
    let finding = check(&open(bytes)).expect_err("the start is not reached");
    assert!(matches!(finding, Finding::Unreached { position } if position == Position::default()), "{finding}");
}

/// A sample finds what it draws: with as many draws as this, the one label in 2048.
#[test]
fn a_sample_finds_an_altered_label() {
    let mut bytes = table_bytes(&scalar(&games::chomp(3, 4)));
    let labels = forge::outcomes(&bytes);
    bytes[labels.start + 77] ^= 1;
    forge::seal_all(&mut bytes);
    let table = open(bytes);
    let found = |count, seed| {
        verify::labels(&table, &Options { scope: Scope::Sample { count, seed }, ..Options::default() }).is_err()
    };
    assert!(found(50_000, 1));
    assert!((0..20).any(|seed| !found(3, seed)), "three draws cannot always meet it");
    // The same seed draws the same positions.
    let all = || (0..20).map(|seed| found(300, seed)).collect::<Vec<_>>();
    assert_eq!(all(), all());
}

/// What people ask about is in every sample: the start, the positions of two plies and a line of best play. One draw and a
/// search that cannot decide any of them find a forged label there.
#[test]
fn every_sample_finds_a_label_forged_near_the_start() {
    let rules = Tactics::new(4, 5, 4, Play::Misere).expect("an ordinary board").rules().clone();
    let whole = table_bytes(&dense(&rules));
    let sound = open(whole.clone());
    let Contents::Dense(labels) = sound.contents() else { panic!("dense") };
    let label = |position| sound.outcome(position).expect("sound");
    let replies = |position: Position| rules.replies(position.into());
    let start = Position::default();
    let mut forged = vec![start];
    forged.extend([0, 7, 20].map(|n| replies(start)[n]));
    forged.extend([0, 5, 30].map(|n| replies(replies(start)[n])[n]));
    // Along the line of best play: a reply to a lost position that is labelled as if it were lost as well.
    let mut on_line = start;
    for ply in 0.. {
        let Some(best) = replies(on_line).into_iter().min_by_key(|&reply| label(reply)) else { break };
        if ply > 4 && label(on_line) == Outcome::Loss {
            forged.push(best);
        }
        on_line = best;
    }
    assert!(forged.len() > 8, "{forged:?}");
    let scope = Scope::Sample { count: 1, seed: 0 };
    for position in forged {
        let mut bytes = whole.clone();
        let index = labels.layout().index(position.board) as usize;
        bytes[forge::outcomes(&whole).start + index / 8] ^= 1 << (index % 8);
        forge::seal_all(&mut bytes);
        let table = open(bytes);
        assert_ne!(table.outcome(position).expect("a label"), label(position));
        let options = Options { scope, limit: 10, ..Options::default() };
        let found = [verify::labels(&table, &options).map(drop), verify::oracle(&table, &options).map(drop)];
        assert!(found.iter().all(Result::is_err), "{position:?}: {found:?}");
    }
    assert!(verify::labels(&sound, &Options { scope, ..Options::default() }).is_ok());
}

/// Bits after the last position of a plane of fewer than 512: nothing reads them, so only the verifier can tell.
#[test]
fn stray_padding_is_found() {
    let rules = games::motley();
    let sound = scalar(&rules);
    let whole = table_bytes(&sound);
    let start = forge::outcomes(&whole).start;
    for plane in 0..4 {
        for bit in [32, 33, 63, 64, 511] {
            let mut bytes = whole.clone();
            bytes[start + plane * 64 + bit / 8] ^= 1 << (bit % 8);
            forge::seal_all(&mut bytes);
            let table = open(bytes);
            let found = check(&table).expect_err("a bit that belongs to no position");
            assert!(matches!(found, Finding::Padding { mode } if usize::from(mode.0) == plane / 2), "{found}");
            assert!(positions(&rules).all(|p| table.outcome(p).expect("sound") == outcome(&sound, p)));
        }
    }
}

#[test]
fn forged_counts() {
    for whole in [motley(), dominoes()] {
        let (win, loss) = (forge::get(&whole, "figure.wins"), forge::get(&whole, "figure.losses"));
        let mut bytes = whole.clone();
        forge::set(&mut bytes, "figure.wins", win - 1);
        forge::set(&mut bytes, "figure.losses", loss + 1);
        forge::seal_all(&mut bytes);
        let table = Table::from_bytes(bytes).expect("counts that add up");
        match check(&table).expect_err("counts of other labels") {
            Finding::Counts { mode, expected, found } => {
                assert_eq!((mode.0, expected.win, expected.loss), (0, win - 1, loss + 1));
                assert_eq!((found.win, found.loss), (win, loss));
            }
            other => panic!("{other}"),
        }
        // Counts that do not add up.
        for forged in [win + 1, 0, u64::MAX, win.wrapping_sub(1 << 63)] {
            let mut bytes = whole.clone();
            forge::set(&mut bytes, "figure.wins", forged);
            forge::seal_all(&mut bytes);
            assert_malformed(bytes, "counts");
        }
    }
}

fn assert_malformed(bytes: Vec<u8>, about: &str) {
    match Table::from_bytes(bytes).expect_err("a table that contradicts itself is refused").fault {
        TableFault::Malformed(what) => assert!(what.contains(about), "{about}: {what}"),
        other => panic!("{about}: {other}"),
    }
}

/// A table of every label: 64 positions, all of them reached.
fn every_label(method: Method) -> Vec<u8> {
    let game = Tactics::new(2, 3, 3, Play::Normal).expect("a board of ordinary size");
    let options = solve::Options { labels: LabelSet::ALL, method, ..solve::Options::default() };
    table_bytes(&solve::solve(game.rules(), &options).expect("small rules"))
}

/// Counts of codes: of bytes that are no label, of other outcomes than the header counts, or that overflow are refused; of
/// other labels, the check of the labels finds.
#[test]
fn forged_counts_of_codes() {
    for whole in [Method::Dense, Method::Sparse].map(every_label) {
        for (label, zero, no_label) in [(2, 0, [65, 131, 189, 255]), (3, 0, [65, 100, 130, 255])] {
            let moved = |from: u8, to: u8, by: u64| {
                let mut bytes = whole.clone();
                for (code, by) in [(from, by.wrapping_neg()), (to, by)] {
                    let at = forge::count_of(&bytes, label, code);
                    let count = u64::from_le_bytes(bytes[at.clone()].try_into().expect("eight bytes"));
                    bytes[at].copy_from_slice(&count.wrapping_add(by).to_le_bytes());
                }
                forge::seal_all(&mut bytes);
                bytes
            };
            no_label.iter().for_each(|&code| assert_malformed(moved(zero, code, 1), "counts"));
            // Losses counted as wins, and as many more losses as wins are fewer than none.
            let win = if label == 2 { 253 } else { 1 };
            assert_malformed(moved(zero, win, 1), "counts");
            assert_malformed(moved(win, zero, 1 << 63), "counts");
            let other_win = if label == 2 { 251 } else { 2 };
            let table = open(moved(win, other_win, 1));
            match check(&table).expect_err("counts of other labels") {
                Finding::Codes { label: found } => assert_eq!(found as u8 + 1, label),
                other => panic!("{other}"),
            }
        }
    }
}

/// Sections of labels that no writer writes: out of order, twice, of another width or size.
#[test]
fn nonsense_sections_of_labels() {
    for method in [Method::Dense, Method::Sparse] {
        let whole = every_label(method);
        let last = forge::every(&whole, "section.label").len() - 1;
        let fields: [(&str, usize, &[u64]); 5] = [
            ("section.label", last - 1, &[0, 1, 3, 4, 255]),
            ("section.label", last, &[0, 1, 2, 4, 255]),
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

/// Each byte of remoteness and of nimbers, changed alone to another label or to none, under checksums that hold: the check
/// of the labels finds it, and so does the oracle.
#[test]
fn every_wrong_byte_of_a_label_is_found() {
    for whole in [Method::Dense, Method::Sparse].map(every_label) {
        for label in [2, 3] {
            let section = forge::labels(&whole, label).expect("a label of the table");
            assert_eq!(section.len(), 64);
            for (place, by) in section.flat_map(|place| [(place, 1), (place, 2), (place, 0xff)]) {
                let mut bytes = whole.clone();
                bytes[place] ^= by;
                forge::seal_all(&mut bytes);
                let table = open(bytes);
                verify::bytes(&table, &Options::default()).expect("checksums that hold");
                assert!(check(&table).is_err(), "byte {place} of label {label}");
                match verify::oracle(&table, &Options::default()).expect_err("a wrong label") {
                    Finding::SearchNumber { label: found, .. } => assert_eq!(found as u8 + 1, label),
                    Finding::Bytes(TableFault::Labels(LabelFault::NoLabel { label: found, .. })) => {
                        assert_eq!(found as u8 + 1, label);
                    }
                    other => panic!("{other}"),
                }
            }
        }
    }
}

/// Two counts so large that a careless sum would wrap around to the right number.
#[test]
fn forged_counts_that_overflow() {
    for mut bytes in [motley(), dominoes()] {
        let (win, loss) = (forge::get(&bytes, "figure.wins"), forge::get(&bytes, "figure.losses"));
        forge::set(&mut bytes, "figure.wins", win + (1 << 63));
        forge::set(&mut bytes, "figure.losses", loss + (1 << 63));
        forge::seal_all(&mut bytes);
        assert_malformed(bytes, "counts");
    }
}

/// Counts of a mode too few, and counts of keys, which have none.
#[test]
fn counts_that_are_too_few_or_too_many() {
    for (mut bytes, section) in [(motley(), 0), (dominoes(), 1), (dominoes(), 0)] {
        let header = forge::get(&bytes, "header.bytes") as usize;
        let at = forge::every(&bytes, "figures.count").swap_remove(section);
        let count = u32::from_le_bytes(bytes[at.clone()].try_into().expect("four bytes"));
        let forged = if count > 0 { count - 3 } else { 3 };
        bytes[at.clone()].copy_from_slice(&forged.to_le_bytes());
        if count > 0 {
            bytes.drain(at.end..at.end + 24);
            bytes.splice(header - 24..header - 24, [0; 24]);
        } else {
            bytes.splice(at.end..at.end, [0; 24]);
            bytes.drain(header..header + 24);
        }
        forge::seal_header(&mut bytes);
        assert_malformed(bytes, "counts");
    }
}

/// A header that takes the labels that follow it for its padding, which they look like if all of them are losses.
#[test]
fn a_header_that_swallows_labels() {
    let rules = RulesSpec::new("no-moves", 15).build().expect("sound rules");
    let mut bytes = table_bytes(&scalar(&rules));
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

/// Another permutation is a sound header, and makes other labels of the same bits.
#[test]
fn a_forged_layout_is_found() {
    let mut bytes = motley();
    let layout = forge::field(&bytes, "layout");
    bytes[layout].rotate_left(1);
    forge::seal_all(&mut bytes);
    assert!(check(&Table::from_bytes(bytes).expect("a permutation")).is_err());
}

/// The labels of other rules, put into a table that has the same shape.
#[test]
fn labels_of_other_rules_are_found() {
    let rules = games::motley();
    let others = RulesSpec { terminal: Outcome::Win, ..rules.clone().into_spec() }.build().expect("sound rules");
    let (mut bytes, others) = (motley(), table_bytes(&scalar(&others)));
    bytes[forge::outcomes(&motley())].copy_from_slice(&others[forge::outcomes(&others)]);
    forge::seal_all(&mut bytes);
    assert!(check(&Table::from_bytes(bytes).expect("the same shape")).is_err());
}

/// Labels that are nonsense from the first to the last are refused or found.
#[test]
fn labels_of_nonsense() {
    for (rules, byte) in [(games::motley(), 0xff), (games::chomp(2, 2), 0xff), (games::chomp(3, 4), 0x5a)] {
        for whole in [table_bytes(&scalar(&rules)), table_bytes(&sparse(&rules))] {
            for section in forge::sections(&whole) {
                let mut bytes = whole.clone();
                bytes[section].fill(byte);
                forge::seal_all(&mut bytes);
                if let Ok(table) = Table::from_bytes(bytes) {
                    assert!(check(&table).is_err(), "{}", rules.name());
                }
            }
        }
    }
}

/// Only solvers make solutions, so what is saved always fits its rules; a caller who has planes of his own can read them
/// only if they are of the right size.
#[test]
fn planes_of_another_size_are_refused() {
    let shape = Shape::of(&games::motley());
    let bytes = shape.bytes().expect("small") as usize;
    assert!(Planes::new(shape, &vec![0; bytes]).is_some());
    for other in [0, 1, bytes - 1, bytes + 1, 2 * bytes] {
        assert!(Planes::new(shape, &vec![0; other]).is_none(), "{other} bytes of {bytes}");
    }
}

/// Fields that no writer writes, each with the reason it is refused for.
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
        ("coverage", &[1, 255]),
        ("sections.count", &[0, 2, u64::MAX]),
        ("section.kind", &[0, 2, 3, 255]),
        ("section.label", &[0, 2, 3, 255]),
        ("section.bits", &[0, 1, 3, 8, 255]),
        ("section.zero", &[1, 255]),
        ("section.start", &[0, 88, 4095, 8192, 1 << 62, (1 << 62) - 1, u64::MAX - 4096, u64::MAX]),
        ("section.bytes", &[0, 255, 257, 1 << 62, (1 << 62) - 1, u64::MAX]),
        ("section.block", &[0, 1, 1 << 15, u64::MAX]),
        ("figures.count", &[0, 3, 5, 7, u64::MAX]),
    ] {
        for &value in values {
            malformed(name, value);
        }
    }
    for cells in [0, 65, 255] {
        assert!(matches!(set("cells", cells), TableFault::Rules(RulesError::Cells { .. })), "{cells}");
    }
    for cells in [4, 6, 63, 64] {
        // Other rules, whose planes would have other sizes or whose masks are outside the board.
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
    for version in [0, 1, VERSION + 1, u32::MAX] {
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
    assert!(matches!(fault, TableFault::Malformed(what) if what.contains("continues")), "{fault}");
    // The hash of the rules alone, under a header checksum that holds.
    let mut bytes = motley();
    bytes[56] ^= 1;
    bytes[24..56].fill(0);
    let checksum = blake3::hash(&bytes[..4096]);
    bytes[24..56].copy_from_slice(checksum.as_bytes());
    assert!(matches!(Table::from_bytes(bytes).expect_err("refused").fault, TableFault::RulesHash));
}

/// Fields of a sparse table's header that no writer writes: all of them are refused.
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
        ("coverage", &[0, 2, 255][..]),
        ("roots.count", &[0, 1, u64::MAX]),
        ("root.mode", &[4, 65_535]),
        ("root.board", &[1 << 10, u64::MAX]),
        ("levels.count", &[0, 1, 11, u64::MAX]),
        ("level.filled", &[2, 11, 255]),
        ("level.positions", &[0, 1, 1 << 11, 1 << 32, u64::MAX]),
        ("figure.wins", &[0, u64::MAX, 1 << 63]),
        ("sections.count", &[0, 1, 3, u64::MAX]),
        ("section.kind", &[0, 1, 3]),
        ("section.label", &[1, 255]),
        ("section.bits", &[1, 2, 8]),
        ("section.zero", &[1]),
        ("section.start", &[0, 88, 4095, 8192, 1 << 62, u64::MAX]),
        ("section.bytes", &[0, 1, 1 << 62, u64::MAX]),
        ("section.block", &[0, 1 << 15]),
        ("figures.count", &[1, 3, u64::MAX]),
    ] {
        for &value in values {
            malformed(&format!("{name} = {value}"), &|bytes| forge::set(bytes, name, value));
        }
    }
    // Of the outcomes, the second section.
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
        assert!(verify::labels(&table, &Options::default()).is_err(), "{name}");
    }
    // Levels that are as many in all, with other numbers of positions each.
    let mut bytes = whole.clone();
    let first = forge::field(&bytes, "level.positions");
    let second = first.start + 9..first.end + 9;
    let (a, b) = (bytes[first.start], bytes[second.start]);
    (bytes[first.start], bytes[second.start]) = (a - 1, b + 1);
    forge::seal_all(&mut bytes);
    if let Ok(table) = Table::from_bytes(bytes) {
        assert!(verify::labels(&table, &Options::default()).is_err());
    }
}

/// A table without a position cannot be: there is at least a root.
#[test]
fn a_table_of_nothing_is_refused() {
    let rules = RulesSpec::new("nothing", 3).build().expect("sound rules");
    let mut bytes = table_bytes(&sparse(&rules));
    let levels = forge::field(&bytes, "levels.count");
    bytes[levels.start] = 0;
    bytes.drain(levels.end..levels.end + 9);
    bytes.splice(4087..4087, [0; 9]);
    for name in ["figure.wins", "figure.losses", "section.bytes"] {
        forge::set(&mut bytes, name, 0);
    }
    forge::seal_header(&mut bytes);
    assert_malformed(bytes, "levels");
}
