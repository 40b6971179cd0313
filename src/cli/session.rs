//! The engine with the settings of the command line and the environment, and the commands that an error may suggest.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use tablegen::engine::{Access, Engine, EngineError, MAX_THREADS, Meaning, OpenTable, TableDirs};
use tablegen::game::{GameError, about_unknown, did_you_mean};
use tablegen::label::LabelSet;
use tablegen::solve::{Kernel, SolveError};

use super::bus_error;
use super::failure::{self, Failure};
use super::game_options::GameOptions;
use super::labels::Labels;
use super::output::note;
use super::stdin;
use super::subject::{Named, PositionFile, arguments_of, meaning_of};
use super::text::shell_word;

/// The variable with the folder to search for tables, unless `--tables` is given.
const TABLES: &str = "TABLEGEN_TABLES";
/// The variable with the kernel for sweeps.
const KERNEL: &str = "TABLEGEN_KERNEL";
/// The variable with the number of threads, as in any program that uses rayon.
const THREADS: &str = "RAYON_NUM_THREADS";

/// The option with which a build replaces a file.
const FORCE: &str = " --force";

/// The shared state of one run of the program.
pub(super) struct Session {
    engine: Engine,
    /// The folder in `--tables`.
    typed: Option<PathBuf>,
    /// The folder in `--tables` or the environment.
    named: Option<PathBuf>,
}

/// The subject of a command: a game or a table, which contains a game.
pub(super) enum Subject {
    /// A game named on the command line, with its options.
    Game(Named),
    /// A table, given by its file or its name.
    Table(Box<OpenTable>),
}

impl Session {
    /// A session that searches for tables in `only`, or in the folders that the environment names.
    pub(super) fn new(only: Option<PathBuf>) -> Result<Self, Failure> {
        let typed = only.clone().filter(|folder| !folder.as_os_str().is_empty());
        let named = only.or_else(|| std::env::var_os(TABLES).map(PathBuf::from));
        let named = named.filter(|folder| !folder.as_os_str().is_empty());
        let dirs = match named.clone() {
            Some(folder) if folder.exists() && !folder.is_dir() => {
                let found = format!("cannot search {} for tables: expected a folder, found a file", folder.display());
                return Err(Failure::usage(found).hint(format!("see --tables and ${TABLES}")));
            }
            Some(folder) => TableDirs::only(vec![folder]),
            None => TableDirs::standard(),
        };
        bus_error::handle();
        // SAFETY: this program never writes to the file of a table: it renames a new file over it. Whoever runs it keeps
        // other programs from changing the file meanwhile, as the contract of `Access::mapped` asks. If one truncates the
        // file all the same, the handler installed above ends the run with one line and the status of an unusable table.
        let access = unsafe { Access::mapped() };
        Ok(Self { engine: Engine::new(dirs).with_access(access), typed, named })
    }

    /// The engine, with the number of threads that the environment requests.
    pub(super) fn engine(&self) -> Result<Engine, Failure> {
        // 0 and texts that are not numbers mean one thread per core.
        let requested = std::env::var(THREADS).ok().and_then(|text| text.parse::<usize>().ok()).filter(|&n| n > 0);
        if let Some(threads) = requested.filter(|&threads| threads > MAX_THREADS) {
            let message = format!("{THREADS}: expected 1 to {MAX_THREADS} threads, found {threads}");
            return Err(Failure::usage(message).hint("unset it for one thread per core"));
        }
        Ok(self.engine.clone().with_threads(requested))
    }

    /// Like [`engine`](Self::engine), with the kernel that the environment requests.
    pub(super) fn solving_engine(&self) -> Result<Engine, Failure> {
        let named = std::env::var_os(KERNEL).filter(|name| !name.is_empty());
        let kernel = named.map(|name| name.to_string_lossy().parse::<Kernel>()).transpose();
        let kernel = kernel.map_err(|error| EngineError::from(SolveError::from(error)))?;
        Ok(self.engine()?.with_kernel(kernel))
    }

