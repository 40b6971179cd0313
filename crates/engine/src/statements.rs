//! The `[[test]]` tables of a rules file, compared with the game.

use super::{Asked, Engine, EngineError, TableDirs};
use tablegen_games::{FileGame, FilePlace, Parameters, Statement};
use tablegen_rules::Outcome;
use tablegen_solvers::Watch;

/// The most positions that a search for one statement expands, in a game without a table.
const LIMIT: u64 = 10_000_000;

/// A statement that does not hold.
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
}

/// Compares every `[[test]]` of a rules file with its game, and returns those that do not hold. Each is about the file's own parameters and
/// those of its `set`, whatever parameters `game` has. No table on disk is used.
///
/// # Errors
/// If a game cannot be solved or searched on this machine, or the work is stopped.
pub fn untrue(game: &FileGame, progress: Option<Watch<'_>>) -> Result<Vec<Untrue>, EngineError> {
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
                };
                found.extend(of_set().map(wrong));
                continue;
            }
        };
        let source = Engine::new(TableDirs::none()).source_watched(Box::new(read), LIMIT, progress)?;
        for statement in of_set() {
            let place = statement.place;
            let mut note =
                |expected: String, found_now: String| found.push(Untrue { place, expected, found: found_now });
            let asked = match Asked::typed(source.game(), statement.position.as_deref()) {
                Ok(asked) => asked,
                Err(error) => {
                    note("a position of the game".into(), error.to_string());
                    continue;
                }
            };
            let answer = source.answer(&asked)?.answer;
            let shown =
                |outcome: Option<Outcome>| outcome.map_or("no outcome within the limit".into(), |it| format!("{it}"));
            if let Some(outcome) = statement.outcome
                && answer.outcome() != Some(outcome)
            {
                note(format!("outcome {}", shown(Some(outcome))), shown(answer.outcome()));
            }
            let plies = answer.value.and_then(|value| value.remoteness());
            if let Some(remoteness) = statement.remoteness
                && plies != Some(remoteness)
            {
                note(format!("remoteness {remoteness}"), plies.map_or("none".into(), |plies| plies.to_string()));
            }
            if let Some(moves) = statement.moves
                && answer.moves.len() != moves as usize
            {
                note(format!("{moves} move{}", if moves == 1 { "" } else { "s" }), answer.moves.len().to_string());
            }
        }
    }
    found.sort_by_key(|untrue| untrue.place);
    Ok(found)
}
