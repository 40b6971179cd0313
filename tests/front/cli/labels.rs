//! `--labels`: which labels are stored, and which labels a game lacks.

use std::fs;

use serde_json::json;

use super::Home;

fn build<'a>(game: &[&'a str], labels: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["build"], game, &["--labels", labels], more].concat()
}

const NORMAL: [&str; 3] = ["tactics", "--play", "normal"];

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
