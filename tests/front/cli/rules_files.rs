//! Games defined in rules files: checked, built, probed, by path and by name.

use std::fs;
use tablegen::table::SaveTable;

use serde_json::{Value, json};

use super::Home;

/// Kayles as a user would write it.
const KAYLES: &str = "\
# Knock down one pin, or two side by side.
name = \"my-kayles-{pins}\"
[parameters]
pins = 7
[board]
row = \"pins\"
[[move]]
line = [1, 2]
";

#[test]
fn a_file_is_checked_built_and_probed() {
    let home = Home::new();
    fs::write(home.path("kayles.toml"), KAYLES).unwrap();
    let text = home.run(&["check", "kayles.toml"]);
    for part in ["my-kayles-7\n", "pins=7", "cells      7", "moves      13", "128 (2^7 boards)", "dense: ", "  a b c"] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    let object = home.json(&["check", "kayles.toml", "--set", "pins=9", "--json"]);
    for (key, value) in [
        ("game", json!("my-kayles-9")),
        ("cells", json!(9)),
        ("positions", json!(512)),
        ("moves", json!(17)),
        ("play", json!("normal")),
        ("partisan", json!(false)),
        ("solver", json!("dense")),
    ] {
        assert_eq!(object[key], value, "{key}");
    }
    assert!(home.files(home.data()).is_empty(), "a check builds nothing");
    home.run(&["build", "kayles.toml", "--set", "pins=9"]);
    let info = home.json(&["info", "kayles.toml", "--set", "pins=9", "--json"]);
    assert_eq!((&info["game"], &info["start"]["outcome"]), (&json!("my-kayles-9"), &json!("win")));
    assert_eq!(info.get("outcome_class"), None, "an impartial game has one starter");
    // The table does not need the rules file.
    home.run(&["build", "kayles.toml", "-o", "mine.tb"]);
    fs::remove_file(home.path("kayles.toml")).unwrap();
    let object = home.json(&["probe", "mine.tb", "XX.....", "--json"]);
    assert_eq!((&object["board"], &object["source"]), (&json!(0b110_0000), &json!("table")));
    assert_eq!(object["moves"].as_array().unwrap().len(), 5 + 4);
    home.fails(2, &["check", "kayles.toml"]);
}

#[test]
fn the_library_is_called_by_name_and_listed() {
    let home = Home::new();
    let list = home.json(&["list", "--json"]);
    let names: Vec<&str> =
        list["games"].as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect();
    let text = home.run(&["list"]);
    for game in tablegen::game::library() {
        assert!(names.contains(&game.name) && text.contains(&format!("\n  {} ", game.name)), "{}", game.name);
        let checked = home.json(&["check", game.name, "--json"]);
        assert!(checked["summary"].as_str().is_some_and(|summary| !summary.is_empty()), "{checked}");
        // The text of a library game, read as a file, defines the same game.
        let path = format!("{}.toml", game.name);
        fs::write(home.path(&path), game.text).unwrap();
        assert_eq!(home.json(&["check", &path, "--json"]), checked);
    }
    for play in ["normal", "misere"] {
        let built = home.json(&["build", "cram", "--set", &format!("play={play}"), "--json"]);
        let losses = if play == "normal" { 21_452 } else { 22_111 };
        assert_eq!(built["boards"]["loss"], losses, "{play}");
    }
    let ran = home.try_run(&["probe", "kayles", "--brief", "--set", "pins=9", "........."]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "win\n"));
    assert!(ran.stderr.contains("'tablegen build kayles --set pins=9' writes a table"), "{}", ran.stderr);
}

#[test]
fn outcome_classes_of_games_with_two_sides() {
    let home = Home::new();
    let class = |rows: &str, cols: &str, solver: &str| {
        let set = [format!("rows={rows}"), format!("cols={cols}")];
        let game = ["domineering", "--set", &set[0], "--set", &set[1]];
        let built =
            home.json(&[&["build"], &game[..], &["--solver", solver, "--json", "-o", "it.tb", "--force"]].concat());
        let text = home.run(&["info", "it.tb"]);
        let class = built["outcome_class"].as_str().unwrap().to_owned();
        assert!(text.contains(&format!("  class      {class}: ")), "{text}");
        class
    };
    for solver in ["dense", "sparse"] {
        assert_eq!(["2", "3", "4"].map(|side| class(side, side, solver)), ["N", "N", "N"]);
        assert_eq!((class("4", "5", solver), class("5", "4", solver)), ("L".into(), "R".into()));
        assert_eq!(class("1", "1", solver), "P");
    }
}

