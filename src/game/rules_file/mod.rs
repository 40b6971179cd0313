//! Rules files: games that users write down, in TOML. `docs/rules-files.md` has every key.
//!
//! ```
//! use tablegen::game::{Game, Parameters, FileGame};
//!
//! let cram = r#"
//!     name = "cram-{rows}x{cols}-{play}"
//!     parameters = { rows = 4, cols = 4, play = "normal" }
//!     board = { rows = "rows", cols = "cols" }
//!     move = [{ shape = "XX", turns = true }]
//! "#;
//! let game = FileGame::read(cram, &Parameters::new().with("cols", 5))?;
//! assert_eq!(game.rules().name(), "cram-4x5-normal");
//! assert_eq!(game.rules().moves().len(), 4 * 4 + 3 * 5);
//! # Ok::<(), tablegen::game::RulesFileError>(())
//! ```
//!
//! A text becomes a tree of values that know their lines ([`source`]); parameters are settled ([`parameters`],
//! [`expression`]); the board gives squares their cells ([`squares`]); shapes are laid on it ([`shape`]) and become moves
//! and ends ([`moves`]). Every step is bounded, whatever the text: see [`FileGame::read`].

mod error;
mod expression;
mod moves;
mod notation;
mod parameters;
mod shape;
mod source;
mod squares;

use crate::rules::{Mode, Outcome, Position, Rules, RulesSpec, Start};

use super::Parameters;
pub use error::RulesFileError;
use moves::Turns;
pub use parameters::Parameter;
use squares::Squares;

/// The family that a table's descriptor names for such a game.
pub(super) const FAMILY: &str = "rules-file";
/// The parameter of the descriptor that is the file's text. No parameter of a file can have this name.
pub(super) const TEXT: &str = "rules.toml";

/// A game that a rules file says, with its parameters settled.
#[derive(Clone, Debug)]
pub struct FileGame {
    text: String,
    summary: String,
    source: String,
    parameters: Vec<Parameter>,
    squares: Squares,
    turns: Turns,
    /// Whether the file says who begins.
    begins: bool,
    rules: Rules,
}

/// What there is to say of a rules file: what `tablegen check` shows.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FileReport {
    /// The rules' name.
    pub name: String,
    /// What the game is, in a line; empty where the file does not say.
    pub summary: String,
    /// Where the game comes from; empty where the file does not say.
    pub source: String,
    /// The parameters as they are settled.
    pub parameters: Vec<Parameter>,
    /// Squares, or vertices, holes left out.
    pub squares: u32,
    /// Cells: a square is one in each colour.
    pub cells: u32,
    /// Names of the modes; none where there is one.
    pub modes: Vec<String>,
    /// How many moves there are.
    pub moves: usize,
    /// How many patterns end the game.
    pub ends: usize,
    /// Every (mode, board), 2^cells times the number of modes: what a dense table holds.
    pub positions: u128,
    /// The rule for a player without a move, in words.
    pub play: &'static str,
    /// Whether the two sides have moves of their own.
    pub partisan: bool,
    /// The board before the first move, with the names of its squares.
    pub drawing: String,
}

impl FileGame {
    /// Most bytes of a rules file.
    pub const MOST_BYTES: usize = source::MOST_BYTES;

    /// Reads a rules file, with the parameters of `set` in place of its defaults.
    ///
    /// No text makes it panic, and its time and memory are bounded: the text has at most 1 MiB, the board 64 cells, the
    /// game 16,384 moves and as many ends, and the work of laying shapes is limited as a whole.
    ///
    /// # Errors
    /// Where the text is no such file, naming the line, what was expected and what was found; where a parameter is not
    /// the file's, or is set to what it cannot be.
    pub fn read(text: &str, set: &Parameters) -> Result<Self, RulesFileError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let tree = source::parse(text)?;
        let mut file = source::Keys::of_file(text, tree.get_ref());
        let settled = parameters::settle(&mut file, set)?;
        let name = settled.name(file.need("name", "the name of the game")?)?;
        let mut line = |key| file.take(key).map_or(Ok(""), |item| item.text("a text"));
        let (summary, source) = (source::shown(line("summary")?), source::shown(line("source")?));
        let (turns, modes) = moves::read_turns(&mut file)?;
        let board = file.need("board", "the board (a table)")?;
        let squares = Squares::read(board, &settled.values)?;
        if squares.colours() == 2 && !matches!(turns, Turns::Sides) {
            return Err(board.found("two `sides` for a board of two colours", "no sides"));
        }
        let mut reader = moves::Reader {
            squares: &squares,
            values: &settled.values,
            turns: turns.clone(),
            modes,
            terminal: settled.terminal,
            budget: shape::Budget::new(),
        };
        let moves = reader.moves(file.take("move"))?;
        let ends = reader.ends(file.take("end"))?;
        let (start, begins) = reader.start(file.take("start"))?;
        let modes = reader.modes;
        let rules = RulesSpec {
            modes,
            moves,
            ends,
            terminal: settled.terminal,
            start,
            ..RulesSpec::new(name, squares.cells())
        }
        .build()?;
        file.finish()?;
        Ok(Self { text: text.into(), summary, source, parameters: settled.list, squares, turns, begins, rules })
    }

    /// The game of a descriptor, where it is one of a rules file.
    pub(super) fn of_descriptor(descriptor: &crate::rules::Descriptor) -> Option<Self> {
        let (first, set) = descriptor.parameters.split_first()?;
        if descriptor.family != FAMILY || first.0 != TEXT || set.len() > parameters::MOST {
            return None;
        }
        Self::read(&first.1, &Parameters::from(set.to_vec())).ok()
    }

    /// What the game is, in a line; empty where the file does not say.
    #[must_use]
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The text it was read from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The parameters, as they are settled.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Whether two sides move in turn, each with moves of its own.
    #[must_use]
    pub const fn is_partisan(&self) -> bool {
        matches!(self.turns, Turns::Sides)
    }

    /// What there is to say of it without solving it.
    #[must_use]
    pub fn report(&self) -> FileReport {
        let rules = &self.rules;
        FileReport {
            name: rules.name().into(),
            summary: self.summary.clone(),
            source: self.source.clone(),
            parameters: self.parameters.clone(),
            squares: self.squares.count(),
            cells: rules.cells(),
            modes: if rules.modes().len() == 1 { Vec::new() } else { rules.modes().to_vec() },
            moves: rules.moves().len(),
            ends: rules.ends().len(),
            positions: rules.positions(),
            play: match rules.terminal() {
                Outcome::Loss => "normal: who cannot move loses",
                Outcome::Win => "misere: who cannot move wins",
                Outcome::Draw => "draw: where nobody can move it is a draw",
            },
            partisan: self.is_partisan(),
            drawing: self.drawing(match rules.start() {
                Start::At(position) => *position,
                Start::Opening(_) => Position::default(),
            }),
        }
    }

    /// The start for each side to move, in a game of two sides where the file leaves open who begins.
    fn starts(&self) -> Option<[Position; 2]> {
        match self.rules.start() {
            Start::At(start) if self.is_partisan() && !self.begins => {
                Some([0, 1].map(|mode| Position::new(Mode(mode), start.board)))
            }
            _ => None,
        }
    }
}
