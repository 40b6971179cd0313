//! Positions and moves in the format of the client.

use serde_json::{Map, Value as Json, json};

use super::super::work::Watch;
use super::autogui::Drawing;
use tablegen_engine::{Asked, EngineError, SearchLimit, Source, View};
use tablegen_games::{AnswerMove, Game};
use tablegen_labels::Value;
use tablegen_rules::{Node, Outcome};

/// The client's number for an unknown, finite number of plies.
const NOT_KNOWN: i64 = -100;

/// The character before the two hexadecimal digits of an escaped byte.
const ESCAPE: char = '~';

/// Reads a position of the client: the player to move, 1 or 2, and a text of the game, escaped by [`write()`] or not.
/// An example is `1_XX../....`. Without a prefix it is the first player's turn, unless the position determines the
/// turn.
pub(super) fn read(text: &str) -> (u8, String) {
    let (turn, text) = match text.split_at_checked(2) {
        Some(("1_", rest)) => (1, rest),
        Some(("2_", rest)) => (2, rest),
        _ => (1, text),
    };
    let mut parts = text.split(ESCAPE);
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let code = part.split_at_checked(2).filter(|(code, _)| code.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match code.and_then(|(code, rest)| Some((u8::from_str_radix(code, 16).ok()?, rest))) {
            Some((byte, rest)) => {
                bytes.push(byte);
                bytes.extend(rest.bytes());
            }
            None => bytes.extend(format!("{ESCAPE}{part}").bytes()),
        }
    }
    (turn, String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned()))
}

/// The text of a position. The client inserts it into addresses unchanged, and separates the plies of a history by
/// colons. So characters with another meaning there are escaped by [`ESCAPE`] and a code.
pub(super) fn write(turn: u8, text: &str) -> String {
    let mut written = format!("{turn}_");
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'/' | b',' | b'(' | b')' | b'*' | b'!' => {
                written.push(byte.into());
            }
            _ => written.push_str(&format!("{ESCAPE}{byte:02X}")),
        }
    }
    written
}

/// The player to move at `node`, if the position determines it; otherwise `turn`.
pub(super) fn turn_at(game: &dyn Game, node: Option<Node>, turn: u8) -> u8 {
    let first = |node| game.players(node).map(|[mover, _]| mover);
    match (node.and_then(first), first(game.rules().start_node())) {
        (Some(mover), Some(beginner)) => 1 + u8::from(mover != beginner),
        _ => turn,
    }
}

/// The position that `text` names, with its value and its moves. A search goes as far as `limit`. `None` if
/// that is [`SearchLimit::AtOnce`], and a search may find more.
pub(super) fn position(
    source: &Source,
    drawing: &Drawing,
    text: &str,
    limit: SearchLimit,
    watch: Watch<'_>,
) -> Result<Option<Json>, EngineError> {
    let game = source.game();
    let (turn, text) = read(text);
    let asked = Asked::typed(game, (!text.is_empty()).then_some(text.as_str()))?;
    let answered = source.answer_watched(&asked, limit, watch)?;
    if limit == SearchLimit::AtOnce && !source.is_settled(&answered) {
        return Ok(None);
    }
    let answer = &answered.answer;
    let view = View::of_answer(game, answer)?;
    let turn = turn_at(game, answer.node, turn);
    let mut all = value_fields(answer.value);
    all.insert("position".into(), json!(write(turn, &answer.position)));
    all.insert("autoguiPosition".into(), json!(drawing.position(turn, &view.states, view.vertex)));
    let buttons = drawing.moves(&view);
    let mut moves: Vec<(Option<Outcome>, i64, Json)> = Vec::with_capacity(answer.moves.len());
    for m in &answer.moves {
        let at = view.moves.iter().position(|drawn| drawn.text == m.text && drawn.position == m.position);
        let Some(at) = at else { continue };
        let mut states = view.states.clone();
        view.moves[at].changes.iter().for_each(|&(place, state)| states[place] = state);
        let again = m.again;
        let next = turn_at(game, m.to.map(Node::At), if again { turn } else { 3 - turn });
        let after = m.value.map(|value| after(m, value, again));
        let delta = distance(m, &answer.moves);
        let mut fields = value_fields(after);
        fields.insert("move".into(), json!(m.text));
        fields.insert("autoguiMove".into(), json!(buttons[at]));
        fields.insert("moveValue".into(), json!(name(m.value)));
        fields.insert("deltaRemoteness".into(), json!(delta));
        fields.insert("position".into(), json!(write(next, &m.position)));
        fields.insert("autoguiPosition".into(), json!(drawing.position(next, &states, view.moves[at].vertex)));
        moves.push((m.outcome(), delta, fields.into()));
    }
    let rank = |outcome: Option<Outcome>| match outcome {
        Some(Outcome::Win) => 0,
        Some(Outcome::Draw) => 1,
        Some(Outcome::Loss) => 2,
        None => 3,
    };
    moves.sort_by_key(|(outcome, delta, _)| (rank(*outcome), *delta));
    all.insert("moves".into(), moves.into_iter().map(|(_, _, m)| m).collect());
    Ok(Some(all.into()))
}

