//! The rules of an m,n,k game: one move for each side and square, and the lines that end the game.

use super::super::{Grid, Play};
use super::TICTACTOE;
use crate::rules::{Board, End, Mode, Move, Outcome, RulesSpec};

/// The sides, in the order of the modes.
pub(super) const SIDES: [Side; 2] = [Side::X, Side::O];

/// A player.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    X,
    O,
}

impl Side {
    pub(super) const fn mark(self) -> char {
        match self {
            Self::X => 'X',
            Self::O => 'O',
        }
    }

    pub(super) const fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
        }
    }

    pub(super) const fn mode(self) -> Mode {
        match self {
            Self::X => Mode(0),
            Self::O => Mode(1),
        }
    }
}

/// Every line of `k` squares, ordered by its first square in reading order and then by direction: right, down, down
/// right, down left. A line of a single square is listed once.
pub(super) fn lines(grid: Grid, k: u32) -> Vec<Board> {
    let mut lines = Vec::new();
    for (row, col) in grid.coords(Board::full(grid.squares())) {
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let square = |step: u32| {
                let row = row.checked_add(down * step).filter(|&row| row < grid.rows)?;
                let col = col.checked_add_signed(right * step as i32).filter(|&col| col < grid.cols)?;
                Some(grid.square(row, col))
            };
            let line: Option<Board> = (0..k).map(square).collect();
            lines.extend(line.filter(|line| !lines.contains(line)));
        }
    }
    lines
}

/// The rules: X moves from mode x to mode o, and O moves back. A terminal pattern belongs to the mode of the player who
/// did not make the line.
pub(super) fn rules(grid: Grid, k: u32, play: Play, lines: &[Board]) -> RulesSpec {
    let squares = grid.squares();
    let plane = |side, marks: Board| match side {
        Side::X => marks << squares,
        Side::O => marks,
    };
    let moves = SIDES.iter().flat_map(|&side| {
        grid.coords(Board::full(squares)).map(move |(row, col)| {
            let square = grid.square(row, col);
            let (mode, next) = (side.mode(), side.other().mode());
            Move { mode, next, empty: plane(Side::X, square) | square, ..Move::fill(plane(side, square)) }
        })
    });
    let ends = SIDES.iter().flat_map(|&side| {
        let end = move |&line| End {
            mode: side.mode(),
            pattern: plane(side.other(), line),
            outcome: play.terminal(),
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
        let count = |rows, cols, k| lines(Grid { rows, cols }, k).len();
        // Rows, columns, diagonals: 3 + 3 + 2; 3*2 + 4*1 + 2*2; 4*2 + 4*2 + 2*4; 4 + 4 + 2.
        assert_eq!([count(3, 3, 3), count(3, 4, 3), count(4, 4, 3), count(4, 4, 4)], [8, 14, 24, 10]);
        // Only lines along the longer side; every pair of neighbours; every square, once.
        assert_eq!([count(2, 5, 4), count(2, 2, 2), count(2, 3, 1), count(1, 1, 1)], [4, 6, 6, 1]);
    }
}