    /// The game or the table that `text` names: a file, or a table with a name from 'list'. `position` is the file that
    /// the position comes from, if there is one.
    pub(super) fn subject(
        &self,
        text: &OsStr,
        options: &GameOptions,
        position: Option<&PositionFile>,
    ) -> Result<Subject, Failure> {
        let open = match meaning_of(text) {
            Ok(Meaning::Table(path)) => {
                options.none_for_table(text)?;
                self.engine.open(path)?
            }
            Ok(_) => return options.named(text, position).map(Subject::Game),
            Err(unknown) => {
                let name = text.to_string_lossy();
                if let Some((part, others)) = options.split_part()
                    && let Some(open) = self.engine.open_named(&format!("{name}.{part}"))?
                {
                    others.none_for_table(text)?;
                    bus_error::watch(&open.table);
                    return Ok(Subject::Table(Box::new(open)));
                }
                let Some(open) = self.engine.open_named(&name)? else {
                    let (name, options) = options.called(text).ok_or_else(|| self.unknown(&name, unknown))?;
                    return options.named(name.as_ref(), position).map(Subject::Game);
                };
                options.none_for_table(text)?;
                open
            }
        };
        bus_error::watch(&open.table);
        Ok(Subject::Table(Box::new(open)))
    }

    /// The failure that nothing is called `name`. If no game has a similar name, it may suggest a table from 'list'.
    fn unknown(&self, name: &str, error: GameError) -> Failure {
        let tables = self.engine.tables().into_iter().filter_map(|listed| listed.table.ok());
        let names: Vec<String> = tables.map(|table| table.rules().name().to_owned()).collect();
        let near = did_you_mean(name, names.iter().map(String::as_str));
        match &error {
            GameError::Unknown { known, .. }
                if about_unknown(name, known.iter().copied()).is_empty() && !near.is_empty() =>
            {
                Failure::usage(format!("{error}{near}")).hint("see 'tablegen list'")
            }
            _ => error.into(),
        }
    }

    /// The table that `text` names: a file, a table with a name from 'list', or the table found for a game. The second
    /// value is the command that builds it again, if it is known.
    pub(super) fn open(&self, text: &OsStr, options: &GameOptions) -> Result<(OpenTable, Option<String>), Failure> {
        let named = match self.subject(text, options, None)? {
            Subject::Table(open) => {
                let rebuild = self.rebuild(&open);
                return Ok((*open, rebuild));
            }
            Subject::Game(named) => named,
        };
        let name = named.game.rules().name().to_owned();
        let found = self.engine.find(named.game.as_ref()).map_err(|error| self.explain(error, &name, &named.typed))?;
        let Some(table) = found else { return Err(self.missing(&name, &named.typed)) };
        bus_error::watch(&table);
        self.note_folder();
        let path = table.path().map(Path::to_path_buf);
        let rebuild = path.map(|path| self.rebuild_command(&named.typed, &name, &path));
        Ok((OpenTable { game: named.game.into(), table }, rebuild))
    }

    /// The command that rebuilds the table of `open` from its own record, replacing its file.
    pub(super) fn rebuild(&self, open: &OpenTable) -> Option<String> {
        open.table.path()?;
        Some(self.command_of(open)? + FORCE)
    }

    /// The command that builds the table of `open` at its place, from its own record.
    pub(super) fn command_of(&self, open: &OpenTable) -> Option<String> {
        let typed = arguments_of(open)?;
        let name = open.table.rules().name();
        match (open.table.path(), open.rules_file()) {
            (Some(path), None) => Some(self.command_to(&typed, name, Some(path))),
            (Some(path), Some(_)) => {
                let file = shell_word(&path.display().to_string());
                Some(format!("tablegen info {file} --rules | {}", self.command_to(&typed, name, Some(path))))
            }
            (None, None) => Some(self.build_command(&typed)),
            (None, Some(_)) => None,
        }
    }

