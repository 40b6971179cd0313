//! Damaged tables of every kind: truncated, extended or with flipped bits. Each is refused for the right reason or
//! answers correctly, and none causes a panic.

use crate::common::games::IMPARTIAL;
use std::sync::OnceLock;

use crate::common::library::named;
use crate::common::regions::by_regions;
use crate::common::{coloured, every, forge, games, held, outcome, positions, reachable, scalar, sparse, table_bytes};
use tablegen::contents::Contents;
use tablegen::game::{Game, Play, Tactics};
use tablegen::rules::{Board, Mode, Outcome, Position, Rules};
use tablegen::solve::{self, Method, Solution};
use tablegen::table::{Table, TableFault, VERSION};
use tablegen::verify::{self, Finding, Options, Scope};

/// A solved game and the bytes of its table.
struct Sound {
    name: String,
    rules: Rules,
    solution: Solution,
    bytes: Vec<u8>,
}

impl Sound {
    fn new(kind: &str, solution: Solution) -> Self {
        let (rules, bytes) = (solution.rules().clone(), table_bytes(&solution));
        Self { name: format!("{}, {kind}", rules.name()), rules, solution, bytes }
    }

    /// Panics unless `table` answers each position with its outcome, with its absence, or with an error. Checks a
    /// sample, another one for each `turn`, because a damaged block is hashed again at every look-up.
    fn assert_no_lies(&self, table: &Table, turn: usize, what: &str) {
        for position in positions(&self.rules).skip(turn % SHARE).step_by(SHARE) {
            if let Ok(found) = table.find(position) {
                assert_eq!(found, self.solution.outcome(position), "{what}: {position:?}");
            }
        }
    }
}

const SHARE: usize = 23;

/// Small tables. Motley has two modes, draws, an opening, terminal patterns and padding bits. Dominoes cannot draw, and
/// their levels have several buckets. The squares are three pairs and two single cells, with draws, two modes and a
/// terminal pattern. In Pong Hau K'i men step, and its table is by regions.
fn small() -> &'static [Sound] {
    static SMALL: OnceLock<[Sound; 5]> = OnceLock::new();
    SMALL.get_or_init(|| {
        let (motley, dominoes) = (games::motley(), games::dominoes(4));
        let [dense, flooded] = [Sound::new("dense", scalar(&motley)), Sound::new("sparse", sparse(&motley))];
        let squares = games::squares();
        let moving = named("pong-hau-ki", "");
        [
            dense,
            flooded,
            Sound::new("sparse", sparse(&dominoes)),
            Sound::new("coloured", coloured(&squares)),
            Sound::new("regions", by_regions(moving.rules(), true)),
        ]
    })
}

fn motley() -> Vec<u8> {
    small()[0].bytes.clone()
}

/// A table with four blocks of labels: 2^21 boards.
fn four_blocks() -> &'static Sound {
    static FOUR_BLOCKS: OnceLock<Sound> = OnceLock::new();
    FOUR_BLOCKS.get_or_init(|| {
        let game = Tactics::new(3, 7, 3, Play::Misere).expect("a board of ordinary size");
        Sound::new("dense", scalar(game.rules()))
    })
}

fn open(bytes: Vec<u8>) -> Table {
    Table::from_bytes(bytes).expect("opening reads only the header")
}

