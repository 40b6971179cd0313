//! `tablegen export`: the labels of a table for other programs.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tablegen::contents::Dense;
use tablegen::engine::export::Lines;
use tablegen::engine::{
    ColumnName, ColumnReader, ColumnsError, Condition, Keys, OpenTable, PartFacts, RegionFacts, RowOptions, RowReader,
    RowsError, VALUE, export, no_values, reachable, value_csv,
};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::solve::Method;
use tablegen::table::Table;
use tablegen::verify;

use super::failure::{Failure, build_again};
use super::one_of::one_of;
use super::out_file::{OutFile, is_stdout};
use super::output::note;
use super::progress::{Bar, Unit};
use super::session::Session;
use super::subject::TableArgs;
use super::{help, interrupt, words};

/// Export the labels of a table as a NumPy array, as CSV, or as a file of columns.
///
/// npy: an array of shape (modes, 2^cells), by board number. Outcomes are int8 (1 win, 0 draw, -1 loss), remoteness and
/// nimbers are uint8. csv: lines of mode,board,position,LABEL, where the position is a text that 'probe' reads.
/// Remoteness is only the number of plies to the end; the outcome is a separate label. The label value alone gives lines of
/// board,position,value,mean,temperature. parquet and arrow: one file with labels and the symmetry class of each position
/// as columns.
#[derive(clap::Args)]
#[command(after_help = help::of("export"))]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Export these labels, with commas between them (npy: one); 'tablegen info' lists the labels of a table [default: outcome (npy,
    /// csv), all (parquet, arrow)]
    #[arg(long, value_name = "LABELS", value_delimiter = ',', value_parser = Label::parser())]
    label: Vec<Label>,
    /// Write this format
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    /// Write one line per symmetry class: its representative, and the number of positions in the class (not
    /// npy or values)
    #[arg(long)]
    orbits: bool,
    /// Write only positions that satisfy CONDITION (not npy or values): comparisons of mode, outcome, remoteness, nimber,
    /// misere-nimber, score, filled (cells) or free (cells) with = != < <= > >=, or reachable, joined by not, and, or and
    /// parentheses. Unless it names reachable, boards that the table marks as unreachable are not written; a table by regions marks
    /// none [default: all]
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,
    /// Write these columns, with commas between them (not npy): those of a file of columns, or pieces_first, pieces_second (numbers of
    /// pieces), moves (their number), best_move [default: those of --label]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "label")]
    columns: Vec<ColumnName>,
    /// Write board numbers as numbers, as hex texts of equal length (0x00ff), or as decimal texts (not npy) [default: numbers]
    #[arg(long, value_name = "FORM", hide_possible_values = true, value_parser = keys())]
    keys: Option<Keys>,
    /// Write the remoteness of a draw by repetition as the word repetition, or as an empty field (csv) [default: word]
    #[arg(long, value_name = "FORM")]
    missing: Option<Missing>,
    /// Write to OUT, - for standard output [default: standard output]
    #[arg(short, long, value_name = "OUT", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
}

fn keys() -> impl TypedValueParser<Value = Keys> {
    one_of(vec![("numbers", Keys::Numbers, ""), ("hex", Keys::Hex, ""), ("text", Keys::Texts, "")])
}

/// What is written for plies that do not exist.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Missing {
    /// The word repetition
    Word,
    /// Nothing
    Empty,
}

