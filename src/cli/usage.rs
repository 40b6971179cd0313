//! Reports of clap about the arguments. Help and version are results; all other reports are bad usage, in one line.

use std::io::Write;
use std::process::ExitCode;

use clap::Command;
use clap::error::ErrorKind;

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
        _ => Err(Failure::usage(fold(&error.render().to_string(), &asked_command(command)))),
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

/// The command that was used, for reports that do not name it: `tablegen` and the first word that is a command.
fn asked_command(command: &Command) -> String {
    let words = std::env::args_os().skip(1);
    let known = words.filter_map(|word| command.find_subcommand(word).map(clap::Command::get_name)).next();
    known.map_or_else(|| "tablegen".into(), |name| format!("tablegen {name}"))
}

/// Turns clap's report of several paragraphs into one line: the problem, the tips, and the command that shows the help.
fn fold(report: &str, requested: &str) -> String {
    let before_usage = report.split("\nUsage:").next().unwrap_or(report);
    let before_help = before_usage.split("\nFor more information").next().unwrap_or(before_usage);
    let paragraphs = before_help.split("\n\n").map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut parts: Vec<String> = paragraphs.filter(|text| !text.is_empty()).collect();
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
