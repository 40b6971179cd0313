//! Sources for the bytes of a table.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use memmap2::Mmap;

use super::TableFault;
use crate::atomic_file::not_a_file;

/// The bytes of a whole table. It is implemented for mapped files and for bytes in memory; implement it to read
/// tables from elsewhere, or to test the reader with damaged ones.
pub trait Storage: Send + Sync {
    /// All bytes of the table, the same at each call.
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

/// Opens the regular file at `path`.
fn open(path: &Path) -> Result<File, TableFault> {
    // Checked before opening: opening a pipe would wait for its other end.
    if let Some(what) = not_a_file(path)? {
        return Err(TableFault::NotAFile(what));
    }
    Ok(File::open(path)?)
}

/// The content of the file at `path`.
///
/// # Errors
/// If it cannot be opened or read, is not a regular file, or does not fit into memory.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, TableFault> {
    let file = open(path)?;
    let length = usize::try_from(file.metadata()?.len()).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    // Reads no more than the file has now, even if it grows meanwhile: the header gives the number of bytes there
    // must be.
    file.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Maps the file at `path` for reading.
///
/// # Safety
/// The file must not be written to or truncated while the mapping exists.
///
/// # Errors
/// If it cannot be opened or mapped, or is not a regular file.
pub(super) unsafe fn map(path: &Path) -> Result<Mmap, TableFault> {
    let file = open(path)?;
    // SAFETY: the mapping is private to this process and read-only; the caller promises that the file stays as it is.
    Ok(unsafe { Mmap::map(&file)? })
}
