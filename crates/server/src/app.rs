//! The shared state of the handlers: the engine, the catalogue, and the cached sources.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::HeaderValue;

use super::cache::Cache;
use super::catalogue::{Catalogue, DrawnGame, Meaning, parameters_of};
use super::failure::Failure;
use super::page;
use super::reply::{self, Tag};
use super::sources::{self, Folders, Found, Opened, stamp};
use super::uwapi::is_drawn;
use super::uwapi::pictures::Archive;
use super::visitors::Visitors;
use super::work::{Asker, Author, BoundedWork, Bounds, Watch, look_up};
use super::{Limits, cores};
use tablegen_engine::{
    Engine, EngineError, OpenTable, Preview, SearchSetup, Source, available_memory, json, part_of, rules_file,
};
use tablegen_games::{Game, Parameters};
use tablegen_rules::Outcome;

/// The largest number of positions that a search for one answer expands: the default of the command line.
pub(super) const SEARCHED: u64 = 1_000_000;

/// The most positions that a search for the outcome of a start expands. The page asks for the preview of every game.
const PREVIEWED: u64 = 20_000;
/// The largest number of cached previews: several for each game of the library. Each takes a few kilobytes.
const PREVIEWS: usize = 256;
/// The memory of cached previews in bytes.
const PREVIEW_BYTES: u64 = 8 << 20;

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

/// The list of games, as it is sent.
#[derive(Clone)]
pub(super) struct Listed {
    pub(super) tag: Tag,
    pub(super) body: Bytes,
    pub(super) compressed: Bytes,
}

pub(super) struct App {
    pub(super) engine: Engine,
    pub(super) catalogue: Catalogue,
    pub(super) work: BoundedWork,
    /// The time that a client may take to send a body.
    pub(super) patience: Duration,
    /// The security policy of the page.
    pub(super) policy: HeaderValue,
    /// The list of games, after the first request for it. It never changes.
    pub(super) games: OnceLock<Listed>,
    /// The pictures for the client GamesmanUni, after the first request for them; `None` if they cannot be made. They never
    /// change.
    pub(super) pictures: OnceLock<Option<Archive>>,
    sources: Cache<Found>,
    previews: Cache<Bytes>,
    /// The games that the client GamesmanUni can draw, in one entry.
    drawn: Cache<Arc<Vec<DrawnGame>>>,
    folders: Folders,
    files: Vec<PathBuf>,
}

impl App {
    pub(super) fn new(engine: Engine, catalogue: Catalogue, limits: &Limits, visitors: &Visitors) -> Self {
        Self {
            engine: engine.with_memory(limits.memory).with_search(search_setup(limits)),
            work: BoundedWork::new(limits.solves, cores(), limits.solve_time),
            policy: page::policy(visitors),
            patience: limits.patience,
            games: OnceLock::new(),
            pictures: OnceLock::new(),
            sources: Cache::new(sources::MOST, limits.kept, sources::bytes),
            previews: Cache::new(PREVIEWS, PREVIEW_BYTES, |body| body.len() as u64),
            drawn: Cache::new(1, u64::MAX, |_| 0),
            folders: Folders::default(),
            files: catalogue.files(),
            catalogue,
        }
    }

    /// Drops what was made from tables, if they have changed.
    async fn look_at_tables(self: &Arc<Self>) -> Result<(), Failure> {
        if self.folders.is_time_to_look() {
            let app = Arc::clone(self);
            let stamp = look_up(move || Ok(stamp(app.engine.dirs().folders(), &app.files))).await?;
            if self.folders.have_changed(stamp) {
                self.sources.clear();
                self.previews.clear();
                self.drawn.clear();
            }
        }
        Ok(())
    }

    /// The source of answers about `subject`, either cached, or opened or solved now.
    pub(super) async fn source(self: &Arc<Self>, subject: Subject, asker: &Asker) -> Result<Arc<Opened>, Failure> {
        self.look_at_tables().await?;
        let cell = self.sources.cell(&subject.key());
        let app = Arc::clone(self);
        let found = cell.get_or_make(asker, |bounds| async move { app.open(subject, &bounds).await }).await;
        self.sources.settle();
        found?
    }

    /// The source of answers about `subject`, if it is cached or there is a table; `None` if the game would have to be
    /// solved.
    pub(super) async fn known_source(
        self: &Arc<Self>,
        subject: Subject,
        asker: &Asker,
    ) -> Result<Option<Arc<Opened>>, Failure> {
        self.look_at_tables().await?;
        let cell = self.sources.cell(&subject.key());
        if let Some(found) = cell.get() {
            return found.map(Some);
        }
        let (app, author) = (Arc::clone(self), subject.author());
        match self.work.read(author, &asker.bounds(), move |_: Watch<'_>| app.make(subject)).await? {
            Made::Opened(opened) => {
                cell.set(Ok(Arc::clone(&opened)));
                Ok(Some(opened))
            }
            Made::Unsolved(_) => Ok(None),
        }
    }

