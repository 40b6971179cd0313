//! What a player sees of remoteness and nimbers: probe, info, line.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tablegen::engine;
use tablegen::game::{Coverage, Game, Parameters};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::solve::{Method, Options, solve};

use super::Home;

const REMOTENESS: LabelSet = LabelSet::OUTCOME.with(LabelKind::Remoteness);

impl Home {
    /// A table of `game` with `labels`, where the program finds it by the name of the game.
    fn table_of(&self, game: &dyn Game, labels: LabelSet) -> PathBuf {
        let method = if game.coverage() == Some(Coverage::Reachable) { Method::Sparse } else { Method::Dense };
        let options = Options { method, labels, roots: &game.roots(), ..Options::default() };
        let solution = solve(game.rules(), &options).expect("a small game");
        fs::create_dir_all(self.data()).unwrap();
        let path = self.data().join(format!("{}.tb", game.rules().name()));
        solution.save(&game.descriptor(), &path).unwrap();
        path
    }

    /// [`table_of`](Self::table_of), for the game called `name`.
    fn table(&self, name: &str, parameters: &[(&str, &str)], labels: LabelSet) -> PathBuf {
        let parameters = parameters.iter().map(|&(key, value)| (key.into(), value.into())).collect::<Vec<_>>();
        self.table_of(engine::game(name, &Parameters::from(parameters)).expect("a game").as_ref(), labels)
    }
}

/// The lines of `text` after the one that is `from`, up to an empty one.
fn after<'a>(text: &'a str, from: &str) -> Vec<&'a str> {
    let (_, rest) = text.split_once(&format!("\n{from}\n")).unwrap_or_else(|| panic!("no {from:?} in {text}"));
    rest.lines().take_while(|line| !line.is_empty()).collect()
}

#[test]
fn a_probe_says_how_many_plies() {
    let home = Home::new();
    home.table("tactics", &[], REMOTENESS);
    let start = home.run(&["probe", "tactics"]);
    assert!(start.contains("\na loss in 15 plies: the winner hurries, the loser delays\n"), "{start}");
    let rows = after(&start, "every move loses:");
    assert!(rows[0].starts_with("  15 plies  ") && rows.iter().any(|row| row.starts_with("  13 plies  ")), "{rows:?}");
    assert!(rows.iter().all(|row| row.starts_with("            ") || row.contains(" plies  ")), "{rows:?}");

    let end = home.run(&["probe", "tactics", "XXXX/XXXX/XXXX/XX.."]);
    assert!(end.contains("\na win in 2 plies: the winner hurries, the loser delays\n"), "{end}");
    assert!(end.contains("\nc4          d4\n2 plies     2 plies\n  a b c d     a b c d\n"), "{end}");
    assert!(end.contains("\nlosing:\n  1 ply  c4-d4\n"), "{end}");
    let over = home.run(&["probe", "tactics", "0xffff"]);
    assert!(!over.contains("plies") && !over.contains("ply"), "{over}");
    assert_eq!(home.run(&["probe", "tactics", "--brief"]), "loss\n");
    let last = home.run(&["probe", "tactics", "0xfffe"]);
    assert!(last.contains("\na loss in 1 ply\n") && last.contains("\nevery move loses:\n  1 ply  d4\n"), "{last}");
}

#[test]
fn a_probe_says_the_nimbers() {
    let home = Home::new();
    home.table("kayles", &[("pins", "7")], LabelSet::ALL);
    let start = home.run(&["probe", "kayles", "--set", "pins=7"]);
    assert!(start.contains("\nnimber 2\n") && start.contains("\nnimber 0"), "{start}");
    // Within one remoteness by nimber, and plies and nimbers each in a column.
    let rows = after(&start, "losing:");
    let lead = |row: &str| row.find("nimber").map(|at| (row[..at].to_owned(), row[at + 7..].to_owned()));
    assert!(rows.iter().all(|row| lead(row).is_some_and(|(plies, _)| plies.len() == "  5 plies, ".len())), "{rows:?}");
    assert!(
        rows.is_sorted_by_key(|row| lead(row).map(|(plies, nimber)| (std::cmp::Reverse(plies), nimber))),
        "{rows:?}"
    );

    let alone = Home::new();
    alone.table("kayles", &[("pins", "7")], LabelSet::OUTCOME.with(LabelKind::Nimber));
    let start = alone.run(&["probe", "kayles", "--set", "pins=7"]);
    assert!(!start.contains("ply") && !start.contains("plies") && start.contains("\nlosing:\n  nimber "), "{start}");
}

/// The longest draw, the quickest win and the slowest loss come first, at openings too.
#[test]
fn moves_are_in_the_order_of_their_remoteness() {
    let home = Home::new();
    home.table("tictactoe", &[], REMOTENESS);
    home.table("dominoes", &[("n", "4")], REMOTENESS);
    for arguments in [&["tictactoe", ".../.../..."][..], &["tictactoe", "X.O/.X./..O"], &["dominoes", "--n", "4"]] {
        let object = home.json(&[&["probe", "--json"], arguments].concat());
        let moves = object["moves"].as_array().unwrap();
        let key = |m: &Value| {
            let plies = m["remoteness"].as_i64().expect("a remoteness");
            match m["outcome"].as_str().unwrap() {
                "win" => (0, plies),
                "draw" => (1, -plies),
                _ => (2, -plies),
            }
        };
        assert!(moves.len() > 1 && moves.is_sorted_by_key(key), "{moves:?}");
        assert_eq!((&moves[0]["outcome"], &moves[0]["remoteness"]), (&object["outcome"], &object["remoteness"]));
        let text = home.run(&[&["probe"], arguments].concat());
        let value = format!("\na {} in {} plies", object["outcome"].as_str().unwrap(), object["remoteness"]);
        assert!(text.contains(&value), "{text}");
    }
    let start = home.json(&["probe", "tictactoe", "--json"]);
    assert_eq!((&start["outcome"], &start["remoteness"], &start["over"]), (&json!("draw"), &json!(9), &json!(false)));
}
