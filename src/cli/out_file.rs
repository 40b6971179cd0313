//! An output file for other programs, which appears only when it is complete.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tablegen::atomic_file::{folder_of, remove_abandoned, write_atomically};
use tablegen::engine::{EngineError, check_no_table, check_place, check_room, prepare_folder, resolve};

use super::failure::{Failure, Status, in_words};
use super::interrupt;
use super::output::Stream;

/// A place for output.
pub(super) struct OutFile {
    place: Place,
    option: &'static str,
}

enum Place {
    Stdout,
    /// A file, which is replaced when the output is complete.
    File(PathBuf),
    /// A device or a pipe such as `/dev/null`, which receives the output as it is written.
    Device(PathBuf),
}

/// Returns whether `path` is a device or a pipe.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Returns whether the option `output` names standard output, as `-` does and as it does by default.
pub(super) fn is_stdout(output: &Option<PathBuf>) -> bool {
    output.as_ref().is_none_or(|path| path.as_os_str() == "-")
}

/// The failure to use the place that the option `option` names.
fn refused(error: &EngineError, option: &str) -> Failure {
    Failure::new(Status::from(error.kind()), error).hint(format!("choose another place with {option}"))
}

impl OutFile {
    /// The place `path`, which the option `option` names. It is an error if no file can be there, or if a table is
    /// there.
    pub(super) fn at(path: &Option<PathBuf>, option: &'static str) -> Result<Self, Failure> {
        let place = match path {
            Some(path) if is_device(path) => Place::Device(path.clone()),
            Some(path) if path.as_os_str() != "-" => Self::file(path, option)?,
            _ => Place::Stdout,
        };
        Ok(Self { place, option })
    }

    fn file(path: &Path, option: &'static str) -> Result<Place, Failure> {
        check_place(path).map_err(|error| refused(&error, option))?;
        let path = resolve(path);
        check_no_table(&path).map_err(|error| refused(&error, option))?;
        Ok(Place::File(path))
    }

    /// Writes the output by calling `write`. A file will have at least `least` bytes.
    pub(super) fn write(self, least: u64, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        let path = match &self.place {
            Place::File(path) => path.as_path(),
            Place::Stdout => {
                interrupt::streaming();
                return Stream::new()?.with(write);
            }
            Place::Device(path) => {
                interrupt::streaming();
                let written = File::options().write(true).open(path).and_then(|device| {
                    let mut out = BufWriter::with_capacity(1 << 16, device);
                    write(&mut out)?;
                    out.flush()
                });
                return written.map_err(|e| Failure::writing(&path.display().to_string(), &e));
            }
        };
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

/// The picture that the option `--svg` asks for, if it is given.
pub(super) struct Svg {
    file: Option<OutFile>,
}

impl Svg {
    /// The picture at `path`. A bad place is reported before the work begins.
    pub(super) fn at(path: &Option<PathBuf>, json: bool) -> Result<Self, Failure> {
        if json && path.is_some() && is_stdout(path) {
            return Err(Failure::usage(
                "cannot print --svg - and --json: both write to standard output; give --svg a file",
            ));
        }
        Ok(Self { file: path.as_ref().map(|_| OutFile::at(path, "--svg")).transpose()? })
    }

    /// Writes the picture that `draw` draws. Returns whether it went to standard output, in place of a report.
    pub(super) fn write<E: Display>(self, draw: impl FnOnce() -> Result<String, E>) -> Result<bool, Failure> {
        let Some(file) = self.file else { return Ok(false) };
        let (svg, to_stdout) = (draw().map_err(Failure::resources)?, matches!(file.place, Place::Stdout));
        let write = |out: &mut dyn Write| out.write_all(svg.as_bytes());
        if to_stdout {
            Stream::new()?.with(write)?
        } else {
            file.write(svg.len() as u64, write)?
        }
        Ok(to_stdout)
    }
}
