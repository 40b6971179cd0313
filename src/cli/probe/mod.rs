//! `tablegen probe`: the value of a position and of each of its moves.

mod batch;
mod human;

pub(super) use human::{head, moves, unsettled};

use std::ffi::OsString;
use std::path::Path;

use tablegen::engine::{Asked, Engine, Origin, Source, json, reachable};
use tablegen::game::Game;
use tablegen::table::Table;

use super::counting::Counting;
use super::failure::{self, Failure};
use super::labels::Labels;
use super::session::{Session, Subject};
use super::subject::{self, Named, PositionFile, SubjectArgs};
use super::{bus_error, help, interrupt, output, stdin, usage};

/// Show the value of a position and of each of its moves.
///
/// Answers come from a table. If there is no table and the game is small, it is solved in memory first. A search
/// answers positions that the table does not hold because they are unreachable. It also answers positions of games too
/// large for a table, if they are near enough to the end of play.
#[derive(clap::Args)]
#[command(after_help = help::of("probe"))]
pub(super) struct Args {
    #[command(flatten)]
    subject: SubjectArgs,
    /// The position in the notation that 'tablegen list GAME' shows, or [MODE:]NUMBER of its board; @FILE reads it from
    /// a file, @- from standard input [default: the start]
    #[arg(value_name = "POSITION|@FILE", conflicts_with = "batch")]
    position: Option<OsString>,
    /// Read positions from standard input, one per line, and answer each on one line
    #[arg(long)]
    batch: bool,
    /// Search at most N positions if no table answers, or fewer if each has thousands of moves; beyond that limit, the
    /// outcome is unknown
    #[arg(long, value_name = "N", default_value_t = 1_000_000, allow_negative_numbers = true)]
    limit: u64,
    /// Print only the outcome
    #[arg(long, conflicts_with = "json")]
    brief: bool,
    /// Print a JSON object; with --batch one per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    // Standard input is taken here, before a rules file or anything else can read it.
    let input = args.batch.then(stdin::take).transpose().map_err(Failure::usage)?;
    let position = args.position.as_ref().map(Text::of).transpose()?;
    let content = position.as_ref().and_then(Text::file);
    let subject = args.subject.find(session, content)?;
    if let Some(input) = input {
        interrupt::handle();
        let LabelSource { source, rebuild, .. } = label_source(session, subject, args.limit, OnSearch::Try)?;
        return batch::run(args, &source, rebuild.as_ref(), input);
    }
    let One { from, asked, missing } = one(session, subject, position.as_ref(), args.limit)?;
    let LabelSource { source, rebuild, build } = from;
    let answered = source.answer(&asked).map_err(|error| failure::of_table(error, rebuild.as_ref()))?;
    if let Some(missing) = missing.filter(|_| source.lacks_table_for(&answered)) {
        return Err(missing);
    }
    if args.json {
        output::Stream::new()?.with(|out| writeln!(out, "{}", json::answered_text(&source, &answered)))
    } else if args.brief {
        output::print(&format!("{}\n", answered.outcome_name()))
    } else {
        if source.origin_of(&answered.answer) == Origin::Table.name() && !answered.answer.over {
            note_lacking(&source, build);
        }
        output::print(&human::report(&source, &answered, super::drawing::width()))
    }
}

/// Notes which labels a table file lacks that an answer without a table would have. `build` is the command that builds the table.
fn note_lacking(source: &Source, build: Option<String>) {
    let Some(table) = source.table().filter(|table| table.path().is_some()) else { return };
    let lacking = source.lacking();
    let names: Vec<&str> = lacking.others().map(|label| label.name()).collect();
    if names.is_empty() {
        return;
    }
    let what = format!("the table has no {}", names.join(" and no "));
    let labels = Labels::typed(table.labels().union(lacking));
    let adds = |build| format!("{what}; '{build}{labels}' adds {}", if names.len() == 1 { "it" } else { "them" });
    output::note(&build.map_or_else(|| what.clone(), adds));
}

/// The labels of a game or a table.
pub(super) struct LabelSource {
    /// A source that has a table.
    pub(super) source: Source,
    /// The command that rebuilds the table file, if there is one and the command is known.
    pub(super) rebuild: Option<String>,
    /// The command that builds the table at its place, if it is known.
    pub(super) build: Option<String>,
}

/// The labels of the game or the table that `subject` names. A game too large for a table is an error.
pub(super) fn labelled(session: &Session, subject: &SubjectArgs) -> Result<LabelSource, Failure> {
    label_source(session, subject.find(session, None)?, 0, OnSearch::Refuse)
}

fn label_source(session: &Session, subject: Subject, limit: u64, on_search: OnSearch) -> Result<LabelSource, Failure> {
    match subject {
        Subject::Table(open) => {
            let (build, rebuild) = (session.command_of(&open), session.rebuild(&open));
            let source = Source::of_table(*open, limit).map_err(|error| failure::of_table(error, rebuild.as_ref()))?;
            Ok(LabelSource { source, rebuild, build })
        }
        Subject::Game(named) => of_game(session, named, limit, on_search),
    }
}

/// The arguments that name a position of a game or of a table.
#[derive(clap::Args)]
pub(super) struct PlaceArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    /// The position in the notation that 'tablegen list GAME' shows, or [MODE:]NUMBER of its board; @FILE reads it from
    /// a file, @- from standard input [default: the start]
    #[arg(value_name = "POSITION|@FILE")]
    position: Option<OsString>,
}

