//! Sources of answers: a table, a solution that is not saved, or a search.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use crate::answer::telling::SearchTeller;
use crate::names::part::PartTable;
use crate::outcomes::KeptOutcomes;
use crate::{Asked, Engine, EngineError, OpenTable, SearchOptions, SearchSetup};
use tablegen_games::{Answer, AnswerSource, Game, NotationError};
use tablegen_solvers::Progress;
use tablegen_tables::plies::Plies;
use tablegen_tables::table::Table;

/// The origin of the labels of a [`Source`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A table that was found.
    Table,
    /// The game was solved for this source, and the result is not saved.
    Solved,
    /// There are no labels: the game is too large for a table, or no question has needed one yet. Each position is searched.
    Search,
}

impl Origin {
    /// `table`, `solved` or `search`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Solved => "solved",
            Self::Search => "search",
        }
    }
}

/// A source of answers: a game, and its table if there is one.
///
/// Whether a game is small enough to be solved in memory may take a second to find out. Then the source [is open](Self::is_decided) at
/// first: it answers positions near the end of play by short searches, and finds it out when one of them fails.
pub struct Source {
    game: Arc<dyn Game>,
    /// The table. It is unset until it is decided whether there will be one.
    held: OnceLock<Option<Held>>,
    /// The engine that decides it.
    engine: Option<Engine>,
    /// What is told about the progress of the decision.
    teller: Option<Box<dyn Fn() -> Teller + Send + Sync>>,
    /// What is told about the progress of a search.
    search_teller: Option<Box<dyn Fn() -> SearchTeller + Send + Sync>>,
    /// The longest time in milliseconds that did not suffice to decide it.
    tried: AtomicU64,
    /// The game was counted to have more reachable positions than this.
    more_than: AtomicU64,
    /// The number of questions that were searched while it was not decided.
    questions: AtomicU64,
    /// Held while it is decided.
    pub(super) turn: Mutex<()>,
    options: SearchOptions,
    setup: SearchSetup,
    outdated: Option<PathBuf>,
    /// The tables of parts of a game that has no table.
    pub(super) parts: Vec<PartTable>,
    pub(super) outcomes: KeptOutcomes,
    /// The plies that the table lacks, once a line or a match needed them.
    pub(crate) plies: OnceLock<Plies>,
}

/// A function that is called with the progress of work, and may stop it.
pub type Teller = Box<dyn Fn(Progress) -> ControlFlow<()> + Send + Sync>;

/// A table, and its origin.
pub(super) struct Held {
    pub(super) open: OpenTable,
    pub(super) origin: Origin,
}

impl Source {
    /// A source that answers from `table`, and searches positions that the table does not hold. The checksum of each block is
    /// checked when an answer first reads from it.
    ///
    /// # Errors
    /// If the table's list of checksums is damaged.
    pub fn of_table(open: OpenTable, options: impl Into<SearchOptions>) -> Result<Self, EngineError> {
        Self::new(open.game, open.table, Origin::Table, options.into())
    }

    /// A source that answers from a `table` of `game` that was just solved.
    pub(crate) fn solved(game: Arc<dyn Game>, table: Table, options: SearchOptions) -> Result<Self, EngineError> {
        Self::new(game, table, Origin::Solved, options)
    }

    /// A source that answers from a `table` of `game` of this origin.
    pub(crate) fn new(
        game: Arc<dyn Game>,
        table: Table,
        origin: Origin,
        options: SearchOptions,
    ) -> Result<Self, EngineError> {
        let held = Held::checked(&game, table, origin)?;
        Ok(Self::holding(game, OnceLock::from(Some(held)), options))
    }

    /// A source that searches each position of `game`.
    pub(crate) fn searching(game: Arc<dyn Game>, options: SearchOptions) -> Self {
        Self::holding(game, OnceLock::from(None), options)
    }

    /// A source that searches positions of `game` for a short time, and lets `engine` decide what to do if that does not suffice.
    pub(crate) fn undecided(game: Arc<dyn Game>, engine: Engine, options: SearchOptions) -> Self {
        Self { engine: Some(engine), ..Self::holding(game, OnceLock::new(), options) }
    }

    fn holding(game: Arc<dyn Game>, held: OnceLock<Option<Held>>, options: SearchOptions) -> Self {
        Self {
            game,
            held,
            engine: None,
            teller: None,
            search_teller: None,
            tried: AtomicU64::new(0),
            more_than: AtomicU64::new(0),
            questions: AtomicU64::new(0),
            turn: Mutex::new(()),
            options,
            setup: SearchSetup::DEFAULT,
            outdated: None,
            parts: Vec::new(),
            outcomes: KeptOutcomes::default(),
            plies: OnceLock::new(),
        }
    }

    /// The same source, whose searches use `setup`.
    #[must_use]
    pub fn with_search(self, setup: SearchSetup) -> Self {
        Self { setup, ..self }
    }

    /// The same source. While it solves the game for a question, it calls the function that `teller` makes with the progress, which may
    /// stop the work.
    #[must_use]
    pub fn with_teller(self, teller: impl Fn() -> Teller + Send + Sync + 'static) -> Self {
        Self { teller: Some(Box::new(teller)), ..self }
    }

