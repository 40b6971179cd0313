//! A table together with its game.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::plan::symmetry::of_rules;
use crate::{Engine, EngineError};
use tablegen_games::{FileGame, Game, OutcomeClass, PART, Parameters};
use tablegen_index::symmetry::Group;
use tablegen_labels::Probe;
use tablegen_rules::{Outcome, Position};
use tablegen_solvers::Method;
use tablegen_tables::table::{Table, TableError};

/// The way in which table files are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access(How);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    Read,
    Map,
    ByBlock,
}

impl Access {
    /// Read files into memory: later changes to the file do not matter ([`Table::open`]).
    pub const READ: Self = Self(How::Read);

    /// Read blocks when they are needed: opening takes the same time for any size, and later changes to the file cause
    /// no wrong answers ([`Table::open_by_block`]).
    pub const BY_BLOCK: Self = Self(How::ByBlock);

    /// Map files: opening takes the same time for any size ([`Table::map`]).
    ///
    /// # Safety
    /// As [`Table::map`]: while a table is open, its file must not be written to or truncated. Replacing a file by renaming
    /// another over it is safe.
    #[must_use]
    pub const unsafe fn mapped() -> Self {
        Self(How::Map)
    }

    /// True if tables are mapped.
    pub(crate) fn maps(self) -> bool {
        self.0 == How::Map
    }

    /// Opens the table at `path`.
    pub(crate) fn open(self, path: &Path) -> Result<Table, EngineError> {
        let table = match self.0 {
            How::Read => Table::open(path),
            // SAFETY: the caller of [`Access::mapped`] has promised what `Table::map` requires.
            How::Map => unsafe { Table::map(path) },
            How::ByBlock => Table::open_by_block(path),
        };
        table.map_err(EngineError::Read)
    }
}

impl Default for Access {
    fn default() -> Self {
        Self::READ
    }
}

/// A table together with its game.
pub struct OpenTable {
    /// The game, which reads and writes positions.
    pub game: Arc<dyn Game>,
    /// The table.
    pub table: Table,
}

impl OpenTable {
    /// Pairs `table` with the game that its descriptor names.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { game: tablegen_games::of_table(table.rules(), table.descriptor()).into(), table }
    }

    /// The table's path, or `embedded`.
    #[must_use]
    pub fn source(&self) -> String {
        self.table.path().map_or_else(|| EMBEDDED.into(), |path| path.display().to_string())
    }

    /// The text of the rules file that the table carries, if any, and those parameters of the game that differ from the
    /// defaults of the file.
    #[must_use]
    pub fn rules_file(&self) -> Option<(&str, Vec<(String, String)>)> {
        let text = self.game.rules_file()?;
        let default = FileGame::read(text, &Parameters::new()).map(|game| game.descriptor().parameters);
        let default = default.unwrap_or_default();
        let set = self.game.descriptor().parameters.into_iter();
        let is_set = |parameter: &(String, String)| parameter.0 != PART && !default.contains(parameter);
        Some((text, set.filter(is_set).collect()))
    }

    /// The symmetries that make the classes of the table's positions: those of the table, else all symmetries of the game. By regions, it
    /// is always the latter, because symmetries of the table may map positions to others that the table lacks.
    ///
    /// # Errors
    /// If the game declares a symmetry that it does not have.
    pub fn classes(&self) -> Result<Group, EngineError> {
        let domain = self.table.domain();
        let group = domain.group();
        if group.is_trivial() || domain.method() == Method::Regions {
            of_rules(self.game.as_ref())
        } else {
            Ok(group.clone())
        }
    }

    /// The value of the start and of each move there.
    ///
    /// # Errors
    /// If the table is damaged where it is read.
    pub fn start(&self) -> Result<Probe, EngineError> {
        self.table.probe(self.table.rules().start_node()).map_err(EngineError::Read)
    }

    /// The outcome class of a partizan game that does not fix which side begins.
    ///
    /// # Errors
    /// If the table is damaged where it is read.
    pub fn outcome_class(&self) -> Result<Option<OutcomeClass>, EngineError> {
        looking_up(|position| self.table.find(position), |look_up| self.game.outcome_class(look_up))
    }
}

/// The source of a table that is embedded in the program.
pub(crate) const EMBEDDED: &str = "embedded";

/// The first error of look-ups in tables, which several threads may make.
#[derive(Default)]
pub(crate) struct Damage(OnceLock<TableError>);

impl Damage {
    /// What was `found`; nothing if it cannot be read.
    pub(crate) fn note<T>(&self, found: Result<Option<T>, TableError>) -> Option<T> {
        found.unwrap_or_else(|error| {
            let _ = self.0.set(error);
            None
        })
    }

    /// The `answer` that rests on the look-ups, or their error.
    pub(crate) fn or<T>(self, answer: T) -> Result<T, EngineError> {
        self.0.into_inner().map_or(Ok(answer), |error| Err(EngineError::Read(error)))
    }
}

/// Calls `ask` with the function `find`, which looks up positions in tables. If a position cannot be read, that error is returned and
/// the result of `ask` is discarded.
pub(crate) fn looking_up<T>(
    find: impl Fn(Position) -> Result<Option<Outcome>, TableError>,
    ask: impl FnOnce(&mut dyn FnMut(Position) -> Option<Outcome>) -> T,
) -> Result<T, EngineError> {
    let damage = Damage::default();
    let answer = ask(&mut |position| damage.note(find(position)));
    damage.or(answer)
}

impl Engine {
    /// Opens the table at `path`.
    ///
    /// # Errors
    /// If there is none, or it cannot be used.
    pub fn open(&self, path: &Path) -> Result<OpenTable, EngineError> {
        self.access.open(path).map(OpenTable::new)
    }
}
