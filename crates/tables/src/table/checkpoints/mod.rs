//! An unfinished table, checkpointed slice by slice in a folder of its own, so that a later process can resume the
//! build.
//!
//! ```text
//! NAME.tb.building/table      the table: slices at their places, or compressed as they are finished; the header last
//!                  edges      parts of compressed blocks that belong to slices other than the one that writes the block
//!                  journal    which slices are finished
//!                  lock       locked by the process that builds, which writes its number into it
//!                  ranks      exists for a moment when several processes build: they share the folder if they find it
//! ```
//!
//! A sparse table is checkpointed level by level in such a folder. Then `table` holds the keys of all levels first, and
//! their labels after them. A table by regions is checkpointed region by region; `table` holds their labels, compressed.
//!
//! A slice is finished when its bytes are on disk and the journal says so. A process that resumes after a killed one
//! keeps the finished slices. Bytes that were changed in between are found by their checksums when they are first read,
//! at the end at the latest.

mod build_spec;
mod complete;
mod folder;
mod journal;
mod levels;
mod place;
mod region_sections;
mod regions;
mod several;
mod writer;

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::file::{expect_read, open_file, read_at};
use super::header::Header;
use super::lock::BuildLock;
use super::section::PAGE;
use super::{TableError, TableFault};
use crate::compressed::{Compression, Form};
use crate::solve::{PlaneKind, SliceBuffer, SlicePlan, SliceStore, StoreFault};
pub use build_spec::{BuildSpec, LevelBuildSpec, Unfinished};
pub use complete::Complete;
pub use folder::TOKEN;
use folder::{EDGES, JOURNAL, TABLE, begin};
pub use folder::{checkpoint_bytes, checkpoint_folder, checkpointed_table, has_checkpoints, remove_checkpoints};
use journal::{Journal, Record, StoredBlocks, Subject};
pub use journal::{plane_kind_numbers, plane_kind_of};
pub use levels::{LevelCheckpoints, Room};
use place::SectionSlices;
pub use region_sections::{RegionSections, RegionTallies, region_reading_bytes};
pub use regions::{RegionBuildSpec, RegionCheckpoints};
use writer::{CheckpointWriter, Job, journal_log};

/// Bytes that one thread reads at a time.
const PIECE: usize = 4 << 20;

/// An unfinished table, checkpointed slice by slice.
pub struct SliceCheckpoints {
    folder: PathBuf,
    file: Arc<File>,
    /// The file with the edges of slices, if slices have edges.
    edges: Option<Arc<File>>,
    places: Vec<Arc<SectionSlices>>,
    /// The number of slices.
    slices: u64,
    /// The compression of slices as they are finished, if any.
    compression: Option<Compression>,
    /// Offset of the first section.
    first: u64,
    /// The bytes of each section before compression.
    raw: Vec<u64>,
    finished: Arc<Mutex<Finished>>,
    writer: CheckpointWriter,
    /// The number of (slice, plane kind) pairs that were finished when the table was opened.
    resumed: u64,
    /// The identity of the table, as its journal has it.
    subject: Subject,
    /// The folder's lock, if this is the process that keeps the journal.
    lock: Option<Arc<BuildLock>>,
}

/// The finished slices by plane kind and rank.
type Finished = HashMap<(PlaneKind, u64), FinishedSlice>;

struct FinishedSlice {
    record: Record,
    /// The bytes in the file were compared with the checksums, or this process wrote them.
    is_checked: bool,
}

impl SliceCheckpoints {
    /// Opens or creates the unfinished table of `spec` in `folder`, sliced by `plan`. Files of another table are
    /// removed.
    ///
    /// # Errors
    /// If another process builds it, or the folder cannot be made, read or written.
    pub fn open(folder: &Path, spec: &BuildSpec<'_>, plan: &SlicePlan) -> Result<Self, TableError> {
        let header = spec.header(plan);
        let subject = spec.subject(&header, plan);
        let open = |lock| Self::open_in(folder, spec, plan, header, subject, lock);
        begin(folder, &subject, open).map_err(TableError::at(folder))
    }

