//! An unfinished table by regions, checkpointed region by region.
//!
//! The file holds compressed blocks: of each finished region the outcomes, then the plies in 16 bits. A region is finished when its
//! bytes are on disk and the journal says so; its records have the place of the region in place of the rank of a slice. The solver reads
//! regions back from here, and so does the writer of the table, which gets its sections block by block ([`RegionSections`](super::RegionSections)).

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::folder::{JOURNAL, TABLE, begin, clear};
use super::journal::{Journal, Record, StoredBlocks, Subject};
use super::writer::{CheckpointWriter, Job, journal_log};
use super::{Unfinished, open_file};
use crate::compressed::{DEFAULT_LEVEL, compress, decompress};
use crate::domain::Domain;
use crate::label::{Label, LabelSet, Remoteness};
use crate::regions::Regions;
use crate::rules::{Descriptor, Rules};
use crate::solve::{PlaneKind, SolveError};
use crate::table::file::read_at;
use crate::table::header::Header;
use crate::table::lock::BuildLock;
use crate::table::{TableError, TableFault};
use tablegen_reach::regions::{RegionLabels, RegionStore};

/// Bytes of a block before compression.
const BLOCK: usize = 1 << 20;
const KINDS: [PlaneKind; 2] = [PlaneKind::Outcomes, PlaneKind::Label(Remoteness::KIND)];

/// The specification of a table that is built region by region.
#[derive(Clone, Copy)]
pub struct RegionBuildSpec<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The name of the game's family and its parameters.
    pub descriptor: &'a Descriptor,
    /// The domain, by regions.
    pub domain: &'a Domain,
}

impl RegionBuildSpec<'_> {
    /// The subject that identifies the table's journal.
    fn subject(&self) -> Subject {
        let header = Header::empty(self.rules, self.descriptor, self.domain.clone(), LabelSet::BEST_PLAY);
        let identity = header.map_or([0; 32], |header| *blake3::hash(&header.encode()).as_bytes());
        Subject { identity, slice_cells: 0, raw: false }
    }
}

impl Unfinished {
    /// The state of `folder` for a build of `spec` region by region.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of_regions(folder: &Path, spec: &RegionBuildSpec<'_>) -> Result<Self, TableError> {
        Self::of_subject(folder, &spec.subject())
    }
}

/// An unfinished table, checkpointed region by region.
pub struct RegionCheckpoints {
    folder: PathBuf,
    file: Arc<File>,
    regions: Arc<Regions>,
    /// The finished regions: their outcomes and their plies.
    finished: HashMap<usize, [Record; 2]>,
    /// The offset after all blocks.
    end: u64,
    resumed: u64,
    writer: CheckpointWriter,
    lock: Arc<BuildLock>,
}

impl RegionCheckpoints {
    /// Opens or creates the unfinished table of `spec` in `folder`. Files of another table are removed.
    ///
    /// # Errors
    /// If another process builds it, or the folder cannot be made, read or written.
    ///
    /// # Panics
    /// If the domain of `spec` is not by regions.
    pub fn open(folder: &Path, spec: &RegionBuildSpec<'_>) -> Result<Self, TableError> {
        let Domain::Regions { regions, .. } = spec.domain else { unreachable!("the domain is by regions") };
        let (regions, subject) = (Arc::clone(regions), spec.subject());
        let open = |lock| Self::locked(folder, subject, regions, lock);
        begin(folder, &subject, open).map_err(TableError::at(folder))
    }