#[test]
fn a_board_too_large_for_a_dense_table_gets_a_sparse_one() {
    let home = Home::new();
    // A board of 50 cells on which a game fills at most three.
    let moves: String =
        (0..48).map(|cell| format!("[[move]]\nfills = [{cell}, 48, 49]\nempty = [{cell}, 48]\n")).collect();
    fs::write(home.path("fan.toml"), format!("name = \"fan\"\nboard = {{ row = 50 }}\n{moves}")).unwrap();
    let built = home.json(&["build", "fan.toml", "--json"]);
    assert_eq!((&built["solver"], &built["coverage"]), (&json!("sparse"), &json!("reachable")));
    assert_eq!((&built["positions"], &built["counts"]["loss"]), (&json!(49), &json!(48)));
    assert!(built["solver_reason"].as_str().unwrap().contains("few positions are reachable"));
    let estimate = home.json(&["estimate", "fan.toml", "--json"]);
    assert_eq!((&estimate["positions"], &estimate["file_bytes"]), (&json!(49), &built["file_bytes"]));
    let ran = home.try_run(&["--tables", "none", "probe", "fan.toml", "--json"]);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&object["source"], &object["outcome"]), (&json!("solved"), &json!("win")));
    // The dense table would have 256 TiB, or an eighth of that with the best compression.
    let error = home.fails(4, &["build", "fan.toml", "--solver", "dense", "--force"]);
    assert!(error.contains("not enough disk: fan needs at least 32."), "{error}");
}

/// 64 squares of two colours and a side to move are too much for a table, but not for a search.
#[test]
fn the_largest_board_is_searched() {
    let home = Home::new();
    let snort = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/examples/seats-3.toml");
    fn of<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
        [arguments, &["--set", "rows=8", "--set", "cols=8"]].concat()
    }
    let text = home.run(&of(&["check", snort]));
    assert!(text.contains("  cells      128\n") && text.contains("  solver     none: cannot store"), "{text}");
    let reason = home.json(&of(&["check", snort, "--json"]))["solver_reason"].clone();
    assert_eq!(reason, "no table can hold its positions, so they are searched");
    let last = format!("{}LLLLL..R", "LLLLLLLL/".repeat(7));
    for (side, outcome) in [("left", "win\n"), ("right", "loss\n")] {
        let position = format!("{last} {side}");
        assert_eq!(home.run(&of(&["probe", snort, &position, "--brief"])), outcome);
    }
    assert!(home.fails(4, &of(&["build", snort])).contains("let 'tablegen probe' search"));
}

#[test]
fn a_table_of_another_file_with_that_name_is_not_used() {
    let home = Home::new();
    fs::write(home.path("a.toml"), KAYLES).unwrap();
    fs::write(home.path("b.toml"), KAYLES.replace("[1, 2]", "[1, 3]")).unwrap();
    home.run(&["build", "a.toml"]);
    let ran = home.try_run(&["probe", "b.toml", "--json"]);
    assert!(
        ran.stdout.contains("\"source\":\"solved\"") && ran.stderr.contains("holds older rules of"),
        "{}",
        ran.stderr
    );
    let error = home.fails(3, &["info", "b.toml"]);
    assert!(
        error.contains("other rules with that name") && error.contains("'tablegen build b.toml --force'"),
        "{error}"
    );
    let error = home.fails(2, &["build", "b.toml"]);
    assert!(error.contains("a table of other rules with that name"), "{error}");
}

