//! The rows of a table as columns, in the memory layout of Apache Arrow.
//!
//! - `name`: the columns that there are.
//! - `content`: what a row has in each of them.
//! - `layout`: values in memory.

mod content;
mod layout;
mod name;

use rayon::prelude::*;

use super::value::board_values::BoardSummaries;
use super::{EngineError, OpenTable, Row, RowOptions, RowReader, RowsError};
use tablegen_index::symmetry::Group;
use tablegen_labels::{LabelKind, LabelSet, Width};

use content::{Shared, has_two_colours};
pub use layout::{Column, ColumnKind, ColumnValues};
pub use name::{ColumnName, Keys, UnknownColumn};

/// Rows of a batch of columns for a file or a stream, at least, unless it is the last.
pub const COLUMN_BATCH: usize = 1 << 16;
/// Rows per task.
const TASK: usize = 1 << 10;

/// A column of a reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColumnField {
    /// The column.
    pub column: ColumnName,
    /// The type of its values.
    pub kind: ColumnKind,
    /// True if values may be missing.
    pub is_nullable: bool,
    /// True if most values are different, so that a dictionary would be larger than the values.
    pub is_distinct: bool,
    keys: Keys,
}

impl ColumnField {
    fn new(open: &OpenTable, column: ColumnName, keys: Keys) -> Self {
        let is_wide = open.table.rules().cells() > u64::BITS;
        let kind = match column {
            ColumnName::Reachable => ColumnKind::Bits,
            ColumnName::Board | ColumnName::ClassBoard if keys == Keys::Numbers && !is_wide => ColumnKind::U64,
            ColumnName::ClassSize => ColumnKind::U64,
            ColumnName::Label(LabelKind::Outcome) => ColumnKind::Text,
            ColumnName::Label(label) => match open.table.label_width(label) {
                Width::Sixteen if label.about().is_signed => ColumnKind::I16,
                Width::Sixteen => ColumnKind::U16,
                _ if label.about().is_signed => ColumnKind::I8,
                _ => ColumnKind::U8,
            },
            ColumnName::PiecesFirst | ColumnName::PiecesSecond | ColumnName::Moves => ColumnKind::U16,
            ColumnName::MeanNumerator
            | ColumnName::MeanDenominator
            | ColumnName::TemperatureNumerator
            | ColumnName::TemperatureDenominator => ColumnKind::I64,
            _ => ColumnKind::Text,
        };
        let is_nullable = match column {
            ColumnName::Label(label) => label.about().counts_plies,
            ColumnName::Board
            | ColumnName::ClassBoard
            | ColumnName::ClassSize
            | ColumnName::PiecesFirst
            | ColumnName::PiecesSecond => false,
            _ => true,
        };
        let is_distinct = match column {
            ColumnName::Board | ColumnName::Position => true,
            // As numbers, boards of classes repeat often enough for a dictionary.
            ColumnName::ClassBoard => kind == ColumnKind::Text,
            _ => false,
        };
        Self { column, kind, is_nullable, is_distinct, keys }
    }

    /// The name of the column.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.column.name()
    }
}

/// Columns of some rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    /// The number of rows.
    pub rows: usize,
    /// The columns, one for each [field](ColumnReader::fields).
    pub columns: Vec<Column>,
}

/// Reads the rows of a table as columns, in batches. A reader holds some tens of MiB, however large the table; with the values of boards,
/// it also holds each value once.
#[derive(Debug)]
pub struct ColumnReader {
    rows: RowReader,
    fields: Vec<ColumnField>,
    /// The symmetries, if there are columns of classes.
    group: Option<Group>,
    /// The values of boards that were read.
    values: BoardSummaries,
}

/// The reason why there are no columns.
#[derive(Debug, thiserror::Error)]
pub enum ColumnsError {
    /// The table does not have the rows.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// The symmetries of the game are wrong.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A column is named twice.
    #[error("expected each column once, found {0} twice")]
    Twice(ColumnName),
    /// The pieces of the game have one colour.
    #[error("expected a game whose pieces have two colours for {0}, found one")]
    OneColour(ColumnName),
    /// The table has no values of boards.
    #[error("expected a table with value for {column}, found one with {held}")]
    NoValues {
        /// The column.
        column: ColumnName,
        /// The labels of the table.
        held: LabelSet,
    },
}

