//! Checks that every byte matches its checksum.

use std::ops::Range;

use rayon::prelude::*;

use super::{Finding, Options};
use crate::label::LabelKind;
use crate::table::Table;

/// Checks that every byte of the table matches its checksum, and returns the number of bytes. Progress counts bytes.
///
/// # Errors
/// The first block that changed, or [`Finding::Cancelled`].
pub fn bytes(table: &Table, options: &Options<'_>) -> Result<u64, Finding> {
    let blocks = 0..table.blocks().count();
    check(table, blocks, table.blocks().bytes(), options)?;
    table.blocks().check_places().map_err(Finding::Bytes)?;
    Ok(table.file_bytes())
}

/// Like [`bytes`], for the bytes of `label` alone. Returns the number of bytes: 0 if the table does not hold the label.
///
/// # Errors
/// As [`bytes`].
pub fn label_bytes(table: &Table, label: LabelKind, options: &Options<'_>) -> Result<u64, Finding> {
    let (blocks, bytes) = table.blocks_of(label);
    check(table, blocks, bytes, options).map(|()| bytes)
}

/// Checks the units `checked`, which have `bytes` bytes in total.
fn check(table: &Table, checked: Range<u64>, bytes: u64, options: &Options<'_>) -> Result<(), Finding> {
    let blocks = table.blocks();
    blocks.check_lists().map_err(Finding::Bytes)?;
    let each = bytes / (checked.end - checked.start).max(1);
    let check = |block| {
        let result = blocks.check(block).map_err(Finding::Bytes);
        result.and_then(|()| options.tell(each)).err()
    };
    checked.into_par_iter().find_map_first(check).map_or(Ok(()), Err)
}
