//! What a table takes of the disk, known before it is built.

use std::path::PathBuf;

use super::machine::free_space;
use super::target::nearest_folder;
use tablegen_solve::Method;

/// What a build writes, and what the disk has free for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiskNeed {
    /// The folder that the table is written to, or grows in.
    pub folder: PathBuf,
    /// Bytes that are still to be written if labels are not compressed.
    pub bytes: u64,
    /// About how many bytes that becomes if labels are compressed as they are written; `None` if they are not.
    pub compressed: Option<u64>,
    /// Bytes that are free there; `None` if the system does not say.
    pub free: Option<u64>,
}

impl DiskNeed {
    /// From this many bytes on a table is large: nobody wants to find it on a disk without having been asked.
    pub const LARGE: u64 = 8 << 30;

    /// The need of `bytes` bytes in the folder of `path`, which `method` writes compressed if `packs` is set.
    pub(super) fn new(path: &std::path::Path, bytes: u64, method: Method, packs: bool) -> Self {
        let folder = nearest_folder(path);
        let free = free_space(&folder);
        Self { folder, bytes, compressed: packs.then(|| compressed_bytes(method, bytes)), free }
    }

    /// About how many bytes are written.
    #[must_use]
    pub fn expected(&self) -> u64 {
        self.compressed.unwrap_or(self.bytes)
    }

    /// Whether so much is written that whoever starts the build should agree to it.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.expected() >= Self::LARGE
    }

    /// Whether the disk may be too small: it is if labels cannot be compressed.
    #[must_use]
    pub fn may_fill(&self) -> bool {
        self.free.is_some_and(|free| self.bytes > free)
    }
}

/// About what `bytes` bytes of labels of `method` become if they are compressed, within a factor of two. Outcomes of Tactics, dominoes and
/// m,n,k take 0.23 to 0.44 of their bytes; colourings of Connect Four, Snort and Col, with what play reaches, 0.06 to 0.16.
const fn compressed_bytes(method: Method, bytes: u64) -> u64 {
    match method {
        Method::Dense => bytes / 10 * 3,
        Method::Coloured => bytes / 20 * 3,
        Method::Sparse | Method::Cyclic => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_may_be_too_small() {
        let need = |bytes, packs| DiskNeed {
            free: Some(10 << 30),
            ..DiskNeed::new("x".as_ref(), bytes, Method::Dense, packs)
        };
        assert!(!need(9 << 30, false).may_fill() && need(9 << 30, false).is_large());
        assert!(need(11 << 30, true).may_fill() && !need(11 << 30, true).is_large());
        assert!(need(30 << 30, true).is_large() && !need(7 << 30, false).is_large());
        assert!(!DiskNeed { free: None, ..need(u64::MAX, true) }.may_fill());
    }
}
