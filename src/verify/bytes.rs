//! Checks the checksum of every byte.

use rayon::prelude::*;

use super::{Finding, Options};
use crate::table::Table;

/// Checks that every byte of the table matches its checksum, and returns the number of bytes. Progress counts bytes.
///
/// # Errors
/// The first block that changed, or [`Finding::Cancelled`].
pub fn bytes(table: &Table, options: &Options<'_>) -> Result<u64, Finding> {
    let blocks = table.blocks();
    blocks.check_lists().map_err(Finding::Bytes)?;
    let (count, bytes) = (blocks.count(), blocks.bytes());
    let check = |block| {
        let result = blocks.check(block).map_err(Finding::Bytes);
        result.and_then(|()| options.tell(bytes / count.max(1))).err()
    };
    let first = (0..count).into_par_iter().find_map_first(check);
    first.map_or(Ok(table.file_bytes()), Err)
}