impl ColumnReader {
    /// A reader of `columns` of the rows of `open` that `options` choose, with board numbers as `keys`. Checksums are not checked.
    ///
    /// # Errors
    /// If the table does not have the rows or the columns, or the game declares a symmetry that it does not have.
    pub fn new(
        open: &OpenTable,
        options: RowOptions,
        columns: &[ColumnName],
        keys: Keys,
    ) -> Result<Self, ColumnsError> {
        for (at, &column) in columns.iter().enumerate() {
            if columns[..at].contains(&column) {
                return Err(ColumnsError::Twice(column));
            }
            let counts_pieces = matches!(column, ColumnName::PiecesFirst | ColumnName::PiecesSecond);
            if counts_pieces && !has_two_colours(open.game.as_ref()) {
                return Err(ColumnsError::OneColour(column));
            }
            if column.is_of_value() && open.table.values().is_none() {
                return Err(ColumnsError::NoValues { column, held: open.table.labels() });
            }
        }
        let has_classes = columns.iter().any(|column| column.is_of_class());
        let group = match options.classes.clone() {
            _ if !has_classes => None,
            None => Some(open.classes()?),
            group => group,
        };
        let labels = columns.iter().filter_map(|column| column.label()).fold(options.labels, LabelSet::with);
        let rows = RowReader::new(open, RowOptions { labels, ..options })?;
        let fields = columns.iter().map(|&column| ColumnField::new(open, column, keys)).collect();
        Ok(Self { rows, fields, group, values: BoardSummaries::default() })
    }

    /// The columns.
    #[must_use]
    pub fn fields(&self) -> &[ColumnField] {
        &self.fields
    }

    /// The next rows of `open`, the table that the reader was made for: at least `at_least`, unless they are the last.
    /// `None` after the last. `done` is called with the number of positions just examined. Works on all cores of the
    /// current rayon pool.
    ///
    /// # Errors
    /// If the table is damaged where it is read.
    pub fn next(
        &mut self,
        open: &OpenTable,
        at_least: usize,
        done: &dyn Fn(u64),
    ) -> Result<Option<Columns>, EngineError> {
        let mut rows: Option<Vec<Row>> = None;
        while rows.as_ref().is_none_or(|rows| rows.len() < at_least) {
            let found = self.rows.next(open).map_err(|fault| EngineError::damaged(&open.table, fault))?;
            let Some(found) = found else { break };
            done(found.examined);
            match &mut rows {
                None => rows = Some(found.rows),
                Some(rows) => rows.extend(found.rows),
            }
        }
        rows.map(|rows| self.columns(open, &rows)).transpose()
    }

    /// The columns of `rows`, which are rows of `open`.
    ///
    /// # Errors
    /// If the table is damaged where it is read.
    pub fn columns(&mut self, open: &OpenTable, rows: &[Row]) -> Result<Columns, EngineError> {
        let shared = Shared::new(open, &self.fields, self.group.as_ref(), &mut self.values, rows)?;
        let columns = self.fields.par_iter().map(|field| shared.column(field)).collect::<Result<_, _>>()?;
        Ok(Columns { rows: rows.len(), columns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Condition, Engine, SolveOptions, TableDirs, game};
    use tablegen_games::Parameters;
    use tablegen_solvers::Method;

    /// The sizes of symmetry classes count each position once, in a table with symmetry and in one without.
    #[test]
    fn classes_partition_the_positions() {
        let board = Parameters::new().with("rows", 3).with("cols", 3);
        for method in [Method::Dense, Method::Sparse] {
            let options = SolveOptions { method: Some(method), ..SolveOptions::default() };
            let cram = game("cram", &board).unwrap();
            let source = Engine::new(TableDirs::none()).solve_in_memory(cram, &options, None).unwrap();
            let open = source.open_table().unwrap();
            let condition = Some(Condition::read("filled=2 and reachable", open.table.rules()).unwrap());
            let options = RowOptions { condition, ..RowOptions::default() };
            let mut reader = ColumnReader::new(open, options, &ColumnName::CLASS, Keys::Numbers).unwrap();
            let found = reader.next(open, COLUMN_BATCH, &|_| {}).unwrap().unwrap();
            assert_eq!(reader.next(open, 0, &|_| {}).unwrap(), None);
            // Twelve places for a domino: eight at the edge and four in the centre of the board.
            assert_eq!(found.rows, 12);
            let of = |name: &str| {
                let at = reader.fields().iter().position(|field| field.name() == name).unwrap();
                found.columns[at].values.clone()
            };
            let ColumnValues::U64(mut sizes) = of("class_size") else { panic!("numbers") };
            sizes.sort_unstable();
            assert_eq!(sizes, [[4; 4].as_slice(), &[8; 8]].concat());
            let ColumnValues::U64(mut classes) = of("class_board") else { panic!("numbers") };
            classes.sort_unstable();
            classes.dedup();
            assert_eq!(classes.len(), 2);
        }
    }
}
