//! Files that appear whole or not at all, and large files that do not crowd everything else out of memory.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

/// The prefix and the suffix of the names of temporary files.
const PREFIX: &str = ".tablegen-";
const SUFFIX: &str = ".tb.tmp";

/// The folder that contains `path`.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The kind of object at `path`, if it is not a regular file.
///
/// # Errors
/// If nothing is there, or its metadata cannot be read.
pub fn not_a_file(path: &Path) -> io::Result<Option<&'static str>> {
    let kind = std::fs::metadata(path)?.file_type();
    Ok(match (kind.is_dir(), kind.is_file()) {
        (true, _) => Some("a folder"),
        (_, true) => None,
        _ => Some("a device or a pipe"),
    })
}

/// Whether an error of this kind means that there is no space left to write.
#[must_use]
pub fn is_storage_full(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

/// Creates the file at `path` from what `write` writes, whole or not at all: writes a temporary file in the same
/// folder, syncs it, and renames it over any existing file. `temporary` is called with its name as soon as it exists.
/// Tables are written this way, and so is any other file that must never be seen half written.
///
/// The temporary file is locked while it is written, so that [`remove_abandoned`] can tell it from one left by a
/// killed process.
///
/// # Errors
/// If `path` is a folder, a device or a pipe, or if creating, writing, syncing or renaming fails. The temporary file
/// is then removed, and the old file is untouched.
pub fn write_atomically(
    path: &Path,
    temporary: impl FnOnce(&Path),
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let folder = folder_of(path);
    // Renaming over a device would replace it with a regular file, for all users.
    if let Ok(Some(what)) = not_a_file(path) {
        return Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("{what} is there, and only a file is replaced"),
        ));
    }
    let mut options = tempfile::Builder::new();
    options.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        // A table gets the same permissions as any file that a program creates: the umask decides.
        use std::os::unix::fs::PermissionsExt;
        options.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = options.tempfile_in(folder)?;
    // Without locks on this file system, nothing identifies abandoned files, and they stay.
    let _ = file.as_file().try_lock_shared();
    temporary(file.path());
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    // The rename itself must reach the disk. If the folder cannot be synced, nothing more can be done.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Removes the temporary files in `folder` that were left by processes killed while writing: those that no process
/// has locked.
pub fn remove_abandoned(folder: &Path) {
    /// A file younger than this may not have been locked by its writer yet.
    const GRACE: Duration = Duration::from_secs(2);
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten().filter(|e| is_temporary(&e.file_name())) {
        let is_settled = entry.metadata().is_ok_and(|found| {
            found.is_file() && found.modified().is_ok_and(|then| then.elapsed().is_ok_and(|age| age > GRACE))
        });
        if is_settled && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Whether a name is one that [`write_atomically`] gives to its temporary files.
fn is_temporary(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes())
}

/// Bytes that may wait in the page cache before they are written to disk.
const UNSETTLED: u64 = 128 << 20;

/// A file that is flushed to disk and dropped from the page cache as it grows.
///
/// A table may be as large as the memory it was solved in. Left to itself, the system would hold all of it twice
/// before writing the first byte. A build of 8 GiB took 34 to 42 s that way, and takes 20 to 23 s with this type.
pub(crate) struct WritebackFile<'f> {
    file: &'f mut File,
    /// Bytes written since the last flush.
    waiting: u64,
}

impl<'f> WritebackFile<'f> {
    pub(crate) const fn new(file: &'f mut File) -> Self {
        Self { file, waiting: 0 }
    }

    fn settle(&mut self) -> io::Result<()> {
        self.waiting = 0;
        self.file.sync_data()?;
        // This is advice: a system that ignores it is only slower.
        #[cfg(target_os = "linux")]
        let _ = rustix::fs::fadvise(&*self.file, 0, None, rustix::fs::Advice::DontNeed);
        Ok(())
    }
}

impl Write for WritebackFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.waiting += written as u64;
        if self.waiting >= UNSETTLED {
            self.settle()?;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for WritebackFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
