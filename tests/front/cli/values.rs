//! Remoteness and nimbers in the output of probe, info and line.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tablegen::engine;
use tablegen::game::{Coverage, Game, Parameters};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::solve::{Method, Options, solve};
use tablegen::table::SaveTable;

use super::{Home, NAME};

pub(super) const REMOTENESS: LabelSet = LabelSet::OUTCOME.with(LabelKind::Remoteness);

impl Home {
    /// Saves a table of `game` with `labels` where the program finds it by the name of the game.
    fn table_of(&self, game: &dyn Game, labels: LabelSet) -> PathBuf {
        let method = if game.coverage() == Some(Coverage::Reachable) { Method::Sparse } else { Method::Dense };
        let options = Options { labels, roots: &game.roots(), ..Options::of(method) };
        let solution = solve(game.rules(), &options).expect("a small game");
        fs::create_dir_all(self.data()).unwrap();
        let path = self.data().join(format!("{}.tb", game.rules().name()));
        solution.save(&game.descriptor(), &path).unwrap();
        path
    }

    /// [`table_of`](Self::table_of), for the game called `name`.
    pub(super) fn table(&self, name: &str, parameters: &[(&str, &str)], labels: LabelSet) -> PathBuf {
        let parameters = parameters.iter().map(|&(key, value)| (key.into(), value.into())).collect::<Vec<_>>();
        self.table_of(engine::game(name, &Parameters::from(parameters)).expect("a game").as_ref(), labels)
    }
}

/// The lines of `text` after the line `from`, up to an empty line.
fn after<'a>(text: &'a str, from: &str) -> Vec<&'a str> {
    let (_, rest) = text.split_once(&format!("\n{from}\n")).unwrap_or_else(|| panic!("no {from:?} in {text}"));
    rest.lines().take_while(|line| !line.is_empty()).collect()
}

#[test]
fn a_probe_says_how_many_plies() {
    let home = Home::new();
    home.table("tactics", &[], REMOTENESS);
    let start = home.run(&["probe", "tactics"]);
    assert!(start.contains("\na loss in 15 plies: the winner hurries, the loser delays\n"), "{start}");
    let rows = after(&start, "every move loses:");
    assert!(rows[0].starts_with("  15 plies  ") && rows.iter().any(|row| row.starts_with("  13 plies  ")), "{rows:?}");
    assert!(rows.iter().all(|row| row.starts_with("            ") || row.contains(" plies  ")), "{rows:?}");

    let end = home.run(&["probe", "tactics", "XXXX/XXXX/XXXX/XX.."]);
    assert!(end.contains("\na win in 2 plies: the winner hurries, the loser delays\n"), "{end}");
    assert!(end.contains("\nc4           d4\n2 plies      2 plies\n  a b c d      a b c d\n"), "{end}");
    assert!(end.contains("\nlosing:\n  1 ply  c4-d4\n"), "{end}");
    let over = home.run(&["probe", "tactics", "0xffff"]);
    assert!(!over.contains("plies") && !over.contains("ply"), "{over}");
    assert_eq!(home.run(&["probe", "tactics", "--brief"]), "loss\n");
    let last = home.run(&["probe", "tactics", "0xfffe"]);
    assert!(last.contains("\na loss in 1 ply\n") && last.contains("\nevery move loses:\n  1 ply  d4\n"), "{last}");
}

#[test]
fn a_probe_says_the_nimbers() {
    let home = Home::new();
    home.table("kayles", &[("pins", "7")], LabelSet::ALL);
    let start = home.run(&["probe", "kayles", "--set", "pins=7"]);
    assert!(start.contains("\nnimber 2\n") && start.contains("\nnimber 0"), "{start}");
    // Moves with equal remoteness are ordered by nimber, and plies and nimbers are aligned in columns.
    let rows = after(&start, "losing:");
    let lead = |row: &str| row.find("nimber").map(|at| (row[..at].to_owned(), row[at + 7..].to_owned()));
    assert!(rows.iter().all(|row| lead(row).is_some_and(|(plies, _)| plies.len() == "  5 plies, ".len())), "{rows:?}");
    assert!(
        rows.is_sorted_by_key(|row| lead(row).map(|(plies, nimber)| (std::cmp::Reverse(plies), nimber))),
        "{rows:?}"
    );

    let alone = Home::new();
    alone.table("kayles", &[("pins", "7")], LabelSet::OUTCOME.with(LabelKind::Nimber));
    let start = alone.run(&["probe", "kayles", "--set", "pins=7"]);
    assert!(!start.contains("ply") && !start.contains("plies") && start.contains("\nlosing:\n  nimber "), "{start}");
}

