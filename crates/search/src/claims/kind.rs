//! Recognises games in which each side completes sets of squares of its own.
//!
//! Two players put pieces of their own colour in turn, one on any free square. Each side has its own sets of squares, and the first to fill
//! one of them wins. A full board without such a set is a draw. Hex is of this kind: the sets of a side are the paths between its edges.

use crate::placing::squares;
use crate::rules::{Board, End, Mode, Outcome, Position, Rules};

/// Maximum number of squares: a set of them is a word.
const MOST_SQUARES: usize = 64;

/// Rules of this kind, by squares.
pub(super) struct Kind {
    /// The cells of each square: those that the players of modes 0 and 1 fill.
    cells: Vec<[Board; 2]>,
    /// For the player of each mode, the sets of squares that win.
    pub(super) sets: [Vec<u64>; 2],
}

impl Kind {
    /// The rules as this kind; `None` if they are of another kind.
    pub(super) fn of(rules: &Rules) -> Option<Self> {
        let cells: Vec<[Board; 2]> = squares(rules)?.into_iter().map(|cells| cells.map(Board::bit)).collect();
        let is_drawn = (0..2).all(|mode| rules.terminal_in(Mode(mode)).fixed() == Some(Outcome::Draw));
        let is_free = rules.moves().iter().all(|m| m.full.is_empty());
        if !is_drawn || !is_free || cells.len() > MOST_SQUARES {
            return None;
        }
        let sets = [sets(rules, &cells, 0)?, sets(rules, &cells, 1)?];
        sets.iter().all(|sets| !sets.is_empty()).then_some(Self { cells, sets })
    }

    /// The number of squares.
    pub(super) const fn squares(&self) -> u32 {
        self.cells.len() as u32
    }

    /// The position after the player to move at `position` has put a piece on `square`, which is a set.
    pub(super) fn after(&self, position: Position, square: u64) -> Position {
        let cells = self.cells[square.trailing_zeros() as usize];
        let mode = usize::from(position.mode.0);
        Position::new(Mode(1 - position.mode.0), position.board | cells[mode])
    }

    /// The squares of the player to move and of the other player on `board` in `mode`; `None` if a square has both colours.
    pub(super) fn pieces(&self, mode: Mode, board: Board) -> Option<[u64; 2]> {
        let of = |side: usize| squares_of(&self.cells, side, board);
        let (own, other) = (of(usize::from(mode.0)), of(1 - usize::from(mode.0)));
        (own & other == 0).then_some([own, other])
    }
}

/// The squares of which `board` fills the cell of `side`.
fn squares_of(cells: &[[Board; 2]], side: usize, board: Board) -> u64 {
    let filled = cells.iter().enumerate().filter(|(_, cells)| board.contains(cells[side]));
    filled.fold(0, |all, (square, _)| all | 1 << square)
}

/// The sets of squares that win for the player of mode `side`; `None` if the game also ends in another way.
fn sets(rules: &Rules, cells: &[[Board; 2]], side: usize) -> Option<Vec<u64>> {
    let set = |end: &End| {
        let squares = squares_of(cells, side, end.pattern);
        // A pattern may need the cells of the other colour empty, which they are.
        let partners = cells.iter().filter(|cells| end.pattern.contains(cells[side]));
        let partners = partners.fold(Board::EMPTY, |all, cells| all | cells[1 - side]);
        let is_whole = squares.count_ones() == end.pattern.count() && squares != 0 && partners.contains(end.empty);
        (is_whole && end.outcome.fixed() == Some(Outcome::Loss)).then_some(squares)
    };
    rules.ends_of(Mode(1 - side as u16)).iter().map(set).collect()
}
