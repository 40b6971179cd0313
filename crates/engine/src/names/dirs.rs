//! The folders with tables.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::build::older::labels_kept;
use crate::names::open::{Access, EMBEDDED};
use crate::names::target::resolve;
use crate::{Engine, EngineError, OpenTable};
use tablegen_games::Game;
use tablegen_labels::LabelSet;
use tablegen_rules::Rules;
use tablegen_tables::shipped;
use tablegen_tables::table::{Table, checkpoint_bytes, checkpointed_table};

/// The folders with tables, in order of preference. Embedded tables come last.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableDirs {
    folders: Vec<PathBuf>,
}

impl TableDirs {
    /// No folders: only embedded tables are found.
    #[must_use]
    pub const fn none() -> Self {
        Self { folders: Vec::new() }
    }

    /// Only these folders.
    #[must_use]
    pub const fn only(folders: Vec<PathBuf>) -> Self {
        Self { folders }
    }

    /// `./tables` if that folder exists, then `tablegen/tables` in the user's data folder.
    #[cfg(feature = "dirs")]
    #[must_use]
    pub fn standard() -> Self {
        let here = Some(PathBuf::from("tables")).filter(|folder| folder.is_dir());
        let of_user = data_folder().map(|folder| folder.join("tablegen").join("tables"));
        Self { folders: here.into_iter().chain(of_user).collect() }
    }

    /// The folders, in order of preference.
    #[must_use]
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The path, in the first folder, of the table of the rules called `name`.
    ///
    /// # Errors
    /// If there is no folder.
    pub fn file(&self, name: &str) -> Result<PathBuf, EngineError> {
        let folder = self.folders.first().ok_or(EngineError::NoFolder)?;
        Ok(folder.join(format!("{name}.tb")))
    }

    /// The paths of the files and folders in each folder, by name.
    fn entries(&self) -> impl Iterator<Item = PathBuf> {
        self.folders.iter().flat_map(|folder| {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
            let mut entries: Vec<_> = entries.collect();
            entries.sort();
            entries
        })
    }
}

/// The folder for a user's data, as the operating system defines it.
#[cfg(feature = "dirs")]
fn data_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    etcetera::choose_base_strategy().ok().map(|user| user.data_dir())
}

/// A file that was found: a table, or something that is not a table.
pub struct ListedTable {
    /// The path of the file, or `embedded`.
    pub source: String,
    /// The table, or the error of opening it.
    pub table: Result<Table, EngineError>,
}

impl Engine {
    /// The table of `game`, if there is one. A file with the name of the rules comes first, even if it cannot be used: an answer from
    /// another table would hide the problem. Then come the first file with these rules under another name, and an embedded table.
    ///
    /// # Errors
    /// If it cannot be used, or is a table of other rules.
    pub fn find(&self, game: &dyn Game) -> Result<Option<Table>, EngineError> {
        let rules = game.rules();
        let file = format!("{}.tb", rules.name());
        for path in self.dirs.folders.iter().map(|folder| folder.join(&file)) {
            let table = match fs::symlink_metadata(&path) {
                Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => continue,
                _ => self.access.open(&path)?,
            };
            if table.rules() != rules {
                let (expected, found) = (rules.name().to_owned(), table.rules().name().to_owned());
                return Err(match found == expected {
                    true => EngineError::OldRules { path, name: expected },
                    false => EngineError::OtherRules { path, expected, found },
                });
            }
            return Ok(Some(table));
        }
        match self.under_other_name(rules)? {
            Some(table) => Ok(Some(table)),
            None => embedded(rules),
        }
    }

    /// The table in the first file of the folders with these rules. Other files may be damaged, and are not read whole.
    fn under_other_name(&self, rules: &Rules) -> Result<Option<Table>, EngineError> {
        let is_it = |path: &PathBuf| Access::BY_BLOCK.open(path).is_ok_and(|table| table.rules() == rules);
        let path = self.dirs.entries().filter(|path| is_table(path)).find(is_it);
        path.map(|path| self.access.open(&path)).transpose()
    }

