//! The rows of a table, in batches of Python values.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use tablegen::contents::LabelFault;
use tablegen::engine::{
    Column, ColumnField, ColumnName, ColumnReader, ColumnValues, Columns, ColumnsError, Condition, EngineError, Keys,
    Row, RowOptions, RowsError, UnknownColumn,
};
use tablegen::rules::Node;
use tablegen::table::{Table, TableFault};

use crate::errors::{InputError, LABELS, of_engine};
use crate::inner::Inner;
use crate::position::without_lead;
use crate::work::quick;

/// Rows of a batch of Python values.
const BATCH: usize = 1 << 12;
/// The number of short texts of a column that are kept as Python objects, and their most bytes.
const KNOWN: usize = 4;
const SHORT: usize = 8;

/// An iterator over batches of rows. It keeps its table open.
#[pyclass(frozen, module = "tablegen._native")]
pub(crate) struct RowBatches {
    inner: Arc<Inner>,
    state: Mutex<State>,
}

struct State {
    reader: ColumnReader,
    /// Rows that are read, and the number of those that have been returned.
    read: Option<(Arc<Columns>, usize)>,
}

impl RowBatches {
    pub(crate) fn new(
        py: Python<'_>,
        inner: Arc<Inner>,
        condition: Option<&str>,
        columns: Option<&[String]>,
    ) -> PyResult<Self> {
        let usual = ColumnName::usual(inner.open_table()?.table.labels());
        let reader = column_reader(py, &inner, condition, columns, usual)?;
        Ok(Self { inner, state: Mutex::new(State { reader, read: None }) })
    }
}

#[pymethods]
impl RowBatches {
    /// The names of the columns.
    #[getter]
    fn names(&self) -> Vec<&'static str> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.reader.fields().iter().map(ColumnField::name).collect()
    }

    /// A list of values for each column of the next rows, which may be none; `None` after the last rows.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Bound<'py, PyList>>>> {
        let open = self.inner.open_table()?;
        // Work on a table runs without the interpreter lock, so this lock must not be waited for with that one.
        let read = quick(py, || {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.read.as_ref().is_none_or(|(columns, returned)| *returned >= columns.rows) {
                state.read = None;
                state.read = state.reader.next(open, 0, &|_| {})?.map(|columns| (Arc::new(columns), 0));
            }
            let Some((columns, returned)) = &mut state.read else { return Ok(None) };
            let first = *returned;
            *returned = columns.rows.min(first + BATCH);
            Ok::<_, EngineError>(Some((Arc::clone(columns), first..*returned)))
        })?;
        let read = read.map_err(of_engine)?;
        read.map(|(columns, rows)| lists(py, &columns, &rows)).transpose()
    }
}

/// The reader of the columns with the names `columns`, or of the `usual` ones, of the rows that satisfy `condition`.
pub(crate) fn column_reader(
    py: Python<'_>,
    inner: &Inner,
    condition: Option<&str>,
    columns: Option<&[String]>,
    usual: Vec<ColumnName>,
) -> PyResult<ColumnReader> {
    let options = options(py, inner, condition)?;
    let open = inner.open_table()?;
    let wrong = |error: UnknownColumn| InputError::new_err(format!("columns: {error}, found {:?}", error.found));
    let named = |columns: &[String]| columns.iter().map(|name| name.parse().map_err(wrong)).collect();
    let columns = columns.map_or(Ok(usual), named)?;
    quick(py, || ColumnReader::new(open, options, &columns, Keys::Numbers))?.map_err(not_columns)
}

/// The exception that a table does not have the columns.
fn not_columns(error: ColumnsError) -> PyErr {
    match error {
        ColumnsError::Rows(error) => not_had(error),
        ColumnsError::Engine(error) => of_engine(error),
        ColumnsError::NoValues { .. } => InputError::new_err(format!("{error}; {LABELS}")),
        error => InputError::new_err(format!("columns: {error}")),
    }
}

/// The names of columns, and a list of values for each.
pub(crate) type NamedValues<'py> = (Vec<&'static str>, Vec<Bound<'py, PyList>>);

