//! `--labels value`, and what `probe`, `info`, `stats` and `verify` show of it.

use serde_json::json;

use super::Home;
use crate::common::forge;

#[test]
fn a_table_of_values_is_built_shown_and_checked() {
    let home = Home::new();
    let built = home.run(&["build", "domineering", "--labels", "value"]);
    assert!(built.contains("values     717 different ones of 65,536 boards"), "{built}");
    let probe = ["probe", "domineering", "..../.XX./..../.... left"];
    let text = home.run(&probe);
    assert!(text.contains("value Miny(2): mean 0, temperature 0, stops 0 and 0"), "{text}");
    assert!(text.contains("values after a move of left, best in sums:\n  {2|0}  b3-b4, c3-c4"), "{text}");
    assert!(text.contains("values after a move of right, best in sums:\n  {0|-2}  a3-b3, c3-d3"), "{text}");
    let value = &home.json(&[&probe[..], &["--json"]].concat())["game_value"];
    assert_eq!((&value["value"], &value["class"]), (&json!("Miny(2)"), &json!("R")));
    assert_eq!(value["left"][0]["best"], true);
    assert_eq!(value["right_wall"], json!([{"temperature": "-1", "value": "-1"}, {"temperature": "0", "value": "0"}]));

    let info = home.json(&["info", "domineering", "--json"]);
    assert_eq!(info["labels"], json!(["outcome", "value"]));
    assert_eq!(info["values"]["common"][0], json!({"value": "0", "boards": 6236}));
    assert_eq!(info["values"]["hottest"]["temperature"], "7/4");
    let stats = home.json(&["stats", "domineering", "--json", "--svg", "d.svg"]);
    assert_eq!(stats["values"], info["values"]);
    let counted = stats["values"]["temperatures"]["boards"].as_array().unwrap();
    let counted: u64 = counted.iter().map(|boards| boards.as_u64().unwrap()).sum();
    assert_eq!(counted + stats["values"]["numbers"].as_u64().unwrap(), 65_536);
    assert!(std::fs::read_to_string(home.path("d.svg")).unwrap().contains("temperature, in quarters"));
    let verified = home.run(&["verify", "domineering", "--level", "labels"]);
    assert!(verified.contains("right: each of 196,608 labels (outcome, value) follows"), "{verified}");
}

#[test]
fn a_turn_of_two_moves_is_one_move_in_a_sum() {
    let home = Home::new();
    home.run(&["build", "amazons", "--labels", "value", "--set", "rows=2", "--set", "cols=2"]);
    let amazons = ["probe", "amazons", "--set", "rows=2", "--set", "cols=2"];
    let text = home.run(&amazons);
    assert!(text.contains("values after a move of white"), "{text}");
    // Within a turn there is no value.
    let position =
        home.json(&[&amazons[..], &["--json"]].concat())["moves"][0]["position"].as_str().unwrap().to_owned();
    let within = home.json(&[&amazons[..2], &[&position], &amazons[2..], &["--json"]].concat());
    assert!(within.get("game_value").is_none(), "{within}");
}

/// A table whose values pass the turn although the player moves again is refused, with the command that builds it again.
#[test]
fn values_of_older_versions_are_refused() {
    let home = Home::new();
    let game = ["nimstring", "--set", "rows=1", "--set", "cols=1"];
    let with = |command: &'static str| [&[command], &game[..]].concat();
    home.run(&[&with("build")[..], &["--labels", "value"]].concat());
    let sound = home.run(&with("probe"));
    assert!(sound.contains("value *: mean 0"), "{sound}");
    let path = home.data().join("nimstring-1x1-normal.tb");
    let mut bytes = std::fs::read(&path).unwrap();
    let kinds = forge::every(&bytes, "section.kind");
    let at = kinds.iter().find(|at| bytes[at.start] == 9).unwrap().start;
    bytes[at] = 7;
    forge::seal_header(&mut bytes);
    std::fs::write(&path, bytes).unwrap();
    for command in ["probe", "info", "stats", "verify"] {
        let error = home.fails(3, &with(command));
        assert!(error.contains("found turns that end although the player moves again"), "{command}: {error}");
        assert!(error.contains("'tablegen build nimstring --set rows=1 --set cols=1 --force'"), "{command}: {error}");
    }
    home.run(&[&with("build")[..], &["--labels", "value", "--force"]].concat());
    assert_eq!(home.run(&with("probe")), sound);
}

#[test]
fn values_are_exported_as_lines() {
    let home = Home::new();
    let export = ["export", "col", "--label", "value", "--format", "csv"];
    home.run(&["build", "col", "--labels", "remoteness"]);
    let error = home.fails(2, &export);
    assert!(error.contains("expected values, found outcome, remoteness; add them with 'tablegen "), "{error}");
    assert!(error.contains("--labels outcome,remoteness,value'"), "{error}");
    home.run(&["build", "col", "--labels", "outcome,remoteness,value"]);
    let lines = home.run(&export);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[0], "board,position,value,mean,temperature");
    let info = home.json(&["info", "col", "--json"]);
    assert_eq!(lines.len() as u64 - 1, info["values"]["boards"].as_u64().unwrap());
    for line in lines[1..].iter().step_by(100) {
        let fields: Vec<&str> = line.splitn(3, ',').collect();
        let found = home.json(&["probe", "col", fields[1], "--json"]);
        let value = &found["game_value"];
        let text = |key: &str| value[key].as_str().unwrap().to_owned();
        let name = text("value");
        let name = if name.contains(',') { format!("\"{name}\"") } else { name };
        assert_eq!(fields[2], format!("{name},{},{}", text("mean"), text("temperature")), "{line}");
    }
    let npy = ["export", "col", "--label", "value", "--format", "npy", "-o", "x.npy"];
    assert!(home.fails(2, &npy).contains("expected --format csv alone, found npy"));
}

#[test]
fn values_that_cannot_be_had_are_refused() {
    let home = Home::new();
    let error = home.fails(2, &["build", "tictactoe", "--labels", "value"]);
    assert!(
        error.contains("tictactoe has no values: they need a game that ends only when a player cannot move"),
        "{error}"
    );
    let slices = ["build", "domineering", "--labels", "value", "--set", "cols=6", "--memory", "2MiB"];
    assert!(home.fails(4, &slices).contains("not enough memory"));
    assert!(!home.data().join("tictactoe.tb").exists());
    let estimate = home.json(&["estimate", "domineering", "--labels", "value", "--json"]);
    assert_eq!(estimate["value_bytes"], 4 << 16);
    let advised = home.run(&["estimate", "clobber", "--labels", "remoteness,value"]);
    assert!(advised.contains("'tablegen build clobber --labels outcome,remoteness,value'"), "{advised}");
    assert!(home.fails(2, &["estimate", "tictactoe", "--labels", "value"]).contains("has no values"));
}
