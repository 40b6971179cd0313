//! `docs/format.md` is true: a reader in another language, written from it, reads every position; its hex dumps are
//! those of the table; and no field has moved.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::forge;
use crate::common::{dense, games, outcome, positions, reached, reached_bytes, scalar};
use tablegen::game::{Game, Play, Shiritori, Tactics};
use tablegen::plane::Layout;
use tablegen::rules::{Board, Descriptor, Mode, Rules, RulesSpec};
use tablegen::solve::{self, Solution, sparse};
use tablegen::table::{Draft, MAGIC, Table, VERSION, rules_hash};

const PAGE: &str = include_str!("../../docs/format.md");

fn quiz() -> Tactics {
    Tactics::new(4, 4, 4, Play::Misere).expect("the quiz's own board")
}

fn bytes(rules: &Rules, descriptor: &Descriptor, solution: &Solution) -> Vec<u8> {
    Draft { rules, descriptor, layout: solution.layout(), planes: solution.planes() }.to_bytes()
}

/// The table of the page's example: planes in reading order, written by tablegen 0.1.0 whichever version this is.
fn example() -> Vec<u8> {
    let game = quiz();
    let mut table = bytes(game.rules(), &game.descriptor(), &scalar(game.rules()));
    let tool = forge::field(&table, "tool");
    let named = b"tablegen 0.1.0";
    assert_eq!(
        tool.len(),
        named.len(),
        "a version of another length moves the fields behind it: dump the example anew"
    );
    table[tool].copy_from_slice(named);
    forge::seal_header(&mut table);
    table
}

/// Every dump line of the page, in the form of `xxd`, holds the bytes of the example.
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

/// The page's tables of offsets say where the fields are and how they begin.
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
        assert_eq!(layout.index(tablegen::rules::Board(board)).to_string(), *index);
    }
}

/// What a file of version 1 begins with, for good. Whoever changes a line here has made version 2.
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
        ("family.length", 0x795, 4),
        ("tool", 0x7e0, 14),
        ("layout", 0x7ef, 16),
        ("count.win", 0x7ff, 8),
        ("section.start", 0x81f, 8),
        ("section.digest", 0x833, 32),
        ("padding", 0x853, 4096 - 0x853),
    ];
    for (name, start, size) in places {
        assert_eq!(forge::field(&table, name), start..start + size, "{name}");
    }
    assert_eq!(table.len(), 4096 + 8192 + 32);
    let game = quiz();
    let hash = "6893b6ec0d5630bc298c89dc98ff952ed2f5564af49fe7dbee3ae62b24253619";
    assert_eq!(rules_hash(game.rules()).to_hex().as_str(), hash);
    // Modes, ends, conditions and an opening, which the quiz's board has not.
    let hash = "5d19ef53ab1b7aeb46944b3aa9e68f3c3ff4e96a20e4f85ccdf12dad325c4aa6";
    assert_eq!(rules_hash(&games::motley()).to_hex().as_str(), hash);
    // The labels in reading order: what every right solver writes.
    let labels = blake3::hash(&table[forge::labels(&table)]);
    assert_eq!(labels.to_hex().as_str(), "aef70de533350007c5079edb38d0d7d7ca519b4e09a6abd56454efe67e578bf3");
    assert!(Table::from_bytes(table).is_ok());
}

/// Runs `tests/read_table.py` with `arguments`.
fn python(arguments: &[&Path]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/read_table.py");
    let run = Command::new("python3").arg(script).args(arguments).output();
    run.unwrap_or_else(|e| panic!("python3 is needed to test docs/format.md with tests/read_table.py, and: {e}"))
}

/// Writes `table` and has the script print every position.
fn read_by_python(table: &[u8]) -> (tempfile::TempDir, PathBuf, Output) {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("table.tb");
    std::fs::write(&path, table).expect("a new file");
    let output = python(&[&path]);
    (folder, path, output)
}

