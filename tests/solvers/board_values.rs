//! Values of boards in tables: kept, checked, read by other programs, and never wrong after damage.

use std::path::{Path, PathBuf};

use crate::common::forge;
use crate::common::script::read_table;
use tablegen::engine::{self, BoardValue, BuildOptions, Engine, EngineError, OpenTable, TableDirs, ValueFacts};
use tablegen::game::{Game, Parameters};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Board, NoSides, Position, Sides};
use tablegen::table::{Table, TableFault};
use tablegen::verify::{self, Finding, Options, Scope};

fn game(name: &str, size: [u32; 2]) -> Box<dyn Game> {
    engine::game(name, &Parameters::new().with("rows", size[0]).with("cols", size[1])).unwrap()
}

/// Small games with every kind of index: every board, listed boards, turns of two moves, an opening, impartial, a player who moves again.
const GAMES: &[(&str, [u32; 2])] = &[
    ("domineering", [2, 4]),
    ("clobber", [2, 3]),
    ("snort", [2, 3]),
    ("amazons", [2, 3]),
    ("konane", [2, 4]),
    ("cram", [3, 3]),
    ("nimstring", [1, 2]),
];

fn options(path: &Path, values: bool, labels: LabelSet) -> BuildOptions {
    BuildOptions { output: Some(path.to_owned()), values, labels, ..BuildOptions::default() }
}

fn build(game: Box<dyn Game>, options: &BuildOptions) -> Result<OpenTable, EngineError> {
    let engine = Engine::new(TableDirs::none());
    Ok(engine.plan(game, options)?.solve(None)?.save(|_| {}, None)?.open)
}

/// A table with values, and its folder.
fn table(name: &str, size: [u32; 2]) -> (tempfile::TempDir, PathBuf, OpenTable) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it.tb");
    let open = build(game(name, size), &options(&path, true, LabelSet::OUTCOME)).unwrap();
    (folder, path, open)
}

/// Every board that has a value.
fn boards(table: &Table) -> Vec<Board> {
    let values = table.values().unwrap();
    let mut boards = Vec::new();
    values.index.boards(values.keys, 0, values.index.count(), |_, board| boards.push(board)).unwrap();
    boards
}

/// Where the sections of values are in the file: the numbers, and the dictionary.
fn sections(bytes: &[u8]) -> [std::ops::Range<usize>; 2] {
    let sections = forge::sections(bytes);
    let [.., numbers, dictionary] = &sections[..] else { panic!("two sections") };
    [numbers.clone(), dictionary.clone()]
}

#[test]
fn values_in_tables_are_those_of_the_calculator() {
    for &(name, size) in GAMES {
        let (_folder, _, open) = table(name, size);
        let sides = Sides::of(open.table.rules(), open.game.is_partisan()).unwrap();
        let mut compared = 0;
        for board in boards(&open.table) {
            let position = Position::new(sides.left(), board);
            let text = open.game.write(position.into());
            let board = text.split(' ').next().unwrap();
            let Ok(expected) = ValueFacts::of(&format!("{name}(rows={},cols={}):{board}", size[0], size[1]), 1 << 20)
            else {
                continue;
            };
            let found = BoardValue::of(&open, position).unwrap().unwrap();
            let facts = [found.thermograph.mean, found.thermograph.temperature].map(|number| number.to_string());
            assert_eq!(
                (found.name, facts),
                (Some(expected.name), [expected.mean, expected.temperature]),
                "{name}: {text}"
            );
            compared += 1;
        }
        assert!(compared > 20, "{name}: {compared}");
        let checked = verify::values(&open.table, &Options::default()).unwrap();
        assert_eq!(checked, open.table.values().unwrap().index.count(), "{name}");
    }
}

#[test]
fn python_checks_every_value_from_the_page_about_the_format() {
    for &(name, size) in GAMES {
        let (_folder, path, open) = table(name, size);
        let output = read_table(&[Path::new("--values"), &path]);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let mut expected: Vec<(u128, u32)> = boards(&open.table)
            .into_iter()
            .map(|board| (board.number(), open.table.value_number(board).unwrap().unwrap()))
            .collect();
        expected.sort_unstable();
        let expected: String = expected.iter().map(|(board, number)| format!("{board},{number}\n")).collect();
        assert!(output.stdout == expected.as_bytes(), "{name}");
    }
}