    fn locked(
        folder: &Path,
        subject: Subject,
        regions: Arc<Regions>,
        lock: Arc<BuildLock>,
    ) -> Result<Self, TableFault> {
        let file = Arc::new(open_file(&folder.join(TABLE))?);
        let length = file.metadata()?.len();
        let (journal, records) = Journal::open(&folder.join(JOURNAL), subject)?;
        let mut halves: HashMap<usize, [Option<Record>; 2]> = HashMap::new();
        for record in records {
            let kind = KINDS.iter().position(|&kind| kind == record.plane_kind);
            let end = record.offset().checked_add(record.block_bytes());
            // A file that was cut short does not hold all that the journal says.
            if let (Some(kind), true) = (kind, end.is_some_and(|end| end <= length)) {
                let region = record.rank as usize;
                halves.entry(region).or_default()[kind] = Some(record);
            }
        }
        let whole = halves.into_iter().filter_map(|(region, halves)| match halves {
            [Some(outcomes), Some(plies)] => Some((region, [outcomes, plies])),
            _ => None,
        });
        let mut finished: HashMap<usize, [Record; 2]> = whole.collect();
        // Regions that were changed on disk are solved again.
        let is_sound = |record: &Record| {
            let lengths = record.blocks.iter().flat_map(|blocks| &blocks.lengths);
            let mut offset = record.offset();
            let blocks = lengths.zip(&record.checksums).map(|(&length, checksum)| {
                offset += u64::from(length);
                (offset - u64::from(length), length, checksum)
            });
            let blocks: Vec<_> = blocks.collect();
            blocks.into_par_iter().all(|(offset, length, checksum)| {
                let mut bytes = vec![0; length as usize];
                read_at(&file, &mut bytes, offset).is_ok() && blake3::hash(&bytes).as_bytes() == checksum
            })
        };
        finished.retain(|_, records| records.iter().all(is_sound));
        let end = finished.values().flatten().map(|record| record.offset() + record.block_bytes()).max().unwrap_or(0);
        let writer = CheckpointWriter::new(Arc::clone(&file), None, journal_log(journal, &lock, folder), |_| {})?;
        let resumed = finished.len() as u64;
        Ok(Self { folder: folder.to_owned(), file, regions, finished, end, resumed, writer, lock })
    }

    /// The number of regions that an earlier build had finished.
    #[must_use]
    pub const fn resumed(&self) -> u64 {
        self.resumed
    }

    /// The most plies of a label in the finished regions, without draws by repetition.
    #[must_use]
    pub fn longest(&self) -> u16 {
        let longest = |[_, plies]: &[Record; 2]| plies.tally.first().map_or(0, |&longest| longest as u16);
        self.finished.values().map(longest).max().unwrap_or(0)
    }

    /// Removes the checkpoints, after the table is stored.
    pub fn remove(self) {
        self.writer.abandon();
        drop(self.writer);
        // Leftover files do no harm.
        let _ = clear(&self.folder, self.lock);
    }

    fn save(&mut self, region: usize, kind: usize, raw: &[u8], longest: u16) -> io::Result<()> {
        let blocks: Vec<_> = raw.par_chunks(BLOCK).map(|block| compress(block, DEFAULT_LEVEL)).collect();
        let lengths: Vec<u32> = blocks.iter().map(|block| block.bytes.len() as u32).collect();
        let checksums = blocks.iter().map(|block| block.checksum).collect();
        let mut bytes = Vec::with_capacity(lengths.iter().map(|&length| length as usize).sum());
        blocks.into_iter().for_each(|block| bytes.extend(block.bytes));
        let blocks = Some(StoredBlocks { offset: self.end, lengths, edges: [0; 32] });
        let tally = vec![longest.into()];
        let record = Record { plane_kind: KINDS[kind], rank: region as u64, tally, checksums, blocks };
        self.end += record.block_bytes();
        let whole = record.clone();
        self.writer.save(Job::Blocks { record, bytes, edges: (0, Vec::new()) }, None)?;
        let known = self.finished.entry(region).or_insert_with(|| [whole.clone(), whole.clone()]);
        known[kind] = whole;
        Ok(())
    }

