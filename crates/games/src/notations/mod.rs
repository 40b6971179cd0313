//! Notations of people and other programs, which are read wherever a position is read, beside the notation of the game itself.
//!
//! A game names its notations ([`Game::notations`]); a rules file does it with the key `notation`. A notation knows no game: it uses the
//! moves of the rules and their names, or translates to the game's own notation. Every game has [`Notation::EVERY`].
//!
//! **Which notation a text has.** The game's own notation comes first. Digits alone are the number of a board only in a game with one
//! mode and no heaps, or if no notation that the game names has digits. Otherwise all notations of the game are tried. If two of them read different positions,
//! the text is refused.

mod columns;
mod find;
mod flat;
mod heaps;
mod mcgs;
mod moves;
mod obf;
mod pits;
mod points;
mod shape;
mod transcript;
mod walk;

use super::error::Fault;
use super::grid::rows_in_words;
use super::{Game, NotationError, Reading};
use crate::rules::{Node, Position};

pub use find::{FoundMove, NamedMove, Prefix, find_move};
use shape::Shape;
use walk::Walk;

words! {
    /// A notation of positions beside the game's own one.
    Notation {
        /// The moves from the start, with blanks or commas between them.
        Moves = "moves",
        /// The columns in which the players put pieces, as digits or letters.
        Columns = "columns",
        /// The moves from the start, without anything between them.
        Transcript = "transcript",
        /// Moves or pieces by the names of points.
        Points = "points",
        /// All squares in one row, without slashes.
        Flat = "flat",
        /// A line of an OBF file of Othello.
        Obf = "obf",
        /// The seeds of all pits, in the order of sowing.
        Pits = "pits",
        /// The free squares of each row.
        Heaps = "heaps",
        /// Rows in the signs of MCGS, CGSuite and cgt.
        Mcgs = "mcgs",
    }
}

/// The result of a notation: `None` if the text does not look like this notation.
type Found = Option<Result<Reading, Fault>>;

impl Notation {
    /// The notations of every game.
    pub const EVERY: [Self; 2] = [Self::Moves, Self::Mcgs];

    /// What the notation looks like, in words.
    #[must_use]
    pub const fn form(self) -> &'static str {
        match self {
            Self::Moves => "the moves from the start, with blanks or commas between them",
            Self::Columns => "the column of each move from the start, as digits or letters",
            Self::Transcript => "the moves from the start, one after the other; forced passes may be left out",
            Self::Points => "moves by points, with - and x, or the pieces of each side by points",
            Self::Flat => "all squares in one row, without slashes",
            Self::Obf => "all squares in one row, with X for the side that begins, O and -, then the side to move",
            Self::Pits => "the seeds of all pits in the order of sowing, from the side that is named before them",
            Self::Heaps => "the number of free squares in each row, with commas or blanks between them",
            Self::Mcgs => {
                "rows with | or / between them, in the signs X or @, O, and # or * for a filled or blocked square"
            }
        }
    }

    /// Returns whether digits alone belong to the notation in a game with this number of modes. The size of a heap is no number of a board.
    pub(super) const fn has_digits(self, modes: usize) -> bool {
        match self {
            Self::Columns | Self::Pits => modes > 1,
            Self::Heaps => true,
            _ => false,
        }
    }

    /// Returns whether a text is a line of play, which the notation writes only if it finds one.
    const fn is_line(self) -> bool {
        matches!(self, Self::Moves | Self::Columns | Self::Transcript)
    }

    fn read(self, game: &dyn Game, text: &str) -> Found {
        match self {
            Self::Moves => moves::read(game, text),
            Self::Columns => columns::read(game, text),
            Self::Transcript => transcript::read(game, text),
            Self::Points => points::read(game, text),
            Self::Flat => flat::read(game, text),
            Self::Obf => obf::read(game, text),
            Self::Pits => pits::read(game, text),
            Self::Heaps => heaps::read(game, text),
            Self::Mcgs => mcgs::read(game, text),
        }
    }

    /// The text of `node` in this notation. `None` if the notation has none, or no line of play to `node` is found with little work.
    #[must_use]
    pub fn write(self, game: &dyn Game, node: Node) -> Option<String> {
        match self {
            Self::Moves => moves::write(game, node),
            Self::Columns => columns::write(game, node),
            Self::Transcript => transcript::write(game, node),
            Self::Points => points::write(game, node),
            Self::Flat => flat::write(game, node),
            Self::Obf => obf::write(game, node),
            Self::Pits => pits::write(game, node),
            Self::Heaps => heaps::write(game, node),
            Self::Mcgs => mcgs::write(game, node),
        }
    }

    /// The name in this notation of the move that `game` calls `text`. `None` if the notation names no single move, or not this one.
    fn write_move(self, game: &dyn Game, text: &str) -> Option<String> {
        match self {
            Self::Moves | Self::Transcript => Some(text.into()),
            Self::Columns => columns::written(text),
            Self::Points => Some(points::written(text)),
            Self::Pits => game.other_names(text).into_iter().next(),
            Self::Flat | Self::Obf | Self::Heaps | Self::Mcgs => None,
        }
    }

    /// A position near the start of `game` in this notation.
    #[must_use]
    pub fn example(self, game: &dyn Game) -> Option<String> {
        /// The number of moves of an example.
        const PLIES: usize = 3;
        let mut walk = Walk::begin(game);
        let mut moves = Vec::new();
        for _ in 0..PLIES {
            let middle = walk.choices().len() / 2;
            let Some((_, text)) = walk.choices().get(middle) else { break };
            moves.push(text.clone());
            walk.choose(middle);
        }
        match self {
            Self::Moves | Self::Points if !moves.is_empty() && moves.iter().all(|text| !text.contains(' ')) => {
                Some(moves.join(" "))
            }
            _ => self.write(game, walk.node()),
        }
    }
}