/// The value of the position after `m`, for the player to move there. It is not flipped if the same player moves
/// `again`. `value` is the value of the move.
fn after(m: &AnswerMove, value: Value, again: bool) -> Value {
    let outcome = m.outcome().unwrap_or(value.outcome);
    let outcome = if again { outcome } else { outcome.flip() };
    Value { outcome, ..value }.with_remoteness(value.remoteness().map(|plies| plies.saturating_sub(1)))
}

/// The client's fields for a value.
fn value_fields(value: Option<Value>) -> Map<String, Json> {
    let mut all = Map::new();
    all.insert("positionValue".into(), json!(name(value)));
    all.insert("remoteness".into(), json!(value.and_then(|value| value.remoteness()).map_or(NOT_KNOWN, i64::from)));
    if let Some(nimber) = value.and_then(|value| value.nimber()) {
        all.insert("mex".into(), json!(nimber.to_string()));
    }
    all
}

/// The client's name of an outcome. The client calls a draw a tie, unless it is a draw by repetition.
fn name(value: Option<Value>) -> &'static str {
    match value.map(|value| (value.outcome, value.repetition)) {
        Some((Outcome::Win, _)) => "win",
        Some((Outcome::Draw, false)) => "tie",
        Some((Outcome::Draw, true)) => "draw",
        Some((Outcome::Loss, _)) => "lose",
        None => "unsolved",
    }
}

/// The number of plies by which `m` delays a win or a tie, or hastens a loss, compared with the best of `moves` with
/// that outcome.
fn distance(m: &AnswerMove, moves: &[AnswerMove]) -> i64 {
    let plies = |m: &AnswerMove| m.value.and_then(|value| value.remoteness()).map(i64::from);
    let alike = moves.iter().filter(|other| other.outcome() == m.outcome()).filter_map(plies);
    let best = if m.outcome() == Some(Outcome::Loss) { alike.max() } else { alike.min() };
    plies(m).zip(best).map_or(0, |(own, best)| (own - best).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turn_is_a_prefix_of_the_position() {
        let read = |text| {
            let (turn, text) = read(text);
            format!("{turn} {text}")
        };
        assert_eq!([read("2_XX../...."), read("XX../...."), read("")], ["2 XX../....", "1 XX../....", "1 "]);
        assert_eq!([read("é"), read("3_x"), write(2, "X.")], ["1 é", "1 3_x", "2_X."]);
    }

    #[test]
    fn positions_are_escaped_for_addresses() {
        for text in ["X.#/&+% =", "{a-b,b-c} c", "é:~23", "~", "~z", "~é", "100%"] {
            let written = write(1, text);
            assert!(
                written.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_~./,-()*!".contains(&byte)),
                "{written}"
            );
            assert_eq!(read(&written), (1, text.to_owned()));
        }
        // The ordinary notation is read, too.
        assert_eq!(
            (read("1_X#"), read("~zz"), read("1_~FF")),
            ((1, "X#".into()), (1, "~zz".into()), (1, "~FF".into()))
        );
    }
}