/// A dense table has reachability bits. It counts the reachable boards and reports the counts of every board beside
/// them.
#[test]
fn counts_name_the_positions_that_they_count() {
    let home = Home::new();
    for (game, boards) in [("cram", Some(65_536)), ("treblecross", Some(1 << 12)), ("kayles", None)] {
        for command in [&["build", game][..], &["info", game]] {
            let text = home.run(command);
            let line = |name: &str| text.lines().find(|line| line.starts_with(&format!("  {name} ")));
            assert!(!line("outcomes").expect("a line of counts").contains("every board"), "{text}");
            assert_eq!(
                line("boards").is_some_and(|line| line.contains(", reachable or not: ")),
                boards.is_some(),
                "{text}"
            );
            assert_eq!(line("positions").is_some_and(|line| line.ends_with(" reachable")), boards.is_some());
        }
        let info = home.json(&["info", game, "--json"]);
        assert_eq!(info["counts_of"], "reachable");
        assert_eq!(info.get("boards").and_then(|boards| boards["positions"].as_u64()), boards, "{game}");
    }
    let dense = home.json(&["info", "cram", "--json"]);
    // Every position of a sparse table is reachable.
    let built = home.json(&["build", "cram", "--solver", "sparse", "--force", "--json"]);
    assert_eq!((&built["counts_of"], &built["positions"]), (&"reachable".into(), &5_700.into()));
    assert_eq!((&built["counts"], &built["coverage"]), (&dense["counts"], &dense["coverage"]));
}

/// A table without reachability bits, as earlier versions built them, counts every board and says so. A new build adds
/// the bits.
#[test]
fn a_table_without_reachability_bits_counts_every_board() {
    use tablegen::solve::{Options, solve};
    let home = Home::new();
    let cram = tablegen::engine::game("cram", &tablegen::game::Parameters::new()).unwrap();
    fs::create_dir_all(home.path("tables")).unwrap();
    let path = home.path(&format!("tables/{}.tb", cram.rules().name()));
    solve(cram.rules(), &Options::default()).unwrap().save(&cram.descriptor(), &path).unwrap();
    let text = home.run(&["info", "cram"]);
    let line = text.lines().find(|line| line.starts_with("  outcomes ")).expect("a line of counts");
    assert!(line.ends_with(", over all boards, reachable or not"), "{line}");
    assert_eq!(home.json(&["info", "cram", "--json"])["counts_of"], "every board");
    // The build adds no label to such a table: it solves everything again, with reachability bits.
    let built = home.json(&["build", "cram", "--labels", "nimber", "--json"]);
    assert_eq!((&built["counts_of"], &built["labels_kept"]), (&"reachable".into(), &serde_json::json!([])));
    let built = home.json(&["build", "cram", "--labels", "remoteness", "--json"]);
    assert_eq!(built["labels_kept"], serde_json::json!(["outcome", "nimber"]));
    home.run(&["verify", "cram"]);
}

/// The reason for the choice of solver, with both numbers, in text and in JSON.
#[test]
fn the_choice_of_solver_shows_both_numbers() {
    let home = Home::new();
    let instead = home.run(&["estimate", "cram"]);
    assert!(instead.contains("  instead    sparse: 45 times the work, 111.33 KiB of memory\n"), "{instead}");
    let text = home.run(&["check", "sim"]);
    assert!(
        text.contains(
            "two-colour: less work than finding the reachable positions (2,230,702 of 14,348,907 colourings)"
        ),
        "{text}"
    );
    let checked = home.json(&["check", "cram", "--json"]);
    assert_eq!(
        checked["solver_figures"],
        serde_json::json!({
            "all": 65536, "colourings": null, "reached": 5700, "reached_at_least": 5700, "reached_about": null,
            "instead": [{"solver": "sparse", "times": 5700.0 * 512.0 / 65536.0, "bytes": 5700 * 20}],
        })
    );
    assert_eq!(home.json(&["check", "kayles", "--json"])["solver_figures"], serde_json::Value::Null);
    let domineering = ["check", "domineering", "--set", "rows=5", "--set", "cols=6", "--json"];
    let checked = home.json(&domineering);
    assert_eq!(
        (&checked["solver"], &checked["solver_figures"]["reached"]),
        (&"dense".into(), &serde_json::Value::Null)
    );
    let error = home.fails(2, &["build", "tactics", "--solver", "two-colour"]);
    assert_eq!(
        error,
        "error: the two-colour solver cannot solve tactics-4x4-run4-misere: no two of its cells exclude each other; use --solver \
         dense or --solver sparse"
    );
    // The choice of the solver does not depend on the memory limit.
    let error = home.fails(4, &["build", "domineering", "--set", "rows=5", "--set", "cols=6", "--memory", "4MiB"]);
    assert!(error.contains("not enough memory: domineering-5x6-normal needs "), "{error}");
}

