//! Where answers come from: a table, a game solved in memory, or a search; and what users are told about it.

use std::cell::Cell;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::ops::ControlFlow;

use indicatif::HumanBytes;
use tablegen::engine::{
    Answered, Asked, EngineError, Origin, Remedy, SearchOptions, SearchTeller, Source, Teller, Wanted, reachable,
};
use tablegen::table::Table;

use super::{Text, read};
use crate::cli::counting::Counting;
use crate::cli::failure::{self, Failure};
use crate::cli::progress::Bar;
use crate::cli::searching::{SearchArgs, in_words, longer};
use crate::cli::session::{Session, Subject};
use crate::cli::subject::{Named, SubjectArgs};
use crate::cli::{bus_error, interrupt, output, stdin};

/// The labels of a game or a table.
pub(in crate::cli) struct LabelSource {
    pub(in crate::cli) source: Source,
    /// The command that rebuilds the table file, if there is one and the command is known.
    pub(in crate::cli) rebuild: Option<String>,
    /// The command that builds the table at its place, if it is known.
    pub(in crate::cli) build: Option<String>,
    /// What to say once the game was solved in memory; taken when it was said.
    on_solved: Cell<Option<String>>,
}

impl LabelSource {
    /// The failure for `error`, which an answer of this source met.
    pub(in crate::cli) fn damaged(&self, error: EngineError) -> Failure {
        failure::of_table(error, self.rebuild.as_ref())
    }

    /// Prints a note if the game was solved in memory, once.
    pub(in crate::cli) fn note_solved(&self) {
        if self.source.origin() == Origin::Solved
            && let Some(note) = self.on_solved.take()
        {
            output::note(&note);
        }
    }

    /// Prints a note if `answered` lacks the outcome, or the plies that `options` ask for. If the output says that the outcome is unknown
    /// (`is_said`), the note has only what would decide it.
    pub(in crate::cli) fn note_unknown(&self, answered: &Answered, options: SearchOptions, is_said: bool) {
        let what = match answered.answer.value {
            None if is_said => return output::note(&self.remedy()),
            None => "the outcome",
            Some(value) if options.wanted == Wanted::Plies && self.searches(options) && !value.has_length() => {
                "the remoteness"
            }
            Some(value) if options.wanted == Wanted::Score && self.searches(options) && value.score().is_none() => {
                "the score"
            }
            Some(_) => return,
        };
        self.note_not_found(what, options);
    }

    /// Prints a note that a search did not find `what`.
    pub(in crate::cli) fn note_not_found(&self, what: &str, options: SearchOptions) {
        output::note(&format!("{} did not find {what}; {}", in_words(options.limit), self.remedy()));
    }

    /// True if a search looks for the label that `options` ask for.
    fn searches(&self, options: SearchOptions) -> bool {
        !self.has_table() || self.source.searched_label(options.wanted).is_some()
    }

    fn has_table(&self) -> bool {
        self.source.table().is_some()
    }

    /// What would decide an unknown outcome.
    pub(in crate::cli) fn remedy(&self) -> String {
        let Remedy { limit, build } = self.source.remedy();
        let build = if build { self.build.as_ref() } else { None };
        let longer = longer(self.source.options().limit);
        let build = build.map(|build| format!("'{build}'{}", self.build_size()));
        match (limit, build) {
            (true, None) => format!("try {longer}"),
            (true, Some(build)) => format!("try {longer}, or build a table with {build}"),
            (false, Some(build)) => {
                format!("positions may repeat, so only a table tells: {build}; 'tablegen estimate' says what it takes")
            }
            (false, None) => "positions may repeat, so only a table tells".into(),
        }
    }

    /// The size of the table that a build makes, in brackets after its command, if it is known at once.
    fn build_size(&self) -> String {
        let bytes = self.source.most_build_bytes();
        bytes.map_or_else(String::new, |bytes| format!(" (at most {})", HumanBytes(bytes)))
    }
}

/// The labels of the game or the table that `subject` names. A game too large for a table is an error.
pub(in crate::cli) fn labelled(session: &Session, subject: &SubjectArgs) -> Result<LabelSource, Failure> {
    let subject = subject.find(session, None)?;
    let missing = missing(session, &subject);
    let from = label_source(session, subject, &SearchArgs::none())?;
    from.with_table(missing)
}

/// The failure that there is no table of `subject`; `None` if it is one.
fn missing(session: &Session, subject: &Subject) -> Option<Failure> {
    match subject {
        Subject::Table(_) => None,
        Subject::Game(named) => Some(session.missing(named.game.rules().name(), &named.typed)),
    }
}

impl LabelSource {
    /// The same source, which must have a table; otherwise the failure `missing`.
    fn with_table(self, missing: Option<Failure>) -> Result<Self, Failure> {
        self.source.decide(None).map_err(|error| self.damaged(error))?;
        self.note_solved();
        match missing {
            Some(missing) if !self.has_table() => Err(missing),
            _ => Ok(self),
        }
    }
}