fn bytes(table: &Table) -> Result<u64, Finding> {
    verify::bytes(table, &Options::default())
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
fn truncation_at_every_length() {
    for Sound { bytes, .. } in small() {
        for length in 0..bytes.len() {
            match (length, fault(bytes[..length].to_vec())) {
                (0..88, TableFault::TooShort { found }) => assert_eq!(found, length as u64),
                (0..88, other) => panic!("{length} bytes: {other}"),
                (_, fault) => assert_length(&fault, bytes.len() as u64, length as u64),
            }
        }
        assert!(Table::from_bytes(bytes.clone()).is_ok());
    }

    let large = &four_blocks().bytes;
    let mut draw = fastrand::Rng::with_seed(2);
    for _ in 0..100 {
        let length = draw.usize(4096..large.len());
        assert_length(&fault(large[..length].to_vec()), large.len() as u64, length as u64);
    }
}

#[test]
fn files_that_are_not_tables() {
    for bytes in [&b"PK\x03\x04"[..], &[0; 5000], b"\x89PNG\r\n\x1a\n", "№".as_bytes(), b"\x89TBG\n\x1a\n"] {
        assert!(matches!(fault(bytes.to_vec()), TableFault::Magic), "{bytes:?}");
    }
    // A transfer in text mode drops carriage returns.
    let table = motley();
    let text: Vec<u8> = table.iter().copied().filter(|&byte| byte != b'\r').collect();
    assert!(matches!(fault(text), TableFault::Magic));
}

/// Flips every bit of the header, including its padding.
#[test]
fn a_flipped_bit_anywhere_in_the_header() {
    for Sound { name, bytes, .. } in small() {
        assert_eq!(forge::get(bytes, "header.bytes"), 4096);
        for bit in 0..4096 * 8 {
            let mut table = bytes.clone();
            table[bit / 8] ^= 1 << (bit % 8);
            let fault = fault(table);
            let right = match bit / 8 {
                0..8 => matches!(fault, TableFault::Magic),
                8..12 => matches!(fault, TableFault::Version { expected: VERSION, .. }),
                16..24 => matches!(fault, TableFault::Length { .. }),
                _ => matches!(fault, TableFault::HeaderChecksum),
            };
            assert!(right, "{name}, byte {}: {fault}", bit / 8);
            // A newer format is not damage: building the table again with this program would not help.
            let other = matches!(fault, TableFault::Magic | TableFault::Version { .. });
            assert_eq!(fault.is_damage(), !other, "{name}, byte {}: {fault}", bit / 8);
        }
    }
}

/// Flips every bit after the header. Opening a table does not look for this. `verify::bytes` finds it, a checked table
/// answers correctly or with an error, and no unchecked read panics.
#[test]
fn a_flipped_bit_anywhere_after_the_header() {
    for sound in small() {
        let sections = forge::sections(&sound.bytes);
        assert_eq!(sections[0].start, 4096);
        for bit in (4096 * 8..sound.bytes.len() * 8).step_by(3) {
            let what = format!("{}: bit {bit}", sound.name);
            let mut changed = sound.bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let table = open(changed);
            let in_section = sections.iter().any(|section| section.contains(&(bit / 8)));
            match bytes(&table) {
                Err(Finding::Bytes(TableFault::BlockChecksum { .. })) => assert!(in_section, "{what}"),
                Err(Finding::Bytes(TableFault::ChecksumList)) => assert!(!in_section, "{what}"),
                other => panic!("{what}: {other:?}"),
            }
            if !in_section {
                sound.assert_no_lies(&table, bit, &what);
                assert!(matches!(table.checked().expect_err("refused").fault, TableFault::ChecksumList));
                continue;
            }
            // To save time, only one bit of each byte tests the answers.
            if bit % 8 == bit / 8 % 8 {
                let sample = Scope::Sample { count: 5, seed: bit as u64 };
                let _ = verify::labels(&table, &Options::default());
                let _ = verify::labels(&table, &Options { scope: sample, ..Options::default() });
                let _ = verify::oracle(&table, &Options { scope: sample, limit: Some(100), ..Options::default() });
                let share = positions(&sound.rules).skip(bit % SHARE).step_by(SHARE);
                let _ = share.filter(|&position| table.outcome(position).is_ok()).count();
            }
            let checked = table.checked().expect("the lists of checksums hold");
            match checked.contents() {
                // One checksum covers all labels.
                Contents::Dense(dense) if dense.fold().is_none() => {
                    assert!(positions(&sound.rules).all(|p| checked.outcome(p).is_err()), "{what}")
                }
                Contents::Sparse(_) if bit % 8 == bit / 8 % 8 => sound.assert_no_lies(&checked, bit, &what),
                Contents::Sparse(_) => {}
                // In these tables, one checksum covers the colourings and another one the reachability bits.
                Contents::Coloured(_) | Contents::Dense(_) | Contents::Regions(_) => {
                    sound.assert_no_lies(&checked, bit, &what)
                }
            }
        }
    }
}

/// A checked table gives an error for answers from the changed block, and for no others.
#[test]
fn a_flipped_bit_among_the_labels_of_a_large_table() {
    let sound = four_blocks();
    assert_eq!(forge::outcomes(&sound.bytes).len(), 4 * forge::BLOCK);
    assert_flips_are_found(sound);
}

/// Two planes of one block each: an answer reads both, and fails if either has changed.
#[test]
fn a_flipped_bit_in_either_plane() {
    let sound = Sound::new("dense", scalar(&games::drawn_kayles(19)));
    assert_eq!(forge::outcomes(&sound.bytes).len(), 2 * forge::BLOCK);
    assert_flips_are_found(&sound);
}

fn assert_flips_are_found(sound: &Sound) {
    let Sound { rules, solution, bytes: whole, .. } = sound;
    let sound = open(whole.clone());
    let expected: Vec<Outcome> = positions(rules).map(|p| outcome(solution, p)).collect();
    let labels = forge::outcomes(whole);
    let mut draw = fastrand::Rng::with_seed(3);
    let mut places: Vec<usize> = (0..4).map(|_| draw.usize(labels.clone())).collect();
    places.extend([labels.start, labels.end - 1, labels.start + forge::BLOCK]);
    for place in places {
        let block = (place - labels.start) / forge::BLOCK;
        // The table has one mode, so the plane of wins comes first, then the plane of losses if there is one.
        let dense = every(sound.contents());
        let plane = dense.planes().shape().plane_bytes().expect("small") as usize;
        let affected = |p: Position| {
            let byte = dense.layout().index(p.board) as usize / 8;
            (0..1 + usize::from(rules.can_draw())).any(|loss| (loss * plane + byte) / forge::BLOCK == block)
        };

        let mut changed = whole.clone();
        changed[place] ^= 1 << draw.u32(0..8);
        let table = open(changed.clone());
        match bytes(&table) {
            Err(Finding::Bytes(fault)) => assert_block(&fault, &labels, place),
            other => panic!("{place}: {other:?}"),
        }
        let differ = positions(rules).zip(&expected).filter(|(p, right)| table.outcome(*p).ok() != Some(**right));
        assert_eq!(differ.count(), 1, "the flip is one that matters");

        let checked = open(changed).checked().expect("the list of checksums is sound");
        for (number, (p, &right)) in positions(rules).zip(&expected).enumerate() {
            // A damaged block is hashed again at every look-up, so only a sample of its positions is tested.
            if affected(p) && number % 997 != 0 {
                continue;
            }
            match checked.outcome(p) {
                Ok(found) => assert!(found == right && !affected(p), "{p:?}"),
                Err(error) => {
                    assert!(affected(p), "{p:?}: {error}");
                    assert_block(&error.fault, &labels, place);
                }
            }
        }
        // A probe also reads successors. It fails if any of them is in the changed block, and no probe answers wrongly.
        for p in positions(rules).step_by(997) {
            let touches = rules.moves_from(p).map(|m| m.play(p)).chain([p]).any(affected);
            match (checked.probe(p), sound.probe(p)) {
                (Ok(found), Ok(right)) => assert!(!touches && found == right, "{p:?}"),
                (found, _) => assert!(touches && found.is_err(), "{p:?}"),
            }
        }
    }
}

/// Panics unless `fault` names the block of `section` that contains `place`.
fn assert_block(fault: &TableFault, section: &std::ops::Range<usize>, place: usize) {
    let first = place - (place - section.start) % forge::BLOCK;
    let last = (first + forge::BLOCK).min(section.end) - 1;
    match fault {
        TableFault::BlockChecksum { start, end } => {
            assert_eq!((*start, *end), (first as u64, last as u64), "a bit of byte {place} changed");
        }
        other => panic!("a bit of byte {place} changed: {other}"),
    }
}

/// The keys have several blocks. Look-ups in unchanged blocks succeed, and no look-up answers wrongly.
#[test]
fn a_flipped_bit_among_the_keys_of_a_large_table() {
    let game = Tactics::new(3, 6, 4, Play::Misere).expect("a board of ordinary size");
    let sound = Sound::new("sparse", sparse(game.rules()));
    let sections = forge::sections(&sound.bytes);
    assert!(sections[0].len() > 4 * forge::BLOCK);
    let mut draw = fastrand::Rng::with_seed(4);
    for section in sections.iter().flat_map(|section| [section; 4]) {
        let place = draw.usize(section.clone());
        let mut changed = sound.bytes.clone();
        changed[place] ^= 1 << draw.u32(..8);
        match bytes(&open(changed.clone())) {
            Err(Finding::Bytes(fault)) => assert_block(&fault, section, place),
            other => panic!("{place}: {other:?}"),
        }
        let checked = open(changed).checked().expect("the lists of checksums are sound");
        let (mut right, mut refused) = (0, 0);
        for p in positions(&sound.rules).step_by(97) {
            match checked.find(p) {
                Ok(found) => {
                    assert_eq!(found, sound.solution.outcome(p), "{p:?}");
                    right += 1;
                }
                Err(error) => {
                    assert_block(&error.fault, section, place);
                    refused += 1;
                }
            }
        }
        // All outcomes are in one block.
        assert!(refused > 0 && (right > 0 || section == &sections[1]), "{place}: {right} right, {refused} refused");
    }
}

/// Flips a bit of remoteness or nimbers. The check of the bytes finds it, and a checked table gives an error where it
/// would read the bit. Outcomes are in another section and still answer.
#[test]
fn a_flipped_bit_among_the_other_labels() {
    let game = Tactics::new(2, 3, 3, Play::Normal).expect("a board of ordinary size");
    for method in [Method::Dense, Method::Sparse] {
        let options = solve::Options { labels: IMPARTIAL, ..solve::Options::of(method) };
        let sound = Sound::new("every label", solve::solve(game.rules(), &options).expect("small rules"));
        for label in [2, 3] {
            let section = forge::labels(&sound.bytes, label).expect("a label of the table");
            for place in section.start..forge::list_of(&section).end {
                let mut changed = sound.bytes.clone();
                changed[place] ^= 1 << (place % 8);
                let table = open(changed);
                match bytes(&table) {
                    Err(Finding::Bytes(TableFault::BlockChecksum { .. })) => assert!(section.contains(&place)),
                    Err(Finding::Bytes(TableFault::ChecksumList)) => assert!(!section.contains(&place)),
                    other => panic!("{place}: {other:?}"),
                }
                for position in positions(&sound.rules) {
                    let _ = table.value(position);
                }
                let _ = verify::labels(&table, &Options::default());
                let _ = verify::oracle(&table, &Options { limit: Some(100), ..Options::default() });
                let Ok(checked) = table.checked() else { continue };
                for position in positions(&sound.rules) {
                    assert_eq!(checked.find(position).expect("another section"), sound.solution.outcome(position));
                    // One checksum covers all bytes of the label.
                    assert!(checked.value(position).is_err() && checked.probe(position).is_err(), "{place}");
                }
            }
        }
    }
}

#[test]
fn a_flipped_bit_among_the_checksums_of_a_large_table() {
    let sound = four_blocks();
    for byte in forge::list_of(&forge::outcomes(&sound.bytes)) {
        let mut changed = sound.bytes.clone();
        changed[byte] ^= 1 << (byte % 8);
        let table = open(changed);
        assert!(matches!(bytes(&table), Err(Finding::Bytes(TableFault::ChecksumList))), "{byte}");
        // The labels are undamaged, so an unchecked table answers. A checked table needs the list of checksums and is
        // refused.
        assert!(table.outcome(positions(&sound.rules).next().expect("there are positions")).is_ok());
        let refused = table.checked().expect_err("a list that does not hold vouches for nothing");
        assert!(matches!(refused.fault, TableFault::ChecksumList), "{refused}");
    }
}

#[test]
fn a_sound_table_passes_checked() {
    for sound in small().iter().chain([four_blocks()]) {
        let checked = open(sound.bytes.clone()).checked().expect("sound");
        for p in positions(&sound.rules) {
            assert_eq!(checked.find(p).expect("sound"), sound.solution.outcome(p), "{}: {p:?}", sound.name);
        }
        assert_eq!(bytes(&checked).expect("sound"), sound.bytes.len() as u64);
    }
}

/// Positions outside the rules are errors, neither panics nor answers. Positions that a sparse table does not hold are
/// another kind of error.
#[test]
fn positions_beyond_the_table() {
    for sound in small() {
        let table = open(sound.bytes.clone());
        let (modes, cells) = (sound.rules.modes().len() as u16, sound.rules.cells());
        for (mode, board) in [(0, 1 << cells), (0, u64::MAX), (modes, 0), (u16::MAX, u64::MAX), (1, 1 << 63)] {
            let p = Position::new(Mode(mode), Board::from_word(board));
            let asked = [table.find(p).map(drop), table.outcome(p).map(drop), table.value(p).map(drop)];
            for fault in asked.into_iter().chain([table.probe(p).map(drop)]) {
                let fault = fault.expect_err("not a position").fault;
                assert!(matches!(fault, TableFault::NoSuchPosition { position, .. } if position == p), "{fault}");
                assert!(!fault.is_damage());
            }
        }
    }
    let sound = &small()[2];
    let table = open(sound.bytes.clone()).checked().expect("sound");
    let outside: Vec<Position> = positions(&sound.rules).filter(|&p| sound.solution.outcome(p).is_none()).collect();
    assert!(outside.len() > 100);
    for position in outside {
        let fault = table.outcome(position).expect_err("not held").fault;
        assert!(matches!(fault, TableFault::NotReached { position: named } if named == position) && !fault.is_damage());
        assert_eq!(table.find(position).expect("sound"), None);
    }
    for (position, outcome) in held(&sound.solution) {
        assert_eq!(table.outcome(position).expect("held"), outcome);
        assert!([Outcome::Win, Outcome::Loss].contains(&outcome));
    }
    assert_eq!(reachable(table.contents()).count(), sound.solution.count());
}
