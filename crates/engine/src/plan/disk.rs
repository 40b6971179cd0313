//! The disk space that a build needs, estimated before it starts.

use std::path::{Path, PathBuf};

use crate::names::target::nearest_folder;
use crate::plan::machine::free_space;

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

    /// The need of `bytes` bytes in the folder of `path`, or of `compressed` bytes if they are compressed as they are
    /// written. `kept` bytes are already there.
    pub(crate) fn new(path: &Path, bytes: u64, kept: u64, compressed: Option<u64>) -> Self {
        let folder = nearest_folder(path);
        let free = free_space(&folder);
        let compressed = compressed.map(|bytes| bytes.saturating_sub(kept));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disk_need_compares_expected_and_free_bytes() {
        let compressed = |bytes, compresses: bool| compresses.then(|| bytes / 10 * 3);
        let need = |bytes, compresses| DiskNeed {
            free: Some(10 << 30),
            ..DiskNeed::new("x".as_ref(), bytes, 0, compressed(bytes, compresses))
        };
        assert!(!need(9 << 30, false).may_fill() && need(9 << 30, false).is_large());
        assert!(need(11 << 30, true).may_fill() && !need(11 << 30, true).is_large());
        assert!(need(30 << 30, true).is_large() && !need(7 << 30, false).is_large());
        assert!(!DiskNeed { free: None, ..need(u64::MAX, true) }.may_fill());
        let resumed = DiskNeed::new("x".as_ref(), 100 << 30, 10 << 30, compressed(100 << 30, true));
        assert_eq!((resumed.bytes >> 30, resumed.expected() >> 30), (90, 20));
    }
}
