//! What to do about an error. This decides it for every front end; a front end puts it in its own words.

use std::io::ErrorKind;

use super::plan::choice::other_of_reachable;
use super::{EngineError, Limit, Resource, Shortage};
use tablegen_games::GameError;
use tablegen_index::regions::NoRegions;
use tablegen_labels::LabelSet;
use tablegen_solvers::{Method, SolveError};
use tablegen_tables::table::{TableError, TableFault};
use tablegen_work::atomic_file::is_storage_full;

/// A way to get on after an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advice {
    /// Look at the list of games.
    ListGames,
    /// Look at the parameters of the game.
    Parameters,
    /// Look at how positions are written.
    Notation,
    /// Choose a smaller game.
    SmallerGame,
    /// Choose a smaller board.
    SmallerBoard,
    /// Let a search answer single positions.
    Search,
    /// Use the solver of this name, which can solve the rules.
    Solver(&'static str),
    /// Use the solver of this name: the other one of the two for reachable positions.
    OtherSolver(&'static str),
    /// Use the dense or the sparse solver.
    DenseOrSparse,
    /// Use no symmetry.
    NoSymmetry,
    /// Solve outcomes alone.
    OutcomesAlone,
    /// Solve some of these labels, which the game has.
    Labels(LabelSet),
    /// Use the best kernel.
    BestKernel,
    /// Use fewer threads.
    FewerThreads,
    /// Allow more memory than the default.
    MoreThanDefault,
    /// Allow the labels more memory.
    MoreMemory,
    /// Allow more memory, in the build's limit or in that of the process.
    MoreRoom,
    /// Build a part of the game.
    Part,
    /// Free some space on the disk.
    FreeSpace,
    /// Keep tables in a folder on a larger disk.
    LargerDisk,
    /// Write the table to another place, because no file can be here.
    OtherPlace,
    /// Write to another path, because the system refuses this one.
    OtherPath,
    /// Write the table to another place, because writing it failed here.
    Unwritable,
    /// Write the table to another file.
    OtherFile,
    /// Replace the file.
    Replace,
    /// Move the table away, or replace it.
    MoveAway,
    /// Name a folder for tables, or a file.
    NameFolder,
    /// Keep the checkpoints in another folder.
    OtherScratch,
    /// Use folders on a file system with locks.
    Locks,
    /// Wait until the other build ends.
    Wait,
    /// Build when no other process builds the table.
    BuildAlone,
    /// Start over instead of resuming.
    StartOver,
    /// Run the same command, which resumes.
    Resume,
    /// Install the same version on all machines.
    SameVersion,
    /// Use the same files on all machines.
    SameFiles,
    /// Use the same kernel on all machines.
    SameKernel,
    /// Build the table, which does not exist.
    Build,
    /// Build the damaged table again.
    BuildAgain,
    /// Build the table of another format version again, in its place.
    BuildOver,
    /// Name a table or a game.
    NameTable,
    /// Look at the list of tables.
    ListTables,
    /// Look at the list of tables, or build one.
    ListTablesOrBuild,
}

impl EngineError {
    /// What helps: alternatives, the best one first.
    #[must_use]
    pub fn advice(&self) -> Vec<Advice> {
        let one = match self {
            Self::Solve(error) => return of_solving(error),
            Self::Write(error) => return of_writing(error),
            Self::Shortage(Shortage { name: None, .. }) => return vec![Advice::FreeSpace, Advice::OtherPlace],
            Self::Unfinished(_) => return vec![Advice::StartOver, Advice::OtherFile],
            Self::Exists { .. } => return vec![Advice::OtherFile, Advice::Replace],
            Self::Read(error) => return of_reading(error).into_iter().collect(),
            Self::Team(error) => return error.advice().into_iter().collect(),
            Self::Game(GameError::Unknown { .. }) => Advice::ListGames,
            Self::Game(GameError::OutOfReach { .. }) => Advice::SmallerGame,
            // The error lists the parts.
            Self::Game(GameError::UnknownPart { .. }) => return Vec::new(),
            Self::Game(_) => Advice::Parameters,
            Self::Notation(_) => Advice::Notation,
            Self::Missing { .. } => Advice::Build,
            Self::OtherRules { .. } | Self::OldRules { .. } => Advice::MoveAway,
            Self::Shortage(Shortage { resource: Resource::Memory, limit: Limit::Default, .. }) => {
                Advice::MoreThanDefault
            }
            Self::Shortage(Shortage { resource: Resource::Memory, limit: Limit::Available, .. }) => {
                return vec![Advice::SmallerGame, Advice::Search];
            }
            Self::PositionMemory { shortage: Shortage { limit: Limit::Available, .. }, .. } => {
                return vec![Advice::SmallerGame, Advice::Search];
            }
            Self::PositionMemory { .. } => return vec![Advice::MoreMemory, Advice::SmallerGame],
            Self::Threads { .. } => Advice::FewerThreads,
            Self::NoFolder => Advice::NameFolder,
            Self::Io { what: "write to", .. } => Advice::OtherPath,
            Self::Io { what: "use the scratch folder", .. } => Advice::OtherScratch,
            Self::NotAPlace { .. } | Self::Io { .. } => Advice::OtherPlace,
            Self::NoValues { .. } | Self::ValuesBySlice { .. } | Self::PartSolver { .. } | Self::Shortage(_) => {
                return Vec::new();
            }
        };
        vec![one]
    }
}

fn of_solving(error: &SolveError) -> Vec<Advice> {
    let one = match error {
        SolveError::SparseMemory { .. } => return vec![Advice::MoreMemory, Advice::SmallerGame],
        SolveError::NoRoom { .. } | SolveError::Refused { .. } => return vec![Advice::MoreRoom, Advice::SmallerGame],
        SolveError::TooWide { .. } | SolveError::Lines { .. } | SolveError::TooManyNumbers => {
            return vec![Advice::SmallerBoard, Advice::Search];
        }
        SolveError::NoRegions { reason: NoRegions::TooMany, .. } => return vec![Advice::SmallerBoard, Advice::Search],
        SolveError::NoRegions { is_only: true, .. } | SolveError::CountsAndGains { .. } => Advice::Search,
        SolveError::NoRegions { .. } => return Vec::new(),
        SolveError::Counts { .. } => Advice::Solver(Method::Regions.name()),
        SolveError::RegionLabel { .. } => Advice::Labels(LabelSet::BEST_PLAY),
        SolveError::Root { .. } | SolveError::Layout { .. } | SolveError::Symmetry { .. } => return Vec::new(),
        SolveError::Store(source) if !is_storage_full(source.kind()) => return Vec::new(),
        SolveError::Kernel(_) => Advice::BestKernel,
        SolveError::MaxPositions { .. } | SolveError::Level { .. } | SolveError::TooManyMoves { .. } => {
            Advice::SmallerGame
        }
        SolveError::LabelMemory { .. } | SolveError::ValueMemory { .. } => Advice::MoreMemory,
        SolveError::Store(_) => Advice::FreeSpace,
        SolveError::Keys => Advice::BuildAgain,
        SolveError::SweepObstacle { instead, .. } => Advice::Solver(instead.name()),
        SolveError::Repetition { method, .. } => Advice::OtherSolver(other_of_reachable(*method).name()),
        SolveError::Levels { .. } => Advice::NoSymmetry,
        SolveError::TooLong { .. } => Advice::OutcomesAlone,
        SolveError::NotColoured { .. } => Advice::DenseOrSparse,
        SolveError::Undefined { defined, .. } => Advice::Labels(*defined),
        _ => Advice::SmallerBoard,
    };
    vec![one]
}

fn of_writing(error: &TableError) -> Vec<Advice> {
    match error.fault {
        _ if error.is_storage_full() => vec![Advice::FreeSpace, Advice::OtherPlace],
        TableFault::Busy { .. } => vec![Advice::Wait, Advice::OtherFile],
        TableFault::LockLost { .. } => vec![Advice::BuildAlone],
        TableFault::NoLocks(_) => vec![Advice::Locks],
        TableFault::Io(_) => vec![Advice::Unwritable],
        _ => of_reading(error).into_iter().collect(),
    }
}

fn of_reading(error: &TableError) -> Option<Advice> {
    Some(match &error.fault {
        _ if error.is_out_of_memory() => return None,
        fault if fault.is_damage() => Advice::BuildAgain,
        fault if fault.is_of_another_version() => Advice::BuildOver,
        TableFault::Magic => Advice::NameTable,
        TableFault::Io(io) if io.kind() == ErrorKind::NotFound => Advice::ListTablesOrBuild,
        _ => Advice::ListTables,
    })
}
