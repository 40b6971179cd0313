//! Help: pages of the book, and the page about all commands. The session `tables` has the options of a game.

use std::fs;
use std::path::Path;

use super::Home;

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
