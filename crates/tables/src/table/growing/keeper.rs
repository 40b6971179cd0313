//! The thread that writes finished regions while others are swept.
//!
//! A region is told to be finished in the journal when its bytes are on disk. To wait for the disk after each region would cost
//! more than to write: bytes are gathered until there are enough, or some time has passed.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::file::write_at;
use super::journal::Record;
use super::place::Place;
use crate::solve::{PlaneKind, SliceBuffer};

/// Bytes that are written before the disk is waited for.
const UNSETTLED: u64 = 256 << 20;
/// The longest that what is written waits for that, at first and later: a build that is soon done is kept as well.
const SHORTEST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(2);

/// Takes records of regions whose bytes are on disk: a journal, or whoever keeps one for this process.
pub(super) type Log = Box<dyn FnMut(&[Record]) -> io::Result<()> + Send>;

/// A region to be written.
pub(super) enum Job {
    /// Its planes, in their places. Its checksums are not made yet.
    Plain {
        /// Without checksums.
        record: Record,
        /// Where it goes.
        place: Arc<Place>,
    },
    /// Its packed blocks, one after the other.
    Packed {
        /// Where they go.
        record: Record,
        /// Their bytes.
        bytes: Vec<u8>,
        /// What it has in the blocks of other regions, and where that goes in its file.
        edges: (u64, Vec<u8>),
    },
}

impl Job {
    /// The bytes that are written to the table, if they are packed.
    pub(super) fn packed_bytes(&self) -> u64 {
        self.record().packed_bytes()
    }

    const fn record(&self) -> &Record {
        match self {
            Self::Plain { record, .. } | Self::Packed { record, .. } => record,
        }
    }
}

/// The thread, and what it has not written yet.
pub(super) struct Keeper {
    shared: Arc<Shared>,
    jobs: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// Who else is told of each region whose bytes are in the file.
    heard: OnceLock<Heard>,
}

/// Is told of regions.
type Heard = Box<dyn Fn(PlaneKind, u64) + Send + Sync>;

#[derive(Default)]
struct State {
    /// Regions that are not in the file yet.
    waiting: HashMap<(PlaneKind, u64), Arc<SliceBuffer>>,
    /// Regions that are finished and not in the journal yet.
    unsettled: usize,
    /// Records of regions whose bytes are in the file.
    written: Vec<Record>,
    /// Whether everything is to be settled now.
    is_urgent: bool,
    /// Whether nobody needs it any more: the disk is not waited for in the end.
    is_over: bool,
    failed: Option<io::Error>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keeper {
    /// Begins to write to `file`, to `edges` if regions have some, and to `log`. `written` is called with each record when its bytes are in the file.
    ///
    /// # Errors
    /// If the system cannot start the thread.
    pub(super) fn new(
        file: Arc<File>,
        edges: Option<Arc<File>>,
        log: Log,
        written: impl Fn(&Record) + Send + 'static,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        // One is being written; the solver waits with the next.
        let (jobs, receiver) = sync_channel(0);
        let (since, patience) = (Instant::now(), SHORTEST);
        let worker = Worker { file, edges, log, shared: Arc::clone(&shared), bytes: 0, since, patience };
        let run = move || worker.run(&receiver, written);
        let thread = std::thread::Builder::new().name("keeper".into()).spawn(run)?;
        Ok(Self { shared, jobs: Some(jobs), thread: Some(thread) })
    }

    /// The piece of the region of rank `rank` if it is not in the file yet.
    pub(super) fn waiting(&self, sheet: PlaneKind, rank: u64) -> Option<Arc<SliceBuffer>> {
        self.shared.state().waiting.get(&(sheet, rank)).map(Arc::clone)
    }

    /// Writes what `job` says soon; waits while another one is written. Until it is in the file, `piece` can be had of it.
    ///
    /// # Errors
    /// If one before it could not be written.
    pub(super) fn save(&self, job: Job, piece: Option<Arc<SliceBuffer>>) -> io::Result<()> {
        let mut state = self.shared.state();
        if let Some(error) = state.failed.take() {
            return Err(error);
        }
        let record = job.record();
        if let Some(piece) = piece {
            state.waiting.insert((record.sheet, record.rank), piece);
        }
        state.unsettled += 1;
        drop(state);
        if self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok()) {
            return Ok(());
        }
        Err(self.shared.state().failed.take().unwrap_or_else(|| io::ErrorKind::BrokenPipe.into()))
    }

    /// Takes the record of a region that another process has written: its bytes are on disk.
    pub(super) fn told(&self, record: Record) {
        let mut state = self.shared.state();
        state.unsettled += 1;
        state.written.push(record);
    }

    /// From now on `heard` is called with each region whose bytes are in the file. The first call counts.
    pub(super) fn on_written(&self, heard: impl Fn(PlaneKind, u64) + Send + Sync + 'static) {
        let _ = self.shared.heard.set(Box::new(heard));
    }

    /// What was saved is not needed any more.
    pub(super) fn abandon(&self) {
        self.shared.state().is_over = true;
    }

    /// Waits until all that was saved is on disk and in the journal.
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

impl Drop for Keeper {
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
    shared: Arc<Shared>,
    /// Bytes written since the disk was last waited for, and when that was.
    bytes: u64,
    since: Instant,
    /// How long it waits for the next time.
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
                // What was saved since is lost, and the solver is told.
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
            Job::Packed { record, bytes, edges: (at, edges) } => {
                write_at(&self.file, &bytes, record.offset)?;
                if let Some(file) = &self.edges {
                    write_at(file, &edges, at)?;
                }
                let bytes = record.packed_bytes();
                (record, bytes)
            }
            Job::Plain { mut record, place } => {
                let piece = self.shared.state().waiting.get(&(record.sheet, record.rank)).map(Arc::clone);
                let piece = piece.unwrap_or_else(|| unreachable!("it waits until it is written"));
                let rank = record.rank;
                for (offset, plane) in place.offsets(rank).zip(piece.bytes().chunks(place.plane_bytes(rank))) {
                    write_at(&self.file, plane, offset)?;
                }
                record.checksums.extend(place.units(rank, piece.bytes()).map(|unit| *blake3::hash(unit).as_bytes()));
                (record, place.bytes(rank))
            }
        };
        // Before it leaves memory: whoever loads it then finds it in the file.
        written(&record);
        let (sheet, rank) = (record.sheet, record.rank);
        let mut state = self.shared.state();
        state.waiting.remove(&(sheet, rank));
        state.written.push(record);
        drop(state);
        self.shared.heard.get().into_iter().for_each(|heard| heard(sheet, rank));
        self.bytes += bytes;
        Ok(())
    }

    /// Waits for the disk, and tells the log.
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