impl Args {
    /// The option that chooses positions, if there is one.
    fn choice(&self) -> Option<&'static str> {
        if self.orbits { Some("--orbits") } else { self.condition.as_ref().map(|_| "--where") }
    }

    /// An option that does not apply to the format, and what it needs.
    fn misplaced(&self) -> Option<(&'static str, &'static str, &'static str)> {
        const ROWS: &str = "a format with rows, such as csv";
        const PLACES: &str = "an array has a place for every board";
        let form = if self.columns.is_empty() { self.keys.map(|_| "--keys") } else { Some("--columns") };
        let is_array = self.format == Format::Npy;
        match (self.choice(), form, self.missing) {
            (Some(option), ..) | (_, Some(option), _) if is_array => Some((option, ROWS, PLACES)),
            (.., Some(_)) if is_array => Some(("--missing", "--format csv", PLACES)),
            (.., Some(_)) if self.format.has_columns() => {
                Some(("--missing", "--format csv", "plies that do not exist are null there"))
            }
            _ => None,
        }
    }

    /// True if the values of boards are exported, as lines of their own.
    fn is_of_boards(&self) -> bool {
        matches!(self.label[..], [Label(None)]) && !self.format.has_columns()
    }

    /// The columns of labels to export from `open`.
    fn labels(&self, open: &OpenTable) -> Vec<ColumnName> {
        let all: Vec<LabelKind> = match &self.label[..] {
            [] if self.format.has_columns() => open.table.labels().iter().collect(),
            [] => vec![LabelKind::Outcome],
            labels => labels.iter().filter_map(|label| label.0).collect(),
        };
        let has_values = self.label.iter().any(|label| label.0.is_none());
        let values = if has_values { &ColumnName::VALUE[..] } else { &[] };
        all.into_iter().map(ColumnName::Label).chain(values.iter().copied()).collect()
    }

    /// The rows of `open` to export.
    fn rows(&self, open: &OpenTable) -> Result<RowOptions, Failure> {
        let read = |text: &String| Condition::read(text, open.table.rules());
        let condition = self.condition.as_ref().map(read).transpose();
        let condition = condition.map_err(|error| Failure::usage(format!("--where: {error}")))?;
        let classes = self.orbits.then(|| open.classes()).transpose()?;
        Ok(RowOptions { condition, classes, ..RowOptions::default() })
    }

    /// The form of the file.
    fn form<'a>(&self, open: &'a OpenTable, session: &Session) -> Result<Form<'a>, Failure> {
        let keys = self.keys.unwrap_or_default();
        let failed = |error| not_columns(error, session, open);
        let options = self.rows(open)?;
        match self.format {
            Format::Npy => {
                let [ColumnName::Label(label)] = self.labels(open)[..] else {
                    let found = format!("found {}", self.label.len());
                    return Err(Failure::usage(format!("cannot export npy: expected one label, {found}"))
                        .hint("write a file for each label"));
                };
                let labels = LabelSet::default().with(label);
                let checked = RowReader::new(open, RowOptions { labels, ..options });
                checked.map_err(|error| not_had(error, session, open))?;
                Ok(Form::Array(Box::new(array_of(&open.table)?), label))
            }
            Format::Csv => {
                let mut lines = match &self.columns[..] {
                    [] => Lines::of_labels(&self.labels(open), self.orbits),
                    columns => Lines::of_columns(columns),
                };
                lines.keys = keys;
                lines.no_plies = if self.missing == Some(Missing::Empty) { "" } else { Lines::REPETITION };
                Ok(Form::Lines(lines.reader(open, options).map_err(failed)?, lines))
            }
            Format::Parquet | Format::Arrow => {
                let mut columns = self.columns.clone();
                if columns.is_empty() {
                    let mut labels = self.labels(open);
                    labels.retain(|label| *label != ColumnName::Label(LabelKind::Outcome));
                    columns = ColumnName::usual(LabelSet::OUTCOME);
                    columns.extend(labels.into_iter().chain(ColumnName::CLASS));
                }
                Ok(Form::Columns(ColumnReader::new(open, options, &columns, keys).map_err(failed)?))
            }
        }
    }
}

/// The form of a file, and what it is made from.
enum Form<'a> {
    Array(Box<Dense<'a>>, LabelKind),
    Lines(ColumnReader, Lines),
    Columns(ColumnReader),
}

/// The labels of every board of `table`.
fn array_of(table: &Table) -> Result<Dense<'_>, Failure> {
    table.contents().every_board().ok_or_else(|| {
        let found = match table.domain().method() {
            Method::Regions => "one by regions".to_owned(),
            method => format!("a {} one", method.name()),
        };
        let name = table.rules().name();
        let message = format!("cannot export {name}: expected a dense table for npy, found {found}");
        Failure::usage(message).hint("use --format csv")
    })
}

/// A label of positions; `None` for the values of boards.
#[derive(Clone, Copy)]
struct Label(Option<LabelKind>);

