//! Failures: one line on stderr for each mistake, and an exit status for the kind of failure.

mod advice;

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use indicatif::HumanBytes;
use tablegen::atomic_file::is_storage_full;
use tablegen::contents::LabelFault;
use tablegen::engine::{EngineError, ErrorKind, Limit, Resource, Shortage};
use tablegen::game::{FAMILIES, Game, GameError, NotationError, RulesFileError, nearest};
use tablegen::solve::{SolveError, UpTo};
use tablegen::table::{TableError, TableFault};

pub(super) use advice::hint;

use super::text::{counted, elided, one_line, shell_word};
use super::usage::as_option;
use super::wrap::{columns_of_terminal, wrapped};

/// The kinds of failure, with their exit statuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// A check failed.
    Check = 1,
    /// Bad usage or bad input.
    Usage = 2,
    /// A table that cannot be used.
    Table = 3,
    /// Not enough memory or disk.
    Resources = 4,
}

impl From<ErrorKind> for Status {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Input => Self::Usage,
            ErrorKind::Table => Self::Table,
            ErrorKind::Resources | ErrorKind::Cancelled => Self::Resources,
        }
    }
}

/// The reason why a run ends early.
#[derive(Debug)]
pub(super) enum Failure {
    /// Mistakes, each on its own line.
    Lines {
        /// The kind of failure.
        status: Status,
        /// The expected and the found values; the last line ends with advice on what to do next.
        lines: Vec<String>,
    },
    /// The reader of the output has stopped reading, which is not an error. Nothing is printed.
    BrokenPipe,
}

impl Failure {
    pub(super) fn new(status: Status, message: impl Display) -> Self {
        Self::lines(status, vec![message.to_string()])
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

    /// The failure of writing results to `what`.
    pub(super) fn writing(what: &str, error: &io::Error) -> Self {
        // The writer could not read the labels that it had to write.
        if let Some(fault) = error.get_ref().and_then(|inner| inner.downcast_ref::<LabelFault>()) {
            return Self::table(format!("cannot write to {what}: expected valid labels, found damage: {fault}"))
                .hint(BUILD_AGAIN);
        }
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            kind if is_storage_full(kind) => {
                Self::resources(format!("cannot write to {what}: {error}; free some space and run it again"))
            }
            _ => Self::usage(format!("cannot write to {what}: {error}")),
        }
    }

    /// The same failure with advice on what to do next.
    pub(super) fn hint(self, next: impl Display) -> Self {
        match self {
            Self::Lines { status, mut lines } => {
                if let Some(last) = lines.last_mut() {
                    *last = format!("{last}; {next}");
                }
                Self::Lines { status, lines }
            }
            Self::BrokenPipe => self,
        }
    }

    /// The failure of an input with these mistakes, of which there is at least one.
    pub(super) const fn lines(status: Status, mistakes: Vec<String>) -> Self {
        Self::Lines { status, lines: mistakes }
    }

    /// The exit status.
    pub(super) const fn status(&self) -> u8 {
        match self {
            Self::Lines { status, .. } => *status as u8,
            Self::BrokenPipe => 0,
        }
    }

    fn messages(&self) -> &[String] {
        match self {
            Self::Lines { lines, .. } => lines,
            Self::BrokenPipe => &[],
        }
    }

    /// All messages as one text, for another process to print.
    #[cfg(feature = "mpi")]
    pub(super) fn text(&self) -> String {
        self.messages().join("; ")
    }

    /// Prints the lines and returns the exit status.
    pub(super) fn report(&self) -> ExitCode {
        self.messages().iter().for_each(|line| error_line(line));
        ExitCode::from(self.status())
    }
}

/// Prints `message` as one line on stderr. On a terminal it is wrapped at words.
pub(super) fn error_line(message: &str) {
    let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let line = elided(&one_line(message));
    let line = wrapped(&format!("{style}error:{style:#} "), &line, columns_of_terminal(io::stderr()));
    // If stderr is closed or full, only the status can report the failure.
    let _ = writeln!(anstream::stderr(), "{line}");
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Self::of(&error)
    }
}

impl Failure {
    /// The error in one line, with a command that helps.
    pub(super) fn of(error: &EngineError) -> Self {
        let status = match error {
            // What was written could not be read.
            EngineError::Write(TableError { fault, .. })
                if error.kind() != ErrorKind::Resources
                    && !matches!(fault, TableFault::NoLocks(_) | TableFault::Io(_)) =>
            {
                Status::Table
            }
            _ => error.kind().into(),
        };
        let message = match error {
            EngineError::Game(error) => in_options(error),
            EngineError::Solve(SolveError::Kernel(error)) => format!("TABLEGEN_KERNEL: {error}"),
            EngineError::Solve(error) => no_memory(error).unwrap_or_else(|| error.to_string()),
            EngineError::Read(error) => reading(error),
            EngineError::Shortage(shortage) => in_words(shortage),
            EngineError::PositionMemory { shortage, positions, up_to } => {
                worded(shortage, "at least ") + &found_so_far(*positions, *up_to)
            }
            EngineError::Threads { threads, reason } => {
                format!("cannot start {}: {reason}", counted(*threads as u64, "thread"))
            }
            _ => error.to_string(),
        };
        let failure = Self::new(status, message);
        match hint(&error.advice()) {
            Some(advice) => failure.hint(advice),
            None => failure,
        }
    }

