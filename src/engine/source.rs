//! Sources of answers, and the answers they give.

use std::path::{Path, PathBuf};

use super::choice::{Reachable, bounded, marks_boards, reaches_every_board, settled};
use super::cost::{of_less_work, swept_on_the_spot};
use super::labels::solve_what_fits;
use super::memory_budget::{room_left, sparse_max_bytes};
use super::open::looking_up;
use super::planes::{Planes, shortage};
use super::symmetry::{group, most_orbits};
use super::{Engine, EngineError, OpenTable, UseSymmetry, looked_up, searched, sought};
use tablegen_core::label::LabelSet;
use tablegen_core::rules::{Board, Mode, Node, Outcome, Position, Rules};
use tablegen_games::{
    Answer, Ask, Coverage, Game, NotationError, OutcomeClass, OutcomeNames, Reading, Source as From, or_numbered,
    read_position,
};
use tablegen_solve::{MemoryProbe, Method, Options, SolveError, Watch};
use tablegen_tables::table::{SaveTable, Table, TableError, TableFault};

/// Maximum number of positions of a game that is solved on the spot if it has no table. It is lowered if positions have
/// hundreds of moves.
pub const SOLVED_ON_THE_SPOT: u64 = 1 << 24;

/// The name of an outcome that a search did not find.
pub const UNKNOWN: &str = "unknown";

/// The origin of the labels of a [`Source`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A table that was found.
    Table,
    /// The game was solved for this source, and the result is not saved.
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
    held: Held,
    origin: Origin,
    limit: u64,
    outdated: Option<PathBuf>,
}

/// A game, with or without a table.
enum Held {
    /// A table and its game.
    Table(Box<OpenTable>),
    /// A game that has no table.
    Game(Box<dyn Game>),
}

/// A position to answer.
#[derive(Clone, Debug)]
pub enum Asked {
    /// A position of the rules.
    Node(Reading),
    /// A text that the game itself answers; `None` is the start position.
    Text(Option<String>),
}

impl Asked {
    /// The position of `game` that `text` names, in its own notation or by its board number; `None` is the start
    /// position. Surrounding blanks are ignored.
    ///
    /// # Errors
    /// If the text is not a position of the game.
    pub fn typed(game: &dyn Game, text: Option<&str>) -> Result<Self, NotationError> {
        match (text.map(str::trim), game.off_table()) {
            (Some(text), Some(off_table)) => match off_table.check(text) {
                Ok(()) => Ok(Self::Text(Some(text.into()))),
                Err(own) => {
                    let reading = or_numbered(game, text, Err(own))?;
                    Ok(Self::Text(Some(game.write(reading.node))))
                }
            },
            (Some(text), None) => read_position(game, text).map(Self::Node),
            (None, Some(_)) => Ok(Self::Text(None)),
            (None, None) => Ok(Self::Node(game.rules().start_node().into())),
        }
    }

    /// The position of `game` with this board, in `mode`; if that is `None`, in the mode that the board implies.
    ///
    /// # Errors
    /// If the mode or the board does not exist in the rules, or the board does not imply a mode.
    pub fn numbered(game: &dyn Game, mode: Option<Mode>, board: Board) -> Result<Self, NotationError> {
        let text = match mode {
            Some(mode) => format!("{}:{board:#x}", mode.0),
            None => format!("{board:#x}"),
        };
        let node = Node::At(numbered(game, &text, mode, board)?);
        Ok(match game.off_table() {
            Some(_) => Self::Text(Some(game.write(node))),
            None => Self::Node(node.into()),
        })
    }

    /// The position of `game` in `content`, the content of a file.
    ///
    /// # Errors
    /// As [`typed`](Self::typed).
    pub fn in_file(game: &dyn Game, content: &str) -> Result<Self, NotationError> {
        if game.off_table().is_some() {
            Self::typed(game, Some(content))
        } else {
            or_numbered(game, content, game.read_file(content)).map(Self::Node)
        }
    }
}

/// The position of `game` with this board, in `mode` or in the mode that the board implies. Errors quote `text`.
pub(super) fn numbered(
    game: &dyn Game,
    text: &str,
    mode: Option<Mode>,
    board: Board,
) -> Result<Position, NotationError> {
    let (rules, full) = (game.rules(), Board::full(game.rules().cells()));
    if !full.contains(board) {
        return Err(NotationError::new(text, format!("a board from 0 to {full:#x}"), format!("{board:#x}")));
    }
    if let Some(Mode(mode)) = mode.filter(|&mode| !rules.has(Position::new(mode, board))) {
        let expected = format!("a mode from 0 to {}", rules.modes().len() - 1);
        return Err(NotationError::new(text, expected, mode.to_string()));
    }
    game.of_number(text, mode, board)
}

