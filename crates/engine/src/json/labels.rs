//! Facts about remoteness and nimbers.

use serde_json::{Value as Json, json};

use super::{Object, board_of, mode_of, object, unusual, usual, value_stats};
use crate::{Example, LabelFacts, NumberCounts, NumberFacts, RemotenessFacts};
use tablegen_labels::{ByLabel, Label, Remoteness};
use tablegen_rules::{Node, Outcome, Rules};

/// Facts about the labels other than the outcome, which `info --json` adds to the facts of the table. A label that the
/// table does not hold is `null`.
#[must_use]
pub fn labels(rules: &Rules, facts: &LabelFacts) -> Object {
    let mut labels = ByLabel::new(|kind| Some(numbers(kind.about().key, rules, facts.numbers.of(kind)?)));
    labels.set(Remoteness::KIND, facts.remoteness.as_ref().map(|facts| remoteness(rules, facts)));
    let mut all: Object = usual(&labels).chain(unusual(&labels)).collect();
    // This has more than the facts of the table say about values.
    all.extend(facts.values.as_ref().map(|values| ("values".to_owned(), value_stats(values))));
    all
}

fn remoteness(rules: &Rules, facts: &RemotenessFacts) -> Object {
    let rows = (0..).zip(&facts.histogram).filter(|(_, counts)| counts.total() > 0);
    let rows = rows.map(|(plies, counts): (u32, _)| {
        json!({"plies": plies, "win": counts.win, "draw": counts.draw, "loss": counts.loss})
    });
    let longest = |outcome: Outcome| {
        let longest = facts.longest(outcome)?;
        Some(example("plies", longest.plies, rules, &longest.example))
    };
    let mut all = object([
        ("histogram", rows.collect()),
        ("longest_win", json!(longest(Outcome::Win))),
        ("longest_draw", json!(longest(Outcome::Draw))),
        ("longest_loss", json!(longest(Outcome::Loss))),
    ]);
    if facts.repetitions > 0 {
        all.insert("repetition".into(), json!(facts.repetitions));
    }
    all
}

fn numbers(name: &str, rules: &Rules, facts: &NumberFacts) -> Object {
    let largest = example(name, facts.largest, rules, &facts.example);
    object([("histogram", histogram(name, &facts.histogram)), ("largest", Json::from(largest))])
}

/// How often each number occurs: a list from 0 on or, if there are negative numbers, a list of numbers with their counts.
fn histogram(name: &str, counts: &NumberCounts) -> Json {
    if counts.least == 0 {
        return json!(counts.counts);
    }
    let rows = counts.rows().filter(|&(_, count)| count > 0);
    rows.map(|(number, count)| json!({name: number, "count": count})).collect()
}

/// A label and the first position that has it.
fn example(label: &str, number: impl Into<Json>, rules: &Rules, example: &Example) -> Object {
    let position = example.position;
    let mut all = object([(label, number.into()), ("position", json!(example.text))]);
    all.extend(board_of(Some(position.board)));
    all.insert("mode".into(), json!(mode_of(rules, Node::At(position))));
    all
}
