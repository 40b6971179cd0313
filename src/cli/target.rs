//! The file that is about to be written: whether it may be, before any work is done for it.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tablegen::rules::Rules;
use tablegen::table::{Table, TableFault};

use super::failure::Failure;

/// The folder that `path` lies in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The nearest folder above `path` that exists: what a missing folder would be made in.
pub(super) fn nearest_folder(path: &Path) -> PathBuf {
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
pub(super) fn resolve(path: &Path) -> PathBuf {
    /// As many links as the system itself follows; what is left then is refused by [`check_place`].
    const MOST_LINKS: usize = 40;
    let mut resolved = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&resolved) {
            Ok(to) => resolved.set_file_name(to),
            Err(_) => break,
        }
    }
    resolved
}

/// Refuses a `path` that is no place for a file: a folder, a device, a place in a folder that is not there.
pub(super) fn check_place(path: &Path) -> Result<(), Failure> {
    let ends_as_folder = path.as_os_str().as_encoded_bytes().last().is_some_and(|&c| std::path::is_separator(c.into()));
    let found = match fs::metadata(path) {
        Ok(found) if found.is_file() => return Ok(()),
        Ok(found) if found.is_dir() => "found a folder",
        Ok(_) => "found a device or a pipe",
        Err(e) if e.kind() == io::ErrorKind::NotFound && ends_as_folder => "found the name of a folder",
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(Failure::usage(format!("cannot write to {}: {e}", path.display()))),
    };
    Err(Failure::usage(format!("{}: a place for a file is expected, {found}", path.display()))
        .hint("name another with -o"))
}

/// Refuses to replace what a table of `rules` should not replace: anything but an older table of the same rules, a
/// damaged one or an empty file.
pub(super) fn check_content(path: &Path, rules: &Rules) -> Result<(), Failure> {
    if fs::metadata(path).map_or(true, |found| found.len() == 0) {
        return Ok(());
    }
    let found = match Table::open(path) {
        Ok(table) if table.rules() == rules => return Ok(()),
        Ok(table) if table.rules().name() == rules.name() => "a table of other rules of that name".to_owned(),
        Ok(table) => format!("a table of {}", table.rules().name()),
        Err(error) => match error.fault {
            fault if fault.is_damage() => return Ok(()),
            TableFault::Version { found, .. } => format!("a table of format version {found}"),
            TableFault::Magic => "a file that is no table".to_owned(),
            fault => fault.to_string(),
        },
    };
    Err(Failure::usage(format!(
        "{} exists: a table of {} or nothing is expected, found {found}",
        path.display(),
        rules.name()
    ))
    .hint("name another file with -o, or replace it with --force"))
}

/// Removes from `folder` what earlier runs that were killed have left half written there: temporary files that nobody
/// has locked or written to for a while.
pub(super) fn remove_abandoned(folder: &Path) {
    /// Whoever writes through the library holds no lock, and may be busy syncing.
    const WHILE: Duration = Duration::from_secs(600);
    let is_ours = |name: &OsStr| {
        let name = name.as_encoded_bytes();
        name.starts_with(b".tablegen-") && name.ends_with(b".tb.tmp")
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| is_ours(&entry.file_name())) {
        let is_old = entry.metadata().is_ok_and(|found| {
            found.is_file() && found.modified().is_ok_and(|then| then.elapsed().is_ok_and(|age| age > WHILE))
        });
        // Who cannot lock it cannot tell whether it is still being written.
        if is_old && fs::File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes the folder of `path` where `make` and it is missing, and finds out whether files can be made in it: before the
/// work and not after it.
pub(super) fn prepare_folder(path: &Path, make: bool) -> Result<(), Failure> {
    let folder = folder_of(path);
    let cannot = |what: &str, e: &io::Error| {
        let message = format!("cannot {what} {}: {e}", folder.display());
        if super::failure::is_full(e.kind()) { Failure::resources(message) } else { Failure::usage(message) }
            .hint("name another place with -o")
    };
    if make {
        fs::create_dir_all(folder).map_err(|e| cannot("make the folder", &e))?;
    }
    // A file without a name, gone as soon as it is closed.
    tempfile::tempfile_in(folder).map(drop).map_err(|e| cannot("write into the folder", &e))
}
