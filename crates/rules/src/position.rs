//! Positions, and the moves that lead from one to the next.

use super::{Board, Terminal};

/// A control state of the game, such as the side to move, the tail of the line or the last letter. An index into
/// [`Rules::modes`](super::Rules::modes).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Mode(pub u16);

/// A position, as the player to move sees it. Two positions with the same board and mode have the same future.
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

    /// The position with `board` in the first mode, the only mode of a game without modes.
    #[must_use]
    pub const fn of(board: Board) -> Self {
        Self::new(Mode(0), board)
    }
}

/// A move. It is legal in `mode` if every cell of `empty` is empty and every cell of `full` is filled. It fills
/// `fills`, empties `clears`, and continues in mode `next`.
///
/// ```text
/// A run of three in the top row of a 4x4 board:      . X X X     empty = fills = 0b0111_0000_0000_0000
///                                                    . . . .
///                                                    . . . .     full = 0
///                                                    . . . .
/// ```
///
/// In most games no move empties a cell: `fills` contains at least one cell of `empty`, so every move makes the board
/// number larger. `fills` may also contain cells that are already filled. A bite in Chomp, for example, takes every square that
/// is left in its corner.
///
/// If a move takes or moves pieces, `clears` names cells of `full`, none of which is in `fills`:
///
/// ```text
/// A piece steps from b1 to a1 of a row of three:     . X .  ->  X . .     empty = fills = 0b100, full = clears = 0b010
/// ```
///
/// A move that changes no cell is a *pass*; it only changes the mode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// The mode in which it can be made.
    pub mode: Mode,
    /// Cells that must be empty.
    pub empty: Board,
    /// Cells that must be filled.
    pub full: Board,
    /// Cells that are filled afterwards.
    pub fills: Board,
    /// Cells that must be filled, and are empty afterwards.
    pub clears: Board,
    /// The mode after the move.
    pub next: Mode,
    /// If true, the move is legal only while no move of its mode without this flag is legal: a pass for a player who has no
    /// other move, or the moves of a player who cannot capture where captures are compulsory.
    pub otherwise: bool,
    /// The number of a list in [`RulesSpec::lines`](super::RulesSpec::lines): what else the move does then depends on the board, and
    /// [`Rules::applied`](super::Rules::applied) says what. `None` for all other moves.
    pub lines: Option<u16>,
    /// The number of a condition in [`RulesSpec::counts`](super::RulesSpec::counts): the move is legal only if the board before it fits.
    pub when: Option<u16>,
    /// The number of a take in [`RulesSpec::takes`](super::RulesSpec::takes): the move also takes a piece if it fills a line, and
    /// [`Rules::applied`](super::Rules::applied) says which. `None` for all other moves.
    pub takes: Option<u16>,
    /// The points that the move gains for the player who makes it; negative points are lost. 0 in games that do not count.
    pub gain: i16,
    /// If true, the same player moves again, in rules without [`RulesSpec::players`](super::RulesSpec::players). With them, the modes say
    /// who moves.
    pub again: bool,
}

impl Move {
    /// A move of a game without modes that fills `cells`, all of which must be empty.
    #[must_use]
    pub const fn fill(cells: Board) -> Self {
        Self {
            mode: Mode(0),
            empty: cells,
            full: Board::EMPTY,
            fills: cells,
            clears: Board::EMPTY,
            next: Mode(0),
            otherwise: false,
            lines: None,
            when: None,
            takes: None,
            gain: 0,
            again: false,
        }
    }

    /// The cells that name the move: the empty cells that it fills or, if it only takes pieces, the cells that it empties.
    #[must_use]
    pub fn own(&self) -> Board {
        if self.fills.is_empty() { self.clears } else { self.fills & self.empty }
    }

    /// Returns whether the move changes no cell.
    #[must_use]
    pub fn is_pass(&self) -> bool {
        self.fills.is_empty() && self.clears.is_empty()
    }

    /// Returns whether the masks of the move allow it in `position`. This checks neither whether the game has ended, nor
    /// whether another move has precedence over a move with [`otherwise`](Self::otherwise), nor what the move names by a number: its
    /// [`lines`](Self::lines), condition and take.
    #[must_use]
    pub fn is_legal(&self, position: Position) -> bool {
        self.mode == position.mode && position.board.is_disjoint(self.empty) && position.board.contains(self.full)
    }

    /// The position after the move, if it is legal.
    #[must_use]
    pub fn play(&self, position: Position) -> Position {
        Position::new(self.next, (position.board | self.fills) & !self.clears)
    }

