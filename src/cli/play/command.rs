//! Input lines of a game in progress: moves, and a few commands.

use tablegen::engine::{Match, PlayError};

/// A command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Hint,
    Undo,
    Line,
    Moves,
    Show,
    New,
    Help,
    Quit,
}

/// The commands, each with its name and its effect.
pub(super) const COMMANDS: [(&str, Command, &str); 8] = [
    ("hint", Command::Hint, "a best move"),
    ("undo", Command::Undo, "take back your last move, and the reply to it"),
    ("line", Command::Line, "best play by both sides from here"),
    ("moves", Command::Moves, "all moves, each with its outcome"),
    ("show", Command::Show, "the position, and the game so far"),
    ("new", Command::New, "start a new game; 'new POSITION' starts it there"),
    ("help", Command::Help, "this list"),
    ("quit", Command::Quit, "end"),
];

/// Other words for a command.
const ALSO: [(&str, &str); 2] = [("q", "quit"), ("exit", "quit")];

/// The mark that makes a word a command if it is also a move.
pub(super) const MARK: char = ':';

/// The meaning of an input line.
#[derive(Debug)]
pub(super) enum Asks<'a> {
    /// A move, which may not exist.
    Move(&'a str),
    /// A command, and the text after its name.
    Command(Command, &'a str),
}

/// The meaning of `line` in `play`. A word that is both a move and a command is the move; [`MARK`] selects the command.
pub(super) fn read<'a>(line: &'a str, play: &Match<'_>) -> Asks<'a> {
    let line = line.trim();
    if let Some(asks) = line.strip_prefix(MARK).and_then(command) {
        return asks;
    }
    match play.find(line) {
        Ok(_) | Err(PlayError::Ambiguous { .. }) => Asks::Move(line),
        Err(_) => command(line).unwrap_or(Asks::Move(line)),
    }
}

/// The command that is the first word of `text`.
fn command(text: &str) -> Option<Asks<'_>> {
    let (name, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let name = ALSO.iter().find(|(also, _)| also.eq_ignore_ascii_case(name)).map_or(name, |(_, name)| name);
    let found = COMMANDS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
    found.map(|&(_, command, _)| Asks::Command(command, rest.trim()))
}

/// All valid inputs: the moves, sorted by name so that their order does not reveal the best, and the commands as they
/// must be typed.
pub(super) fn words(play: &Match<'_>) -> Vec<String> {
    let mut moves: Vec<String> = play.now().answer.moves.iter().map(|m| m.text.clone()).collect();
    moves.sort_unstable();
    let commands = COMMANDS.iter().map(|&(name, ..)| match play.find(name) {
        Ok(_) | Err(PlayError::Ambiguous { .. }) => format!("{MARK}{name}"),
        Err(_) => name.to_owned(),
    });
    moves.into_iter().chain(commands).collect()
}
