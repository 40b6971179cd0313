//! Files that appear whole or not at all, and large ones that do not crowd out everything else in memory.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

/// How the names of temporary files begin and end.
const PREFIX: &str = ".tablegen-";
const SUFFIX: &str = ".tb.tmp";

/// The folder that `path` lies in.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// What is at `path`, if it is not a regular file.
///
/// # Errors
/// If nothing is there, or it cannot be asked about.
pub fn not_a_file(path: &Path) -> io::Result<Option<&'static str>> {
    let kind = std::fs::metadata(path)?.file_type();
    Ok(match (kind.is_dir(), kind.is_file()) {
        (true, _) => Some("a folder"),
        (_, true) => None,
        _ => Some("a device or a pipe"),
    })
}

/// Whether an error of this kind says that there is no room left to write.
#[must_use]
pub fn is_storage_full(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

/// Creates the file at `path` with what `write` writes, whole or not at all: a temporary file in the same folder, synced
/// and renamed over what is there. `temporary` is told its name as soon as it exists. Tables are written with it, and
/// whatever else should not be seen half done.
///
/// The temporary file is locked while it is written, so that [`remove_abandoned`] can tell it from one that a killed
/// process has left.
///
/// # Errors
/// If a folder, a device or a pipe is at `path`, and whatever creating, writing, syncing or renaming returns; the
/// temporary file is gone then, and the old one untouched.
pub fn write_atomically(
    path: &Path,
    temporary: impl FnOnce(&Path),
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let folder = folder_of(path);
    // A rename over a device would leave a plain file in its place, for everyone.
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
        // A table is for everyone the folder is for, as any file a program makes: the umask has the last word.
        use std::os::unix::fs::PermissionsExt;
        options.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = options.tempfile_in(folder)?;
    // A file system that knows no locks leaves nothing to tell abandoned files by, and they stay.
    let _ = file.as_file().try_lock_shared();
    temporary(file.path());
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    // The rename itself must reach the disk; if a folder cannot be synced there is no more to be done.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Removes from `folder` the temporary files of processes that were killed while they wrote: those that nobody has
/// locked.
pub fn remove_abandoned(folder: &Path) {
    /// A file may be this young before its writer has locked it.
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

/// Whether a file of this name is one that [`write_atomically`] makes.
fn is_temporary(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes())
}

/// Bytes that may wait in the system's memory before they are brought to the disk.
const UNSETTLED: u64 = 128 << 20;

/// A file being written that is brought to the disk as it grows, and leaves the system's page cache again.
///
/// A table may be as large as the memory it was solved in. Left to itself the system would hold all of it twice before
/// it wrote the first byte: a build of 8 GiB then took 34 to 42 s, and takes 20 to 23 s like this.
pub(crate) struct WritebackFile<'f> {
    file: &'f mut File,
    /// Bytes written since the file was last settled.
    waiting: u64,
}

impl<'f> WritebackFile<'f> {
    pub(crate) const fn new(file: &'f mut File) -> Self {
        Self { file, waiting: 0 }
    }

    fn settle(&mut self) -> io::Result<()> {
        self.waiting = 0;
        self.file.sync_data()?;
        // Advice: a system that does not take it is only slower.
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
