//! Where a game can stand, and the moves that lead on.

use super::{Board, Outcome};

/// A control state of the game: the side to move, the tail of the line, the last letter. An index into
/// [`Rules::modes`](super::Rules::modes).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Mode(pub u16);

/// A position: what the next player finds. Two positions with the same board and mode have the same future.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Position {
    /// The control state.
    pub mode: Mode,
    /// The filled cells.
    pub board: Board,
}

impl Position {
    /// The position with `board` in `mode`.
    #[must_use]
    pub const fn new(mode: Mode, board: Board) -> Self {
        Self { mode, board }
    }

    /// The position with `board` in the first mode: the only one of a game that has no modes.
    #[must_use]
    pub const fn of(board: Board) -> Self {
        Self::new(Mode(0), board)
    }
}

/// A move: legal from `mode` when every cell of `empty` is empty and every cell of `full` is filled. It fills `fills`
/// and hands over in mode `next`.
///
/// ```text
/// A run of three in the top row of a 4x4 board:      . X X X     empty = fills = 0b0111_0000_0000_0000
///                                                    . . . .
///                                                    . . . .     full = 0
///                                                    . . . .
/// ```
///
/// `fills` names at least one cell of `empty`, so that every move makes the board number larger; it may name cells
/// that are filled already (a bite of Chomp takes whatever is left of its corner).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// The mode it can be made from.
    pub mode: Mode,
    /// Cells that must be empty.
    pub empty: Board,
    /// Cells that must be filled.
    pub full: Board,
    /// Cells that are filled afterwards.
    pub fills: Board,
    /// The mode it leaves the next player in.
    pub next: Mode,
}

impl Move {
    /// A move of a game without modes that fills `cells`, all of which must be empty.
    #[must_use]
    pub const fn fill(cells: Board) -> Self {
        Self { mode: Mode(0), empty: cells, full: Board::EMPTY, fills: cells, next: Mode(0) }
    }

    /// Whether it may be made from `position`; a game that has ended is not this method's concern.
    #[must_use]
    pub fn is_legal(&self, position: Position) -> bool {
        self.mode == position.mode && position.board.is_disjoint(self.empty) && position.board.contains(self.full)
    }

    /// The position it leaves, if it is legal.
    #[must_use]
    pub fn play(&self, position: Position) -> Position {
        Position::new(self.next, position.board | self.fills)
    }
}

/// A pattern that ends the game: in `mode`, a board that contains `pattern` is over, with `outcome` for the player to
/// move. If several match, the first in [`Rules::ends`](super::Rules::ends) decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct End {
    /// The mode in which it is looked for.
    pub mode: Mode,
    /// The cells that must all be filled.
    pub pattern: Board,
    /// The outcome for the player who is to move and cannot.
    pub outcome: Outcome,
}

/// What the first player finds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// One position.
    At(Position),
    /// A choice: the first player names one of these positions and the other moves from it (any tile, any word). The
    /// choice is worth one ply over the table and is not stored.
    Opening(Vec<Position>),
}

/// Anywhere a game can stand: before the opening choice, or at a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// The first player is about to choose from the rules' [`Start::Opening`].
    Opening,
    /// Play has reached this position.
    At(Position),
}

impl From<Position> for Node {
    fn from(position: Position) -> Self {
        Self::At(position)
    }
}
