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
