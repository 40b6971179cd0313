//! Drawn positions as JSON.

use serde_json::{Value as Json, json};

use super::{Object, object};
use crate::engine::{View, ViewMove};
use tablegen_games::{Game, Place, Vertex};

/// A position on the board of its game. Places and vertices are numbered from 0 in the order of their lists.
#[must_use]
pub fn view(game: &dyn Game, view: &View) -> Json {
    let scene = &view.scene;
    let all = object([
        ("game", json!(game.rules().name())),
        ("position", json!(view.position)),
        ("layout", json!(scene.layout.name())),
        ("size", json!(scene.size)),
        ("signs", json!(scene.signs)),
        ("places", scene.places.iter().map(place).collect()),
        ("joints", scene.vertices.iter().map(vertex).collect()),
        ("lines", json!(scene.lines)),
        ("states", json!(view.states)),
        ("joint", json!(view.vertex)),
        ("players", json!(view.players)),
        ("ending", json!(view.ending)),
        ("moves", view.moves.iter().map(|m| Json::from(move_of(m))).collect()),
    ]);
    all.into()
}

fn place(place: &Place) -> Json {
    let mut all = object([("name", json!(place.name)), ("at", json!(place.at))]);
    if let Some(ends) = place.ends {
        all.insert("ends".into(), json!(ends));
    }
    all.into()
}

fn vertex(vertex: &Vertex) -> Json {
    json!({"name": vertex.name, "at": vertex.at})
}

fn move_of(m: &ViewMove) -> Object {
    let mut all = object([
        ("move", json!(m.text)),
        ("position", json!(m.position)),
        ("changes", json!(m.changes)),
        ("handles", json!(m.handles)),
        ("joint", json!(m.vertex)),
    ]);
    if m.again {
        all.insert("again".into(), json!(true));
    }
    all
}
