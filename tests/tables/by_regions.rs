//! Tables by regions: what is in the file, by the program and by the reader in Python, and forgeries.

use crate::common::regions::{by_regions, counter, games_by_regions};
use crate::common::script::labels_of;
use crate::common::{forge, positions, stored, table_bytes};
use tablegen::label::{LabelKind, Width};
use tablegen::rules::Rules;
use tablegen::solve::Solution;
use tablegen::table::{Table, TableFault};
use tablegen::verify::{self, Finding, Options, Scope};

fn open(bytes: Vec<u8>) -> Table {
    Table::from_bytes(bytes).expect("a sound header")
}

/// The solutions of small games, with and without symmetry.
fn solutions() -> Vec<Solution> {
    let both = |rules: &Rules| [false, true].map(|has_symmetry| by_regions(rules, has_symmetry));
    games_by_regions().iter().flat_map(both).collect()
}

/// The script computes the number of each board itself, and each label from the labels of the successors.
#[test]
fn python_reads_and_verifies_tables_by_regions() {
    for solution in solutions() {
        let output = labels_of(&table_bytes(&solution));
        let name = solution.rules().name();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let mut positions = stored(solution.rules(), solution.contents());
        positions.sort_unstable();
        let line = |position: tablegen::rules::Position| {
            let value = solution.value(position).expect("a label");
            let plies = value.remoteness().map_or("inf".to_owned(), |plies| plies.to_string());
            format!("{},{},{},{plies}\n", position.mode.0, position.board.low_word(), value.outcome)
        };
        let expected: String = positions.into_iter().map(line).collect();
        assert!(String::from_utf8_lossy(&output.stdout) == expected, "{name}");
    }
}

/// Every position has its labels in a table, and every check holds.
#[test]
fn tables_by_regions_are_read_as_they_were_solved() {
    for solution in solutions() {
        let (rules, table) = (solution.rules(), open(table_bytes(&solution)));
        for checked in [false, true] {
            let table = open(table_bytes(&solution));
            let table = if checked { table.checked().expect("sound lists") } else { table };
            for position in positions(rules) {
                assert_eq!(table.find(position).expect("sound"), solution.outcome(position));
                match table.value(position) {
                    Ok(value) => assert_eq!(Some(value), solution.value(position)),
                    Err(error) => assert!(matches!(error.fault, TableFault::NotReached { .. }), "{error}"),
                }
            }
        }
        assert_eq!(
            (table.counts_by_mode(), table.orbits_by_mode()),
            (solution.counts_by_mode(), solution.orbits_by_mode())
        );
        let labels = verify::labels(&table, &Options::default()).expect("labels that follow");
        assert_eq!(labels, 2 * solution.count());
        let scope = Scope::Sample { count: 50, seed: 7 };
        assert_eq!(verify::labels(&table, &Options { scope, ..Options::default() }).expect("right"), 100);
        if rules.counts_pieces() {
            // The independent search does not count pieces.
            continue;
        }
        let report = verify::oracle(&table, &Options::default()).expect("labels that a search finds");
        assert_eq!((report.right, report.unknown), (2 * solution.count(), 0));
        let few = verify::oracle(&table, &Options { limit: Some(3), ..Options::default() }).expect("nothing wrong");
        assert_eq!((few.right, few.unknown), (0, 2 * solution.count()));
    }
}

/// Play of more than 63 plies takes 16 bits, and the counts of labels as many places as its plies need.
#[test]
fn long_play_takes_two_bytes() {
    for (cells, width, places) in [(6, Width::Eight, 256), (7, Width::Sixteen, 1 + 3 * 128)] {
        let table = open(table_bytes(&by_regions(&counter(cells), false)));
        assert_eq!(table.label_width(LabelKind::Remoteness), width);
        assert_eq!(table.codes(LabelKind::Remoteness).len(), places);
        assert_eq!(table.value(Default::default()).unwrap().remoteness(), Some((1 << cells) - 1));
    }
}