    fn open_in(
        folder: &Path,
        spec: &BuildSpec<'_>,
        plan: &SlicePlan,
        mut header: Header,
        subject: Subject,
        lock: Arc<BuildLock>,
    ) -> Result<Self, TableFault> {
        let compression = spec.compression_of_slices(plan);
        let places = places(spec, plan, &header);
        let open = |name| open_file(&folder.join(name));
        let file = open(TABLE)?;
        let has_edges = places.last().is_some_and(|place| place.edges_end() > 0);
        let edges = if has_edges { Some(Arc::new(open(EDGES)?)) } else { None };
        let length = file.metadata()?.len();
        if compression.is_none() {
            file.set_len(header.end())?;
        }
        let (journal, records) = Journal::open(&folder.join(JOURNAL), subject)?;
        // A file that was cut short or lost does not hold all that the journal says. Edges are checked at once, because
        // blocks of other slices contain them.
        let is_there = |record: &Record| {
            let Some(place) = places.iter().find(|place| place.plane_kind == record.plane_kind) else {
                return Ok(false);
            };
            if record.rank >= plan.slices() || compression.is_none() {
                return Ok(record.rank < plan.slices() && length == header.end());
            }
            let Some(blocks) = &record.blocks else { return Ok(false) };
            let end = blocks.offset.checked_add(blocks.bytes());
            let is_long_enough = end.is_some_and(|end| end <= length);
            Ok(is_long_enough
                && blocks.lengths.len() == place.blocks(record.rank).len()
                && *blake3::hash(&edges_in(edges.as_deref(), place, record.rank)?).as_bytes() == blocks.edges)
        };
        let mut known = Vec::new();
        for record in records {
            if is_there(&record).or_else(|error: io::Error| match error.kind() {
                io::ErrorKind::UnexpectedEof => Ok(false),
                _ => Err(error),
            })? {
                known.push(((record.plane_kind, record.rank), FinishedSlice { record, is_checked: false }));
            }
        }
        let finished: Finished = known.into_iter().collect();
        let (resumed, finished) = (finished.len() as u64, Arc::new(Mutex::new(finished)));
        let file = Arc::new(file);
        let log = journal_log(journal, &lock, folder);
        let writer = CheckpointWriter::new(Arc::clone(&file), edges.clone(), log, remembering(&finished))?;
        let raw = header.sections.iter().map(|section| section.bytes).collect();
        if let Some(compression) = compression {
            header = header.packed(compression.block);
        }
        let first = header.sections.first().map_or(0, |section| section.start);
        let (folder, slices, lock) = (folder.to_owned(), plan.slices(), Some(lock));
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
    }

    /// The number of (slice, plane kind) pairs that were finished when the table was opened.
    #[must_use]
    pub const fn resumed(&self) -> u64 {
        self.resumed
    }

    /// The compression of slices, if they are compressed as they are finished.
    #[must_use]
    pub const fn compression(&self) -> Option<Compression> {
        self.compression
    }

    fn place(&self, plane_kind: PlaneKind) -> &Arc<SectionSlices> {
        let place = self.places.iter().find(|place| place.plane_kind == plane_kind);
        place.unwrap_or_else(|| unreachable!("a plane kind of its plan"))
    }

    /// The offset of the compressed section of `plane_kind`. The sections before it must be finished.
    fn start_of(&self, plane_kind: PlaneKind) -> u64 {
        let (finished, mut start) = (lock_of(&self.finished), self.first);
        for (place, &raw) in self.places.iter().zip(&self.raw) {
            if place.plane_kind == plane_kind {
                break;
            }
            let of = |rank| finished.get(&(place.plane_kind, rank)).map_or(0, |known| known.record.block_bytes());
            let stored = (0..self.slices).map(of).sum();
            let form = place.compression().and_then(|compression| Form::new(raw, compression.block, stored));
            start = (start + form.map_or(0, |form| form.bytes())).next_multiple_of(PAGE);
        }
        start
    }

