//! The disk space that a build needs, estimated before it starts.

use std::path::PathBuf;

use super::machine::free_space;
use super::target::nearest_folder;
use tablegen_solve::Method;

/// The disk space that a build needs, and the free space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiskNeed {
    /// The folder that the build writes to.
    pub folder: PathBuf,
    /// Bytes still to be written if labels are not compressed.
    pub bytes: u64,
    /// An estimate of the bytes if labels are compressed as they are written; `None` if they are not.
    pub compressed: Option<u64>,
    /// Free bytes; `None` if the system does not report it.
    pub free: Option<u64>,
}

impl DiskNeed {
    /// The size from which a table is large, so that the user should be asked before it is written.
    pub const LARGE: u64 = 8 << 30;

    /// The need of `bytes` bytes in the folder of `path`, written by `method`, compressed if `compresses` is set. `kept` bytes are
    /// already there.
    pub(super) fn new(path: &std::path::Path, bytes: u64, kept: u64, method: Method, compresses: bool) -> Self {
        let folder = nearest_folder(path);
        let free = free_space(&folder);
        let compressed = compresses.then(|| compressed_bytes(method, bytes).saturating_sub(kept));
        Self { folder, bytes: bytes.saturating_sub(kept), compressed, free }
    }

    /// The expected number of bytes written.
    #[must_use]
    pub fn expected(&self) -> u64 {
        self.compressed.unwrap_or(self.bytes)
    }

    /// True if the user should agree before this much is written.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.expected() >= Self::LARGE
    }

    /// True if the disk is too small for the uncompressed labels.
    #[must_use]
    pub fn may_fill(&self) -> bool {
        self.free.is_some_and(|free| self.bytes > free)
    }
}

/// The expected size of `bytes` bytes of labels of `method` after compression. Outcomes of dense tables of Tactics, dominoes and
/// m,n,k shrink to 0.23 to 0.44 of their size. Colourings with reachability bits shrink to 0.19 for m,n,k 4x5, to 0.04 to 0.16 for
/// Snort, Col and Connect Four, and to 0.02 for Connect Four 6x6, where many sets have a complete line.
pub(super) const fn compressed_bytes(method: Method, bytes: u64) -> u64 {
    match method {
        Method::Dense => bytes / 10 * 3,
        Method::Coloured => bytes / 25 * 2,
        Method::Sparse | Method::Cyclic => bytes,
    }
}

/// The best compression ratio that a disk check assumes for labels of `method`.
pub(super) const fn most_compressed(method: Method) -> u64 {
    match method {
        Method::Dense => 8,
        Method::Coloured => 64,
        Method::Sparse | Method::Cyclic => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disk_need_compares_expected_and_free_bytes() {
        let need = |bytes, compresses| DiskNeed {
            free: Some(10 << 30),
            ..DiskNeed::new("x".as_ref(), bytes, 0, Method::Dense, compresses)
        };
        assert!(!need(9 << 30, false).may_fill() && need(9 << 30, false).is_large());
        assert!(need(11 << 30, true).may_fill() && !need(11 << 30, true).is_large());
        assert!(need(30 << 30, true).is_large() && !need(7 << 30, false).is_large());
        assert!(!DiskNeed { free: None, ..need(u64::MAX, true) }.may_fill());
        let resumed = DiskNeed::new("x".as_ref(), 100 << 30, 10 << 30, Method::Dense, true);
        assert_eq!((resumed.bytes >> 30, resumed.expected() >> 30), (90, 20));
    }
}
