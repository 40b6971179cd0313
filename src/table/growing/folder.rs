//! The folder in which a table grows: its name, its lock, what is in it.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::journal::Subject;
use crate::table::{TableError, TableFault};

/// The names of what is in the folder.
pub(super) const TABLE: &str = "table";
pub(super) const EDGES: &str = "edges";
pub(super) const JOURNAL: &str = "journal";
const LOCK: &str = "lock";
/// It is there for a moment, for other processes that are to find the folder.
pub(crate) const TOKEN: &str = "ranks";
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
    if !folder.join(JOURNAL).exists() && !folder.join(TABLE).exists() {
        return Ok(());
    }
    let remove = || -> Result<(), TableFault> {
        let lock = locked(folder)?;
        // First what says that regions are finished.
        for name in [JOURNAL, TABLE, EDGES, TOKEN, LOCK] {
            remove(&folder.join(name))?;
        }
        drop(lock);
        // Whatever else somebody has put there stays.
        let _ = fs::remove_dir(folder);
        Ok(())
    };
    remove().map_err(TableError::at(folder))
}

/// The lock of `folder`, ours.
fn locked(folder: &Path) -> Result<File, TableFault> {
    let path = folder.join(LOCK);
    let mut lock = File::options().read(true).write(true).create(true).truncate(false).open(&path)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let holder = fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok());
            return Err(TableFault::Busy { holder });
        }
        // Without locks on this file system, two builds can only be told apart by the user.
        Err(TryLockError::Error(_)) => {}
    }
    lock.set_len(0)?;
    writeln!(lock, "{}", std::process::id())?;
    Ok(lock)
}

/// Makes `folder`, if it is not there, and locks it. What is there of another table than that of `subject` is removed.
pub(super) fn begin(folder: &Path, subject: &Subject) -> Result<File, TableFault> {
    fs::create_dir_all(folder)?;
    let lock = locked(folder)?;
    if Subject::of(&folder.join(JOURNAL))?.as_ref() != Some(subject) {
        // First what says what is finished.
        for name in [JOURNAL, TABLE, EDGES] {
            remove(&folder.join(name))?;
        }
    }
    Ok(lock)
}

/// Removes the file at `path`, if there is one.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
