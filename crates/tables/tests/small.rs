//! Tables of a few positions, written to memory and to a file, opened again and damaged. They are small enough for Miri: see
//! `docs/contributors/tests.md`.

use tablegen_labels::{LabelKind, LabelSet};
use tablegen_rules::{Board, Descriptor, Mode, Move, Position, Rules, RulesSpec};
use tablegen_solvers::{Method, Options, Solution, scalar, solve};
use tablegen_tables::table::{SaveTable, Table, TableError};

/// Fill a cell or two neighbours of four in a row.
fn rules() -> Rules {
    let fills = [0b1, 0b10, 0b100, 0b1000, 0b11, 0b110, 0b1100];
    let moves = fills.map(|fills| Move::fill(Board::from_word(fills))).to_vec();
    RulesSpec { moves, ..RulesSpec::new("row", 4) }.build().unwrap()
}

const LABELS: LabelSet = LabelSet::OUTCOME.with(LabelKind::Remoteness);

/// A dense and a sparse solution.
fn solutions() -> [Solution; 2] {
    let rules = rules();
    let options = Options { labels: LABELS, ..Options::of(Method::Sparse) };
    [scalar(&rules, None, LABELS).unwrap(), solve(&rules, &options).unwrap()]
}

/// Looks up every board.
fn assert_equal(solution: &Solution, table: &Table) {
    for board in 0..16 {
        let position = Position::new(Mode(0), Board::from_word(board));
        assert_eq!(table.find(position).unwrap(), solution.outcome(position));
        assert_eq!(table.value(position).ok(), solution.value(position));
    }
}

#[test]
fn a_table_in_memory() {
    for solution in solutions() {
        let table = Table::from_bytes(solution.to_bytes(&Descriptor::default())).unwrap();
        assert_equal(&solution, &table);
        assert_equal(&solution, &table.checked().unwrap());
    }
}

#[test]
fn a_table_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("row.tb");
    for solution in solutions() {
        std::fs::write(&path, solution.to_bytes(&Descriptor::default())).unwrap();
        assert_equal(&solution, &Table::open(&path).unwrap());
        assert_equal(&solution, &Table::open_by_block(&path).unwrap());
    }
}

/// Opens a table and checks each of its blocks.
fn opened(bytes: Vec<u8>) -> Result<(), TableError> {
    let table = Table::from_bytes(bytes)?.checked()?;
    LABELS.iter().try_for_each(|kind| table.check_label(kind))
}

#[test]
fn damaged_tables_are_refused() {
    for solution in solutions() {
        let bytes = solution.to_bytes(&Descriptor::default());
        opened(bytes.clone()).unwrap();
        for length in [0, 7, 100, bytes.len() - 1] {
            assert!(opened(bytes[..length].to_vec()).is_err(), "{length} bytes");
        }
        // The magic, the version, the length, the rules, the first labels.
        for at in [0, 8, 12, 200, 4096] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(opened(damaged).is_err(), "byte {at}");
        }
    }
}
