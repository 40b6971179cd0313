//! Sources for the bytes of a table.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

#[cfg(unix)]
use memmap2::Advice;
use memmap2::Mmap;

use super::TableFault;
use super::file::open;
use super::on_disk::FileOnDisk;

/// The bytes of a whole table. It is implemented for mapped files and for bytes in memory; implement it to read
/// tables from elsewhere, or to test the reader with damaged ones.
pub trait Storage: Send + Sync {
    /// All bytes of the table, the same at each call.
    fn bytes(&self) -> &[u8];

    /// Announces random access from now on, or sequential access again if `_here_and_there` is false. This affects only
    /// the speed of reading.
    fn read_at_random(&self, _here_and_there: bool) {}

    /// Announces that `range` is read next. Needed after [`read_at_random`](Self::read_at_random), which turns off
    /// reading ahead.
    fn expect(&self, _range: Range<usize>) {}
}

/// The size from which the access pattern of a mapping matters: systems read up to some megabytes ahead of a requested
/// page.
const LARGE: usize = 64 << 20;

impl Storage for Mmap {
    fn bytes(&self) -> &[u8] {
        self
    }

    // A system that rejects the advice still works, so errors are ignored.
    #[cfg(unix)]
    fn read_at_random(&self, here_and_there: bool) {
        if self.len() >= LARGE {
            let _ = self.advise(if here_and_there { Advice::Random } else { Advice::Normal });
        }
    }

    #[cfg(unix)]
    fn expect(&self, range: Range<usize>) {
        if self.len() >= LARGE {
            let _ = self.advise_range(Advice::WillNeed, range.start, range.len());
        }
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

/// The storage of an open table's bytes.
pub(super) enum Backing {
    /// The whole table in memory, or mapped.
    Memory(Box<dyn Storage>),
    /// A file that is read in pieces.
    File(Arc<FileOnDisk>),
}

impl Backing {
    /// The number of bytes in the table.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Memory(storage) => storage.bytes().len() as u64,
            Self::File(file) => file.length(),
        }
    }

    /// The bytes of `range`, which lies in the table.
    pub(super) fn read(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, TableFault> {
        match self {
            Self::Memory(storage) => Ok(Cow::Borrowed(&storage.bytes()[range.start as usize..range.end as usize])),
            Self::File(file) => file.read(range).map(Cow::Owned),
        }
    }

    /// Passes the hint on to [`Storage::read_at_random`].
    pub(super) fn read_at_random(&self, here_and_there: bool) {
        if let Self::Memory(storage) = self {
            storage.read_at_random(here_and_there);
        }
    }

    /// Passes the hint on to [`Storage::expect`].
    pub(super) fn expect(&self, range: Range<u64>) {
        if let Self::Memory(storage) = self {
            storage.expect(range.start as usize..range.end as usize);
        }
    }
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
    // Reads no more than the file has now, even if it grows meanwhile. The header gives the required length.
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
