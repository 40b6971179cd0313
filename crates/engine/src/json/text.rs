//! Answers as JSON text, written without intermediate objects: a server writes tens of thousands a second.

use std::fmt::Write as _;

use super::{EXACT, mode_of};
use crate::points::players_of;
use crate::{Answered, Remedy, Source, UNKNOWN};
use tablegen_games::{Notation, move_written};
use tablegen_labels::{LabelSet, Value};
use tablegen_rules::Node;

/// An answer as every interface gives it: `probe --json`, `probe --batch --json`, `/api/v1/probe` and Python. It is one
/// line without a line end.
#[must_use]
pub fn answered_text(source: &Source, answered: &Answered) -> String {
    answered_text_in(source, answered, None)
}

/// As [`answered_text`], with the text of the position in one more notation; `null` if it has none.
#[must_use]
pub fn answered_text_in(source: &Source, answered: &Answered, asked: Option<(Notation, Option<String>)>) -> String {
    let (rules, answer) = (source.game().rules(), &answered.answer);
    // A move takes about a hundred bytes and two positions.
    let mut text = String::with_capacity(256 + answer.moves.len() * (128 + answer.position.len()));
    text.push_str("{\"game\":");
    quote(&mut text, rules.name());
    text.push_str(",\"position\":");
    quote(&mut text, &answer.position);
    let board = answer.node.map(|node| match node {
        Node::Opening => 0,
        Node::At(position) => position.board.number(),
    });
    // Writing to a String cannot fail.
    let _ = match board {
        Some(board) if board <= EXACT.into() => write!(text, ",\"board\":{board}"),
        Some(board) => write!(text, ",\"board\":null,\"board_hex\":\"{board:#x}\""),
        None => write!(text, ",\"board\":null"),
    };
    text.push_str(",\"mode\":");
    match answer.node.and_then(|node| mode_of(rules, node)) {
        Some(mode) => quote(&mut text, mode),
        None => text.push_str("null"),
    }
    text.push_str(",\"player\":");
    match answered.reading.as_ref().and_then(|reading| players_of(source.game(), reading)) {
        Some([player, _]) => quote(&mut text, &player),
        None => text.push_str("null"),
    }
    if answer.lead != 0 {
        let _ = write!(text, ",\"lead\":{}", answer.lead);
    }
    write_outcome(&mut text, answer.value);
    let _ = write!(text, ",\"over\":{}", answer.over);
    write_labels(&mut text, answer.value);
    let _ = write!(text, ",\"source\":\"{}\",\"moves\":[", source.origin_of(answer));
    for (number, m) in answer.moves.iter().enumerate() {
        text.push_str(if number == 0 { "{\"move\":" } else { ",{\"move\":" });
        quote(&mut text, &m.text);
        if let Some(name) = move_written(source.game(), &m.text, &m.position) {
            text.push_str(",\"notation\":");
            quote(&mut text, &name);
        }
        text.push_str(",\"position\":");
        quote(&mut text, &m.position);
        write_outcome(&mut text, m.value);
        write_labels(&mut text, m.value);
        write_optional(&mut text, m.value);
        if m.gain != 0 {
            let _ = write!(text, ",\"gain\":{}", m.gain);
        }
        if m.again {
            text.push_str(",\"again\":true");
        }
        text.push('}');
    }
    text.push(']');
    if answer.value.is_none() {
        let _ = write!(text, ",\"remedy\":{}", serde_json::Value::from(names_of(source.remedy())));
    }
    write_optional(&mut text, answer.value);
    if answered.is_out_of_reach {
        text.push_str(",\"reachable\":false");
    }
    let named = answered.notations(source.game());
    let more = asked.into_iter().filter(|(notation, _)| named.iter().all(|(known, _)| known != notation));
    let named = named.iter().map(|(notation, written)| (*notation, Some(written.clone())));
    let notations: Vec<_> = named.chain(more).collect();
    for (number, (notation, written)) in notations.iter().enumerate() {
        let _ = write!(text, "{}\"{}\":", if number == 0 { ",\"notations\":{" } else { "," }, notation.name());
        match written {
            Some(written) => quote(&mut text, written),
            None => text.push_str("null"),
        }
    }
    if !notations.is_empty() {
        text.push('}');
    }
    if let Some(class) = answered.class {
        let _ = write!(text, ",\"outcome_class\":\"{}\"", class.name());
    }
    if let Some(value) = &answered.value {
        let _ = write!(text, ",\"game_value\":{}", serde_json::Value::Object(super::board_value(value)));
    }
    text.push('}');
    text
}

/// What would decide an unknown outcome: `limit`, a search with a higher limit, or `build`, a table.
#[must_use]
pub fn names_of(remedy: Remedy) -> Vec<&'static str> {
    let Remedy { limit, build } = remedy;
    [(limit, "limit"), (build, "build")].into_iter().filter_map(|(helps, name)| helps.then_some(name)).collect()
}

fn write_outcome(text: &mut String, value: Option<Value>) {
    text.push_str(",\"outcome\":\"");
    text.push_str(value.map_or(UNKNOWN, |value| value.outcome.name()));
    text.push('"');
}

