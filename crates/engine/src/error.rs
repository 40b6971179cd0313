//! Reasons why the engine cannot do what was requested.

use std::io;
use std::path::PathBuf;

use super::{Shortage, TeamError};
use tablegen_games::{GameError, NotationError};
use tablegen_rules::NoSides;
use tablegen_solvers::{SolveError, UpTo};
use tablegen_tables::table::{Table, TableError, TableFault};

/// The kinds of failure that callers distinguish, for the exit status of the command line or the status of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The request is invalid: the game, the position or the path to write to.
    Input,
    /// A table cannot be used: it is missing, damaged, in another format version, or of other rules.
    Table,
    /// Memory or disk space is insufficient.
    Resources,
    /// The caller stopped the work.
    Cancelled,
}

/// The reason why the engine cannot do what was requested.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The game does not exist, or does not accept these parameters.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The text is not a position.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The game could not be solved.
    #[error(transparent)]
    Solve(SolveError),
    /// The boards of the game have no values of combinatorial games.
    #[error("{name} has no values: {reason}")]
    NoValues {
        /// The name of the rules.
        name: String,
        /// The reason.
        reason: NoSides,
    },
    /// The solver labels positions that the starts lead to, and a part has no such starts.
    #[error("cannot solve the part {part}: expected the solver dense or regions, found {solver}; leave it out")]
    PartSolver {
        /// The name of the part.
        part: String,
        /// The name of the solver.
        solver: &'static str,
    },
    /// The build goes slice by slice, and values need all boards at once.
    #[error("cannot add values to {name}: expected a build in memory, found one by slices")]
    ValuesBySlice {
        /// The name of the rules.
        name: String,
    },
    /// The table cannot be read.
    #[error(transparent)]
    Read(TableError),
    /// The table cannot be written.
    #[error(transparent)]
    Write(TableError),
    /// The game has no table and cannot be solved on the spot.
    #[error("cannot find a table of {name}")]
    Missing {
        /// The name of the rules.
        name: String,
    },
    /// The table found under the name of a game holds other rules.
    #[error("cannot use {}: expected a table of {expected}, found one of {found}", path.display())]
    OtherRules {
        /// The table's file.
        path: PathBuf,
        /// The name of the rules.
        expected: String,
        /// A description of the file's rules.
        found: String,
    },
    /// The table's rules have the name of the game but differ: the game has changed since it was built.
    #[error("cannot use {}: expected a table of the current rules of {name}, found one of other rules with that name", path.display())]
    OldRules {
        /// The table's file.
        path: PathBuf,
        /// The name of the rules.
        name: String,
    },
    /// Memory or disk space is insufficient.
    #[error(transparent)]
    Shortage(#[from] Shortage),
    /// A build needs more memory for the reachable positions than it may use, which is known only when some were found.
    #[error("{shortage}, with {positions} positions found")]
    PositionMemory {
        /// The least memory of the build as a whole, as far as it is known.
        shortage: Shortage,
        /// Positions found so far.
        positions: u64,
        /// The bound up to which all positions were found.
        up_to: UpTo,
    },
    /// The path cannot be a file.
    #[error("cannot write {}: expected a place for a file, {found}", path.display())]
    NotAPlace {
        /// The path.
        path: PathBuf,
        /// A description of the object at that path.
        found: &'static str,
    },
    /// The file should not be replaced.
    #[error("cannot replace {}: expected a table of {expected}, found {found}", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
        /// The name of the rules.
        expected: String,
        /// A description of the file.
        found: String,
    },
    /// The build cannot resume from an unfinished table.
    #[error(transparent)]
    Unfinished(#[from] UnfinishedError),
    /// There is no folder for writing tables.
    #[error("cannot choose a folder for tables: found no data folder of the user")]
    NoFolder,
    /// The system cannot start the threads.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// The number of threads requested.
        threads: usize,
        /// The message from the system.
        reason: String,
    },
    /// The ranks cannot build together.
    #[error(transparent)]
    Team(#[from] TeamError),
    /// The operating system reported an error.
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        /// A description of what was tried.
        what: &'static str,
        /// The file or folder it was tried on.
        path: PathBuf,
        /// The error from the system.
        source: io::Error,
    },
}