impl Label {
    fn parser() -> impl TypedValueParser<Value = Self> {
        let possible = |kind: LabelKind| {
            let (name, key) = (kind.name(), kind.about().key);
            let value = PossibleValue::new(name).help(kind.about().help);
            if key == name { value } else { value.alias(key) }
        };
        let of_positions = LabelKind::ALL.map(possible);
        let of_boards = PossibleValue::new(VALUE).help("Value of each board as a combinatorial game");
        let all = of_positions.into_iter().chain([of_boards]);
        PossibleValuesParser::new(all).map(|name| Self(name.parse().ok()))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A NumPy array
    Npy,
    /// One line per position, after a heading
    Csv,
    /// A Parquet file, compressed
    Parquet,
    /// An Arrow file (IPC), for reading in place
    Arrow,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Self::Npy => "npy",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        }
    }

    const fn has_columns(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow)
    }
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    interrupt::handle();
    let (to_terminal, format) = (is_stdout(&args.output) && io::stdout().is_terminal(), args.format.name());
    if args.format.has_columns() {
        columns_are_available(format)?;
    }
    if to_terminal && args.format != Format::Csv {
        let message = format!("cannot write {format} to a terminal: expected a file or a pipe, found a terminal");
        return Err(Failure::usage(message).hint("choose a file with -o, or use --format csv"));
    }
    let (open, rebuild) = args.table.open(session)?;
    let (table, source) = (&open.table, open.source());
    if let Some(part) = PartFacts::of(table) {
        note(&format!("{} is a part, {}", table.rules().name(), words::part(Some(&part))));
    }
    if let Some((option, expected, reason)) = args.misplaced() {
        return Err(Failure::usage(format!("cannot use {option} with {format}: expected {expected}")).hint(reason));
    }
    if args.is_of_boards() {
        return values(args, session, &open, rebuild.as_ref());
    }
    let form = args.form(&open, session)?;
    let every = table.contents().every_board();
    let file = OutFile::at(&args.output, "-o")?;
    // Bytes are checked first, so that no line shows a damaged label.
    session.engine()?.start_threads()?;
    check_bytes(table).map_err(|finding| Failure::table(format!("{source}: {finding}")).hint(build_again(rebuild)))?;
    let write = |out: &mut dyn Write| {
        // On a terminal that shows the lines, the bar would appear between them.
        let rules = table.rules();
        let bar = (!to_terminal).then(|| {
            // The export visits every board of a dense table, even boards that it does not write.
            let writes_stored = args.orbits && table.contents().only_reachable().is_some();
            let counted = reachable(table).filter(|_| every.is_none() && !writes_stored);
            let total = counted.unwrap_or_else(|| table.contents().count());
            Bar::new(rules.name(), "writing", Unit::Positions, Some(total))
        });
        let done = |positions| bar.iter().for_each(|bar| bar.add(positions));
        match form {
            Form::Array(boards, label) => export::npy(*boards, label, out, &done),
            Form::Lines(reader, lines) => export::csv(&open, reader, &lines, out, &done),
            Form::Columns(reader) => write_columns(args.format, &open, reader, out, &done),
        }
    };
    file.write(least_bytes(args, &open), write)
}

/// The file of the table of `open`, or the name of its game if it is embedded.
fn named(open: &OpenTable) -> String {
    match open.table.path() {
        Some(path) => path.display().to_string(),
        None => format!("the embedded table of {}", open.table.rules().name()),
    }
}

/// The failure that `open` does not have the rows to export, with a command that adds what is missing.
fn not_had(error: RowsError, session: &Session, open: &OpenTable) -> Failure {
    let failure = Failure::usage(format!("cannot export {}: {error}", named(open)));
    let (command, what) = match error {
        RowsError::NotHeld(export::NotHeld { asked, held }) => {
            if let Some(reason) = open.game.undefined(asked) {
                return failure.hint(format!("the game has no {asked}: {reason}"));
            }
            if open.table.lacks_plies() {
                return failure.hint(words::NO_PLIES);
            }
            (session.labels_command(open, held.with(asked)), "add it")
        }
        // No table by regions tells it. Where positions have codes, a table of those that play reaches does.
        _ if RegionFacts::of(&open.table).is_some() && open.game.rules().counts_pieces() => {
            return failure.hint("no table of this game tells it, because moves or ends depend on numbers of pieces");
        }
        _ if RegionFacts::of(&open.table).is_some() => {
            (session.rebuild(open).map(|command| command + " --solver cyclic"), "build a table of reachable positions")
        }
        _ => (session.rebuild(open), "build one"),
    };
    command.into_iter().fold(failure, |failure, command| failure.hint(format!("{what} with '{command}'")))
}

/// The failure that `open` does not have the columns to export.
fn not_columns(error: ColumnsError, session: &Session, open: &OpenTable) -> Failure {
    match error {
        ColumnsError::Rows(error) => not_had(error, session, open),
        ColumnsError::Engine(error) => error.into(),
        ColumnsError::NoValues { .. } => not_valued(session, open),
        ColumnsError::Twice(_) | ColumnsError::OneColour(_) => {
            Failure::usage(format!("cannot export {}: {error}", named(open)))
        }
    }
}

