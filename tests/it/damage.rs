//! Damaged tables: cut short, grown, with bits flipped. Each is refused with the right reason or answers rightly; none
//! panics.

use crate::common::forge;
use crate::common::{games, positions, scalar, table_bytes};
use tablegen::game::{Game, Play, Tactics};
use tablegen::rules::{Board, Mode, Outcome, Position, Rules};
use tablegen::table::{Finding, Table, TableFault, verify_bytes};

/// Two modes, draws, an opening, padding bits: every kind of field in one page.
fn motley() -> Vec<u8> {
    let rules = games::motley();
    table_bytes(&rules, &scalar(&rules))
}

/// Four blocks of labels: 2^21 boards.
fn four_blocks() -> (Rules, Vec<u8>) {
    let rules = Tactics::new(3, 7, 3, Play::Misere).expect("a board of ordinary size").rules().clone();
    let bytes = table_bytes(&rules, &scalar(&rules));
    (rules, bytes)
}

fn fault(bytes: Vec<u8>) -> TableFault {
    let error = Table::from_bytes(bytes).expect_err("a damaged table is refused");
    assert!(error.path.is_none());
    assert!(!error.to_string().contains('\n'), "one line: {error}");
    error.fault
}

fn assert_length(fault: &TableFault, expected_now: u64, found_now: u64) {
    match fault {
        TableFault::Length { expected, found } => assert_eq!((*expected, *found), (expected_now, found_now)),
        other => panic!("{found_now} of {expected_now} bytes: {other}"),
    }
    assert!(fault.is_damage());
}

#[test]
fn cut_short_at_every_length() {
    let whole = motley();
    let bytes = whole.len() as u64;
    for length in 0..whole.len() {
        match (length, fault(whole[..length].to_vec())) {
            (0..88, TableFault::TooShort { found }) => assert_eq!(found, length as u64),
            (0..88, other) => panic!("{length} bytes: {other}"),
            (_, fault) => assert_length(&fault, bytes, length as u64),
        }
    }
    assert!(Table::from_bytes(whole).is_ok());

    let (_, large) = four_blocks();
    let mut draw = fastrand::Rng::with_seed(2);
    for _ in 0..100 {
        let length = draw.usize(4096..large.len());
        assert_length(&fault(large[..length].to_vec()), large.len() as u64, length as u64);
    }
}

#[test]
fn something_added() {
    for more in [1, 7, 4096, 1 << 20] {
        let mut table = motley();
        let bytes = table.len() as u64;
        table.resize(table.len() + more, 0);
        assert_length(&fault(table), bytes, bytes + more as u64);
    }
}

#[test]
fn other_files_are_no_tables() {
    for bytes in [&b"PK\x03\x04"[..], &[0; 5000], b"\x89PNG\r\n\x1a\n", "№".as_bytes(), b"\x89TBG\n\x1a\n"] {
        assert!(matches!(fault(bytes.to_vec()), TableFault::Magic), "{bytes:?}");
    }
    // What a transfer as text makes of a table.
    let table = motley();
    let text: Vec<u8> = table.iter().copied().filter(|&byte| byte != b'\r').collect();
    assert!(matches!(fault(text), TableFault::Magic));
}

/// Every bit of the header, its padding too.
#[test]
fn a_flipped_bit_anywhere_in_the_header() {
    let whole = motley();
    let header = forge::get(&whole, "header.bytes") as usize;
    assert_eq!(header, 4096);
    for bit in 0..header * 8 {
        let mut table = whole.clone();
        table[bit / 8] ^= 1 << (bit % 8);
        let fault = fault(table);
        let right = match bit / 8 {
            0..8 => matches!(fault, TableFault::Magic),
            8..12 => matches!(fault, TableFault::Version { expected: 1, .. }),
            16..24 => matches!(fault, TableFault::Length { .. }),
            _ => matches!(fault, TableFault::HeaderChecksum),
        };
        assert!(right, "byte {}: {fault}", bit / 8);
        // A newer format is not damage: building the table again with this program would not mend a mistake.
        let other = matches!(fault, TableFault::Magic | TableFault::Version { .. });
        assert_eq!(fault.is_damage(), !other, "byte {}: {fault}", bit / 8);
    }
}

/// A changed label is not looked for when a table is opened. `verify_bytes` finds it, and a checked table errs where it
/// would have answered from the block that changed, and nowhere else.
#[test]
fn a_flipped_bit_among_the_labels() {
    let (rules, whole) = four_blocks();
    assert_eq!(forge::labels(&whole).len(), 4 * forge::BLOCK);
    assert_flips_are_found(&rules, &whole);
}

/// Two planes of a block each: an answer is read from both, and errs where either changed.
#[test]
fn a_flipped_bit_in_either_plane() {
    let rules = games::drawn_kayles(19);
    let whole = table_bytes(&rules, &scalar(&rules));
    assert_eq!(forge::labels(&whole).len(), 2 * forge::BLOCK);
    assert_flips_are_found(&rules, &whole);
}