    /// Reads the bytes `range` of a kind of labels of a finished region, of which `whole` is the number.
    fn read(&self, region: usize, kind: usize, whole: usize, range: Range<usize>) -> io::Result<Vec<u8>> {
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "a finished region was changed on disk");
        let record = &self.finished.get(&region).ok_or_else(damaged)?[kind];
        let lengths = record.blocks.as_ref().map_or(&[][..], |blocks| &blocks.lengths);
        let (first, last) = (range.start / BLOCK, range.end.div_ceil(BLOCK));
        let mut offset = record.offset() + lengths.iter().take(first).map(|&length| u64::from(length)).sum::<u64>();
        let mut blocks = Vec::with_capacity(last - first);
        for block in first..last {
            let (&length, &checksum) = lengths.get(block).zip(record.checksums.get(block)).ok_or_else(damaged)?;
            blocks.push((offset, length, checksum));
            offset += u64::from(length);
        }
        let (from, to) = (first * BLOCK, (last * BLOCK).min(whole));
        let mut raw = vec![0; to - from];
        raw.par_chunks_mut(BLOCK).zip(blocks).try_for_each(|(raw, (offset, length, checksum))| {
            let mut bytes = vec![0; length as usize];
            read_at(&self.file, &mut bytes, offset)?;
            let is_sound = *blake3::hash(&bytes).as_bytes() == checksum && decompress(&bytes, raw).is_some();
            if is_sound { Ok(()) } else { Err(damaged()) }
        })?;
        raw.drain(..range.start - from);
        raw.truncate(range.len());
        Ok(raw)
    }

    /// The outcomes of the ranks `ranks` of a region, two bits each, beginning with that of the first rank down to a multiple of four.
    pub(super) fn outcomes(&self, region: usize, ranks: &Range<u32>) -> io::Result<Vec<u8>> {
        let whole = outcome_bytes(self.size(region));
        self.read(region, 0, whole, ranks.start as usize / 4..(ranks.end as usize).div_ceil(4))
    }

    /// The plies of the ranks `ranks` of a region, 16 bits each.
    pub(super) fn plies(&self, region: usize, ranks: &Range<u32>) -> io::Result<Vec<u8>> {
        self.read(region, 1, 2 * self.size(region), 2 * ranks.start as usize..2 * ranks.end as usize)
    }

    pub(super) const fn regions(&self) -> &Arc<Regions> {
        &self.regions
    }

    fn size(&self, region: usize) -> usize {
        self.regions.regions()[region].shape.size as usize
    }
}

/// Bytes of the outcomes of `size` positions: whole words.
const fn outcome_bytes(size: usize) -> usize {
    size.div_ceil(32) * 8
}

fn failed(error: io::Error) -> SolveError {
    SolveError::Store(error)
}

impl RegionStore for RegionCheckpoints {
    fn is_finished(&self, region: usize) -> bool {
        self.finished.contains_key(&region)
    }

    fn keep(&mut self, region: usize, labels: RegionLabels) -> Result<(), SolveError> {
        let RegionLabels { outcomes, plies, longest } = labels;
        let words: Vec<u8> = outcomes.iter().flat_map(|word| word.to_le_bytes()).collect();
        drop(outcomes);
        self.save(region, 0, &words, longest).map_err(failed)?;
        drop(words);
        let mut bytes = vec![0; 2 * plies.len()];
        bytes.par_chunks_mut(BLOCK).zip(plies.par_chunks(BLOCK / 2)).for_each(|(to, from)| {
            to.chunks_exact_mut(2).zip(from).for_each(|(to, plies)| to.copy_from_slice(&plies.to_le_bytes()));
        });
        drop(plies);
        self.save(region, 1, &bytes, longest).map_err(failed)
    }

    fn group_is_finished(&mut self) -> Result<(), SolveError> {
        self.lock.check().map_err(|fault| failed(io::Error::other(fault)))?;
        self.writer.settle().map_err(failed)
    }

    fn load(&self, region: usize) -> Result<Arc<RegionLabels>, SolveError> {
        let all = 0..self.size(region) as u32;
        let words = self.read(region, 0, outcome_bytes(self.size(region)), 0..outcome_bytes(self.size(region)));
        let words = words.map_err(failed)?;
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let outcomes = words.par_chunks(8).map(word).collect::<Vec<u64>>().into_boxed_slice();
        drop(words);
        let bytes = self.plies(region, &all).map_err(failed)?;
        let plies = |bytes: &[u8]| u16::from(bytes[0]) | u16::from(bytes[1]) << 8;
        let plies = bytes.par_chunks_exact(2).map(plies).collect::<Vec<u16>>().into_boxed_slice();
        let longest = self.finished.get(&region).and_then(|[_, plies]| plies.tally.first().copied()).unwrap_or(0);
        Ok(Arc::new(RegionLabels { outcomes, plies, longest: longest as u16 }))
    }
}