    /// Compresses a slice, and places it behind the slice before it, which must be finished.
    fn compressed(
        &self,
        place: &SectionSlices,
        rank: u64,
        planes: &[u8],
        tally: Vec<u64>,
        compression: Compression,
    ) -> io::Result<Job> {
        let before =
            if place.ascends() { rank.checked_sub(1) } else { Some(rank + 1).filter(|&rank| rank < self.slices) };
        let after = if place.ascends() { Some(rank + 1) } else { rank.checked_sub(1) };
        let offset = match before {
            None => self.start_of(place.plane_kind),
            Some(before) => {
                let finished = lock_of(&self.finished);
                let record = &finished[&(place.plane_kind, before)].record;
                record.offset() + record.block_bytes()
            }
        };
        let blocks = place.compress(rank, planes, compression, |rank| self.edges(place, rank))?;
        let lengths: Vec<u32> = blocks.iter().map(|block| block.bytes.len() as u32).collect();
        let checksums = blocks.iter().map(|block| block.checksum).collect();
        let edges = place.take_edges(rank, planes);
        let checksum = *blake3::hash(&edges).as_bytes();
        let blocks_of = StoredBlocks { offset, lengths, edges: checksum };
        let end = offset + blocks_of.bytes();
        let record = Record { plane_kind: place.plane_kind, rank, tally, checksums, blocks: Some(blocks_of) };
        // A slice that is compressed again must fill exactly its old place, or it would overwrite the slice behind it.
        let mut finished = lock_of(&self.finished);
        let next = after.and_then(|after| finished.get(&(place.plane_kind, after)));
        if next.is_some_and(|next| next.record.offset() != end) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the compressed size of a slice differs from its size in the journal",
            ));
        }
        finished.insert((place.plane_kind, rank), FinishedSlice { record: record.clone(), is_checked: true });
        drop(finished);
        let mut bytes = Vec::with_capacity((end - offset) as usize);
        blocks.iter().for_each(|block| bytes.extend_from_slice(&block.bytes));
        Ok(Job::Blocks { record, bytes, edges: (place.edge_range(rank).start, edges) })
    }

    /// The edges of a finished slice.
    fn edges(&self, place: &SectionSlices, rank: u64) -> io::Result<Vec<u8>> {
        match self.writer.waiting(place.plane_kind, rank) {
            Some(piece) => Ok(place.take_edges(rank, piece.bytes())),
            None => edges_in(self.edges.as_deref(), place, rank),
        }
    }

    /// Reads a finished slice from the file, and compares it with its checksums if that was not done yet.
    fn read(&self, plane_kind: PlaneKind, rank: u64, planes: &mut [u8]) -> Result<(), StoreFault> {
        let place = self.place(plane_kind);
        let record = match lock_of(&self.finished).get(&(plane_kind, rank)) {
            // Copies no record if nothing is to be compared.
            Some(known) if known.is_checked && place.compression().is_none() => None,
            Some(known) => Some((known.record.clone(), known.is_checked)),
            None => return Err(StoreFault::Damaged),
        };
        match (place.compression(), &record) {
            (Some(_), Some((record, is_checked))) => {
                let stored = record.blocks.as_ref().ok_or(StoreFault::Damaged)?;
                let mut bytes = vec![0; stored.bytes() as usize];
                self.read_parts(&mut bytes, stored.offset)?;
                if !is_checked && !has_checksums(&bytes, record) {
                    return Err(StoreFault::Damaged);
                }
                let edges = self.edges(place, rank)?;
                place.decompress(rank, &bytes, &stored.lengths, &edges, planes).ok_or(StoreFault::Damaged)?;
            }
            _ => {
                self.read_planes(place, rank, planes)?;
                let hash = |unit: &[u8]| *blake3::hash(unit).as_bytes();
                let units: Vec<&[u8]> = place.units(rank, planes).collect();
                let is_so =
                    |record: &Record| units.par_iter().copied().map(hash).eq(record.checksums.par_iter().copied());
                if record.as_ref().is_some_and(|(record, _)| !is_so(record)) {
                    return Err(StoreFault::Damaged);
                }
            }
        }
        if let Some(known) = lock_of(&self.finished).get_mut(&(plane_kind, rank)) {
            known.is_checked = true;
        }
        Ok(())
    }

    /// Reads an uncompressed slice from its places in the file, on all cores of the current rayon pool.
    fn read_planes(&self, place: &SectionSlices, rank: u64, planes: &mut [u8]) -> io::Result<()> {
        let mut parts = place.offsets(rank).zip(planes.chunks_mut(place.plane_bytes(rank)));
        parts.try_for_each(|(offset, plane)| self.read_parts(plane, offset))
    }

    /// Reads `bytes` from the file at `offset`, on all cores of the current rayon pool.
    fn read_parts(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let parts = bytes.par_chunks_mut(PIECE).enumerate();
        parts.try_for_each(|(number, part)| read_at(&self.file, part, offset + (number * PIECE) as u64))
    }
}

/// The layout of each plane kind in the table of `spec` with this header.
fn places(spec: &BuildSpec<'_>, plan: &SlicePlan, header: &Header) -> Vec<Arc<SectionSlices>> {
    let compression = spec.compression_of_slices(plan);
    let mut places: Vec<Arc<SectionSlices>> = Vec::new();
    for (&plane_kind, section) in plan.plane_kinds().iter().zip(&header.sections) {
        let (planes, starts) = (plan.planes(plane_kind), plan.starts(plane_kind));
        let edge = places.last().map_or(0, |place| place.edges_end());
        places.push(Arc::new(SectionSlices::new(plane_kind, section, planes, starts, compression, edge)));
    }
    places
}

