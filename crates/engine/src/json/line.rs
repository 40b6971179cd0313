//! Lines of best play as JSON.

use serde_json::{Value as Json, json};

use super::{Object, move_of, object, optional, outcome, value};
use crate::{BestLine, Source};

/// A line of best play, as printed by `line --json`. The outcomes at the top and at the end are for the player to move
/// there. Those in `line` are for the player who makes the move, as in an answer.
#[must_use]
pub fn line(source: &Source, line: &BestLine) -> Json {
    let (start, last) = (&line.start.answer, &line.last().answer);
    let mut all = object([("game", json!(source.game().rules().name())), ("position", json!(start.position))]);
    if start.lead != 0 {
        all.insert("lead".into(), json!(start.lead));
    }
    all.extend(value(start.value));
    all.extend(object([
        ("source", json!(source.origin_of(start))),
        ("plies", json!(line.plies.len())),
        ("line", (0..line.plies.len()).map(|number| Json::from(ply(source, line, number))).collect()),
    ]));
    let mut end = object([
        ("position", json!(last.position)),
        ("over", json!(last.over)),
        ("outcome", outcome(last.value)),
        ("rule", json!(line.end.rule())),
        ("winner", json!(line.winner())),
    ]);
    if let Some(points) = line.points_after(source.game(), line.plies.len()) {
        end.insert("points".into(), json!(points));
    }
    all.insert("end".into(), end.into());
    all.extend(optional(start.value));
    all.into()
}

fn ply(source: &Source, line: &BestLine, number: usize) -> Object {
    let [player, _] = line.players_after(number);
    let mut all = object([("ply", json!(number + 1)), ("player", json!(player))]);
    all.extend(move_of(source.game(), &line.plies[number].chosen));
    all
}
