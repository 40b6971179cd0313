//! `flat`: all squares in one row, as in `xxo.o....`, or with a comma after each square.

use super::Found;
use super::shape::Shape;
use crate::Game;
use crate::error::Fault;
use crate::rules::Node;

/// The number of squares for which a data set of the field writes `b` for a free square.
const WITH_BLANKS: usize = 9;

pub(super) fn read(game: &dyn Game, text: &str) -> Found {
    let shape = Shape::of(game)?;
    let (board, word) =
        text.split_once(char::is_whitespace).map_or((text, None), |(board, word)| (board, Some(word.trim())));
    let signs: Vec<char> = board.chars().filter(|&c| c != ',').collect();
    if signs.len() != shape.squares() {
        let is_board = 2 * signs.len() > shape.squares() && signs.iter().all(|&sign| shape.own(sign).is_some());
        let fault = || Fault::new(format!("{} squares", shape.squares()), signs.len().to_string()).of_size();
        return is_board.then(|| Err(fault().after(board.len())));
    }
    let has_free = signs.iter().any(|&sign| shape.own(sign) == Some('.'));
    let blanks = signs.len() == WITH_BLANKS && !has_free && shape.own('b').is_none();
    let own = |&sign: &char| if blanks && sign == 'b' { Ok('.') } else { shape.own(sign).ok_or(sign) };
    let own: Result<String, char> = signs.iter().map(own).collect();
    Some(own.map_err(|sign| wrong(&shape, sign)).and_then(|own| shape.read(&own, word)))
}

/// The fault that `sign` is no square of the board.
pub(super) fn wrong(shape: &Shape<'_>, sign: char) -> Fault {
    Fault::new(format!("{} in each square", legend(shape)), format!("{sign:?}"))
}

/// The signs of squares in words.
pub(super) fn legend(shape: &Shape<'_>) -> String {
    let signs: Vec<String> = shape.signs.iter().map(char::to_string).collect();
    format!("{} or one of . _ - (free)", signs.join(" or "))
}

pub(super) fn write(game: &dyn Game, node: Node) -> Option<String> {
    let (signs, mode) = Shape::of(game)?.write(node)?;
    Some(mode.map_or_else(|| signs.clone(), |mode| format!("{signs} {mode}")))
}