fn write_labels(text: &mut String, value: Option<Value>) {
    for kind in LabelSet::ALL.others().filter(|kind| kind.about().usual) {
        let _ = match value.and_then(|value| value.number(kind)) {
            Some(number) => write!(text, ",\"{}\":{number}", kind.about().key),
            None => write!(text, ",\"{}\":null", kind.about().key),
        };
    }
}

/// Adds the keys that few values have: the key of draws by repetition, which a draw by the rules does not have, and the keys of labels that
/// few tables hold.
fn write_optional(text: &mut String, value: Option<Value>) {
    let Some(value) = value else { return };
    if value.repetition {
        text.push_str(",\"repetition\":true");
    }
    for (kind, number) in value.numbers.iter().filter(|(kind, _)| !kind.about().usual) {
        let _ = write!(text, ",\"{}\":{number}", kind.about().key);
    }
}

/// Adds `plain` in quotes. Almost no text needs escaping.
fn quote(text: &mut String, plain: &str) {
    if plain.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        text.push_str(&serde_json::Value::from(plain).to_string());
    } else {
        text.push('"');
        text.push_str(plain);
        text.push('"');
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use serde_json::{Value as Json, json};

    use super::*;
    use crate::{Asked, Engine, TableDirs, game};
    use tablegen_games::Parameters;

    #[test]
    fn answers_are_one_json_object_with_the_documented_keys() {
        let engine = Engine::new(TableDirs::none());
        let keys = |object: &Json| object.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let mut all = HashSet::new();
        for (name, size) in [("tactics", None), ("tictactoe", None), ("domineering", None), ("dodgem", Some(4))] {
            let size = size.map_or_else(Parameters::new, |size| Parameters::new().with("size", size));
            let source = engine.source(game(name, &size).unwrap(), 1000).unwrap();
            let answered = source.answer(&Asked::typed(source.game(), None).unwrap()).unwrap();
            let read: Json = serde_json::from_str(&answered_text(&source, &answered)).unwrap();
            let value = answered.answer.value.unwrap();
            assert_eq!(read["outcome"], value.outcome.name());
            assert_eq!(read.get("repetition"), value.repetition.then_some(&json!(true)), "{name}");
            assert_eq!(read.get("outcome_class").is_some(), answered.class.is_some(), "{name}");
            let moves = read["moves"].as_array().unwrap();
            for (object, m) in moves.iter().zip(&answered.answer.moves) {
                assert_eq!(object.get("repetition").is_some(), m.value.unwrap().repetition, "{name}");
                assert_eq!(keys(object)[..5], ["move", "position", "outcome", "remoteness", "nimber"]);
            }
            assert_eq!(
                keys(&read)[..11],
                [
                    "game",
                    "position",
                    "board",
                    "mode",
                    "player",
                    "outcome",
                    "over",
                    "remoteness",
                    "nimber",
                    "source",
                    "moves"
                ]
            );
            all.extend(keys(&read).into_iter().skip(11));
        }
        assert_eq!(all, ["repetition", "outcome_class", "game_value", "notations"].map(String::from).into());
        // A move has its name in the notation of the game: in Connect Four, a column.
        let columns = engine.source(game("connect-four", &Parameters::new()).unwrap(), 1000).unwrap();
        let answered = columns.answer(&columns.read("4").unwrap()).unwrap();
        let read: Json = serde_json::from_str(&answered_text(&columns, &answered)).unwrap();
        let names = |m: &Json| (m["move"].clone(), m["notation"].clone());
        assert!(read["moves"].as_array().unwrap().iter().map(names).any(|names| names == (json!("d3"), json!("4"))));
        assert_eq!(keys(&read["moves"][0])[..3], ["move", "notation", "position"]);
        // The box is taken with the last line, and the same player moves again.
        let boxes = engine.source(game("dots-and-boxes", &Parameters::new()).unwrap(), 1000).unwrap();
        for (moves, player, again) in [("b1", "o", false), ("b1 a2 c2", "o", true), ("b1 a2 c2 b3", "o", false)] {
            let answered = boxes.answer(&boxes.read(moves).unwrap()).unwrap();
            let read: Json = serde_json::from_str(&answered_text(&boxes, &answered)).unwrap();
            let m = read["moves"].as_array().unwrap().iter().find(|m| m["move"] == "b3");
            assert_eq!(
                (&read["player"], m.is_some_and(|m| m.get("again").is_some())),
                (&json!(player), again),
                "{moves}"
            );
        }
        let large = game("domineering", &Parameters::new().with("rows", 6).with("cols", 6)).unwrap();
        let source = engine.source(large, 10).unwrap();
        let answered = source.answer(&Asked::typed(source.game(), None).unwrap()).unwrap();
        assert!(answered_text(&source, &answered).ends_with(",\"remedy\":[\"limit\",\"build\"]}"));
        let mut text = String::new();
        quote(&mut text, "a\"b\\c\n\u{1}é");
        assert_eq!(text, json!("a\"b\\c\n\u{1}é").to_string());
    }
}
