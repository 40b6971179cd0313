//! The tables and examples in `docs/rules-files.md` are correct.

use crate::common::sparse_of;
use crate::rules_file::{game, read};
use tablegen::game::{Game, library};
use tablegen::rules::Node;

const PAGE: &str = include_str!("../../../docs/rules-files.md");

/// The cells of the table row that begins with `name`.
fn row(name: &str) -> Vec<&'static str> {
    let begin = format!("| `{name}` |");
    let line = PAGE.lines().find(|line| line.starts_with(&begin)).unwrap_or_else(|| panic!("no row of {name}"));
    line.trim_matches('|').split('|').map(str::trim).collect()
}

#[test]
fn the_table_of_the_library() {
    for file in library() {
        let made = game(file.name, "");
        let row = row(file.name);
        let parameters = made.parameters().iter().map(|p| format!("`{}` ({})", p.name, p.default));
        let parameters = parameters.collect::<Vec<_>>().join(" ");
        assert_eq!(row[2], if parameters.is_empty() { "none".into() } else { parameters }, "{}", file.name);
        let text = row[3].trim_matches('`');
        let place = made.read(text).unwrap_or_else(|e| panic!("{}: {e}", file.name)).node;
        assert_eq!(made.write(place), text);
        let Node::At(position) = place else { panic!("{} has no opening", file.name) };
        assert!(sparse_of(&made).outcome(position).is_some(), "{}: play reaches {text}", file.name);
    }
}

#[test]
fn the_small_example() {
    let toml = PAGE.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let ours = game("kayles", "pins=12");
    assert_eq!(read(toml, "").expect("it is sound").rules(), ours.rules());
}
