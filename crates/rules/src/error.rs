//! Reasons for rejecting rules.

use super::{Board, Count, MAX_CELLS, MAX_NAME, MOST_POINTS, Mode, NoSymmetry};

/// Why rules were rejected. Moves, ends and choices are counted from 0, in the order of their list.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The name cannot be used as a file name.
    #[error(
        "{name:?} cannot name rules: expected 1 to {MAX_NAME} of the characters a-z A-Z 0-9 . _ + -, the first a \
         letter or a digit"
    )]
    Name {
        /// The name found.
        name: String,
    },
    /// A board must have 1 to 128 cells.
    #[error("expected a board of 1 to {MAX_CELLS} cells, found {cells}")]
    Cells {
        /// The number found.
        cells: u32,
    },
    /// There are no modes, or too many modes, moves or ends.
    #[error("expected {least} to {most} {what}, found {found}")]
    Count {
        /// The kind of item: `modes`, `moves` or `ends`.
        what: &'static str,
        /// How many were found.
        found: usize,
        /// The smallest number allowed.
        least: usize,
        /// The largest number allowed.
        most: usize,
    },
    /// The name of a mode is empty, too long, or would break a line or a text table.
    #[error(
        "mode {index} is named {name:?}: expected 1 to {MAX_NAME} bytes without control characters, quotes or commas"
    )]
    ModeName {
        /// Which mode.
        index: usize,
        /// Its name.
        name: String,
    },
    /// Two modes share a name.
    #[error("modes {first} and {second} are both named {name:?}: the names of modes must differ")]
    DuplicateName {
        /// The shared name.
        name: String,
        /// The first mode of that name.
        first: usize,
        /// The second mode of that name.
        second: usize,
    },
    /// An item names a mode that the rules do not have.
    #[error("{what} {index} names mode {}: expected a mode from 0 to {}", mode.0, modes - 1)]
    UnknownMode {
        /// The kind of item.
        what: &'static str,
        /// Which move, end or choice.
        index: usize,
        /// The mode named.
        mode: Mode,
        /// How many modes there are.
        modes: usize,
    },
    /// A mask contains cells that the board does not have.
    #[error("{what} {index} names cells {mask:#x}: expected some of the board's {cells} cells, {:#x}", Board::full(*cells))]
    OutsideBoard {
        /// The kind of item.
        what: &'static str,
        /// Which move, end or choice.
        index: usize,
        /// The whole mask.
        mask: Board,
        /// Cells of the board.
        cells: u32,
    },
    /// A part has a move to a mode that it lacks.
    #[error("move {index} leads to mode {}, which the part lacks: expected modes that play does not leave", next.0)]
    LeavesPart {
        /// Which move of the whole rules.
        index: usize,
        /// The mode of the whole rules to which it leads.
        next: Mode,
    },
    /// A move could leave the board unchanged, so play might not end.
    #[error(
        "move {index} fills {fills:#x} and needs {empty:#x} empty: a move must fill a cell that it needs empty, or empty a cell"
    )]
    FillsNothingNew {
        /// Which move.
        index: usize,
        /// The cells that it fills.
        fills: Board,
        /// The cells that it needs empty.
        empty: Board,
    },
    /// A move empties cells that need not be filled, or that it fills.
    #[error(
        "move {index} empties {clears:#x}, needs {full:#x} filled and fills {fills:#x}: a move may empty only \
         cells that it needs filled and does not fill"
    )]
    Clears {
        /// Which move.
        index: usize,
        /// The cells that it empties.
        clears: Board,
        /// The cells that it needs filled.
        full: Board,
        /// The cells that it fills.
        fills: Board,
    },
    /// A move can never be made, or a terminal pattern can never match.
    #[error("{what} {index} needs the cells {both:#x} both empty and filled")]
    Contradiction {
        /// `move` or `end`.
        what: &'static str,
        /// Which move or terminal pattern.
        index: usize,
        /// The cells that must be both empty and filled.
        both: Board,
    },
    /// A move cannot turn over its lines, or cannot make its take, or has no such condition.
    #[error("move {index} {reason}")]
    Lines {
        /// Which move.
        index: usize,
        /// What is wrong.
        reason: &'static str,
    },
    /// A condition on a number of pieces that no board can have, or that counts cells which the board lacks.
    #[error(
        "{what} {index} counts {} to {} of the cells {:#x}: expected cells of the board, and a number of them",
        count.least, count.most, count.cells
    )]
    Condition {
        /// `condition` or `end by a number of pieces`.
        what: &'static str,
        /// Which one.
        index: usize,
        /// The condition.
        count: Count,
    },
    /// An end is worth more points than the rules allow.
    #[error("{what} {index} is worth {points} points: expected at most {MOST_POINTS}")]
    Points {
        /// The kind of item: `terminal outcome` or `end`.
        what: &'static str,
        /// Which one.
        index: usize,
        /// The points.
        points: i16,
    },
    /// A permutation is not a symmetry of the game.
    #[error("symmetry {index} is not a symmetry of the game: {reason}")]
    Symmetry {
        /// Which symmetry.
        index: usize,
        /// Why.
        reason: NoSymmetry,
    },
}