    /// Prints a note if the folder in `--tables` does not exist, which is probably a typing error. `build` would create
    /// it.
    pub(super) fn note_folder(&self) {
        if let Some(folder) = self.typed.as_ref().filter(|folder| !folder.exists()) {
            note(&format!(
                "--tables: there is no folder {}; only the tables embedded in the program are used",
                folder.display()
            ));
        }
    }

    /// The folders to search for tables.
    pub(super) fn folders(&self) -> &[PathBuf] {
        self.engine.dirs().folders()
    }

    /// The failure that there is no table of the rules called `name`. It lists the searched folders and the command
    /// that builds the table from the arguments `typed`.
    pub(super) fn missing(&self, name: &str, typed: &str) -> Failure {
        let no_folder =
            |folder: &PathBuf| if self.is_named(folder) && !folder.exists() { " (a missing folder)" } else { "" };
        let shown = |folder: &PathBuf| format!("{}{}", folder.display(), no_folder(folder));
        let folders: Vec<String> = self.folders().iter().map(shown).collect();
        let or = if folders.is_empty() { "" } else { " or " };
        let missing =
            format!("cannot find a table of {name}: there is none in {}{or}in the program", folders.join(", "));
        if stdin::is_in(typed) {
            return Failure::table(missing).hint("see 'tablegen build --help'");
        }
        Failure::table(missing)
            .hint(format!("build it with '{}'; 'tablegen estimate' says what that takes", self.build_command(typed)))
    }

    /// The command that builds the table of `typed` in a searched folder.
    pub(super) fn build_command(&self, typed: &str) -> String {
        let folder = self.typed.as_ref().map(|folder| shell_word(&folder.display().to_string()));
        let tables = folder.map_or_else(String::new, |folder| format!(" --tables {folder}"));
        format!("tablegen{tables} build {typed}")
    }

    /// The command that replaces the table of `typed` at `path`. `name` is the name of the rules.
    pub(super) fn rebuild_command(&self, typed: &str, name: &str, path: &Path) -> String {
        self.command_to(typed, name, Some(path)) + FORCE
    }

    /// The command that builds the table of `typed` at `path`, or in a searched folder if there is no path.
    pub(super) fn command_to(&self, typed: &str, name: &str, path: Option<&Path>) -> String {
        let elsewhere = path.filter(|path| !self.engine.dirs().file(name).is_ok_and(|file| file == **path));
        let output =
            elsewhere.map_or_else(String::new, |path| format!(" -o {}", shell_word(&path.display().to_string())));
        self.build_command(typed) + &output
    }

    /// The command that extends the table of `open` to `labels`, if it is known.
    pub(super) fn labels_command(&self, open: &OpenTable, labels: LabelSet) -> Option<String> {
        Some(self.command_of(open)? + &Labels::typed(labels))
    }

    /// The failure for an error about the table of `typed`, with a command that helps. `name` is the name of the rules.
    pub(super) fn explain(&self, error: EngineError, name: &str, typed: &str) -> Failure {
        let path = match &error {
            EngineError::Missing { name } => return self.missing(name, typed),
            EngineError::Solve(solving) => {
                let build = (!stdin::is_in(typed)).then(|| self.build_command(typed));
                return failure::on_demand(solving, build).unwrap_or_else(|| error.into());
            }
            EngineError::OldRules { path, .. } | EngineError::OtherRules { path, .. } => Some(path.clone()),
            EngineError::Read(read) if read.fault.is_damage() || read.fault.is_of_another_version() => {
                read.path.clone()
            }
            _ => None,
        };
        match path {
            None => error.into(),
            Some(path) => {
                // The file may be of a part of the game.
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let part = stem.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
                let (name, typed) = match part {
                    Some(part) => (&*stem, format!("{typed} --part {part}")),
                    None => (name, typed.to_owned()),
                };
                let next = format!("build it again with '{}'", self.rebuild_command(&typed, name, &path));
                Failure::new(error.kind().into(), error).hint(next)
            }
        }
    }

    /// Returns whether the user named `folder`, so that it is not one of the standard folders.
    fn is_named(&self, folder: &Path) -> bool {
        self.named.as_deref() == Some(folder)
    }
}