/// The names and the values of the row of a position; `None` if the position is not reachable.
pub(crate) fn row<'py>(
    py: Python<'py>,
    inner: &Inner,
    position: &Bound<'py, PyAny>,
) -> PyResult<Option<NamedValues<'py>>> {
    let open = inner.open_table()?;
    // The first player chooses the start: there is no position yet.
    let Node::At(position) = without_lead(inner.source.game(), position)? else { return Ok(None) };
    let Some(row) = Row::of(open, position).map_err(of_engine)? else { return Ok(None) };
    let usual = ColumnName::usual(open.table.labels());
    let reader = ColumnReader::new(open, RowOptions::default(), &usual, Keys::Numbers);
    let mut reader = reader.map_err(not_columns)?;
    let columns = quick(py, || reader.columns(open, &[row]))?.map_err(of_engine)?;
    let names = reader.fields().iter().map(ColumnField::name).collect();
    Ok(Some((names, lists(py, &columns, &(0..1))?)))
}

/// The options for the rows that satisfy `condition`. The checksums of all labels are checked, so that no row comes from
/// a changed byte.
fn options(py: Python<'_>, inner: &Inner, condition: Option<&str>) -> PyResult<RowOptions> {
    let open = inner.open_table()?;
    let condition = condition.map(|text| Condition::read(text, open.table.rules())).transpose();
    let condition = condition.map_err(|error| InputError::new_err(error.to_string()))?;
    let checked = quick(py, || {
        open.table.labels().iter().try_for_each(|label| open.table.check_label(label))?;
        open.table.check_reachability()
    })?;
    checked.map_err(|error| of_engine(EngineError::Read(error)))?;
    Ok(RowOptions { condition, ..RowOptions::default() })
}

/// The exception that a table does not have the rows.
fn not_had(error: RowsError) -> PyErr {
    InputError::new_err(match error {
        RowsError::NotHeld(_) => format!("{error}; {LABELS}"),
        _ => format!("{error}; tablegen.build(…, force=True) writes one"),
    })
}

/// The error that the labels of `table` are damaged.
pub(crate) fn damaged(table: &Table, fault: LabelFault) -> EngineError {
    EngineError::Read(table.error(TableFault::Labels(fault)))
}

/// A list of the values of each column in some rows. A missing value is `None`.
fn lists<'py>(py: Python<'py>, columns: &Columns, rows: &Range<usize>) -> PyResult<Vec<Bound<'py, PyList>>> {
    let bit = |bits: &[u8], at: usize| bits[at / 8] >> (at % 8) & 1 == 1;
    let of_column = |column: &Column| {
        let is_valid = |at| column.valid.as_ref().is_none_or(|(bits, _)| bit(bits, at));
        let valid = |at: usize| Some(at).filter(|&at| is_valid(at));
        match &column.values {
            ColumnValues::Bits(bits) => PyList::new(py, rows.clone().map(|at| valid(at).map(|at| bit(bits, at)))),
            ColumnValues::U8(numbers) => PyList::new(py, rows.clone().map(|at| valid(at).map(|at| numbers[at]))),
            ColumnValues::I8(numbers) => PyList::new(py, rows.clone().map(|at| valid(at).map(|at| numbers[at]))),
            ColumnValues::I16(numbers) => PyList::new(py, rows.clone().map(|at| valid(at).map(|at| numbers[at]))),
            ColumnValues::U16(numbers) => PyList::new(py, rows.clone().map(|at| valid(at).map(|at| numbers[at]))),
            ColumnValues::U64(numbers) => PyList::new(py, rows.clone().map(|at| valid(at).map(|at| numbers[at]))),
            ColumnValues::I64(numbers) => PyList::new(py, rows.clone().map(|at| valid(at).map(|at| numbers[at]))),
            ColumnValues::Text { offsets, bytes } => {
                let text = |at: usize| &bytes[offsets[at] as usize..offsets[at + 1] as usize];
                // Names of modes and outcomes come again and again.
                let mut known: Vec<(&[u8], Bound<'py, PyString>)> = Vec::new();
                let mut object = |at: usize| {
                    let bytes = text(at);
                    if let Some((_, object)) = known.iter().find(|(text, _)| *text == bytes) {
                        return object.clone();
                    }
                    let object = PyString::new(py, &String::from_utf8_lossy(bytes));
                    if known.len() < KNOWN && bytes.len() <= SHORT {
                        known.push((bytes, object.clone()));
                    }
                    object
                };
                PyList::new(py, rows.clone().map(|at| valid(at).map(&mut object)))
            }
        }
    };
    columns.columns.iter().map(of_column).collect()
}
