//! Values of combinatorial games as JSON.

use serde_json::{Value as Json, json};

use super::{Object, board_of, object};
use crate::{BoardValue, MisereFacts, SideMoves, SumFacts, ValueFacts, ValueStats, ValuedTurn};
use tablegen_cgt::{Point, Thermograph, Wall};

/// The value of an expression, as printed by `value --json`, and what is known of it in misère play.
#[must_use]
pub fn valued(facts: &ValueFacts, misere: Option<&MisereFacts>) -> Object {
    let [left, right] = &facts.stops;
    object([
        ("value", json!(facts.name)),
        ("class", json!(facts.class.to_string())),
        ("mean", json!(facts.mean)),
        ("temperature", json!(facts.temperature)),
        ("left_stop", json!(left)),
        ("right_stop", json!(right)),
        ("reduced", json!(facts.reduced)),
        ("atomic_weight", json!(facts.atomic_weight)),
        ("genus", json!(misere.map(|misere| &misere.genus))),
        ("misere_quotient", json!(misere.and_then(quotient))),
    ])
}

/// The misère quotient of the positions that can follow a position.
fn quotient(misere: &MisereFacts) -> Option<Json> {
    let (quotient, class) = (misere.quotient.as_ref()?, misere.class?);
    let order = quotient.order();
    let sums = (0..order).map(|a| (0..order).map(|b| quotient.sum(a, b)).collect::<Vec<_>>()).collect::<Vec<_>>();
    Some(json!({"order": order, "class": class, "lost": quotient.lost(), "sums": sums}))
}

/// The value of a board in a table, as `probe --json` shows it.
pub(super) fn board_value(value: &BoardValue) -> Object {
    let graph = |number: u32, name: &Option<String>, graph: &Thermograph| {
        object([
            ("value", json!(name)),
            ("number", json!(number)),
            ("mean", json!(graph.mean.to_string())),
            ("temperature", json!(graph.temperature.to_string())),
        ])
    };
    let turn = |turn: &ValuedTurn| {
        let mut all = object([("move", json!(turn.text))]);
        all.extend(graph(turn.number, &turn.name, &turn.thermograph));
        all.insert("best".into(), json!(turn.is_best));
        Json::Object(all)
    };
    let [left, right] = &value.turns;
    let mut all = graph(value.number, &value.name, &value.thermograph);
    all.extend(object([
        ("class", json!(value.class.to_string())),
        ("left_stop", json!(value.stops.left.to_string())),
        ("right_stop", json!(value.stops.right.to_string())),
        ("left_wall", wall(&value.thermograph.left)),
        ("right_wall", wall(&value.thermograph.right)),
        ("sides", json!(value.sides)),
        ("left", left.iter().map(turn).collect()),
        ("right", right.iter().map(turn).collect()),
    ]));
    all
}

/// The corners of a wall of a thermograph.
fn wall(wall: &Wall) -> Json {
    let corner = |at: &Point| json!({"temperature": at.temperature.to_string(), "value": at.value.to_string()});
    wall.points().iter().map(corner).collect()
}

/// The values of a table, as `stats --json` and `info --json` show them.
#[must_use]
pub fn value_stats(stats: &ValueStats) -> Json {
    let common = stats.common.iter().map(|(name, boards)| json!({"value": name, "boards": boards}));
    let hottest = &stats.hottest;
    let mut example = object([
        ("value", json!(hottest.name)),
        ("mean", json!(hottest.mean.to_string())),
        ("temperature", json!(hottest.temperature.to_string())),
        ("position", json!(hottest.position)),
    ]);
    example.extend(board_of(Some(hottest.board)));
    json!({
        "boards": stats.boards,
        "different": stats.values,
        "common": common.collect::<Vec<_>>(),
        "hottest": example,
        "numbers": stats.numbers,
        "temperatures": {"step": stats.step.to_string(), "boards": stats.temperatures},
    })
}

/// A thermograph, as printed by `thermograph --json`.
#[must_use]
pub fn thermograph(facts: &ValueFacts) -> Object {
    object([
        ("value", json!(facts.name)),
        ("mean", json!(facts.mean)),
        ("temperature", json!(facts.temperature)),
        ("left_wall", wall(&facts.thermograph.left)),
        ("right_wall", wall(&facts.thermograph.right)),
    ])
}

/// A sum, as printed by `sum --json`.
#[must_use]
pub fn summed(facts: &SumFacts) -> Object {
    let side = |side: &SideMoves| {
        let winning = side
            .winning
            .iter()
            .map(|each| json!({"summand": each.summand, "move": each.played, "leaves": each.leaves}));
        json!({"wins": !side.winning.is_empty(), "moves": side.count, "winning": winning.collect::<Vec<_>>()})
    };
    let [left, right] = &facts.sides;
    let mut all = valued(&facts.value, None);
    all.extend(object([("left_first", side(left)), ("right_first", side(right))]));
    all
}
