//! The positions of a table with their labels, in batches: for exports, and for iterators.

mod condition;
mod condition_text;

use super::facts::counts_every_board;
use super::numbers::{NotHeld, check_held};
use super::{EngineError, OpenTable};
use tablegen_index::contents::{LabelFault, Piece, ScanCursor, Wanted};
use tablegen_index::symmetry::Group;
use tablegen_labels::{LabelSet, Value};
use tablegen_rules::Position;
use tablegen_tables::table::TableFault;

pub use condition::Condition;
pub use condition_text::ConditionError;

/// A position with its labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The position.
    pub position: Position,
    /// True if it is reachable; `None` if the table does not record it.
    pub reachable: Option<bool>,
    /// The outcome, and those other labels that were requested.
    pub value: Value,
}

impl Row {
    /// The row of `position` in `open`, with all labels of the table; `None` if the position is not reachable.
    ///
    /// # Errors
    /// If the table is damaged where it is read.
    pub fn of(open: &OpenTable, position: Position) -> Result<Option<Self>, EngineError> {
        let value = match open.table.value(position) {
            Err(error) if matches!(error.fault, TableFault::NotReached { .. }) => return Ok(None),
            value => value.map_err(EngineError::Read)?,
        };
        let is_counted = open.table.contents().is_counted(position);
        let is_counted = is_counted.map_err(|fault| EngineError::damaged(&open.table, LabelFault::from(fault)));
        let reachable = if counts_every_board(&open.table) { None } else { Some(is_counted?) };
        Ok(Some(Self { position, reachable, value }).filter(|row| row.reachable != Some(false)))
    }
}

/// Which rows to read, and with which labels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RowOptions {
    /// The labels to read, besides the outcome and the labels that the condition needs. Columns have only these labels.
    pub labels: LabelSet,
    /// Read only rows that satisfy this condition.
    pub condition: Option<Condition>,
    /// Read unreachable boards as well, if the table has them.
    pub every: bool,
    /// Read only the representative of each of these symmetry classes, the [classes](OpenTable::classes) of the table.
    pub classes: Option<Group>,
}

/// The reason why a table does not have the rows that were requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowsError {
    /// The table does not hold a label.
    #[error(transparent)]
    NotHeld(#[from] NotHeld),
    /// The condition names `reachable`, and the table has no reachability bits.
    #[error("expected a table with reachability bits for a condition on reachable, found one without")]
    NotMarked,
}

/// Some rows of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rows {
    /// The rows, which may be none.
    pub rows: Vec<Row>,
    /// The number of positions that were examined for them. In a dense table, these are all boards; in another table,
    /// the reachable positions.
    pub examined: u64,
}

/// Reads the rows of a table in batches.
///
/// - A dense table is read by mode and board number, another table in the order in which it is stored.
/// - Without [`every`](RowOptions::every), only reachable positions are read, or every board if the table does not
///   know which are reachable.
/// - Under symmetry, all positions of each symmetry class are read, sorted by mode and board number. In any table, only
///   representatives are read with [`classes`](RowOptions::classes).
///
/// A reader holds a few MiB, however large the table.
#[derive(Debug)]
pub struct RowReader {
    options: RowOptions,
    /// All labels to read.
    labels: LabelSet,
    /// True if the table tells which positions are reachable.
    is_marked: bool,
    cursor: ScanCursor,
}

impl RowReader {
    /// A reader of the rows of `open`. Checksums are not checked.
    ///
    /// # Errors
    /// If the table lacks what the options request.
    pub fn new(open: &OpenTable, options: RowOptions) -> Result<Self, RowsError> {
        let of_condition = options.condition.as_ref().map_or(LabelSet::OUTCOME, Condition::labels);
        let labels = options.labels.union(of_condition);
        for label in labels.iter() {
            check_held(open.table.contents().bytes(), label)?;
        }
        let names_reachable = options.condition.as_ref().is_some_and(Condition::names_reachable);
        let is_marked = !counts_every_board(&open.table);
        if names_reachable && !is_marked {
            return Err(RowsError::NotMarked);
        }
        let options = RowOptions { every: options.every || names_reachable, ..options };
        Ok(Self { options, labels, is_marked, cursor: ScanCursor::default() })
    }

    /// The next rows of `open`, the table that the reader was made for; `None` after the last. Works on all cores of
    /// the current rayon pool.
    ///
    /// # Errors
    /// If labels are damaged.
    pub fn next(&mut self, open: &OpenTable) -> Result<Option<Rows>, LabelFault> {
        let RowOptions { every, ref classes, .. } = self.options;
        let wanted = Wanted { labels: self.labels, every, stored: classes.is_some() };
        let mut cursor = std::mem::take(&mut self.cursor);
        let found = open.table.contents().scan(&mut cursor, wanted, |piece| self.rows(piece));
        self.cursor = cursor;
        Ok(found?.map(|found| Rows {
            examined: found.iter().map(|found| found.examined).sum(),
            rows: found.into_iter().flat_map(|found| found.rows).collect(),
        }))
    }

    /// The rows of `piece` that are requested.
    fn rows(&self, piece: &Piece) -> Rows {
        let row = |(position, is_reached, value)| {
            let reachable = self.is_marked.then_some(is_reached);
            Some(Row { position, reachable, value }).filter(|row| self.takes(row))
        };
        Rows { rows: piece.rows().filter_map(row).collect(), examined: piece.examined() }
    }

    /// True if `row` is requested.
    fn takes(&self, row: &Row) -> bool {
        (self.options.every || row.reachable != Some(false))
            && self.options.condition.as_ref().is_none_or(|condition| condition.holds(row))
            && self.options.classes.as_ref().is_none_or(|group| group.representative(row.position) == row.position)
    }
}

#[cfg(test)]
mod tests;
