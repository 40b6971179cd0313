//! Sources of answers: a table, a solution that is not saved, or a search.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::answer::reply::{BriefPosition, name_of};
use crate::names::open::looking_up;
use crate::names::part::PartTable;
use crate::outcomes::{Asking, KeptOutcomes};
use crate::{Answered, Asked, BoardValue, Brief, EngineError, OpenTable, look_up_or_search, looked_up, searched_by};
use tablegen_games::{Answer, AnswerSource, Ask, Game, NotationError, OutcomeClass, Reading};
use tablegen_labels::{Choice, LabelSet, Probe};
use tablegen_rules::{Node, Outcome, Position};
use tablegen_solvers::SolveError;
use tablegen_tables::plies::Plies;
use tablegen_tables::table::{Table, TableError, TableFault};

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
    /// The tables of parts of a game that has no table.
    parts: Vec<PartTable>,
    outcomes: KeptOutcomes,
    hope: TableHope,
    /// The plies that the table lacks, once a line or a match needed them.
    pub(crate) plies: OnceLock<Plies>,
}

/// Whether a table can be built of a game that is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TableHope {
    /// It has too many reachable positions, or nobody knows.
    None,
    /// It does not fit into memory, but a build goes through the disk.
    InSlices,
}

/// A game, with or without a table.
enum Held {
    /// A table and its game.
    Table(Box<OpenTable>),
    /// A game that has no table.
    Game(Box<dyn Game>),
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
    pub(crate) fn solved(game: Box<dyn Game>, table: Table, limit: u64) -> Result<Self, EngineError> {
        Self::new(game, table, Origin::Solved, limit)
    }

    /// A source that answers from a `table` of `game` of this origin.
    pub(crate) fn new(game: Box<dyn Game>, table: Table, origin: Origin, limit: u64) -> Result<Self, EngineError> {
        let table = table.checked().map_err(EngineError::Read)?;
        let held = Held::Table(Box::new(OpenTable { game, table }));
        Ok(Self::holding(held, origin, limit, TableHope::None))
    }

    /// A source that searches each position of `game`, expanding at most `limit` positions.
    pub(crate) fn searching(game: Box<dyn Game>, limit: u64, hope: TableHope) -> Self {
        Self::holding(Held::Game(game), Origin::Search, limit, hope)
    }

    fn holding(held: Held, origin: Origin, limit: u64, hope: TableHope) -> Self {
        let outcomes = KeptOutcomes::default();
        Self { held, origin, limit, outdated: None, parts: Vec::new(), outcomes, hope, plies: OnceLock::new() }
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
            // A search answers positions of a part from its table.
            AnswerSource::Table if matches!(self.origin, Origin::Search) => Origin::Table.name(),
            AnswerSource::Table => self.origin.name(),
            AnswerSource::Search => AnswerSource::Search.name(),
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
        self.answer_watched(asked, limit, &|| ControlFlow::Continue(()))
    }

    /// Like [`answer_within`](Self::answer_within), with a function that is called from time to time and may stop a search.
    ///
    /// # Errors
    /// As [`answer`](Self::answer), and if the search is stopped.
    pub fn answer_watched(
        &self,
        asked: &Asked,
        limit: u64,
        watch: &dyn Fn() -> ControlFlow<()>,
    ) -> Result<Answered, EngineError> {
        match asked {
            Asked::Node(reading) => {
                let Reading { node, lead, .. } = *reading;
                let probe = self.probe(node);
                let answer = match probe {
                    Some(Ok(probe)) => looked_up(self.game(), &probe, lead),
                    None | Some(Err(TableError { fault: TableFault::NotReached { .. }, .. })) => {
                        self.searching_within(limit, watch, |asking| searched_by(self.game(), node, lead, asking))?
                    }
                    Some(Err(error)) => return Err(EngineError::Read(error)),
                };
                let class = self.outcome_class(&answer, limit, watch)?;
                let value = match (self.open_table(), reading.node) {
                    (Some(open), Node::At(position)) => BoardValue::of(open, position)?.map(Box::new),
                    _ => None,
                };
                Ok(Answered { answer, reading: Some(reading.clone()), class, value })
            }
            Asked::Text(text) => {
                let text = text.as_deref();
                let none = || NotationError::new(text.unwrap_or_default(), "a position of the rules", "none");
                let off_table = self.game().off_table().ok_or_else(none)?;
                let mut answer = self.asking(limit, |ask| off_table.answer(text, ask))??;
                self.add_labels(&mut answer)?;
                Ok(Answered { answer, reading: None, class: None, value: None })
            }
        }
    }

