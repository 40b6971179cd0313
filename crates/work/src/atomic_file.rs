//! Files that appear whole or not at all, and large files that do not fill the page cache.

use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// The prefix of the names of temporary files and locks, and their suffixes.
const PREFIX: &str = ".tablegen-";
const SUFFIX: &str = ".tb.tmp";
const LOCK_SUFFIX: &str = ".lock";

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

/// True if an error of this kind means that there is no space left to write.
#[must_use]
pub fn is_storage_full(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

/// Creates the file at `path` atomically: `write` fills a temporary file in the same folder, which is then synced and
/// renamed over any existing file. `temporary` is called with the temporary file's name as soon as it exists. Tables
/// are written this way, and so is any other file that must never be seen half written.
///
/// The temporary file is locked while it is written. So [`remove_abandoned`] can distinguish it from one that a killed
/// process left a moment ago.
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
            format!("expected a file or nothing at this path, found {what}"),
        ));
    }
    let mut file = locked_temporary(folder)?;
    temporary(file.path());
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    sync_folder(path);
    Ok(())
}

/// Waits until the name of the file at `path` is on disk. If its folder cannot be synced, nothing more can be done.
pub fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
}

/// A new temporary file in `folder`, locked.
fn locked_temporary(folder: &Path) -> io::Result<NamedTempFile> {
    /// Number of attempts; other processes do not remove this many new files in a row.
    const ATTEMPTS: u32 = 100;
    let mut options = tempfile::Builder::new();
    options.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        // A table gets the same permissions as any file that a program creates: the umask decides.
        use std::os::unix::fs::PermissionsExt;
        options.permissions(std::fs::Permissions::from_mode(0o666));
    }
    for _ in 1..ATTEMPTS {
        let file = options.tempfile_in(folder)?;
        // Between its creation and its lock, a file looks abandoned. Processes that remove abandoned files lock them
        // first. So once this process has the lock, the file was either removed before or stays.
        match file.as_file().try_lock_shared() {
            Ok(()) if is_named(&file) => return Ok(file),
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            // Without locks on this file system, nothing identifies abandoned files, so they are never removed.
            Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
    options.tempfile_in(folder)
}

/// True if `file` still has its name in the folder.
fn is_named(file: &NamedTempFile) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        file.as_file().metadata().is_ok_and(|found| found.nlink() > 0)
    }
    #[cfg(not(unix))]
    {
        file.path().exists()
    }
}

/// The path of the lock file for building the file at `path`.
pub fn lock_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(PREFIX);
    name.push(path.file_name().unwrap_or_default());
    name.push(LOCK_SUFFIX);
    path.with_file_name(name)
}