impl PlaceArgs {
    /// The position, and the source of its answer. A search looks at no more than `limit` positions.
    pub(super) fn find(&self, session: &Session, limit: u64) -> Result<One, Failure> {
        let position = self.position.as_ref().map(Text::of).transpose()?;
        let subject = self.subject.find(session, position.as_ref().and_then(Text::file))?;
        one(session, subject, position.as_ref(), limit)
    }
}

/// A position in question, and the source of its answer.
pub(super) struct One {
    pub(super) from: LabelSource,
    pub(super) asked: Asked,
    /// The failure to report if an answer needs a table; `None` if `subject` is a table.
    pub(super) missing: Option<Failure>,
}

/// The position that `position` names in `subject`, a game or a table. Without `position` it is the start.
pub(super) fn one(session: &Session, subject: Subject, position: Option<&Text>, limit: u64) -> Result<One, Failure> {
    // An unreadable position is reported before the game is solved.
    let (asked, missing) = match &subject {
        Subject::Table(open) => (read(open.game.as_ref(), None, position)?, None),
        Subject::Game(named) => {
            let asked = read(named.game.as_ref(), Some(named.word()), position)?;
            (asked, Some(session.missing(named.game.rules().name(), &named.typed)))
        }
    };
    let from = label_source(session, subject, limit, OnSearch::Try)?;
    if from.source.table().is_none_or(|table| reachable(table).is_some()) {
        // The answer may come from a search, which takes time.
        interrupt::handle();
    }
    Ok(One { from, asked, missing })
}

/// The reaction to a game that is too large for a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnSearch {
    /// Search the position.
    Try,
    /// Report that there is no table.
    Refuse,
}

fn of_game(session: &Session, named: Named, limit: u64, on_search: OnSearch) -> Result<LabelSource, Failure> {
    let Named { game, typed } = named;
    let name = game.rules().name().to_owned();
    let engine: Engine = session.solving_engine()?;
    let counting = Counting::new(&name);
    let watch = |progress| {
        // The handler is not installed earlier: most answers are quick look-ups, which need no handler.
        interrupt::handle();
        counting.tell(progress)
    };
    let source = engine.source_watched(game, limit, Some(&watch));
    let source = source.map_err(|error| session.explain(error, &name, &typed))?;
    drop(counting);
    source.table().into_iter().for_each(bus_error::watch);
    match source.origin() {
        Origin::Table => session.note_folder(),
        Origin::Solved => {
            session.note_folder();
            output::note(&match source.outdated() {
                // Input from standard input cannot be typed again.
                None if stdin::is_in(&typed) => format!("no table of {name}: solved in memory"),
                None => {
                    format!("no table of {name}: solved in memory; '{}' writes a table", session.build_command(&typed))
                }
                Some(path) => format!(
                    "{} holds older rules of {name}: solved in memory; '{}' replaces it",
                    path.display(),
                    session.rebuild_command(&typed, &name, path)
                ),
            });
        }
        Origin::Search if on_search == OnSearch::Try => {}
        Origin::Search => return Err(session.missing(&name, &typed)),
    }
    let path = source.table().and_then(Table::path);
    let rebuild = path.map(|path| session.rebuild_command(&typed, &name, path));
    // Input from standard input cannot be typed again.
    let build = (!stdin::is_in(&typed)).then(|| session.command_to(&typed, &name, path));
    Ok(LabelSource { source, rebuild, build })
}

/// A position as the user gives it.
pub(super) enum Text {
    /// The text itself.
    Typed(String),
    /// The content of a file.
    InFile(PositionFile),
}

impl Text {
    pub(super) fn of(text: &OsString) -> Result<Self, Failure> {
        let Some(text) = text.to_str() else {
            return Err(Failure::usage(
                "cannot read the position: expected UTF-8, found other bytes; see 'tablegen probe --help'",
            ));
        };
        let Some(file) = text.strip_prefix('@') else { return Ok(Self::Typed(text.into())) };
        if file.is_empty() {
            return Err(Failure::usage("cannot read the position: expected the name of a file after @, found none")
                .hint("@- reads standard input"));
        }
        let path = Path::new(file);
        let content = subject::read_text(path, subject::MOST_BYTES)
            .map_err(|found| Failure::usage(found).hint("@FILE names a file that holds one position"))?;
        Ok(Self::InFile(PositionFile { name: subject::shown(path), content }))
    }

    /// The file, if the position is in one.
    pub(super) const fn file(&self) -> Option<&PositionFile> {
        if let Self::InFile(file) = self { Some(file) } else { None }
    }
}

/// The position that `text` names in `game`, which is typed as `word` unless it comes from a table; `None` is the start.
fn read(game: &dyn Game, word: Option<&str>, text: Option<&Text>) -> Result<Asked, Failure> {
    // An option without its dashes is taken for a position.
    let as_option = |text: Option<&str>| {
        let (key, value) = text?.split_once('=')?;
        usage::as_option(word?.as_ref(), key, value)
    };
    let typed = |text| {
        Asked::typed(game, text).map_err(|error| match as_option(text) {
            Some(option) => Failure::usage(error).hint(format!("use {option}")),
            None => Failure::usage(error).hint(failure::how_to_write(game, word)),
        })
    };
    match text {
        None => typed(None),
        Some(Text::Typed(text)) => typed(Some(text)),
        Some(Text::InFile(PositionFile { name, content })) => {
            Asked::in_file(game, content).map_err(|e| Failure::usage(format!("{name}: {e}")))
        }
    }
}
