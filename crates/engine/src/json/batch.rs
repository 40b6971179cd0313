//! Batches of positions: an object for each line of a text.

use super::answered_text_in;
use crate::{EngineError, SearchOptions, Source, Stop};
use tablegen_games::Notation;

/// The largest length of a line in bytes, far longer than any position.
pub const LONGEST_LINE: usize = 1 << 16;
/// The number of bytes of an unreadable line that are repeated in its answer.
const SHOWN: usize = 200;

/// The answer to a line.
pub struct LineAnswer {
    /// The object, which `probe --batch --json` prints.
    pub text: String,
    /// True if the outcome is not known.
    pub is_unknown: bool,
    /// True if it is known that play does not reach the position.
    pub is_out_of_reach: bool,
    /// True if a longer search would find no more of what was wanted.
    pub is_settled: bool,
}

/// The reason why a line has no answer.
pub enum LineFault {
    /// The line is wrong.
    Line(String),
    /// The source cannot answer: its table is damaged, or the search is stopped.
    Source(EngineError),
}

/// The text of a line that should hold `what`.
///
/// # Errors
/// Returns a message if the line is too long, or not text.
pub fn text_of_line<'a>(line: &'a [u8], what: &str) -> Result<&'a str, String> {
    if line.len() > LONGEST_LINE {
        return Err(format!("cannot read {what}: expected a line of at most {LONGEST_LINE} bytes, found a longer one"));
    }
    std::str::from_utf8(line)
        .map_err(|e| format!("cannot read {what}: expected UTF-8, found another byte at offset {}", e.valid_up_to()))
}

/// The answer of `source` to `line`, with the position in `notation` as well.
///
/// # Errors
/// If the line is no position or has no text in the notation, the source cannot be read, or `watch` stops the search.
pub fn answered_line(
    source: &Source,
    line: &[u8],
    notation: Option<Notation>,
    options: SearchOptions,
    watch: Stop<'_>,
) -> Result<LineAnswer, LineFault> {
    let text = text_of_line(line, "a position").map_err(LineFault::Line)?;
    let asked = source.read(text).map_err(|error| LineFault::Line(error.to_string()))?;
    let written = notation.map(|notation| asked.optional_text_in(source.game(), notation).map(|text| (notation, text)));
    let written = written.transpose().map_err(|error| LineFault::Line(error.to_string()))?;
    let answered = source.answer_watched(&asked, options, watch).map_err(LineFault::Source)?;
    let object = answered_text_in(source, &answered, written);
    let input = serde_json::Value::from(text);
    Ok(LineAnswer {
        text: format!("{{\"input\":{input},{}", &object[1..]),
        is_unknown: answered.answer.value.is_none(),
        is_out_of_reach: answered.is_out_of_reach,
        is_settled: source.is_settled_for(&answered, options.wanted),
    })
}

/// The object in place of the answer to `line`.
#[must_use]
pub fn faulty_line(line: &[u8], error: &str) -> String {
    let shown = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]);
    serde_json::json!({"input": shown, "error": error}).to_string()
}