/// A callback that notes in `finished` that the bytes of a slice are in the file.
fn remembering(finished: &Arc<Mutex<Finished>>) -> impl Fn(&Record) + Send + use<> {
    let finished = Arc::clone(finished);
    move |record| {
        let known = FinishedSlice { record: record.clone(), is_checked: true };
        lock_of(&finished).insert((record.plane_kind, record.rank), known);
    }
}

/// The edges of a slice, read from the file of edges.
fn edges_in(file: Option<&File>, place: &SectionSlices, rank: u64) -> io::Result<Vec<u8>> {
    let range = place.edge_range(rank);
    let mut edges = vec![0; (range.end - range.start) as usize];
    if let Some(file) = file {
        read_at(file, &mut edges, range.start)?;
    }
    Ok(edges)
}

/// True if `bytes`, the blocks of `record`, have its checksums.
fn has_checksums(bytes: &[u8], record: &Record) -> bool {
    let mut rest = bytes;
    let lengths = record.blocks.iter().flat_map(|blocks| &blocks.lengths);
    let blocks: Vec<&[u8]> = lengths.map(|&length| rest.split_off(..length as usize).unwrap_or_default()).collect();
    blocks.par_iter().map(|block| *blake3::hash(block).as_bytes()).eq(record.checksums.par_iter().copied())
}

fn lock_of(finished: &Mutex<Finished>) -> MutexGuard<'_, Finished> {
    finished.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SliceStore for SliceCheckpoints {
    fn tally(&self, plane_kind: PlaneKind, rank: u64) -> Option<Vec<u64>> {
        lock_of(&self.finished).get(&(plane_kind, rank)).map(|known| known.record.tally.clone())
    }

    fn load(&self, plane_kind: PlaneKind, rank: u64, planes: &mut [u8]) -> Result<(), StoreFault> {
        if let Some(piece) = self.writer.waiting(plane_kind, rank) {
            planes.copy_from_slice(piece.bytes());
            return Ok(());
        }
        self.read(plane_kind, rank, planes)
    }

    fn save(
        &self,
        plane_kind: PlaneKind,
        rank: u64,
        planes: Arc<SliceBuffer>,
        tally: Vec<u64>,
    ) -> Result<(), StoreFault> {
        let place = self.place(plane_kind);
        let job = match place.compression() {
            // The solver waits meanwhile, so all threads are free to compress.
            Some(compression) => self.compressed(place, rank, planes.bytes(), tally, compression)?,
            None => {
                // The thread that writes the slice computes its checksums, which are not needed before.
                let record = Record::in_place(plane_kind, rank, tally);
                let known = FinishedSlice { record: record.clone(), is_checked: true };
                lock_of(&self.finished).insert((plane_kind, rank), known);
                Job::InPlace { record, place: Arc::clone(place) }
            }
        };
        Ok(self.writer.save(job, Some(planes))?)
    }

    fn expect(&self, plane_kind: PlaneKind, rank: u64) {
        let place = self.place(plane_kind);
        if place.compression().is_none() {
            place.offsets(rank).for_each(|offset| expect_read(&self.file, offset, place.plane_bytes(rank) as u64));
        } else if let Some(known) = lock_of(&self.finished).get(&(plane_kind, rank)) {
            expect_read(&self.file, known.record.offset(), known.record.block_bytes());
        }
    }

    fn forget(&self, plane_kind: PlaneKind, rank: u64) {
        lock_of(&self.finished).remove(&(plane_kind, rank));
    }

    fn settle(&self) -> Result<Option<(PlaneKind, u64)>, StoreFault> {
        self.writer.settle()?;
        let unchecked: Vec<_> =
            lock_of(&self.finished).iter().filter(|(_, known)| !known.is_checked).map(|(&key, _)| key).collect();
        let mut planes = Vec::new();
        for (plane_kind, rank) in unchecked {
            planes.resize(self.place(plane_kind).bytes(rank) as usize, 0);
            match self.read(plane_kind, rank, &mut planes) {
                Ok(()) => {}
                Err(StoreFault::Damaged) => return Ok(Some((plane_kind, rank))),
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}
