//! The temporary file in which a rank stores its finished slices if it does not see the folder of the table.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::lock;
use super::requests::SliceKey;
use crate::table::{read_at, write_at};

/// A temporary file, and where each plane kind of a slice lies in it. The file has no name, so the system removes it when the process ends.
pub struct SpillFile {
    file: File,
    end: AtomicU64,
    offsets: Mutex<HashMap<SliceKey, u64>>,
}

impl SpillFile {
    /// An empty file in `folder`, or in the system's folder for temporary files.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub(super) fn new(folder: Option<&Path>) -> io::Result<Self> {
        let file = folder.map_or_else(tempfile::tempfile, tempfile::tempfile_in)?;
        Ok(Self { file, end: AtomicU64::new(0), offsets: Mutex::default() })
    }

    /// Stores the `planes` of a slice.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn save(&self, key: SliceKey, planes: &[u8]) -> io::Result<()> {
        let offset = self.end.fetch_add(planes.len() as u64, Ordering::Relaxed);
        write_at(&self.file, planes, offset)?;
        lock(&self.offsets).insert(key, offset);
        Ok(())
    }

    /// Reads a stored slice into `planes`.
    ///
    /// # Errors
    /// If the slice is not stored, or cannot be read.
    pub(super) fn load(&self, key: SliceKey, planes: &mut [u8]) -> io::Result<()> {
        let offset = lock(&self.offsets).get(&key).copied().ok_or(io::ErrorKind::NotFound)?;
        read_at(&self.file, planes, offset)
    }
}
