//! The games: each one's rules and its notation, and the list of them.
//!
//! A game's module says how its [`Rules`] follow from its parameters and how people write its positions and moves.
//! Nothing else in the crate knows any one game: the solvers, the table, the probe and the command line work from
//! [`Game`] and [`Family`] alone. To add a game, write its module and put its family into [`FAMILIES`].

mod answer;
mod class;
mod dominoes;
mod error;
mod geography;
mod grid;
mod library;
mod line;
mod mnk;
mod parameters;
mod plain;
mod rules_file;
mod shiritori;
mod tactics;
mod trail;

use crate::rules::{Descriptor, Node, Outcome, Position, Rules};

pub use answer::{Answer, AnswerMove, Ask, Source, best_of};
pub use class::OutcomeClass;
pub use dominoes::Dominoes;
pub use error::{GameError, NotationError};
pub use geography::{Edge, Graph};
pub use grid::Grid;
pub use library::{LIBRARY, LibraryGame, bundled, library};
pub use mnk::Mnk;
pub use parameters::{Parameters, Play};
pub use plain::Plain;
pub use rules_file::{Check, FileGame, Parameter, RulesFileError};
pub use shiritori::Shiritori;
pub use tactics::Tactics;
pub use trail::Trail;

/// Every game there is, in the order in which people are told of them.
pub static FAMILIES: &[Family] =
    &[tactics::FAMILY, dominoes::FAMILY, shiritori::FAMILY, mnk::TICTACTOE, mnk::FAMILY, trail::FAMILY];

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

    /// Whether `text` names a position of this game, of its rules or beyond them.
    ///
    /// # Errors
    /// As [`read`](Self::read), but for positions that [`answer`](Self::answer) knows and the rules do not hold.
    fn check(&self, text: &str) -> Result<(), NotationError> {
        self.read(text).map(drop)
    }

    /// The canonical text of `node`: reading it gives `node` again, and equal places have equal texts.
    fn write(&self, node: Node) -> String;

    /// Which positions a table of this game holds; `None` where either will do, and size decides.
    fn coverage(&self) -> Option<Coverage> {
        None
    }

    /// The positions from which a table of reached positions is flooded, where they are other than those the rules
    /// start from.
    fn roots(&self) -> Vec<Position> {
        Vec::new()
    }

    /// Whether the positions of this game are more than its rules hold, so that [`answer`](Self::answer) has to be asked.
    fn goes_beyond(&self) -> bool {
        false
    }

    /// The whole answer to the position that `text` names (none: the start), for a game that
    /// [goes beyond its rules](Self::goes_beyond); `None` for every other, where [`read`](Self::read) and a table, or
    /// [`Answer::searched`], are enough.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn answer(&self, text: Option<&str>, ask: &mut Ask<'_>) -> Option<Result<Answer, NotationError>> {
        let _ = (text, ask);
        None
    }

    /// The text of the move that leads from `from` to `to`.
    fn write_move(&self, from: Node, to: Position) -> String;

    /// `node` drawn, in one line or several, without a line end behind the last.
    fn draw(&self, node: Node) -> String;

    /// The move from `from` to `to` drawn, as many lines as [`draw`](Self::draw) has; `None` where a drawing would say
    /// no more than the move's text.
    fn draw_move(&self, from: Node, to: Position) -> Option<String> {
        let _ = (from, to);
        None
    }

    /// `drawing`, a line of this game's, with signs that not every terminal has. By default the same drawing.
    fn with_signs(&self, drawing: &str) -> String {
        drawing.into()
    }

    /// Who wins from the start whichever side begins, in a game of two sides that leaves open who does; `None` in any
    /// other game, and where `look_up` does not know both outcomes or one is a draw.
    fn outcome_class(&self, look_up: &mut dyn FnMut(Position) -> Option<Outcome>) -> Option<OutcomeClass> {
        let _ = look_up;
        None
    }

    /// What there is to say of `node`, with `outcome` for the player to move, beyond the outcome itself: a line each.
    fn remarks(&self, node: Node, outcome: Outcome) -> Vec<String> {
        let _ = (node, outcome);
        Vec::new()
    }
}

