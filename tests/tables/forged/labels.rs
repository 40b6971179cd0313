//! Forged labels and keys.

use super::{check, every_label, motley, open, small_tactics};
use crate::common::{dense, forge, games, outcome, positions, scalar, sparse, table_bytes};
use tablegen::contents::{Contents, LabelFault};
use tablegen::game::{Game, Play, Tactics};
use tablegen::plane::{Planes, Shape};
use tablegen::rules::{Outcome, Position};
use tablegen::solve::Method;
use tablegen::table::{Table, TableFault};
use tablegen::verify::{self, Finding, Options, Scope};

/// Changes each label alone, in a game with draws and in one without. The verifier names the label, or a position that
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
                bytes[start + plane * plane_bytes + p.board.low_word() as usize / 8] ^= 1 << (p.board.low_word() % 8);
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

/// Changes each bit of the keys and outcomes of sparse tables. The check finds a wrong label or a damaged structure.
#[test]
fn every_altered_bit_of_keys_and_outcomes_is_found() {
    /// Every 23rd position is looked up, with another offset for each byte.
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
                // The lowest bit of a byte of outcomes belongs to a position.
                let is_outcome = outcomes.contains(&byte) && bit == 0 && !rules.can_draw();
                let of_a_label = matches!(finding, Finding::Label { .. } | Finding::Counts { .. });
                assert!(of_a_label || !is_outcome, "{what}: {finding}");
                if bit != byte % 8 {
                    continue;
                }
                let scope = Scope::Sample { count: 5, seed: byte as u64 };
                let _ = verify::labels(&table, &Options { scope, ..Options::default() });
                let _ = verify::oracle(&table, &Options { limit: Some(u64::MAX), ..Options::default() });
                for position in positions(&rules).skip(byte % SHARE).step_by(SHARE) {
                    let _ = table.probe(position);
                }
            }
        }
    }
}

/// With a forged root, some positions of the table are unreachable.
#[test]
fn a_forged_root_is_found() {
    let mut bytes = table_bytes(&sparse(&small_tactics()));
    forge::set(&mut bytes, "starts.board", 1);
    forge::seal_all(&mut bytes);
    let finding = check(&open(bytes)).expect_err("the start is not reached");
    assert!(matches!(finding, Finding::Unreached { position } if position == Position::default()), "{finding}");
}

/// A sample finds a wrong label when it draws it: 50,000 draws meet the one wrong label of 2048.
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

/// Every sample includes the positions that people ask about: the start, the positions within two plies and a line of
/// best play. So a sample of one draw finds a label forged there, even if its search decides nothing.
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
    // On the line of best play, forge a reply to a lost position so that it is labelled a loss as well.
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
        let options = Options { scope, limit: Some(10), ..Options::default() };
        let found = [verify::labels(&table, &options).map(drop), verify::oracle(&table, &options).map(drop)];
        assert!(found.iter().all(Result::is_err), "{position:?}: {found:?}");
    }
    assert!(verify::labels(&sound, &Options { scope, ..Options::default() }).is_ok());
}

/// A plane of fewer than 512 positions has padding bits that no look-up reads, so only the verifier finds changes
/// there.
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

/// Changes each byte of remoteness and nimbers to another label or to an invalid code, under valid checksums. The check
/// of the labels and the independent search both find it.
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
                // So many draws meet each of the 64 positions.
                let scope = Scope::Sample { count: 2000, seed: 1 };
                assert!(verify::labels(&table, &Options { scope, ..Options::default() }).is_err(), "byte {place}");
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

/// A forged permutation of the layout makes a valid header and assigns the bits to other positions.
#[test]
fn a_forged_layout_is_found() {
    let mut bytes = motley();
    let layout = forge::field(&bytes, "layout");
    bytes[layout].rotate_left(1);
    forge::seal_all(&mut bytes);
    assert!(check(&Table::from_bytes(bytes).expect("a permutation")).is_err());
}

/// A section filled with one value is refused or found.
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

/// Only solvers make solutions, so a saved solution always fits its rules. A caller with other planes can read them
/// only if their size is right.
#[test]
fn planes_of_another_size_are_refused() {
    let shape = Shape::of(&games::motley());
    let bytes = shape.bytes().expect("small") as usize;
    assert!(Planes::new(shape, &vec![0; bytes]).is_some());
    for other in [0, 1, bytes - 1, bytes + 1, 2 * bytes] {
        assert!(Planes::new(shape, &vec![0; other]).is_none(), "{other} bytes of {bytes}");
    }
}
