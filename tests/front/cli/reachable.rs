//! Sparse tables: word lists from the puzzle, and other games with `--solver sparse`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::Home;
use crate::common::lists::{EASY, HARD, MEDIUM};

/// A home with the word lists.
fn home() -> Home {
    let home = Home::new();
    for (name, words) in [("easy", EASY), ("medium", MEDIUM), ("hard", HARD)] {
        fs::write(home.path(&format!("{name}.txt")), words).unwrap();
    }
    home
}

const OF_MEDIUM: [&str; 3] = ["shiritori", "--words", "medium.txt"];

fn with<'a>(command: &'a str, game: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [&[command], game, more].concat()
}

#[test]
fn a_list_is_built_described_and_verified() {
    let home = home();
    let built = home.json(&with("build", &OF_MEDIUM, &["--json"]));
    for (key, value) in [
        ("positions", json!(80)),
        ("coverage", json!("reachable")),
        ("cells", json!(8)),
        ("solver", json!("sparse")),
        ("kernel", json!("sparse")),
        ("labels", json!(["outcome"])),
    ] {
        assert_eq!(built[key], value, "{key}");
    }
    let counts = &built["counts"];
    assert_eq!(counts["win"].as_u64().unwrap() + counts["loss"].as_u64().unwrap(), 80);
    let info = home.json(&with("info", &OF_MEDIUM, &["--json"]));
    for (key, value) in info.as_object().unwrap() {
        assert_eq!(built[key], *value, "{key}");
    }
    let estimate = home.json(&with("estimate", &OF_MEDIUM, &["--json"]));
    assert_eq!((&estimate["positions"], &estimate["file_bytes"]), (&json!(80), &built["file_bytes"]));
    let text = home.run(&with("info", &OF_MEDIUM, &[]));
    assert!(text.contains("80 reachable\n"), "{text}");
    let text = home.run(&with("estimate", &OF_MEDIUM, &[]));
    assert!(text.contains("solver     sparse: ") && text.contains("fits here  yes"), "{text}");
    let checks = home.json(&with("verify", &OF_MEDIUM, &["--json"]));
    assert_eq!(checks["ok"], true);
    let labels = checks["checks"].as_array().unwrap().iter().find(|check| check["level"] == "labels").unwrap();
    assert_eq!(labels["checked"], 80);
    let list = home.json(&["list", "--json"]);
    let listed = |table: &&Value| table["game"] == built["game"];
    assert_eq!(list["tables"].as_array().unwrap().iter().find(listed).unwrap()["positions"], 80);
}

#[test]
fn a_table_answers_without_its_word_list() {
    let home = home();
    home.run(&with("build", &OF_MEDIUM, &["-o", "mine.tb"]));
    fs::remove_file(home.path("medium.txt")).unwrap();
    let by_letter = ["c", "d", "g", "k", "m", "n", "t"].map(|letter| {
        let object = home.json(&["probe", "mine.tb", &format!("{{}} {letter}"), "--json"]);
        assert_eq!((&object["mode"], &object["source"]), (&json!(letter), &json!("table")));
        object["outcome"].as_str().unwrap().to_owned()
    });
    assert_eq!(by_letter, ["loss", "win", "win", "loss", "loss", "loss", "win"]);
}

#[test]
fn every_word_that_may_be_said_is_listed_with_its_outcome() {
    let home = home();
    let words: Vec<&str> = MEDIUM.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    for letter in ["c", "d", "g", "k", "m", "n", "t"] {
        let ran = home.try_run(&with("probe", &OF_MEDIUM, &[&format!("{{}} {letter}"), "--json"]));
        let object: Value = serde_json::from_str(&ran.stdout).unwrap();
        let mut listed: Vec<&str> =
            object["moves"].as_array().unwrap().iter().map(|m| m["move"].as_str().unwrap()).collect();
        // In a list whose first word is marked, play begins after that word.
        let mut expected: Vec<&str> = words.iter().copied().filter(|word| word.starts_with(letter)).collect();
        if MEDIUM.contains("<-") {
            expected.retain(|&word| word != words[0]);
        }
        listed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(listed, expected);
        let best = object["moves"].as_array().unwrap().iter().map(|m| m["outcome"].as_str().unwrap()).max();
        assert_eq!(best.unwrap_or("loss"), object["outcome"].as_str().unwrap(), "\"win\" is after \"loss\"");
        assert!(ran.stderr.contains("solved in memory"));
    }
}

