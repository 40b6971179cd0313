//! `mcgs`: rows with `|` or `/` between them, in the signs of MCGS, CGSuite and cgt, as in `XO.|.#.`.
//!
//! X or @ is a piece of the side that begins, O one of the other side. # or * is a filled square where pieces have one colour, otherwise a
//! blocked one. After a blank stands the side to move: the mode, or X or B, or O or W.

use super::Found;
use super::flat::wrong;
use super::shape::Shape;
use crate::Game;
use crate::error::Fault;
use crate::rules::Node;

pub(super) fn read(game: &dyn Game, text: &str) -> Found {
    let shape = Shape::of(game)?;
    let (board, word) =
        text.split_once(char::is_whitespace).map_or((text, None), |(board, word)| (board, Some(word.trim())));
    let rows: Vec<&str> = board.split(['|', '/']).collect();
    let found: Vec<usize> = rows.iter().map(|row| row.chars().count()).collect();
    if found != shape.rows {
        // Only a bar tells that the text is no text of the game itself.
        let listed = |rows: &[usize]| rows.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let fault = || Fault::new(format!("rows of {} squares", listed(&shape.rows)), listed(&found)).of_size();
        return board.contains('|').then(|| Err(fault()));
    }
    let own: Result<String, char> = rows.concat().chars().map(|sign| shape.own(sign).ok_or(sign)).collect();
    match own {
        Err(sign) => board.contains('|').then(|| Err(wrong(&shape, sign))),
        Ok(own) => Some(shape.read(&own, word)).filter(|read| read.is_ok() || board.contains('|')),
    }
}

pub(super) fn write(game: &dyn Game, node: Node) -> Option<String> {
    let shape = Shape::of(game)?;
    let (signs, mode) = shape.write(node)?;
    let sign = |sign: char| match (sign, &shape.signs[..]) {
        ('*', _) => '#',
        (sign, [own]) if sign == *own => '#',
        (sign, _) => shape.usual(sign),
    };
    let mut signs = signs.chars().map(sign);
    let rows: Vec<String> = shape.rows.iter().map(|&length| signs.by_ref().take(length).collect()).collect();
    let board = rows.join("|");
    // Where holes have the sign # as well, a filled square would be one.
    let text = mode.map_or_else(|| board.clone(), |mode| format!("{board} {mode}"));
    let again = read(game, &text)?.ok()?;
    (again.node == node).then_some(text)
}
