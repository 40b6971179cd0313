//! The view of a game in progress for programs: lines of fields separated by tabs. The first field names the kind of
//! record. An empty line ends the answer to each line of input.

use tablegen::engine::{BestLine, Match, Reply, Seat, UNKNOWN};
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

/// The outcome, the number of plies, and the score if it is known.
fn value(value: Option<Value>) -> Vec<String> {
    let plies = value.and_then(|value| value.remoteness()).map_or_else(|| NONE.into(), |plies| plies.to_string());
    let outcome = value.map_or(UNKNOWN, |value| value.outcome.name()).into();
    let score = value.and_then(|value| value.score()).map(|score| score.to_string());
    [outcome, plies].into_iter().chain(score).collect()
}

/// A record of `fields`, and of `value` after them.
fn with_value(fields: &[&str], of: Option<Value>) -> String {
    let value = value(of);
    record(&fields.iter().copied().chain(value.iter().map(String::as_str)).collect::<Vec<_>>())
}

fn of_move(name: &str, m: &AnswerMove) -> String {
    with_value(&[name, &m.text], m.value)
}

/// The record of the points of both players, the one who moved first first; empty if the game counts nothing.
fn points(play: &Match<'_>) -> String {
    let Some(points) = play.points_after(play.plies().len()) else { return String::new() };
    let ([first, second], [one, other]) = (play.players_after(0), points.map(|points| points.to_string()));
    record(&["points", first, &one, second, &other])
}

/// A record of a move by `player`, made or proposed, with its number in the game.
fn of_ply(name: &str, number: usize, player: &str, m: &AnswerMove) -> String {
    with_value(&[name, &number.to_string(), player, &m.text], m.value)
}

/// The record that move `number` of the game is not proved to be a best one.
fn of_guess(number: usize, m: &AnswerMove) -> String {
    record(&["guess", &number.to_string(), &m.text])
}

/// The records about the current position.
fn position(play: &Match<'_>) -> String {
    let (count, at) = (play.plies().len(), &play.now().answer);
    let position = with_value(&["position", &at.position, play.players_after(count)[0]], at.value);
    let rule = play.end().and_then(tablegen::engine::LineEnd::rule);
    position
        + &points(play)
        + &rule.map_or_else(String::new, |rule| record(&["over", play.winner().unwrap_or(NONE), rule]))
}

fn made(play: &Match<'_>, from: usize) -> impl Iterator<Item = String> {
    let plies = play.plies().iter().enumerate().skip(from);
    plies.map(|(number, ply)| {
        let made = of_ply("move", number + 1, play.players_after(number)[0], &ply.chosen);
        if ply.is_guess { made + &of_guess(number + 1, &ply.chosen) } else { made }
    })
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

    fn hint(&self, play: &Match<'_>, hint: Option<Reply>) -> String {
        let Some(Reply { chosen, proved }) = hint else { return answer([]) };
        let number = play.plies().len() + 1;
        answer([of_move("hint", &chosen), if proved { String::new() } else { of_guess(number, &chosen) }])
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
