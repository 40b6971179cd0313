//! Errors of reading and writing tables: each fault has its own variant.

use std::io;
use std::path::{Path, PathBuf};

use crate::atomic_file::is_storage_full;
use crate::contents::LabelFault;
use crate::rules::{Position, RulesError};

/// An error in opening, reading or writing a table: the fault and the file.
#[derive(Debug, thiserror::Error)]
#[error("{}{fault}", path.as_ref().map(|path| format!("{}: ", path.display())).unwrap_or_default())]
pub struct TableError {
    /// The file, if there is one: a table in memory has none.
    pub path: Option<PathBuf>,
    /// The fault.
    pub fault: TableFault,
}

impl TableError {
    /// True if the disk was full.
    #[must_use]
    pub fn is_storage_full(&self) -> bool {
        matches!(&self.fault, TableFault::Io(e) if is_storage_full(e.kind()))
    }

    /// Returns whether memory or addresses to read or map the file into were missing.
    #[must_use]
    pub fn is_out_of_memory(&self) -> bool {
        matches!(&self.fault, TableFault::Io(e) if e.kind() == io::ErrorKind::OutOfMemory)
    }

    pub(crate) fn at(path: &Path) -> impl Fn(TableFault) -> Self {
        move |fault| Self { path: Some(path.to_owned()), fault }
    }
}

impl From<TableFault> for TableError {
    fn from(fault: TableFault) -> Self {
        Self { path: None, fault }
    }
}

/// A fault in a table, or in reading or writing it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableFault {
    /// The operating system reported an error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The path is a folder, a device or something else that cannot be mapped.
    #[error("expected a table file, found {0}")]
    NotAFile(&'static str),
    /// The file is shorter than the shortest header.
    #[error("expected a table, found {found} bytes, which is shorter than any table")]
    TooShort {
        /// Bytes found.
        found: u64,
    },
    /// The file does not begin with the magic of a table.
    #[error("expected a table, found another kind of file")]
    Magic,
    /// The file has a format version that this library does not read.
    #[error("cannot read it: expected format version {expected}, found {found}")]
    Version {
        /// The version that this library reads.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// The table has values of boards that older versions found, and which end a turn although the player moves again.
    #[error(
        "cannot use its values of boards: expected turns that end when the other player is to move, found turns that end although \
         the player moves again"
    )]
    TurnEnds,
    /// The file is cut short, or something was appended.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// The length given in its header.
        expected: u64,
        /// The actual length.
        found: u64,
    },
    /// The checksum in the header does not match the header.
    #[error("damaged: the checksum of its header does not match")]
    HeaderChecksum,
    /// The rules in the file do not match the hash in its header.
    #[error("damaged: its rules do not match the hash in its header")]
    RulesHash,
    /// The parts of the header contradict one another.
    #[error("damaged: {0}")]
    Malformed(&'static str),
    /// The rules in the file are not valid.
    #[error("damaged: {0}")]
    Rules(#[from] RulesError),
    /// The bytes of a block do not match its checksum.
    #[error("damaged: the checksum of bytes {start} to {end} does not match")]
    BlockChecksum {
        /// Offset of the block's first byte in the file.
        start: u64,
        /// Offset of its last byte.
        end: u64,
    },
    /// The list of block checksums does not match the digest in the header.
    #[error("damaged: its list of checksums does not match its digest")]
    ChecksumList,
    /// The table is compressed, and this library was built without the feature `compress`.
    #[error("its labels are compressed: expected a program with the feature 'compress', found one built without it")]
    PackedUnread,
    /// The blocks of a compressed section overlap or leave gaps.
    #[error("damaged: the compressed blocks of the section at byte {start} do not fill it")]
    Blocks {
        /// Offset of the section's first byte.
        start: u64,
    },
    /// Labels or keys are invalid.
    #[error("damaged: {0}")]
    Labels(#[from] LabelFault),
    /// Another process builds the table.
    #[error("expected no other build of this table, found {}", match holder { Some(id) => format!("process {id}"), None => "another process".into() })]
    Busy {
        /// The number of that process, if it wrote it into its lock file.
        holder: Option<u32>,
    },
    /// The file system has no locks, so two builds of one table could not notice each other.
    #[error("cannot lock it against other builds: {0}")]
    NoLocks(#[source] io::Error),
    /// The lock file of this process was removed or replaced during the build.
    #[error(
        "the lock file {} was removed during the build, and {} may build the same table",
        lock.display(), match holder { Some(id) => format!("process {id}"), None => "another process".into() }
    )]
    LockLost {
        /// The lock file.
        lock: PathBuf,
        /// The number of the process that locked a new file, if it wrote its number into that file.
        holder: Option<u32>,
    },
    /// The caller's progress function stopped writing.
    #[error("stopped before the table was complete")]
    Cancelled,
    /// The position is not reachable, and the table holds only reachable positions.
    #[error("not in the table: mode {} and board {:#x} is not reachable from its start", position.mode.0, position.board)]
    NotReached {
        /// The position looked up.
        position: Position,
    },
    /// The position does not exist in the table's rules.
    #[error("not a position: mode {} and board {:#x}, in a table of {modes} modes and {cells} cells", position.mode.0, position.board)]
    NoSuchPosition {
        /// The position looked up.
        position: Position,
        /// Modes of the table.
        modes: usize,
        /// Cells of the table.
        cells: u32,
    },
}

impl TableFault {
    /// True if an older or a newer version wrote the table, so that this version has to build it again.
    #[must_use]
    pub const fn is_of_another_version(&self) -> bool {
        matches!(self, Self::Version { .. } | Self::TurnEnds)
    }

    /// True if the table was cut short or changed, so that building it again repairs it.
    #[must_use]
    pub const fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::TooShort { .. }
                | Self::Length { .. }
                | Self::HeaderChecksum
                | Self::RulesHash
                | Self::Malformed(_)
                | Self::Rules(_)
                | Self::BlockChecksum { .. }
                | Self::ChecksumList
                | Self::Blocks { .. }
                | Self::Labels(_)
        )
    }
}