/// An answer, together with the reading of its text.
pub struct Answered {
    /// The value of the position and of its moves.
    pub answer: Answer,
    /// The position read from the text, if it is a position of the rules.
    pub reading: Option<Reading>,
    /// The outcome class of the board, if it is known, in a game of two sides that leaves open which side begins.
    pub class: Option<OutcomeClass>,
}

impl Answered {
    /// The name of the outcome, in the terms of the text that was read; `unknown` if a search did not find it.
    #[must_use]
    pub fn outcome_name(&self) -> &'static str {
        let names = self.reading.as_ref().map_or_else(OutcomeNames::default, |reading| reading.outcome_names);
        name_of(self.answer.outcome(), names)
    }

    /// The drawn board; or the text of the position if the game goes beyond its rules, since a drawing of the rules'
    /// position would show less.
    #[must_use]
    pub fn board(&self, game: &dyn Game) -> String {
        let drawable = self.answer.node.filter(|_| game.off_table().is_none());
        drawable.map_or_else(|| self.answer.position.clone(), |node| game.draw(node))
    }

    /// A drawing of the position's text, if it shows more than the board; `None` otherwise.
    #[must_use]
    pub fn drawn_text(&self, pictographs: bool) -> Option<&str> {
        let drawn = self.reading.as_ref().and_then(|reading| reading.drawn.as_ref());
        drawn.map(|drawing| drawing.text(pictographs))
    }
}

/// An answer without its moves.
#[derive(Clone, Debug)]
pub struct Brief {
    outcome: &'static str,
    position: BriefPosition,
}

#[derive(Clone, Debug)]
enum BriefPosition {
    /// A position that was looked up: its text is written only on request.
    At(Position),
    Text(String),
}

impl Brief {
    /// The name of the outcome, as [`Answered::outcome_name`].
    #[must_use]
    pub const fn outcome_name(&self) -> &'static str {
        self.outcome
    }

    /// The canonical text of the position.
    #[must_use]
    pub fn position(&self, game: &dyn Game) -> String {
        match &self.position {
            BriefPosition::At(position) => game.write(Node::At(*position)),
            BriefPosition::Text(text) => text.clone(),
        }
    }
}

/// The name of an outcome in answers.
fn name_of(outcome: Option<Outcome>, names: OutcomeNames) -> &'static str {
    outcome.map_or(UNKNOWN, |outcome| names.of(outcome))
}

impl Source {
    /// A source that answers from `table`. Searches expand at most `limit` positions. The checksum of each block is
    /// checked when an answer first reads from it.
    ///
    /// # Errors
    /// If the table's list of checksums is damaged.
    pub fn of_table(open: OpenTable, limit: u64) -> Result<Self, EngineError> {
        Self::new(open.game, open.table, Origin::Table, limit)
    }

    /// A source that answers from a `table` of `game` that was just solved.
    pub(super) fn solved(game: Box<dyn Game>, table: Table, limit: u64) -> Result<Self, EngineError> {
        Self::new(game, table, Origin::Solved, limit)
    }

    fn new(game: Box<dyn Game>, table: Table, origin: Origin, limit: u64) -> Result<Self, EngineError> {
        let table = table.checked().map_err(EngineError::Read)?;
        let held = Held::Table(Box::new(OpenTable { game, table }));
        Ok(Self { held, origin, limit, outdated: None })
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &dyn Game {
        match &self.held {
            Held::Table(open) => open.game.as_ref(),
            Held::Game(game) => game.as_ref(),
        }
    }

    /// The table it answers from, if there is one.
    #[must_use]
    pub fn table(&self) -> Option<&Table> {
        self.open_table().map(|open| &open.table)
    }

    /// The table it answers from and its game, if there is one.
    #[must_use]
    pub fn open_table(&self) -> Option<&OpenTable> {
        match &self.held {
            Held::Table(open) => Some(open),
            Held::Game(_) => None,
        }
    }

    /// The origin of its labels.
    #[must_use]
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// The origin of the value of `answer`: `table`, `solved` or `search`.
    #[must_use]
    pub const fn origin_of(&self, answer: &Answer) -> &'static str {
        match answer.source {
            From::Table => self.origin.name(),
            From::Search => From::Search.name(),
        }
    }

    /// The table that was ignored because it has other rules of that name, if there is one.
    #[must_use]
    pub fn outdated(&self) -> Option<&Path> {
        self.outdated.as_deref()
    }

    /// The maximum number of positions that a search may expand.
    #[must_use]
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// The position that `text` names.
    ///
    /// # Errors
    /// If it does not name a position.
    pub fn read(&self, text: &str) -> Result<Asked, NotationError> {
        Asked::typed(self.game(), Some(text))
    }

