//! The games: each one's rules and its notation, and the list of them.
//!
//! A game's module says how its [`Rules`] follow from its parameters and how people write its positions and moves.
//! Nothing else in the crate knows any one game: the solvers, the table, the probe and the command line work from
//! [`Game`] and [`Family`] alone. To add a game, write its module and put its family into [`FAMILIES`].

mod answer;
mod error;
mod grid;
mod parameters;
mod plain;
mod shiritori;
mod tactics;

use crate::rules::{Descriptor, Outcome, Place, Position, Rules};

pub use answer::{Answer, AnswerMove, Ask, Source};
pub use error::{GameError, NotationError};
pub use grid::Grid;
pub use parameters::{Parameters, Play};
pub use plain::Plain;
pub use shiritori::Shiritori;
pub use tactics::Tactics;

/// Every game there is, in the order in which people are told of them.
pub static FAMILIES: &[Family] = &[tactics::FAMILY, shiritori::FAMILY];

/// One game with its parameters settled: its rules, and how people write it.
pub trait Game: Send + Sync {
    /// The rules, which are valid.
    fn rules(&self) -> &Rules;

    /// What a table must carry for [`of_table`] to find this game again.
    fn descriptor(&self) -> Descriptor;

    /// Reads a position as a person writes it.
    ///
    /// # Errors
    /// Where the text is no position of this game, saying what was expected and what was found.
    fn read(&self, text: &str) -> Result<Reading, NotationError>;

    /// Reads a position from the content of a file in the game's own form. By default the text a person writes, with
    /// blanks around it.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_file(&self, content: &str) -> Result<Reading, NotationError> {
        self.read(content.trim())
    }

    /// The canonical text of `place`: reading it gives `place` again, and equal places have equal texts.
    fn write(&self, place: Place) -> String;

    /// The positions from which a table of reached positions is flooded, where they are other than those the rules
    /// start from.
    fn roots(&self) -> Vec<Position> {
        Vec::new()
    }

    /// The whole answer to the position that `text` names (none: the start), for a game whose positions are more than
    /// its rules hold; `None` where [`read`](Self::read) and a table are enough, as they are for most.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn answer(&self, text: Option<&str>, ask: &mut Ask<'_>) -> Option<Result<Answer, NotationError>> {
        let _ = (text, ask);
        None
    }

    /// The text of the move that leads from `from` to `to`.
    fn write_move(&self, from: Place, to: Position) -> String;

    /// `place` drawn, in one line or several, without a line end behind the last.
    fn draw(&self, place: Place) -> String;

    /// The move from `from` to `to` drawn, as many lines as [`draw`](Self::draw) has; `None` where a drawing would say
    /// no more than the move's text.
    fn draw_move(&self, from: Place, to: Position) -> Option<String> {
        let _ = (from, to);
        None
    }

    /// What there is to say of `place`, with `outcome` for the player to move, beyond the outcome itself: a line each.
    fn remarks(&self, place: Place, outcome: Outcome) -> Vec<String> {
        let _ = (place, outcome);
        Vec::new()
    }
}

/// What a text says.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The place it names.
    pub place: Place,
    /// How the text itself is drawn, where it says more than the place does (the order of play): shown in place of
    /// [`Game::draw`].
    pub drawn: Option<String>,
    /// What the text's own form calls an outcome, where it has names of its own.
    pub names: Option<fn(Outcome) -> &'static str>,
}

impl<P: Into<Place>> From<P> for Reading {
    fn from(place: P) -> Self {
        Self { place: place.into(), drawn: None, names: None }
    }
}

/// A game whose parameters are still open: what the command line offers.
pub struct Family {
    /// The name it is called by.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// How its positions are written, in one line.
    pub notation: &'static str,
    /// A position to show in examples.
    pub example: &'static str,
    /// Its parameters.
    pub options: &'static [GameOption],
    /// Settles the parameters. Those that are absent take their defaults; those given are all among `options`.
    pub make: fn(&Parameters) -> Result<Box<dyn Game>, GameError>,
}

/// One parameter of a family: `--name VALUE` on the command line.
pub struct GameOption {
    /// Its name, without dashes.
    pub name: &'static str,
    /// What stands for its value in the help.
    pub value: &'static str,
    /// What it is, in a line.
    pub help: &'static str,
    /// The value it has where none is given, if there is one.
    pub default: Option<&'static str>,
}

/// The family called `name`.
///
/// # Errors
/// Where there is none, naming those there are.
pub fn family(name: &str) -> Result<&'static Family, GameError> {
    let unknown = || GameError::Unknown { name: name.into(), known: FAMILIES.iter().map(|f| f.name).collect() };
    FAMILIES.iter().find(|family| family.name == name).ok_or_else(unknown)
}

impl Family {
    /// Settles the parameters.
    ///
    /// # Errors
    /// Where a parameter is not one of this family's, or its value cannot be used.
    pub fn make(&self, parameters: &Parameters) -> Result<Box<dyn Game>, GameError> {
        let known = || self.options.iter().map(|option| option.name);
        for (name, _) in parameters.iter() {
            if !known().any(|option| option == name) {
                let option = name.to_owned();
                return Err(GameError::NotAnOption { family: self.name, option, known: known().collect() });
            }
        }
        (self.make)(parameters)
    }
}

/// The game of a table: by its descriptor where that still gives the very rules of the table, and as bare boards and
/// modes where it does not (a game of your own, or of a later version).
#[must_use]
pub fn of_table(rules: &Rules, descriptor: &Descriptor) -> Box<dyn Game> {
    let parameters = Parameters::from(descriptor.parameters.clone());
    let made = family(&descriptor.family).and_then(|family| family.make(&parameters));
    match made {
        Ok(game) if game.rules() == rules => game,
        _ => Box::new(Plain::new(rules.clone(), descriptor.clone())),
    }
}
