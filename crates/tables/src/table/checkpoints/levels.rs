//! An unfinished sparse table, checkpointed level by level.
//!
//! The file holds the same bytes as the sections of the table. First come the keys of all levels, the lowest first.
//! Then come the labels, one label kind after the other, each in the order of levels. A level is finished when its
//! bytes are on disk and the journal says so. A record has the number of the level in place of the rank of a slice.
//! Bytes that were changed in between are found by their checksums when they are read.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::folder::{JOURNAL, TABLE, begin};
use super::journal::{Journal, Record, StoredBlocks, Subject};
use super::writer::{CheckpointWriter, Job, journal_log};
use super::{LevelBuildSpec, Unfinished, has_checksums, open_file};
use crate::solve::{LevelStore, PlaneKind, SavedLevel};
use crate::table::file::read_at;
use crate::table::lock::BuildLock;
use crate::table::{TableError, TableFault};

/// Bytes covered by one checksum.
const BLOCK: usize = 1 << 20;

/// Checks free disk space for two numbers of bytes: the bytes still to be written to the folder, and the finished
/// table's bytes.
pub type Room = Box<dyn Fn(u64, u64) -> io::Result<()> + Send + Sync>;

/// An unfinished sparse table, checkpointed level by level.
pub struct LevelCheckpoints {
    folder: PathBuf,
    subject: Subject,
    room: Room,
    /// The start of the build, and the time before which nothing is written: quick builds need no checkpoint.
    quiet: (Instant, Duration),
    state: Mutex<FolderState>,
    /// Levels that were loaded from the file: their keys, and their labels of each kind.
    resumed: [AtomicU64; 2],
}

enum FolderState {
    /// The saved levels are only in memory so far.
    Waiting(Vec<Job>),
    Open(Open),
}

struct Open {
    file: Arc<File>,
    /// The records of levels that an earlier process finished.
    known: HashMap<(PlaneKind, u64), Record>,
    writer: CheckpointWriter,
    /// The lock, held as long as the table is open.
    _lock: Arc<BuildLock>,
}

impl Open {
    fn new(folder: &Path, subject: &Subject) -> Result<Self, TableFault> {
        begin(folder, subject, |lock| Self::locked(folder, subject, lock))
    }

    fn locked(folder: &Path, subject: &Subject, lock: Arc<BuildLock>) -> Result<Self, TableFault> {
        let file = Arc::new(open_file(&folder.join(TABLE))?);
        let (journal, records) = Journal::open(&folder.join(JOURNAL), *subject)?;
        let known = records.into_iter().map(|record| ((record.plane_kind, record.rank), record)).collect();
        let log = journal_log(journal, &lock, folder);
        let writer = CheckpointWriter::new(Arc::clone(&file), None, log, |_| {})?;
        Ok(Self { file, known, writer, _lock: lock })
    }

    /// Reads the bytes of `record`; `None` if they are missing or changed.
    fn read(&self, record: &Record) -> io::Result<Option<Vec<u8>>> {
        let length = self.file.metadata()?.len();
        // The file may have been cut short: find out before allocating memory.
        if record.offset().checked_add(record.block_bytes()).is_none_or(|end| end > length) {
            return Ok(None);
        }
        let mut bytes = vec![0; record.block_bytes() as usize];
        let parts = bytes.par_chunks_mut(BLOCK).enumerate();
        parts.try_for_each(|(number, part)| read_at(&self.file, part, record.offset() + (number * BLOCK) as u64))?;
        Ok(has_checksums(&bytes, record).then_some(bytes))
    }
}

impl LevelCheckpoints {
    /// Resumes the table of `spec` in `folder`. If there is none, checkpoints begin after the time `quiet`; files of
    /// another table are removed then.
    ///
    /// # Errors
    /// If another process builds it, or the folder cannot be read or written.
    pub fn new(folder: &Path, spec: &LevelBuildSpec<'_>, quiet: Duration, room: Room) -> Result<Self, TableError> {
        let subject = spec.subject();
        let state = match Unfinished::of_levels(folder, spec)? {
            Unfinished::Same { .. } => FolderState::Open(Open::new(folder, &subject).map_err(TableError::at(folder))?),
            Unfinished::None | Unfinished::Other => FolderState::Waiting(Vec::new()),
        };
        let (folder, state, quiet) = (folder.to_owned(), Mutex::new(state), (Instant::now(), quiet));
        Ok(Self { folder, subject, room, quiet, state, resumed: Default::default() })
    }