fn assert_flips_are_found(rules: &Rules, whole: &[u8]) {
    let sound = Table::from_bytes(whole.to_vec()).expect("sound");
    let expected: Vec<Outcome> = positions(rules).map(|p| sound.outcome(p).expect("sound")).collect();
    let labels = forge::labels(whole);
    let mut draw = fastrand::Rng::with_seed(3);
    let mut places: Vec<usize> = (0..4).map(|_| draw.usize(labels.clone())).collect();
    places.extend([labels.start, labels.end - 1, labels.start + forge::BLOCK]);
    for place in places {
        let block = (place - labels.start) / forge::BLOCK;
        let first = labels.start + block * forge::BLOCK;
        let (first, last) = (first as u64, (first + forge::BLOCK - 1) as u64);
        let right_fault = |fault: &TableFault| match fault {
            TableFault::BlockChecksum { start, end } => (*start, *end) == (first, last),
            _ => false,
        };
        // One mode: the planes of wins and of losses, if any, lie one behind the other.
        let (planes, layout) = sound.planes().expect("every position");
        let plane = planes.shape().plane_bytes() as usize;
        let affected = |p: Position| {
            let byte = layout.index(p.board) as usize / 8;
            (0..1 + usize::from(rules.can_draw())).any(|loss| (loss * plane + byte) / forge::BLOCK == block)
        };

        let mut bytes = whole.to_vec();
        bytes[place] ^= 1 << draw.u32(0..8);
        let table = Table::from_bytes(bytes.clone()).expect("labels are not read when a table is opened");
        match verify_bytes(&table, &|_| {}) {
            Err(Finding::Bytes(fault)) => assert!(right_fault(&fault), "{place}: {fault}"),
            other => panic!("{place}: {other:?}"),
        }
        let changed = positions(rules).zip(&expected).filter(|(p, right)| table.outcome(*p).ok() != Some(**right));
        assert_eq!(changed.count(), 1, "the flip is one that matters");

        let checked = Table::from_bytes(bytes).and_then(Table::checked).expect("the list of checksums is sound");
        for (number, (p, &right)) in positions(rules).zip(&expected).enumerate() {
            // A block that does not hold is hashed again at every question: a sample of those is enough.
            if affected(p) && number % 997 != 0 {
                continue;
            }
            match checked.outcome(p) {
                Ok(found) => assert!(found == right && !affected(p), "{p:?}"),
                Err(error) => assert!(right_fault(&error.fault) && affected(p), "{p:?}: {error}"),
            }
        }
        // A probe reads successors too: one that needs the block errs, and none answers wrongly.
        for p in positions(rules).step_by(997) {
            let touches = rules.moves_from(p).map(|m| m.play(p)).chain([p]).any(affected);
            match (checked.probe(p), sound.probe(p)) {
                (Ok(found), Ok(right)) => assert!(!touches && found == right, "{p:?}"),
                (found, _) => assert!(touches && found.is_err(), "{p:?}"),
            }
        }
    }
}

/// The padding of a small plane is under the checksum too.
#[test]
fn every_bit_of_a_small_table_s_labels() {
    let whole = motley();
    for bit in forge::labels(&whole).flat_map(|byte| (0..8).map(move |bit| (byte, bit))) {
        let mut table = whole.clone();
        table[bit.0] ^= 1 << bit.1;
        let table = Table::from_bytes(table).expect("labels are not read when a table is opened");
        let found = verify_bytes(&table, &|_| {});
        assert!(matches!(found, Err(Finding::Bytes(TableFault::BlockChecksum { .. }))), "{bit:?}");
        let checked = table.checked().expect("the list of checksums is sound");
        assert!(positions(checked.rules()).all(|p| checked.outcome(p).is_err()), "{bit:?}");
    }
}

#[test]
fn a_flipped_bit_among_the_checksums() {
    let (rules, whole) = four_blocks();
    for byte in forge::list(&whole) {
        let mut bytes = whole.clone();
        bytes[byte] ^= 1 << (byte % 8);
        let table = Table::from_bytes(bytes).expect("the list is not read when a table is opened");
        assert!(matches!(verify_bytes(&table, &|_| {}), Err(Finding::Bytes(TableFault::ChecksumList))), "{byte}");
        // The labels are sound and say so; only who asks for checked answers gets none.
        assert!(table.outcome(positions(&rules).next().expect("there are positions")).is_ok());
        let refused = table.checked().expect_err("a list that does not hold vouches for nothing");
        assert!(matches!(refused.fault, TableFault::ChecksumList), "{refused}");
    }
}

#[test]
fn a_sound_table_passes_checked() {
    let (rules, whole) = four_blocks();
    let (plain, checked) = (Table::from_bytes(whole.clone()), Table::from_bytes(whole).and_then(Table::checked));
    let (plain, checked) = (plain.expect("sound"), checked.expect("sound"));
    for p in positions(&rules) {
        assert_eq!(plain.outcome(p).expect("sound"), checked.outcome(p).expect("sound"));
    }
    assert!(verify_bytes(&checked, &|_| {}).is_ok());
}

/// Positions that a table does not have are errors, not panics and not answers.
#[test]
fn positions_beyond_the_table() {
    let table = Table::from_bytes(motley()).expect("sound");
    for (mode, board) in [(0, 32), (0, u64::MAX), (2, 0), (u16::MAX, 0), (1, 1 << 63)] {
        let p = Position::new(Mode(mode), Board(board));
        for fault in [table.outcome(p).map(drop), table.value(p).map(drop), table.probe(p).map(drop)] {
            let fault = fault.expect_err("no such position").fault;
            assert!(matches!(fault, TableFault::NoSuchPosition { position, .. } if position == p), "{fault}");
            assert!(!fault.is_damage());
        }
    }
}
