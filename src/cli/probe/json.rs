//! An answer as JSON, as `contract.md` words it.

use serde_json::{Map, Value as Json, json};
use tablegen::game::{self, Answer};
use tablegen::label::Value;
use tablegen::rules::Node;

use super::{Source, UNKNOWN};
use crate::cli::words;

/// The largest number up to which every whole number is exact in the floating point that JSON readers use.
const EXACT: u64 = 1 << 53;

pub(super) fn object(source: &Source, answer: &Answer) -> Json {
    let rules = source.game.rules();
    // Where the rules do not hold the position, they have no board for it.
    let board = answer.node.map(|node| match node {
        Node::Opening => 0,
        Node::At(position) => position.board.0,
    });
    let mut object = Map::new();
    let mut set = |key: &str, value: Json| object.insert(key.to_owned(), value);
    set("game", json!(rules.name()));
    set("position", json!(answer.position));
    set("board", json!(board.filter(|&board| board <= EXACT)));
    if let Some(board) = board.filter(|&board| board > EXACT) {
        set("board_hex", json!(format!("{board:#x}")));
    }
    set("mode", json!(answer.node.and_then(|node| words::mode_of(rules, node))));
    set("outcome", outcome(answer.value));
    set("over", json!(answer.over));
    set("remoteness", json!(answer.value.and_then(|value| value.remoteness)));
    set("nimber", json!(answer.value.and_then(|value| value.nimber)));
    let of_answer = match answer.source {
        game::Source::Table => source.name,
        game::Source::Search => answer.source.name(),
    };
    set("source", json!(of_answer));
    let moves = answer.moves.iter().map(|m| {
        json!({
            "move": m.text,
            "position": m.position,
            "outcome": outcome(m.value),
            "remoteness": m.value.and_then(|value| value.remoteness),
            "nimber": m.value.and_then(|value| value.nimber),
        })
    });
    set("moves", moves.collect());
    object.into()
}

fn outcome(value: Option<Value>) -> Json {
    json!(value.map_or(UNKNOWN, |value| value.outcome.name()))
}
