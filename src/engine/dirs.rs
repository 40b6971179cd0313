//! Where tables are looked for.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::open::EMBEDDED;
use super::{Engine, EngineError, OpenTable};
use crate::game::Game;
use crate::shipped;
use crate::table::Table;

/// The folders that tables are looked for in, best first. The tables inside the library are the last place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableDirs {
    folders: Vec<PathBuf>,
}

impl TableDirs {
    /// No folder: only the tables inside the library are found.
    #[must_use]
    pub const fn none() -> Self {
        Self { folders: Vec::new() }
    }

    /// These folders, and no others.
    #[must_use]
    pub const fn only(folders: Vec<PathBuf>) -> Self {
        Self { folders }
    }

    /// `./tables` if there is such a folder, then `tablegen/tables` in the user's data folder.
    #[cfg(feature = "dirs")]
    #[must_use]
    pub fn standard() -> Self {
        let here = Some(PathBuf::from("tables")).filter(|folder| folder.is_dir());
        let of_user = data_folder().map(|folder| folder.join("tablegen").join("tables"));
        Self { folders: here.into_iter().chain(of_user).collect() }
    }

    /// The folders, best first.
    #[must_use]
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The file in the first folder that the table of rules called `name` is written to.
    ///
    /// # Errors
    /// If there is no folder.
    pub fn file(&self, name: &str) -> Result<PathBuf, EngineError> {
        let folder = self.folders.first().ok_or(EngineError::NoFolder)?;
        Ok(folder.join(format!("{name}.tb")))
    }
}

/// The folder for a user's data, as the system names it.
#[cfg(feature = "dirs")]
fn data_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    etcetera::choose_base_strategy().ok().map(|user| user.data_dir())
}

/// A table that was found, or a file that is none.
pub struct ListedTable {
    /// Where it is.
    pub source: String,
    /// The table, or why it cannot be used.
    pub table: Result<Table, EngineError>,
}

impl Engine {
    /// The table of `game`, if there is one. The first that bears its name counts, even if it cannot be used: an answer
    /// from another would hide that.
    ///
    /// # Errors
    /// If it cannot be used, or is of other rules.
    pub fn find(&self, game: &dyn Game) -> Result<Option<Table>, EngineError> {
        let rules = game.rules();
        let file = format!("{}.tb", rules.name());
        for path in self.dirs.folders.iter().map(|folder| folder.join(&file)) {
            let table = match fs::symlink_metadata(&path) {
                Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => continue,
                _ => self.access.open(&path)?,
            };
            if table.rules() != rules {
                let (expected, found) = (rules.name().to_owned(), table.rules().name());
                let other = if found == expected { "other rules of that name" } else { found };
                return Err(EngineError::OtherRules { path, expected, found: other.into() });
            }
            return Ok(Some(table));
        }
        let embedded = shipped::embedded().find(|(shipped, _)| shipped.file == file);
        let table = embedded.map(|(_, bytes)| Table::from_bytes(bytes)).transpose().map_err(EngineError::Read)?;
        Ok(table.filter(|table| table.rules() == rules))
    }

    /// The table of `game`, which must be there.
    ///
    /// # Errors
    /// [`EngineError::Missing`] if there is none, and as [`find`](Self::find).
    pub fn table_of(&self, game: Box<dyn Game>) -> Result<OpenTable, EngineError> {
        match self.find(game.as_ref())? {
            Some(table) => Ok(OpenTable { game, table }),
            None => Err(EngineError::Missing { name: game.rules().name().into() }),
        }
    }

    /// Every table there is, or why it is none: the folders' files by name, then those inside the library.
    #[must_use]
    pub fn tables(&self) -> Vec<ListedTable> {
        let in_folder = |folder: &PathBuf| {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
            let mut paths: Vec<_> = entries.filter(|path| is_table(path)).collect();
            paths.sort();
            paths
        };
        let files = self.dirs.folders.iter().flat_map(in_folder);
        let files =
            files.map(|path| ListedTable { source: path.display().to_string(), table: self.access.open(&path) });
        let embedded = shipped::embedded().map(|(_, bytes)| ListedTable {
            source: EMBEDDED.into(),
            table: Table::from_bytes(bytes).map_err(EngineError::Read),
        });
        files.chain(embedded).collect()
    }
}

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "tb")
}
