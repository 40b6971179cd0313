//! Pieces that fall: in the rules, each lies on another piece or at the end of the board. A player may then point at any free square
//! above.

use super::squares::{Offset, Squares};
use crate::rules::{Board, Move, Rules};

/// The way in which pieces fall: from a square to the one that supports its piece. `None` if pieces do not fall.
///
/// In each move of such a game, one square is filled. The square that supports it must be filled already, or is beyond the board.
pub(super) fn fall(rules: &Rules, squares: &Squares) -> Option<Offset> {
    if squares.is_graph() {
        return None;
    }
    let mut fall = None;
    for m in rules.moves() {
        let ([filled], supports) = (&squares.touched(m.fills)[..], squares.touched(m.full)) else {
            return None;
        };
        if let Some(&support) = supports.first() {
            let step = squares.step(*filled, support);
            if supports.len() > 1 || *fall.get_or_insert(step) != step {
                return None;
            }
        }
    }
    let step = fall?;
    let is_at_end = |m: &Move| squares.touched(m.fills).iter().all(|&s| squares.beyond(s, step).next().is_none());
    let falls = |m: &Move| !m.full.is_empty() || is_at_end(m);
    rules.moves().iter().all(falls).then_some(step)
}

/// The squares at which a player may point to make `m`: the one that it fills and those above, each with its cells.
pub(super) fn above(squares: &Squares, m: &Move, fall: Offset) -> Vec<Board> {
    let filled = squares.touched(m.fills).into_iter().take(1);
    let above = filled.flat_map(|square| squares.beyond(square, fall.back()));
    std::iter::once(m.own()).chain(above.filter_map(|square| squares.cells_of(square))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, LIBRARY, Parameters};

    #[test]
    fn pieces_fall_in_one_game_of_the_library() {
        let falls = |name: &str| {
            let game = LIBRARY.iter().find(|game| game.name == name).unwrap().read(&Parameters::new()).unwrap();
            fall(game.rules(), &game.squares)
        };
        assert_eq!(
            ["connect-four", "col", "snort", "hex", "cram"].map(falls),
            [Some(Offset { rows: 1, cols: 0 }), None, None, None, None]
        );
    }

    #[test]
    fn a_player_may_point_at_any_square_above() {
        let game = LIBRARY.iter().find(|game| game.name == "connect-four").unwrap().read(&Parameters::new()).unwrap();
        let sizes = game.rules().moves().iter().map(|m| game.pointed_at(m).len());
        let (most, least) = (sizes.clone().max(), sizes.min());
        assert_eq!((most, least), (Some(4), Some(1)));
    }
}
