//! Help: the options of commands and of games, pages of the book, and the page about all commands.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::Home;

/// Help has the options of the command. `list GAME` has those of the game.
#[test]
fn options_of_games_are_listed_by_game() {
    let home = Home::new();
    for command in ["build", "probe", "line", "play", "info", "verify", "estimate", "export", "stats"] {
        let help = home.run(&[command, "--help"]);
        assert!(help.contains("\nGame options: see 'tablegen list GAME'\n"), "{command}: {help}");
        assert!(!help.contains("--rows <N>") && !help.contains("--set <KEY=VALUE>"), "{command}: {help}");
    }
    let text = home.run(&["list", "tactics"]);
    assert!(text.starts_with("  tactics  fill 1 to k"), "{text}");
    for row in ["positions", "example", "--rows N", "--cols N", "--run N", "--play misere|normal"] {
        assert!(text.lines().any(|line| line.starts_with(&format!("    {row}  "))), "{row} is missing in {text}");
    }
    assert!(text.contains("[default: 4]") && !text.contains("dominoes"), "{text}");
    let text = home.run(&["list", "cram"]);
    assert!(text.contains("    --set rows=VALUE  rows of squares [default: 4]\n"), "{text}");
    let listed = home.json(&["list", "tactics", "--json"]);
    assert_eq!((listed["games"].as_array().unwrap().len(), &listed["games"][0]["name"]), (1, &json!("tactics")));
}

/// A game is listed with its own tables, whatever its parameters.
#[test]
fn a_listed_game_has_its_tables() {
    let home = Home::new();
    fs::write(home.path("row.toml"), "name = 'row'\nboard = { row = 3 }\nmove = [{ shape = 'X' }]\n").unwrap();
    for game in [&["cram", "--set", "rows=2"][..], &["cram", "--set", "rows=3"], &["kayles"], &["row.toml"]] {
        home.run(&[&["build"], game].concat());
    }
    let tables = |game: &str| {
        let listed = home.json(&["list", game, "--json"]);
        let tables = listed["tables"].as_array().unwrap().iter();
        tables.map(|table| table["game"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(tables("cram"), ["cram-2x4-normal", "cram-3x4-normal"]);
    assert_eq!((tables("row.toml"), tables("trail")), (vec!["row".to_owned()], vec![]));
    assert_eq!(tables("tactics"), ["tactics-4x4-run4-misere"]);
    assert!(home.fails(2, &["list", "tactisc"]).contains("did you mean tactics?"));
    assert!(home.fails(2, &["list", "cram.tb"]).contains("see a table with 'tablegen info'"));
}

#[test]
fn help_prints_commands_and_pages_of_the_book() {
    let home = Home::new();
    let all = home.run(&["help"]);
    assert!(
        all.starts_with(&home.run(&["--help"])) && all.contains("\nHelp topics, printed by 'tablegen help TOPIC':\n")
    );
    let topics = all.split("TOPIC':\n").nth(1).unwrap().lines().map(|line| line.split_whitespace().next().unwrap());
    let topics: Vec<&str> = topics.collect();
    assert!(topics.len() > 15 && topics.contains(&"rules-keys"), "{topics:?}");
    for topic in topics {
        assert!(home.run(&["help", topic]).starts_with("# "), "{topic}");
    }
    assert_eq!(home.run(&["help", "build"]), home.run(&["build", "--help"]));
    assert!(home.fails(2, &["help", "rule-keys"]).contains("(did you mean rules-keys?); see 'tablegen help'"));
    assert!(home.fails(2, &["help", "quux"]).contains("expected a command or a topic, found \"quux\""));
}

/// `TRYCMD=overwrite` writes the page.
#[test]
fn the_page_about_commands_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/commands.md");
    let page = Home::new().run(&["man", "--markdown"]);
    if std::env::var_os("TRYCMD").is_some_and(|mode| mode == "overwrite") {
        fs::write(&path, &page).unwrap();
    }
    let shown = fs::read_to_string(&path).unwrap_or_default();
    assert!(shown == page, "{} differs from the program; TRYCMD=overwrite writes it", path.display());
}
