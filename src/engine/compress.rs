//! Whether the labels of a table are packed.
//!
//! As with the solver, what is done without being asked for depends on the game and the labels alone: equal commands give equal
//! tables on every machine.

use tablegen_core::contents::Contents;
use tablegen_core::packed::{Packing, is_available};
use tablegen_solve::Method;
use tablegen_tables::table::Table;

/// Tables whose file would take this many bytes or more are packed without being asked for. Below, the page cache holds a table
/// as it is, and a look-up of 0.1 µs would become one of tens of microseconds to save what few disks lack.
const PACKED_FROM: u64 = 1 << 30;

/// Whether labels are packed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Compress {
    /// Where it pays: tables of a GiB or more of every board or colouring. A packed table stays packed where it is replaced by one
    /// with more labels. In a sparse table most bytes are keys, which do not get shorter.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Compress {
    /// How `contents` are packed, whose file would take `file_bytes` as they are, and in which `older` labels that were kept are
    /// packed.
    pub(super) fn packing(self, contents: &Contents<'_>, file_bytes: u64, older: Option<Packing>) -> Option<Packing> {
        let method = match contents {
            Contents::Dense(_) | Contents::Folded(_) => Method::Dense,
            Contents::Coloured(_) => Method::Coloured,
            Contents::Sparse(_) => Method::Sparse,
        };
        let is_packed = self.packs(method, Some(file_bytes)) || self == Self::Auto && older.is_some();
        is_packed.then(|| older.unwrap_or_default())
    }

    /// Whether a build by `method` packs a new table whose file would take `file_bytes` as it is; `None` is more than any number
    /// says.
    pub(super) fn packs(self, method: Method, file_bytes: Option<u64>) -> bool {
        is_available()
            && match self {
                Self::Always => true,
                Self::Never => false,
                Self::Auto => !method.is_of_reachable() && file_bytes.is_none_or(|bytes| bytes >= PACKED_FROM),
            }
    }

    /// Whether `table` is to be packed and is not, or the other way about.
    pub(super) fn repacks(self, table: &Table) -> bool {
        match self {
            Self::Always => is_available() && table.packing().is_none(),
            Self::Never => table.packing().is_some(),
            Self::Auto => false,
        }
    }
}