/// The notations of `game`: those that it names, then those of every game.
pub fn notations_of(game: &dyn Game) -> impl Iterator<Item = Notation> {
    let named = game.notations();
    named.iter().copied().chain(Notation::EVERY.into_iter().filter(|every| !named.contains(every)))
}

/// The reason why a position has no text in a notation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot write the position as {notation}: expected {expected}, found {found}")]
pub struct UnwrittenError {
    notation: &'static str,
    expected: String,
    found: String,
    /// True if the game has the notation, and other positions may have a text in it.
    pub is_of_position: bool,
}

impl UnwrittenError {
    /// The error that `game` has more positions than its rules, and so no notation but its own.
    #[must_use]
    pub fn no_notation(game: &dyn Game, notation: Notation) -> Self {
        let expected = "a game with this notation".into();
        Self { notation: notation.name(), expected, found: game.rules().name().into(), is_of_position: false }
    }
}

/// The text of `node`, where the player to move leads by `lead` points, in `notation`.
///
/// # Errors
/// If the game does not read the notation, the notation does not say the lead, or no line of play to `node` is found with little work.
pub fn write_as(game: &dyn Game, node: Node, lead: i32, notation: Notation) -> Result<String, UnwrittenError> {
    let wrong = |expected: String, found: &str| {
        Err(UnwrittenError { notation: notation.name(), expected, found: found.into(), is_of_position: true })
    };
    if !notations_of(game).any(|known| known == notation) {
        let known: Vec<&str> = notations_of(game).map(Notation::name).collect();
        let unwritten = wrong(format!("one of the notations of the game, {}", known.join(", ")), notation.name());
        return unwritten.map_err(|error| UnwrittenError { is_of_position: false, ..error });
    }
    if notation.is_line() && node == game.rules().start_node() && lead == 0 {
        return Ok(String::new());
    }
    let Some(text) = notation.write(game, node) else {
        let what = match notation.is_line() {
            true => "a position with a line of play that is found quickly",
            false => "a position that the notation can write",
        };
        return wrong(what.into(), &game.write(node));
    };
    match notation.read(game, &text) {
        Some(Ok(again)) if again.node == node && again.lead == lead => Ok(text),
        _ => wrong("a position that the notation can write".into(), &game.write_with_lead(node, lead)),
    }
}

/// The texts of `node` in the notations that `game` names. A line of play is written only if every move fills cells, since it is then
/// found at once.
#[must_use]
pub fn written(game: &dyn Game, node: Node) -> Vec<(Notation, String)> {
    let named = game.notations().iter().copied();
    let quick = named.filter(|notation| !notation.is_line() || !game.rules().clears());
    quick.filter_map(|notation| Some((notation, notation.write(game, node)?))).collect()
}

