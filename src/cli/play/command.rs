//! What a line of a game in progress asks for: a move, or one of a few commands.

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

/// The commands: the name of each, and what it does.
pub(super) const COMMANDS: [(&str, Command, &str); 8] = [
    ("hint", Command::Hint, "a best move"),
    ("undo", Command::Undo, "take back your last move, and the reply to it"),
    ("line", Command::Line, "best play by both sides from here"),
    ("moves", Command::Moves, "all moves, and what each leads to"),
    ("show", Command::Show, "the position, and the game so far"),
    ("new", Command::New, "begin again; 'new POSITION' begins there"),
    ("help", Command::Help, "this list"),
    ("quit", Command::Quit, "end"),
];

/// What makes a command of a word that is also a move.
pub(super) const MARK: char = ':';

/// What a line asks for.
#[derive(Debug)]
pub(super) enum Asks<'a> {
    /// A move. It may not exist.
    Move(&'a str),
    /// A command, and what comes after its name.
    Command(Command, &'a str),
}

/// What `line` asks for in `play`. A word that is both is a move: the commands have a mark to say so, moves have none.
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

/// The command that `text` names with its first word.
fn command(text: &str) -> Option<Asks<'_>> {
    let (name, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let found = COMMANDS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
    found.map(|&(_, command, _)| Asks::Command(command, rest.trim()))
}

/// Everything that can be typed now: the moves, in an order that does not tell which is best, and the commands as they have to
/// be written.
pub(super) fn words(play: &Match<'_>) -> Vec<String> {
    let mut moves: Vec<String> = play.now().answer.moves.iter().map(|m| m.text.clone()).collect();
    moves.sort_unstable();
    let commands = COMMANDS.iter().map(|&(name, ..)| match play.find(name) {
        Ok(_) | Err(PlayError::Ambiguous { .. }) => format!("{MARK}{name}"),
        Err(_) => name.to_owned(),
    });
    moves.into_iter().chain(commands).collect()
}
