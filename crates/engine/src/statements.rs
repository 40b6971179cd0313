//! The `[[test]]` tables of a rules file, compared with the game.

use std::time::Duration;

use super::{Asked, Engine, EngineError, SearchLimit, TableDirs};
use tablegen_games::{FileGame, FilePlace, Parameters, Statement};
use tablegen_solvers::Watch;

/// The limit of a search for one statement by default, in a game that is too large to be solved in memory.
pub const STATEMENT_LIMIT: SearchLimit = SearchLimit::Time(Duration::from_secs(60));

/// A statement that does not hold, or that a search left open.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {}: expected {expected}, found {found}", place.line)]
#[non_exhaustive]
pub struct Untrue {
    /// The place of the statement.
    pub place: FilePlace,
    /// What the file states.
    pub expected: String,
    /// What the game has.
    pub found: String,
    /// True if the limit of the search left open whether the statement holds.
    pub is_undecided: bool,
}

/// Compares every `[[test]]` of a rules file with its game, and returns those that do not hold, and those that a search up to `limit` leaves
/// open. Each is about the file's own parameters and those of its `set`, whatever parameters `game` has. No table on disk is used.
///
/// # Errors
/// If a game cannot be solved or searched on this machine, or the work is stopped.
pub fn untrue(game: &FileGame, limit: SearchLimit, progress: Option<Watch<'_>>) -> Result<Vec<Untrue>, EngineError> {
    let mut found = Vec::new();
    let mut sets: Vec<&Parameters> = Vec::new();
    for statement in game.statements() {
        if !sets.contains(&&statement.set) {
            sets.push(&statement.set);
        }
    }
    for set in sets {
        let of_set = || game.statements().iter().filter(|statement| statement.set == *set);
        let read = match FileGame::read(game.text(), set) {
            Ok(read) => read,
            Err(error) => {
                let wrong = |statement: &Statement| Untrue {
                    place: statement.place,
                    expected: "parameters of the file in `set`".into(),
                    found: error.to_string(),
                    is_undecided: false,
                };
                found.extend(of_set().map(wrong));
                continue;
            }
        };
        let source = Engine::new(TableDirs::none()).source_watched(Box::new(read), limit, progress)?;
        for statement in of_set() {
            let place = statement.place;
            let mut note = |expected: String, found_now: Option<String>| {
                let is_undecided = found_now.is_none();
                let found_now = found_now.unwrap_or_else(|| format!("no answer within {limit}"));
                found.push(Untrue { place, expected, found: found_now, is_undecided });
            };
            let asked = match Asked::typed(source.game(), statement.position.as_deref()) {
                Ok(asked) => asked,
                Err(error) => {
                    note("a position of the game".into(), Some(error.to_string()));
                    continue;
                }
            };
            // Moves alone need no value.
            let is_of_values =
                statement.outcome.is_some() || statement.score.is_some() || statement.remoteness.is_some();
            let limit = if is_of_values { limit } else { SearchLimit::AtOnce };
            let answer = source.answer_within(&asked, limit)?.answer;
            let found_outcome = answer.outcome();
            if let Some(outcome) = statement.outcome
                && found_outcome != Some(outcome)
            {
                note(format!("outcome {outcome}"), found_outcome.map(|it| it.to_string()));
            }
            // A search that knows the outcome may not know the rest.
            let none = || found_outcome.map(|_| "none".into());
            let score = answer.value.and_then(|value| value.score());
            if let Some(expected) = statement.score
                && score != Some(expected)
            {
                note(format!("score {expected}"), score.map(|score| score.to_string()).or_else(none));
            }
            let plies = answer.value.and_then(|value| value.remoteness());
            if let Some(remoteness) = statement.remoteness
                && plies != Some(remoteness)
            {
                note(format!("remoteness {remoteness}"), plies.map(|plies| plies.to_string()).or_else(none));
            }
            if let Some(moves) = statement.moves
                && answer.moves.len() != moves as usize
            {
                note(
                    format!("{moves} move{}", if moves == 1 { "" } else { "s" }),
                    Some(answer.moves.len().to_string()),
                );
            }
        }
    }
    found.sort_by_key(|untrue| untrue.place);
    Ok(found)
}