    /// The number of levels whose keys were resumed, and the number of (level, label kind) pairs that were resumed.
    #[must_use]
    pub fn resumed(&self) -> (u64, u64) {
        let [keys, labels] = &self.resumed;
        (keys.load(Ordering::Relaxed), labels.load(Ordering::Relaxed))
    }

    /// Says that the finished table is stored: closes the checkpoint files, which the caller may then remove.
    pub fn close(self) {
        if let FolderState::Open(open) = &*self.state() {
            open.writer.abandon();
        }
    }

    fn state(&self) -> MutexGuard<'_, FolderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LevelStore for LevelCheckpoints {
    fn load(&self, plane_kind: PlaneKind, level: u32) -> io::Result<Option<SavedLevel>> {
        let mut state = self.state();
        let FolderState::Open(open) = &mut *state else { return Ok(None) };
        // Each record is loaded at most once.
        let Some(record) = open.known.remove(&(plane_kind, level.into())) else { return Ok(None) };
        let Some(bytes) = open.read(&record)? else { return Ok(None) };
        if !bytes.is_empty() {
            self.resumed[usize::from(plane_kind != PlaneKind::Reached)].fetch_add(1, Ordering::Relaxed);
        }
        Ok(Some(SavedLevel { bytes, tally: record.tally }))
    }

    fn save(&self, plane_kind: PlaneKind, level: u32, offset: u64, saved: SavedLevel) -> io::Result<()> {
        let SavedLevel { bytes, tally } = saved;
        let checksums = bytes.par_chunks(BLOCK).map(|block| *blake3::hash(block).as_bytes()).collect();
        let lengths = bytes.chunks(BLOCK).map(|block| block.len() as u32).collect();
        let blocks = Some(StoredBlocks { offset, lengths, edges: [0; 32] });
        let record = Record { plane_kind, rank: level.into(), tally, checksums, blocks };
        let job = Job::Blocks { record, bytes, edges: (0, Vec::new()) };
        let mut state = self.state();
        let jobs = match &mut *state {
            FolderState::Open(_) => vec![job],
            FolderState::Waiting(jobs) => {
                jobs.push(job);
                let (begun, quiet) = self.quiet;
                if begun.elapsed() < quiet {
                    return Ok(());
                }
                let jobs = std::mem::take(jobs);
                let open = Open::new(&self.folder, &self.subject).map_err(TableError::at(&self.folder));
                *state = FolderState::Open(open.map_err(io::Error::other)?);
                jobs
            }
        };
        let FolderState::Open(open) = &*state else { return Ok(()) };
        (self.room)(jobs.iter().map(Job::block_bytes).sum(), 0)?;
        jobs.into_iter().try_for_each(|job| open.writer.save(job, None))
    }