    /// The same source. Once a search has taken a while, it calls the function that `teller` makes with the progress, which may stop it.
    #[must_use]
    pub fn with_search_teller(self, teller: impl Fn() -> SearchTeller + Send + Sync + 'static) -> Self {
        Self { search_teller: Some(Box::new(teller)), ..self }
    }

    /// The function that is called while the source searches.
    pub(super) fn tell_search(&self) -> Option<SearchTeller> {
        self.search_teller.as_ref().map(|teller| teller())
    }

    /// The function that is called while the source solves the game.
    pub(super) fn tell(&self) -> Option<Teller> {
        self.teller.as_ref().map(|teller| teller())
    }

    /// The same source, which also answers from the tables of `parts`, and whose searches end there.
    pub(crate) fn with_parts(self, parts: Vec<PartTable>) -> Self {
        Self { parts, ..self }
    }

    /// The same source, with the path of a table that was ignored because it has other rules of that name.
    pub(crate) fn with_outdated(self, outdated: Option<PathBuf>) -> Self {
        Self { outdated, ..self }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &dyn Game {
        self.game.as_ref()
    }

    /// The game, to be shared.
    pub(super) const fn shared_game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    /// The table it answers from, if there is one.
    #[must_use]
    pub fn table(&self) -> Option<&Table> {
        self.open_table().map(|open| &open.table)
    }

    /// The table it answers from and its game, if there is one.
    #[must_use]
    pub fn open_table(&self) -> Option<&OpenTable> {
        self.held().map(|held| &held.open)
    }

    fn held(&self) -> Option<&Held> {
        self.held.get()?.as_ref()
    }

    /// True if it is known whether the source has a table. Until then, questions that a short search does not answer
    /// [decide](Self::decide) it.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.held.get().is_some()
    }

    /// The engine that decides whether there will be a table; `None` if that is decided.
    pub(super) fn deciding(&self) -> Option<&Engine> {
        self.engine.as_ref().filter(|_| !self.is_decided())
    }

    /// True if no attempt to decide it had as much as `time`.
    pub(super) fn is_worth_trying(&self, time: Duration) -> bool {
        let time = time.as_millis() as u64;
        self.tried.fetch_max(time, Ordering::Relaxed) < time
    }

    /// The game has more reachable positions than this number, as far as they were counted.
    pub(super) fn more_than(&self) -> u64 {
        self.more_than.load(Ordering::Relaxed)
    }

    /// Keeps that the game has more than `count` reachable positions.
    pub(super) fn note_more_than(&self, count: u64) {
        self.more_than.fetch_max(count, Ordering::Relaxed);
    }

    /// Counts a question, and returns the number so far.
    pub(super) fn count_question(&self) -> u64 {
        self.questions.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Keeps the decision that there is no table, or that it is `held`. Another thread may have been faster, with the same result.
    pub(super) fn keep(&self, held: Option<Held>) {
        let _ = self.held.set(held);
    }

    /// The origin of its labels.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.held().map_or(Origin::Search, |held| held.origin)
    }

    /// The origin of the value of `answer`: `table`, `solved` or `search`.
    #[must_use]
    pub fn origin_of(&self, answer: &Answer) -> &'static str {
        match (answer.source, self.origin()) {
            // A search answers positions of a part from its table.
            (AnswerSource::Table, Origin::Search) => Origin::Table.name(),
            (AnswerSource::Table, origin) => origin.name(),
            (AnswerSource::Search, _) => AnswerSource::Search.name(),
        }
    }

    /// True if the game has no table, but a part of it has one, at which searches end.
    #[must_use]
    pub const fn has_parts(&self) -> bool {
        !self.parts.is_empty()
    }

    /// The table that was ignored because it has other rules of that name, if there is one.
    #[must_use]
    pub fn outdated(&self) -> Option<&Path> {
        self.outdated.as_deref()
    }

    /// How a search works if a question does not say it.
    #[must_use]
    pub const fn options(&self) -> SearchOptions {
        self.options
    }

    /// The most bytes that the search takes which is kept for the next question; 0 if there is none.
    #[must_use]
    pub fn search_bytes(&self) -> u64 {
        if self.outcomes.is_kept() { self.setup.bytes as u64 } else { 0 }
    }

    /// What searches may use.
    pub(super) const fn setup(&self) -> SearchSetup {
        self.setup
    }

    /// The position that `text` names.
    ///
    /// # Errors
    /// If it does not name a position.
    pub fn read(&self, text: &str) -> Result<Asked, NotationError> {
        Asked::read(self.game(), Some(text))
    }
}

impl Held {
    /// A `table` of `game`, whose list of checksums is sound.
    pub(super) fn checked(game: &Arc<dyn Game>, table: Table, origin: Origin) -> Result<Self, EngineError> {
        let table = table.checked().map_err(EngineError::Read)?;
        Ok(Self { open: OpenTable { game: Arc::clone(game), table }, origin })
    }
}
