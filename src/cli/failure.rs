//! How a run that cannot go on ends: one line on stderr, and a status that says of which kind it was.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::error::ErrorKind;
use indicatif::HumanBytes;
use tablegen::game::{GameError, NotationError, RulesFileError};
use tablegen::solve::SolveError;
use tablegen::solve::dense::KernelError;
use tablegen::solve::sparse::SparseError;
use tablegen::table::{TableError, TableFault};

/// The kinds of failure, by their exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// A check did not hold.
    Check = 1,
    /// Bad usage or bad input.
    Usage = 2,
    /// A table that cannot be used.
    Table = 3,
    /// Not enough memory or disk.
    Resources = 4,
}

/// Why a run ends early.
#[derive(Debug)]
pub(super) enum Failure {
    /// Something to tell the user.
    Message {
        /// The kind.
        status: Status,
        /// What was expected, what was found and what to do next.
        message: String,
    },
    /// Whoever read our output has stopped reading: nothing is wrong and nobody is left to tell.
    BrokenPipe,
}

impl Failure {
    pub(super) fn new(status: Status, message: impl Display) -> Self {
        Self::Message { status, message: message.to_string() }
    }

    pub(super) fn usage(message: impl Display) -> Self {
        Self::new(Status::Usage, message)
    }

    pub(super) fn table(message: impl Display) -> Self {
        Self::new(Status::Table, message)
    }

    pub(super) fn resources(message: impl Display) -> Self {
        Self::new(Status::Resources, message)
    }

    /// What writing results to `what` failed with.
    pub(super) fn writing(what: &str, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            kind if is_full(kind) => {
                Self::resources(format!("cannot write to {what}: {error}; make room and run again"))
            }
            _ => Self::usage(format!("cannot write to {what}: {error}")),
        }
    }

    /// The same failure, saying also what to do next.
    pub(super) fn hint(self, next: impl Display) -> Self {
        match self {
            Self::Message { status, message } => Self::Message { status, message: format!("{message}; {next}") },
            Self::BrokenPipe => self,
        }
    }

    /// Prints the line and gives the status to end with.
    pub(super) fn report(&self) -> ExitCode {
        let Self::Message { status, message } = self else { return ExitCode::SUCCESS };
        let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        let line = elided(&one_line(message));
        // Where stderr is closed or full there is nobody to tell; the status still says it.
        let _ = writeln!(anstream::stderr(), "{style}error:{style:#} {line}");
        ExitCode::from(*status as u8)
    }
}

/// Whether there is no room left to write.
pub(super) fn is_full(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(kind, StorageFull | QuotaExceeded | FileTooLarge)
}

/// `line` without its middle where it is longer than anybody reads: what is wrong comes first, what to do next last.
fn elided(line: &str) -> String {
    const SIDE: usize = 600;
    let first = line.char_indices().nth(SIDE).map(|(end, _)| end);
    let last = line.char_indices().nth_back(SIDE).map(|(start, _)| start);
    match (first, last) {
        (Some(end), Some(start)) if end < start => format!("{} … {}", &line[..end], &line[start..]),
        _ => line.to_owned(),
    }
}

/// `text` in one line that no terminal takes for a command: line ends become blanks, other control characters `\…`.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => line.push(' '),
            c if c.is_control() || turns_text(c) => line.extend(c.escape_default()),
            c => line.push(c),
        }
    }
    line
}

/// Whether `c` breaks a line or turns its direction although it counts as text.
const fn turns_text(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl From<GameError> for Failure {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Unknown { .. } => Self::usage(error).hint("see 'tablegen list'"),
            GameError::OutOfReach { .. } => Self::resources(error).hint("choose a smaller game"),
            _ => Self::usage(in_options(&error)).hint("see 'tablegen build --help'"),
        }
    }
}

/// `error` in the terms of the command line, where the parameter `rows` is the option `--rows`, and a rules file's `n` is
/// `--set n`.
pub(super) fn in_options(error: &GameError) -> String {
    match error {
        GameError::UnknownParameter { family, parameter, known } => {
            let known: Vec<String> = known.iter().map(|name| format!("--{name}")).collect();
            let known = if known.is_empty() { "none".into() } else { known.join(", ") };
            format!("{family} has no option --{parameter}: it takes {known}")
        }
        GameError::Missing { family, parameter } => format!("{family} needs --{parameter}, and it was not given"),
        GameError::Value { .. } | GameError::Line { .. } => format!("--{error}"),
        GameError::RulesFile(RulesFileError::Value { .. } | RulesFileError::UnknownParameter { .. }) => {
            format!("--set {error}")
        }
        _ => error.to_string(),
    }
}

