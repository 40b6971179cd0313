//! Files: opening regular ones, and reading and writing at an offset by several threads.

use std::fs::File;
use std::io;
use std::path::Path;

use super::TableFault;
use crate::atomic_file::not_a_file;

/// Opens the regular file at `path`.
pub(crate) fn open(path: &Path) -> Result<File, TableFault> {
    // Checked before opening: opening a pipe would wait for its other end.
    if let Some(what) = not_a_file(path)? {
        return Err(TableFault::NotAFile(what));
    }
    Ok(File::open(path)?)
}

/// Opens the file at `path` for reading and writing, and creates it if it does not exist.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(path)
}

/// Reads `bytes` from `file` at `offset`.
#[cfg(unix)]
pub fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Writes `bytes` to `file` at `offset`.
#[cfg(unix)]
pub fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// Reads `bytes` from `file` at `offset`.
#[cfg(windows)]
pub fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (bytes, offset) = (&mut bytes[read..], offset + read as u64);
    }
    Ok(())
}

/// Writes `bytes` to `file` at `offset`.
#[cfg(windows)]
pub fn write_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        (bytes, offset) = (&bytes[written..], offset + written as u64);
    }
    Ok(())
}

/// The identity of `file` on this machine: its device and inode numbers.
#[cfg(unix)]
pub(crate) fn file_id(file: &File) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    file.metadata().map(|found| (found.dev(), found.ino())).ok()
}

/// The identity of `file` on this machine, which this system does not provide.
#[cfg(not(unix))]
pub(crate) fn file_id(_: &File) -> Option<(u64, u64)> {
    None
}

/// Tells the system that `bytes` bytes of `file` at `offset` will be read soon, so that it reads ahead. The system may
/// ignore it.
#[cfg(target_os = "linux")]
pub(crate) fn expect_read(file: &File, offset: u64, bytes: u64) {
    let _ = rustix::fs::fadvise(file, offset, std::num::NonZeroU64::new(bytes), rustix::fs::Advice::WillNeed);
}

/// Does nothing: this system takes no hints about reading ahead.
#[cfg(not(target_os = "linux"))]
pub(crate) fn expect_read(_: &File, _: u64, _: u64) {}
