//! `tablegen export`: the labels of a table for other programs.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tablegen::engine::export::{Boards, Lines};
use tablegen::engine::{Condition, OpenTable, VALUE, export, reachable, value_csv};
use tablegen::label::LabelKind;
use tablegen::table::Table;
use tablegen::verify;

use super::failure::{Failure, build_again};
use super::out_file::OutFile;
use super::output::Stream;
use super::progress::{Bar, Unit};
use super::session::Session;
use super::subject::GameOptions;
use super::{help, interrupt};

/// Export the labels of a table as a NumPy array or as CSV.
///
/// npy: an array of shape (modes, 2^cells), by board number. Outcomes are int8 (1 win, 0 draw, -1 loss), remoteness and
/// nimbers are uint8. csv: lines of mode,board,position,LABEL, where the position is a text that 'probe' reads.
/// Remoteness is only the number of plies to the end; the outcome is a separate label. Values of boards are csv only, in lines of
/// board,position,value,mean,temperature.
#[derive(clap::Args)]
#[command(after_help = help::export())]
pub(super) struct Args {
    /// A game from 'tablegen list', or a table file (*.tb)
    #[arg(value_name = "GAME|FILE", value_hint = clap::ValueHint::FilePath)]
    subject: OsString,
    #[command(flatten)]
    options: GameOptions,
    /// Export this label; 'tablegen info' lists the labels of a table
    #[arg(long, value_name = "LABEL", default_value = "outcome")]
    label: Label,
    /// Write this format
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    /// Write one line per symmetry class: its representative, and the number of positions in the class (csv)
    #[arg(long)]
    orbits: bool,
    /// Write only positions that meet CONDITION, such as 'outcome = loss and filled < 6' (csv)
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,
    /// Write to OUT, - for standard output [default: standard output]
    #[arg(short, long, value_name = "OUT", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl Args {
    /// The file to write to; `None` for standard output.
    fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| path.as_os_str() != "-")
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Label {
    /// Win, draw or loss for the player to move
    Outcome,
    /// Plies to the end
    Remoteness,
    /// Grundy value
    Nimber,
    /// Grundy value in misere play
    MisereNimber,
    /// Value of each board as a combinatorial game
    Value,
}

