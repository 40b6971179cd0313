//! Reports of clap about the arguments. Help and version are results; all other reports are bad usage, in one line.

mod advice;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::arguments::Arguments;
use super::failure::{Failure, Status};
use super::output;
use super::wrap::{columns_of, terminal_columns, wrapped};
pub(super) use advice::as_option;

/// Ends the run as clap requests, after the arguments `typed`. Help and version are results; all other reports become one
/// line of bad usage.
pub(super) fn report(error: &clap::Error, typed: &Arguments<'_>) -> Result<ExitCode, Failure> {
    let command = typed.command.map_or_else(|| "tablegen".into(), |known| format!("tablegen {}", known.get_name()));
    let see = format!("see '{command} --help'");
    Err(match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            output::print(&fitted(&error.render().ansi().to_string(), terminal_columns()))?;
            return Ok(ExitCode::SUCCESS);
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = write!(anstream::stderr(), "{}", error.render().ansi());
            return Ok(ExitCode::from(Status::Usage as u8));
        }
        kind => match (advice::about_set(typed), wrong_value(error), text_of(error, ContextKind::InvalidArg)) {
            (Some((found, advice)), ..) => Failure::usage(found).hint(advice),
            (_, Some(message), _) if kind == ErrorKind::ValueValidation => Failure::usage(message).hint(see),
            (.., Some(word)) if kind == ErrorKind::UnknownArgument && typed.command.is_some() => {
                let (near, advice) = advice::about_unknown(word, typed);
                let failure = Failure::usage(format!("unexpected argument '{word}' found{near}"));
                advice.into_iter().fold(failure, Failure::hint).hint(see)
            }
            _ => Failure::usage(fold(&error.render().to_string(), &command)),
        },
    })
}

/// The text of a report's `kind`.
fn text_of(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// The report that an option has a wrong value: `--threads: expected 1 to 1024, found 0`.
fn wrong_value(error: &clap::Error) -> Option<String> {
    let option = text_of(error, ContextKind::InvalidArg)?.split_whitespace().next()?;
    let found = text_of(error, ContextKind::InvalidValue)?;
    let expected = expected(&error.source()?.to_string());
    Some(format!("{option}: {expected}, found {found}"))
}

/// The expected value, from a parser's report about the value found.
fn expected(report: &str) -> String {
    if let Some((_, (least, most))) =
        report.split_once(" is not in ").and_then(|(found, range)| Some((found, range.split_once("..")?)))
    {
        return match most.trim_start_matches('=').parse::<u64>() {
            Ok(most) if most < u64::MAX => format!("expected {least} to {most}"),
            _ => format!("expected at least {least}"),
        };
    }
    match report {
        "number would be zero for non-zero type" => "expected at least 1".into(),
        "number too large to fit in target type" => "expected a smaller whole number".into(),
        "invalid socket address syntax" => "expected ADDRESS:PORT such as 127.0.0.1:8686".into(),
        _ if report.starts_with("expected ") => report.into(),
        _ => "expected a whole number".into(),
    }
}

/// Wraps the usage line in `help` at words. The parser wraps all other lines.
fn fitted(help: &str, columns: Option<usize>) -> String {
    let line = |line: &str| {
        let is_narrow = columns.is_none_or(|columns| columns_of(line) <= columns);
        if is_narrow { line.to_owned() } else { wrapped("", line, columns) }
    };
    help.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Turns clap's report of several paragraphs into one line: the problem, the tips, and the command that shows the help.
fn fold(report: &str, requested: &str) -> String {
    let before_usage = report.split("\nUsage:").next().unwrap_or(report);
    let before_help = before_usage.split("\nFor more information").next().unwrap_or(before_usage);
    let paragraphs = before_help.split("\n\n").map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let is_useful = |text: &String| !text.is_empty() && !text.starts_with("tip: to pass ");
    let mut parts: Vec<String> = paragraphs.filter(is_useful).collect();
    if let Some(first) = parts.first_mut() {
        *first = first.trim_start_matches("error:").trim().to_owned();
    }
    let usage = report.split("\nUsage:").nth(1).unwrap_or("");
    let is_command = |word: &&str| word.bytes().all(|c| c.is_ascii_lowercase());
    let command: Vec<&str> = usage.split_whitespace().take_while(is_command).collect();
    let command = if command.is_empty() { requested.to_owned() } else { command.join(" ") };
    parts.push(format!("see '{command} --help'"));
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_values_are_told_from_what_is_expected() {
        assert_eq!(expected("0 is not in 1..=1024"), "expected 1 to 1024");
        assert_eq!(expected("0 is not in 1..18446744073709551615"), "expected at least 1");
        assert_eq!(expected("invalid digit found in string"), "expected a whole number");
        let [zero, large] = ["0", "256"].map(|text| text.parse::<std::num::NonZeroU8>().unwrap_err().to_string());
        assert_eq!([expected(&zero), expected(&large)], ["expected at least 1", "expected a smaller whole number"]);
        assert_eq!(expected("expected KEY=VALUE"), "expected KEY=VALUE");
    }

    #[test]
    fn reports_of_clap_become_one_line() {
        let report = "error: unexpected argument '--foo' found\n\n  tip: a similar argument exists: '--force'\n\n\
                      Usage: tablegen build [OPTIONS] <GAME>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            fold(report, "tablegen"),
            "unexpected argument '--foo' found; tip: a similar argument exists: '--force'; see 'tablegen build --help'"
        );
        assert_eq!(fold("error: nothing\n", "tablegen probe"), "nothing; see 'tablegen probe --help'");
    }
}
