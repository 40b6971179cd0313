//! Why the engine cannot do what it was asked.

use std::io;
use std::path::PathBuf;

use super::Shortage;
use crate::game::{GameError, NotationError};
use crate::solve::SolveError;
use crate::table::TableError;

/// The kinds of failure that those who ask tell apart: the exit status of the command line, the status of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// What was asked for makes no sense: a game, a position, a place to write to.
    Input,
    /// A table that cannot be used: missing, damaged, of another format version, of other rules.
    Table,
    /// Not enough memory or disk.
    Resources,
    /// The caller stopped the work.
    Cancelled,
}

/// Why the engine cannot do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// No such game, or not with these parameters.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A text that is no position.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A game that could not be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A table that cannot be read.
    #[error(transparent)]
    Read(TableError),
    /// A table that cannot be written.
    #[error(transparent)]
    Write(TableError),
    /// A game has no table, and cannot be solved on the spot.
    #[error("a table of {name} is expected, found none")]
    Missing {
        /// The name of the rules.
        name: String,
    },
    /// The table found under a game's name is of other rules.
    #[error("{}: a table of {expected} is expected, found one of {found}", path.display())]
    OtherRules {
        /// The table's file.
        path: PathBuf,
        /// The name of the rules.
        expected: String,
        /// What the file holds, in words.
        found: String,
    },
    /// There is not enough memory or disk.
    #[error(transparent)]
    Shortage(#[from] Shortage),
    /// A place where no file can be written.
    #[error("{}: a place for a file is expected, {found}", path.display())]
    NotAPlace {
        /// The place.
        path: PathBuf,
        /// What was found there, in words.
        found: &'static str,
    },
    /// A file that should not be replaced.
    #[error("{} exists: a table of {expected} or nothing is expected, found {found}", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
        /// The name of the rules.
        expected: String,
        /// What it is, in words.
        found: String,
    },
    /// There is no folder that tables are written to.
    #[error("there is no folder for tables here")]
    NoFolder,
    /// The system gives no more threads.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// The system refused.
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        /// What was tried, in words.
        what: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl EngineError {
    /// Which kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Game(GameError::OutOfReach { .. }) | Self::Shortage(_) | Self::Threads { .. } => ErrorKind::Resources,
            Self::Solve(SolveError::Cancelled) => ErrorKind::Cancelled,
            Self::Solve(SolveError::Kernel(_) | SolveError::Layout { .. } | SolveError::Root { .. }) => {
                ErrorKind::Input
            }
            Self::Solve(_) => ErrorKind::Resources,
            Self::Read(_) | Self::Missing { .. } | Self::OtherRules { .. } => ErrorKind::Table,
            Self::Write(error) if error.is_storage_full() => ErrorKind::Resources,
            Self::Write(error) => match error.fault {
                crate::table::TableFault::Cancelled => ErrorKind::Cancelled,
                _ => ErrorKind::Input,
            },
            Self::Io { source, .. } if crate::atomic_file::is_storage_full(source.kind()) => ErrorKind::Resources,
            Self::Game(_)
            | Self::Notation(_)
            | Self::NotAPlace { .. }
            | Self::Exists { .. }
            | Self::NoFolder
            | Self::Io { .. } => ErrorKind::Input,
        }
    }
}
