//! Sources of answers, and the answers they give.

use super::choice::{choose, reaches_every_board};
use super::open::looking_up;
use super::room::{check_dense_memory, sparse_max_bytes};
use super::{Engine, EngineError, OpenTable, looked_up, searched};
use crate::game::{Answer, Ask, Coverage, Game, NotationError, OutcomeNames, Reading};
use crate::solve::{Method, Options, SolveError, Watch, solve};
use crate::table::{Table, TableError, TableFault};

/// Maximum number of positions of a game that is solved on the spot if it has no table.
pub const SOLVED_ON_THE_SPOT: u64 = 1 << 24;

/// The name of an outcome that a search did not find.
pub const UNKNOWN: &str = "unknown";

/// Where the labels of a [`Source`] come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A table that was found.
    Table,
    /// The game was solved for this answer, and the result is not kept.
    Solved,
    /// There are no labels: the game is too large for a table, and each position is searched.
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
pub struct Source {
    game: Box<dyn Game>,
    table: Option<Table>,
    origin: Origin,
    limit: u64,
}

/// A position to answer.
#[derive(Clone, Debug)]
pub enum Asked {
    /// A position of the rules.
    Node(Reading),
    /// A text that the game itself answers; `None` is the start.
    Text(Option<String>),
}

impl Asked {
    /// The position of `game` that `text` names; `None` is the start.
    ///
    /// # Errors
    /// If the text is not a position of the game.
    pub fn typed(game: &dyn Game, text: Option<&str>) -> Result<Self, NotationError> {
        match (text, game.off_table()) {
            (Some(text), Some(off_table)) => off_table.check(text).map(|()| Self::Text(Some(text.into()))),
            (Some(text), None) => game.read(text).map(Self::Node),
            (None, Some(_)) => Ok(Self::Text(None)),
            (None, None) => Ok(Self::Node(game.rules().start_node().into())),
        }
    }

    /// The position of `game` in `content`, the content of a file.
    ///
    /// # Errors
    /// As [`typed`](Self::typed).
    pub fn in_file(game: &dyn Game, content: &str) -> Result<Self, NotationError> {
        if game.off_table().is_some() {
            Self::typed(game, Some(content))
        } else {
            game.read_file(content).map(Self::Node)
        }
    }
}

/// An answer, and what was read from the text of its position.
pub struct Answered {
    /// The value of the position and of its moves.
    pub answer: Answer,
    /// The result of reading the text, if it names a position of the rules.
    pub reading: Option<Reading>,
}

impl Answered {
    /// The name of the outcome, in the terms of the text that the position came from; `unknown` if a search did not
    /// find it.
    #[must_use]
    pub fn outcome_name(&self) -> &'static str {
        let names = self.reading.as_ref().map_or_else(OutcomeNames::default, |reading| reading.outcome_names);
        self.answer.outcome().map_or(UNKNOWN, |outcome| names.of(outcome))
    }
}

impl Source {
    /// A source that answers from `table`. If a search is needed, it expands at most `limit` positions. The checksum
    /// of each block is checked when an answer first reads from it.
    ///
    /// # Errors
    /// If the table's list of checksums is damaged.
    pub fn of_table(open: OpenTable, limit: u64) -> Result<Self, EngineError> {
        Self::new(open.game, open.table, Origin::Table, limit)
    }