    fn expect(&self, labels: u64, table: u64) -> io::Result<()> {
        let saved = match &*self.state() {
            // Free space is checked when the first level is written.
            FolderState::Waiting(_) => return Ok(()),
            FolderState::Open(open) => {
                let labels = open.known.values().filter(|record| record.plane_kind != PlaneKind::Reached);
                labels.map(Record::block_bytes).sum::<u64>()
            }
        };
        (self.room)(labels.saturating_sub(saved), table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::LabelSet;
    use crate::rules::{Descriptor, Rules, RulesSpec};
    use crate::symmetry::Group;

    fn open(folder: &Path, rules: &Rules, quiet: Duration, most: u64) -> Result<LevelCheckpoints, TableError> {
        let descriptor = Descriptor::default();
        let (group, labels) = (Group::trivial(), LabelSet::OUTCOME);
        let spec = LevelBuildSpec { rules, descriptor: &descriptor, roots: &[], group, labels };
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let room = move |levels: u64, table: u64| if levels + table > most { Err(full()) } else { Ok(()) };
        LevelCheckpoints::new(folder, &spec, quiet, Box::new(room))
    }

    fn saved(number: u8) -> SavedLevel {
        SavedLevel { bytes: vec![number; BLOCK + 9], tally: vec![number.into(), 7] }
    }

    #[test]
    fn unchanged_levels_are_resumed() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("some.tb.building");
        let rules = RulesSpec::new("some", 9).build().unwrap();
        let outcome = PlaneKind::Outcomes;
        let all = [(PlaneKind::Reached, 0), (PlaneKind::Reached, 2), (outcome, 2), (outcome, 0)];
        let levels = open(&folder, &rules, Duration::ZERO, u64::MAX).unwrap();
        for (number, &(plane_kind, level)) in all.iter().enumerate() {
            levels.save(plane_kind, level, (number * (BLOCK + 9)) as u64, saved(number as u8)).unwrap();
        }
        // A second build of the same table must fail.
        let busy = open(&folder, &rules, Duration::ZERO, u64::MAX).err().expect("it is locked");
        assert!(matches!(busy.fault, TableFault::Busy { .. }), "{busy}");
        drop(levels);
        let levels = open(&folder, &rules, Duration::ZERO, u64::MAX).unwrap();
        for (number, &(plane_kind, level)) in all.iter().enumerate() {
            assert_eq!(levels.load(plane_kind, level).unwrap(), Some(saved(number as u8)));
        }
        assert_eq!(levels.load(outcome, 1).unwrap(), None);
        assert_eq!(levels.resumed(), (2, 2));
        drop(levels);
        let table = folder.join(TABLE);
        let mut bytes = std::fs::read(&table).unwrap();
        bytes[BLOCK + 9] ^= 1;
        bytes.pop();
        std::fs::write(&table, bytes).unwrap();
        let levels = open(&folder, &rules, Duration::ZERO, u64::MAX).unwrap();
        let found: Vec<bool> =
            all.iter().map(|&(plane_kind, at)| levels.load(plane_kind, at).unwrap().is_some()).collect();
        assert_eq!((found, levels.resumed()), (vec![true, false, true, false], (1, 1)));
    }

    /// Nothing is written before the quiet time is over, or if there is no room for all of it.
    #[test]
    fn nothing_is_written_in_the_quiet_time_or_without_room() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("some.tb.building");
        let rules = RulesSpec::new("some", 9).build().unwrap();
        let levels = open(&folder, &rules, Duration::MAX, u64::MAX).unwrap();
        levels.save(PlaneKind::Reached, 0, 0, saved(0)).unwrap();
        levels.expect(1 << 40, 1 << 50).unwrap();
        drop(levels);
        assert!(!folder.exists());
        let levels = open(&folder, &rules, Duration::from_millis(30), 4 << 20).unwrap();
        levels.save(PlaneKind::Reached, 0, 0, saved(0)).unwrap();
        assert!(!folder.exists());
        std::thread::sleep(Duration::from_millis(40));
        levels.save(PlaneKind::Reached, 1, saved(0).bytes.len() as u64, saved(1)).unwrap();
        levels.expect(2 << 20, 2 << 20).unwrap();
        assert_eq!(levels.expect(2 << 20, 3 << 20).unwrap_err().kind(), io::ErrorKind::StorageFull);
        let large = SavedLevel { bytes: vec![0; 5 << 20], tally: Vec::new() };
        assert_eq!(levels.save(PlaneKind::Reached, 2, 4 << 20, large).unwrap_err().kind(), io::ErrorKind::StorageFull);
        drop(levels);
        let levels = open(&folder, &rules, Duration::ZERO, 2 << 20).unwrap();
        assert_eq!(levels.load(PlaneKind::Reached, 0).unwrap(), Some(saved(0)));
        assert_eq!(levels.load(PlaneKind::Reached, 1).unwrap(), Some(saved(1)));
    }
}
