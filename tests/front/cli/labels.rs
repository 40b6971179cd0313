//! `--labels`: which labels are stored, and which labels a game lacks.

use std::fs;

use serde_json::{Value, json};

use super::Home;

fn build<'a>(game: &[&'a str], labels: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["build"], game, &["--labels", labels], more].concat()
}

const NORMAL: [&str; 3] = ["tactics", "--play", "normal"];

#[test]
fn a_probe_names_the_labels_that_its_table_lacks() {
    let home = Home::new();
    home.run(&build(&NORMAL, "remoteness", &[]));
    let probe = [&["probe"], &NORMAL[..], &["XXXX/XXXX/XXXX/XX.."]].concat();
    let ran = home.try_run(&probe);
    let adds = "'tablegen build tactics --play normal --labels outcome,remoteness,nimber' adds it";
    assert_eq!((ran.status, ran.stderr), (0, format!("the table has no nimber; {adds}\n")));
    home.run(&build(&NORMAL, "nimber", &[]));
    assert!(home.run(&probe).contains("nimber"));
}

/// Any subset in any order stores the outcome as well.
#[test]
fn requested_labels_are_stored_with_the_outcome() {
    let home = Home::new();
    for (asked, held) in [
        ("outcome", json!(["outcome"])),
        ("remoteness", json!(["outcome", "remoteness"])),
        ("nimber,outcome", json!(["outcome", "nimber"])),
        ("nimber,remoteness", json!(["outcome", "remoteness", "nimber"])),
    ] {
        for solver in ["dense", "sparse"] {
            let built = home.json(&build(&NORMAL, asked, &["-o", "it.tb", "--solver", solver, "--force", "--json"]));
            assert_eq!(built["labels"], held);
            let estimate = [&["estimate"], &NORMAL[..], &["--labels", asked, "--solver", solver, "--json"]].concat();
            let estimate = home.json(&estimate);
            assert_eq!(
                (&estimate["labels"], &estimate["file_bytes"]),
                (&held, &built["file_bytes"]),
                "{asked} {solver}"
            );
            assert_eq!(home.json(&["info", "it.tb", "--json"])["labels"], held);
            let start = home.json(&["probe", "it.tb", "--json"]);
            let has = |label: &str| held.as_array().unwrap().contains(&json!(label));
            assert_eq!(start["outcome"], "loss");
            assert_eq!(start["remoteness"], if has("remoteness") { json!(16) } else { Value::Null });
            assert_eq!(start["nimber"], if has("nimber") { json!(0) } else { Value::Null });
            assert_eq!(home.try_run(&["verify", "it.tb"]).status, 0);
        }
    }
    let text = home.run(&build(&NORMAL, "remoteness", &[]));
    assert!(text.contains("labels     outcome, remoteness\n"), "{text}");
}

const LIBRARY: [&str; 6] = ["domineering", "col", "snort", "hex", "sim", "connect-four"];

