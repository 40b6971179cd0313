//! The view of a game in progress for programs: lines of fields separated by tabs. The first field names the kind of
//! record. An empty line ends the answer to each line of input.

use tablegen::engine::{BestLine, Match, Seat, UNKNOWN};
use tablegen::game::AnswerMove;
use tablegen::label::Value;

use super::PlayView;
use super::command::COMMANDS;
use crate::cli::text::one_line;

/// The view for programs.
pub(super) struct Records;

/// The text for a missing or unknown field.
const NONE: &str = "-";

/// A record with these fields.
fn record(fields: &[&str]) -> String {
    fields.iter().map(|field| one_line(field)).collect::<Vec<_>>().join("\t") + "\n"
}

/// The answer `records`, with the empty line that ends it.
fn answer(records: impl IntoIterator<Item = String>) -> String {
    records.into_iter().collect::<String>() + "\n"
}

/// The outcome and the number of plies.
fn value(value: Option<Value>) -> [String; 2] {
    let plies = value.and_then(|value| value.remoteness()).map_or_else(|| NONE.into(), |plies| plies.to_string());
    [value.map_or(UNKNOWN, |value| value.outcome.name()).into(), plies]
}

fn of_move(name: &str, m: &AnswerMove) -> String {
    let [outcome, plies] = value(m.value);
    record(&[name, &m.text, &outcome, &plies])
}

/// A record of a move by `player`, made or proposed, with its number in the game.
fn of_ply(name: &str, number: usize, player: &str, m: &AnswerMove) -> String {
    let [outcome, plies] = value(m.value);
    record(&[name, &number.to_string(), player, &m.text, &outcome, &plies])
}

/// The records about the current position.
fn position(play: &Match<'_>) -> String {
    let (count, at) = (play.plies().len(), &play.now().answer);
    let [outcome, plies] = value(at.value);
    let position = record(&["position", &at.position, play.players_after(count)[0], &outcome, &plies]);
    let rule = play.end().and_then(tablegen::engine::LineEnd::rule);
    position + &rule.map_or_else(String::new, |rule| record(&["over", play.winner().unwrap_or(NONE), rule]))
}

fn made(play: &Match<'_>, from: usize) -> impl Iterator<Item = String> {
    let plies = play.plies().iter().enumerate().skip(from);
    plies.map(|(number, ply)| of_ply("move", number + 1, play.players_after(number)[0], &ply.chosen))
}

impl PlayView for Records {
    fn begun(&self, play: &Match<'_>) -> String {
        let [first, second] = play.players_after(0);
        let side = match play.perfect() {
            None => "both",
            Some(Seat::First) => second,
            Some(Seat::Second) => first,
        };
        let game = record(&["game", play.source().game().rules().name(), side]);
        answer([game].into_iter().chain(made(play, 0)).chain([position(play)]))
    }

    fn played(&self, play: &Match<'_>, from: usize) -> String {
        answer(made(play, from).chain([position(play)]))
    }

    fn undone(&self, play: &Match<'_>, count: usize) -> String {
        answer([record(&["undone", &count.to_string()]), position(play)])
    }

    fn shown(&self, play: &Match<'_>) -> String {
        self.begun(play)
    }

    fn hint(&self, play: &Match<'_>) -> String {
        answer(play.hint().map(|best| of_move("hint", &best)))
    }

    fn moves(&self, play: &Match<'_>) -> String {
        answer(play.now().answer.moves.iter().map(|m| of_move("choice", m)))
    }

    fn line(&self, play: &Match<'_>, line: BestLine) -> String {
        let first = play.plies().len() + 1;
        let plies = line.plies.iter().enumerate();
        answer(plies.map(|(n, ply)| of_ply("line", first + n, line.players_after(n)[0], &ply.chosen)))
    }

    fn help(&self) -> String {
        answer(COMMANDS.iter().map(|(name, _, what)| record(&["help", name, what])))
    }
}
