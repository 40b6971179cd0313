//! The thread that writes finished slices while others are swept.
//!
//! The journal may say that a slice is finished only when the slice's bytes are on disk. Waiting for the disk after
//! each slice would take longer than writing. So the thread syncs only after enough bytes were written or enough time
//! has passed.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::journal::{Journal, Record};
use super::place::SectionSlices;
use crate::solve::{PlaneKind, SliceBuffer};
use crate::table::TableError;
use crate::table::file::write_at;
use crate::table::lock::BuildLock;

/// Bytes that are written between two syncs.
const UNSETTLED: u64 = 256 << 20;
/// The longest time from a write to its sync: short at first, so that even a quick build leaves checkpoints, then
/// longer.
const SHORTEST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(2);

/// Receives the records of slices whose bytes are on disk: writes them to a journal, or sends them to the process that
/// keeps it.
pub(super) type Log = Box<dyn FnMut(&[Record]) -> io::Result<()> + Send>;

/// Writes records to `journal`, as long as `lock` holds `folder`.
pub(super) fn journal_log(mut journal: Journal, lock: &Arc<BuildLock>, folder: &Path) -> Log {
    let (lock, folder) = (Arc::clone(lock), folder.to_owned());
    Box::new(move |records: &[Record]| {
        lock.check().map_err(|fault| io::Error::other(TableError::at(&folder)(fault)))?;
        journal.add(records)
    })
}

/// A slice to be written.
pub(super) enum Job {
    /// An uncompressed slice: its bit planes are written to their places. Its checksums are not computed yet.
    InPlace {
        /// The record, still without checksums.
        record: Record,
        /// The offsets at which the bit planes are written.
        place: Arc<SectionSlices>,
    },
    /// Blocks that are written one after the other: a compressed slice, or an uncompressed level.
    Blocks {
        /// The record, which has the offset of the blocks.
        record: Record,
        /// The blocks' bytes.
        bytes: Vec<u8>,
        /// The slice's edges, and their offset in the file of edges.
        edges: (u64, Vec<u8>),
    },
}

impl Job {
    /// The number of bytes in blocks that are written one after the other.
    pub(super) fn block_bytes(&self) -> u64 {
        self.record().block_bytes()
    }

    const fn record(&self) -> &Record {
        match self {
            Self::InPlace { record, .. } | Self::Blocks { record, .. } => record,
        }
    }
}

/// A handle to the writing thread, and the slices that it has not written yet.
pub(super) struct CheckpointWriter {
    shared: Arc<WriterShared>,
    jobs: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct WriterShared {
    state: Mutex<WriterState>,
    changed: Condvar,
    /// The callback for each slice whose bytes are in the file.
    heard: OnceLock<Heard>,
}

/// A callback that receives the plane kind and the rank of a slice.
type Heard = Box<dyn Fn(PlaneKind, u64) + Send + Sync>;

#[derive(Default)]
struct WriterState {
    /// Slices that are not in the file yet.
    waiting: HashMap<(PlaneKind, u64), Arc<SliceBuffer>>,
    /// The number of slices that are saved but not in the journal yet.
    unsettled: usize,
    /// Records of slices whose bytes are in the file but not synced.
    written: Vec<Record>,
    /// Sync at once.
    is_urgent: bool,
    /// The table is no longer needed: skip the last sync.
    is_over: bool,
    failed: Option<io::Error>,
}

impl WriterShared {
    fn state(&self) -> MutexGuard<'_, WriterState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CheckpointWriter {
    /// Starts the thread, which writes to `file`, to `edges` if slices have edges, and to `log`. It calls `written`
    /// with each record when the record's bytes are in the file.
    ///
    /// # Errors
    /// If the system cannot start the thread.
    pub(super) fn new(
        file: Arc<File>,
        edges: Option<Arc<File>>,
        log: Log,
        written: impl Fn(&Record) + Send + 'static,
    ) -> io::Result<Self> {
        let shared = Arc::new(WriterShared::default());
        // A channel without room: while one job is being written, the solver waits with the next.
        let (jobs, receiver) = sync_channel(0);
        let (since, patience) = (Instant::now(), SHORTEST);
        let worker = Worker { file, edges, log, shared: Arc::clone(&shared), bytes: 0, since, patience };
        let run = move || worker.run(&receiver, written);
        let thread = std::thread::Builder::new().name("checkpoints".into()).spawn(run)?;
        Ok(Self { shared, jobs: Some(jobs), thread: Some(thread) })
    }

    /// The bytes of the slice of rank `rank` if they are not in the file yet.
    pub(super) fn waiting(&self, plane_kind: PlaneKind, rank: u64) -> Option<Arc<SliceBuffer>> {
        self.shared.state().waiting.get(&(plane_kind, rank)).map(Arc::clone)
    }