fn assert_python_reads(rules: &Rules, descriptor: &Descriptor, solution: &Solution) {
    let (_folder, _, output) = read_by_python(&bytes(rules, descriptor, solution));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found = String::from_utf8(output.stdout).expect("text");
    let line = |p| {
        let tablegen::rules::Position { mode, board } = p;
        format!("{},{},{}\n", mode.0, board.0, outcome(solution, p))
    };
    let expected: String = positions(rules).map(line).collect();
    if found != expected {
        let differs = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
        panic!("{}: {} lines, {} expected; {differs:?}", rules.name(), found.lines().count(), expected.lines().count());
    }
}

#[test]
fn python_reads_every_position_of_the_quiz_s_board() {
    let game = quiz();
    assert_python_reads(game.rules(), &game.descriptor(), &dense(game.rules()));
}

/// The rules in a file are enough to play by: the script works out every label from those of its successors.
#[test]
fn python_plays_by_the_rules_in_the_file() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("table.tb");
    let verify = |table: &[u8]| {
        std::fs::write(&path, table).expect("a new file");
        python(&[Path::new("--labels"), &path])
    };
    for rules in [games::motley(), games::dominoes(4), games::chomp(2, 5), games::drawn_kayles(9)] {
        let mut table = bytes(&rules, &Descriptor::default(), &dense(&rules));
        let output = verify(&table);
        assert!(output.status.success(), "{}: {}", rules.name(), String::from_utf8_lossy(&output.stderr));
        let start = forge::labels(&table).start;
        table[start] ^= 1;
        forge::seal_all(&mut table);
        assert!(!verify(&table).status.success(), "{}: a label was altered", rules.name());
    }
}

/// Modes, draws, padding, an opening, texts beyond ASCII, more than one block of labels, a layout that is no order.
#[test]
fn python_reads_every_position_of_other_games() {
    let parameters = vec![("words".into(), "größer\nklein\n".repeat(500)), (String::new(), String::new())];
    let descriptor = Descriptor { family: "motley ß".into(), parameters };
    assert_python_reads(&games::motley(), &descriptor, &dense(&games::motley()));
    assert_python_reads(&games::dominoes(4), &Descriptor::default(), &dense(&games::dominoes(4)));
    let rules = games::motley();
    for layout in [[4, 3, 2, 1, 0], [2, 0, 1, 4, 3]] {
        let layout = Layout::new(layout.to_vec()).expect("a permutation");
        let solution = solve::dense::scalar::solve_in(&rules, layout).expect("sound and small");
        assert_python_reads(&rules, &descriptor, &solution);
    }
    let two_blocks = RulesSpec {
        modes: (0..5).map(|mode| format!("{mode}")).collect(),
        ..games::node_kayles(17, tablegen::rules::Outcome::Loss).into_spec()
    }
    .build()
    .expect("sound rules");
    assert_python_reads(&two_blocks, &Descriptor::default(), &dense(&two_blocks));
}

/// The script reads a table of reached positions, and works out for itself which those are and what they are worth.
fn assert_python_reads_reached(rules: &Rules, descriptor: &Descriptor, solution: &sparse::Solution) {
    let whole = reached_bytes(rules, descriptor, solution);
    let (_folder, path, output) = read_by_python(&whole);
    assert!(output.status.success(), "{}: {}", rules.name(), String::from_utf8_lossy(&output.stderr));
    let mut expected: Vec<_> = solution.positions().map(|(p, outcome)| (p.mode.0, p.board.0, outcome)).collect();
    expected.sort_unstable();
    let expected: String =
        expected.iter().map(|(mode, board, outcome)| format!("{mode},{board},{outcome}\n")).collect();
    assert!(String::from_utf8_lossy(&output.stdout) == expected, "{}", rules.name());
    let output = python(&[Path::new("--labels"), &path]);
    assert!(output.status.success(), "{}: {}", rules.name(), String::from_utf8_lossy(&output.stderr));
}

