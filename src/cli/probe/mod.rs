//! `tablegen probe`: what a position is worth, and each of its moves.

mod batch;
mod human;
mod json;

use std::ffi::OsString;
use std::path::Path;

use tablegen::game::{Answer, Ask, Coverage, Drawing, Game, NotationError, OutcomeNames, Reading};
use tablegen::solve::sparse::SparseError;
use tablegen::table::{Table, TableError, TableFault};

use super::failure::{self, Failure};
use super::solving::{self, Bounds, Solver};
use super::subject::{self, GameOptions, Named, Subject};
use super::tables::{self, Found, Places};
use super::{help, limits, output};

/// Most positions of a game that is solved on the spot where there is no table of it.
const SOLVED_ON_THE_SPOT: u64 = 1 << 24;

/// Say what a position is worth, and each of its moves.
///
/// Answers come from a table. Where there is none and the game is small, it is solved on the spot. A position that the
/// table does not hold, because play does not lead there, is worked out by search; so is one of a game that is too large
/// for a table, where it is near enough to the end of play.
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
    /// Look at no more than N positions where a search is needed; past them the outcome is unknown
    #[arg(long, value_name = "N", default_value_t = 1_000_000, allow_negative_numbers = true)]
    limit: u64,
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
    /// None where the game is too large to table: then all is searched.
    table: Option<Table>,
    /// `table` or `solved`.
    name: &'static str,
    /// Positions that a search may look at.
    limit: u64,
}

/// A position that is asked about.
enum Asked {
    /// One of the rules.
    Node(Reading),
    /// A text that the game itself answers; none is the start.
    Text(Option<String>),
}

impl Asked {
    /// What `text` asks of `game`, whether it was typed or stood in a file.
    fn of(game: &dyn Game, text: Option<&str>, in_file: bool) -> Result<Self, NotationError> {
        match (text, game.off_table()) {
            (Some(text), Some(off_table)) => off_table.check(text).map(|()| Self::Text(Some(text.into()))),
            (Some(text), None) if in_file => game.read_file(text).map(Self::Node),
            (Some(text), None) => game.read(text).map(Self::Node),
            (None, Some(_)) => Ok(Self::Text(None)),
            (None, None) => Ok(Self::Node(game.rules().start_node().into())),
        }
    }
}

/// An answer, and what the text of its position said beside it.
struct Answered {
    answer: Answer,
    /// The text itself drawn, where it says more than the position.
    drawn: Option<Drawing>,
    /// What the text's own form calls an outcome.
    outcome_names: OutcomeNames,
}

impl Answered {
    /// The outcome's name, in the words of the text the position came from.
    fn outcome(&self) -> &'static str {
        self.answer.outcome().map_or(UNKNOWN, |outcome| self.outcome_names.of(outcome))
    }
}

/// What an outcome is called that a search did not find.
const UNKNOWN: &str = "unknown";

impl Source {
    /// The value of what was asked.
    fn answer(&self, asked: Asked) -> Result<Answered, Failure> {
        match asked {
            Asked::Node(Reading { node, drawn, outcome_names }) => {
                let answer = match self.table.as_ref().map(|table| table.probe(node)) {
                    Some(Ok(probe)) => Answer::looked_up(self.game.as_ref(), &probe),
                    None | Some(Err(TableError { fault: TableFault::NotReached { .. }, .. })) => {
                        self.asking(|ask| Answer::searched(self.game.as_ref(), node, ask))?
                    }
                    Some(Err(error)) => return Err(failure::of_reading(&error)),
                };
                Ok(Answered { answer, drawn, outcome_names })
            }
            Asked::Text(text) => {
                let none = || Failure::usage(format!("{} answers no text", self.game.rules().name()));
                let off_table = self.game.off_table().ok_or_else(none)?;
                let answer = self.asking(|ask| off_table.answer(text.as_deref(), ask))??;
                Ok(Answered { answer, drawn: None, outcome_names: OutcomeNames::default() })
            }
        }
    }

