//! An output file for other programs, which appears only when it is complete.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tablegen::atomic_file::{folder_of, remove_abandoned, write_atomically};
use tablegen::engine::{EngineError, check_no_table, check_place, check_room, prepare_folder, resolve};

use super::failure::{Failure, Status, in_words};
use super::interrupt;

/// A place where a file can be written.
pub(super) struct OutFile {
    path: PathBuf,
    option: &'static str,
}

/// The failure to use the place that the option `option` names.
fn refused(error: &EngineError, option: &str) -> Failure {
    Failure::new(Status::from(error.kind()), error).hint(format!("choose another place with {option}"))
}

impl OutFile {
    /// The place `path`, which the option `option` names. It is an error if no file can be there, or if a table is
    /// there.
    pub(super) fn at(path: &Path, option: &'static str) -> Result<Self, Failure> {
        check_place(path).map_err(|error| refused(&error, option))?;
        let path = resolve(path);
        check_no_table(&path).map_err(|error| refused(&error, option))?;
        Ok(Self { path, option })
    }

    /// Writes the file by calling `write`. It will have at least `least` bytes.
    pub(super) fn write(self, least: u64, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        let path = self.path.as_path();
        remove_abandoned(folder_of(path));
        check_room(folder_of(path), least).map_err(|shortage| {
            let hint = format!("free some space, or choose another place with {}", self.option);
            Failure::resources(in_words(&shortage)).hint(hint)
        })?;
        prepare_folder(path, false).map_err(|error| refused(&error, self.option))?;
        let whole = |temporary: Box<dyn FnOnce(&Path)>| {
            write_atomically(path, temporary, |file| {
                let mut out = BufWriter::with_capacity(1 << 20, file);
                write(&mut out)?;
                out.flush()
            })
        };
        interrupt::write_guarded(whole).map_err(|e| Failure::writing(&path.display().to_string(), &e))
    }
}
