//! `export` of every label: arrays and lines equal what the library reads from the table, in little memory.

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
    let solution = solve(rules, &Options { labels, method, ..Options::default() }).expect("the rules are small");
    solution.save(descriptor, home.path("it.tb")).expect("a folder that can be written to");
    Table::open(home.path("it.tb")).expect("a table just written")
}

/// The element of an exported array for the label of `value`.
fn number(value: Value, label: LabelKind) -> u8 {
    let number = match label {
        LabelKind::Outcome => return (value.outcome as i8 - 1) as u8,
        LabelKind::Remoteness => value.remoteness,
        LabelKind::Nimber => value.nimber,
        LabelKind::MisereNimber => value.misere_nimber,
    };
    number.expect("a label of the table") as u8
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
        (tactics(3, 4, Play::Normal).rules().clone(), LabelSet::ALL),
        (games::dominoes(4), LabelSet::ALL),
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
        for (game, labels) in [(tactics(3, 3, Play::Normal), LabelSet::ALL), (tactics(2, 4, Play::Misere), REMOTENESS)]
        {
            let table = saved(&home, game.rules(), &game.descriptor(), labels, method);
            for label in labels.iter() {
                let text = home.run(&["export", "it.tb", "--label", label.name(), "--format", "csv"]);
                let mut lines = text.lines();
                assert_eq!(lines.next(), Some(&*format!("mode,board,position,{label}")));
                let mut count = 0;
                for line in lines {
                    let fields: Vec<&str> = line.split(',').collect();
                    let position = Position::of(Board::from_word(fields[1].parse().unwrap()));
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
        let plies = table.value(Position { mode, board }).unwrap().remoteness.unwrap();
        format!("{},{},{plies}", table.rules().modes()[usize::from(mode.0)], board.low_word())
    });
    let found = text.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        format!("{},{},{}", fields[0], fields[1], fields[3])
    });
    assert!(found.eq(held));
}

#[test]
fn a_missing_label_is_named_with_the_command_that_adds_it() {
    let home = Home::new();
    let export = |what: &[&str], label: &str| {
        home.fails(2, &[&["export"], what, &["--label", label, "--format", "npy", "-o", "-"]].concat())
    };
    assert_eq!(
        export(&["dominoes", "--n", "5"], "nimber"),
        "error: cannot export embedded: expected a table with nimber, found one with outcome, remoteness; add it with \
         'tablegen build dominoes --n 5 --labels outcome,remoteness,nimber'"
    );
    let game = tactics(3, 3, Play::Misere);
    saved(&home, game.rules(), &game.descriptor(), REMOTENESS, Method::Dense);
    assert_eq!(
        export(&["it.tb"], "nimber"),
        "error: cannot export it.tb: expected a table with nimber, found one with outcome, remoteness; the game has no nimber: it \
         needs normal play, and here the player who cannot move wins"
    );
    let game = tactics(3, 3, Play::Normal);
    saved(&home, game.rules(), &game.descriptor(), REMOTENESS, Method::Dense);
    assert_eq!(
        export(&["it.tb"], "nimber"),
        "error: cannot export it.tb: expected a table with nimber, found one with outcome, remoteness; add it with 'tablegen \
         build tactics --rows 3 --cols 3 --run 3 --play normal -o it.tb --labels outcome,remoteness,nimber'"
    );
    // A table whose descriptor names no game.
    saved(&home, &games::motley(), &Descriptor::default(), LabelSet::OUTCOME, Method::Dense);
    assert!(export(&["it.tb"], "remoteness").ends_with("found one with outcome"));
    assert_eq!(home.files(""), ["it.tb"]);
}

/// A byte that encodes no label, under valid checksums.
#[test]
fn a_forged_label_is_not_exported() {
    let home = Home::new();
    for method in [Method::Dense, Method::Sparse] {
        saved(&home, tactics(3, 4, Play::Normal).rules(), &Descriptor::default(), LabelSet::ALL, method);
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

/// A position of tic-tac-toe, as exported.
struct Exported<'a> {
    mode: &'a str,
    filled: usize,
    plies: u32,
    outcome: &'a str,
}

#[test]
fn lines_that_meet_a_condition() {
    let home = Home::new();
    home.run(&["build", "tictactoe", "--labels", "outcome,remoteness", "-o", "it.tb"]);
    let lines = |more: &[&str]| -> Vec<String> {
        let arguments = [&["export", "it.tb", "--label", "remoteness", "--format", "csv"], more].concat();
        home.run(&arguments).lines().skip(1).map(str::to_owned).collect()
    };
    let outcomes = home.run(&["export", "it.tb", "--format", "csv"]);
    let plain: Vec<(String, String)> = lines(&[])
        .into_iter()
        .zip(outcomes.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().to_owned()))
        .collect();
    let kept = |keeps: &dyn Fn(&Exported<'_>) -> bool| -> Vec<String> {
        let is_kept = |(line, outcome): &&(String, String)| {
            let fields: Vec<&str> = line.split(',').collect();
            let filled = fields[2].matches(['X', 'O']).count();
            keeps(&Exported { mode: fields[0], filled, plies: fields[3].parse().unwrap(), outcome })
        };
        plain.iter().filter(is_kept).map(|(line, _)| line.clone()).collect()
    };
    let expected = kept(&|it| it.outcome == "loss" && it.filled < 6);
    assert!(!expected.is_empty());
    assert_eq!(lines(&["--where", "outcome = loss and filled < 6"]), expected);
    let expected = kept(&|it| it.mode == "o" && it.plies >= 4 || it.outcome == "win" && it.filled == 3);
    assert_eq!(lines(&["--where", "mode = o and remoteness >= 4 or not (outcome != win or empty != 15)"]), expected);

    let refused = |more: &[&str]| home.fails(2, &[&["export", "it.tb", "--format", "csv"], more].concat());
    let error = refused(&["--where", "outcome = lost"]);
    assert!(error.contains("expected win, draw or loss, found \"lost\""), "{error}");
    let error = home.fails(2, &["export", "it.tb", "--format", "npy", "-o", "x.npy", "--where", "filled = 1"]);
    assert!(error.contains("cannot use --where: expected --format csv"), "{error}");
}
