//! The pages about rules files are correct: each recipe is a game, and the reference lists every key.

use crate::rules_file::{game, read};
use tablegen::game::Game;

const RECIPES: &str =
    concat!(include_str!("../../../docs/how-to/rules-files.md"), include_str!("../../../docs/how-to/more-rules.md"));
const REFERENCE: &str = include_str!("../../../docs/reference/rules-keys.md");

/// The files of the recipes, in the order of the two pages.
fn recipes() -> Vec<&'static str> {
    let after_fences = RECIPES.split("```toml\n").skip(1);
    after_fences.map(|rest| rest.split("```").next().expect("a fence that closes")).collect()
}

#[test]
fn each_recipe_is_a_game_without_warnings() {
    let files = recipes();
    assert!(files.len() > 15, "{} recipes", files.len());
    for file in files {
        let warnings = read(file, "").unwrap_or_else(|e| panic!("{e}\n{file}")).report().warnings;
        assert!(warnings.is_empty(), "{warnings:?}\n{file}");
    }
}

#[test]
fn the_first_recipe_is_kayles() {
    let ours = game("kayles", "pins=12");
    assert_eq!(read(recipes()[0], "").expect("it is sound").rules(), ours.rules());
}

/// The keys of the table that has an unknown key in `text`. The error of that key lists them.
fn known_keys(text: &str) -> Vec<String> {
    let error = read(text, "").expect_err("an unknown key");
    let list = error.split_once("one of the keys ").and_then(|(_, rest)| rest.split_once(" of "));
    let (keys, _) = list.unwrap_or_else(|| panic!("no list of keys in {error}"));
    keys.split(", ").map(str::to_owned).collect()
}

#[test]
fn the_reference_lists_every_key() {
    // The rows whose first cell names keys.
    let first_cells =
        REFERENCE.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split('|').nth(1));
    let listed: Vec<&str> = first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let board = "board = { row = 2 }\nmove = [{ shape = \"X\" }]";
    for text in [
        "zzz = 1".to_owned(),
        "parameters = { rows = { zzz = 1 } }".into(),
        "board = { zzz = 1 }".into(),
        "group = [{ zzz = 1 }]".into(),
        "move = [{ zzz = 1 }]".into(),
        "end = [{ zzz = 1 }]".into(),
        format!("{board}\nstart = {{ zzz = 1 }}"),
        format!("{board}\nlooks = {{ zzz = 1 }}"),
    ] {
        for key in known_keys(&text) {
            assert!(listed.contains(&key.as_str()), "the page lacks {key} of {text}");
        }
    }
}