/// The source of answers for `subject`.
pub(in crate::cli) fn label_source(
    session: &Session,
    subject: Subject,
    search: &SearchArgs,
) -> Result<LabelSource, Failure> {
    match subject {
        Subject::Table(open) => {
            search.check(open.game.as_ref())?;
            let (build, rebuild) = (session.command_of(&open), session.rebuild(&open));
            let teller = search_teller(open.game.rules().name());
            let source = Source::of_table(*open, search.options());
            let source = source.map_err(|error| failure::of_table(error, rebuild.as_ref()))?.with_search_teller(teller);
            let setup = search.engine(session.engine()?)?.search_setup();
            Ok(LabelSource { source: source.with_search(setup), rebuild, build, on_solved: Cell::new(None) })
        }
        Subject::Game(named) => {
            search.check(named.game.as_ref())?;
            of_game(session, named, search)
        }
    }
}

/// The arguments that name a position of a game or of a table.
#[derive(clap::Args)]
pub(in crate::cli) struct PlaceArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    /// The position in the notation that 'tablegen list GAME' shows, or [MODE:]NUMBER of its board; @FILE reads it from
    /// a file, @- from standard input [default: the start]
    #[arg(value_name = "POSITION|@FILE")]
    position: Option<OsString>,
}

impl PlaceArgs {
    /// The position, and the source of its answer.
    pub(in crate::cli) fn find(&self, session: &Session, search: &SearchArgs) -> Result<One, Failure> {
        let (subject, position) = self.read(session)?;
        one(session, subject, position.as_ref(), search)
    }

    /// The position, and the table that answers it. A game too large for a table is an error.
    pub(in crate::cli) fn find_in_table(&self, session: &Session) -> Result<One, Failure> {
        let (subject, position) = self.read(session)?;
        let missing = missing(session, &subject);
        let One { from, asked } = one(session, subject, position.as_ref(), &SearchArgs::none())?;
        Ok(One { from: from.with_table(missing)?, asked })
    }

    fn read(&self, session: &Session) -> Result<(Subject, Option<Text>), Failure> {
        let position = self.position.as_ref().map(Text::of).transpose()?;
        let subject = self.subject.find(session, position.as_ref().and_then(Text::file))?;
        Ok((subject, position))
    }
}

/// A position in question, and the source of its answer.
pub(in crate::cli) struct One {
    pub(in crate::cli) from: LabelSource,
    pub(in crate::cli) asked: Asked,
}

/// The position that `position` names in `subject`, a game or a table. Without `position` it is the start.
pub(in crate::cli) fn one(
    session: &Session,
    subject: Subject,
    position: Option<&Text>,
    search: &SearchArgs,
) -> Result<One, Failure> {
    // An unreadable position is reported before the game is solved.
    let asked = match &subject {
        Subject::Table(open) => read(open.game.as_ref(), None, position)?,
        Subject::Game(named) => read(named.game.as_ref(), Some(named.word()), position)?,
    };
    let from = label_source(session, subject, search)?;
    if from.source.table().is_none_or(|table| reachable(table).is_some()) {
        // The answer may come from a search, which takes time.
        interrupt::handle();
    }
    Ok(One { from, asked })
}

/// Makes functions that show the progress of a search about the game called `name`, on a terminal alone.
fn search_teller(name: &str) -> impl Fn() -> SearchTeller + Send + Sync + 'static {
    let name = name.to_owned();
    move || -> SearchTeller {
        if !std::io::stderr().is_terminal() {
            return Box::new(|_| ControlFlow::Continue(()));
        }
        let bar = Bar::of_phases(&name);
        Box::new(move |progress| bar.tell_search(progress))
    }
}

fn of_game(session: &Session, named: Named, search: &SearchArgs) -> Result<LabelSource, Failure> {
    let Named { game, typed } = named;
    let name = game.rules().name().to_owned();
    let engine = search.engine(session.solving_engine()?)?;
    let teller = {
        let name = name.clone();
        move || -> Teller {
            let counting = Counting::new(&name);
            Box::new(move |progress| {
                // The handler is not installed earlier: most answers are quick look-ups, which need no handler.
                interrupt::handle();
                counting.tell(progress)
            })
        }
    };
    let told = teller();
    let source = engine.source_watched(game, search.options(), Some(&*told));
    let source = source.map_err(|error| session.explain(error, &name, &typed))?;
    drop(told);
    source.table().into_iter().for_each(bus_error::watch);
    if source.table().is_some() {
        session.note_folder();
    }
    let path = source.table().and_then(Table::path);
    let rebuild = path.map(|path| session.rebuild_command(&typed, &name, path));
    // Input from standard input cannot be typed again.
    let build = (!stdin::is_in(&typed)).then(|| session.command_to(&typed, &name, path));
    let on_solved = match (source.outdated(), &build) {
        (None, None) => format!("no table of {name}: solved in memory"),
        (None, Some(_)) => {
            format!("no table of {name}: solved in memory; '{}' writes a table", session.build_command(&typed))
        }
        (Some(path), _) => format!(
            "{} holds older rules of {name}: solved in memory; '{}' replaces it",
            path.display(),
            session.rebuild_command(&typed, &name, path)
        ),
    };
    let source = source.with_teller(teller).with_search_teller(search_teller(&name));
    let from = LabelSource { source, rebuild, build, on_solved: Cell::new(Some(on_solved)) };
    from.note_solved();
    Ok(from)
}
