//! Looking positions up in a table.

use std::ops::Range;

use super::blocks::CheckedBlocks;
use super::{Table, TableError, TableFault};
use crate::contents::{LabelFault, Sparse};
use crate::label::{LabelSet, Probe, Value, probe};
use crate::rules::{Node, Outcome, Position};

impl Table {
    /// The outcome of `position` for the player to move. A dense table needs an index, a load and a bit; a sparse table
    /// reads one bucket. Returns `None` if the table is sparse and the position is not reachable.
    ///
    /// # Errors
    /// If the position does not exist in the rules, or the table is damaged where it was read.
    #[inline]
    pub fn find(&self, position: Position) -> Result<Option<Outcome>, TableError> {
        self.look_up(position).map_err(|fault| self.error(fault))
    }

    /// Like [`find`](Self::find), but an unreachable position is an error.
    ///
    /// # Errors
    /// As [`find`](Self::find), and [`TableFault::NotReached`] if the position is not reachable.
    #[inline]
    pub fn outcome(&self, position: Position) -> Result<Outcome, TableError> {
        match self.look_up(position) {
            Ok(Some(outcome)) => Ok(outcome),
            Ok(None) => Err(self.error(TableFault::NotReached { position })),
            Err(fault) => Err(self.error(fault)),
        }
    }

    #[inline]
    fn look_up(&self, position: Position) -> Result<Option<Outcome>, TableFault> {
        let rules = self.rules();
        if !rules.has(position) {
            return Err(TableFault::NoSuchPosition { position, modes: rules.modes().len(), cells: rules.cells() });
        }
        let contents = self.outcome_contents();
        let Some(checked) = &self.checked else { return Ok(contents.outcome(position)?) };
        if let Some(sparse) = contents.only_reachable() {
            return self.checked_outcome(checked, sparse, sparse.stored(position));
        }
        contents.touched(position).try_for_each(|offset| checked.check(self.blocks(), 0, offset))?;
        Ok(contents.outcome(position)?)
    }

    /// The outcome of `position`, a representative, in a sparse table. Checks the blocks that the lookup reads. The directory comes
    /// first, because it locates the rest.
    fn checked_outcome(
        &self,
        checked: &CheckedBlocks,
        sparse: Sparse<'_>,
        position: Position,
    ) -> Result<Option<Outcome>, TableFault> {
        let levels = sparse.levels();
        let Some(number) = levels.of(position) else { return Ok(None) };
        let Some((level, outcomes)) = sparse.level(number) else { return Ok(None) };
        let shifted = |bytes: Range<usize>, by: u64| bytes.start + by as usize..bytes.end + by as usize;
        let keys = levels.key_offset(number).unwrap_or_default();
        checked.check_range(self.blocks(), 0, shifted(level.directory_bytes(position), keys))?;
        let bucket = level.bucket_bytes(position).map_err(LabelFault::from)?;
        checked.check_range(self.blocks(), 0, shifted(bucket, keys))?;
        let Some(index) = level.find(position).map_err(LabelFault::from)? else { return Ok(None) };
        let column = levels.column_range(number, self.width()).unwrap_or_default();
        checked.check(self.blocks(), 1, (column.start + outcomes.byte(index)) as usize)?;
        let outcome = outcomes.outcome(index).map_err(LabelFault::from)?;
        outcome.map(Some).ok_or(TableFault::Labels(LabelFault::NoOutcome { position }))
    }

    /// All labels of `position`; labels that the table does not hold are `None`.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    pub fn value(&self, position: Position) -> Result<Value, TableError> {
        let outcome = self.outcome(position)?;
        self.value_with(position, outcome)
    }

    /// As [`value`](Self::value), for a position whose outcome was already found.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    pub(crate) fn value_with(&self, position: Position, outcome: Outcome) -> Result<Value, TableError> {
        if self.labels() == LabelSet::OUTCOME {
            return Ok(outcome.into());
        }
        self.all_labels(position, outcome).map_err(|fault| self.error(fault))
    }

    /// All labels of `position`, whose outcome was already found.
    fn all_labels(&self, position: Position, outcome: Outcome) -> Result<Value, TableFault> {
        let contents = self.contents();
        let Some(at) = contents.index(position)? else {
            // By regions, labels are not stored where a number of pieces ends the game.
            return contents.value(position)?.ok_or(TableFault::NotReached { position });
        };
        if let Some(checked) = &self.checked {
            for kind in self.labels().others() {
                let number = self.section_of(kind).unwrap_or_default();
                checked.check(self.blocks(), number, contents.bytes().offset(kind, at))?;
            }
        }
        Ok(contents.value_at(at, outcome, position)?)
    }

    /// The value of `node` and of every legal move there, best first.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    pub fn probe(&self, node: impl Into<Node>) -> Result<Probe, TableError> {
        probe(self.rules(), node.into(), |position| self.value(position))
    }
}
