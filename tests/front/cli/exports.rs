//! `export` of every label: arrays and lines equal what the library reads from the table, in little memory.

use crate::common::games::IMPARTIAL;
use std::fs;
use std::process::Command;

use super::{Home, ran};
use crate::common::{forge, games, positions};
use tablegen::contents::Contents;
use tablegen::game::{Game, Play, Tactics};
use tablegen::label::{LabelKind, LabelSet, Value};
use tablegen::rules::{Board, Descriptor, Position, Rules};
use tablegen::solve::{Method, Options, solve};
use tablegen::table::{SaveTable, Table};

const REMOTENESS: LabelSet = LabelSet::OUTCOME.with(LabelKind::Remoteness);

fn tactics(rows: u32, cols: u32, play: Play) -> Tactics {
    Tactics::new(rows, cols, 4, play).expect("a board of ordinary size")
}

/// Solves `rules` with `labels` and saves the table in the home, as `it.tb`.
fn saved(home: &Home, rules: &Rules, descriptor: &Descriptor, labels: LabelSet, method: Method) -> Table {
    let solution = solve(rules, &Options { labels, ..Options::of(method) }).expect("the rules are small");
    solution.save(descriptor, home.path("it.tb")).expect("a folder that can be written to");
    Table::open(home.path("it.tb")).expect("a table just written")
}

/// The element of an exported array for the label of `value`.
fn number(value: Value, label: LabelKind) -> u8 {
    match label {
        LabelKind::Outcome => (value.outcome as i8 - 1) as u8,
        label => value.number(label).expect("a label of the table") as u8,
    }
}

/// The header and the data of an exported array.
fn array(home: &Home, label: LabelKind) -> (String, Vec<u8>) {
    home.run(&["export", "it.tb", "--label", label.name(), "--format", "npy", "-o", "it.npy"]);
    let mut header = fs::read(home.path("it.npy")).unwrap();
    let length = 10 + usize::from(u16::from_le_bytes([header[8], header[9]]));
    let data = header.split_off(length);
    (String::from_utf8_lossy(&header[10..]).into_owned(), data)
}

#[test]
fn arrays_have_every_label_by_board_number() {
    let home = Home::new();
    let cases = [
        (tactics(3, 4, Play::Normal).rules().clone(), IMPARTIAL),
        (games::dominoes(4), IMPARTIAL),
        (games::motley(), REMOTENESS),
        (games::drawn_kayles(9), REMOTENESS),
        (games::tictactoe(), REMOTENESS),
    ];
    for (rules, labels) in cases {
        let table = saved(&home, &rules, &Descriptor::default(), labels, Method::Dense);
        let shape = format!("'shape': ({}, {}), }}", rules.modes().len(), 1u64 << rules.cells());
        for label in labels.iter() {
            let (header, data) = array(&home, label);
            let kind = if label == LabelKind::Outcome { "{'descr': '|i1'" } else { "{'descr': '|u1'" };
            assert!(header.starts_with(kind) && header.contains(&shape), "{header}");
            let expected = positions(&rules).map(|position| number(table.value(position).unwrap(), label));
            assert!(data.into_iter().eq(expected), "{} {label}", rules.name());
        }
    }
}

/// The array is so large that the export reads it in several parts, each in several pieces.
#[test]
fn a_large_array_is_read_in_parts() {
    let home = Home::new();
    let game = tactics(4, 6, Play::Misere);
    let table = saved(&home, game.rules(), &game.descriptor(), REMOTENESS, Method::Dense);
    for label in REMOTENESS.iter() {
        let (_, data) = array(&home, label);
        assert_eq!(data.len(), 1 << 24);
        for board in (0..data.len()).step_by(1009).chain([data.len() - 1]) {
            let value = table.value(Position::of(Board::from_word(board as u64))).unwrap();
            assert_eq!(data[board], number(value, label), "{label} of board {board}");
        }
    }
}

#[test]
fn lines_have_every_label() {
    let home = Home::new();
    for method in [Method::Dense, Method::Sparse] {
        for (game, labels) in [(tactics(3, 3, Play::Normal), IMPARTIAL), (tactics(2, 4, Play::Misere), REMOTENESS)] {
            let table = saved(&home, game.rules(), &game.descriptor(), labels, method);
            for label in labels.iter() {
                let text = home.run(&["export", "it.tb", "--label", label.name(), "--format", "csv"]);
                let mut lines = text.lines();
                assert_eq!(lines.next(), Some(&*format!("mode,board,position,{label}")));
                let mut count = 0;
                for line in lines {
                    let fields: Vec<&str> = line.split(',').collect();
                    let board: u64 = fields[1].parse().unwrap();
                    assert!(board == count || method == Method::Sparse, "{line}");
                    let position = Position::of(Board::from_word(board));
                    let value = table.value(position).unwrap();
                    let expected = match label {
                        LabelKind::Outcome => value.outcome.to_string(),
                        _ => number(value, label).to_string(),
                    };
                    assert_eq!((fields[2], fields[3]), (&*game.write(position.into()), &*expected), "{line}");
                    count += 1;
                }
                assert_eq!(count, table.contents().count());
            }
        }
    }
}