    /// The node of the game's rules that `asked` names, or whose outcome it shares if the game is reduced to a smaller one; `None` if
    /// the rules have none.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub fn node_of(&self, asked: &Asked) -> Result<Option<Node>, EngineError> {
        match asked {
            Asked::Node(reading) => Ok(Some(reading.node)),
            Asked::Text(_) => Ok(self.answer_within(asked, 0)?.answer.node),
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
        if let Asked::Node(Reading { node: Node::At(position), lead: 0, outcome_names, .. }) = asked
            && let Some(outcome) = self.find(*position).map_err(EngineError::Read)?
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

    /// True if `answered` is unknown because the game has no table, and a table can be built.
    #[must_use]
    pub fn lacks_table_for(&self, answered: &Answered) -> bool {
        self.hope == TableHope::InSlices && answered.answer.value.is_none()
    }

    /// The outcome class of the board of `answer`. Positions that no table holds are searched, within the limit.
    fn outcome_class(
        &self,
        answer: &Answer,
        limit: u64,
        watch: &dyn Fn() -> ControlFlow<()>,
    ) -> Result<Option<OutcomeClass>, EngineError> {
        let (Some(Node::At(position)), Some(known)) = (answer.node, answer.outcome()) else { return Ok(None) };
        let Some(sides) = self.game().either_side(position) else { return Ok(None) };
        let [first, second] = self.searching_within(limit, watch, |asking| {
            sides.map(|side| if side == position { Some(known) } else { look_up_or_search(side, asking) })
        })?;
        Ok(first.zip(second).and_then(|(first, second)| OutcomeClass::of(first, second)))
    }

    /// The values of `node` and of its moves in the table, or in the table of a part; `None` if no table has its mode.
    fn probe(&self, node: Node) -> Option<Result<Probe, TableError>> {
        if let Some(table) = self.table() {
            return Some(table.probe(node));
        }
        let Node::At(position) = node else { return None };
        let (of, inner) = self.part_of(position)?;
        let moved = |choice: Choice| Choice { to: of.part.whole(choice.to), ..choice };
        let outer = |probe: Probe| Probe { node, moves: probe.moves.into_iter().map(moved).collect(), ..probe };
        Some(of.table.probe(inner).map(outer))
    }

    /// The outcome of `position` in the table, or in the table of a part; `None` if none has it.
    fn find(&self, position: Position) -> Result<Option<Outcome>, TableError> {
        match (self.table(), self.part_of(position)) {
            (Some(table), _) => table.find(position),
            (None, Some((of, inner))) => of.table.find(inner),
            (None, None) => Ok(None),
        }
    }

    /// The table of a part that has the mode of `position`, and the position in the part.
    #[inline]
    fn part_of(&self, position: Position) -> Option<(&PartTable, Position)> {
        self.parts.iter().find_map(|of| Some((of, of.part.position(position)?)))
    }

    /// Calls `answer` with access to the table and to a search of at most `limit` positions.
    fn asking<T>(&self, limit: u64, answer: impl FnOnce(&mut Ask<'_>) -> T) -> Result<T, EngineError> {
        looking_up(|position| self.find(position), |look_up| answer(&mut Ask { look_up, limit }))
    }

    /// Calls `answer` with access to the table and to the kept search, which expands at most `limit` positions.
    fn searching_within<T>(
        &self,
        limit: u64,
        watch: &dyn Fn() -> ControlFlow<()>,
        answer: impl FnOnce(&mut Asking<'_, '_>) -> T,
    ) -> Result<T, EngineError> {
        let mut is_stopped = false;
        let mut continues = |_| {
            is_stopped |= watch().is_break();
            !is_stopped
        };
        let found = self.outcomes.with(self.game().rules(), |outcomes| {
            self.asking(limit, |ask| answer(&mut Asking { outcomes, ask, continues: &mut continues }))
        })?;
        if is_stopped { Err(SolveError::Cancelled.into()) } else { Ok(found) }
    }
}
