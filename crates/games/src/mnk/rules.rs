//! The rules of an m,n,k game: one move for each side and square, and the lines that end the game.

use super::super::side::{SIDES, Side};
use super::super::{Grid, Play};
use super::TICTACTOE;
use crate::rules::{Board, End, Move, Outcome, RulesSpec};

/// The directions of lines, as rows down and columns right.
pub(super) const DIRECTIONS: [(u32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// The rules: X moves from mode x to mode o, and O moves back. A terminal pattern belongs to the mode of the player who
/// did not make the line.
pub(super) fn rules(grid: Grid, k: u32, play: Play, lines: &[Board]) -> RulesSpec {
    let squares = grid.squares();
    let plane = |side, marks: Board| match side {
        Side::First => marks << squares,
        Side::Second => marks,
    };
    let moves = SIDES.iter().flat_map(|&side| {
        grid.coords(Board::full(squares)).map(move |(row, col)| {
            let square = grid.square(row, col);
            let (mode, next) = (side.mode(), side.other().mode());
            Move { mode, next, empty: plane(Side::First, square) | square, ..Move::fill(plane(side, square)) }
        })
    });
    let ends = SIDES.iter().flat_map(|&side| {
        let end = move |&line| End {
            mode: side.mode(),
            pattern: plane(side.other(), line),
            outcome: play.terminal().into(),
            empty: Board::EMPTY,
        };
        lines.iter().map(end)
    });
    let Grid { rows, cols } = grid;
    // Equal rules need equal names, so the 3,3,3 game has the name of tic-tac-toe in both families.
    let name = match (rows, cols, k, play) {
        (3, 3, 3, Play::Normal) => TICTACTOE.name.into(),
        _ => format!("mnk-{rows}x{cols}-k{k}-{}", play.name()),
    };
    RulesSpec {
        modes: vec!["x".into(), "o".into()],
        moves: moves.collect(),
        ends: ends.collect(),
        terminal: Outcome::Draw,
        symmetries: grid.symmetries(2, SIDES.len()),
        ..RulesSpec::new(name, 2 * squares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_lines_is_that_on_paper() {
        let count = |rows, cols, k| Grid { rows, cols }.lines(&DIRECTIONS, k..=k).len();
        // Rows, columns, diagonals: 3 + 3 + 2; 3*2 + 4*1 + 2*2; 4*2 + 4*2 + 2*4; 4 + 4 + 2.
        assert_eq!([count(3, 3, 3), count(3, 4, 3), count(4, 4, 3), count(4, 4, 4)], [8, 14, 24, 10]);
        // Only lines along the longer side; every pair of neighbours; every square, once.
        assert_eq!([count(2, 5, 4), count(2, 2, 2), count(2, 3, 1), count(1, 1, 1)], [4, 6, 6, 1]);
    }
}
