//! The file that is about to be written: whether it may be, before any work is done for it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Engine, EngineError};
use crate::atomic_file::folder_of;
use crate::rules::Rules;
use crate::table::TableFault;

/// The nearest folder above `path` that exists: what a missing folder would be made in.
#[must_use]
pub fn nearest_folder(path: &Path) -> PathBuf {
    let mut folder = folder_of(path);
    while !folder.exists() {
        folder = folder_of(folder);
        if folder == Path::new(".") {
            break;
        }
    }
    folder.to_owned()
}

/// The file that `path` stands for: what a link leads to, so that it is the link's file that is replaced and not the
/// link.
#[must_use]
pub fn resolve(path: &Path) -> PathBuf {
    /// As many links as the system itself follows; what is left then is refused by [`check_place`].
    const MAX_LINKS: usize = 40;
    let mut resolved = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&resolved) {
            Ok(to) => resolved.set_file_name(to),
            Err(_) => break,
        }
    }
    resolved
}

/// Refuses a `path` that is no place for a file: a folder, a device, a place in a folder that is not there.
///
/// # Errors
/// If it is no place for a file.
pub fn check_place(path: &Path) -> Result<(), EngineError> {
    let ends_as_folder = path.as_os_str().as_encoded_bytes().last().is_some_and(|&c| std::path::is_separator(c.into()));
    let found = match fs::metadata(path) {
        Ok(found) if found.is_file() => return Ok(()),
        Ok(found) if found.is_dir() => "found a folder",
        Ok(_) => "found a device or a pipe",
        Err(e) if e.kind() == io::ErrorKind::NotFound && ends_as_folder => "found the name of a folder",
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(EngineError::Io { what: "write to", path: path.to_owned(), source }),
    };
    Err(EngineError::NotAPlace { path: path.to_owned(), found })
}

impl Engine {
    /// Refuses to replace what a table of `rules` should not replace: anything but an older table of the same rules, a
    /// damaged one or an empty file.
    pub(super) fn check_content(&self, path: &Path, rules: &Rules) -> Result<(), EngineError> {
        if fs::metadata(path).map_or(true, |found| found.len() == 0) {
            return Ok(());
        }
        let found = match self.open(path).map(|open| open.table) {
            Ok(table) if table.rules() == rules => return Ok(()),
            Ok(table) if table.rules().name() == rules.name() => "a table of other rules of that name".to_owned(),
            Ok(table) => format!("a table of {}", table.rules().name()),
            Err(EngineError::Read(error)) => match error.fault {
                fault if fault.is_damage() => return Ok(()),
                TableFault::Version { found, .. } => format!("a table of format version {found}"),
                TableFault::Magic => "a file that is no table".to_owned(),
                fault => fault.to_string(),
            },
            Err(other) => return Err(other),
        };
        Err(EngineError::Exists { path: path.to_owned(), expected: rules.name().into(), found })
    }
}

/// Makes the folder of `path` if `make` and it is missing, and finds out whether files can be made in it: before the work
/// and not after it.
///
/// # Errors
/// If the folder cannot be made or written to.
pub fn prepare_folder(path: &Path, make: bool) -> Result<(), EngineError> {
    let folder = folder_of(path);
    let cannot = |what| move |source| EngineError::Io { what, path: folder.to_owned(), source };
    if make {
        fs::create_dir_all(folder).map_err(cannot("make the folder"))?;
    }
    // A file without a name, gone as soon as it is closed.
    tempfile::tempfile_in(folder).map(drop).map_err(cannot("write into the folder"))
}