/// Changes each byte of the labels under valid checksums. The check of the labels finds it, and so does the search.
#[test]
fn every_altered_byte_is_found() {
    for rules in games_by_regions() {
        let whole = table_bytes(&by_regions(&rules, true));
        let mut draw = fastrand::Rng::with_seed(5);
        for byte in forge::sections(&whole).into_iter().flatten() {
            if draw.u32(..4) > 0 {
                continue;
            }
            let mut bytes = whole.clone();
            bytes[byte] ^= 1 << draw.u32(..8);
            forge::seal_all(&mut bytes);
            let table = open(bytes);
            verify::bytes(&table, &Options::default()).expect("checksums that hold");
            let finding = verify::labels(&table, &Options::default()).expect_err("an altered label");
            assert!(!matches!(finding, Finding::Cancelled), "byte {byte}: {finding}");
            if !matches!(finding, Finding::Stray) && !rules.counts_pieces() {
                verify::oracle(&table, &Options::default()).expect_err("an altered label");
            }
        }
    }
}

/// The numbers of one symmetry class must have the same labels, even if each follows from its successors.
#[test]
fn numbers_of_a_class_agree() {
    let [men, ..] = games_by_regions();
    let solution = by_regions(&men, true);
    let tablegen::contents::Contents::Regions(labels) = solution.contents() else { panic!("by regions") };
    let index = labels.regions();
    let twins = (0..index.numbers()).find_map(|number| Some((number, *index.twins(number).first()?)));
    let (one, other) = twins.expect("a class with several numbers");
    assert_eq!(labels.outcome_at(one), labels.outcome_at(other));
    assert!(index.twins(other).contains(&one));
}

/// Each field of the index is compared with the index that the rules have.
#[test]
fn a_forged_index_is_refused() {
    for rules in games_by_regions() {
        let whole = table_bytes(&by_regions(&rules, true));
        let of_index = |name: &str| {
            ["pair", "single", "fixed", "mode.swap", "mode.turned", "folded", "region"]
                .iter()
                .any(|start| name.starts_with(start))
        };
        let fields: Vec<_> = forge::fields(&whole).into_iter().filter(|field| of_index(field.name)).collect();
        assert!(fields.iter().any(|field| field.name == "region.base"), "{}", rules.name());
        for field in fields {
            let mut bytes = whole.clone();
            bytes[field.at.start] ^= 1;
            forge::seal_header(&mut bytes);
            let fault = Table::from_bytes(bytes).expect_err("another index").fault;
            assert!(matches!(fault, TableFault::Malformed(_)), "{}: {fault}", field.name);
        }
        let right = forge::get(&whole, "longest");
        for longest in [0, 1, 200, 65_534, 65_535].into_iter().filter(|&longest| longest != right) {
            let mut bytes = whole.clone();
            forge::set(&mut bytes, "longest", longest);
            forge::seal_header(&mut bytes);
            let fault = Table::from_bytes(bytes).expect_err("another length").fault;
            assert!(matches!(fault, TableFault::Malformed(_)), "{longest}: {fault}");
        }
        let mut bytes = whole.clone();
        let wins = forge::every(&bytes, "figure.wins").swap_remove(0);
        let count = u64::from_le_bytes(bytes[wins.clone()].try_into().expect("eight bytes"));
        bytes[wins].copy_from_slice(&(count + 1).to_le_bytes());
        forge::seal_header(&mut bytes);
        assert!(matches!(Table::from_bytes(bytes).expect_err("wrong counts").fault, TableFault::Malformed(_)));
    }
}

/// The bytes of two tables, which never change.
#[test]
fn no_byte_of_a_table_by_regions_has_moved() {
    let [men, mills, counter] = games_by_regions();
    let hash = |rules: &Rules| {
        let mut bytes = table_bytes(&by_regions(rules, true));
        // The name of the program changes with its version.
        let tool = forge::field(&bytes, "tool");
        bytes[tool].fill(b'-');
        forge::seal_header(&mut bytes);
        (bytes.len(), blake3::hash(&bytes).to_hex()[..16].to_owned())
    };
    let expected = [(8260, "80aa7934ad4f41ba"), (16_761, "8098cf4a6250a912"), (8480, "d329ba25fe333bc0")];
    assert_eq!([&men, &mills, &counter].map(hash), expected.map(|(length, hash)| (length, hash.to_owned())));
}