/// Five letters, each with two words to the next letter and one to the letter after that, and a pair of words that
/// cancels. After one word of the pair is said, the table does not hold the position.
fn ring(home: &Home) -> [&'static str; 3] {
    let letters = ["a", "b", "c", "d", "e"];
    let words = (0..5).flat_map(|n| {
        let to = |by: usize, how: &str| format!("{}{how}{}\n", letters[n], letters[(n + by) % 5]);
        [to(1, "1"), to(1, "2"), to(2, "1")]
    });
    fs::write(home.path("ring.txt"), words.collect::<String>() + "axb\nbxa\n").unwrap();
    ["shiritori", "--words", "ring.txt"]
}

#[test]
fn positions_outside_the_table_are_searched_up_to_the_limit() {
    let home = home();
    let ring = ring(&home);
    home.run(&with("build", &ring, &[]));
    let object = home.json(&with("probe", &ring, &["bxa", "--json"]));
    assert_eq!((&object["source"], &object["board"]), (&json!("search"), &Value::Null));
    assert_ne!(object["outcome"], "unknown");
    let text = home.run(&with("probe", &ring, &["bxa"]));
    assert!(text.contains("found by search: the table does not hold this position"), "{text}");

    let object = home.json(&with("probe", &ring, &["bxa", "--json", "--limit", "0"]));
    assert_eq!((&object["source"], &object["outcome"]), (&json!("search"), &json!("unknown")));
    let text = home.run(&with("probe", &ring, &["bxa", "--limit", "0"]));
    assert!(text.contains("UNKNOWN: a search of up to 0 positions did not find the outcome; raise --limit"), "{text}");
    assert!(text.contains("\nunknown: ") && !text.contains("of 4 moves"), "{text}");
    assert_eq!(home.run(&with("probe", &ring, &["bxa", "--brief", "--limit", "0"])), "unknown\n");
    let ran = home.feed(&with("probe", &ring, &["--batch"]), b"{} a\nbxa\nbxa c\n");
    ran.failed(2);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("{} a\t") && lines[1].starts_with("{bxa} a\t"), "{lines:?}");
    assert!(lines[2].starts_with("error: ") && lines[2].contains("\"c\""), "{lines:?}");
}

#[test]
fn bad_words_and_lists_are_refused() {
    let home = home();
    let write = |name: &str, content: &[u8]| fs::write(home.path(name), content).unwrap();
    write("empty.txt", b"# no word\n");
    write("twice.txt", b"ab\nbc\nab\n");
    write("gap.txt", b"ab\n\nbc\n");
    write("bytes.txt", b"ab\n\xff\xfe\n");
    write("many.txt", "w\n".repeat(1 << 20).as_bytes());
    let lists: &[(&str, &str)] = &[
        ("empty.txt", "expected a list of words, one per line"),
        ("twice.txt", "line 3: expected each word once"),
        ("gap.txt", "line 2: expected a word"),
        ("bytes.txt", "UTF-8"),
        ("many.txt", "--words"),
        ("nowhere.txt", "cannot read nowhere.txt: "),
        (".", "found a folder"),
    ];
    for (list, says) in lists {
        for command in ["build", "probe", "estimate"] {
            let error = home.fails(2, &[command, "shiritori", "--words", list]);
            assert!(error.contains(says), "{list}: {error}");
        }
    }
    assert!(home.fails(2, &["build", "shiritori"]).contains("cannot make shiritori: expected --words, found none"));
    let positions: &[(&str, &str)] = &[
        ("nonsense", "words of the list"),
        ("{} 7", "one of the letters"),
        ("{", "a } after the words"),
        ("tnhhbm tnhhbm", "each word once"),
    ];
    let first = MEDIUM.lines().nth(1).unwrap().split_whitespace().next().unwrap();
    for (position, says) in positions {
        let position = position.replace("tnhhbm", first);
        let error = home.fails(2, &with("probe", &OF_MEDIUM, &[&position]));
        assert!(error.contains(says) || error.contains("start word"), "{position}: {error}");
    }
    let error = home.fails(2, &["probe", "shiritori", "--words", "hard.txt", "zjfurojiwt exsosv"]);
    assert!(error.contains("a word that begins with 't'"), "{error}");
}

