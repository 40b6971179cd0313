//! Look-ups of a source in its table and in those of parts, and searches that end there.

use std::ops::ControlFlow;

use crate::answer::telling::Telling;
use crate::facts::reachable;
use crate::names::open::{Damage, looking_up};
use crate::names::part::PartTable;
use crate::outcomes::{Asking, Outcomes};
use crate::{EngineError, SearchLimit, SearchOptions, Source};
use tablegen_games::Ask;
use tablegen_labels::{Choice, LabelKind, Probe, Value};
use tablegen_rules::{Node, Outcome, Position};
use tablegen_search::{KnownValues, Wanted};
use tablegen_solvers::SolveError;
use tablegen_tables::table::{Table, TableError, TableFault};

/// A function that is called from time to time, from any thread, and may stop the work.
pub type Stop<'a> = &'a (dyn Fn() -> ControlFlow<()> + Sync);

impl Source {
    /// The values of `node` and of its moves in the table, or in the table of a part; `None` if no table has its mode.
    pub(super) fn probe(&self, node: Node) -> Option<Result<Probe, TableError>> {
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
    pub(super) fn find(&self, position: Position) -> Result<Option<Outcome>, TableError> {
        self.table_of(position).map_or(Ok(None), |(table, position)| table.find(position))
    }

    /// True if it is known that play does not reach `position`: the table says so, or the rules [prove](tablegen_rules::Rules::cannot_reach) it.
    /// `is_held` says whether a table [has](Self::find) it. Nothing is known of a part of a game, nor of a game that leaves open which side
    /// begins.
    pub(super) fn is_out_of_reach(&self, position: Position, is_held: bool) -> bool {
        let game = self.game();
        if game.part().is_some() || game.either_side(position).is_some() {
            return false;
        }
        match self.table().filter(|table| reachable(table).is_some()) {
            Some(_) if !is_held => true,
            Some(table) if table.contents().only_reachable().is_some() => false,
            // A table of colourings also has labels of some that play does not reach.
            _ => game.rules().cannot_reach(position),
        }
    }

    /// The value of `position` in the table, or in the table of a part, with what is `wanted`; `None` if no table has both.
    fn known(&self, position: Position, wanted: Wanted) -> Result<Option<Value>, TableError> {
        let Some(kind) = wanted.label() else { return Ok(self.find(position)?.map(Value::from)) };
        let Some((table, position)) = self.table_of(position) else { return Ok(None) };
        if !table.labels().contains(kind) {
            return Ok(None);
        }
        match table.value(position) {
            Err(TableError { fault: TableFault::NotReached { .. }, .. }) => Ok(None),
            value => value.map(Some),
        }
    }

    /// The table that may have `position`, that of the game or of a part, and the position in it.
    #[inline]
    fn table_of(&self, position: Position) -> Option<(&Table, Position)> {
        let of_part = || self.part_of(position).map(|(of, inner)| (&of.table, inner));
        self.table().map(|table| (table, position)).or_else(of_part)
    }

    /// The table of a part that has the mode of `position`, and the position in the part.
    #[inline]
    fn part_of(&self, position: Position) -> Option<(&PartTable, Position)> {
        self.parts.iter().find_map(|of| Some((of, of.part.position(position)?)))
    }

    /// True if a table may have positions.
    pub(crate) fn looks_up(&self) -> bool {
        self.table().is_some() || self.has_parts()
    }

    /// Calls `ask` with a function that looks up positions.
    pub(crate) fn looking<T>(
        &self,
        ask: impl FnOnce(&mut dyn FnMut(Position) -> Option<Outcome>) -> T,
    ) -> Result<T, EngineError> {
        looking_up(|position| self.find(position), ask)
    }

    /// Calls `answer` with access to the table and to a search of at most `limit` positions.
    pub(super) fn asking<T>(&self, limit: u64, answer: impl FnOnce(&mut Ask<'_>) -> T) -> Result<T, EngineError> {
        looking_up(|position| self.find(position), |look_up| answer(&mut Ask { look_up, limit }))
    }

    /// What a search finds if a question asks for what is `wanted`: the score if nothing is, in a game that counts points.
    pub(super) fn found_for(&self, wanted: Wanted) -> Wanted {
        match wanted {
            Wanted::Outcome if self.game().usual_labels().contains(LabelKind::Score) => Wanted::Score,
            wanted => wanted,
        }
    }

    /// Calls `answer` with access to the table and to the kept search.
    pub(super) fn searching_within<T>(
        &self,
        options: SearchOptions,
        watch: Stop<'_>,
        answer: impl FnOnce(&mut Asking<'_>) -> T,
    ) -> Result<T, EngineError> {
        let SearchOptions { limit, wanted } = options;
        let (mut is_stopped, until) = (false, limit.until());
        let mut telling = Telling::new(self, limit, until);
        let mut continues = |expanded| {
            is_stopped |= watch().is_break() || telling.tell(expanded).is_break();
            !is_stopped
        };
        let wanted = self.found_for(wanted);
        let damage = Damage::default();
        let known = |position, wanted| damage.note(self.known(position, wanted));
        let known = self.looks_up().then_some(&known as &KnownValues<'_>);
        let search = |outcomes: &mut Outcomes| {
            let (limit, continues) = (limit.positions(), &mut continues);
            answer(&mut Asking { outcomes, known, limit, wanted, until, continues })
        };
        let found = match limit {
            SearchLimit::AtOnce => self.outcomes.with_kept(search),
            _ => self.outcomes.with(self.game().rules(), self.setup(), search),
        };
        let found = damage.or(found)?;
        if is_stopped { Err(SolveError::Cancelled.into()) } else { Ok(found) }
    }
}