/// Draws, an opening, roots of the game's own, levels of one position and of many, more than one block of keys.
#[test]
fn python_reads_every_reached_position() {
    for rules in [
        games::motley(),
        games::dominoes(4),
        games::drawn_kayles(9),
        RulesSpec::new("no-moves", 1).build().expect("sound rules"),
    ] {
        assert_python_reads_reached(&rules, &Descriptor::default(), &reached(&rules));
    }
    let easy = Shiritori::new(include_str!("../data/shiritori/easy.txt"), Play::Normal).expect("a list");
    let options = sparse::Options { roots: &easy.roots(), ..Default::default() };
    let solution = solve::sparse(easy.rules(), &options).expect("a small list");
    assert!(solution.levels().key_bytes() > 2 * 65_536);
    assert_python_reads_reached(easy.rules(), &easy.descriptor(), &solution);
}

/// Codes of more than 64 bits: 64 cells in 3 modes, filled from the left.
#[test]
fn python_reads_wide_boards() {
    let step = |cell: u32, mode: u16| tablegen::rules::Move {
        mode: Mode(mode),
        next: Mode((mode + 1 + cell as u16 % 2) % 3),
        full: Board::full(cell),
        ..tablegen::rules::Move::fill(Board::bit(cell))
    };
    let rules = RulesSpec {
        modes: ["a", "b", "c"].map(String::from).to_vec(),
        moves: (0..64).flat_map(|cell| (0..3).map(move |mode| step(cell, mode))).collect(),
        ..RulesSpec::new("wide", 64)
    }
    .build()
    .expect("sound rules");
    assert_python_reads_reached(&rules, &Descriptor::default(), &reached(&rules));
}

#[test]
fn python_finds_what_is_wrong_with_reached_positions() {
    let rules = games::dominoes(3);
    let whole = reached_bytes(&rules, &Descriptor::default(), &reached(&rules));
    let run = |table: &[u8], option: Option<&str>| {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let path = folder.path().join("table.tb");
        std::fs::write(&path, table).expect("a new file");
        python(&option.map(Path::new).into_iter().chain([&*path]).collect::<Vec<_>>()).status.success()
    };
    assert!(run(&whole, None) && run(&whole, Some("--labels")));
    let sections = forge::sections(&whole);
    for byte in [4097, sections[0].end, sections[0].end + 40, sections[1].start, sections[1].end] {
        let mut table = whole.clone();
        table[byte] ^= 1;
        assert!(!run(&table, None), "byte {byte}");
    }
    // Under checksums that hold: a rest, an outcome, a bit that belongs to nothing is not one of these.
    for (section, byte) in [(0, 0), (0, 8), (1, 0), (1, 2)] {
        let mut table = whole.clone();
        table[sections[section].start + byte] ^= 1;
        forge::seal_all(&mut table);
        assert!(!run(&table, Some("--labels")), "section {section}, byte {byte}");
    }
}

/// The script verifies what the page says can be verified: it refuses what the library refuses.
#[test]
fn python_finds_damage() {
    let whole = example();
    let places = [0, 8, 16, 30, 60, 100, 4095, 4096, 12_287, 12_288, 12_319];
    for place in places {
        let mut table = whole.clone();
        table[place] ^= 0x10;
        let (_folder, path, output) = read_by_python(&table);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty(), "byte {place}");
        assert!(error.starts_with(&format!("error: {}", path.display())) && error.lines().count() == 1, "{error}");
    }
    for length in [0, 8, 87, 4096, whole.len() - 1] {
        let (_folder, _, output) = read_by_python(&whole[..length]);
        assert!(!output.status.success() && output.stdout.is_empty(), "{length} bytes");
    }
}

/// Boards by name, as a person would ask.
#[test]
fn python_answers_boards() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("table.tb");
    std::fs::write(&path, example()).expect("a new file");
    let asked = ["0x33ff", "0:0b1111_1111_1111_1110", "0"].map(Path::new);
    let output = python(&[&[&*path], &asked[..]].concat());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0,13311,loss\n0,65534,loss\n0,0,loss\n");
    assert!(!python(&[&path, Path::new("0x10000")]).status.success());
}
