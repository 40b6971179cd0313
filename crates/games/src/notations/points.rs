//! `points`: moves by the names of points, as in `a7 d7xg7 a7-a4`, or the pieces of each side by points, as in `X=a7,d7 O=g7 x-6-8`.

use super::{Found, at, moves};
use crate::Game;
use crate::error::Fault;
use crate::number::{listed, named_mode};
use crate::rules::{Board, Mode, Node};
use crate::scene::ScenePlace;

pub(super) fn read(game: &dyn Game, text: &str) -> Found {
    if !text.contains('=') {
        return moves::read(game, text);
    }
    Some(pieces(game, text).map(Into::into))
}

/// Reads the pieces of each side, and the mode.
fn pieces(game: &dyn Game, text: &str) -> Result<Node, Fault> {
    let (scene, rules) = (game.scene(), game.rules());
    let (mut board, mut mode) = (Board::EMPTY, None);
    for word in text.split_whitespace() {
        let Some((sign, points)) = word.split_once('=') else {
            let expected = |modes| match game.modes_in_words(word) {
                Some(form) => format!("{form} after the pieces"),
                None => format!("one of {modes} after the pieces"),
            };
            let found: Result<Mode, _> = named_mode(rules, text, word, expected);
            mode = Some(found.map_err(Fault::from)?);
            continue;
        };
        let signs: Vec<String> = scene.signs.iter().map(char::to_string).collect();
        let colour = signs
            .iter()
            .position(|known| known.eq_ignore_ascii_case(sign))
            .ok_or_else(|| Fault::new(format!("{} before =", signs.join(" or ")), format!("{sign:?}")))?;
        for name in points.split(',').filter(|name| !name.is_empty()) {
            let is_it = |place: &&ScenePlace| place.name.eq_ignore_ascii_case(name);
            let place = scene.places.iter().find(is_it).ok_or_else(|| {
                let names: Vec<String> = scene.places.iter().map(|place| place.name.clone()).collect();
                Fault::new(format!("a point, such as {}", listed(&names)), format!("{name:?}"))
            })?;
            let cell = place.cells.get(colour).copied().filter(|cell| *cell != Board::EMPTY);
            board |= cell.ok_or_else(|| Fault::new(format!("a point where {sign} may stand"), format!("{name:?}")))?;
        }
    }
    let position = game.of_number(text, mode, board).map_err(Fault::from)?;
    Ok(position.into())
}

/// The move called `text` as people write it: with a dash where a piece leaves a point for another one.
pub(super) fn written(text: &str) -> String {
    // Several names of one move are joined.
    if text.contains('/') { text.into() } else { text.replace('>', "-") }
}

pub(super) fn write(game: &dyn Game, node: Node) -> Option<String> {
    let position = at(node)?;
    let scene = game.scene();
    let of_colour = |(colour, sign): (usize, &char)| {
        let filled = |place: &&ScenePlace| place.cells.get(colour).is_some_and(|cell| position.board.contains(*cell));
        let names: Vec<&str> = scene.places.iter().filter(filled).map(|place| place.name.as_str()).collect();
        format!("{sign}={}", names.join(","))
    };
    let words: Vec<String> = scene.signs.iter().enumerate().map(of_colour).collect();
    let mode = game.rules().mode_name(position.mode).map(str::to_owned);
    Some(words.into_iter().chain(mode).collect::<Vec<_>>().join(" "))
}
