//! Answers as text, without the objects in between: a server writes tens of thousands a second.
//!
//! It writes what [`answered`](super::answered) writes, byte for byte; a test holds the two against each other.

use std::fmt::Write as _;

use super::{EXACT, mode_of};
use crate::engine::{Answered, Source, UNKNOWN};
use crate::label::Value;
use crate::rules::Node;

/// The text of [`answered`](super::answered).
#[must_use]
pub fn answered_text(source: &Source, answered: &Answered) -> String {
    let (rules, answer) = (source.game().rules(), &answered.answer);
    // A move is some hundred bytes and two positions.
    let mut text = String::with_capacity(256 + answer.moves.len() * (128 + answer.position.len()));
    text.push_str("{\"game\":");
    quote(&mut text, rules.name());
    text.push_str(",\"position\":");
    quote(&mut text, &answer.position);
    let board = answer.node.map(|node| match node {
        Node::Opening => 0,
        Node::At(position) => position.board.0,
    });
    // Writing to a String cannot fail.
    let _ = match board {
        Some(board) if board <= EXACT => write!(text, ",\"board\":{board}"),
        Some(board) => write!(text, ",\"board\":null,\"board_hex\":\"{board:#x}\""),
        None => write!(text, ",\"board\":null"),
    };
    text.push_str(",\"mode\":");
    match answer.node.and_then(|node| mode_of(rules, node)) {
        Some(mode) => quote(&mut text, mode),
        None => text.push_str("null"),
    }
    write_outcome(&mut text, answer.value);
    let _ = write!(text, ",\"over\":{}", answer.over);
    write_labels(&mut text, answer.value);
    let _ = write!(text, ",\"source\":\"{}\",\"moves\":[", source.origin_of(answer));
    for (number, m) in answer.moves.iter().enumerate() {
        text.push_str(if number == 0 { "{\"move\":" } else { ",{\"move\":" });
        quote(&mut text, &m.text);
        text.push_str(",\"position\":");
        quote(&mut text, &m.position);
        write_outcome(&mut text, m.value);
        write_labels(&mut text, m.value);
        text.push('}');
    }
    text.push(']');
    if let Some(class) = answered.class {
        let _ = write!(text, ",\"outcome_class\":\"{}\"", class.name());
    }
    text.push('}');
    text
}

fn write_outcome(text: &mut String, value: Option<Value>) {
    text.push_str(",\"outcome\":\"");
    text.push_str(value.map_or(UNKNOWN, |value| value.outcome.name()));
    text.push('"');
}

fn write_labels(text: &mut String, value: Option<Value>) {
    let labels =
        [("remoteness", value.and_then(|value| value.remoteness)), ("nimber", value.and_then(|value| value.nimber))];
    for (name, label) in labels {
        let _ = match label {
            Some(label) => write!(text, ",\"{name}\":{label}"),
            None => write!(text, ",\"{name}\":null"),
        };
    }
}

/// Adds `plain` between quotes. Almost no text has anything to escape.
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
    use super::*;
    use crate::engine::{Engine, TableDirs, game, json};
    use crate::game::Parameters;

    #[test]
    fn the_text_is_that_of_the_object() {
        let engine = Engine::new(TableDirs::none());
        let words = Parameters::new().with("words", "tea\nant\ntat\n");
        let small = Parameters::new().with("rows", 3).with("cols", 3);
        let cases: [(&str, &Parameters, &[&str]); 6] = [
            ("tactics", &Parameters::new(), &["", "XX../XX../..../....", "65535"]),
            ("tictactoe", &Parameters::new(), &["", "X.O/.X./..O"]),
            ("dominoes", &Parameters::new().with("n", 4), &["", "0-1", "{0-1,1-3} 3"]),
            ("domineering", &small, &["", "0"]),
            ("shiritori", &words, &["", "tea", "{tea} a"]),
            ("kayles", &Parameters::new(), &[""]),
        ];
        for (name, parameters, positions) in cases {
            let source = engine.source(game(name, parameters).unwrap(), 1000).unwrap();
            for text in positions {
                let Ok(asked) = crate::engine::Asked::typed(source.game(), (!text.is_empty()).then_some(*text)) else {
                    continue;
                };
                let answered = source.answer(&asked).unwrap();
                assert_eq!(answered_text(&source, &answered), json::answered(&source, &answered).to_string(), "{name}");
            }
        }
        let mut text = String::new();
        quote(&mut text, "a\"b\\c\n\u{1}é");
        assert_eq!(text, serde_json::json!("a\"b\\c\n\u{1}é").to_string());
    }
}
