//! The folder of an unfinished table: its name, its lock and its files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::journal::Subject;
use crate::table::lock::BuildLock;
use crate::table::{TableError, TableFault};

/// The names of the files in the folder.
pub(super) const TABLE: &str = "table";
pub(super) const EDGES: &str = "edges";
pub(super) const JOURNAL: &str = "journal";
const LOCK: &str = "lock";
/// A file that exists only for a moment: the other processes of a build find it and so know that they share the folder.
pub const TOKEN: &str = "ranks";
/// The folder's name is the table's name with this suffix.
const SUFFIX: &str = ".building";

/// The folder of the unfinished table that will be stored at `path`: in the same folder as `path`, or in `scratch`.
#[must_use]
pub fn checkpoint_folder(path: &Path, scratch: Option<&Path>) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(SUFFIX);
    scratch.map_or_else(|| path.with_file_name(&name), |scratch| scratch.join(&name))
}

/// The path next to `folder` that its unfinished table would get; `None` if `folder` holds no unfinished table.
#[must_use]
pub fn checkpointed_table(folder: &Path) -> Option<PathBuf> {
    let name = folder.file_name()?.to_str()?.strip_suffix(SUFFIX)?;
    folder.join(JOURNAL).is_file().then(|| folder.with_file_name(name))
}

/// Returns whether `folder` holds an unfinished table. A journal whose head is missing or damaged is none.
#[must_use]
pub fn has_checkpoints(folder: &Path) -> bool {
    matches!(Subject::of(&folder.join(JOURNAL)), Ok(Some(_)))
}

/// Bytes of disk that an unfinished table in `folder` already uses.
#[must_use]
pub fn checkpoint_bytes(folder: &Path) -> u64 {
    let Ok(found) = fs::metadata(folder.join(TABLE)) else { return 0 };
    #[cfg(unix)]
    {
        // Unwritten parts of the file are holes and use no disk space, so its length would be too much.
        std::os::unix::fs::MetadataExt::blocks(&found).saturating_mul(512)
    }
    #[cfg(not(unix))]
    {
        found.len()
    }
}

/// Removes the unfinished table in `folder`, if there is one.
///
/// # Errors
/// If another process builds it, or it cannot be removed.
pub fn remove_checkpoints(folder: &Path) -> Result<(), TableError> {
    if ![JOURNAL, TABLE, LOCK].iter().any(|name| folder.join(name).exists()) {
        return Ok(());
    }
    let remove = || Ok(clear(folder, Arc::new(locked(folder)?))?);
    remove().map_err(TableError::at(folder))
}

/// Locks `folder`.
fn locked(folder: &Path) -> Result<BuildLock, TableFault> {
    BuildLock::take(&folder.join(LOCK))
}

/// Removes the table's files from `folder`, whose lock is `lock`, and the folder itself unless it holds other files.
pub(super) fn clear(folder: &Path, lock: Arc<BuildLock>) -> io::Result<()> {
    // Remove the journal first: it says that slices are finished.
    [JOURNAL, TABLE, EDGES, TOKEN].iter().try_for_each(|name| remove(&folder.join(name)))?;
    drop(lock);
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// Creates `folder` if necessary, locks it, and calls `open` with the lock. Files of a table other than that of
/// `subject` are removed before. If `open` fails and no earlier process left a journal, the folder is removed again.
pub(super) fn begin<T>(
    folder: &Path,
    subject: &Subject,
    open: impl FnOnce(Arc<BuildLock>) -> Result<T, TableFault>,
) -> Result<T, TableFault> {
    fs::create_dir_all(folder)?;
    let lock = locked(folder).inspect_err(|_| drop(fs::remove_dir(folder)))?;
    let lock = Arc::new(lock);
    let prepare = || -> io::Result<()> {
        if Subject::of(&folder.join(JOURNAL))?.as_ref() != Some(subject) {
            // Remove the journal first: it says which slices are finished.
            [JOURNAL, TABLE, EDGES].iter().try_for_each(|name| remove(&folder.join(name)))?;
        }
        Ok(())
    };
    let opened = prepare().map_err(TableFault::from).and_then(|()| open(Arc::clone(&lock)));
    if opened.is_err() && !folder.join(JOURNAL).exists() {
        let _ = clear(folder, lock);
    }
    opened
}

/// Removes the file at `path`, if there is one.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
