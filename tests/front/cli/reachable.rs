//! Sparse tables: word lists from the puzzle, and other games with `--solver sparse`.

use std::fs;

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

/// Shiritori answers texts by itself; its answers show the labels of the table, best moves first.
#[test]
fn words_that_do_not_cancel_have_labels() {
    let home = Home::new();
    fs::write(home.path("words"), "rat\ntent\ntower\nrug\ngnat\n").unwrap();
    let game = ["--words", "words", "--play", "misere"];
    home.run(&[&["build", "shiritori"], &game[..], &["--labels", "remoteness", "-o", "it.tb"]].concat());
    let table = tablegen::table::Table::open(home.path("it.tb")).unwrap();
    let mut plies = 0;
    let mut said = String::new();
    loop {
        let answer = home.json(&["probe", "it.tb", &said, "--json"]);
        let moves = answer["moves"].as_array().unwrap();
        if said.is_empty() {
            let probe = table.probe(table.rules().start_node()).unwrap();
            plies = probe.value.remoteness().unwrap();
            assert!(plies > 1 && moves.len() == 5, "{answer}");
        }
        assert_eq!(answer["remoteness"], plies, "{said}");
        if plies == 0 {
            assert_eq!(answer["over"], true);
            break;
        }
        // Along best play, each move reduces the remoteness by one.
        assert_eq!((&moves[0]["remoteness"], &moves[0]["outcome"]), (&json!(plies), &answer["outcome"]));
        said = format!("{said} {}", moves[0]["move"].as_str().unwrap());
        plies -= 1;
    }
}