    /// The positions from which the move leads to `position`. There are several if the move may fill cells that are already
    /// filled, and none if it leads elsewhere. Neither terminal patterns nor [`otherwise`](Self::otherwise) nor a condition are tested, and the move takes
    /// nothing.
    pub fn undo(&self, position: Position) -> impl Iterator<Item = Position> + use<> {
        let Self { mode, empty, full, fills, clears, next, .. } = *self;
        // The move fills these cells whether they are empty or not, so each may have been filled before.
        let open = fills & !empty & !full;
        let board = position.board;
        let kept = (empty & !fills).is_disjoint(board) && board.contains(full & !clears);
        let is_after = next == position.mode && board.contains(fills) && board.is_disjoint(clears) && kept;
        let before = (board | clears) & !(fills & empty);
        is_after
            .then(|| open.subsets())
            .into_iter()
            .flatten()
            .map(move |filled| Position::new(mode, before & !open | filled))
    }
}

/// What a legal move leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Step {
    /// The position after it.
    pub to: Position,
    /// The points that it gains for the player who makes it.
    pub gain: i16,
    /// True if the same player moves again.
    pub again: bool,
}

/// A pattern that ends the game: in `mode`, a board that contains `pattern` and no cell of `empty` is terminal, with `outcome` for
/// the player to move. If several patterns match, the first in [`Rules::ends`](super::Rules::ends) decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct End {
    /// The mode it applies to.
    pub mode: Mode,
    /// The cells that must all be filled.
    pub pattern: Board,
    /// The outcome for the player to move, and the points where the game counts.
    pub outcome: Terminal,
    /// The cells that must all be empty; usually none.
    pub empty: Board,
}

impl End {
    /// Returns whether the pattern matches `board`, in the mode of the pattern.
    #[must_use]
    #[inline]
    pub const fn matches(&self, board: Board) -> bool {
        board.contains(self.pattern) && board.is_disjoint(self.empty)
    }

    /// The pattern after each cell has gone where `to` sends it.
    #[must_use]
    pub fn moved(&self, to: impl Fn(Board) -> Board) -> Self {
        Self { pattern: to(self.pattern), empty: to(self.empty), outcome: self.outcome.moved(&to), ..*self }
    }
}

/// The start: a position, or the first player's choice of one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// One position.
    At(Position),
    /// A choice: the first player chooses one of these positions, and the other player moves from it (any tile, any
    /// word). The choice is evaluated one ply above the table and is not stored.
    Opening(Vec<Position>),
}

/// A point of a game: before the opening choice, or at a position.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// All moves whose masks relate to three cells in every way, undone at every position.
    #[test]
    fn a_move_is_undone_to_the_positions_that_it_leads_from() {
        let positions: Vec<Position> =
            (0..16).map(|it| Position::new(Mode(it / 8), Board::from_word((it % 8).into()))).collect();
        for number in 0..7u32.pow(3) {
            let mut m = Move { next: Mode(1), ..Move::fill(Board::EMPTY) };
            for cell in 0..3 {
                let bit = Board::bit(cell);
                let kind = number / 7u32.pow(cell) % 7;
                m.empty |= if [1, 2].contains(&kind) { bit } else { Board::EMPTY };
                m.full |= if [3, 4, 5].contains(&kind) { bit } else { Board::EMPTY };
                m.fills |= if [1, 3, 6].contains(&kind) { bit } else { Board::EMPTY };
                m.clears |= if kind == 4 { bit } else { Board::EMPTY };
            }
            for &after in &positions {
                let leads = |before: &Position| m.is_legal(*before) && m.play(*before) == after;
                let expected: Vec<Position> = positions.iter().copied().filter(leads).collect();
                let mut found: Vec<Position> = m.undo(after).collect();
                found.sort_unstable();
                assert_eq!(found, expected, "{m:?} to {after:?}");
            }
            assert_eq!(m.is_pass(), m.fills | m.clears == Board::EMPTY);
        }
    }

    #[test]
    fn moves_are_named_by_the_cells_that_they_fill_or_empty() {
        let of = |empty, fills, clears| {
            let [empty, fills, clears] = [empty, fills, clears].map(Board::from_word);
            Move { empty, clears, ..Move::fill(fills) }.own().low_word()
        };
        assert_eq!([of(0b110, 0b011, 0b1000), of(0b110, 0, 0b1000), of(0, 0, 0)], [0b010, 0b1000, 0]);
    }
}
