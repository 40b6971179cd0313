//! Failures of reading and writing table files, with their remedies.

use std::io;

use tablegen::table::{TableError, TableFault};

use super::{BUILD_AGAIN, Failure};

/// A table that cannot be read, and the remedy.
pub(super) fn of_reading(error: &TableError) -> Failure {
    if error.is_out_of_memory() {
        return Failure::resources(format!("not enough memory for the table: {error}"));
    }
    let next = match &error.fault {
        fault if fault.is_damage() => BUILD_AGAIN,
        fault if fault.is_of_another_version() => "rebuild it with 'tablegen build GAME --force'",
        TableFault::Magic => {
            "a table is a *.tb file, and a game is a name from 'tablegen list' or a rules file (*.toml)"
        }
        TableFault::Io(io) if io.kind() == io::ErrorKind::NotFound => {
            "see the tables with 'tablegen list', or build one, see 'tablegen build --help'"
        }
        _ => "see the tables with 'tablegen list'",
    };
    let found = match (&error.fault, &error.path) {
        (TableFault::Io(io), Some(path)) if io.kind() == io::ErrorKind::NotFound => {
            format!("cannot open {}: expected a table, found none: {io}", path.display())
        }
        (TableFault::Io(io), Some(path)) => {
            format!("cannot open {}: {io}", path.display())
        }
        _ => error.to_string(),
    };
    Failure::table(found).hint(next)
}

/// A table that cannot be written: the disk is full, or no file can be at its path.
pub(super) fn of_writing(error: &TableError) -> Failure {
    if error.is_storage_full() {
        return Failure::resources(error).hint("free some space, or choose another place with -o");
    }
    match error.fault {
        TableFault::Busy { .. } => {
            Failure::resources(error).hint("wait until that build ends, or choose another file with -o")
        }
        TableFault::LockLost { .. } => {
            Failure::resources(error).hint("run it again when no other process builds this table")
        }
        TableFault::NoLocks(_) => {
            Failure::usage(error).hint("choose folders on a file system with locks, with -o and --scratch")
        }
        TableFault::Io(_) => Failure::usage(error).hint("choose another place with -o"),
        _ => of_reading(error),
    }
}
