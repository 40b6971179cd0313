//! Facts about a rules file, as `check --json` prints them.

use serde_json::{Value as Json, json};

use super::{Object, object, rules, solver};
use crate::{Choice, RulesFacts, Untrue};
use tablegen_games::{EndExample, FilePoints, FileReport, MoveExample};

/// Facts about a rules file that need no solving, as printed by `check --json`.
#[must_use]
pub fn rules_file(facts: &RulesFacts, check: &FileReport, choice: &Choice) -> Object {
    let parameters = check.parameters.iter().map(|parameter| {
        json!({"name": parameter.name, "value": parameter.value, "default": parameter.default, "help": parameter.help})
    });
    let mut all = rules(facts);
    all.extend(object([
        ("summary", json!(check.summary)),
        ("rule_source", json!(check.source)),
        ("rules", json!(check.rules)),
        ("parameters", parameters.collect()),
        ("squares", json!(check.squares)),
        ("moves", json!(check.moves)),
        ("ends", json!(check.ends)),
        ("play", json!(check.play.split(':').next())),
        ("partisan", json!(check.partisan)),
        ("drawing", json!(check.drawing)),
        ("warnings", json!(check.warnings)),
        ("move_tables", check.examples.iter().map(move_example).collect()),
        ("end_tables", check.end_examples.iter().map(end_example).collect()),
        ("points", json!(check.points.as_ref().map(points))),
        ("swap", json!(check.swap)),
        ("in_hand", json!(check.in_hand)),
    ]));
    all.extend(solver(choice));
    all
}

/// How many statements a rules file has, those that do not hold, and those that a search left open, as `check --json` adds them.
#[must_use]
pub fn statements(stated: usize, untrue: &[Untrue]) -> Json {
    let listed = |is_undecided: bool| -> Json {
        let listed = untrue.iter().filter(|it| it.is_undecided == is_undecided);
        let one = |it: &Untrue| json!({"line": it.place.line, "column": it.place.column, "expected": it.expected, "found": it.found});
        listed.map(one).collect()
    };
    json!({"stated": stated, "untrue": listed(false), "undecided": listed(true)})
}

/// A `[[move]]` of a rules file.
fn move_example(example: &MoveExample) -> Json {
    let MoveExample { place, moves, mode, drawing, .. } = example;
    json!({"line": place.line, "column": place.column, "moves": moves, "mode": mode, "drawing": drawing})
}

/// An `[[end]]` of a rules file.
fn end_example(example: &EndExample) -> Json {
    let EndExample { place, patterns, mode, says, drawing, .. } = example;
    json!({"line": place.line, "column": place.column, "patterns": patterns, "mode": mode, "says": says, "drawing": drawing})
}

/// The points that a rules file counts.
fn points(points: &FilePoints) -> Json {
    let gains = points.gains.as_ref().map(|gains| [gains.start(), gains.end()]);
    json!({"unit": points.unit, "aim": if points.fewest { "fewest" } else { "most" }, "gains": gains})
}
