//! `obf`: a line of an OBF file of Othello: all squares in one row, the side to move, and perhaps moves with scores, which are skipped.
//!
//! X, * or B is the side that begins, O or W the other side, and - or . a free square.

use super::Found;
use super::flat::wrong;
use super::shape::Shape;
use crate::Game;
use crate::error::Fault;
use crate::rules::Node;

pub(super) fn read(game: &dyn Game, text: &str) -> Found {
    let shape = Shape::of(game)?;
    let mut lines = text.lines().map(|line| line.split([';', '%']).next().unwrap_or_default());
    let line = lines.next().unwrap_or_default();
    // Another line is another position.
    if lines.any(|line| !line.trim().is_empty()) {
        return None;
    }
    let signs: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
    let own = |&sign: &char| match sign {
        '*' => Some(shape.signs[0]),
        sign => shape.own(sign),
    };
    let whole = shape.squares();
    let Some((board, [side])) = signs.split_at_checked(whole) else {
        // Squares alone, or with a side after a blank.
        let has_side =
            line.trim_end().rsplit_once(char::is_whitespace).is_some_and(|(_, side)| side.chars().count() == 1);
        let squares = signs.len() - usize::from(has_side);
        let is_board = 2 * squares > whole && signs[..squares].iter().all(|sign| own(sign).is_some());
        let fault = match squares == whole {
            true => Fault::new("the side to move after the squares, X or O", "none"),
            false => Fault::new(format!("{whole} squares"), squares.to_string()).of_size(),
        };
        return is_board.then(|| Err(fault.after(line.len())));
    };
    let own: Result<String, char> = board.iter().map(|sign| own(sign).ok_or(*sign)).collect();
    Some(own.map_err(|sign| wrong(&shape, sign)).and_then(|own| shape.read(&own, Some(&side.to_string()))))
}

pub(super) fn write(game: &dyn Game, node: Node) -> Option<String> {
    let shape = Shape::of(game)?;
    let (signs, _) = shape.write(node)?;
    let usual = |sign| if sign == '.' { '-' } else { shape.usual(sign) };
    Some(format!("{} {}", signs.chars().map(usual).collect::<String>(), shape.side(node)?))
}
