//! The rows of a table as a stream of columns, in the C interface of Apache Arrow (`PyCapsule` protocol).
//!
//! The structures and their rules are those of <https://arrow.apache.org/docs/format/CDataInterface.html>: the consumer
//! calls `release` once, from any thread, and may move a structure before.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use rayon::ThreadPool;
use tablegen::engine::{COLUMN_BATCH, Column, ColumnField, ColumnKind, ColumnReader, ColumnValues, Columns};

use crate::inner::Inner;
use crate::pool::pool;
use crate::rows::{column_reader, damaged};

/// The flag of a column whose values may be missing.
const NULLABLE: i64 = 2;
/// The error number of a stream that cannot be read (`EIO`).
const EIO: c_int = 5;

#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// The data of a structure. It owns what the pointers of the structure refer to, including its children.
struct Owned<T, Data> {
    children: Vec<*mut T>,
    buffers: Vec<*const c_void>,
    #[expect(dead_code, reason = "it is held, and read through the buffers")]
    data: Data,
}

impl ArrowSchema {
    fn new(name: CString, format: &'static CStr, flags: i64, children: Vec<Self>) -> Self {
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        let (name_at, mut owned) = (name.as_ptr(), Box::new(Owned { children, buffers: Vec::new(), data: name }));
        Self {
            format: format.as_ptr(),
            name: name_at,
            metadata: null(),
            flags,
            n_children: owned.children.len() as i64,
            children: owned.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(owned).cast(),
        }
    }

    /// The schema of a batch: a struct with a child for each field.
    fn of(fields: &[ColumnField]) -> Self {
        let child = |field: &ColumnField| {
            let format = match field.kind {
                ColumnKind::Bits => c"b",
                ColumnKind::U8 => c"C",
                ColumnKind::U64 => c"L",
                ColumnKind::Text => c"u",
            };
            let name = CString::new(field.name).unwrap_or_default();
            Self::new(name, format, if field.is_nullable { NULLABLE } else { 0 }, Vec::new())
        };
        Self::new(CString::default(), c"+s", 0, fields.iter().map(child).collect())
    }
}

impl ArrowArray {
    const EMPTY: Self = Self {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: null_mut(),
        children: null_mut(),
        dictionary: null_mut(),
        release: None,
        private_data: null_mut(),
    };

    fn new<Data>(length: usize, missing: usize, buffers: Vec<*const c_void>, children: Vec<Self>, data: Data) -> Self {
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        let mut owned = Box::new(Owned { children, buffers, data });
        Self {
            length: length as i64,
            null_count: missing as i64,
            n_buffers: owned.buffers.len() as i64,
            n_children: owned.children.len() as i64,
            buffers: owned.buffers.as_mut_ptr(),
            children: owned.children.as_mut_ptr(),
            release: Some(release_array::<Data>),
            private_data: Box::into_raw(owned).cast(),
            ..Self::EMPTY
        }
    }