    /// The failure to make the game `name` with the options given.
    pub(super) fn of_options(error: &GameError, name: &str) -> Self {
        match error {
            GameError::OutOfReach { .. } => error.clone().into(),
            _ => Self::usage(in_options(error)).hint(format!("see its options with 'tablegen list {name}'")),
        }
    }
}

/// Advice after `error` on how to write positions of `game`, which is typed as `word` unless it comes from a table.
pub(super) fn how_to_write(error: &NotationError, game: &dyn Game, word: Option<&str>) -> String {
    if let Some((size, word)) = error.size.as_ref().zip(word)
        && let Some(options) =
            size.iter().map(|(name, value)| as_option(word.as_ref(), name, value)).collect::<Option<Vec<_>>>()
    {
        return format!("use {}", options.join(" "));
    }
    let family = game.descriptor().family;
    let family = FAMILIES.iter().map(|family| family.name).find(|&name| name == family);
    let size = about_size(game, word).filter(|_| error.is_of_size).map_or_else(String::new, |size| size + "; ");
    match word.or(family) {
        Some(word) => format!("{size}see 'tablegen list {word}'"),
        None => {
            let start = game.rules().start_positions().first().map(|&start| game.write(start.into()));
            format!("{size}the start is {}", shell_word(&start.unwrap_or_default()))
        }
    }
}

/// The parameters for the size of the board of `game`, and the options for another board; `None` if it has no such parameters.
fn about_size(game: &dyn Game, word: Option<&str>) -> Option<String> {
    let now: Vec<String> = sizes(game).iter().map(|(name, value)| format!("{name}={value}")).collect();
    let other = word.and_then(|word| size_options(game, word));
    let other = other.map_or_else(String::new, |options| format!("; for another: {options}"));
    (!now.is_empty()).then(|| format!("the board has {}{other}", now.join(", ")))
}

/// The options for another size of `game`, which is typed as `word`: `--set rows=N --set cols=N`. `None` if it has no such parameters.
pub(super) fn size_options(game: &dyn Game, word: &str) -> Option<String> {
    let options = sizes(game).into_iter().map(|(name, _)| as_option(word.as_ref(), &name, "N"));
    let options: Vec<String> = options.collect::<Option<_>>()?;
    (!options.is_empty()).then(|| options.join(" "))
}

/// The parameters of `game` that are numbers; only those for the size of the board if there are any.
fn sizes(game: &dyn Game) -> Vec<(String, String)> {
    /// Names of parameters that say the size alone.
    const SIZES: [&str; 3] = ["rows", "cols", "size"];
    let mut numbers = game.descriptor().parameters;
    numbers.retain(|(_, value)| value.bytes().all(|byte| byte.is_ascii_digit()));
    if numbers.iter().any(|(name, _)| SIZES.contains(&name.as_str())) {
        numbers.retain(|(name, _)| SIZES.contains(&name.as_str()));
    }
    numbers
}

/// The error in the terms of the command line. The parameter `rows` is the option `--rows`, and a rules file's parameter
/// `n` is `--set n`.
pub(super) fn in_options(error: &GameError) -> String {
    match error {
        GameError::UnknownParameter { family, parameter, known } => {
            let near = nearest(parameter, known.iter().copied());
            let near = near.map_or_else(String::new, |near| format!(" (did you mean --{near}?)"));
            let known: Vec<String> = known.iter().map(|name| format!("--{name}")).collect();
            let known = if known.is_empty() { "none".into() } else { known.join(", ") };
            format!("{family} has no option --{parameter}{near}; its options are {known}")
        }
        GameError::Missing { family, parameter } => format!("cannot make {family}: expected --{parameter}, found none"),
        GameError::Value { .. } | GameError::Line { .. } => format!("--{error}"),
        // An option is refused before it has two values.
        GameError::Twice { .. } => format!("--set {error}"),
        GameError::RulesFile(RulesFileError::Value { .. } | RulesFileError::UnknownParameter { .. }) => {
            format!("--set {error}")
        }
        _ => error.to_string(),
    }
}

impl From<GameError> for Failure {
    fn from(error: GameError) -> Self {
        Self::of(&error.into())
    }
}

/// The failure of a game that was solved in memory for one answer. `build` is the command that builds the table, if the
/// user can type the game again.
pub(super) fn on_demand(error: &SolveError, build: Option<String>) -> Option<Failure> {
    let failure = Failure::resources(no_memory(error)?);
    // A build keeps data on disk that this solve holds twice in memory.
    Some(match build {
        Some(build) => failure.hint(format!("'{build}' needs about half as much memory")),
        None => failure,
    })
}

