//! `docs/reference/format.md` is correct. A reader in another language, written from that page, reads every position,
//! the hex dumps on the page equal the table, and no field has moved.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::forge;
use crate::common::games::IMPARTIAL;
use crate::common::{dense, games, reachable, scalar, sparse, sparse_of, table_bytes};
use tablegen::compressed::Compression;
use tablegen::game::{Game, Play, Shiritori, Tactics};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::plane::Layout;
use tablegen::rules::{Board, Descriptor, End, Mode, Move, Outcome, Player, Rules, RulesSpec, Terminal};
use tablegen::solve::{self, Method, Options, Solution, Solver, solve};
use tablegen::table::{MAGIC, SaveTable, Table, VERSION, rules_hash};

mod python;

const PAGE: &str = include_str!("../../docs/reference/format.md");

fn quiz() -> Tactics {
    Tactics::new(4, 4, 4, Play::Misere).expect("the quiz's own board")
}

/// The table of the page's example: planes in reading order, written by tablegen 0.1.0 whatever the version of this
/// crate.
fn example() -> Vec<u8> {
    let game = quiz();
    let mut table = scalar(game.rules()).to_bytes(&game.descriptor());
    let tool = forge::field(&table, "tool");
    let named = b"tablegen 0.1.0";
    assert_eq!(
        tool.len(),
        named.len(),
        "a version of another length moves the fields after it: dump the example again"
    );
    table[tool].copy_from_slice(named);
    forge::seal_header(&mut table);
    table
}

/// Each `xxd` dump line of the page has the bytes of the example.
#[test]
fn the_page_s_dumps_are_of_the_table() {
    let table = example();
    let mut lines = 0;
    for line in PAGE.lines() {
        let Some((offset, rest)) = line.strip_prefix("    ").and_then(|line| line.split_once(": ")) else { continue };
        let Ok(offset) = usize::from_str_radix(offset, 16) else { continue };
        let (hex, text) = rest.split_once("  ").expect("bytes, two blanks, characters");
        let found = &table[offset..offset + 16];
        let digits: String = found.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex.replace(' ', ""), digits, "{line}");
        let shown: String =
            found.iter().map(|&byte| if (0x20..0x7f).contains(&byte) { char::from(byte) } else { '.' }).collect();
        assert_eq!(text, shown, "{line}");
        lines += 1;
    }
    assert!(lines > 25, "{lines} lines of dump were found");
}

/// The page's tables of offsets name the place and the first bytes of each field.
#[test]
fn the_page_s_offsets_are_of_the_table() {
    let table = example();
    let fields = forge::fields(&table);
    let mut rows = 0;
    for line in PAGE.split("## An example").nth(1).expect("the example").lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, offset, begins, _, _] = cells[..] else { continue };
        let Ok(offset) = usize::from_str_radix(offset.trim_matches('`'), 16) else { continue };
        assert!(fields.iter().any(|field| field.at.start == offset), "no field begins at {offset:x}");
        let hex: Vec<&str> = begins.split([' ', '`']).filter(|part| !part.is_empty()).collect();
        let bytes = hex.iter().map_while(|part| u8::from_str_radix(part, 16).ok());
        let mut shown = 0;
        for (at, byte) in (offset..).zip(bytes) {
            assert_eq!(table[at], byte, "{line}");
            shown += 1;
        }
        assert!(shown > 0, "{line}");
        rows += 1;
    }
    assert!(rows > 25, "{rows} rows were found");
}

