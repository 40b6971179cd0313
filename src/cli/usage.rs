//! Reports of clap about the arguments. Help and version are results; all other reports are bad usage, in one line.

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::failure::{Failure, Status};
use super::output;
use super::wrap::{columns_of, terminal_columns, wrapped};

/// Ends the run as clap requests. Help and version are results; all other reports become one line of bad usage.
pub(super) fn report(error: &clap::Error, command: &Command) -> Result<ExitCode, Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            output::print(&fitted(&error.render().ansi().to_string(), terminal_columns()))?;
            Ok(ExitCode::SUCCESS)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = write!(anstream::stderr(), "{}", error.render().ansi());
            Ok(ExitCode::from(Status::Usage as u8))
        }
        ErrorKind::ValueValidation => {
            let message = wrong_value(error).unwrap_or_else(|| error.to_string());
            Err(Failure::usage(message).hint(format!("see '{} --help'", asked_command(command))))
        }
        kind => {
            let failure = Failure::usage(fold(&error.render().to_string(), &asked_command(command)));
            let option = text_of(error, ContextKind::InvalidArg).and_then(|option| option.strip_prefix("--"));
            let takes_set =
                asked(command).is_some_and(|command| command.get_arguments().any(|arg| arg.get_id() == "set"));
            Err(match option.filter(|_| kind == ErrorKind::UnknownArgument && takes_set) {
                Some(name) => failure.hint(format!("a parameter of a rules file is set with --set {name}=VALUE")),
                None => failure,
            })
        }
    }
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

/// The command that was used: the first word that is a command.
fn asked(command: &Command) -> Option<&Command> {
    std::env::args_os().skip(1).find_map(|word| command.find_subcommand(word))
}

/// `tablegen` and the command that was used, for reports that do not name it.
fn asked_command(command: &Command) -> String {
    asked(command).map_or_else(|| "tablegen".into(), |known| format!("tablegen {}", known.get_name()))
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
