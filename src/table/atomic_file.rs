//! Files that appear whole or not at all, and large ones that do not crowd out everything else in memory.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use super::{TableError, storage};

/// Creates the file at `path` with what `write` writes, whole or not at all: a temporary file in the same folder, synced
/// and renamed over what is there. `temporary` is told its name as soon as it exists. Tables are written with it, and
/// whatever else should not be seen half done.
///
/// # Errors
/// Where a folder, a device or a pipe is there, and whatever creating, writing, syncing or renaming returns; the
/// temporary file is gone then, and the old one untouched.
pub fn write_atomically(
    path: &Path,
    temporary: impl FnOnce(&Path),
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // A rename over a device would leave a plain file in its place, for everyone.
    if let Ok(Some(what)) = storage::no_file(path) {
        return Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("{what} is there, and only a file is replaced"),
        ));
    }
    let mut options = tempfile::Builder::new();
    options.prefix(".tablegen-").suffix(".tb.tmp");
    #[cfg(unix)]
    {
        // A table is for everyone the folder is for, as any file a program makes: the umask has the last word.
        use std::os::unix::fs::PermissionsExt;
        options.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = options.tempfile_in(folder)?;
    temporary(file.path());
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    // The rename itself must reach the disk; where a folder cannot be synced there is no more to be done.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// What is written whole: the content of a table, of either kind.
pub(super) trait Body {
    /// Writes all of it, in whatever order.
    fn write(&self, out: &mut (impl Write + Seek + Send)) -> io::Result<()>;
}

/// Writes `body` to `path` by [`write_atomically`], settling it as it grows.
pub(super) fn save(body: &impl Body, path: &Path, temporary: impl FnOnce(&Path)) -> Result<(), TableError> {
    let at = TableError::at(path);
    write_atomically(path, temporary, |file| body.write(&mut WritebackFile::new(file))).map_err(|e| at(e.into()))
}

/// The bytes of `body`, in memory.
pub(super) fn to_bytes(body: &impl Body) -> Vec<u8> {
    let mut bytes = io::Cursor::new(Vec::new());
    body.write(&mut bytes).unwrap_or_else(|_| unreachable!("writing to memory does not fail"));
    bytes.into_inner()
}

/// Bytes that may wait in the system's memory before they are brought to the disk.
const UNSETTLED: u64 = 128 << 20;

/// A file being written that is brought to the disk as it grows, and leaves the system's page cache again.
///
/// A table may be as large as the memory it was solved in. Left to itself the system would hold all of it twice before
/// it wrote the first byte: a build of 8 GiB then took 34 to 42 s, and takes 20 to 23 s like this.
struct WritebackFile<'f> {
    file: &'f mut File,
    /// Bytes written since the file was last settled.
    waiting: u64,
}

impl<'f> WritebackFile<'f> {
    const fn new(file: &'f mut File) -> Self {
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
