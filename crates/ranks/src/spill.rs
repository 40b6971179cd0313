//! The temporary file in which a rank stores its finished slices if it does not see the folder of the table.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::solve::PlaneKind;
use crate::table::{read_at, write_at};

/// A temporary file, and where each plane kind of a slice lies in it. The file has no name, so the system removes it when the process ends.
pub struct SpillFile {
    file: File,
    index: Mutex<Index>,
}

#[derive(Default)]
struct Index {
    offsets: HashMap<(PlaneKind, u64), u64>,
    end: u64,
}

impl SpillFile {
    /// An empty file in `folder`, or in the system's folder for temporary files.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub(super) fn new(folder: Option<&Path>) -> io::Result<Self> {
        let file = folder.map_or_else(tempfile::tempfile, tempfile::tempfile_in)?;
        Ok(Self { file, index: Mutex::default() })
    }

    /// Stores the `planes` of `plane_kind` of a slice.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn save(&self, plane_kind: PlaneKind, slice: u64, planes: &[u8]) -> io::Result<()> {
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let offset = index.end;
        index.end += planes.len() as u64;
        drop(index);
        write_at(&self.file, planes, offset)?;
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        index.offsets.insert((plane_kind, slice), offset);
        Ok(())
    }

    /// Reads `plane_kind` of a stored slice into `planes`.
    ///
    /// # Errors
    /// If the slice is not stored, or cannot be read.
    pub(super) fn load(&self, plane_kind: PlaneKind, slice: u64, planes: &mut [u8]) -> io::Result<()> {
        let index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let offset = index.offsets.get(&(plane_kind, slice)).copied().ok_or(io::ErrorKind::NotFound)?;
        drop(index);
        read_at(&self.file, planes, offset)
    }
}