/// The longest draw, the quickest win and the slowest loss come first, at openings too.
#[test]
fn moves_are_in_the_order_of_their_remoteness() {
    let home = Home::new();
    home.table("tictactoe", &[], REMOTENESS);
    home.table("dominoes", &[("n", "4")], REMOTENESS);
    for arguments in [&["tictactoe", ".../.../..."][..], &["tictactoe", "X.O/.X./..O"], &["dominoes", "--n", "4"]] {
        let object = home.json(&[&["probe", "--json"], arguments].concat());
        let moves = object["moves"].as_array().unwrap();
        let key = |m: &Value| {
            let plies = m["remoteness"].as_i64().expect("a remoteness");
            match m["outcome"].as_str().unwrap() {
                "win" => (0, plies),
                "draw" => (1, -plies),
                _ => (2, -plies),
            }
        };
        assert!(moves.len() > 1 && moves.is_sorted_by_key(key), "{moves:?}");
        assert_eq!((&moves[0]["outcome"], &moves[0]["remoteness"]), (&object["outcome"], &object["remoteness"]));
        let text = home.run(&[&["probe"], arguments].concat());
        let value = format!("\na {} in {} plies", object["outcome"].as_str().unwrap(), object["remoteness"]);
        assert!(text.contains(&value), "{text}");
    }
    let start = home.json(&["probe", "tictactoe", "--json"]);
    assert_eq!((&start["outcome"], &start["remoteness"], &start["over"]), (&json!("draw"), &json!(9), &json!(false)));
}

#[test]
fn info_has_the_histograms_and_the_longest_games() {
    let home = Home::new();
    home.table("tactics", &[], REMOTENESS);
    let object = home.json(&["info", "tactics", "--json"]);
    assert_eq!(object["nimber"], Value::Null);
    let facts = &object["remoteness"];
    let start = "..../..../..../....";
    assert_eq!(facts["longest_loss"], json!({"plies": 15, "position": start, "board": 0, "mode": null}));
    assert_eq!((&facts["longest_win"]["plies"], &facts["longest_win"]["board"]), (&json!(14), &json!(32)));
    assert_eq!(facts["longest_draw"], Value::Null);
    let rows = facts["histogram"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]), (16, &json!({"plies": 0, "win": 1, "draw": 0, "loss": 0})));
    let sum = |key: &str| rows.iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("win"), sum("loss")), (56968, 8568));
    assert_eq!(object["start"], json!({"outcome": "loss", "remoteness": 15, "nimber": null}));

    let text = home.run(&["info", "tactics"]);
    assert!(
        text.contains("can force a win (15 plies)\n") && text.contains("\n     14       4       0   <0.1  #\n"),
        "{text}"
    );
    assert!(text.contains("\n  longest win   14 plies: ..../..../..X./....\n"), "{text}");
    assert!(text.contains(&format!("\n  longest loss  15 plies: {start}\n")), "{text}");
    let (_, histogram) = text.split_once("\n\n").unwrap();
    assert!(histogram.lines().all(|line| line.chars().count() <= 80), "{text}");

    home.table("cram", &[("cols", "3")], LabelSet::ALL);
    let object = home.json(&["info", "cram", "--set", "cols=3", "--json"]);
    let largest = &object["nimber"]["largest"];
    assert_eq!(object["nimber"]["histogram"].as_array().unwrap().len() as u64, largest["nimber"].as_u64().unwrap() + 1);
    let value = home.json(&["probe", "cram", "--set", "cols=3", "--json", largest["position"].as_str().unwrap()]);
    assert_eq!(value["nimber"], largest["nimber"]);
    let text = home.run(&["info", "cram", "--set", "cols=3"]);
    assert!(text.contains("\nnimbers: Grundy values, over all boards, reachable or not\n"), "{text}");

    home.table("tictactoe", &[], REMOTENESS);
    let facts = &home.json(&["info", "tictactoe", "--json"])["remoteness"];
    assert_eq!(facts["longest_draw"], json!({"plies": 9, "position": ".../.../...", "board": 0, "mode": "x"}));
    // If the table lacks the label, its JSON field is null.
    home.table("tactics", &[], LabelSet::OUTCOME);
    let object = home.json(&["info", "tactics", "--json"]);
    assert_eq!((&object["game"], &object["remoteness"]), (&json!(NAME), &Value::Null));
    assert!(!home.run(&["info", "tactics"]).contains("plies"));
}

/// The moves of a line in JSON, as text.
fn moves(object: &Value) -> Vec<&str> {
    object["line"].as_array().unwrap().iter().map(|ply| ply["move"].as_str().unwrap()).collect()
}