/// The page's example of a layout.
#[test]
fn the_page_s_layout_is_the_library_s() {
    let row = |name: &str| {
        let line =
            PAGE.lines().find(|line| line.starts_with(&format!("| {name} |")) && line.matches('|').count() == 10);
        let cells = line.expect("a row of the example").split('|').skip(2).map(|cell| cell.trim().trim_matches('`'));
        cells.filter(|cell| !cell.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let layout = Layout::new(vec![2, 0, 1]).expect("a permutation");
    let (boards, indices) = (row("board"), row("index"));
    assert_eq!((boards.len(), indices.len()), (8, 8));
    for (board, index) in boards.iter().zip(&indices) {
        let board = u64::from_str_radix(board, 2).expect("binary digits");
        assert_eq!(layout.index(Board::from_word(board)).to_string(), *index);
    }
}

/// The fields of a file, which never change. A change of a line here needs a new version.
#[test]
fn no_field_has_moved() {
    assert_eq!((MAGIC, VERSION), ([0x89, b'T', b'B', b'G', 13, 10, 26, 10], 1));
    let table = example();
    let places = [
        ("magic", 0, 8),
        ("version", 8, 4),
        ("header.bytes", 12, 4),
        ("file.bytes", 16, 8),
        ("checksum", 24, 32),
        ("rules.hash", 56, 32),
        ("name.length", 88, 4),
        ("name", 92, 23),
        ("cells", 0x73, 1),
        ("moves.count", 0x7e, 4),
        ("ends.count", 0x782, 4),
        ("extras", 0x795, 1),
        ("family.length", 0x796, 4),
        ("tool", 0x7e1, 14),
        ("solver", 0x7ef, 1),
        ("starts.count", 0x7f0, 4),
        ("layout", 0x7f4, 16),
        ("symmetries.count", 0x804, 4),
        ("sections.count", 0x808, 4),
        ("section.kind", 0x80c, 1),
        ("section.label", 0x80d, 1),
        ("section.bits", 0x80e, 1),
        ("section.compression", 0x80f, 1),
        ("section.start", 0x810, 8),
        ("section.bytes", 0x818, 8),
        ("section.block", 0x820, 4),
        ("section.digest", 0x824, 32),
        ("figures.count", 0x844, 4),
        ("figure.wins", 0x848, 8),
        ("figure.draws", 0x850, 8),
        ("figure.losses", 0x858, 8),
        ("padding", 0x860, 4096 - 0x860),
    ];
    for (name, start, size) in places {
        assert_eq!(forge::field(&table, name), start..start + size, "{name}");
    }
    assert_eq!(table.len(), 4096 + 8192 + 32);
    let game = quiz();
    let hash = "35de879b4c7d5d72df33060e4b070e31b69ea68788678662484b63c9e4c2c918";
    assert_eq!(rules_hash(game.rules()), hash);
    // Motley adds modes, terminal patterns, conditions and an opening, which the quiz's board lacks.
    let hash = "7a670f9d36651aad5ee0b08e7855682070aeee5891bb14ddfe346891213edb8a";
    assert_eq!(rules_hash(&games::motley()), hash);
    // The labels in reading order, which every correct solver writes.
    let labels = blake3::hash(&table[forge::outcomes(&table)]);
    assert_eq!(labels.to_hex().as_str(), "aef70de533350007c5079edb38d0d7d7ca519b4e09a6abd56454efe67e578bf3");
    assert!(Table::from_bytes(table).is_ok());
}

/// A sparse table has weights and levels in place of a layout, and other sections.
#[test]
fn no_field_of_a_sparse_table_has_moved() {
    let table = table_bytes(&sparse(&games::motley()));
    let names: Vec<&str> = forge::fields(&table).iter().map(|field| field.name).collect();
    let from = |name| names.iter().position(|&found| found == name).unwrap_or_else(|| panic!("no {name}"));
    let domain = &names[from("solver")..from("sections.count")];
    let (starts, levels) = (forge::get(&table, "starts.count"), forge::get(&table, "levels.count"));
    let starts = std::iter::repeat_n(["starts.mode", "starts.board"], starts as usize).flatten();
    let levels = std::iter::repeat_n(["level.number", "level.positions"], levels as usize).flatten();
    let expected = ["solver", "starts.count"].into_iter().chain(starts);
    let expected = expected.chain(["weights.cells", "weights.modes", "levels.count"]).chain(levels);
    assert_eq!(domain, expected.chain(["symmetries.count"]).collect::<Vec<_>>());
    let numbers = |name: &str| -> Vec<u8> {
        let fields = forge::every(&table, name);
        fields.into_iter().map(|at| table[at.start]).collect()
    };
    assert_eq!([numbers("solver"), numbers("sections.count")], [[2], [2]]);
    // The keys, then outcomes of two bits, with three figures for each of two modes.
    let of_sections =
        ["section.kind", "section.label", "section.bits", "section.compression", "figures.count"].map(numbers);
    assert_eq!(of_sections, [[2, 3], [0, 1], [0, 2], [0, 0], [0, 6]]);
    let hash = "5c4c66926413c74b430843ddf98abea04c3a6b3e344cc327888b76c03780ab27";
    assert_eq!(blake3::hash(&table[forge::sections(&table)[0].start..]).to_hex().as_str(), hash);
}

/// The fields of a compressed table, which never change without a new version, and the bytes of its blocks and its
/// index. Another version of zstd may change the frames without a new format version, but then equal commands give
/// other bytes.
#[test]
fn no_field_of_a_packed_table_has_moved() {
    let game = quiz();
    let table = dense(game.rules()).to_packed_bytes(&game.descriptor(), Some(Compression::default()));
    assert_eq!((&table[8..12], table.len()), (&[1, 0, 0, 0][..], 7415));
    let number = |at: usize| u64::from_le_bytes(table[at..at + 8].try_into().expect("eight bytes"));
    // The entry of the example's section has the compression after the bits of a label, then the start.
    let start = forge::field(&table, "section.start").start;
    assert_eq!((table[start - 4..start].to_vec(), number(start), number(start + 8)), (vec![1, 1, 1, 1], 4096, 8192));
    let (block, stored) = (u32::from_le_bytes(table[start + 16..start + 20].try_into().unwrap()), number(start + 20));
    assert_eq!((block, 4096 + stored as usize + 44 + 32), (1 << 15, table.len()));
    // The digest covers the list of pages, which has one page. The page has one entry, for the first block.
    let (entry, list) = (4096 + stored as usize, table.len() - 32);
    assert_eq!(blake3::hash(&table[list..]).as_bytes(), &table[start + 28..start + 60]);
    assert_eq!(blake3::hash(&table[entry..list]).as_bytes(), &table[list..]);
    assert_eq!((number(entry), number(entry + 8) & 0xffff_ffff), (0, stored));
    assert_eq!(blake3::hash(&table[4096..entry]).as_bytes(), &table[entry + 12..list]);
    let hash = "72ba295c9b75740ab0fac0e69abfcdfd48bfdb01f2000852647df034caead7c9";
    assert_eq!(blake3::hash(&table[4096..]).to_hex().as_str(), hash);
}

const REMOTENESS: LabelSet = LabelSet::OUTCOME.with(LabelKind::Remoteness);
const SCORE: LabelSet = LabelSet::OUTCOME.with(LabelKind::Score);

fn with_labels(rules: &Rules, labels: LabelSet, method: Method) -> Solution {
    let layout = Layout::reading_order(rules.cells());
    let solver = match method {
        Method::Dense => Solver::Dense { marks: false, kernel: None, layout: Some(&layout) },
        _ => method.into(),
    };
    solve(rules, &Options { labels, ..Options::of(solver) }).expect("the rules are small")
}

/// The places and bytes of the sections of a table with every label, which never change.
#[test]
fn no_section_of_labels_has_moved() {
    let rules = Tactics::new(3, 3, 3, Play::Normal).expect("an ordinary board").rules().clone();
    let cases = [
        (
            Method::Dense,
            [vec![1, 1, 1], vec![1, 2, 3], vec![1, 8, 8], vec![3, 0, 0]],
            "bfc6e639e7152650f543d43f4b7feaeafcb7049994c71a6b56016dfcee93d2c7",
            16928,
        ),
        (
            Method::Sparse,
            [vec![2, 3, 3, 3], vec![0, 1, 2, 3], vec![0, 1, 8, 8], vec![0, 3, 0, 0]],
            "b79558c233f623ef6e58372247a92d24f91a8f47c2d2cbeac1c76fe27c9a76bc",
            21024,
        ),
    ];
    for (method, [kinds, labels, bits, figures], hash, length) in cases {
        let table = table_bytes(&with_labels(&rules, IMPARTIAL.without(LabelKind::MisereNimber), method));
        let numbers =
            |name: &str| -> Vec<u8> { forge::every(&table, name).into_iter().map(|at| table[at.start]).collect() };
        let of_sections = ["section.kind", "section.label", "section.bits", "figures.count"].map(numbers);
        // A label of one byte has 256 figures, so the low byte of their number is 0.
        assert_eq!(of_sections, [kinds, labels, bits, figures]);
        assert_eq!(forge::every(&table, "figure.code").len(), 512);
        let first = forge::sections(&table)[0].start;
        assert_eq!((blake3::hash(&table[first..]).to_hex().as_str(), table.len()), (hash, length));
    }
}
