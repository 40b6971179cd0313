//! The shared state of the handlers: the engine, the catalogue, and the cached sources.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::OnceCell;

use super::Limits;
use super::catalogue::{Catalogue, Meaning, parameters_of};
use super::failure::Failure;
use super::reply::Tag;
use super::sources::{Opened, SourceCache, stamp};
use super::uwapi::pictures::Archive;
use super::work::{SolveSlots, Watch, look_up};
use crate::engine::{Engine, EngineError, OpenTable, Source, rules_file};
use tablegen_games::{Game, Parameters};

/// The largest number of positions that a search for one answer expands: the default of the command line.
pub(super) const SEARCHED: u64 = 1_000_000;

/// The game or the table that a request is about.
#[derive(Clone)]
pub(super) enum Subject {
    /// A game or table, given by its name.
    Named { name: String, options: Vec<(String, String)> },
    /// A game, given by the text of its rules file.
    Sent { text: String, options: Vec<(String, String)> },
}

/// A source with its table, or a game that has no table yet.
enum Made {
    Opened(Arc<Opened>),
    Unsolved(Box<dyn Game>),
}

/// The table or the game that a [`Subject`] names.
enum Named {
    Table(Box<OpenTable>),
    Game(Box<dyn Game>),
}

pub(super) struct App {
    pub(super) engine: Engine,
    pub(super) catalogue: Catalogue,
    pub(super) solve_slots: SolveSlots,
    /// The time that a client may take to send a body.
    pub(super) patience: Duration,
    /// The list of games, after the first request for it. It never changes.
    pub(super) games: OnceLock<(Tag, Bytes)>,
    /// The pictures for the client GamesmanUni, after the first request for them. They never change.
    pub(super) pictures: OnceLock<Archive>,
    sources: SourceCache,
    files: Vec<PathBuf>,
}

impl App {
    pub(super) fn new(engine: Engine, catalogue: Catalogue, limits: &Limits) -> Self {
        Self {
            engine: engine.with_memory(limits.memory),
            solve_slots: SolveSlots::new(limits.solves, limits.solve_time),
            sources: SourceCache::new(limits.kept),
            patience: limits.patience,
            games: OnceLock::new(),
            pictures: OnceLock::new(),
            files: catalogue.files(),
            catalogue,
        }
    }

    /// The source of answers about `subject`, either cached, or opened or solved now.
    pub(super) async fn source(self: &Arc<Self>, subject: Subject) -> Result<Arc<Opened>, Failure> {
        if self.sources.is_time_to_look() {
            let app = Arc::clone(self);
            let stamp = look_up(move || Ok(stamp(app.engine.dirs().folders(), &app.files))).await?;
            self.sources.look(stamp);
        }
        let key = subject.key();
        let cell = self.sources.cell(&key);
        if let Some(found) = cell.get() {
            return found.clone();
        }
        let _settled = Settled { sources: &self.sources, key: &key, cell: &cell };
        cell.get_or_try_init(|| self.open(subject)).await?.clone()
    }

    /// Opens or solves `subject`. The inner failure stays valid until the tables change.
    async fn open(self: &Arc<Self>, subject: Subject) -> Result<Result<Arc<Opened>, Failure>, Failure> {
        let app = Arc::clone(self);
        let game = match look_up(move || app.make(subject)).await? {
            Made::Opened(opened) => return Ok(Ok(opened)),
            Made::Unsolved(game) => game,
        };
        let engine = self.engine.clone();
        let solve = move |watch: Watch<'_>| match engine.source_watched(game, SEARCHED, Some(&|_| watch())) {
            Ok(source) => Ok(Ok(Arc::new(Opened::new(source)))),
            Err(error @ EngineError::Missing { .. }) => Ok(Err(error.into())),
            Err(error) => Err(error.into()),
        };
        self.solve_slots.long(solve).await
    }

    /// The game of `subject`. It is not solved.
    pub(super) fn game(&self, subject: Subject) -> Result<Box<dyn Game>, Failure> {
        Ok(match self.named(subject)? {
            Named::Table(open) => open.game,
            Named::Game(game) => game,
        })
    }

    /// The table or the game that `subject` names. For a game, no table is searched for.
    fn named(&self, subject: Subject) -> Result<Named, Failure> {
        let game: Box<dyn Game> = match subject {
            Subject::Sent { text, options } => Box::new(rules_file(&text, &Parameters::from(options))?),
            Subject::Named { name, options } => match self.catalogue.meaning(&name)? {
                Meaning::Family(family) => family.make(&parameters_of(family, options)?)?,
                Meaning::RulesFile(text) => Box::new(rules_file(text, &Parameters::from(options))?),
                Meaning::Table => {
                    let open = self.catalogue.open(&self.engine, &name)?;
                    return match options.first() {
                        None => Ok(Named::Table(Box::new(open))),
                        Some((option, _)) => Err(Failure::bad(format!(
                            "{option} is an option of a game, and {name} is a table, which contains its options; leave out {option}"
                        ))),
                    };
                }
            },
        };
        Ok(Named::Game(game))
    }

    fn make(&self, subject: Subject) -> Result<Made, Failure> {
        let game = match self.named(subject)? {
            Named::Game(game) => game,
            Named::Table(open) => return of_table(*open),
        };
        match self.engine.find(game.as_ref()) {
            Ok(Some(table)) => of_table(OpenTable { game, table }),
            Ok(None) | Err(EngineError::OldRules { .. }) => Ok(Made::Unsolved(game)),
            Err(error) => Err(error.into()),
        }
    }
}

fn of_table(open: OpenTable) -> Result<Made, Failure> {
    Ok(Made::Opened(Arc::new(Opened::new(Source::of_table(open, SEARCHED)?))))
}

impl Subject {
    /// A key that identifies the subject. The order of options does not matter.
    fn key(&self) -> String {
        let (kind, name, options) = match self {
            Self::Named { name, options } => ("named", name.clone(), options),
            Self::Sent { text, options } => ("sent", blake3::hash(text.as_bytes()).to_string(), options),
        };
        let mut options = options.clone();
        options.sort();
        let mut key = form_urlencoded::Serializer::new(String::new());
        key.append_pair(kind, &name).extend_pairs(options);
        key.finish()
    }
}

/// A guard that settles a cell when its request is over, even if the request is cancelled.
struct Settled<'a> {
    sources: &'a SourceCache,
    key: &'a str,
    cell: &'a Arc<OnceCell<Result<Arc<Opened>, Failure>>>,
}

impl Drop for Settled<'_> {
    fn drop(&mut self) {
        self.sources.settle(self.key, self.cell);
    }
}