    /// Queues `job`, and waits while another job is being written. Until the slice is in the file,
    /// [`waiting`](Self::waiting) returns `piece`.
    ///
    /// # Errors
    /// If an earlier job could not be written.
    pub(super) fn save(&self, job: Job, piece: Option<Arc<SliceBuffer>>) -> io::Result<()> {
        let mut state = self.shared.state();
        if let Some(error) = state.failed.take() {
            return Err(error);
        }
        let record = job.record();
        if let Some(piece) = piece {
            state.waiting.insert((record.plane_kind, record.rank), piece);
        }
        state.unsettled += 1;
        drop(state);
        if self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok()) {
            return Ok(());
        }
        Err(self.shared.state().failed.take().unwrap_or_else(|| io::ErrorKind::BrokenPipe.into()))
    }

    /// Takes the record of a slice that another process has written and synced.
    pub(super) fn note_finished(&self, record: Record) {
        let mut state = self.shared.state();
        state.unsettled += 1;
        state.written.push(record);
    }

    /// Calls `heard` from now on with each slice whose bytes are in the file. Only the first call of this function
    /// counts.
    pub(super) fn on_written(&self, heard: impl Fn(PlaneKind, u64) + Send + Sync + 'static) {
        let _ = self.shared.heard.set(Box::new(heard));
    }

    /// Says that the saved slices are no longer needed.
    pub(super) fn abandon(&self) {
        self.shared.state().is_over = true;
    }

    /// Waits until all saved slices are on disk and in the journal.
    ///
    /// # Errors
    /// If something could not be written.
    pub(super) fn settle(&self) -> io::Result<()> {
        let mut state = self.shared.state();
        state.is_urgent = true;
        while state.unsettled > 0 && state.failed.is_none() {
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.is_urgent = false;
        state.failed.take().map_or(Ok(()), Err)
    }
}

impl Drop for CheckpointWriter {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Worker {
    file: Arc<File>,
    edges: Option<Arc<File>>,
    log: Log,
    shared: Arc<WriterShared>,
    /// Bytes written since the last sync, and the time of that sync.
    bytes: u64,
    since: Instant,
    /// The longest time until the next sync.
    patience: Duration,
}

impl Worker {
    fn run(mut self, jobs: &Receiver<Job>, written: impl Fn(&Record)) {
        loop {
            let result = match jobs.recv_timeout(Duration::from_millis(20)) {
                Ok(job) => self.write(job, &written),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => {
                    let is_over = self.shared.state().is_over;
                    let _ = if is_over { Ok(()) } else { self.settle().map_err(|error| self.fail(error)) };
                    return;
                }
            };
            let is_due =
                self.bytes >= UNSETTLED || self.since.elapsed() >= self.patience || self.shared.state().is_urgent;
            let result = result.and_then(|()| if is_due { self.settle() } else { Ok(()) });
            if let Err(error) = result {
                // Slices saved since the last sync are lost, and the solver learns of the error.
                return self.fail(error);
            }
        }
    }

    fn fail(&self, error: io::Error) {
        self.shared.state().failed = Some(error);
        self.shared.changed.notify_all();
    }

    fn write(&mut self, job: Job, written: &impl Fn(&Record)) -> io::Result<()> {
        let (record, bytes) = match job {
            Job::Blocks { record, bytes, edges: (at, edges) } => {
                write_at(&self.file, &bytes, record.offset())?;
                if let Some(file) = &self.edges {
                    write_at(file, &edges, at)?;
                }
                let bytes = record.block_bytes();
                (record, bytes)
            }
            Job::InPlace { mut record, place } => {
                let piece = self.shared.state().waiting.get(&(record.plane_kind, record.rank)).map(Arc::clone);
                let piece = piece.unwrap_or_else(|| unreachable!("it waits until it is written"));
                let rank = record.rank;
                for (offset, plane) in place.offsets(rank).zip(piece.bytes().chunks(place.plane_bytes(rank))) {
                    write_at(&self.file, plane, offset)?;
                }
                record.checksums.extend(place.units(rank, piece.bytes()).map(|unit| *blake3::hash(unit).as_bytes()));
                (record, place.bytes(rank))
            }
        };
        // Before the slice leaves memory, so that a thread that loads it next finds it in the file.
        written(&record);
        let (plane_kind, rank) = (record.plane_kind, record.rank);
        let mut state = self.shared.state();
        state.waiting.remove(&(plane_kind, rank));
        state.written.push(record);
        drop(state);
        self.shared.heard.get().into_iter().for_each(|heard| heard(plane_kind, rank));
        self.bytes += bytes;
        Ok(())
    }

    /// Syncs the files, then passes the records to the log.
    fn settle(&mut self) -> io::Result<()> {
        let records = std::mem::take(&mut self.shared.state().written);
        if !records.is_empty() {
            self.file.sync_data()?;
            if let Some(edges) = &self.edges {
                edges.sync_data()?;
            }
            (self.log)(&records)?;
            self.patience = (self.patience * 2).min(LONGEST);
        }
        (self.bytes, self.since) = (0, Instant::now());
        self.shared.state().unsettled -= records.len();
        self.shared.changed.notify_all();
        Ok(())
    }
}