/// Draws and modes, in the order in which a sparse table stores positions.
#[test]
fn lines_have_every_reachable_position() {
    let home = Home::new();
    let table = saved(&home, &games::motley(), &Descriptor::default(), REMOTENESS, Method::Sparse);
    let text = home.run(&["export", "it.tb", "--label", "remoteness", "--format", "csv", "-o", "-"]);
    let Contents::Sparse(sparse) = table.contents() else { panic!("a sparse table") };
    let held = sparse.positions().map(|found| {
        let (Position { mode, board }, _) = found.unwrap();
        let plies = table.value(Position { mode, board }).unwrap().remoteness().unwrap();
        format!("{},{},{plies}", table.rules().modes()[usize::from(mode.0)], board.low_word())
    });
    let found = text.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        format!("{},{},{}", fields[0], fields[1], fields[3])
    });
    assert!(found.eq(held));
}

/// `--orbits` writes the same line for each symmetry class, whatever the table stores: positions, representatives or slices.
#[test]
fn lines_of_classes_do_not_depend_on_the_table() {
    let home = Home::new();
    let classes = |game: &[&str], build: &[&str]| {
        let built = home.json(&[&["build"], game, &["-o", "it.tb", "--force", "--json"], build].concat());
        assert_eq!(built["symmetry"].is_object(), build.contains(&"always"), "{game:?} {build:?}");
        let text = home.run(&["export", "it.tb", "--format", "csv", "--orbits"]);
        let mut lines: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    for (game, positions, solver) in
        [(&["tictactoe"][..], 5_478, "two-colour"), (&["tactics", "--rows", "3", "--cols", "6"], 1 << 18, "dense")]
    {
        let all = classes(game, &["--solver", "sparse", "--symmetry", "none"]);
        let sizes = all.iter().map(|line| line.rsplit_once(',').unwrap().1.parse::<u64>().unwrap());
        assert_eq!(sizes.sum::<u64>(), positions, "{game:?}");
        assert!(classes(game, &["--solver", "sparse", "--symmetry", "always"]) == all, "{game:?}");
        assert!(classes(game, &["--solver", solver, "--symmetry", "always"]) == all, "{game:?}");
    }
}

/// `--where` leaves those lines that a plain filter of all lines leaves.
#[test]
fn a_condition_leaves_the_lines_that_satisfy_it() {
    let home = Home::new();
    for method in [Method::Dense, Method::Sparse] {
        let game = tactics(3, 3, Play::Normal);
        saved(&home, game.rules(), &game.descriptor(), IMPARTIAL, method);
        let export = |label: &str, more: &[&str]| {
            let text = home.run(&[&["export", "it.tb", "--label", label, "--format", "csv"], more].concat());
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let [outcomes, plies, nimbers] = ["outcome", "remoteness", "nimber"].map(|label| export(label, &[]));
        let field = |lines: &[String], at: usize| lines[at].rsplit(',').next().unwrap().to_owned();
        let number = |lines: &[String], at: usize| field(lines, at).parse::<u32>().unwrap();
        let filled = |at: usize| outcomes[at].split(',').nth(1).unwrap().parse::<u64>().unwrap().count_ones();
        let is_loss = |at: usize| field(&outcomes, at) == "loss";
        type Filter<'a> = &'a dyn Fn(usize) -> bool;
        let cases: [(&str, Filter<'_>); 4] = [
            ("outcome=loss and filled<6", &|at| is_loss(at) && filled(at) < 6),
            ("remoteness>=3 or not nimber!=0", &|at| number(&plies, at) >= 3 || number(&nimbers, at) == 0),
            ("not (free>4 or nimber = 2)", &|at| 9 - filled(at) <= 4 && number(&nimbers, at) != 2),
            ("mode='-' and reachable", &|_| true),
        ];
        for (condition, filter) in cases {
            let kept = (1..outcomes.len()).filter(|&at| filter(at));
            let expected: Vec<_> = [0].into_iter().chain(kept).map(|at| outcomes[at].clone()).collect();
            assert_eq!(export("outcome", &["--where", condition]), expected, "{condition}");
        }
        assert_eq!(export("outcome", &["--where", "not reachable"]).len(), 1);
    }
}

/// Without the feature `columns`, the error says how to get it. tests/read_columns.py reads the files.
#[test]
fn files_of_columns_need_a_feature() {
    let home = Home::new();
    for (format, magic) in [("parquet", "PAR1"), ("arrow", "ARROW1")] {
        let command = ["export", "tictactoe", "--format", format, "-o", "it"];
        if cfg!(feature = "columns") {
            home.run(&command);
            assert!(fs::read(home.path("it")).unwrap().starts_with(magic.as_bytes()));
            let all = fs::metadata(home.path("it")).unwrap().len();
            home.run(&[&command[..], &["--label", "outcome"]].concat());
            assert!(fs::metadata(home.path("it")).unwrap().len() < all);
            fs::remove_file(home.path("it")).unwrap();
            let error = home.fails(2, &[&command[..], &["--label", "value"]].concat());
            assert!(error.contains("value"), "{error}");
        } else {
            let message = "expected a program compiled with the feature columns, found one without; compile it with \
                           'cargo build -F columns', or use --format csv";
            assert_eq!(home.fails(2, &command), format!("error: cannot write {format}: {message}"));
        }
    }
    assert!(home.files("").is_empty());
}

/// A table whose descriptor names no game: no command adds the label.
#[test]
fn a_missing_label_of_an_unknown_game_is_named() {
    let home = Home::new();
    saved(&home, &games::motley(), &Descriptor::default(), LabelSet::OUTCOME, Method::Dense);
    let error = home.fails(2, &["export", "it.tb", "--label", "remoteness", "--format", "npy", "-o", "-"]);
    assert!(error.ends_with("found one with outcome"), "{error}");
}

/// A byte that encodes no label, under valid checksums.
#[test]
fn a_forged_label_is_not_exported() {
    let home = Home::new();
    for method in [Method::Dense, Method::Sparse] {
        saved(&home, tactics(3, 4, Play::Normal).rules(), &Descriptor::default(), IMPARTIAL, method);
        let sound = fs::read(home.path("it.tb")).unwrap();
        for (label, section) in [("misere-nimber", 1), ("nimber", 2), ("remoteness", 3)] {
            let mut forged = sound.clone();
            let sections = forge::sections(&sound);
            forged[sections[sections.len() - section].start + 77] = 180;
            forge::seal_all(&mut forged);
            fs::write(home.path("it.tb"), &forged).unwrap();
            let ran = home.try_run(&["export", "it.tb", "--label", label, "--format", "csv", "-o", "it.csv"]);
            let error = ran.failed(3);
            assert!(error.contains(&format!("the byte 180 is no {label}")), "{error}");
            assert_eq!(home.files(""), ["it.tb"]);
        }
    }
}

/// The table of 72 MiB is memory-mapped; 40 MiB of private memory are enough to export an array of it.
#[test]
#[cfg(target_os = "linux")]
fn an_export_does_not_load_the_whole_table() {
    let home = Home::new();
    let game = tactics(2, 13, Play::Misere);
    saved(&home, game.rules(), &game.descriptor(), REMOTENESS, Method::Dense);
    let limited =
        "ulimit -d 40960 && exec \"$0\" export it.tb --label remoteness --format npy -o - | tail -c +129 | wc -c";
    let mut shell = Command::new("sh");
    home.isolate(shell.args(["-c", limited, env!("CARGO_BIN_EXE_tablegen")]));
    let ran = ran(shell.env("RAYON_NUM_THREADS", "2").output().unwrap());
    assert_eq!((ran.status, ran.stderr.as_str(), ran.stdout.trim()), (0, "", "67108864"));
}

/// Reads arrays with Python's standard library alone and prints the same as the program in the documentation.
const READ_ARRAYS: &str = r#"
import ast, sys

def load(path):
    with open(path, "rb") as file:
        assert file.read(8) == b"\x93NUMPY\x01\x00"
        header = ast.literal_eval(file.read(int.from_bytes(file.read(2), "little")).decode("ascii"))
        assert file.tell() % 64 == 0 and not header["fortran_order"]
        data, kind = file.read(), {"|i1": "b", "|u1": "B"}[header["descr"]]
    modes, boards = header["shape"]
    assert len(data) == modes * boards
    return memoryview(data).cast(kind, (modes, boards))

outcome, plies = load("outcome.npy"), load("remoteness.npy")
most = max(plies[0, board] for board in range(plies.shape[1]))
print(f"the empty board: outcome {outcome[0, 0]} in {plies[0, 0]} plies; of all boards, at most {most}")
"#;

/// Runs the program in docs/how-to/export.md where NumPy and Matplotlib are installed, and a reader without dependencies
/// everywhere.
#[test]
fn the_page_s_program_draws_an_array() {
    let home = Home::new();
    let game = tactics(4, 4, Play::Misere);
    saved(&home, game.rules(), &game.descriptor(), REMOTENESS, Method::Dense);
    for label in ["outcome", "remoteness"] {
        let file = format!("{label}.npy");
        home.run(&["export", "it.tb", "--label", label, "--format", "npy", "-o", &file]);
    }
    let python = |program: &str| {
        let mut command = Command::new("python3");
        home.isolate(command.args(["-c", program]));
        ran(command.env("MPLBACKEND", "Agg").output().unwrap())
    };
    let says = "the empty board: outcome -1 in 15 plies; of all boards, at most 15\n";
    let read = python(READ_ARRAYS);
    assert_eq!((read.status, &*read.stdout, &*read.stderr), (0, says, ""));
    let page = include_str!("../../../docs/how-to/export.md");
    let program = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a program");
    if python("import numpy, matplotlib").status != 0 {
        eprintln!("skipped: the program of docs/how-to/export.md needs NumPy and Matplotlib");
        return;
    }
    let drawn = python(program);
    assert_eq!((drawn.status, &*drawn.stdout), (0, says), "{}", drawn.stderr);
    assert!(fs::metadata(home.path("remoteness.png")).unwrap().len() > 1000);
}
