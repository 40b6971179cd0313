//! The engine as set up by the command line and the environment, and the commands that an error may suggest.

use std::ffi::OsStr;
use std::path::PathBuf;

use tablegen::engine::{Access, Engine, EngineError, MAX_THREADS, OpenTable, TableDirs};
use tablegen::solve::{Kernel, SolveError};

use super::bus_error;
use super::failure::Failure;
use super::subject::{GameOptions, Subject};
use super::text::shell_word;

/// Names the only folder to search, unless `--tables` does.
const TABLES: &str = "TABLEGEN_TABLES";
/// Names the kernel for sweeps.
const KERNEL: &str = "TABLEGEN_KERNEL";
/// Sets the number of threads that share the work, as for any program that uses rayon.
const THREADS: &str = "RAYON_NUM_THREADS";

/// The shared state of one run of the program.
pub(super) struct Session {
    engine: Engine,
    /// The folder that `--tables` names.
    typed: Option<PathBuf>,
}

impl Session {
    /// A session that searches for tables in `only`, or in the folders that the environment names.
    pub(super) fn new(only: Option<PathBuf>) -> Result<Self, Failure> {
        let typed = only.clone().filter(|folder| !folder.as_os_str().is_empty());
        let named = only.or_else(|| std::env::var_os(TABLES).map(PathBuf::from));
        let dirs = match named.filter(|folder| !folder.as_os_str().is_empty()) {
            Some(folder) if folder.exists() && !folder.is_dir() => {
                let found = format!("a folder of tables is expected, {} is not one", folder.display());
                return Err(Failure::usage(found).hint(format!("see --tables and ${TABLES}")));
            }
            Some(folder) => TableDirs::only(vec![folder]),
            None => TableDirs::standard(),
        };
        bus_error::handle();
        // SAFETY: a file that is cut short or cannot be read while it is mapped raises a signal. The handler
        // installed just before ends the run with one line and the status of an unusable table.
        let access = unsafe { Access::mapped() };
        Ok(Self { engine: Engine::new(dirs).with_access(access), typed })
    }

    /// The engine, with the number of threads that the environment requests.
    pub(super) fn engine(&self) -> Result<Engine, Failure> {
        // 0, or anything that is not a number, has always meant one thread per core.
        let asked = std::env::var(THREADS).ok().and_then(|text| text.parse::<usize>().ok()).filter(|&n| n > 0);
        if let Some(threads) = asked.filter(|&threads| threads > MAX_THREADS) {
            let message = format!("{THREADS}: 1 to {MAX_THREADS} threads are expected, found {threads}");
            return Err(Failure::usage(message).hint("unset it for one thread per core"));
        }
        Ok(self.engine.clone().with_threads(asked))
    }

    /// Like [`engine`](Self::engine), with the kernel that the environment requests.
    pub(super) fn solving_engine(&self) -> Result<Engine, Failure> {
        let named = std::env::var_os(KERNEL).filter(|name| !name.is_empty());
        let kernel = named.map(|name| name.to_string_lossy().parse::<Kernel>()).transpose();
        let kernel = kernel.map_err(|error| EngineError::from(SolveError::from(error)))?;
        Ok(self.engine()?.with_kernel(kernel))
    }

    /// The table that `text` names: a file, or the table found for a game.
    pub(super) fn open(&self, text: &OsStr, options: &GameOptions) -> Result<OpenTable, Failure> {
        let open = match options.subject(text, None)? {
            Subject::File(path) => self.engine.open(&path)?,
            Subject::Game(named) => match self.engine.find(named.game.as_ref())? {
                Some(table) => OpenTable { game: named.game, table },
                None => return Err(self.missing(named.game.rules().name(), &named.typed)),
            },
        };
        bus_error::watch(&open.table);
        Ok(open)
    }

    /// The folders to search for tables.
    pub(super) fn folders(&self) -> &[PathBuf] {
        self.engine.dirs().folders()
    }

    /// The failure that there is no table of the rules called `name`: where it was searched for, and how to build one
    /// from the arguments in `typed`.
    pub(super) fn missing(&self, name: &str, typed: &str) -> Failure {
        let folders: Vec<String> = self.folders().iter().map(|folder| format!("{} or ", folder.display())).collect();
        Failure::table(format!("a table of {name} is expected, found none in {}the program", folders.concat()))
            .hint(format!("build it with '{}'", self.build_command(typed)))
    }

    /// The command that builds the table of `typed` where it is searched for.
    pub(super) fn build_command(&self, typed: &str) -> String {
        let folder = self.typed.as_ref().map(|folder| shell_word(&folder.display().to_string()));
        let tables = folder.map_or_else(String::new, |folder| format!(" --tables {folder}"));
        format!("tablegen{tables} build {typed}")
    }

    /// Replaces an error that says only that a table is missing by [`missing`](Self::missing).
    pub(super) fn explain(&self, error: EngineError, typed: &str) -> Failure {
        match error {
            EngineError::Missing { name } => self.missing(&name, typed),
            error => error.into(),
        }
    }
}
