//! Finished regions of a rank that does not see the folder of the table: in a file of its own, which goes with the process.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::solve::PlaneKind;
use crate::table::{read_at, write_at};

/// The file, and where each sheet of a region lies in it.
pub(crate) struct Spill {
    file: File,
    index: Mutex<Index>,
}

#[derive(Default)]
struct Index {
    offsets: HashMap<(PlaneKind, u64), u64>,
    end: u64,
}

impl Spill {
    /// A file without a name in `folder`; if it is `None`, where the system has temporary files.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn new(folder: Option<&Path>) -> io::Result<Self> {
        let file = folder.map_or_else(tempfile::tempfile, tempfile::tempfile_in)?;
        Ok(Self { file, index: Mutex::default() })
    }

    /// Keeps the planes of that sheet of a region.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn save(&self, sheet: PlaneKind, rank: u64, planes: &[u8]) -> io::Result<()> {
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let offset = index.end;
        index.end += planes.len() as u64;
        drop(index);
        write_at(&self.file, planes, offset)?;
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        index.offsets.insert((sheet, rank), offset);
        Ok(())
    }

    /// Reads that sheet of a region, which is kept, into `planes`.
    ///
    /// # Errors
    /// If it is not kept, or cannot be read.
    pub(super) fn load(&self, sheet: PlaneKind, rank: u64, planes: &mut [u8]) -> io::Result<()> {
        let index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let offset = index.offsets.get(&(sheet, rank)).copied().ok_or(io::ErrorKind::NotFound)?;
        drop(index);
        read_at(&self.file, planes, offset)
    }
}
