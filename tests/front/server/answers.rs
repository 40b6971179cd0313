//! The server gives the same answers as the command line, byte for byte.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tablegen::game::{FAMILIES, LIBRARY};

use super::{Served, quoted};

/// Options of a game, and their values.
type Options = &'static [(&'static str, &'static str)];

/// The text of a file in the source folder.
fn source(path: &str) -> String {
    fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn a_request_limits_its_search() {
    let served = Served::new();
    for command in ["probe", "line"] {
        let printed = served.home.try_run(&[
            command,
            "connect-four",
            "--set",
            "rows=6",
            "--set",
            "cols=7",
            "--json",
            "--limit",
            "100",
        ]);
        let reply = served.get(&format!("/api/v1/{command}?game=connect-four&rows=6&cols=7&limit=100"));
        assert_eq!((reply.status, &reply.body), (200, &printed.stdout));
        assert!(reply.body.contains("unknown"), "{}", reply.body);
    }
    // A time is lowered to that of the server, and the answer comes in time.
    let begun = Instant::now();
    let reply = served.json("/api/v1/probe?game=connect-four&rows=6&cols=7&limit=200ms");
    assert!(reply["outcome"] == "unknown" && begun.elapsed() < Duration::from_secs(20), "{reply}");
}

#[test]
fn a_body_of_positions_is_answered_as_a_batch() {
    let served = Served::new();
    let compare = |options: &[&str], query: &str, lines: &str| {
        let printed = served.home.feed(&[&["probe"], options, &["--batch", "--json"]].concat(), lines.as_bytes());
        let reply = served.post(&format!("/api/v1/probe?{query}"), lines);
        assert_eq!((reply.status, &reply.body), (200, &printed.stdout), "{query}");
        assert_eq!(reply.header("content-type"), Some("application/x-ndjson"));
        reply.body
    };
    let small = ["tactics", "--rows", "1", "--cols", "3", "--notation", "moves"];
    let query = "game=tactics&rows=1&cols=3&notation=moves";
    let answers = compare(&small, query, "\u{feff}X..\r\n\nX\n0x7");
    assert!(answers.lines().count() == 4 && answers.contains("is not a position"), "{answers}");
    assert_eq!(compare(&small, query, ""), "");
    // Searches, with the limit of a single question.
    let large = ["connect-four", "--set", "rows=6", "--set", "cols=7", "--limit", "100"];
    let answers = compare(&large, "game=connect-four&rows=6&cols=7&limit=100", "44\n4444\n");
    assert!(answers.contains("unknown"), "{answers}");
}

#[test]
fn a_body_of_positions_is_limited() {
    let served = Served::new();
    let status = |query: &str, body: &str| served.post(&format!("/api/v1/probe?{query}"), body).status;
    let small = "game=tactics&rows=1&cols=3";
    assert_eq!([1000, 1001].map(|lines| status(small, &"X..\n".repeat(lines))), [200, 413]);
    assert_eq!(status(small, &"X".repeat((1 << 20) + 1)), 413);
    assert_eq!(
        [status(&format!("{small}&position=X.."), "X.."), status("", "X.."), status("game=none", "")],
        [400, 400, 404]
    );
}

#[test]
fn lines_that_are_not_answered_in_time_say_so() {
    let served = Served::with(&["--time", "3"]);
    let reply = served.post("/api/v1/probe?game=connect-four&rows=6&cols=7&limit=60m", "44\nzz\n45\n46\n47\n");
    let lines: Vec<Value> = reply.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let inputs: Vec<&str> = lines.iter().map(|line| line["input"].as_str().unwrap()).collect();
    assert_eq!((reply.status, &inputs[..]), (200, &["44", "zz", "45", "46", "47"][..]), "{}", reply.body);
    let error = |line: usize| lines[line]["error"].as_str().unwrap_or_default();
    assert!(
        error(1).contains("is not a position") && error(4).contains("time of the request is over"),
        "{}",
        reply.body
    );
    // Looking at so many lines takes longer than that.
    let reply = served.post("/api/v1/probe?game=kalah", &"c\n".repeat(1000));
    let answered = reply.body.lines().filter(|line| !line.contains("the time of the request is over")).count();
    assert!(reply.status == 200 && reply.body.lines().count() == 1000 && answered > 0, "{} {answered}", reply.status);
}

#[test]
fn games_are_found_by_other_words() {
    let served = Served::new();
    for name in ["Connect%20Four", "connect4", "connect-four-4x5-4&rows=4&cols=5", "connect-four-4x5-4"] {
        let found = served.json(&format!("/api/v1/scene?game={name}"));
        let expected = if name.contains("4x5") { "connect-four-4x5-4" } else { "connect-four-4x4-4" };
        assert_eq!(found["game"], expected, "{name}");
    }
    let other = served.json("/api/v1/scene?game=connect-four-4x5-4&rows=3");
    assert_eq!(other["game"], "connect-four-3x5-4", "options come before those of the name");
    assert_eq!(served.get("/api/v1/scene?game=conect4").status, 404);
}

#[test]
fn a_notation_is_for_a_probe() {
    let served = Served::new();
    let error = served.get("/api/v1/reply?game=connect-four&notation=columns").error(400);
    assert!(error.contains("notation is for /api/v1/probe alone"), "{error}");
}

#[test]
fn positions_lines_and_statistics_equal_the_command_line() {
    let served = Served::new();
    let cases: [(&str, Options, &str); 10] = [
        ("tactics", &[], "XX../XX../..../...."),
        ("tactics", &[("rows", "3"), ("cols", "3"), ("run", "2"), ("play", "normal")], "X../.../..X"),
        ("dominoes", &[("n", "5")], "0-1 1-3"),
        ("dominoes", &[("n", "4"), ("play", "misere")], "{0-1,1-3} 3"),
        ("tictactoe", &[], "X.O/.X./..O"),
        ("mnk", &[("rows", "2"), ("cols", "4")], "X.../O..."),
        ("domineering", &[("rows", "3"), ("cols", "3")], ""),
        ("nim", &[], ""),
        ("three-mens-morris.moving", &[], ".../XXX/OOO x"),
        // The start of this game is a draw by repetition.
        ("dodgem", &[("size", "4")], ""),
    ];
    for (game, options, position) in cases {
        let is_file = LIBRARY.iter().any(|bundled| bundled.name == game);
        let mut arguments = vec![game.to_owned()];
        let mut query = format!("game={game}");
        for (name, value) in options {
            arguments.extend(if is_file {
                ["--set".into(), format!("{name}={value}")]
            } else {
                [format!("--{name}"), (*value).into()]
            });
            query += &format!("&{name}={value}");
        }
        let at = if position.is_empty() { String::new() } else { format!("&position={}", quoted(position)) };
        for command in ["probe", "line", "stats"] {
            let mut typed = vec![command.to_owned(), "--json".into()];
            typed.extend(arguments.iter().cloned());
            typed.extend((command != "stats" && !position.is_empty()).then(|| position.to_owned()));
            let printed = served.home.try_run(&typed);
            assert_eq!(printed.status, 0, "{typed:?}: {}", printed.stderr);
            let at = if command == "stats" { "" } else { &at };
            let reply = served.get(&format!("/api/v1/{command}?{query}{at}"));
            assert_eq!((reply.status, &reply.body), (200, &printed.stdout), "{typed:?}");
            if command == "probe" {
                // The answer of a batch must be the same line, after the line that was read.
                let object: Value = serde_json::from_str(&printed.stdout).unwrap();
                assert_eq!(object.get("repetition").is_some(), game == "dodgem", "{object}");
                let asked = if position.is_empty() { object["position"].as_str().unwrap() } else { position };
                typed.retain(|word| word != position);
                typed.push("--batch".into());
                let batch = served.home.feed(&typed, asked.as_bytes());
                let line = printed.stdout.replacen('{', &format!("{{\"input\":{},", json!(asked)), 1);
                assert_eq!(batch.stdout, line, "{typed:?}: {}", batch.stderr);
            }
        }
    }
}

#[test]
fn the_lists_equal_the_command_line() {
    let served = Served::new();
    for built in [["--rows", "2"], ["--rows", "3"]] {
        served.home.run(&[&["build", "tactics"], &built[..]].concat());
    }
    let listed = served.home.run(&["list", "--json"]);
    let [games, tables] = ["games", "tables"].map(|what| served.get(&format!("/api/v1/{what}")).body);
    // The server answers `{"games":[...],"tables":[...]}` in two parts.
    let joined = format!("{},{}", games.trim_end().strip_suffix('}').unwrap(), &tables[1..]);
    assert_eq!(joined, listed);
    assert!(tables.contains("tactics-2x4-run4-misere") && tables.contains("tactics-3x4-run4-misere"));
}

#[test]
fn a_rules_file_that_is_sent_is_checked_solved_and_played() {
    let served = Served::new();
    let text = source("docs/examples/cram.toml");
    fs::write(served.home.path("my.toml"), &text).unwrap();
    let query = "?rows=3&cols=4";
    let set = ["--set", "rows=3", "--set", "cols=4", "--json"];
    for (command, route, position) in [
        ("check", "check", ""),
        ("probe", "solve", ""),
        ("probe", "solve", "##../..../...."),
        ("line", "line", ""),
        ("stats", "stats", ""),
    ] {
        let position = position.replace('#', "X");
        let mut typed = vec![command, "my.toml"];
        typed.extend(set);
        typed.extend((!position.is_empty()).then_some(&*position));
        let printed = served.home.try_run(&typed);
        assert_eq!(printed.status, 0, "{}", printed.stderr);
        let at = if position.is_empty() { String::new() } else { format!("&position={position}") };
        let reply = served.post(&format!("/api/v1/{route}{query}{at}"), &text);
        assert_eq!((reply.status, &reply.body), (200, &printed.stdout), "{typed:?}");
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    let scene = served.post(&format!("/api/v1/scene{query}"), &text).json(200);
    assert_eq!((scene["layout"].as_str(), scene["places"].as_array().map(Vec::len)), (Some("squares"), Some(12)));
}

#[test]
fn every_game_answers_about_its_start() {
    let served = Served::with(&["--time", "600"]);
    let games = served.json("/api/v1/games");
    let games = games["games"].as_array().unwrap();
    assert_eq!(games.len(), FAMILIES.len() + LIBRARY.len());
    for game in games {
        let name = game["name"].as_str().unwrap();
        // Options that the command line reads from a file are texts in a request.
        let options = game["options"].as_array().into_iter().flatten();
        let samples = options.filter_map(|option| Some((option["name"].as_str()?, option["sample"].as_str()?)));
        let samples: String = samples.map(|(name, text)| format!("&{name}={}", quoted(text))).collect();
        // The server does not solve the double-six set for a request.
        let smaller = if name == "dominoes" { "&n=5" } else { "" };
        for route in ["probe", "scene"] {
            let answer = served.json(&format!("/api/v1/{route}?game={name}{smaller}{samples}"));
            assert!(answer["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{name}: {answer}");
        }
    }
}

/// The first page shows a preview of each game. Texts that a game needs are its samples.
#[test]
fn every_game_has_a_preview_that_is_made_once() {
    let served = Served::new();
    let games = served.json("/api/v1/games");
    let names = games["games"].as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap());
    let paths: Vec<String> = names.map(|name| format!("/api/v1/preview?game={name}")).collect();
    let made: Vec<String> = paths.iter().map(|path| served.get(path).json(200).to_string()).collect();
    let begun = Instant::now();
    for (path, made) in paths.iter().zip(made) {
        assert_eq!(served.get(path).json(200).to_string(), made, "{path}");
    }
    // One preview that is made again takes as long as all of them together may take.
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    let words = format!("/api/v1/preview?game=shiritori&words={}", quoted("net\ntag\n"));
    assert_eq!(served.json(&words)["places"].as_array().unwrap().len(), 2);
}

#[test]
fn a_sent_rules_file_becomes_a_table() {
    let served = Served::new();
    let cram = include_str!("../../../docs/examples/cram.toml");
    let reply = served.post("/api/v1/table?rows=2&cols=3", cram);
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/octet-stream")));
    assert_eq!(reply.header("content-disposition"), Some("attachment"));
    // The signature of a table, and the name of its rules.
    assert!(reply.body.get(3..6) == Some("TBG") && reply.body.contains("my-cram-2x3"));
}