    /// The labels of the embedded table of `game` that a table at `path` would hide, since files take precedence. Only
    /// the outcome if it does not exist, or if `path` is in no folder of tables.
    pub(crate) fn hidden_labels(&self, path: &Path, game: &dyn Game) -> Result<LabelSet, EngineError> {
        let rules = game.rules();
        let file = format!("{}.tb", rules.name());
        let is_found = self.dirs.folders.iter().any(|folder| resolve(&folder.join(&file)) == path);
        let hidden = if is_found { embedded(rules)? } else { None };
        Ok(hidden.map_or(LabelSet::OUTCOME, |table| labels_kept(&table, game)))
    }

    /// The table of `game`, which must exist.
    ///
    /// # Errors
    /// [`EngineError::Missing`] if there is none; otherwise as [`find`](Self::find).
    pub fn table_of(&self, game: Box<dyn Game>) -> Result<OpenTable, EngineError> {
        match self.find(game.as_ref())? {
            Some(table) => Ok(OpenTable { game: game.into(), table }),
            None => Err(EngineError::Missing { name: game.rules().name().into() }),
        }
    }

    /// The table listed as `name` by [`tables`](Self::tables), which is the name of its rules. A file of that name
    /// comes first, then the first file with such rules, then an embedded table. `None` if there is none.
    ///
    /// # Errors
    /// If the file of that name cannot be used.
    pub fn open_named(&self, name: &str) -> Result<Option<OpenTable>, EngineError> {
        let file = format!("{name}.tb");
        let is_it = |table: &Table| table.rules().name() == name;
        for path in self.dirs.folders.iter().map(|folder| folder.join(&file)).filter(|path| path.is_file()) {
            let table = self.access.open(&path)?;
            if is_it(&table) {
                return Ok(Some(OpenTable::new(table)));
            }
        }
        let mut usable = self.tables().into_iter().filter_map(|listed| listed.table.ok());
        Ok(usable.find(is_it).map(OpenTable::new))
    }

    /// Every table found, or the error of opening it: the files in the folders by name, then the embedded tables.
    #[must_use]
    pub fn tables(&self) -> Vec<ListedTable> {
        let files = self.dirs.entries().filter(|path| is_table(path));
        let files =
            files.map(|path| ListedTable { source: path.display().to_string(), table: self.access.open(&path) });
        let embedded = shipped::embedded().map(|(_, bytes)| ListedTable {
            source: EMBEDDED.into(),
            table: Table::from_bytes(bytes).map_err(EngineError::Read),
        });
        files.chain(embedded).collect()
    }
}

/// The embedded table of `rules`, if there is one.
fn embedded(rules: &Rules) -> Result<Option<Table>, EngineError> {
    let file = format!("{}.tb", rules.name());
    let bytes = shipped::embedded().find(|(shipped, _)| shipped.file == file);
    let table = bytes.map(|(_, bytes)| Table::from_bytes(bytes)).transpose().map_err(EngineError::Read)?;
    Ok(table.filter(|table| table.rules() == rules))
}

/// An unfinished table left by an interrupted build. The same build resumes from it, or starts over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfinishedTable {
    /// The folder with the checkpoints.
    pub folder: PathBuf,
    /// The path of the finished table, unless the build named another one.
    pub table: PathBuf,
    /// Bytes on disk so far.
    pub bytes: u64,
}

impl Engine {
    /// The unfinished tables in the folders, by name.
    #[must_use]
    pub fn unfinished(&self) -> Vec<UnfinishedTable> {
        let found = self.dirs.entries().filter_map(|folder| {
            let (table, bytes) = (checkpointed_table(&folder)?, checkpoint_bytes(&folder));
            Some(UnfinishedTable { folder, table, bytes })
        });
        found.collect()
    }
}

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "tb")
}