    /// A batch: a struct with a child for each column.
    fn of(columns: Columns) -> Self {
        let rows = columns.rows;
        let child = |column: Column| {
            // The heap memory of vectors stays where it is when the column moves into the structure.
            let (missing, valid) =
                column.valid.as_ref().map_or((0, null()), |(bits, missing)| (*missing, bits.as_ptr()));
            let mut buffers: Vec<*const c_void> = vec![valid.cast()];
            match &column.values {
                ColumnValues::Bits(values) | ColumnValues::U8(values) => buffers.push(values.as_ptr().cast()),
                ColumnValues::U64(values) => buffers.push(values.as_ptr().cast()),
                ColumnValues::Text { offsets, bytes } => {
                    buffers.extend([offsets.as_ptr().cast::<c_void>(), bytes.as_ptr().cast()]);
                }
            }
            Self::new(rows, missing, buffers, Vec::new(), column)
        };
        Self::new(rows, 0, vec![null()], columns.columns.into_iter().map(child).collect(), ())
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the consumer passes a structure that `ArrowSchema::new` filled and that is not released. Its data and its
    // children are boxes made there.
    unsafe {
        let owned = Box::from_raw((*schema).private_data.cast::<Owned<ArrowSchema, CString>>());
        for &child in &owned.children {
            // The consumer may have taken the child and released it.
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*schema).release = None;
    }
}

unsafe extern "C" fn release_array<Data>(array: *mut ArrowArray) {
    // SAFETY: the consumer passes a structure that `ArrowArray::new` filled, with this type of data, and that is not
    // released. Its data and its children are boxes made there.
    unsafe {
        let owned = Box::from_raw((*array).private_data.cast::<Owned<ArrowArray, Data>>());
        for &child in &owned.children {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*array).release = None;
    }
}

/// The state of a stream.
struct Reading {
    inner: Arc<Inner>,
    pool: Arc<ThreadPool>,
    reader: ColumnReader,
    error: CString,
}

impl Reading {
    fn next(&mut self) -> Result<ArrowArray, String> {
        let open = self.inner.source.open_table().ok_or("there is no table")?;
        let (pool, reader) = (&self.pool, &mut self.reader);
        let read = catch_unwind(AssertUnwindSafe(|| pool.install(|| reader.next(open, COLUMN_BATCH, &|_| {}))));
        match read {
            Ok(Ok(columns)) => Ok(columns.map_or(ArrowArray::EMPTY, ArrowArray::of)),
            Ok(Err(fault)) => Err(damaged(&open.table, fault).to_string()),
            Err(_) => Err("internal error: reading rows panicked; please report this defect of tablegen".into()),
        }
    }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the consumer passes a stream of `stream` that is not released, and memory for a schema.
    unsafe {
        let reading = &*(*stream).private_data.cast::<Reading>();
        out.write(ArrowSchema::of(reading.reader.fields()));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as for `get_schema`, with memory for an array. Calls for one stream do not overlap.
    unsafe {
        let reading = &mut *(*stream).private_data.cast::<Reading>();
        match reading.next() {
            Ok(array) => {
                out.write(array);
                0
            }
            Err(error) => {
                reading.error = CString::new(error.replace('\0', " ")).unwrap_or_default();
                EIO
            }
        }
    }
}

unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: as for `get_schema`. The text stays until the next call.
    unsafe { (*(*stream).private_data.cast::<Reading>()).error.as_ptr() }
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: as for `get_schema`. The state is a box made by `stream`.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Reading>()));
        (*stream).release = None;
    }
}

// SAFETY: a stream owns its state, which may move between threads.
unsafe impl Send for ArrowArrayStream {}
// SAFETY: a schema owns its names.
unsafe impl Send for ArrowSchema {}

impl Drop for ArrowArrayStream {
    /// Releases a stream that nobody has taken out of its capsule.
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the stream is not released.
            unsafe { release(self) }
        }
    }
}

/// A schema in a capsule, which is released unless it has been taken out.
#[repr(transparent)]
struct InCapsule(ArrowSchema);

impl Drop for InCapsule {
    fn drop(&mut self) {
        if let Some(release) = self.0.release {
            // SAFETY: the schema is not released.
            unsafe { release(&raw mut self.0) }
        }
    }
}

/// The columns of the rows that satisfy a condition, and the names of the columns.
#[pyclass(frozen, module = "tablegen._native")]
pub(crate) struct ArrowColumns {
    inner: Arc<Inner>,
    condition: Option<String>,
    fields: Vec<ColumnField>,
}

impl ArrowColumns {
    pub(crate) fn new(py: Python<'_>, inner: Arc<Inner>, condition: Option<String>) -> PyResult<Self> {
        let fields = column_reader(py, &inner, condition.as_deref())?.fields().to_vec();
        Ok(Self { inner, condition, fields })
    }
}

#[pymethods]
impl ArrowColumns {
    #[getter]
    fn names(&self) -> Vec<&'static str> {
        self.fields.iter().map(|field| field.name).collect()
    }

    /// A capsule with an `ArrowSchema`.
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new(py, InCapsule(ArrowSchema::of(&self.fields)), Some(c"arrow_schema".into()))
    }

    /// A capsule with an `ArrowArrayStream` of all rows.
    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let reader = column_reader(py, &self.inner, self.condition.as_deref())?;
        let reading =
            Reading { inner: Arc::clone(&self.inner), pool: pool(py, None)?, reader, error: CString::default() };
        let stream = ArrowArrayStream {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private_data: Box::into_raw(Box::new(reading)).cast(),
        };
        PyCapsule::new(py, stream, Some(c"arrow_array_stream".into()))
    }
}