/// Which positions of its rules a table holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Coverage {
    /// Every board in every mode.
    Every,
    /// Those that play can reach.
    Reachable,
}

/// What a text says.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The place it names.
    pub node: Node,
    /// How the text itself is drawn, where it says more than the place does (the order of play): shown in place of
    /// [`Game::draw`].
    pub drawn: Option<String>,
    /// What the text's own form calls an outcome, where it has names of its own.
    pub names: Option<fn(Outcome) -> &'static str>,
}

impl<P: Into<Node>> From<P> for Reading {
    fn from(node: P) -> Self {
        Self { node: node.into(), drawn: None, names: None }
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
    /// What a file with a position in the family's own form says of the parameters, where that form says anything; the
    /// file is then read by [`Family::make_for_file`]. Empty where this file's form says nothing.
    pub read_file_parameters: Option<ReadParameters>,
    /// Settles the parameters. Those that are absent take their defaults; those given are all among `options`.
    pub make: fn(&Parameters) -> Result<Box<dyn Game>, GameError>,
}

/// Finds the parameters that the content of a file names.
pub type ReadParameters = fn(&str) -> Result<Parameters, NotationError>;

/// One parameter of a family: `--name VALUE` on the command line.
pub struct GameOption {
    /// Its name, without dashes.
    pub name: &'static str,
    /// What stands for its value in the help; empty for a flag.
    pub value: &'static str,
    /// How its value is given.
    pub kind: OptionKind,
    /// What it is, in a line.
    pub help: &'static str,
    /// The value it has where none is given, if there is one.
    pub default: Option<&'static str>,
}

/// How the value of a parameter is given on the command line. In [`Parameters`] and in a descriptor it is a text
/// whichever way it was given, so that a table needs no file but itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `--name VALUE`: the value itself.
    Text,
    /// `--name PATH`: the value is the text of that file, UTF-8.
    File,
    /// `--name`: the value is `true` where it is given, `false` where it is not.
    Flag,
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

    /// Settles the parameters for a file with a position: those not given are as the file says, where it says anything.
    /// A parameter that is given stays as given; where the file contradicts it, [`Game::read_file`] says so.
    ///
    /// # Errors
    /// As [`make`](Self::make), and where the file cannot be read.
    pub fn make_for_file(&self, parameters: &Parameters, content: &str) -> Result<Box<dyn Game>, GameError> {
        let mut all = parameters.clone();
        if let Some(read) = self.read_file_parameters {
            let of_file = read(content)?;
            of_file.iter().filter(|(name, _)| parameters.get(name).is_none()).for_each(|(n, value)| all.set(n, value));
        }
        self.make(&all)
    }
}

/// The game of a table: by its descriptor where that still gives the very rules of the table, and as bare boards and
/// modes where it does not (a game of your own, or of a later version).
#[must_use]
pub fn of_table(rules: &Rules, descriptor: &Descriptor) -> Box<dyn Game> {
    if let Some(game) = FileGame::of_descriptor(descriptor).filter(|game| game.rules() == rules) {
        return Box::new(game);
    }
    // A family that has fewer options than these has not written them; a forged list may be long.
    let fits = |family: &&Family| family.options.len() >= descriptor.parameters.len();
    let made = family(&descriptor.family).ok().filter(fits).map(|family| {
        let parameters = Parameters::from(descriptor.parameters.clone());
        family.make(&parameters)
    });
    match made {
        Some(Ok(game)) if game.rules() == rules => game,
        _ => Box::new(Plain::new(rules.clone(), descriptor.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forged_list_of_parameters_is_carried_and_not_used() {
        let game = Tactics::new(1, 2, 2, Play::Normal).unwrap();
        let parameters = (0..200_000).map(|number| (number.to_string(), String::new())).collect();
        let forged = Descriptor { family: "tactics".into(), parameters };
        let found = of_table(game.rules(), &forged);
        assert_eq!((found.rules(), found.descriptor()), (game.rules(), forged));
    }
}
