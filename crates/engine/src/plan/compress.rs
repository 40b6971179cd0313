//! The decision whether to compress a table's labels.
//!
//! As for the choice of the solver, the default depends only on the game and the labels: equal commands give equal
//! tables on every machine.

use crate::plan::cost::SolverTraits;
use tablegen_index::compressed::{Compression, DEFAULT_BLOCK, is_available};
use tablegen_tables::table::Table;

/// Tables whose file would have this many bytes or more are compressed by default. Smaller tables fit into the page
/// cache, where a lookup takes 0.1 µs. Compressed, it would take tens of microseconds, to save space that few disks
/// lack.
const COMPRESSED_FROM: u64 = 1 << 30;
/// The compression of [`Compress::Small`]; `docs/contributors/performance.md` has the measurements.
const SMALL: Compression = Compression { block: 1 << 20, level: 11 };

/// When to compress labels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Compress {
    /// Compress if it pays: dense and two-colour tables of 1 GiB or more. A compressed table stays compressed when a
    /// build adds labels to it. Sparse tables consist mostly of keys, which do not compress.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Always, in larger blocks and at a higher level. The file is smaller, and building it and reading it take longer.
    Small,
    /// Never.
    Never,
}

impl Compress {
    /// The compression of a table whose labels were kept of a table with the compression `older`. `new` is that of a new
    /// table.
    pub(crate) fn of_kept(self, new: Option<Compression>, older: Option<Compression>) -> Option<Compression> {
        // A table does not record its level.
        let older = older.map(|older| if older.block == SMALL.block { SMALL } else { older });
        match self {
            Self::Auto | Self::Always => older.or(new),
            Self::Small | Self::Never => new,
        }
    }

    /// The compression of a new table by a solver with these `traits`, whose uncompressed file would have `file_bytes`
    /// bytes; `None` bytes are more than a `u64` holds.
    pub(crate) fn of_new(self, traits: &SolverTraits, file_bytes: Option<u64>) -> Option<Compression> {
        let is_large = || file_bytes.is_none_or(|bytes| bytes >= COMPRESSED_FROM);
        let compression = match self {
            Self::Auto => (traits.compresses && is_large()).then(Compression::default),
            Self::Always => Some(Compression::default()),
            Self::Small => Some(SMALL),
            Self::Never => None,
        };
        compression.filter(|_| is_available())
    }

    /// True if `table` is not compressed as it should be.
    pub(crate) fn recompresses(self, table: &Table) -> bool {
        let block = table.packing().map(|packing| packing.block);
        match self {
            Self::Auto => false,
            Self::Always => is_available() && block.is_none(),
            Self::Small => is_available() && block != Some(SMALL.block),
            Self::Never => block.is_some(),
        }
    }
}

/// Memory in bytes that compressing takes beyond that for blocks of the default size: a thread takes 13 times the bytes of a block (12.6 MB
/// for 1 MiB at level 11).
pub(crate) fn memory_bytes(compression: Compression) -> u64 {
    13 * u64::from(compression.block.saturating_sub(DEFAULT_BLOCK)) * rayon::current_num_threads() as u64
}
