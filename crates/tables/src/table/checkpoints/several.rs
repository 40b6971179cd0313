//! Building one table with several processes: one keeps the journal, the others send it their records.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use memmap2::{Mmap, MmapOptions};

use super::folder::TABLE;
use super::journal::Record;
use super::writer::CheckpointWriter;
use super::{BuildSpec, FinishedSlice, SliceCheckpoints, lock_of, places, remembering};
use crate::solve::{PlaneKind, SlicePlan, SliceStore, StoreFault};
use crate::table::file::{file_id, read_at};
use crate::table::{TableError, TableFault};

impl SliceCheckpoints {
    /// Joins the process that has [opened](Self::open) the table of `spec` in `folder` and keeps its journal. For
    /// each slice whose bytes are on disk, `tell` is called with a record, which the other process must pass to
    /// [`note_finished`](Self::note_finished). Slices that were already `finished` can be loaded. Slices are not compressed.
    ///
    /// # Errors
    /// If the table is not there, or cannot be written.
    pub fn join(
        folder: &Path,
        spec: &BuildSpec<'_>,
        plan: &SlicePlan,
        finished: &[(PlaneKind, u64)],
        tell: impl Fn(Vec<u8>) + Send + 'static,
    ) -> Result<Self, TableError> {
        let join = || -> Result<Self, TableFault> {
            let header = spec.header(plan);
            let subject = spec.subject(&header, plan);
            let file = Arc::new(File::options().read(true).write(true).open(folder.join(TABLE))?);
            let known = |&(plane_kind, rank): &(PlaneKind, u64)| {
                let record = Record::in_place(plane_kind, rank, Vec::new());
                ((plane_kind, rank), FinishedSlice { record, is_checked: true })
            };
            let finished = Arc::new(Mutex::new(finished.iter().map(known).collect()));
            let log = Box::new(move |records: &[Record]| {
                records.iter().for_each(|record| tell(record.bytes(&subject)));
                Ok(())
            });
            let writer = CheckpointWriter::new(Arc::clone(&file), None, log, remembering(&finished))?;
            let (places, raw) = (places(spec, plan, &header), Vec::new());
            let (folder, slices, first) = (folder.to_owned(), plan.slices(), 0);
            let (edges, compression, resumed, lock) = (None, None, 0, None);
            Ok(Self {
                folder,
                file,
                edges,
                places,
                slices,
                compression,
                first,
                raw,
                finished,
                writer,
                resumed,
                subject,
                lock,
            })
        };
        join().map_err(TableError::at(folder))
    }

    /// Takes a record from another process: one of its slices is on disk. Returns false if the record is invalid.
    pub fn note_finished(&self, record: &[u8]) -> bool {
        let Some(record) = Record::of(record, &self.subject) else { return false };
        let known = FinishedSlice { record: record.clone(), is_checked: true };
        lock_of(&self.finished).insert((record.plane_kind, record.rank), known);
        self.writer.note_finished(record);
        true
    }

    /// Compares all finished slices with their checksums, and forgets the changed ones.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn check(&mut self) -> Result<(), StoreFault> {
        while let Some((plane_kind, rank)) = self.settle()? {
            self.forget(plane_kind, rank);
            self.resumed -= 1;
        }
        Ok(())
    }

    /// The finished (plane kind, slice) pairs.
    pub fn all_finished(&self) -> Vec<(PlaneKind, u64)> {
        lock_of(&self.finished).keys().copied().collect()
    }

    /// Like [`SliceStore::load`], but on this thread alone, because the others are sweeping. The slice must not be
    /// compressed.
    pub fn load_alone(&self, plane_kind: PlaneKind, rank: u64, planes: &mut [u8]) -> io::Result<()> {
        if let Some(piece) = self.writer.waiting(plane_kind, rank) {
            planes.copy_from_slice(piece.bytes());
            return Ok(());
        }
        let place = self.place(plane_kind);
        let mut parts = place.offsets(rank).zip(planes.chunks_mut(place.plane_bytes(rank)));
        parts.try_for_each(|(offset, plane)| read_at(&self.file, plane, offset))
    }

    /// Like [`SliceStore::load`], for an uncompressed slice that another process has written to the file.
    pub fn load_of_others(&self, plane_kind: PlaneKind, rank: u64, planes: &mut [u8]) -> io::Result<()> {
        self.read_planes(self.place(plane_kind), rank, planes)
    }

    /// Maps a slice that this or another process has written. Returns `None` if the slice is not in the file yet, or
    /// not in one piece.
    ///
    /// # Errors
    /// If the system cannot map the file.
    pub fn view(&self, plane_kind: PlaneKind, rank: u64) -> io::Result<Option<Mmap>> {
        let place = self.place(plane_kind);
        if place.planes() > 1 || place.compression().is_some() || self.writer.waiting(plane_kind, rank).is_some() {
            return Ok(None);
        }
        let (offset, bytes) = (place.offsets(rank).sum(), place.plane_bytes(rank));
        // SAFETY: the slice is finished, and the locked folder keeps other builds away, so its bytes do not change.
        // Other slices on a shared page may still change, but they are outside the bytes mapped here.
        let map = unsafe { MmapOptions::new().offset(offset).len(bytes).populate().map(&*self.file) };
        map.map(Some)
    }

    /// Calls `heard` from now on with each slice that this process saves, as soon as its bytes are in the file. Only
    /// the first call of this function counts.
    pub fn on_written(&self, heard: impl Fn(PlaneKind, u64) + Send + Sync + 'static) {
        self.writer.on_written(heard);
    }

    /// The identity of the file on this machine, if the system provides one: its device and inode numbers.
    pub fn file_id(&self) -> Option<(u64, u64)> {
        file_id(&self.file)
    }
}
