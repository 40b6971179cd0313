//! The decision whether to compress a table's labels.
//!
//! As for the choice of the solver, the default depends only on the game and the labels: equal commands give equal
//! tables on every machine.

use tablegen_core::compressed::{Compression, is_available};
use tablegen_core::domain::Domain;
use tablegen_solve::Method;
use tablegen_tables::table::Table;

/// Tables whose file would have this many bytes or more are compressed by default. Smaller tables fit into the page
/// cache, where a lookup takes 0.1 µs. Compressed, it would take tens of microseconds, to save space that few disks
/// lack.
const COMPRESSED_FROM: u64 = 1 << 30;

/// When to compress labels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Compress {
    /// Compress if it pays: dense and two-colour tables of 1 GiB or more. A compressed table stays compressed when a
    /// build adds labels to it. Sparse tables consist mostly of keys, which do not compress.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Compress {
    /// The compression of the labels of `domain`, whose uncompressed file would have `file_bytes` bytes; `older` is that
    /// of the table whose labels were kept.
    pub(super) fn compression(
        self,
        domain: &Domain,
        file_bytes: u64,
        older: Option<Compression>,
    ) -> Option<Compression> {
        let is_compressed = self.compresses(domain.method(), Some(file_bytes)) || self == Self::Auto && older.is_some();
        is_compressed.then(|| older.unwrap_or_default())
    }

    /// True if a build by `method` compresses a new table whose uncompressed file would have `file_bytes` bytes; `None`
    /// is more than a `u64` holds.
    pub(super) fn compresses(self, method: Method, file_bytes: Option<u64>) -> bool {
        is_available()
            && match self {
                Self::Always => true,
                Self::Never => false,
                Self::Auto => !method.is_of_reachable() && file_bytes.is_none_or(|bytes| bytes >= COMPRESSED_FROM),
            }
    }

    /// True if `table` is compressed and should not be, or the other way round.
    pub(super) fn recompresses(self, table: &Table) -> bool {
        match self {
            Self::Always => is_available() && table.packing().is_none(),
            Self::Never => table.packing().is_some(),
            Self::Auto => false,
        }
    }
}