/// Removes the temporary files and locks in `folder` that killed processes left: those that no process has locked.
pub fn remove_abandoned(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten().filter(|e| is_ours(&e.file_name())) {
        // Skip links and pipes: opening them would follow the link, or block.
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        // The lock is held until the file is removed: see `locked_temporary`. Between opening and locking, the file may have been
        // removed, and the one of that name may be another.
        if let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
            && is_at(&file, &entry.path()).is_ok_and(|is_at| is_at)
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// True if `file` is the file at `path`.
///
/// # Errors
/// If the metadata of either cannot be read.
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let found = match std::fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        found => found?,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let own = file.metadata()?;
        Ok((own.dev(), own.ino()) == (found.dev(), found.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = (file, found);
        Ok(true)
    }
}

/// True if `name` is the name of a temporary file of [`write_atomically`] or of a lock.
fn is_ours(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let ends = |suffix: &str| name.ends_with(suffix.as_bytes());
    name.starts_with(PREFIX.as_bytes()) && (ends(SUFFIX) || ends(LOCK_SUFFIX))
}

/// Bytes that may wait in the page cache before they are written to disk.
const UNSETTLED: u64 = 128 << 20;

/// A file that is flushed to disk and dropped from the page cache as it grows.
///
/// A table may be as large as the memory it was solved in. By default, the system would hold a second copy of it in the
/// page cache before it writes the first byte. A build of 8 GiB took 34 to 42 s that way, and takes 20 to 23 s with
/// this type.
pub struct WritebackFile<'f> {
    file: &'f mut File,
    /// Bytes written since the last flush.
    waiting: u64,
}

impl<'f> WritebackFile<'f> {
    /// Writes to `file` from its current place on.
    pub const fn new(file: &'f mut File) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// One thread removes every unlocked file that it finds, while others create files. No file in progress disappears,
    /// from before its lock is taken until it is renamed.
    #[test]
    fn files_in_progress_are_never_removed_as_abandoned() {
        let folder = tempfile::tempdir().unwrap();
        let is_done = AtomicBool::new(false);
        let write = |name: &str| {
            let path = folder.path().join(name);
            for round in 0..200u32 {
                let content = format!("{name} {round}");
                write_atomically(&path, |_| {}, |file| file.write_all(content.as_bytes())).unwrap();
                assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    remove_abandoned(folder.path());
                }
            });
            let writers = ["one", "two"].map(|name| scope.spawn(move || write(name)));
            let ended = writers.map(|writer| writer.join());
            is_done.store(true, Ordering::Relaxed);
            ended.into_iter().for_each(Result::unwrap);
        });
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn unlocked_temporary_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        // A killed process leaves a file without a lock.
        let (file, left) = locked_temporary(folder.path()).unwrap().keep().unwrap();
        drop(file);
        let held = locked_temporary(folder.path()).unwrap();
        remove_abandoned(folder.path());
        assert!(!left.exists() && held.path().exists());
        assert!(is_named(&held));
        std::fs::remove_file(held.path()).unwrap();
        assert!(!is_named(&held));
    }

    #[test]
    fn a_file_that_is_flushed_as_it_grows_holds_what_is_written() {
        let mut file = tempfile::tempfile().unwrap();
        let mut writer = WritebackFile::new(&mut file);
        assert_eq!((writer.write(b"abcdef").unwrap(), writer.waiting), (6, 6));
        assert_eq!((writer.seek(SeekFrom::Start(2)).unwrap(), writer.write(b"x").unwrap(), writer.waiting), (2, 1, 7));
        writer.flush().unwrap();
        writer.waiting = UNSETTLED - 2;
        writer.write_all(b"y").unwrap();
        assert_eq!(writer.waiting, UNSETTLED - 1);
        writer.write_all(b"z").unwrap();
        assert_eq!(writer.waiting, 0);
        file.rewind().unwrap();
        assert_eq!(io::read_to_string(file).unwrap(), "abxyzf");
    }

    #[test]
    fn only_regular_files_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.tb");
        assert_eq!(lock_of(&path), folder.path().join(".tablegen-table.tb.lock"));
        let write = |path: &Path, text: &str| write_atomically(path, |_| {}, |file| file.write_all(text.as_bytes()));
        assert_eq!(not_a_file(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
        write(&path, "one").unwrap();
        assert_eq!(not_a_file(&path).unwrap(), None);
        assert_eq!(not_a_file(folder.path()).unwrap(), Some("a folder"));
        assert!(write(folder.path(), "two").unwrap_err().to_string().contains("found a folder"));
        #[cfg(unix)]
        assert_eq!(not_a_file(Path::new("/dev/null")).unwrap(), Some("a device or a pipe"));
        // Another file takes the place of the one that is open.
        let file = File::open(&path).unwrap();
        assert!(is_at(&file, &path).unwrap());
        write(&path, "two").unwrap();
        assert!(!is_at(&file, &path).unwrap() && !is_at(&file, &folder.path().join("none")).unwrap());
        assert!(is_at(&file, &path.join("below a file")).is_err());
        assert_eq!(
            [io::ErrorKind::StorageFull, io::ErrorKind::FileTooLarge, io::ErrorKind::NotFound].map(is_storage_full),
            [true, true, false]
        );
    }
}
