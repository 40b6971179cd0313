//! Drawn positions as JSON.

use serde_json::{Value as Json, json};

use super::{Object, named_move, object};
use crate::{Preview, View, ViewMove};
use tablegen_games::{Area, Border, Colour, Game, Looks, Piece, ScenePlace, Vertex};
use tablegen_rules::{Board, Mode, Node, Position};

/// A position on the board of its game. Places and vertices are numbered from 0 in the order of their lists.
#[must_use]
pub fn view(game: &dyn Game, view: &View) -> Json {
    let mut all = board(game, view);
    all.insert("moves".into(), view.moves.iter().map(|m| Json::from(move_of(game, m))).collect());
    if let Some(modes) = modes(game).filter(|_| view.in_hand.is_none()) {
        all.insert("modes".into(), modes);
    }
    if !view.line.is_empty() {
        all.insert("line".into(), json!(view.line));
    }
    all.into()
}

/// The modes of a game in which they say more than the side to move, each with this side if it has one.
fn modes(game: &dyn Game) -> Option<Json> {
    let side = |mode| Some(game.players(Node::At(Position::new(Mode(mode), Board::EMPTY)))?[0].clone());
    let all: Vec<(&String, Option<String>)> =
        game.rules().modes().iter().zip(0..).map(|(name, mode)| (name, side(mode))).collect();
    let is_side =
        |(name, side): &(&String, Option<String>)| side.as_ref().is_some_and(|side| side.eq_ignore_ascii_case(name));
    let says_more = all.len() > 1 && !all.iter().all(is_side);
    says_more.then(|| all.iter().map(|(name, side)| json!({"name": name, "side": side})).collect())
}

/// A position in the middle of a game, with the plies that led to it instead of its moves.
#[must_use]
pub fn preview(game: &dyn Game, preview: &Preview) -> Json {
    let mut all = board(game, &preview.view);
    let ply = |(m, player): &(ViewMove, usize)| {
        let mut all = move_of(game, m);
        all.insert("player".into(), json!(player));
        Json::from(all)
    };
    all.extend(object([
        ("players", json!(preview.players)),
        ("moves", json!([])),
        ("plies", preview.plies.iter().map(ply).collect()),
    ]));
    all.into()
}

/// The board of a position, without its moves.
fn board(game: &dyn Game, view: &View) -> Object {
    let scene = &view.scene;
    let mut all = object([
        ("game", json!(game.rules().name())),
        ("title", json!(game.title())),
        ("position", json!(view.position)),
        ("layout", json!(scene.layout.name())),
        ("size", json!(scene.size)),
        ("signs", json!(scene.signs)),
        ("places", scene.places.iter().map(place).collect()),
        ("joints", scene.vertices.iter().map(vertex).collect()),
        ("lines", json!(scene.lines)),
        ("areas", scene.areas.iter().map(area).collect()),
        ("ground", json!(scene.ground)),
        ("blocks", json!(scene.blocks)),
        ("sides", json!(scene.sides.as_ref().or(game.named_players()))),
        ("looks", looks(&scene.looks)),
        ("states", json!(view.states)),
        ("joint", json!(view.vertex)),
        ("players", json!(view.players)),
        ("ending", json!(view.ending)),
    ]);
    if game.rules().counts_points() {
        all.insert("unit".into(), json!(game.unit()));
        if let Some(place) = game.counted() {
            all.insert("counted".into(), json!(place));
        }
        if let Some(names) = game.named_players() {
            all.insert("names".into(), json!(names));
        }
        all.insert("aim".into(), json!(if game.counts_fewest() { "fewest" } else { "most" }));
    }
    if view.lead != 0 {
        all.insert("lead".into(), json!(view.lead));
    }
    if let Some(points) = view.shown_points {
        all.insert("shown_points".into(), json!(points));
    }
    if let Some(left) = view.in_hand {
        all.insert("in_hand".into(), json!(left));
    }
    all
}

fn looks(looks: &Looks) -> Json {
    let borders = looks.borders.iter().map(|edges| edges.iter().map(|edge| Border::name(*edge)).collect::<Vec<_>>());
    json!({
        "board": looks.surface.name(),
        "pieces": looks.pieces.map(Piece::name),
        "colours": looks.colours.map(Colour::name),
        "borders": borders.collect::<Vec<_>>(),
        "paint": looks.paint.iter().map(|colour| colour.map(Colour::name)).collect::<Vec<_>>(),
    })
}

fn place(place: &ScenePlace) -> Json {
    let mut all = object([("name", json!(place.name)), ("at", json!(place.at))]);
    if let Some(ends) = place.ends {
        all.insert("ends".into(), json!(ends));
    }
    all.into()
}

fn area(area: &Area) -> Json {
    json!({"name": area.name, "at": area.at, "size": area.size, "places": area.places})
}

fn vertex(vertex: &Vertex) -> Json {
    json!({"name": vertex.name, "at": vertex.at})
}

fn move_of(game: &dyn Game, m: &ViewMove) -> Object {
    let mut all = named_move(game, &m.text, &m.position);
    all.extend(object([("changes", json!(m.changes)), ("handles", json!(m.handles)), ("joint", json!(m.vertex))]));
    if m.gain != 0 {
        all.insert("gain".into(), json!(m.gain));
    }
    if m.again {
        all.insert("again".into(), json!(true));
    }
    all
}