/// The name of the move that `game` calls `text` and that leads to `position`, in the first notation of the game that names it. `None` if
/// the game names no such notation, or calls the move by the whole position.
#[must_use]
pub fn move_written(game: &dyn Game, text: &str, position: &str) -> Option<String> {
    let named = || game.notations().iter().find_map(|notation| notation.write_move(game, text));
    if text == position { None } else { named() }
}

/// Reads `text`, where `own` reads the notation of the game itself and numbers of boards.
pub(super) fn read(
    game: &dyn Game,
    text: &str,
    own: impl FnOnce() -> Result<Reading, NotationError>,
) -> Result<Reading, NotationError> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let modes = game.rules().modes().len();
    if is_number && game.notations().iter().any(|notation| notation.has_digits(modes)) {
        match other(game, text) {
            Others::One(reading) => return Ok(reading),
            Others::Wrong(fault) => return Err(fault.about(text)),
            Others::Several(error) => return Err(error),
            Others::None => return own().map_err(|error| with_notations(game, error)),
        }
    }
    own().or_else(|error| match other(game, text) {
        Others::One(reading) => Ok(reading),
        Others::Several(error) => Err(error),
        Others::Wrong(fault) => Err(fault.about(text)),
        Others::None => {
            let sign = wrong_sign(game, text, &error);
            Err(with_notations(game, sign.map_or(error, |fault| fault.about(text))))
        }
    })
}

/// The fault that a text of one row, which `error` calls too few rows, has a sign that no square has.
fn wrong_sign(game: &dyn Game, text: &str, error: &NotationError) -> Option<Fault> {
    let shape = Shape::of(game)?;
    let rows = rows_in_words(shape.rows.len());
    // Boards are read with 0 for a free square as well.
    let sign = text.chars().find(|&sign| sign != '0' && shape.own(sign).is_none())?;
    let is_row = error.expected == rows && !text.contains(['/', '|']) && !sign.is_whitespace();
    is_row.then(|| Fault::new(format!("{rows}, of {}", flat::legend(&shape)), format!("{sign:?}")))
}

/// What the notations of a game make of a text.
enum Others {
    One(Reading),
    /// Two notations read different positions.
    Several(NotationError),
    /// No notation reads the text, and it looks like one of them.
    Wrong(Fault),
    None,
}

fn other(game: &dyn Game, text: &str) -> Others {
    let mut found: Option<(Notation, Reading)> = None;
    let mut wrong = None;
    for notation in notations_of(game) {
        match (notation.read(game, text), &found) {
            (Some(Ok(reading)), None) => found = Some((notation, reading)),
            (Some(Ok(reading)), Some((first, other))) if (reading.node, reading.lead) != (other.node, other.lead) => {
                let [one, two] = [(*first, other), (notation, &reading)]
                    .map(|(notation, it)| format!("{} as {}", game.write_with_lead(it.node, it.lead), notation.name()));
                let error = NotationError::new(text, "a text that means one position", "");
                return Others::Several(NotationError { found: format!("{one}, and {two}"), ..error });
            }
            // The notation that explains most of the text is meant, or else the first one.
            (Some(Err(fault)), _) if wrong.as_ref().is_none_or(|wrong: &Fault| wrong.right < fault.right) => {
                wrong = Some(fault);
            }
            _ => {}
        }
    }
    match (found, wrong) {
        (Some((_, reading)), _) => Others::One(reading),
        (None, Some(fault)) => Others::Wrong(fault),
        (None, None) => Others::None,
    }
}

/// `error` with the notations that `game` names, and `moves`, each with an example, unless the text is plainly a board or a number.
fn with_notations(game: &dyn Game, error: NotationError) -> NotationError {
    if error.text.contains(['/', ':', '|']) || ["0x", "0X", "0b", "0B"].iter().any(|base| error.text.starts_with(base))
    {
        return error;
    }
    let shown = |notation: Notation| Some(format!("{} ({})", notation.name(), notation.example(game)?));
    let all: Vec<String> = notations_of(game).filter(|&it| it != Notation::Mcgs).filter_map(shown).collect();
    let also = if all.is_empty() { String::new() } else { format!("; the game also reads {}", all.join(" and ")) };
    NotationError { also: also.into(), ..error }
}

/// The position of `node`; `None` before an opening.
const fn at(node: Node) -> Option<Position> {
    match node {
        Node::Opening => None,
        Node::At(position) => Some(position),
    }
}

#[cfg(test)]
mod tests;