    /// The value of the position, and of each move there.
    ///
    /// # Errors
    /// If the table is damaged where it is read, or the game cannot answer such a text.
    pub fn answer(&self, asked: &Asked) -> Result<Answered, EngineError> {
        self.answer_within(asked, self.limit)
    }

    /// Like [`answer`](Self::answer), with a search of at most `limit` positions. A limit of 0 only looks up; if that
    /// [settles](Self::is_settled) the position, a search would give the same answer.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub fn answer_within(&self, asked: &Asked, limit: u64) -> Result<Answered, EngineError> {
        match asked {
            Asked::Node(reading) => {
                let probe = self.table().map(|table| table.probe(reading.node));
                let answer = match probe {
                    Some(Ok(probe)) => looked_up(self.game(), &probe),
                    None | Some(Err(TableError { fault: TableFault::NotReached { .. }, .. })) => {
                        self.asking(limit, |ask| searched(self.game(), reading.node, ask))?
                    }
                    Some(Err(error)) => return Err(EngineError::Read(error)),
                };
                let class = self.outcome_class(&answer, limit)?;
                Ok(Answered { answer, reading: Some(reading.clone()), class })
            }
            Asked::Text(text) => {
                let text = text.as_deref();
                let none = || NotationError::new(text.unwrap_or_default(), "a position of the rules", "none");
                let off_table = self.game().off_table().ok_or_else(none)?;
                let mut answer = self.asking(limit, |ask| off_table.answer(text, ask))??;
                self.add_labels(&mut answer)?;
                Ok(Answered { answer, reading: None, class: None })
            }
        }
    }

    /// Adds the table's other labels of the position to an answer that has only outcomes, unless the table is of a
    /// smaller, equivalent game.
    fn add_labels(&self, answer: &mut Answer) -> Result<(), EngineError> {
        let table = self.table().filter(|table| table.labels() != LabelSet::OUTCOME && !self.game().is_reduced());
        let (Some(table), Some(node)) = (table, answer.node) else { return Ok(()) };
        let probe = match table.probe(node) {
            Ok(probe) => probe,
            Err(TableError { fault: TableFault::NotReached { .. }, .. }) => return Ok(()),
            Err(error) => return Err(EngineError::Read(error)),
        };
        answer.value = Some(probe.value);
        for m in &mut answer.moves {
            let found = probe.moves.iter().find(|choice| Some(choice.to) == m.to);
            m.value = found.map(|choice| choice.value).or(m.value);
        }
        answer.sort();
        Ok(())
    }

    /// The outcome of the position alone. It takes one lookup, while [`answer`](Self::answer) takes one for each move
    /// and writes each as text.
    ///
    /// # Errors
    /// As [`answer`](Self::answer), except that only the position itself is read from the table.
    pub fn brief(&self, asked: &Asked) -> Result<Brief, EngineError> {
        if let (Asked::Node(Reading { node: Node::At(position), outcome_names, .. }), Some(table)) =
            (asked, self.table())
            && let Some(outcome) = table.find(*position).map_err(EngineError::Read)?
        {
            let outcome = name_of(Some(outcome), *outcome_names);
            return Ok(Brief { outcome, position: BriefPosition::At(*position) });
        }
        let answered = self.answer(asked)?;
        let outcome = answered.outcome_name();
        Ok(Brief { outcome, position: BriefPosition::Text(answered.answer.position) })
    }

    /// True if `answered` is complete, so that no search would find more.
    #[must_use]
    pub fn is_settled(&self, answered: &Answered) -> bool {
        let Answered { answer, class, .. } = answered;
        let has_class = class.is_some()
            || match answer.node {
                Some(Node::At(position)) => self.game().either_side(position).is_none(),
                Some(Node::Opening) | None => true,
            };
        has_class && answer.value.is_some() && answer.moves.iter().all(|m| m.value.is_some())
    }

    /// True if `answered` is unknown because the game has no table and is too large for one on this machine.
    #[must_use]
    pub fn lacks_table_for(&self, answered: &Answered) -> bool {
        self.origin == Origin::Search && answered.answer.value.is_none()
    }

    /// The outcome class of the board of `answer`. Positions that no table holds are searched, within the limit.
    fn outcome_class(&self, answer: &Answer, limit: u64) -> Result<Option<OutcomeClass>, EngineError> {
        let (Some(Node::At(position)), Some(known)) = (answer.node, answer.outcome()) else { return Ok(None) };
        let Some(sides) = self.game().either_side(position) else { return Ok(None) };
        let [first, second] = self.asking(limit, |ask| {
            sides.map(|side| if side == position { Some(known) } else { sought(self.game(), side, ask) })
        })?;
        Ok(first.zip(second).and_then(|(first, second)| OutcomeClass::of(first, second)))
    }

    /// Calls `answer` with access to the table and to a search of at most `limit` positions.
    fn asking<T>(&self, limit: u64, answer: impl FnOnce(&mut Ask<'_>) -> T) -> Result<T, EngineError> {
        looking_up(self.table(), |look_up| answer(&mut Ask { look_up, limit }))
    }
}

