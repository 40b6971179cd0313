//! The rows of a table as a stream of columns, in the C interface of Apache Arrow (`PyCapsule` protocol).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use rayon::ThreadPool;
use tablegen::engine::arrow::{batch, schema};
use tablegen::engine::{COLUMN_BATCH, ColumnName, ColumnReader};

use crate::errors::InputError;
use crate::inner::Inner;
use crate::pool::pool;
use crate::rows::column_reader;

/// The rows of a table in batches. It keeps its table open.
struct Batches {
    inner: Arc<Inner>,
    pool: Arc<ThreadPool>,
    reader: ColumnReader,
    schema: SchemaRef,
}

impl Batches {
    fn read(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let wrong = |text: String| ArrowError::ExternalError(text.into());
        let open = self.inner.source.open_table().ok_or_else(|| wrong("there is no table".into()))?;
        let (pool, reader) = (&self.pool, &mut self.reader);
        // A panic must not pass through the caller, which is written in another language.
        let read = catch_unwind(AssertUnwindSafe(|| pool.install(|| reader.next(open, COLUMN_BATCH, &|_| {}))));
        let columns = read
            .map_err(|_| wrong("internal error: reading rows panicked; please report this defect of tablegen".into()))?
            .map_err(|error| wrong(error.to_string()))?;
        columns.map(|columns| batch(&self.schema, columns)).transpose()
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// The columns of the rows that satisfy a condition.
#[pyclass(frozen, module = "tablegen._native")]
pub(crate) struct ArrowColumns {
    inner: Arc<Inner>,
    condition: Option<String>,
    columns: Option<Vec<String>>,
    schema: SchemaRef,
}

impl ArrowColumns {
    pub(crate) fn new(
        py: Python<'_>,
        inner: Arc<Inner>,
        condition: Option<String>,
        columns: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let schema = Arc::new(schema(reader(py, &inner, condition.as_deref(), columns.as_deref())?.fields()));
        Ok(Self { inner, condition, columns, schema })
    }
}

/// A reader of `columns`, or of those by default, with the symmetry classes.
fn reader(
    py: Python<'_>,
    inner: &Inner,
    condition: Option<&str>,
    columns: Option<&[String]>,
) -> PyResult<ColumnReader> {
    let mut usual = ColumnName::usual(inner.open_table()?.table.labels());
    usual.extend(ColumnName::CLASS);
    column_reader(py, inner, condition, columns, usual)
}

#[pymethods]
impl ArrowColumns {
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// A capsule with an `ArrowSchema`, which releases the schema unless somebody has taken it.
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.schema);
        let schema = schema.map_err(|error| InputError::new_err(error.to_string()))?;
        PyCapsule::new(py, schema, Some(c"arrow_schema".into()))
    }

    /// A capsule with an `ArrowArrayStream` of all rows, likewise.
    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let reader = reader(py, &self.inner, self.condition.as_deref(), self.columns.as_deref())?;
        let (inner, schema) = (Arc::clone(&self.inner), Arc::clone(&self.schema));
        let batches = Batches { inner, pool: pool(py, None)?, reader, schema };
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new(py, stream, Some(c"arrow_array_stream".into()))
    }
}
