//! Looking positions up in a table.

use std::ops::Range;

use super::blocks::CheckedBlocks;
use super::domain::Domain;
use super::{Table, TableError, TableFault};
use crate::contents::{ByteLabels, Contents, Folded, LabelFault, Sparse};
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
        match &self.header.domain {
            Domain::Dense { layout, .. } => {
                let planes = self.planes();
                let index = layout.index(position.board);
                if let Some(checked) = &self.checked {
                    for offset in planes.touched(position.mode, index) {
                        checked.check(self.blocks(), 0, offset)?;
                    }
                }
                Ok(Some(planes.outcome(position.mode, index).map_err(LabelFault::from)?))
            }
            Domain::Sparse { levels, starts, group } => {
                let (keys, outcomes) = (self.keys(), self.section(1));
                let sparse = Sparse::new(levels, starts, keys, self.width(), outcomes, ByteLabels::default());
                let stored = sparse.up_to(group.as_ref()).stored(position);
                if let Some(checked) = &self.checked {
                    self.check_reached(checked, stored)?;
                }
                // `stored` is already a representative, so this does not search for one again.
                Ok(sparse.outcome(stored)?)
            }
            Domain::Coloured(frame) => {
                let coloured = self.coloured(frame);
                if let Some(checked) = &self.checked {
                    for offset in coloured.touched(position) {
                        checked.check(self.blocks(), 0, offset)?;
                    }
                }
                Ok(coloured.outcome(position)?)
            }
            Domain::Folded { fold, .. } => {
                let folded = Folded::new(fold, self.shape, self.section(0), None, ByteLabels::default());
                if let Some(checked) = &self.checked {
                    for offset in folded.touched(position) {
                        checked.check(self.blocks(), 0, offset)?;
                    }
                }
                Ok(Some(folded.outcome(position).map_err(LabelFault::from)?))
            }
        }
    }

    /// Checks the blocks of a sparse table that a lookup of `position`, a representative, reads. The directory comes
    /// first, because it locates the rest.
    fn check_reached(&self, checked: &CheckedBlocks, position: Position) -> Result<(), TableFault> {
        let Contents::Sparse(sparse) = self.contents() else { return Ok(()) };
        let levels = sparse.levels();
        let Some(number) = levels.of(position) else { return Ok(()) };
        let Some((level, outcomes)) = sparse.level(number) else { return Ok(()) };
        let shifted = |bytes: Range<usize>, by: u64| bytes.start + by as usize..bytes.end + by as usize;
        let keys = levels.key_offset(number).unwrap_or_default();
        checked.check_range(self.blocks(), 0, shifted(level.directory_bytes(position), keys))?;
        let bucket = level.bucket_bytes(position).map_err(LabelFault::from)?;
        checked.check_range(self.blocks(), 0, shifted(bucket, keys))?;
        let Some(index) = level.find(position).map_err(LabelFault::from)? else { return Ok(()) };
        let column = levels.column_range(number, self.width()).unwrap_or_default();
        checked.check(self.blocks(), 1, (column.start + outcomes.byte(index)) as usize)
    }

    /// All labels of `position`; labels that the table does not hold are `None`.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    pub fn value(&self, position: Position) -> Result<Value, TableError> {
        let outcome = self.outcome(position)?;
        if self.labels() == LabelSet::OUTCOME {
            return Ok(outcome.into());
        }
        self.all_labels(position).map_err(|fault| self.error(fault))
    }

    /// All labels of `position`, whose outcome was already found.
    fn all_labels(&self, position: Position) -> Result<Value, TableFault> {
        let contents = self.contents();
        if let Some(checked) = &self.checked {
            let at = contents.byte(position)?.ok_or(TableFault::NotReached { position })?;
            for number in self.labels().others().filter_map(|kind| self.section_of(kind)) {
                checked.check(self.blocks(), number, at)?;
            }
        }
        contents.value(position)?.ok_or(TableFault::NotReached { position })
    }

    /// The value of `node` and of every legal move there, best first.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    pub fn probe(&self, node: impl Into<Node>) -> Result<Probe, TableError> {
        probe(self.rules(), node.into(), |position| self.value(position))
    }
}
