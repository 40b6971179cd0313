//! A game as data: cells, modes, moves, ends and a start.
//!
//! Everything tablegen solves is a [`Rules`] value. There are no callbacks: the solvers, the table, the probe and the
//! verifiers read these masks and nothing else. Because each move fills at least one empty cell, every successor of a
//! position has a larger board number, and one pass from the full board down to the empty one labels them all.
//!
//! Nim with one heap of three, a heap being a row of cells filled from the left, whoever is stuck loses:
//!
//! ```
//! use tablegen::rules::{Board, Move, Outcome, Position, Rules};
//!
//! // Take one or two of what is left:  . . .  ->  X . .  or  X X .
//! let takes = [(0b000, 0b100), (0b000, 0b110), (0b100, 0b010), (0b100, 0b011), (0b110, 0b001)];
//! let rules = Rules {
//!     moves: takes
//!         .map(|(full, fills)| Move { full: Board(full), ..Move::fill(Board(fills)) })
//!         .to_vec(),
//!     ..Rules::new("subtraction-3", 3)
//! };
//! rules.validate()?;
//! assert_eq!(rules.moves_from(Position::default()).count(), 2);
//! # Ok::<(), tablegen::rules::RulesError>(())
//! ```

mod board;
mod descriptor;
mod outcome;
mod play;
mod position;
mod probe;
mod validate;

pub use board::Board;
pub use descriptor::Descriptor;
pub use outcome::Outcome;
pub use position::{End, Mode, Move, Place, Position, Start};
pub use probe::{Choice, Probe, Value};
pub use validate::{MAX_CELLS, MAX_MODES, MAX_MOVES, MAX_NAME, RulesError};

/// A two-player game of perfect information in which every move fills cells of a board.
///
/// Two rules of one name are equal: whatever a parameter changes is part of the name (`tactics-4x4-run4-misere`).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Canonical name; it also names the table's file.
    pub name: String,
    /// Cells of the board, 1 to 64.
    pub cells: u32,
    /// Names of the control states, one at least. [`Mode`] is an index into them.
    pub modes: Vec<String>,
    /// Every move there is, in the game's own order.
    pub moves: Vec<Move>,
    /// Patterns that end the game; the first that matches decides.
    pub ends: Vec<End>,
    /// The outcome for a player who has no move: `Loss` in normal play, `Win` in misère play, or `Draw`.
    pub stuck: Outcome,
    /// What the first player finds.
    pub start: Start,
}

impl Rules {
    /// Rules with no moves yet: one mode, normal play, starting from the empty board. Meant for `..Rules::new(…)`.
    #[must_use]
    pub fn new(name: impl Into<String>, cells: u32) -> Self {
        Self {
            name: name.into(),
            cells,
            modes: vec!["-".into()],
            moves: Vec::new(),
            ends: Vec::new(),
            stuck: Outcome::Loss,
            start: Start::At(Position::default()),
        }
    }

    /// The number of (mode, board) pairs, which is what a dense table labels.
    #[must_use]
    pub fn positions(&self) -> u128 {
        (self.modes.len() as u128) << self.cells
    }

    /// Whether a draw is possible at all, as far as the ends and the stuck rule tell.
    #[must_use]
    pub fn can_draw(&self) -> bool {
        self.stuck == Outcome::Draw || self.ends.iter().any(|end| end.outcome == Outcome::Draw)
    }

    /// Where the game begins.
    #[must_use]
    pub fn first_place(&self) -> Place {
        match self.start {
            Start::At(position) => Place::At(position),
            Start::Opening(_) => Place::Opening,
        }
    }

    /// The positions that the second player, or at a fixed start the first, may find first: the start, or every choice
    /// of the opening. Sorted, each once.
    #[must_use]
    pub fn first_positions(&self) -> Vec<Position> {
        let mut positions = match &self.start {
            Start::At(position) => vec![*position],
            Start::Opening(choices) => choices.clone(),
        };
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// The name of `mode`, or `None` in a game that has only one: such a game has no modes to speak of.
    #[must_use]
    pub fn mode_name(&self, mode: Mode) -> Option<&str> {
        if self.modes.len() == 1 { None } else { self.modes.get(usize::from(mode.0)).map(String::as_str) }
    }

    /// Whether `position` is a board and a mode of these rules.
    #[must_use]
    pub fn has(&self, position: Position) -> bool {
        usize::from(position.mode.0) < self.modes.len() && Board::full(self.cells).contains(position.board)
    }
}