/// A build keeps the values of an older table, adds them to one that lacks them, and has the bytes of a build of everything at once.
#[test]
fn values_are_kept_and_added() {
    let remoteness = LabelSet::OUTCOME.with(LabelKind::Remoteness);
    for (name, size) in [("domineering", [3, 3]), ("clobber", [2, 3]), ("nimstring", [1, 2])] {
        let folder = tempfile::tempdir().unwrap();
        let at = |file: &str| folder.path().join(file);
        let made = |file: &str, values, labels| {
            build(game(name, size), &options(&at(file), values, labels)).unwrap();
            std::fs::read(at(file)).unwrap()
        };
        let whole = made("whole.tb", true, remoteness);
        made("values-last.tb", false, remoteness);
        assert!(made("values-last.tb", true, LabelSet::OUTCOME) == whole, "{name}");
        made("values-first.tb", true, LabelSet::OUTCOME);
        assert!(made("values-first.tb", false, remoteness) == whole, "{name}");
        // Nothing is missing: all is solved again.
        assert!(made("whole.tb", false, LabelSet::OUTCOME) == whole, "{name}");
    }
}

/// No damaged byte of the values is answered from.
#[test]
fn damaged_values_are_found_when_they_are_read() {
    let remoteness = LabelSet::OUTCOME.with(LabelKind::Remoteness);
    for (name, size, labels) in [("domineering", [2, 4], LabelSet::OUTCOME), ("clobber", [2, 3], remoteness)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it.tb");
        let open = build(game(name, size), &options(&path, true, labels)).unwrap();
        let sound = std::fs::read(&path).unwrap();
        let first = forge::sections(&sound)[1].start;
        let expected: Vec<_> =
            boards(&open.table).into_iter().map(|board| (board, open.table.value_number(board).unwrap())).collect();
        for at in (first..sound.len()).step_by(sound.len() / 150) {
            let mut bytes = sound.clone();
            bytes[at] ^= 1 << (at % 8);
            let damaged = Table::from_bytes(bytes).unwrap();
            assert!(verify::bytes(&damaged, &Options::default()).is_err(), "{name}: byte {at}");
            let Ok(checked) = damaged.checked() else { continue };
            for (board, number) in &expected {
                if let Ok(found) = checked.value_number(*board) {
                    assert_eq!(found, *number, "{name}: byte {at}");
                    let entry = |table: &Table| table.value_entry(number.unwrap());
                    assert!(entry(&checked).is_err() || entry(&checked).ok() == entry(&open.table).ok());
                }
            }
        }
    }
}

/// Wrong values under right checksums are found by the check of labels, and by the reader in Python.
#[test]
fn wrong_values_are_found() {
    let (_folder, path, _) = table("domineering", [2, 3]);
    let sound = std::fs::read(&path).unwrap();
    let [numbers, dictionary] = sections(&sound);
    let forged = |at: usize, byte: u8| {
        let mut bytes = sound.clone();
        bytes[at] = byte;
        forge::seal_all(&mut bytes);
        bytes
    };
    // The value of the empty board, that of a full board, an option of a value, and the number of boards with a value.
    let options = dictionary.end - 4;
    let cases = [
        (numbers.start, 0),
        (numbers.end - 4, 1),
        (options, sound[options] ^ 1),
        (dictionary.start, sound[dictionary.start] + 1),
    ];
    for (at, byte) in cases {
        let bytes = forged(at, byte);
        let table = Table::from_bytes(bytes.clone()).unwrap();
        let finding = verify::values(&table, &Options::default()).unwrap_err();
        assert!(matches!(finding, Finding::Value { .. } | Finding::Dictionary { .. }), "byte {at}: {finding}");
        std::fs::write(&path, bytes).unwrap();
        let output = read_table(&[Path::new("--values"), &path]);
        assert!(!output.status.success(), "byte {at}");
    }
    // A sample of all boards finds a wrong value as well.
    let table = Table::from_bytes(forged(numbers.start, 0)).unwrap();
    let sample = Options { scope: Scope::Sample { count: 64, seed: 1 }, ..Options::default() };
    assert!(verify::values(&table, &sample).is_err());
    // Sizes that contradict each other are refused when the table is opened.
    let mut bytes = sound.clone();
    let count = forge::every(&bytes, "figure.wins").pop().unwrap();
    bytes[count.start] ^= 1;
    forge::seal_header(&mut bytes);
    let refused = Table::from_bytes(bytes).unwrap_err();
    assert!(matches!(refused.fault, TableFault::Malformed(_)), "{refused}");
}

#[test]
fn games_without_values_are_refused_with_the_reason() {
    let reasons = [
        ("tactics", NoSides::Convention),
        ("connect-four", NoSides::Ends),
        ("dominoes", NoSides::Modes),
        ("quixo", NoSides::Ends),
        ("dots-and-boxes", NoSides::Convention),
    ];
    for (name, expected) in reasons {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it.tb");
        let game = engine::game(name, &Parameters::new()).unwrap();
        match build(game, &options(&path, true, LabelSet::OUTCOME)).map(|_| ()) {
            Err(EngineError::NoValues { reason, .. }) => assert_eq!(reason, expected, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
        assert!(!path.exists());
    }
}