/// The failure that `open` has no values of boards.
fn not_valued(session: &Session, open: &OpenTable) -> Failure {
    let held = open.table.labels();
    let failure = Failure::usage(format!("cannot export {}: expected values, found {held}", named(open)));
    if let Some(reason) = no_values(open.game.as_ref()) {
        return failure.hint(format!("the game has no values: {reason}"));
    }
    let command = session.labels_command(open, held).map(|command| {
        let named = command.contains(" --labels ");
        command + if named { "," } else { " --labels " } + VALUE
    });
    command.into_iter().fold(failure, |f, command| f.hint(format!("add them with '{command}'")))
}

/// Exports the values of boards.
fn values(args: &Args, session: &Session, open: &OpenTable, rebuild: Option<&String>) -> Result<(), Failure> {
    let (table, source) = (&open.table, open.source());
    let values = table.values().ok_or_else(|| not_valued(session, open))?;
    let form = args.keys.map(|_| "--keys").or(args.missing.map(|_| "--missing"));
    if args.format != Format::Csv || args.choice().or(form).is_some() {
        let found = args.choice().or(form).unwrap_or(args.format.name());
        let message = format!("cannot export values: expected --format csv alone, found {found}");
        return Err(Failure::usage(message).hint("--label outcome,value writes them for each position"));
    }
    let file = OutFile::at(&args.output, "-o")?;
    session.engine()?.start_threads()?;
    check_bytes(table)
        .map_err(|finding| Failure::table(format!("{source}: {finding}")).hint(build_again(rebuild.cloned())))?;
    let to_terminal = is_stdout(&args.output) && io::stdout().is_terminal();
    let write = |out: &mut dyn Write| {
        let count = Some(values.index.count());
        let bar = (!to_terminal).then(|| Bar::new(table.rules().name(), "writing", Unit::Positions, count));
        value_csv(open, out, &|boards| bar.iter().for_each(|bar| bar.add(boards)))
    };
    // A line has at least a board, three commas and three fields.
    file.write(values.index.count() * 8, write)
}

/// The failure to write columns, if the program cannot.
fn columns_are_available(format: &str) -> Result<(), Failure> {
    if cfg!(feature = "columns") {
        return Ok(());
    }
    let found = "expected a program compiled with the feature columns, found one without";
    let hint = "compile it with 'cargo build -F columns', or use --format csv";
    Err(Failure::usage(format!("cannot write {format}: {found}")).hint(hint))
}

/// Writes a file of columns.
#[cfg(feature = "columns")]
fn write_columns(
    format: Format,
    open: &OpenTable,
    reader: ColumnReader,
    out: &mut dyn Write,
    done: &dyn Fn(u64),
) -> io::Result<()> {
    use tablegen::engine::column_files;
    match format {
        Format::Parquet => column_files::parquet(open, reader, out, done),
        _ => column_files::arrow(open, reader, out, done),
    }
}

/// No columns: [`columns_are_available`] has refused the command.
#[cfg(not(feature = "columns"))]
fn write_columns(_: Format, _: &OpenTable, _: ColumnReader, _: &mut dyn Write, _: &dyn Fn(u64)) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn check_bytes(table: &Table) -> Result<u64, verify::Finding> {
    let bar = Bar::new(table.rules().name(), "checking", Unit::Bytes, Some(table.file_bytes()));
    verify::bytes(table, &verify::Options { progress: Some(&|bytes| bar.count(bytes)), ..verify::Options::default() })
}

/// A lower bound on the size of the file. It assumes that no position is shorter than the start, ignoring the name of
/// the mode.
fn least_bytes(args: &Args, open: &OpenTable) -> u64 {
    match args.format {
        Format::Npy => open.table.contents().count(),
        Format::Parquet | Format::Arrow => 0,
        Format::Csv if args.condition.is_some() || !args.columns.is_empty() => 0,
        Format::Csv => {
            let start = open.game.rules().start_positions().first().map(|&start| open.game.write(start.into()));
            let parts = start.iter().flat_map(|text| text.split([' ', ':'])).map(str::len);
            let positions = reachable(&open.table).unwrap_or_else(|| open.table.contents().count());
            let least = args.labels(open).first().and_then(|column| column.label()).map_or(0, export::least_line);
            positions.saturating_mul(least + parts.min().unwrap_or(0) as u64)
        }
    }
}