    /// Lets `answer` ask the table, and search as far as it may.
    fn asking<T>(&self, answer: impl FnOnce(&mut Ask<'_>) -> T) -> Result<T, Failure> {
        tables::looking_up(self.table.as_ref(), |look_up| answer(&mut Ask { look_up, limit: self.limit }))
    }
}

pub(super) fn run(args: &Args, places: &Places) -> Result<(), Failure> {
    let position = match (&args.position, args.batch) {
        (Some(text), false) => Some(Text::of(text)?),
        _ => None,
    };
    let content = match &position {
        Some(Text::InFile { file, content }) => Some((file.as_str(), content.as_str())),
        _ => None,
    };
    let (found, named) = match args.options.subject(&args.subject, content)? {
        Subject::File(path) => (Some(tables::open_file(&path)?), None),
        Subject::Game(named) => (None, Some(named)),
    };
    // A position that cannot be read is told before the game is solved for it.
    let game = found.as_ref().map(|found| &found.game).or(named.as_ref().map(|named| &named.game));
    let asked = match (game, args.batch) {
        (Some(game), false) => Some(read(game.as_ref(), position.as_ref())?),
        _ => None,
    };
    // Every block that an answer comes from is checked.
    let checked = |table: Table| table.checked().map(Some).map_err(|e| failure::of_reading(&e));
    let limit = args.limit;
    let (source, missing) = match (found, named) {
        (Some(Found { game, table }), _) => (Source { game, table: checked(table)?, name: "table", limit }, None),
        (None, Some(named)) => match table_of(&named, places)? {
            Some((table, name)) => (Source { game: named.game, table: checked(table)?, name, limit }, None),
            None => {
                let missing = places.missing(&named);
                if asked.is_none() || !is_too_large(named.game.as_ref()) {
                    return Err(missing);
                }
                (Source { game: named.game, table: None, name: "search", limit }, Some(missing))
            }
        },
        (None, None) => return Ok(()),
    };
    let Some(asked) = asked else { return batch::run(args, &source) };
    let answered = source.answer(asked)?;
    if let (Some(missing), None) = (missing, answered.answer.outcome()) {
        return Err(missing);
    }
    if args.json {
        output::print_json(&json::object(&source, &answered.answer))
    } else if args.brief {
        output::print(&format!("{}\n", answered.outcome()))
    } else {
        output::print(&human::report(&source, &answered, super::drawing::width()))
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
        let content = subject::read_text(Path::new(file), subject::MOST_BYTES)
            .map_err(|found| Failure::usage(found).hint("@FILE names a file that holds one position"))?;
        Ok(Self::InFile { file: file.into(), content })
    }
}

/// The position that was asked for.
fn read(game: &dyn Game, text: Option<&Text>) -> Result<Asked, Failure> {
    match text {
        None => Ok(Asked::of(game, None, false)?),
        Some(Text::Typed(text)) => Ok(Asked::of(game, Some(text), false)?),
        Some(Text::InFile { file, content }) => {
            Asked::of(game, Some(content), true).map_err(|e| Failure::usage(format!("{file}: {e}")))
        }
    }
}

/// The table of a game, found or solved, and the name of where it is from; none where it is neither.
fn table_of(named: &Named, places: &Places) -> Result<Option<(Table, &'static str)>, Failure> {
    if let Some(table) = places.find(named.game.as_ref())? {
        return Ok(Some((table, "table")));
    }
    let Some(table) = solved_on_the_spot(named.game.as_ref())? else { return Ok(None) };
    output::note(&format!(
        "no table of {}: solved on the spot; '{}' keeps one",
        named.game.rules().name(),
        places.build_command(named)
    ));
    Ok(Some((table, "solved")))
}

/// Whether a table of all of the game may be more than this machine can make: then a position near the end of play is
/// searched, and no more is promised.
fn is_too_large(game: &dyn Game) -> bool {
    match solving::choose(game, None, None).solver {
        Solver::Dense => limits::check_memory(game.rules(), None).is_err(),
        Solver::Sparse => true,
    }
}

/// The table of a game, solved here where it is small.
fn solved_on_the_spot(game: &dyn Game) -> Result<Option<Table>, Failure> {
    let is_small = game.rules().positions() <= SOLVED_ON_THE_SPOT.into();
    let solver = match game.coverage() {
        Some(Coverage::Every) | None if is_small => Solver::Dense,
        Some(Coverage::Every) => return Ok(None),
        // What play can reach may be few all the same, unless it is plain to see that it is not.
        None if solving::reaches_every_board(game.rules()) => return Ok(None),
        Some(Coverage::Reachable) | None => Solver::Sparse,
    };
    limits::start_threads()?;
    let bounds = Bounds { memory: None, most: Some(SOLVED_ON_THE_SPOT) };
    match solving::solve(game, solver, bounds) {
        Err(solving::Refusal::Sparse(SparseError::Most { .. })) => Ok(None),
        Err(refusal) => Err(refusal.into()),
        Ok(solved) => solved.table(game).map(Some),
    }
}