impl EngineError {
    /// The error that `table` has `fault`.
    pub(super) fn damaged(table: &Table, fault: impl Into<TableFault>) -> Self {
        Self::Read(table.error(fault.into()))
    }

    /// The kind of failure.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Game(GameError::OutOfReach { .. })
            | Self::Shortage(_)
            | Self::PositionMemory { .. }
            | Self::Threads { .. } => ErrorKind::Resources,
            Self::Team(error) => error.kind(),
            Self::Solve(SolveError::Cancelled) => ErrorKind::Cancelled,
            Self::Solve(
                SolveError::Kernel(_)
                | SolveError::Layout { .. }
                | SolveError::NotColoured { .. }
                | SolveError::SweepObstacle { .. }
                | SolveError::Repetition { .. }
                | SolveError::Levels { .. }
                | SolveError::TooLong { .. }
                | SolveError::TooManyMoves { .. }
                | SolveError::Root { .. }
                | SolveError::Symmetry { .. }
                | SolveError::NoRegions { .. }
                | SolveError::RegionLabel { .. }
                | SolveError::Counts { .. }
                | SolveError::CountsAndGains { .. }
                | SolveError::Undefined { .. },
            ) => ErrorKind::Input,
            Self::Solve(SolveError::Keys) => ErrorKind::Table,
            Self::Solve(_) => ErrorKind::Resources,
            Self::Read(error) if error.is_out_of_memory() => ErrorKind::Resources,
            Self::Read(_) | Self::Missing { .. } | Self::OtherRules { .. } | Self::OldRules { .. } => ErrorKind::Table,
            Self::Write(error) if error.is_storage_full() || is_busy(error) => ErrorKind::Resources,
            Self::Write(error) => match error.fault {
                TableFault::Cancelled => ErrorKind::Cancelled,
                _ => ErrorKind::Input,
            },
            Self::Io { source, .. } if tablegen_work::atomic_file::is_storage_full(source.kind()) => {
                ErrorKind::Resources
            }
            Self::Game(_)
            | Self::NoValues { .. }
            | Self::ValuesBySlice { .. }
            | Self::PartSolver { .. }
            | Self::Notation(_)
            | Self::NotAPlace { .. }
            | Self::Unfinished(_)
            | Self::Exists { .. }
            | Self::NoFolder
            | Self::Io { .. } => ErrorKind::Input,
        }
    }
}

/// The error that a build cannot resume from the unfinished table in a folder.
#[derive(Debug, thiserror::Error)]
#[error("cannot resume from {}: {reason}", folder.display())]
pub struct UnfinishedError {
    /// The folder.
    pub folder: PathBuf,
    /// The reason.
    pub reason: &'static str,
}

impl UnfinishedError {
    /// The unfinished table in `folder` is of another build.
    pub(super) const fn of_another(folder: PathBuf) -> Self {
        Self { folder, reason: "expected the same rules, options and version, found others" }
    }
}

impl From<SolveError> for EngineError {
    /// An error of storing checkpoints becomes the error that caused it.
    fn from(error: SolveError) -> Self {
        let SolveError::Store(source) = error else { return Self::Solve(error) };
        if let Some(shortage) = source.get_ref().and_then(|source| source.downcast_ref::<Shortage>()) {
            return shortage.clone().into();
        }
        match source.downcast::<TableError>() {
            Ok(error) => Self::Write(error),
            Err(source) => Self::Solve(SolveError::Store(source)),
        }
    }
}

/// True if `error` says that another process builds the table, or may do so.
pub(super) const fn is_busy(error: &TableError) -> bool {
    matches!(error.fault, TableFault::Busy { .. } | TableFault::LockLost { .. })
}
