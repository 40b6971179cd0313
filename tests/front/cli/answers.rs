//! `probe`: from the shipped table, from built tables, by solving on the spot; single positions and batches.

use std::fs;

use serde_json::{Value, json};

use super::{Home, NAME};

#[test]
fn a_new_user_in_an_empty_folder_gets_an_answer() {
    let home = Home::new();
    let text = home.run(&["probe", "tactics"]);
    assert!(text.contains("LOSS: the player to move loses against perfect play"), "{text}");
    assert!(text.starts_with(&format!("{NAME}  ..../..../..../....\n\n  a b c d\n1 . . . .\n")), "{text}");
    assert!(
        text.contains("\na loss in 15 plies: ") && text.contains("every move loses:\n  15 plies  b2, c2,"),
        "{text}"
    );
    assert!(home.files("").is_empty(), "a probe writes nothing");
}

#[test]
fn winning_moves_are_drawn_side_by_side() {
    let text = Home::new().run(&["probe", "tactics", "XX../XX../..../...."]);
    let expected = "\
tactics-4x4-run4-misere  XX../XX../..../....

  a b c d
1 X X . .
2 X X . .
3 . . . .
4 . . . .

WIN: the player to move can force a win
a win in 10 plies: the winner hurries, the loser delays

winning, 2 of 40 moves:

c3           d4
10 plies     10 plies
  a b c d      a b c d
1 X X . .    1 X X . .
2 X X . .    2 X X . .
3 . .(X).    3 . . . .
4 . . . .    4 . . .(X)

losing:
  11 plies  d1, a4
   9 plies  c1, c1-d1, c1-c2, d1-d2, c2, c2-d2, d2, a3, a3-b3, a3-a4, b3, b3-b4,
            c3-d3, c3-c4, d3, d3-d4, a4-b4, b4, c4, c4-d4
   7 plies  c1-c3, d1-d3, c2-c3, c2-c4, d2-d3, d2-d4, a3-c3, b3-c3, b3-d3,
            a4-c4, b4-c4, b4-d4
   5 plies  c1-c4, d1-d4, a3-d3, a4-d4
";
    assert_eq!(text, expected);
}