#[test]
fn a_line_is_best_play_by_both() {
    let home = Home::new();
    home.table("tactics", &[], REMOTENESS);
    let position = "XXXX/XXXX/XXXX/XX..";
    let object = home.json(&["line", "tactics", position, "--json"]);
    assert_eq!((&object["outcome"], &object["remoteness"], &object["plies"]), (&json!("win"), &json!(2), &json!(2)));
    assert_eq!((moves(&object), &object["source"]), (vec!["c4", "d4"], &json!("table")));
    let first = json!({"ply": 1, "player": "first", "move": "c4", "position": "XXXX/XXXX/XXXX/XXX.",
        "outcome": "win", "remoteness": 2, "nimber": null});
    assert_eq!(object["line"][0], first);
    let end =
        json!({"position": "XXXX/XXXX/XXXX/XXXX", "over": true, "outcome": "win", "rule": "stuck", "winner": "first"});
    assert_eq!(object["end"], end);

    let text = home.run(&["line", "tactics", position]);
    assert!(text.contains("\n\nfirst to move: a win for first in 2 plies\n\n"), "{text}");
    assert!(
        text.contains("\n1. first: c4               2. second: d4\na win for first in 1 ply   first won\n"),
        "{text}"
    );
    assert!(
        text.ends_with("\n\nafter 2 plies: first cannot move, and the player who cannot move wins: a win for first\n"),
        "{text}"
    );
    let start = home.json(&["line", "tactics", "--json"]);
    assert_eq!((&start["plies"], &start["end"]["winner"]), (&json!(15), &json!("second")));
    let over = home.run(&["line", "tactics", "0xffff"]);
    assert!(over.contains("\n\nfirst won\n\nafter 0 plies: first cannot move"), "{over}");
}

/// Patterns, draws, sides, openings, positions in files.
#[test]
fn lines_of_every_kind_of_game() {
    let home = Home::new();
    home.table("tictactoe", &[], REMOTENESS);
    home.table("dominoes", &[("n", "4")], REMOTENESS);
    home.table("domineering", &[], REMOTENESS);
    let draw = home.run(&["line", "tictactoe"]);
    assert!(draw.contains("\n\nX to move: a draw in 9 plies\n\n1. X: "), "{draw}");
    assert!(
        draw.ends_with("\n\nafter 9 plies: O cannot move, and a player who cannot move draws: neither player wins\n"),
        "{draw}"
    );
    let won = home.run(&["line", "tictactoe", "XO./.../..."]);
    assert!(won.ends_with(": a win for X\n") && won.contains("X has 3 in a line: the game is over"), "{won}");
    let object = home.json(&["line", "tictactoe", "XO./.../...", "--json"]);
    assert_eq!(object["end"]["rule"], "pattern");
    let opening = home.json(&["line", "dominoes", "--n", "4", "--json"]);
    assert_eq!((&opening["plies"], &opening["line"][0]["player"]), (&opening["remoteness"], &json!("player 1")));
    fs::write(home.path("puzzle.txt"), "4 1 0 1").unwrap();
    let file = home.json(&["line", "dominoes", "@puzzle.txt", "--json"]);
    assert_eq!((&file["plies"], &file["line"][0]["player"]), (&file["remoteness"], &json!("player 2")));
    let sides = home.json(&["line", "domineering", "..../..../..../.... right", "--json"]);
    assert_eq!((&sides["plies"], &sides["line"][1]["player"]), (&sides["remoteness"], &json!("left")));
}

#[test]
fn a_line_without_remoteness_says_so() {
    let home = Home::new();
    home.table("tictactoe", &[], LabelSet::OUTCOME);
    let ran = home.try_run(&["line", "tictactoe", "--json"]);
    let command = "tablegen build tictactoe --labels outcome,remoteness";
    assert!(ran.stderr.contains("keeps the outcome") && ran.stderr.contains(command), "{}", ran.stderr);
    assert_eq!((ran.status, ran.stderr.lines().count()), (0, 1));
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&object["remoteness"], &object["end"]["outcome"]), (&Value::Null, &json!("draw")));

    // A table file, also of a rules file.
    let note = |arguments: &[&str]| home.try_run(&[&["line"], arguments].concat()).stderr;
    fs::rename(home.table("dominoes", &[("n", "3")], LabelSet::OUTCOME), home.path("my.tb")).unwrap();
    let adds = "'tablegen build dominoes --n 3 -o my.tb --labels outcome,remoteness' adds it";
    assert!(note(&["my.tb"]).contains(adds), "{}", note(&["my.tb"]));
    fs::rename(home.table("cram", &[("cols", "3")], LabelSet::OUTCOME), home.path("file.tb")).unwrap();
    let adds = "'tablegen info file.tb --rules | tablegen build - --set cols=3 -o file.tb --labels outcome,remoteness'";
    assert!(note(&["file.tb"]).contains(adds), "{}", note(&["file.tb"]));

    // A game that answers beyond its table: no table has its plies, so no note advises to build one.
    fs::write(home.path("words.txt"), "tower\nrat\ntar\nrug\ngnat\ntent\n").unwrap();
    let ran = home.try_run(&["line", "shiritori", "--words", "words.txt", "tar"]);
    assert!(ran.status == 0 && !ran.stderr.contains("--labels"), "{}", ran.stderr);
    assert!(ran.stdout.contains("\n1. first: ") && ran.stdout.ends_with(": a win for first\n"), "{}", ran.stdout);
}

#[test]
fn impossible_lines_are_refused() {
    let home = Home::new();
    assert!(home.fails(2, &["line", "tactics", "XX"]).contains("is not a position"));
    assert!(home.fails(2, &["line", "chess"]).contains("chess"));
    assert!(home.fails(3, &["line", "missing.tb"]).contains("missing.tb"));
    assert!(home.fails(3, &["line", "tactics", "--rows", "6", "--cols", "6"]).contains("build"));
}