#[test]
fn a_game_too_large_is_refused_before_it_takes_memory() {
    let home = home();
    let alike: String = (0..129).map(|n| format!("a{n}b\n")).collect();
    fs::write(home.path("alike.txt"), alike).unwrap();
    for game in [&["shiritori", "--words", "alike.txt"][..], &["shiritori", "--words", "hard.txt", "--play", "misere"]]
    {
        for command in ["build", "probe", "estimate"] {
            let error = home.fails(4, &with(command, game, &[]));
            assert!(error.contains("at most 128 of them"), "{error}");
        }
    }
    assert!(home.files(home.data()).is_empty());
}

#[test]
fn a_sparse_build_out_of_memory_reports_its_progress() {
    let home = home();
    let error = home.fails(4, &["build", "shiritori", "--words", "hard.txt", "--memory", "40MB"]);
    assert!(error.contains("not enough memory") && error.contains("filled cells found"), "{error}");
    assert!(home.files(home.data()).is_empty());
}

#[test]
fn bytes_do_not_depend_on_the_threads() {
    let home = home();
    let built = |threads: &str| {
        home.run(&["build", "shiritori", "--words", "easy.txt", "-o", "one.tb", "--threads", threads]);
        fs::read(home.path("one.tb")).unwrap()
    };
    let one = built("1");
    assert!(one == built("2") && one == built("7"));
}

#[test]
fn any_game_is_solved_either_way_with_the_same_answers() {
    let home = Home::new();
    let game = ["tactics", "--rows", "3", "--cols", "4", "--play", "normal"];
    home.run(&with("build", &game, &["-o", "dense.tb", "--solver", "dense"]));
    home.run(&with("build", &game, &["-o", "sparse.tb", "--solver", "sparse"]));
    let dense = home.json(&["info", "dense.tb", "--json"]);
    let sparse = home.json(&["info", "sparse.tb", "--json"]);
    assert_eq!((&sparse["coverage"], dense.get("coverage")), (&json!("reachable"), None));
    // Moves fill single squares, so every board is reachable.
    assert_eq!((&sparse["positions"], &sparse["counts"]), (&json!(4096), &dense["counts"]));
    let boards: String = (0..4096).map(|board| format!("{board}\n")).collect();
    let answers = |file: &str| home.feed(&["probe", file, "--batch", "--json"], boards.as_bytes()).stdout;
    assert_eq!(answers("dense.tb"), answers("sparse.tb"));

    // Both exports have the same lines, each in its own order.
    let lines = |file: &str| {
        let text = home.run(&["export", file, "--format", "csv", "-o", "-"]);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert_eq!(lines[0], "mode,board,position,outcome");
        lines.sort();
        lines
    };
    assert_eq!(lines("dense.tb"), lines("sparse.tb"));
    let error = home.fails(2, &["export", "sparse.tb", "--format", "npy", "-o", "-"]);
    assert!(error.contains("--format csv"), "{error}");
}

#[test]
fn an_unreachable_position_is_searched() {
    let home = Home::new();
    // Moves fill two squares at once, so a lone square is never filled.
    fs::write(home.path("path.txt"), "a b\nb c\nc d\nd a\n").unwrap();
    let game = ["trail", "--graph", "path.txt", "--start", "a"];
    home.run(&with("build", &game, &["-o", "dense.tb"]));
    home.run(&with("build", &game, &["-o", "sparse.tb", "--solver", "sparse"]));
    let ask = |file: &str| home.json(&["probe", file, "{b-c} a", "--json"]);
    let (mut dense, sparse) = (ask("dense.tb"), ask("sparse.tb"));
    assert_eq!((&dense["source"], &sparse["source"]), (&json!("table"), &json!("search")));
    dense["source"] = json!("search");
    assert_eq!(dense, sparse);
}