impl Engine {
    /// The source of answers for `game`. This is its table; else, for a small game ([`SOLVED_ON_THE_SPOT`]), a table
    /// solved on the spot. If the game is too large for a table on this machine, it is a search of at most `limit`
    /// positions for each answer.
    ///
    /// # Errors
    /// [`EngineError::Missing`] if there is no table but one could be built. Also if a table cannot be used, or solving
    /// fails. A table of other rules of that name ([`Source::outdated`]) is an error only if the game is not small.
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
        let outdated = match self.find(game.as_ref()) {
            Ok(Some(table)) => return Source::new(game, table, Origin::Table, limit),
            Ok(None) => None,
            Err(EngineError::OldRules { path, .. }) => Some(path),
            Err(error) => return Err(error),
        };
        if let Some(table) = self.solved_on_the_spot(game.as_ref(), progress)? {
            return Ok(Source { outdated, ..Source::new(game, table, Origin::Solved, limit)? });
        }
        if let Some(path) = outdated {
            return Err(EngineError::OldRules { path, name: game.rules().name().into() });
        }
        if is_too_large(game.as_ref()) {
            return Ok(Source { held: Held::Game(game), origin: Origin::Search, limit, outdated: None });
        }
        Err(EngineError::Missing { name: game.rules().name().into() })
    }

    /// The table of a small game, solved on the spot; `None` if the game is not small.
    fn solved_on_the_spot(&self, game: &dyn Game, progress: Option<Watch<'_>>) -> Result<Option<Table>, EngineError> {
        let rules = game.rules();
        let is_small = rules.positions() <= SOLVED_ON_THE_SPOT.into();
        let method = match game.coverage() {
            Some(Coverage::Every) if is_small => Method::Dense,
            Some(Coverage::Every) => return Ok(None),
            Some(Coverage::Reachable) => Method::of_reachable(rules),
            None => match swept_on_the_spot(game) {
                Some(method) => method,
                None if reaches_every_board(rules) => return Ok(None),
                // Perhaps only few positions are reachable.
                None => Method::of_reachable(rules),
            },
        };
        let roots = game.roots();
        self.start_threads()?;
        // All labels of the game that fit, so that moves can be ordered with the quickest win first. A sweep has them
        // only if they fit into memory.
        let planes = Planes::of(game, method)?;
        let labels = match &planes {
            Some(planes) if planes.check_memory(game.labels(), self.memory).is_err() => LabelSet::OUTCOME,
            Some(_) | None => game.labels(),
        };
        if let (Some(planes), Some(_)) = (&planes, self.memory) {
            planes.check_memory(labels, self.memory)?;
        }
        // Labels are held twice: as solved, and as the bytes of a table.
        let max_bytes = match method {
            Method::Dense | Method::Coloured => None,
            Method::Sparse | Method::Cyclic => sparse_max_bytes(self.memory).map(|bytes| bytes / 2),
        };
        let left = room_left(self.memory);
        let half = || left().map(|bytes| bytes / 2);
        let (kernel, marks) = (self.kernel, marks_boards(rules));
        let room: Option<MemoryProbe<'_>> = Some(&half);
        let group = if method.is_of_reachable() { group(game, UseSymmetry::Auto)? } else { None };
        let symmetry = group.as_ref();
        let max_positions = Some(most_orbits(symmetry, most_on_the_spot(rules)));
        let limits = Options { max_bytes, room, max_positions, ..Options::default() };
        let options = Options { method, labels, roots: &roots, symmetry, marks, kernel, progress, ..limits };
        match solve_what_fits(rules, &options) {
            Err(SolveError::MaxPositions { .. }) => Ok(None),
            Err(error) => Err(error.into()),
            Ok(solution) => {
                let bytes = solution.to_bytes(&game.descriptor());
                Table::from_bytes(bytes).map(Some).map_err(EngineError::Read)
            }
        }
    }
}

/// Maximum number of reachable positions to solve on the spot.
fn most_on_the_spot(rules: &Rules) -> u64 {
    bounded(rules, SOLVED_ON_THE_SPOT)
}

/// True if a table of the whole game may be more than this machine can make. Then positions near the end of play are
/// searched, and nothing more is promised.
fn is_too_large(game: &dyn Game) -> bool {
    // It was not solved on the spot, so there are more reachable positions than that limit.
    let choice =
        settled(game, None).unwrap_or_else(|| of_less_work(game, Reachable::more_than(most_on_the_spot(game.rules()))));
    choice.method.is_of_reachable() || shortage(game, choice.method).is_some()
}