    fn new(game: Box<dyn Game>, table: Table, origin: Origin, limit: u64) -> Result<Self, EngineError> {
        let table = table.checked().map_err(EngineError::Read)?;
        Ok(Self { game, table: Some(table), origin, limit })
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &dyn Game {
        self.game.as_ref()
    }

    /// The table it answers from, if there is one.
    #[must_use]
    pub const fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// Where its labels come from.
    #[must_use]
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// The maximum number of positions that a search may expand.
    #[must_use]
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// The position that `text` names.
    ///
    /// # Errors
    /// If it does not name one.
    pub fn read(&self, text: &str) -> Result<Asked, NotationError> {
        Asked::typed(self.game(), Some(text))
    }

    /// The value of the position, and of each move there.
    ///
    /// # Errors
    /// If the table is damaged where it is read, or the game has no answer for such a text.
    pub fn answer(&self, asked: &Asked) -> Result<Answered, EngineError> {
        match asked {
            Asked::Node(reading) => {
                let probe = self.table.as_ref().map(|table| table.probe(reading.node));
                let answer = match probe {
                    Some(Ok(probe)) => looked_up(self.game(), &probe),
                    None | Some(Err(TableError { fault: TableFault::NotReached { .. }, .. })) => {
                        self.asking(|ask| searched(self.game(), reading.node, ask))?
                    }
                    Some(Err(error)) => return Err(EngineError::Read(error)),
                };
                Ok(Answered { answer, reading: Some(reading.clone()) })
            }
            Asked::Text(text) => {
                let text = text.as_deref();
                let none = || NotationError::new(text.unwrap_or_default(), "a position of the rules", "none");
                let off_table = self.game.off_table().ok_or_else(none)?;
                let answer = self.asking(|ask| off_table.answer(text, ask))??;
                Ok(Answered { answer, reading: None })
            }
        }
    }

    /// Calls `answer` with access to the table and to a search within the limit.
    fn asking<T>(&self, answer: impl FnOnce(&mut Ask<'_>) -> T) -> Result<T, EngineError> {
        looking_up(self.table.as_ref(), |look_up| answer(&mut Ask { look_up, limit: self.limit }))
    }
}

impl Engine {
    /// The source of answers for `game`: its table; if there is none and the game is small ([`SOLVED_ON_THE_SPOT`]),
    /// a table solved now; or, if the game is too large for a table on this machine, a search of at most `limit`
    /// positions for each answer.
    ///
    /// # Errors
    /// [`EngineError::Missing`] if there is no table but one could be built. Also if a table cannot be used, or
    /// solving fails.
    pub fn source(&self, game: Box<dyn Game>, limit: u64) -> Result<Source, EngineError> {
        self.source_watched(game, limit, None)
    }

    /// Like [`source`](Self::source), with a function that is called with the progress and may stop a solve.
    ///
    /// # Errors
    /// As [`source`](Self::source), and if the work is stopped.
    pub fn source_watched(
        &self,
        game: Box<dyn Game>,
        limit: u64,
        progress: Option<Watch<'_>>,
    ) -> Result<Source, EngineError> {
        if let Some(table) = self.find(game.as_ref())? {
            return Source::new(game, table, Origin::Table, limit);
        }
        if let Some(table) = self.solved_on_the_spot(game.as_ref(), progress)? {
            return Source::new(game, table, Origin::Solved, limit);
        }
        if is_too_large(game.as_ref()) {
            return Ok(Source { game, table: None, origin: Origin::Search, limit });
        }
        Err(EngineError::Missing { name: game.rules().name().into() })
    }

    /// The table of a small game, solved now.
    fn solved_on_the_spot(&self, game: &dyn Game, progress: Option<Watch<'_>>) -> Result<Option<Table>, EngineError> {
        let rules = game.rules();
        let is_small = rules.positions() <= SOLVED_ON_THE_SPOT.into();
        let method = match game.coverage() {
            Some(Coverage::Every) | None if is_small => Method::Dense,
            Some(Coverage::Every) => return Ok(None),
            // Play may still reach only a few positions, unless it is obvious that it reaches every board.
            None if reaches_every_board(rules) => return Ok(None),
            Some(Coverage::Reachable) | None => Method::Sparse,
        };
        let roots = game.roots();
        let max_bytes = match method {
            Method::Dense => None,
            Method::Sparse => sparse_max_bytes(None),
        };
        let max_positions = Some(SOLVED_ON_THE_SPOT);
        self.start_threads()?;
        let kernel = self.kernel;
        let options =
            Options { method, roots: &roots, max_bytes, max_positions, kernel, progress, ..Options::default() };
        match solve(rules, &options) {
            Err(SolveError::MaxPositions { .. }) => Ok(None),
            Err(error) => Err(error.into()),
            Ok(solution) => {
                let bytes = solution.to_bytes(&game.descriptor());
                Table::from_bytes(bytes).map(Some).map_err(EngineError::Read)
            }
        }
    }
}

/// Whether a table of the whole game may be more than this machine can make. If so, positions near the end of play
/// are searched, and nothing more is promised.
fn is_too_large(game: &dyn Game) -> bool {
    match choose(game, None, None).method {
        Method::Dense => check_dense_memory(game.rules(), None).is_err(),
        Method::Sparse => true,
    }
}
