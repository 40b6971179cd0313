//! An answer as JSON, as `contract.md` words it.

use serde_json::{Map, Value, json};
use tablegen::rules::Place;

use super::{Answer, Source};
use crate::cli::words;

/// The largest number up to which every whole number is exact in the floating point that JSON readers use.
const EXACT: u64 = 1 << 53;

pub(super) fn object(source: &Source, answer: &Answer) -> Value {
    let (game, probe) = (source.game.as_ref(), &answer.probe);
    let rules = game.rules();
    let board = match probe.place {
        Place::Opening => 0,
        Place::At(position) => position.board.0,
    };
    let mut object = Map::new();
    let mut set = |key: &str, value: Value| object.insert(key.to_owned(), value);
    set("game", json!(rules.name));
    set("position", json!(game.write(probe.place)));
    set("board", if board <= EXACT { json!(board) } else { Value::Null });
    if board > EXACT {
        set("board_hex", json!(format!("{board:#x}")));
    }
    set("mode", json!(words::mode_of(rules, probe.place)));
    set("outcome", json!(probe.value.outcome.name()));
    set("over", json!(probe.over));
    set("remoteness", json!(probe.value.remoteness));
    set("nimber", json!(probe.value.nimber));
    set("source", json!(source.name));
    let moves = probe.moves.iter().map(|choice| {
        json!({
            "move": game.write_move(probe.place, choice.to),
            "position": game.write(choice.to.into()),
            "outcome": choice.value.outcome.name(),
            "remoteness": choice.value.remoteness,
            "nimber": choice.value.nimber,
        })
    });
    set("moves", moves.collect());
    object.into()
}
