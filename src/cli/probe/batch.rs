//! Batches of positions: one line of output for each line of input, as the lines arrive.

use std::borrow::Cow;
use std::io::StdinLock;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tablegen::engine::json::{self, LineAnswer, LineFault};
use tablegen::engine::{EngineError, Source, Stop, UNKNOWN};

use super::data_set::DataSet;
use super::{Args, LabelSource, human};
use crate::cli::failure::Failure;
use crate::cli::interrupt;
use crate::cli::lines::{self, Lines};
use crate::cli::output::{Stream, note};
use crate::cli::text::{counted, one_line};

/// The longest time for which an answer waits in the buffer.
const WAIT: Duration = Duration::from_millis(100);

/// Answers every line of `input` from `from`.
pub(super) fn run(args: &Args, from: &LabelSource, input: StdinLock<'static>) -> Result<(), Failure> {
    let source = &from.source;
    let data_set = args.csv.as_ref().map(|squares| DataSet::new(source, squares, &args.class));
    let mut data_set = data_set.transpose()?;
    let mut input = Lines::of(input);
    let mut out = Stream::new()?;
    interrupt::streaming();
    let mut flushed = Instant::now();
    let (mut lines, mut failed, mut unknown) = (0u64, 0u64, 0u64);
    // The number of positions that play does not reach, and the line of the first.
    let (mut unreached, mut first_unreached) = (0u64, 0u64);
    loop {
        if input.may_wait() || flushed.elapsed() >= WAIT {
            // Flush, so that a program that waits for an answer before its next question receives it. Each answer is also
            // written soon after it is known, whoever reads it.
            out.flush()?;
            flushed = Instant::now();
        }
        let Some(line) = input.next()? else { break };
        lines += 1;
        // A search may take long, so the answers before it are written first.
        let flushing = Mutex::new((&mut out, None));
        let watch = || {
            let (out, failure) = &mut *flushing.lock().unwrap_or_else(PoisonError::into_inner);
            *failure = out.flush().err();
            if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let answered = match &mut data_set {
            Some(rows) => rows.answer(source, line, lines, &watch),
            None => answer(args, source, line, &watch),
        };
        if let (_, Some(failure)) = flushing.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        from.note_solved();
        match answered {
            Ok(Answered { line, is_unknown, is_out_of_reach }) => {
                unknown += u64::from(is_unknown);
                if is_out_of_reach {
                    unreached += 1;
                    first_unreached = if unreached == 1 { lines } else { first_unreached };
                }
                out.line(&line)?;
            }
            // An unreadable table is not the fault of the line.
            Err(Wrong::Table(error)) => {
                out.flush()?;
                return Err(from.damaged(error));
            }
            Err(Wrong::Option(found)) => {
                out.flush()?;
                return Err(Failure::usage(format!("--class: line {lines}: {found}")));
            }
            Err(Wrong::Line(error)) => {
                failed += 1;
                out.line(&error_line(args, line, lines, &error))?;
            }
        }
    }
    out.flush()?;
    let of_all = |part: u64| format!("{part} of {}", counted(lines, "position"));
    if unknown > 0 {
        let remedy = from.remedy();
        let are = if unknown == 1 { "is" } else { "are" };
        note(&format!("{} {are} unknown: {}; {remedy}", of_all(unknown), human::unsettled(source)));
    }
    if unreached > 0 {
        let which = format!("{}, the first of them in line {first_unreached}", of_all(unreached));
        note(&format!("play cannot reach {which}: their answers are for the boards as they were read"));
    }
    match failed {
        0 => data_set.map_or(Ok(()), |rows| rows.verdict()),
        _ => Err(Failure::usage(format!("{failed} of {} could not be answered", counted(lines, "line")))
            .hint("the output has an error in place of each answer")),
    }
}

/// The reason why a line has no answer.
pub(super) enum Wrong {
    Line(String),
    /// The option `--class` does not fit the rows.
    Option(String),
    Table(EngineError),
}

impl From<LineFault> for Wrong {
    fn from(fault: LineFault) -> Self {
        match fault {
            LineFault::Line(error) => Self::Line(error),
            LineFault::Source(error) => Self::Table(error),
        }
    }
}

/// The answer to a line.
pub(super) struct Answered {
    pub(super) line: Cow<'static, str>,
    pub(super) is_unknown: bool,
    /// True if it is known that play does not reach the position.
    pub(super) is_out_of_reach: bool,
}

/// The answer to `line`. Only JSON lists the moves, so only JSON computes them.
fn answer(args: &Args, source: &Source, line: &[u8], watch: Stop<'_>) -> Result<Answered, Wrong> {
    if args.json {
        let answered = json::answered_line(source, line, args.notation, source.options(), watch)?;
        let LineAnswer { text, is_unknown, is_out_of_reach, .. } = answered;
        return Ok(Answered { line: text.into(), is_unknown, is_out_of_reach });
    }
    let text = lines::text(line, "a position").map_err(Wrong::Line)?;
    let asked = source.read(text).map_err(|error| Wrong::Line(error.to_string()))?;
    let brief = source.brief_watched(&asked, watch).map_err(Wrong::Table)?;
    let line = match args.brief {
        true => brief.outcome_name().into(),
        false => {
            let position = match args.notation {
                Some(notation) => {
                    asked.text_in(source.game(), notation).map_err(|error| Wrong::Line(error.to_string()))?
                }
                None => brief.position(source.game()),
            };
            format!("{position}\t{}", brief.outcome_name()).into()
        }
    };
    Ok(Answered { line, is_unknown: brief.outcome_name() == UNKNOWN, is_out_of_reach: brief.is_out_of_reach })
}

/// The error in place of the answer to `line`, the line of this number from 1.
fn error_line(args: &Args, line: &[u8], number: u64, error: &str) -> String {
    if args.json {
        json::faulty_line(line, error)
    } else if args.csv.is_some() {
        format!("{},\"error: {}\"", String::from_utf8_lossy(line), one_line(error).replace('"', "\"\""))
    } else {
        format!("error: line {number}: {}", one_line(error))
    }
}