#[test]
fn a_damaged_sparse_table_answers_nothing() {
    let home = home();
    home.run(&["build", "shiritori", "--words", "easy.txt", "-o", "easy.tb"]);
    let path: &Path = &home.path("easy.tb");
    let mut bytes = fs::read(path).unwrap();
    // Change a byte in the middle of every block after the header.
    bytes.iter_mut().skip(1 << 15).step_by(1 << 16).for_each(|byte| *byte ^= 1);
    fs::write(path, bytes).unwrap();
    home.try_run(&["verify", "easy.tb"]).failed(1);
    home.fails(3, &["probe", "easy.tb"]);
}

#[test]
fn an_estimate_is_enough_to_build_with() {
    let home = home();
    for game in [
        &["mnk", "--rows", "4", "--cols", "3"][..],
        &["shiritori", "--words", "easy.txt"],
        &["shiritori", "--words", "hard.txt"],
        &["tactics", "--solver", "sparse"],
    ] {
        let estimate = home.json(&with("estimate", game, &["--json"]));
        let memory = format!("{}B", estimate["memory_bytes"]);
        let built = home.json(&with("build", game, &["--memory", &memory, "-o", "it.tb", "--force", "--json"]));
        assert_eq!(built["file_bytes"], estimate["file_bytes"], "{game:?}");
        if let Some(peak) = built["peak_bytes"].as_u64() {
            assert!(peak < estimate["memory_bytes"].as_u64().unwrap() * 11 / 10, "{game:?}: {peak} of {memory}");
        }
    }
    let text = home.run(&["estimate", "mnk", "--solver", "dense"]);
    assert!(text.contains("'tablegen build mnk --solver dense'"), "{text}");
}

#[test]
fn the_positions_of_a_table_are_exported_to_a_file() {
    let home = home();
    home.run(&["build", "shiritori", "--words", "easy.txt", "-o", "easy.tb"]);
    home.run(&["export", "easy.tb", "--format", "csv", "-o", "easy.csv"]);
    assert_eq!(fs::read_to_string(home.path("easy.csv")).unwrap().lines().count(), 1 + 44_141);
}

#[test]
fn a_game_too_large_for_a_table_is_searched_near_its_end() {
    let home = Home::new();
    let game = ["mnk", "--rows", "5", "--cols", "5", "--k", "5"];
    let object = home.json(&with("probe", &game, &["XOXOX/OXOXO/OXOXO/XOXOX/.....", "--json"]));
    assert_eq!(object["source"], "search");
    assert_eq!(object["moves"].as_array().unwrap().len(), 5);
    // Every board of this game is known to be reachable, so no count is needed.
    let game = ["tactics", "--rows", "5", "--cols", "8"];
    let text = home.run(&with("probe", &game, &["0xfffffffff0"]));
    assert!(text.contains("found by search: there is no table"), "{text}");
    let error = home.fails(3, &with("probe", &game, &["--limit", "1000"]));
    assert!(error.contains("'tablegen build tactics --rows 5 --cols 8'"), "{error}");
    // A game small enough for a table needs one, however near the position is to the end.
    let error =
        home.fails(3, &["--tables", "else where", "probe", "tactics", "--rows", "5", "--cols", "6", "0x3fffffff"]);
    assert!(error.contains("'tablegen --tables 'else where' build tactics --rows 5 --cols 6'"), "{error}");
}

#[test]
fn a_list_of_many_words_is_answered_at_once() {
    let home = Home::new();
    // A hundred thousand pairs that cancel, and one word that does not.
    let pairs = (0..100_000).map(|n| format!("a{n}b\nb{n}a\n"));
    fs::write(home.path("pairs.txt"), pairs.collect::<String>() + "axc\n").unwrap();
    let object = home.try_run(&["probe", "shiritori", "--words", "pairs.txt", "{} a", "--json"]);
    let object: Value = serde_json::from_str(&object.stdout).unwrap();
    let moves = object["moves"].as_array().unwrap();
    let lone = moves.iter().find(|m| m["move"] == "axc").unwrap();
    assert_eq!((&object["outcome"], &lone["outcome"], moves.len()), (&json!("win"), &json!("win"), 100_001));
}