impl Label {
    /// The label of positions; `None` for the values of boards.
    const fn of_positions(self) -> Option<LabelKind> {
        match self {
            Self::Outcome => Some(LabelKind::Outcome),
            Self::Remoteness => Some(LabelKind::Remoteness),
            Self::Nimber => Some(LabelKind::Nimber),
            Self::MisereNimber => Some(LabelKind::MisereNimber),
            Self::Value => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A NumPy array
    Npy,
    /// One line per position, after a heading
    Csv,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    interrupt::handle();
    let to_terminal = args.file().is_none() && io::stdout().is_terminal();
    if to_terminal && args.format == Format::Npy {
        let message = "cannot write npy to a terminal: expected a file or a pipe, found a terminal";
        return Err(Failure::usage(message).hint("choose a file with -o, or use --format csv"));
    }
    let (open, rebuild) = session.open(&args.subject, &args.options)?;
    let (table, source) = (&open.table, open.source());
    if args.orbits && args.format == Format::Npy {
        return Err(Failure::usage("cannot use --orbits with npy: expected --format csv")
            .hint("an array has a place for every board"));
    }
    if args.condition.is_some() && (args.format == Format::Npy || args.label.of_positions().is_none()) {
        return Err(Failure::usage("cannot use --where: expected --format csv and a label of positions")
            .hint("an array has a place for every board, and values belong to boards"));
    }
    let Some(label) = args.label.of_positions() else { return values(args, session, &open, rebuild.as_ref()) };
    if !table.labels().contains(label) {
        let held = table.labels();
        let message = format!("cannot export {source}: {}", export::NotHeld { asked: label, held });
        let failure = Failure::usage(message);
        if let Some(reason) = open.game.undefined(label) {
            return Err(failure.hint(format!("the game has no {label}: {reason}")));
        }
        let command = session.labels_command(&open, held.with(label));
        return Err(command.into_iter().fold(failure, |f, command| f.hint(format!("add it with '{command}'"))));
    }
    let boards = match (args.format, Boards::of(table.contents())) {
        (Format::Csv, _) => None,
        (Format::Npy, Some(boards)) => Some(boards),
        (Format::Npy, None) => {
            let (name, found) = (table.rules().name(), table.domain().method().name());
            let message = format!("cannot export {name}: expected a dense table for npy, found a {found} one");
            return Err(Failure::usage(message).hint("use --format csv"));
        }
    };
    let condition = args.condition.as_ref().map(|text| Condition::read(text, table.rules(), table.labels()));
    let condition = condition.transpose().map_err(|error| Failure::usage(error.to_string()))?;
    let file = args.file().map(|path| OutFile::at(path, "-o")).transpose()?;
    // Bytes are checked first, so that no line shows a damaged label.
    session.engine()?.start_threads()?;
    check_bytes(table).map_err(|finding| Failure::table(format!("{source}: {finding}")).hint(build_again(rebuild)))?;
    let write = |out: &mut dyn Write| {
        // On a terminal that shows the lines, the bar would appear between them.
        let rules = table.rules();
        let bar = (!to_terminal).then(|| {
            // The export visits every board of a dense table, even boards that it does not write.
            let counted = reachable(table).filter(|_| !args.orbits && Boards::of(table.contents()).is_none());
            let total = counted.unwrap_or_else(|| table.contents().count());
            Bar::new(rules.name(), "writing", Unit::Positions, Some(total))
        });
        let done = |positions| bar.iter().for_each(|bar| bar.add(positions));
        match boards {
            Some(boards) => export::npy(boards, label, out, &done),
            None => {
                let lines = Lines { label, orbits: args.orbits, condition: condition.as_ref() };
                export::csv(&open, lines, out, &done)
            }
        }
    };
    match file {
        Some(file) => file.write(least_bytes(args, &open), write),
        None => {
            interrupt::streaming();
            Stream::new()?.with(write)
        }
    }
}

/// Exports the values of boards.
fn values(args: &Args, session: &Session, open: &OpenTable, rebuild: Option<&String>) -> Result<(), Failure> {
    let (table, source) = (&open.table, open.source());
    let Some(values) = table.values() else {
        let held = table.labels();
        let failure = Failure::usage(format!("cannot export {source}: expected values, found {held}"));
        let command = session.labels_command(open, held).map(|command| {
            let named = command.contains(" --labels ");
            command + if named { "," } else { " --labels " } + VALUE
        });
        return Err(command.into_iter().fold(failure, |f, command| f.hint(format!("add them with '{command}'"))));
    };
    if args.format == Format::Npy || args.orbits {
        let found = if args.orbits { "--orbits" } else { "npy" };
        let message = format!("cannot export values: expected --format csv alone, found {found}");
        return Err(Failure::usage(message));
    }
    let file = args.file().map(|path| OutFile::at(path, "-o")).transpose()?;
    session.engine()?.start_threads()?;
    check_bytes(table)
        .map_err(|finding| Failure::table(format!("{source}: {finding}")).hint(build_again(rebuild.cloned())))?;
    let to_terminal = args.file().is_none() && io::stdout().is_terminal();
    let write = |out: &mut dyn Write| {
        let count = Some(values.index.count());
        let bar = (!to_terminal).then(|| Bar::new(table.rules().name(), "writing", Unit::Positions, count));
        value_csv(open, out, &|boards| bar.iter().for_each(|bar| bar.add(boards)))
    };
    match file {
        // A line has at least a board, three commas and three fields.
        Some(file) => file.write(values.index.count() * 8, write),
        None => {
            interrupt::streaming();
            Stream::new()?.with(write)
        }
    }
}

fn check_bytes(table: &Table) -> Result<u64, verify::Finding> {
    let bar = Bar::new(table.rules().name(), "checking", Unit::Bytes, Some(table.file_bytes()));
    let count = |bytes| {
        bar.add(bytes);
        ControlFlow::Continue(())
    };
    verify::bytes(table, &verify::Options { progress: Some(&count), ..verify::Options::default() })
}

/// A lower bound on the size of the file. It assumes that no position is shorter than the start, ignoring the name of
/// the mode.
fn least_bytes(args: &Args, open: &OpenTable) -> u64 {
    match args.format {
        Format::Csv if args.condition.is_some() => 0,
        Format::Npy => open.table.contents().count(),
        Format::Csv => {
            let start = open.game.rules().start_positions().first().map(|&start| open.game.write(start.into()));
            let parts = start.iter().flat_map(|text| text.split([' ', ':'])).map(str::len);
            let positions = reachable(&open.table).unwrap_or_else(|| open.table.contents().count());
            let least = args.label.of_positions().map_or(0, export::least_line);
            positions.saturating_mul(least + parts.min().unwrap_or(0) as u64)
        }
    }
}