#[test]
fn every_mistake_has_a_place_and_a_warning_is_no_mistake() {
    let home = Home::new();
    fs::write(home.path("bad.toml"), "name = \"g\"\nbord = 1\n[board]\nrow = 3\n[[move]]\nshape = \"Q\"\n").unwrap();
    let ran = home.try_run(&["check", "bad.toml"]);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!((ran.status, lines.len()), (2, 2), "{}", ran.stderr);
    assert!(lines[0].starts_with("error: bad.toml: line 2, column 1: expected one of the keys board,"), "{}", lines[0]);
    assert!(
        lines[1].starts_with("error: bad.toml: line 6, column 9: ")
            && lines[1].ends_with("'tablegen help rules-keys' lists all keys")
    );
    fs::write(home.path("odd.toml"), "name = \"g\"\n[board]\nrow = 3\n[[move]]\nshape = \"XXXX\"\n").unwrap();
    let ran = home.try_run(&["check", "odd.toml"]);
    assert_eq!(ran.status, 0);
    assert!(ran.stderr.contains("warning: line 4: this [[move]] fits nowhere on the board\n"), "{}", ran.stderr);
    let object = home.json(&["check", "odd.toml", "--json"]);
    assert_eq!((object["warnings"].as_array().unwrap().len(), &object["move_tables"][0]["moves"]), (2, &json!(0)));
    let text = home.run(&["check", "domineering"]);
    assert!(text.contains("12 moves (left)") && text.contains("\n1(X). . .  "), "{text}");
}

#[test]
fn a_built_in_name_is_refused() {
    let home = Home::new();
    for (name, refused) in [
        ("tictactoe", true),
        ("tactics-4x4-run4-misere", true),
        ("shiritori-fc69e7099db3-normal", true),
        ("tactics", true),
        ("dominoes-on-dark-squares", false),
        ("tacticsy-4", false),
    ] {
        fs::write(
            home.path("it.toml"),
            KAYLES.replace("my-kayles-{pins}", name).replace("[parameters]\npins = 7\n", "").replace("\"pins\"", "7"),
        )
        .unwrap();
        let ran = home.try_run(&["check", "it.toml"]);
        assert_eq!(ran.status, if refused { 2 } else { 0 }, "{name}: {}", ran.stderr);
        if refused {
            assert!(ran.stderr.contains("expected a `name` that no built-in game has"), "{}", ran.stderr);
            home.fails(2, &["build", "it.toml"]);
        }
    }
}

#[test]
fn the_help_of_check_lists_its_options() {
    let home = Home::new();
    let help = home.run(&["check", "--help"]);
    assert!(help.contains("--set") && !help.contains("--words") && !help.contains("--graph"), "{help}");
    home.fails(2, &["check", "cram", "--rows", "3"]);
    for command in ["build", "probe", "estimate"] {
        assert!(home.run(&[command, "--help"]).contains("rules file (*.toml)"), "{command}");
    }
}

#[test]
fn a_probe_says_the_outcome_class_of_any_position() {
    let home = Home::new();
    home.run(&["build", "domineering", "--set", "rows=2", "--set", "cols=4"]);
    // A column of two is Left's, two squares apart are a loss for the player to move, and a square of four goes to the
    // player who begins.
    let probe =
        |board: &str| home.json(&["probe", "domineering", "--set", "rows=2", "--set", "cols=4", board, "--json"]);
    for (board, class) in [
        ("XXX./XXX. left", "L"),
        ("XXX./XXX. right", "L"),
        ("XX../XXXX right", "R"),
        ("X.X./.X.X left", "P"),
        ("XX../XX.. left", "N"),
    ] {
        assert_eq!(probe(board)["outcome_class"], class, "{board}");
    }
    let text = home.run(&["probe", "domineering", "--set", "rows=2", "--set", "cols=4", "XXX./XXX. right"]);
    assert!(text.contains("\noutcome class L: a win for left, no matter who begins\n"), "{text}");
    // The sparse table lacks boards that are reachable only with the other side to move: they are searched.
    home.run(&["build", "domineering", "--set", "rows=3", "--set", "cols=3", "--solver", "sparse", "-o", "it.tb"]);
    assert_eq!(home.json(&["probe", "it.tb", "XX./.../... right", "--json"])["outcome_class"], "N");
    home.run(&["build", "kayles"]);
    home.run(&["build", "sim", "--solver", "sparse"]);
    assert_eq!(home.json(&["probe", "kayles", "--json"]).get("outcome_class"), None, "both players move alike");
    assert_eq!(home.json(&["probe", "sim", "--json"]).get("outcome_class"), None, "red begins");
}
