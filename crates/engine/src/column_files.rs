//! Export of all labels of a table as one file of columns: Parquet, or Arrow IPC.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_ipc::writer::FileWriter;
use arrow_schema::ArrowError;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use super::arrow::{batch, schema};
use super::export::unreadable;
use super::{COLUMN_BATCH, ColumnReader, OpenTable};

/// Rows of a row group. Parquet keeps the columns of a group in memory until the group is complete.
const GROUP: usize = 1 << 18;

/// Writes the rows of `reader`, a reader of `open`, as a Parquet file. `done` is called with the number of positions
/// just examined. Memory use is some tens of MiB, however large the table.
///
/// # Errors
/// Any error from writing. It wraps a [`LabelFault`](tablegen_index::contents::LabelFault) if labels are damaged.
pub fn parquet(open: &OpenTable, mut reader: ColumnReader, out: &mut dyn Write, done: &dyn Fn(u64)) -> io::Result<()> {
    let schema = Arc::new(schema(reader.fields()));
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(GROUP))
        .set_created_by(concat!("tablegen version ", env!("CARGO_PKG_VERSION")).into());
    // Some readers lose the texts after a dictionary that has become too large and gives way to plain pages. So a column has either no
    // dictionary, or one that is never too large.
    for field in reader.fields() {
        let column = ColumnPath::from(field.name());
        properties = match field.is_distinct {
            true => properties.set_column_dictionary_enabled(column, false),
            false => properties.set_column_dictionary_page_size_limit(column, usize::MAX),
        };
    }
    let drain = Drain::default();
    let writer = ArrowWriter::try_new(drain.clone(), Arc::clone(&schema), Some(properties.build()));
    let mut writer = writer.map_err(of_parquet)?;
    while let Some(columns) = reader.next(open, COLUMN_BATCH, done).map_err(unreadable)? {
        writer.write(&batch(&schema, columns).map_err(of_arrow)?).map_err(of_parquet)?;
        drain.empty(out)?;
    }
    writer.close().map_err(of_parquet)?;
    drain.empty(out)
}

/// Like [`parquet`], as a file in the format Arrow IPC.
///
/// # Errors
/// As [`parquet`].
pub fn arrow(open: &OpenTable, mut reader: ColumnReader, out: &mut dyn Write, done: &dyn Fn(u64)) -> io::Result<()> {
    let schema = Arc::new(schema(reader.fields()));
    let mut writer = FileWriter::try_new(out, &schema).map_err(of_arrow)?;
    while let Some(columns) = reader.next(open, COLUMN_BATCH, done).map_err(unreadable)? {
        writer.write(&batch(&schema, columns).map_err(of_arrow)?).map_err(of_arrow)?;
    }
    writer.finish().map_err(of_arrow)
}

/// Bytes on their way to a writer. The writer of Parquet files takes only writers that may move between threads.
#[derive(Clone, Default)]
struct Drain(Arc<Mutex<Vec<u8>>>);

impl Drain {
    /// Writes the bytes to `out`.
    fn empty(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(&bytes)?;
        bytes.clear();
        Ok(())
    }
}

impl Write for Drain {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The error of writing that `error` wraps, such as a full disk.
fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        error => io::Error::other(error),
    }
}

fn of_parquet(error: ParquetError) -> io::Error {
    io::Error::other(error)
}
