//! Columns as record batches of Apache Arrow.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Int8Array, Int16Array, Int64Array, RecordBatch, StringArray, UInt8Array, UInt16Array,
    UInt64Array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::{Column, ColumnField, ColumnKind, ColumnValues, Columns};

/// The schema of batches with these columns.
#[must_use]
pub fn schema(fields: &[ColumnField]) -> Schema {
    let field = |field: &ColumnField| {
        let kind = match field.kind {
            ColumnKind::Bits => DataType::Boolean,
            ColumnKind::U8 => DataType::UInt8,
            ColumnKind::I8 => DataType::Int8,
            ColumnKind::U16 => DataType::UInt16,
            ColumnKind::I16 => DataType::Int16,
            ColumnKind::U64 => DataType::UInt64,
            ColumnKind::I64 => DataType::Int64,
            ColumnKind::Text => DataType::Utf8,
        };
        Field::new(field.name(), kind, field.is_nullable)
    };
    Schema::new(fields.iter().map(field).collect::<Vec<_>>())
}

/// `columns`, which have this [`schema`](schema()), as a batch. The values are not copied.
///
/// # Errors
/// If the columns do not have this schema.
pub fn batch(schema: &Arc<Schema>, columns: Columns) -> Result<RecordBatch, ArrowError> {
    let Columns { rows, columns } = columns;
    let arrays = columns.into_iter().map(|column| array(rows, column)).collect::<Result<_, _>>()?;
    RecordBatch::try_new(Arc::clone(schema), arrays)
}

fn array(rows: usize, column: Column) -> Result<ArrayRef, ArrowError> {
    let bits = |bits| BooleanBuffer::new(Buffer::from_vec(bits), 0, rows);
    let valid = column.valid.map(|(valid, _)| NullBuffer::new(bits(valid)));
    Ok(match column.values {
        ColumnValues::Bits(values) => Arc::new(BooleanArray::new(bits(values), valid)),
        ColumnValues::U8(values) => Arc::new(UInt8Array::try_new(ScalarBuffer::from(values), valid)?),
        ColumnValues::I8(values) => Arc::new(Int8Array::try_new(ScalarBuffer::from(values), valid)?),
        ColumnValues::U16(values) => Arc::new(UInt16Array::try_new(ScalarBuffer::from(values), valid)?),
        ColumnValues::I16(values) => Arc::new(Int16Array::try_new(ScalarBuffer::from(values), valid)?),
        ColumnValues::U64(values) => Arc::new(UInt64Array::try_new(ScalarBuffer::from(values), valid)?),
        ColumnValues::I64(values) => Arc::new(Int64Array::try_new(ScalarBuffer::from(values), valid)?),
        ColumnValues::Text { offsets, bytes } => {
            let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
            Arc::new(StringArray::try_new(offsets, Buffer::from_vec(bytes), valid)?)
        }
    })
}
