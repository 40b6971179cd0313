//! Where a table's bytes come from.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

use super::TableFault;

/// The bytes of a whole table. Implemented for mapped files and for bytes in memory; implement it to read tables from
/// anywhere else, or to feed the reader damaged ones.
pub trait Storage: Send + Sync {
    /// Every byte of the table, the same at each call.
    fn bytes(&self) -> &[u8];
}

impl Storage for Mmap {
    fn bytes(&self) -> &[u8] {
        self
    }
}

impl Storage for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
}

impl Storage for &'static [u8] {
    fn bytes(&self) -> &[u8] {
        self
    }
}

/// What is at `path`, where it is not a regular file.
///
/// # Errors
/// Where nothing is there, or it cannot be asked about.
pub(super) fn no_file(path: &Path) -> io::Result<Option<&'static str>> {
    let kind = std::fs::metadata(path)?.file_type();
    Ok(match (kind.is_dir(), kind.is_file()) {
        (true, _) => Some("a folder"),
        (_, true) => None,
        _ => Some("a device or a pipe"),
    })
}

/// Maps the file at `path` for reading.
///
/// # Errors
/// Where it cannot be opened or mapped, or is no regular file.
pub(super) fn map(path: &Path) -> Result<Mmap, TableFault> {
    // Asked before opening: opening a pipe would wait for its other end.
    if let Some(what) = no_file(path)? {
        return Err(TableFault::NotAFile(what));
    }
    let file = File::open(path)?;
    // SAFETY: the mapping is private to this process and read-only. The bytes could still change under it if somebody
    // wrote into the file in place; tablegen never does (a table is written beside its name and renamed), and the
    // documentation of `Table::open` asks others not to.
    let map = unsafe { Mmap::map(&file)? };
    Ok(map)
}