#[test]
fn many_winning_moves_are_drawn_in_part_and_listed_in_full() {
    // In one row of 12 squares, many first moves win.
    let home = Home::new();
    let ran = home.try_run(&["probe", "tactics", "--rows", "1", "--cols", "12", "--run", "12", "--play", "misere"]);
    assert_eq!(ran.status, 0);
    let (head, rest) = ran.stdout.split_once("winning, ").expect("a win");
    assert!(head.contains("WIN: "));
    let wins: usize = rest.split_whitespace().next().unwrap().parse().unwrap();
    let object = home.try_run(&["probe", "tactics", "--rows", "1", "--cols", "12", "--run", "12", "--json"]).stdout;
    let object: Value = serde_json::from_str(&object).unwrap();
    let winning: Vec<&str> = object["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|m| m["outcome"] == "win")
        .map(|m| m["move"].as_str().unwrap())
        .collect();
    assert_eq!(wins, winning.len());
    for name in winning {
        assert!(rest.split([' ', ',', '\n']).any(|word| word == name), "{name} is missing in {rest}");
    }
    assert!(rest.matches("  a b c").count() <= 8);
}

#[test]
fn positions_in_which_the_game_is_over() {
    let home = Home::new();
    let text = home.run(&["probe", "tactics", "0xffff"]);
    assert!(text.ends_with("WIN: the game is over, and the player to move has won\n"), "{text}");
    let object = home.json(&["probe", "tactics", "0xffff", "--json"]);
    assert_eq!((&object["over"], &object["moves"], &object["outcome"]), (&json!(true), &json!([]), &json!("win")));
}

#[test]
fn json_has_the_promised_keys() {
    let home = Home::new();
    let object = home.json(&["probe", "tactics", "0b1111111111111110", "--json"]);
    let expected = json!({
        "game": NAME, "position": "XXXX/XXXX/XXXX/XXX.", "board": 65534, "mode": null,
        "outcome": "loss", "over": false, "remoteness": 1, "nimber": null, "source": "table",
        "moves": [{
            "move": "d4", "position": "XXXX/XXXX/XXXX/XXXX", "outcome": "loss", "remoteness": 1, "nimber": null,
        }],
    });
    assert_eq!(object, expected);
    let keys: Vec<&String> = object.as_object().unwrap().keys().collect();
    let order = ["game", "position", "board", "mode", "outcome", "over", "remoteness", "nimber", "source", "moves"];
    assert_eq!(keys, order);
}

#[test]
fn moves_come_best_first_then_in_the_game_s_order() {
    let object = Home::new().json(&["probe", "tactics", "XX../XX../..../....", "--json"]);
    let outcomes: Vec<&str> =
        object["moves"].as_array().unwrap().iter().map(|m| m["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes.len(), 40);
    assert!(outcomes[..2].iter().all(|&o| o == "win") && outcomes[2..].iter().all(|&o| o == "loss"));
    assert_eq!((&object["moves"][0]["move"], &object["moves"][1]["move"]), (&json!("c3"), &json!("d4")));
}

/// The boards and outcomes of the puzzle, as `board,outcome` lines.
fn cases() -> Vec<(&'static str, &'static str)> {
    include_str!("../../data/tactics_cases.csv").lines().skip(1).map(|line| line.split_once(',').unwrap()).collect()
}

#[test]
fn every_known_board_has_its_known_outcome() {
    let home = Home::new();
    let cases = cases();
    assert_eq!(cases.len(), 97);
    let input: String = cases.iter().map(|(board, _)| format!("{board}\n")).collect();
    let json = home.feed(&["probe", "tactics", "--batch", "--json"], input.as_bytes());
    let brief = home.feed(&["probe", "tactics", "--batch", "--brief"], input.as_bytes());
    let plain = home.feed(&["probe", "tactics", "--batch"], input.as_bytes());
    assert_eq!((json.status, brief.status, plain.status), (0, 0, 0), "{}", json.stderr);
    for ran in [&json, &brief, &plain] {
        assert_eq!((ran.stdout.lines().count(), ran.stderr.as_str()), (97, ""));
    }
    for (number, (board, outcome)) in cases.iter().enumerate() {
        let object: Value = serde_json::from_str(json.stdout.lines().nth(number).unwrap()).unwrap();
        let value = u64::from_str_radix(&board[2..].replace('_', ""), 2).unwrap();
        assert_eq!((&object["outcome"], &object["board"]), (&json!(outcome), &json!(value)), "{board}");
        assert_eq!(brief.stdout.lines().nth(number), Some(*outcome), "{board}");
        let line = plain.stdout.lines().nth(number).unwrap();
        assert_eq!(line, format!("{}\t{outcome}", object["position"].as_str().unwrap()));
    }
    for (board, outcome) in cases.iter().step_by(16) {
        assert_eq!(home.run(&["probe", "tactics", "--brief", board]), format!("{outcome}\n"));
    }
}

#[test]
fn a_batch_prints_errors_in_place() {
    let home = Home::new();
    let mut input = b"0xffff\nnonsense\n\n0x1ffff\n\xff\xfe\n".to_vec();
    input.extend(vec![b'1'; 100_000]);
    input.extend(b"\r\n0x0");
    let ran = home.feed(&["probe", "tactics", "--batch", "--json"], &input);
    let error = ran.failed(2);
    assert!(error.contains("5 of 7 lines"), "{error}");
    let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let failed: Vec<bool> = lines.iter().map(|line| line["error"].is_string() && line["input"].is_string()).collect();
    assert_eq!(failed, [false, true, true, true, true, true, false]);
    assert_eq!((&lines[1]["input"], &lines[6]["outcome"]), (&json!("nonsense"), &json!("loss")));
    assert!(lines[5]["input"].as_str().unwrap().len() <= 200);

    let ran = home.feed(&["probe", "tactics", "--batch", "--brief"], &input);
    ran.failed(2);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[6]), (7, "win", "loss"));
    assert!(lines[1..6].iter().all(|line| line.starts_with("error: ")), "{lines:?}");
}

/// Some editors begin a text with a byte order mark, which is no part of a position.
#[test]
fn a_byte_order_mark_before_positions_is_dropped() {
    let home = Home::new();
    fs::write(home.path("it.txt"), "\u{feff}0").unwrap();
    let start = home.feed(&["probe", "tactics", "--batch"], b"0\n").stdout;
    assert_eq!(home.feed(&["probe", "tactics", "--batch"], "\u{feff}0\n".as_bytes()).stdout, start);
    assert_eq!(home.feed(&["probe", "tactics", "--batch"], "0\n\u{feff}0\n".as_bytes()).status, 2, "in the middle");
    let brief = home.run(&["probe", "tactics", "0", "--brief"]);
    assert_eq!(home.run(&["probe", "tactics", "@it.txt", "--brief"]), brief);
    assert_eq!(home.feed(&["probe", "tactics", "@-", "--brief"], "\u{feff}0\n".as_bytes()).stdout, brief);
    let played = |input: &str| home.feed(&["play", "tactics", "--two"], input.as_bytes()).stdout;
    assert!(played("a1\n").contains("\nmove\t1\t"));
    assert_eq!(played("\u{feff}a1\n"), played("a1\n"));
    fs::write(home.path("puzzle"), "\u{feff}3\n2\n0 0\n0 1").unwrap();
    assert_eq!(home.try_run(&["probe", "dominoes", "@puzzle", "--brief"]).stdout, "Win\n");
    fs::write(home.path("graph"), "\u{feff}a b\n").unwrap();
    home.run(&["estimate", "trail", "--graph", "graph", "--start", "a"]);
    fs::write(home.path("words"), "\u{feff}ab\nba\n").unwrap();
    home.run(&["estimate", "shiritori", "--words", "words"]);
    fs::write(home.path("it.toml"), "\u{feff}name = 'g'\nboard = { row = 4 }\nmove = [{ shape = 'X' }]\n").unwrap();
    home.run(&["check", "it.toml"]);
}

#[test]
fn an_empty_batch_prints_nothing() {
    let ran = Home::new().feed(&["probe", "tactics", "--batch", "--json"], b"");
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
}

#[test]
fn a_batch_answers_each_line_at_once() {
    use std::io::{BufRead, BufReader, Write};
    let home = Home::new();
    let mut command = home.command(&["probe", "tactics", "--batch", "--brief"]);
    let mut child = command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let (mut ask, mut answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()).lines());
    for (position, outcome) in [("0xffff", "win"), ("0x0", "loss"), ("0xfffe", "loss")] {
        writeln!(ask, "{position}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), outcome);
    }
    drop(ask);
    assert!(child.wait().unwrap().success());
}

#[test]
fn positions_are_read_from_files() {
    let home = Home::new();
    std::fs::write(home.path("board.txt"), "X X . .\nX X . .\n. . . .\n. . . .\n").unwrap();
    let object = home.json(&["probe", "tactics", "@board.txt", "--json"]);
    assert_eq!((&object["board"], &object["outcome"]), (&json!(0xcc00), &json!("win")));
}

#[test]
fn small_games_without_a_table_are_solved_on_the_spot() {
    let home = Home::new();
    let ran = home.try_run(&["probe", "tactics", "--rows", "3", "--cols", "3", "--json"]);
    assert_eq!(ran.status, 0);
    assert!(
        ran.stderr.contains("solved in memory") && ran.stderr.contains("'tablegen build tactics --rows 3 --cols 3'")
    );
    assert_eq!(ran.stderr.lines().count(), 1);
    let solved: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&solved["source"], &solved["remoteness"]), (&json!("solved"), &json!(6)));
    // The quickest win comes first.
    assert_eq!((&solved["moves"][0]["move"], &solved["moves"][0]["remoteness"]), (&json!("b1-b3"), &json!(6)));

    home.run(&["build", "tactics", "--rows", "3", "--cols", "3", "--labels", "remoteness"]);
    let mut table = home.json(&["probe", "tactics", "--json", "--cols", "3", "--rows", "3"]);
    assert_eq!(table["source"], "table");
    table["source"] = json!("solved");
    assert_eq!(table, solved);

    // A solve on the spot finds every label that the game has: nimbers in normal play, none for a net of words.
    std::fs::write(home.path("words"), "rat\ntar\ntent\n").unwrap();
    let labels = |game: &[&str]| {
        let ran = home.try_run(&[&["probe"], game, &["--json"]].concat());
        let object: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((ran.status, &object["source"]), (0, &json!("solved")), "{}", ran.stderr);
        (object["remoteness"].clone(), object["nimber"].clone())
    };
    assert_eq!(labels(&["kayles"]), (json!(11), json!(4)));
    assert_eq!(labels(&["dawsons-kayles", "--set", "pins=3"]), (json!(1), json!(1)));
    assert_eq!(labels(&["col", "--set", "rows=1", "--set", "cols=2"]), (json!(2), Value::Null));
    assert_eq!(labels(&["shiritori", "--words", "words"]), (Value::Null, Value::Null));
}

#[test]
fn a_table_file_is_self_contained() {
    let home = Home::new();
    home.run(&["build", "tactics", "--rows", "2", "--cols", "3", "--play", "normal", "-o", "mine.tb"]);
    let object = home.json(&["probe", "mine.tb", "X.X/...", "--json"]);
    assert_eq!((&object["game"], &object["board"]), (&json!("tactics-2x3-run3-normal"), &json!(0b101_000)));
}
