//! Checks of the file to be written, before any work is done for it.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::{Engine, EngineError};
use tablegen_rules::Rules;
use tablegen_tables::table::{BuildLock, MAGIC, Table, TableFault};
use tablegen_work::atomic_file::folder_of;

/// The nearest existing folder above `path`, in which a missing folder would be created.
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

/// The file that `path` refers to. Links are followed, so that a link's target is replaced and not the link.
#[must_use]
pub fn resolve(path: &Path) -> PathBuf {
    /// As many links as the system itself follows; any that remain are rejected by [`check_place`].
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

/// Rejects a `path` that cannot be a file: a folder, a device, or a path in a folder that does not exist.
///
/// # Errors
/// If `path` cannot be a file.
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

/// Rejects a `path` that holds a table, for output that is not a table and would overwrite it.
///
/// # Errors
/// If the file begins like a table, or cannot be read.
pub fn check_no_table(path: &Path) -> Result<(), EngineError> {
    let mut magic = [0; MAGIC.len()];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    match read {
        Ok(()) if magic == MAGIC => Err(EngineError::NotAPlace { path: path.to_owned(), found: "found a table" }),
        Ok(()) => Ok(()),
        // There is no file, or it is too short for a table.
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof) => Ok(()),
        Err(source) => Err(EngineError::Io { what: "write to", path: path.to_owned(), source }),
    }
}

impl Engine {
    /// Refuses to replace a file, unless it is an older table of the same rules, a damaged table or an empty file.
    /// Returns the older table, if it can be opened.
    pub(crate) fn check_content(&self, path: &Path, rules: &Rules) -> Result<Option<Table>, EngineError> {
        if fs::metadata(path).map_or(true, |found| found.len() == 0) {
            return Ok(None);
        }
        let found = match self.access.open(path) {
            Ok(table) if table.rules() == rules => return Ok(Some(table)),
            Ok(table) if table.rules().name() == rules.name() => "a table of other rules with that name".to_owned(),
            Ok(table) => format!("a table of {}", table.rules().name()),
            Err(EngineError::Read(error)) => match error.fault {
                fault if fault.is_damage() => return Ok(None),
                TableFault::Version { found, .. } => format!("a table of format version {found}"),
                TableFault::Magic => "a file that is not a table".to_owned(),
                fault => fault.to_string(),
            },
            Err(other) => return Err(other),
        };
        Err(EngineError::Exists { path: path.to_owned(), expected: rules.name().into(), found })
    }
}

/// Locks the table at `path` for a build.
///
/// # Errors
/// If another process builds it, the file system has no locks, or no file can be created in its folder.
pub(crate) fn lock_table(path: &Path) -> Result<BuildLock, EngineError> {
    BuildLock::of_table(path).map_err(|error| match error.fault {
        TableFault::Io(source) => {
            EngineError::Io { what: "write into the folder", path: folder_of(path).to_owned(), source }
        }
        _ => EngineError::Write(error),
    })
}

/// Creates the folder of `path` if it is missing and `make` is set, and checks that files can be created in it,
/// before the work rather than after it.
///
/// # Errors
/// If the folder cannot be created or written to.
pub fn prepare_folder(path: &Path, make: bool) -> Result<(), EngineError> {
    let folder = folder_of(path);
    let cannot = |what| move |source| EngineError::Io { what, path: folder.to_owned(), source };
    if make {
        fs::create_dir_all(folder).map_err(cannot("create the folder"))?;
    }
    // A file without a name, which disappears as soon as it is closed.
    tempfile::tempfile_in(folder).map(drop).map_err(cannot("write into the folder"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_that_is_not_a_table_replaces_no_table() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            check_no_table(&path)
        };
        assert!(matches!(at("table", &[&MAGIC[..], b"more"].concat()), Err(EngineError::NotAPlace { .. })));
        assert!(
            at("text", b"text of some length").is_ok() && at("empty", b"").is_ok() && at("cut", &MAGIC[..7]).is_ok()
        );
        assert!(check_no_table(&folder.path().join("nothing")).is_ok());
    }
}