impl From<NotationError> for Failure {
    fn from(error: NotationError) -> Self {
        Self::usage(error).hint("'tablegen list' shows how positions are written")
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Rules(_) => Self::usage(error),
            SolveError::Kernel(kernel) => kernel.into(),
            _ => Self::resources(error).hint("a smaller board needs less"),
        }
    }
}

impl From<SparseError> for Failure {
    fn from(error: SparseError) -> Self {
        match error {
            SparseError::Memory { memory, needed, positions, filled, cells } => Self::resources(format!(
                "not enough memory: of what may be used {} are left for positions and {} are needed, with {} of up to \
                 {filled} of {cells} filled cells found; nothing was left behind",
                HumanBytes(memory),
                HumanBytes(needed),
                super::words::counted(positions, "position"),
            ))
            .hint("allow more with --memory, or choose a smaller game"),
            SparseError::Most { .. } | SparseError::Level { .. } => {
                Self::resources(error).hint("choose a smaller game")
            }
            _ => Self::usage(error),
        }
    }
}

impl From<KernelError> for Failure {
    fn from(error: KernelError) -> Self {
        Self::usage(format!("TABLEGEN_KERNEL: {error}")).hint("unset it for the best there is")
    }
}

/// A table that cannot be read, and the remedy.
pub(super) fn of_reading(error: &TableError) -> Failure {
    let next = match &error.fault {
        fault if fault.is_damage() => "build it again with 'tablegen build'",
        TableFault::Version { .. } => "build it again with 'tablegen build --force', or use the version that wrote it",
        TableFault::Io(io) if io.kind() == io::ErrorKind::NotFound => {
            "'tablegen list' shows the tables there are, 'tablegen build' makes one"
        }
        _ => "'tablegen list' shows the tables there are",
    };
    let found = match (&error.fault, &error.path) {
        (TableFault::Io(io), Some(path)) => format!("{}: a table is expected, found none: {io}", path.display()),
        _ => error.to_string(),
    };
    Failure::table(found).hint(next)
}

/// A table that cannot be written: for want of room, or because its place is no place for one.
pub(super) fn of_writing(error: &TableError) -> Failure {
    if error.is_storage_full() {
        return Failure::resources(error).hint("make room, or name another place with -o; nothing was left behind");
    }
    match error.fault {
        TableFault::Io(_) => Failure::usage(error).hint("name another place with -o"),
        _ => of_reading(error),
    }
}

/// Ends as clap asks: help and version are results, the rest is bad usage, folded into one line.
pub(super) fn of_clap(error: &clap::Error) -> Result<ExitCode, Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            super::output::print(&error.render().ansi().to_string())?;
            Ok(ExitCode::SUCCESS)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = write!(anstream::stderr(), "{}", error.render().ansi());
            Ok(ExitCode::from(Status::Usage as u8))
        }
        _ => Err(Failure::usage(fold(&error.render().to_string(), &asked_command()))),
    }
}

/// The command that was asked for, for reports that do not say: `tablegen` and the first word that is a command.
fn asked_command() -> String {
    use clap::CommandFactory;
    let command = super::Cli::command();
    let words = std::env::args_os().skip(1);
    let known = words.filter_map(|word| command.find_subcommand(word).map(clap::Command::get_name)).next();
    known.map_or_else(|| "tablegen".into(), |name| format!("tablegen {name}"))
}

/// clap's report of several paragraphs as one line: what is wrong, the tips, and where the help is.
fn fold(report: &str, asked: &str) -> String {
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
    let command = if command.is_empty() { asked.to_owned() } else { command.join(" ") };
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

    #[test]
    fn a_line_is_as_long_as_can_be_read() {
        assert_eq!(elided("as it is"), "as it is");
        let long = format!("first {} last", "é".repeat(100_000));
        let line = elided(&long);
        assert!(line.starts_with("first é") && line.ends_with("é last") && line.chars().count() < 1300, "{line}");
    }

    #[test]
    fn no_text_breaks_the_line_or_commands_the_terminal() {
        assert_eq!(one_line("a\nb\u{1b}[2Jc\u{7}"), "a b\\u{1b}[2Jc\\u{7}");
        assert_eq!(one_line("a\u{202e}b\u{2028}c"), "a\\u{202e}b\\u{2028}c");
    }
}
