//! Where tables are looked for, and opening them.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use tablegen::game::{self, Game};
use tablegen::rules::{Outcome, Position};
use tablegen::shipped;
use tablegen::table::Table;

use super::failure::{self, Failure};
use super::subject::{GameOptions, Named, Subject};
use super::words::shell_word;

/// Names the only folder to look in, where `--tables` does not.
const VARIABLE: &str = "TABLEGEN_TABLES";

/// The folders that are looked in, best first.
pub(super) struct Places {
    folders: Vec<PathBuf>,
    /// The folder that `--tables` names.
    typed: Option<PathBuf>,
}

/// A table and the game it is of.
pub(super) struct Found {
    /// The game, which reads and writes positions.
    pub(super) game: Box<dyn Game>,
    /// The table.
    pub(super) table: Table,
}

impl Found {
    /// Where the table is.
    pub(super) fn source(&self) -> String {
        source(&self.table)
    }
}

/// The table's path, or `embedded`.
pub(super) fn source(table: &Table) -> String {
    table.path().map_or_else(|| "embedded".into(), |path| path.display().to_string())
}

/// Lets `ask` look positions up in `table`; none holds any where there is no table. Whatever was concluded without a
/// position that cannot be read is not worth telling: then that is the failure.
pub(super) fn looking_up<T>(
    table: Option<&Table>,
    ask: impl FnOnce(&mut dyn FnMut(Position) -> Option<Outcome>) -> T,
) -> Result<T, Failure> {
    let mut damage = None;
    let asked = ask(&mut |position| {
        table?.find(position).unwrap_or_else(|error| {
            damage.get_or_insert(error);
            None
        })
    });
    damage.map_or(Ok(asked), |error| Err(failure::of_reading(&error)))
}

impl Places {
    /// `only`, or what the environment says.
    pub(super) fn new(only: Option<PathBuf>) -> Result<Self, Failure> {
        let typed = only.clone().filter(|folder| !folder.as_os_str().is_empty());
        let named = only.or_else(|| std::env::var_os(VARIABLE).map(PathBuf::from));
        if let Some(folder) = named.filter(|folder| !folder.as_os_str().is_empty()) {
            if folder.exists() && !folder.is_dir() {
                let found = format!("a folder of tables is expected, {} is none", folder.display());
                return Err(Failure::usage(found).hint(format!("see --tables and ${VARIABLE}")));
            }
            return Ok(Self { folders: vec![folder], typed });
        }
        let here = Some(PathBuf::from("tables")).filter(|folder| folder.is_dir());
        let of_user = etcetera::choose_base_strategy().ok().map(|user| user.data_dir().join("tablegen").join("tables"));
        Ok(Self { folders: here.into_iter().chain(of_user).collect(), typed })
    }

    /// The folders, best first.
    pub(super) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The table of `game`, where there is one. The first that bears its name counts, even where it cannot be used: an
    /// answer from another would hide that.
    pub(super) fn find(&self, game: &dyn Game) -> Result<Option<Table>, Failure> {
        let rules = game.rules();
        let file = format!("{}.tb", rules.name());
        for path in self.folders.iter().map(|folder| folder.join(&file)) {
            let table = match fs::symlink_metadata(&path) {
                Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => continue,
                _ => Table::open(&path).map_err(|e| failure::of_reading(&e))?,
            };
            if table.rules() != rules {
                let found = table.rules();
                let message = format!("{}: a table of {} is expected, found one of", path.display(), rules.name());
                let other = if found.name() == rules.name() { "other rules of that name" } else { found.name() };
                return Err(Failure::table(format!("{message} {other}"))
                    .hint("move it away, or build over it with 'tablegen build --force'"));
            }
            return Ok(Some(table));
        }
        let Some((_, bytes)) = shipped::embedded().find(|(shipped, _)| shipped.file == file) else { return Ok(None) };
        let table = Table::from_bytes(bytes).map_err(|e| failure::of_reading(&e))?;
        Ok(Some(table).filter(|table| table.rules() == rules))
    }

    /// The table that `text` names: a file, or the one found for a game.
    pub(super) fn open(&self, text: &OsStr, options: &GameOptions) -> Result<Found, Failure> {
        match options.subject(text, None)? {
            Subject::File(path) => open_file(&path),
            Subject::Game(named) => match self.find(named.game.as_ref())? {
                Some(table) => Ok(Found { game: named.game, table }),
                None => Err(self.missing(&named)),
            },
        }
    }

    /// That there is no table of `named`, where it was looked for, and how to make one.
    pub(super) fn missing(&self, named: &Named) -> Failure {
        let folders: Vec<String> = self.folders.iter().map(|folder| format!("{} or ", folder.display())).collect();
        let name = &named.game.rules().name();
        Failure::table(format!("a table of {name} is expected, found none in {}the program", folders.concat()))
            .hint(format!("build it with '{}'", self.build_command(named)))
    }

    /// What builds the table of `named` where it is looked for.
    pub(super) fn build_command(&self, named: &Named) -> String {
        let folder = self.typed.as_ref().map(|folder| shell_word(&folder.display().to_string()));
        let tables = folder.map_or_else(String::new, |folder| format!(" --tables {folder}"));
        format!("tablegen{tables} build {}", named.typed)
    }

    /// Every table there is, or why it is none: the folders' files by name, then those in the program.
    pub(super) fn all(&self) -> Vec<(String, Result<Table, Failure>)> {
        let mut all = Vec::new();
        for folder in &self.folders {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
            let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "tb")).collect();
            paths.sort();
            let open = |path: PathBuf| (path.display().to_string(), Table::open(&path));
            all.extend(paths.into_iter().map(open));
        }
        all.extend(shipped::embedded().map(|(_, bytes)| ("embedded".into(), Table::from_bytes(bytes))));
        all.into_iter().map(|(source, table)| (source, table.map_err(|e| failure::of_reading(&e)))).collect()
    }
}

/// The table at `path`, with its game.
pub(super) fn open_file(path: &Path) -> Result<Found, Failure> {
    let table = Table::open(path).map_err(|e| failure::of_reading(&e))?;
    Ok(Found { game: game_of(&table), table })
}

/// The game of a table.
pub(super) fn game_of(table: &Table) -> Box<dyn Game> {
    game::of_table(table.rules(), table.descriptor())
}
