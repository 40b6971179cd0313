//! The folder in which a table grows: its name, its lock, what is in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::journal::Subject;
use crate::table::lock::BuildLock;
use crate::table::{TableError, TableFault};

/// The names of what is in the folder.
pub(super) const TABLE: &str = "table";
pub(super) const EDGES: &str = "edges";
pub(super) const JOURNAL: &str = "journal";
const LOCK: &str = "lock";
/// It is there for a moment, for other processes that are to find the folder.
pub const TOKEN: &str = "ranks";
/// What follows the name of a table in that of its folder.
const SUFFIX: &str = ".building";

/// The folder in which the table at `path` grows: beside it, or in `scratch`.
#[must_use]
pub fn growing_folder(path: &Path, scratch: Option<&Path>) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(SUFFIX);
    scratch.map_or_else(|| path.with_file_name(&name), |scratch| scratch.join(&name))
}

/// The path that the table which grows in `folder` will have beside it, if one grows there.
#[must_use]
pub fn growing_table(folder: &Path) -> Option<PathBuf> {
    let name = folder.file_name()?.to_str()?.strip_suffix(SUFFIX)?;
    folder.join(JOURNAL).is_file().then(|| folder.with_file_name(name))
}

/// Bytes of disk that an unfinished table in `folder` has already.
#[must_use]
pub fn kept_bytes(folder: &Path) -> u64 {
    let Ok(found) = fs::metadata(folder.join(TABLE)) else { return 0 };
    #[cfg(unix)]
    {
        // It has holes where nothing is written yet.
        std::os::unix::fs::MetadataExt::blocks(&found).saturating_mul(512)
    }
    #[cfg(not(unix))]
    {
        found.len()
    }
}

/// Removes what is in `folder` of an unfinished table, if anything is.
///
/// # Errors
/// If another process builds it, or it cannot be removed.
pub fn remove_growing(folder: &Path) -> Result<(), TableError> {
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

/// Removes what is in `folder`, whose lock is `lock`, and the folder, unless somebody has put other files there.
pub(super) fn clear(folder: &Path, lock: Arc<BuildLock>) -> io::Result<()> {
    // First what says that regions are finished.
    [JOURNAL, TABLE, EDGES, TOKEN].iter().try_for_each(|name| remove(&folder.join(name)))?;
    drop(lock);
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// Makes `folder`, if it is not there, locks it, and calls `open` with the lock. What is there of another table than that of
/// `subject` is removed before; if `open` fails and nothing was kept by an earlier process, the folder is removed again.
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
            // First what says what is finished.
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
