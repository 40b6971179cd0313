//! `tablegen probe`: what a position is worth, and each of its moves.

mod batch;
mod human;
mod json;

use std::ffi::OsString;
use std::path::Path;

use tablegen::game::{Game, Reading};
use tablegen::rules::{Outcome, Probe};
use tablegen::solve::dense::Kernel;
use tablegen::solve::{self, Options};
use tablegen::table::{Draft, Table};

use super::failure::{self, Failure};
use super::subject::{self, GameOptions, Named, Subject};
use super::tables::{self, Places};
use super::{help, output};

/// Most positions of a game that is solved on the spot where there is no table of it.
const SOLVED_ON_THE_SPOT: u128 = 1 << 24;

/// Say what a position is worth, and each of its moves.
///
/// Answers come from a table. Where there is none and the game is small, it is solved on the spot.
#[derive(clap::Args)]
#[command(after_help = help::probe())]
pub(super) struct Args {
    /// Name of a game, see 'tablegen list', or a table file
    #[arg(value_name = "GAME|FILE", value_hint = clap::ValueHint::FilePath)]
    subject: OsString,
    /// The position, as 'tablegen list' shows it is written; @FILE reads it from a file [default: the start]
    #[arg(value_name = "POSITION|@FILE", conflicts_with = "batch", allow_negative_numbers = true)]
    position: Option<OsString>,
    #[command(flatten)]
    options: GameOptions,
    /// Read positions from standard input, one a line, and answer each in a line
    #[arg(long)]
    batch: bool,
    /// Print the outcome alone
    #[arg(long, conflicts_with = "json")]
    brief: bool,
    /// Print a JSON object; with --batch one a line
    #[arg(long)]
    json: bool,
}

/// Where answers come from.
struct Source {
    game: Box<dyn Game>,
    table: Table,
    /// `table` or `solved`.
    name: &'static str,
}

/// A position that was read, and its answer.
struct Answer {
    reading: Reading,
    probe: Probe,
}

impl Answer {
    /// The outcome's name, in the words of the text the position came from.
    fn outcome(&self) -> &'static str {
        self.reading.names.map_or(Outcome::name as fn(Outcome) -> _, |names| names)(self.probe.value.outcome)
    }
}

impl Source {
    /// The value of what was read.
    fn answer(&self, reading: Reading) -> Result<Answer, Failure> {
        let probe = self.table.probe(reading.place).map_err(|e| failure::of_reading(&e))?;
        Ok(Answer { reading, probe })
    }
}

pub(super) fn run(args: &Args, places: &Places) -> Result<(), Failure> {
    let position = match (&args.position, args.batch) {
        (Some(text), false) => Some(Text::of(text)?),
        _ => None,
    };
    let content = match &position {
        Some(Text::InFile { content, .. }) => Some(content.as_str()),
        _ => None,
    };
    let (found, named) = match args.options.subject(&args.subject, content)? {
        Subject::File(path) => (Some(tables::open_file(&path)?), None),
        Subject::Game(named) => (None, Some(named)),
    };
    // A position that cannot be read is told before the game is solved for it.
    let game = found.as_ref().map(|found| &found.game).or(named.as_ref().map(|named| &named.game));
    let reading = match (game, args.batch) {
        (Some(game), false) => Some(read(game.as_ref(), position.as_ref())?),
        _ => None,
    };
    let source = match (found, named) {
        (Some(found), _) => Source { game: found.game, table: checked(found.table)?, name: "table" },
        (None, Some(named)) => source(named, places)?,
        (None, None) => return Ok(()),
    };
    let Some(reading) = reading else { return batch::run(args, &source) };
    let answer = source.answer(reading)?;
    if args.json {
        output::print_json(&json::object(&source, &answer))
    } else if args.brief {
        output::print(&format!("{}\n", answer.outcome()))
    } else {
        output::print(&human::report(source.game.as_ref(), &answer, super::drawing::width()))
    }
}

/// A position as it was given.
enum Text {
    /// Typed.
    Typed(String),
    /// The content of a file.
    InFile { file: String, content: String },
}

impl Text {
    fn of(text: &OsString) -> Result<Self, Failure> {
        let Some(text) = text.to_str() else {
            return Err(Failure::usage(
                "a position in UTF-8 is expected, found other bytes; see 'tablegen probe --help'",
            ));
        };
        let Some(file) = text.strip_prefix('@') else { return Ok(Self::Typed(text.into())) };
        let content = subject::read_text(Path::new(file))
            .map_err(|found| Failure::usage(found).hint("@FILE names a file that holds one position"))?;
        Ok(Self::InFile { file: file.into(), content })
    }
}

/// The position that was asked for.
fn read(game: &dyn Game, text: Option<&Text>) -> Result<Reading, Failure> {
    match text {
        None => Ok(game.rules().first_place().into()),
        Some(Text::Typed(text)) => Ok(game.read(text)?),
        Some(Text::InFile { file, content }) => {
            game.read_file(content).map_err(|e| Failure::usage(format!("{file}: {e}")))
        }
    }
}

/// Has the table check every block that an answer comes from.
fn checked(table: Table) -> Result<Table, Failure> {
    table.checked().map_err(|e| failure::of_reading(&e))
}

/// The table of a game, found or solved.
fn source(named: Named, places: &Places) -> Result<Source, Failure> {
    if let Some(table) = places.find(named.game.as_ref())? {
        return Ok(Source { game: named.game, table: checked(table)?, name: "table" });
    }
    let rules = named.game.rules();
    if rules.positions() > SOLVED_ON_THE_SPOT {
        return Err(places.missing(&named));
    }
    output::note(&format!(
        "no table of {}: solved on the spot; 'tablegen build {}' keeps one",
        rules.name, named.typed
    ));
    let descriptor = named.game.descriptor();
    let solution = solve::dense(rules, &Options { kernel: Kernel::asked_for()?, ..Options::default() })?;
    let draft = Draft { rules, descriptor: &descriptor, layout: solution.layout(), planes: solution.planes() };
    let table = Table::from_bytes(draft.to_bytes()).map_err(|e| failure::of_reading(&e))?;
    Ok(Source { game: named.game, table, name: "solved" })
}
