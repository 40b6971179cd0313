//! The `[[test]]` tables of a rules file: statements about positions, which `tablegen check` compares with the game.

use super::error::{FilePlace, Read};
use super::expression::Values;
use super::source::{Item, Keys, tables};
use crate::Parameters;
use crate::rules::Outcome;

/// The keys of `[[test]]`.
const KEYS: [&str; 6] = ["position", "set", "outcome", "score", "remoteness", "moves"];

/// The most statements in a file.
const MOST: usize = 1000;

/// What a rules file states about one position: a `[[test]]`. At least one of the last four fields is present.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Statement {
    /// The place in the file.
    pub place: FilePlace,
    /// The text of the position; `None` is the start.
    pub position: Option<String>,
    /// The parameters that differ from the defaults of the file.
    pub set: Parameters,
    /// The outcome for the player to move.
    pub outcome: Option<Outcome>,
    /// The net points still to come for the player to move, without the lead that the position may have.
    pub score: Option<i32>,
    /// The number of plies to the end.
    pub remoteness: Option<u32>,
    /// The number of legal moves.
    pub moves: Option<u32>,
}

/// Reads every `[[test]]`. Mistakes are noted.
pub(super) fn read(item: Option<Item<'_>>) -> Vec<Statement> {
    let all = tables(item, "[[test]]", &[&KEYS]);
    if let (Some(item), true) = (item, all.len() > MOST) {
        item.mistakes().note(item.found(format!("at most {MOST} tables"), all.len().to_string()));
        return Vec::new();
    }
    all.into_iter().filter_map(|(table, keys)| table.mistakes().keep(statement(table, keys))).collect()
}

fn statement(table: Item<'_>, mut keys: Keys<'_>) -> Read<Statement> {
    let position = keys.take("position").map(|item| item.text("a position")).transpose()?.map(str::to_owned);
    let set = keys.take("set").map_or_else(|| Ok(Parameters::new()), parameters)?;
    let outcome = keys.take("outcome").map(|item| item.word(&["win", "draw", "loss"])).transpose()?;
    let outcome = outcome.map(|index| [Outcome::Win, Outcome::Draw, Outcome::Loss][index]);
    let score =
        keys.take("score").map(|item| item.signed(&Values::default(), &(-1_000_000..=1_000_000))).transpose()?;
    let score = score.map(|score| score as i32);
    let number = |item: Option<Item<'_>>| item.map(|item| item.number(&Values::default(), 0..=1_000_000)).transpose();
    let (remoteness, moves) = (number(keys.take("remoteness"))?, number(keys.take("moves"))?);
    if outcome.is_none() && score.is_none() && remoteness.is_none() && moves.is_none() && !keys.has_unknown() {
        return Err(keys.missing("`outcome`, `score`, `remoteness` or `moves`"));
    }
    Ok(Statement { place: table.place(), position, set, outcome, score, remoteness, moves })
}

/// Parameters by name: numbers, and words for `play`.
fn parameters(item: Item<'_>) -> Read<Parameters> {
    let mut set = Parameters::new();
    for (name, value) in item.any_keys("`set`")?.rest() {
        let text = match (value.as_text(), value.as_integer()) {
            (Some(text), _) => text.to_owned(),
            (None, Some(number)) => number.to_string(),
            (None, None) => return Err(value.wrong("a whole number or a word")),
        };
        set.set(name, text);
    }
    Ok(set)
}
