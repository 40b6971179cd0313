//! Many positions: one line of input for each, and one line of output for each answer, as they arrive.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read, StdinLock};

use serde_json::json;
use tablegen::engine::{self, EngineError, Source};

use super::Args;
use crate::cli::failure::{self, Failure};
use crate::cli::interrupt;
use crate::cli::output::Stream;
use crate::cli::text::one_line;

/// Maximum length of a line: far longer than any position.
const LONGEST: usize = 1 << 16;
/// How much of an unreadable line is repeated in the output.
const SHOWN: usize = 200;

/// `rebuild` is the command that builds the table again, if that is known.
pub(super) fn run(
    args: &Args,
    source: &Source,
    rebuild: Option<&String>,
    input: StdinLock<'static>,
) -> Result<(), Failure> {
    // A separate buffer, not the standard library's own, shows whether more input is available.
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut out = Stream::new();
    interrupt::streaming();
    let (mut lines, mut failed) = (0u64, 0u64);
    let mut line = Vec::new();
    loop {
        if input.buffer().is_empty() {
            // A program that waits for an answer before its next question receives it.
            out.flush()?;
        }
        let read = read_line(&mut input, &mut line);
        if !read.map_err(|e| Failure::usage(format!("cannot read standard input: {e}")))? {
            break;
        }
        lines += 1;
        match answer(args, source, &line) {
            Ok(answer) => out.line(&answer)?,
            // A table that cannot be read is not the fault of the line.
            Err(Wrong::Table(error)) => {
                out.flush()?;
                return Err(failure::of_table(error, rebuild));
            }
            Err(Wrong::Line(error)) => {
                failed += 1;
                out.line(&error_line(args, &line, &error))?;
            }
        }
    }
    out.flush()?;
    match failed {
        0 => Ok(()),
        _ => Err(Failure::usage(format!("{failed} of {lines} lines could not be answered"))
            .hint("each has its error in its place in the output")),
    }
}

/// Why a line has no answer.
enum Wrong {
    Line(String),
    Table(EngineError),
}

/// The line that answers `line`. The moves are worked out only for JSON, which lists them.
fn answer(args: &Args, source: &Source, line: &[u8]) -> Result<Cow<'static, str>, Wrong> {
    if line.len() > LONGEST {
        return Err(Wrong::Line(format!("a position of at most {LONGEST} bytes is expected, found a longer line")));
    }
    let text = std::str::from_utf8(line)
        .map_err(|e| Wrong::Line(format!("text in UTF-8 is expected, found another byte at {}", e.valid_up_to())))?;
    let asked = source.read(text).map_err(|e| Wrong::Line(e.to_string()))?;
    if args.json {
        let answered = source.answer(&asked).map_err(Wrong::Table)?;
        return Ok(engine::json::answered_text(source, &answered).into());
    }
    let brief = source.brief(&asked).map_err(Wrong::Table)?;
    Ok(match args.brief {
        true => brief.outcome_name().into(),
        false => format!("{}\t{}", brief.position(source.game()), brief.outcome_name()).into(),
    })
}

fn error_line(args: &Args, line: &[u8], error: &str) -> String {
    if args.json {
        let shown = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]);
        json!({"input": shown, "error": error}).to_string()
    } else {
        format!("error: {}", one_line(error))
    }
}

/// Reads a line into `line` without its line end, and keeps at most one byte more than [`LONGEST`]; `false` at the
/// end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    if input.by_ref().take(LONGEST as u64 + 2).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    } else if line.len() > LONGEST {
        skip_line(input)?;
    }
    Ok(true)
}

/// Discards the rest of a line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let (done, used) = (buffer.is_empty() || end.is_some(), end.map_or(buffer.len(), |end| end + 1));
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Vec<u8>> {
        let mut input = BufReader::with_capacity(7, input);
        let (mut line, mut lines) = (Vec::new(), Vec::new());
        while read_line(&mut input, &mut line).unwrap() {
            lines.push(line.clone());
        }
        lines
    }

    #[test]
    fn lines_end_as_they_do_anywhere() {
        assert_eq!(lines(b"a\nb\r\n\nc"), [&b"a"[..], b"b", b"", b"c"]);
        assert_eq!(lines(b""), Vec::<Vec<u8>>::new());
        assert_eq!(lines(b"\xff\n"), [b"\xff"]);
    }

    #[test]
    fn a_line_too_long_is_cut_and_the_next_is_whole() {
        for extra in [0, 1, 2, 3, 100_000] {
            let mut input = vec![b'x'; LONGEST + extra];
            input.extend(b"\nnext\n");
            let lines = lines(&input);
            assert_eq!((lines.len(), lines[0].len() > LONGEST, &lines[1][..]), (2, extra > 0, &b"next"[..]), "{extra}");
        }
    }
}
