//! `--labels value`, and what `probe`, `info`, `stats` and `verify` show of it.

use super::Home;
use crate::common::forge;

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
}