    /// Opens or solves `subject`. The inner failure stays valid until the tables change.
    async fn open(self: &Arc<Self>, subject: Subject, bounds: &Bounds) -> Result<Found, Failure> {
        let (app, author) = (Arc::clone(self), subject.author());
        let game = match self.work.read(author, bounds, move |_: Watch<'_>| app.make(subject)).await? {
            Made::Opened(opened) => return Ok(Ok(opened)),
            Made::Unsolved(game) => game,
        };
        let engine = self.engine.clone();
        let solve = move |watch: Watch<'_>| {
            let source = engine.source_watched(game, SEARCHED, Some(&|_| watch()))?;
            Ok(Ok(Arc::new(Opened::new(source))))
        };
        self.work.solve(bounds, solve).await
    }

    /// The preview of `subject`, either cached or made now: a position in the middle of the game, and the outcome of its
    /// start if that is known at once. Texts that the game needs, such as a word list, are its samples unless they are given.
    pub(super) async fn preview(self: &Arc<Self>, subject: Subject, asker: &Asker) -> Result<Bytes, Failure> {
        self.look_at_tables().await?;
        let subject = subject.with_samples(&self.catalogue);
        let cell = self.previews.cell(&subject.key());
        let (app, author) = (Arc::clone(self), subject.author());
        let make = |bounds: Bounds| async move {
            let of_app = Arc::clone(&app);
            let draw = move |watch: Watch<'_>| {
                let game = of_app.game(subject)?;
                let drawn = Preview::of(game.as_ref());
                let mut body = json::preview(game.as_ref(), &drawn);
                // A damaged table does not hide the board.
                let (outcome, class) = match of_app.engine.start_outcome(game, PREVIEWED, watch) {
                    Err(error) if watch().is_break() => return Err(error.into()),
                    found => found.unwrap_or_default(),
                };
                body["outcome"] = outcome.map(Outcome::name).into();
                if let Some(class) = class {
                    body["outcome_class"] = class.name().into();
                }
                Ok(Bytes::from(reply::printed(&body)))
            };
            app.work.read(author, &bounds, draw).await
        };
        let made = cell.get_or_make(asker, make).await;
        self.previews.settle();
        made
    }

    /// The games that the client GamesmanUni can draw, either cached or listed now.
    pub(super) async fn drawn(self: &Arc<Self>, asker: &Asker) -> Result<Arc<Vec<DrawnGame>>, Failure> {
        self.look_at_tables().await?;
        let app = Arc::clone(self);
        let list =
            |_: Bounds| async move { look_up(move || Ok(Arc::new(app.catalogue.drawn(&app.engine, is_drawn)))).await };
        self.drawn.cell("all").get_or_make(asker, list).await
    }

    /// The game of `subject`. It is not solved.
    pub(super) fn game(&self, subject: Subject) -> Result<Arc<dyn Game>, Failure> {
        Ok(match self.named(subject)? {
            Named::Table(open) => open.game,
            Named::Game(game) => game.into(),
        })
    }

    /// The table or the game that `subject` names. For a game, no table is searched for.
    fn named(&self, subject: Subject) -> Result<Named, Failure> {
        let game: Box<dyn Game> = match subject {
            Subject::Sent { text, options } => Box::new(rules_file(&text, &Parameters::from(options))?),
            Subject::Named { name, options } => match self.catalogue.meaning(&name)? {
                Meaning::Family(family) => family.make(&parameters_of(family, options)?)?,
                Meaning::RulesFile(text) => Box::new(rules_file(text, &Parameters::from(options))?),
                Meaning::Part(text, part) => part_of(Box::new(rules_file(text, &Parameters::from(options))?), part)?,
                Meaning::Table => {
                    let open = match self.catalogue.open(&self.engine, &name) {
                        Ok(open) => open,
                        Err(failure) => {
                            let (name, options) = self.catalogue.called(&name, options).ok_or(failure)?;
                            return self.named(Subject::Named { name, options });
                        }
                    };
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
            Named::Table(open) => return of_table(*open, self.engine.search_setup()),
        };
        match self.engine.find(game.as_ref()) {
            Ok(Some(table)) => of_table(OpenTable { game: game.into(), table }, self.engine.search_setup()),
            Ok(None) | Err(EngineError::OldRules { .. }) => Ok(Made::Unsolved(game)),
            Err(error) => Err(error.into()),
        }
    }
}

fn of_table(open: OpenTable, setup: SearchSetup) -> Result<Made, Failure> {
    Ok(Made::Opened(Arc::new(Opened::new(Source::of_table(open, SEARCHED)?.with_search(setup)))))
}

/// What each search may use: a quarter of the memory is divided among the searches that run at a time.
fn search_setup(limits: &Limits) -> SearchSetup {
    let memory = limits.memory.or_else(|| available_memory().map(|bytes| bytes / 4 * 3));
    let share = memory.map_or(u64::MAX, |bytes| bytes / 4 / limits.solves.max(1) as u64);
    let bytes = usize::try_from(share).unwrap_or(usize::MAX);
    let SearchSetup { bytes: most, threads } = SearchSetup::DEFAULT;
    SearchSetup { bytes: bytes.clamp(SearchSetup::LEAST_BYTES, most), threads }
}

impl Subject {
    /// The author of its rules.
    pub(super) const fn author(&self) -> Author {
        match self {
            Self::Named { .. } => Author::Server,
            Self::Sent { .. } => Author::Client,
        }
    }

    /// The same subject with the game's samples for texts that it needs and that are not given.
    fn with_samples(self, catalogue: &Catalogue) -> Self {
        let Self::Named { name, mut options } = self else { return self };
        for (option, sample) in catalogue.samples(&name).iter() {
            if options.iter().all(|(given, _)| given != option) {
                options.push((option.into(), sample.into()));
            }
        }
        Self::Named { name, options }
    }

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