/// The message that positions need more memory than is available; `None` for other errors.
fn no_memory(error: &SolveError) -> Option<String> {
    let (SolveError::SparseMemory { positions, up_to, .. }
    | SolveError::NoRoom { positions, up_to, .. }
    | SolveError::Refused { positions, up_to }) = error
    else {
        return None;
    };
    let why = match error {
        SolveError::SparseMemory { allowed, needed, .. } => {
            let (allowed, needed) = (HumanBytes(*allowed), HumanBytes(*needed));
            format!("positions need {needed} and may use {allowed}")
        }
        SolveError::NoRoom { needed, left, .. } => {
            format!("{} are free, and {} may be needed", HumanBytes(*left), HumanBytes(*needed))
        }
        _ => "the system refused more memory".into(),
    };
    Some(format!("not enough memory: {why}{}", found_so_far(*positions, *up_to)))
}

/// The positions that a build had found when it stopped, after the reason. A level means nothing to people, and filled cells do.
fn found_so_far(positions: u64, up_to: UpTo) -> String {
    let found = counted(positions, "position");
    match up_to {
        _ if positions == 0 => String::new(),
        UpTo::Filled { filled, cells } => {
            format!("; found so far: {found} with up to {filled} of {cells} filled cells")
        }
        UpTo::Level { .. } | UpTo::Unordered => format!("; found so far: {found}"),
    }
}

/// The message that a table cannot be read.
fn reading(error: &TableError) -> String {
    match (&error.fault, &error.path) {
        _ if error.is_out_of_memory() => format!("not enough memory for the table: {error}"),
        (TableFault::Io(io), Some(path)) if io.kind() == io::ErrorKind::NotFound => {
            format!("cannot open {}: expected a table, found none: {io}", path.display())
        }
        (TableFault::Io(io), Some(path)) => format!("cannot open {}: {io}", path.display()),
        _ => error.to_string(),
    }
}

/// A description of the shortage: the resource, the limit, and the size that would fit.
pub(super) fn in_words(shortage: &Shortage) -> String {
    worded(shortage, "")
}

/// Like [`in_words`], with the word `least` before a need of memory.
fn worded(shortage: &Shortage, least: &str) -> String {
    let Shortage { resource, name, needed, available, limit, largest_board } = shortage;
    let available = HumanBytes(*available);
    let Some(name) = name else {
        let needed = HumanBytes(needed.unwrap_or(u64::MAX));
        let folder = match limit {
            Limit::Folder(folder) => folder.display().to_string(),
            Limit::Requested | Limit::Default | Limit::Available => "this machine".into(),
            Limit::Rank(rank) => format!("rank {rank}"),
        };
        return format!("not enough disk: the file needs at least {needed}, {folder} has {available} free");
    };
    // Labels may compress better than is assumed, so the need of disk is a lower bound.
    let (what, most, least) = match resource {
        Resource::Memory => ("memory", "more than any machine has", least),
        Resource::Disk => ("disk", "more than any disk has", "at least "),
    };
    let needed = needed.map_or_else(|| most.into(), |needed| format!("{least}{}", HumanBytes(needed)));
    let had = match limit {
        Limit::Requested => format!("--memory allows {available}"),
        Limit::Default => {
            format!("by default a build uses at most {available} (three quarters of the available memory)")
        }
        Limit::Available => format!("this machine has {available} available"),
        Limit::Folder(folder) => format!("{} has {available} free", folder.display()),
        Limit::Rank(rank) => format!("rank {rank} may use {available}"),
    };
    let fits = match largest_board {
        None => String::new(),
        Some(0) => "; no board would fit".into(),
        Some(1) => "; a board of 1 cell would fit".into(),
        Some(cells) => format!("; a board of {cells} cells would fit"),
    };
    format!("not enough {what}: {name} needs {needed}, {had}{fits}")
}

/// The remedy for a table that says nothing about itself.
const BUILD_AGAIN: &str = "build it again, see 'tablegen build --help'";

/// The remedy for a damaged table: the command, if it is known.
pub(super) fn build_again(command: Option<String>) -> String {
    command.map_or_else(|| BUILD_AGAIN.into(), |command| format!("build it again with '{command}'"))
}

/// An error of an open table. If the table is damaged, `rebuild` is the command that builds it again, if it is known.
pub(super) fn of_table(error: EngineError, rebuild: Option<&String>) -> Failure {
    match &error {
        EngineError::Read(read) if read.fault.is_damage() => {
            Failure::new(error.kind().into(), &error).hint(build_again(rebuild.cloned()))
        }
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_names_its_limit_and_what_would_fit() {
        let shortage = |largest_board| Shortage {
            resource: Resource::Memory,
            name: Some("large".into()),
            needed: Some((8 << 30) + (256 << 20)),
            available: 8 << 30,
            limit: Limit::Requested,
            largest_board,
        };
        assert_eq!(
            in_words(&shortage(Some(35))),
            "not enough memory: large needs 8.25 GiB, --memory allows 8.00 GiB; a board of 35 cells would fit"
        );
        let by_default = in_words(&Shortage { limit: Limit::Default, ..shortage(None) });
        assert!(by_default.ends_with("uses at most 8.00 GiB (three quarters of the available memory)"), "{by_default}");
        assert!(in_words(&shortage(Some(0))).ends_with("; no board would fit"));
        assert!(in_words(&shortage(None)).ends_with("8.00 GiB"));
    }
}
