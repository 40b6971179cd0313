//! Remoteness and nimbers in the output of probe, info and line.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tablegen::engine;
use tablegen::game::{Coverage, Game, Parameters};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::solve::{Method, Options, solve};
use tablegen::table::SaveTable;

use super::Home;

pub(super) const REMOTENESS: LabelSet = LabelSet::OUTCOME.with(LabelKind::Remoteness);

impl Home {
    /// Saves a table of `game` with `labels` where the program finds it by the name of the game.
    fn table_of(&self, game: &dyn Game, labels: LabelSet) -> PathBuf {
        let method = if game.coverage() == Some(Coverage::Reachable) { Method::Sparse } else { Method::Dense };
        let options = Options { labels, roots: &game.roots(), ..Options::of(method) };
        let solution = solve(game.rules(), &options).expect("a small game");
        fs::create_dir_all(self.data()).unwrap();
        let path = self.data().join(format!("{}.tb", game.rules().name()));
        solution.save(&game.descriptor(), &path).unwrap();
        path
    }

    /// [`table_of`](Self::table_of), for the game called `name`.
    pub(super) fn table(&self, name: &str, parameters: &[(&str, &str)], labels: LabelSet) -> PathBuf {
        let parameters = parameters.iter().map(|&(key, value)| (key.into(), value.into())).collect::<Vec<_>>();
        self.table_of(engine::game(name, &Parameters::from(parameters)).expect("a game").as_ref(), labels)
    }
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