/// Each refusal names the reason and an alternative, before any file is created.
#[test]
fn labels_that_a_game_lacks_are_refused() {
    let home = Home::new();
    fs::write(home.path("words"), "rat\ntar\ntent\n").unwrap();
    fs::write(home.path("apart"), "rat\ntent\n").unwrap();
    let refused = |game: &[&str], labels: &str, reason: &str, instead: &str| {
        for command in ["build", "estimate"] {
            let error = home.fails(2, &[&[command], game, &["--labels", labels]].concat());
            assert!(error.contains(&format!(" has no {}: ", labels.rsplit(',').next().unwrap())), "{error}");
            assert!(error.contains(reason) && error.ends_with(&format!("; use --labels {instead}")), "{error}");
        }
    };
    let without = "outcome,remoteness";
    let all = "outcome,remoteness,nimber";
    refused(&["tactics"], all, "the player who cannot move wins", without);
    refused(&["dominoes", "--n", "4", "--play", "misere"], all, "the player who cannot move wins", without);
    refused(&["treblecross"], all, "patterns end it", without);
    for game in ["tictactoe", "mnk"].into_iter().chain(LIBRARY) {
        refused(&[game], all, "each side has its own", without);
    }
    let drawn = "name = \"drawn\"\nplay = \"draw\"\nboard = { rows = 2, cols = 2 }\nmove = [{ shape = \"X\" }]\n";
    fs::write(home.path("drawn.toml"), drawn).unwrap();
    refused(&["drawn.toml"], all, "a draw when a player cannot move", without);
    for label in ["remoteness", "nimber"] {
        refused(&["shiritori", "--words", "words"], label, "moves that cancel each other", "outcome");
    }
    assert!(home.files(home.data()).is_empty(), "refused before anything was made");
    // These games have all the labels: a tail or a vertex from which either player continues does not prevent nimbers.
    for game in [
        &["shiritori", "--words", "apart"][..],
        &["dominoes", "--n", "4"],
        &["kayles"],
        &["shiritori", "--words", "words", "--play", "misere", "--labels", "remoteness"],
    ] {
        let labels: &[&str] = if game.contains(&"--labels") { &[] } else { &["--labels", all] };
        home.run(&[&["build"], game, labels].concat());
    }
    for game in LIBRARY.into_iter().filter(|&game| game != "connect-four" && game != "sim") {
        home.run(&["build", game, "--labels", without]);
    }
}

/// The report says which labels were kept and which were solved, and the file equals one built with all labels at once.
#[test]
fn labels_are_added_to_an_existing_table() {
    let home = Home::new();
    let bytes = |name: &str| fs::read(home.path(name)).unwrap();
    for solver in ["dense", "sparse"] {
        let more = |file| ["-o", file, "--solver", solver];
        home.run(&build(&NORMAL, "nimber,remoteness", &more("whole.tb")));
        home.run(&build(&NORMAL, "outcome", &more("it.tb")));
        let alone = bytes("it.tb");
        let text = home.run(&build(&NORMAL, "remoteness", &more("it.tb")));
        assert!(text.contains("outcome, remoteness (outcome kept, remoteness solved)"), "{text}");
        let built = home.json(&build(&NORMAL, "nimber", &[&more("it.tb")[..], &["--json"]].concat()));
        assert_eq!(built["labels_kept"], json!(["outcome", "remoteness"]));
        assert_eq!(built["labels_solved"], json!(["nimber"]));
        assert!(bytes("it.tb") == bytes("whole.tb"), "{solver}");
        // Only `--force` drops a label.
        let again = home.json(&build(&NORMAL, "outcome", &[&more("it.tb")[..], &["--json"]].concat()));
        assert_eq!((&again["labels_kept"], &again["labels_solved"]), (&json!([]), &again["labels"]));
        assert!(bytes("it.tb") == bytes("whole.tb"));
        home.run(&build(&NORMAL, "outcome", &[&more("it.tb")[..], &["--force"]].concat()));
        assert!(bytes("it.tb") == alone);
        // If a block is damaged, the build reports it and keeps no label.
        let mut damaged = alone.clone();
        damaged[5000] ^= 1;
        fs::write(home.path("it.tb"), damaged).unwrap();
        let ran = home.try_run(&build(&NORMAL, "nimber,remoteness", &more("it.tb")));
        assert_eq!((ran.status, ran.stderr.lines().count()), (0, 1), "{}", ran.stderr);
        assert!(
            ran.stderr.starts_with("it.tb: ") && ran.stderr.contains("; none of its labels were reused, and"),
            "{}",
            ran.stderr
        );
        assert!(bytes("it.tb") == bytes("whole.tb"));
        home.run(&build(&NORMAL, "outcome", &[&more("it.tb")[..], &["--force"]].concat()));
        home.run(&build(&NORMAL, "outcome", &[&more("whole.tb")[..], &["--force"]].concat()));
    }
    assert_eq!(home.files(""), ["it.tb", "whole.tb"]);
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
