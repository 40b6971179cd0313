//! The thread that sends and receives for a rank, and what the others of the process ask it for.
//!
//! It makes all calls of the transport. What comes is sorted into mailboxes, and whoever waits for it is woken. It works while others
//! sweep, so that a rank that sweeps for hours is heard of all the time: each other rank sends rank 0 a sign of life now and then, and
//! rank 0 each of them. Who is not heard of for too long is taken for dead, and that ends the job.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Ranks;

/// Signs of life within the time after which a rank is taken for dead.
const BEATS: u32 = 6;
/// How long the thread sleeps between two looks for messages: while some come, and at most.
const SHORTEST: Duration = Duration::from_micros(20);
const LONGEST: Duration = Duration::from_micros(500);

/// How a rank deals with others.
#[derive(Clone, Copy, Debug)]
pub struct Manners {
    /// A rank that is not heard of for so long is taken for dead.
    pub patience: Duration,
    /// What a region takes besides its positions, in positions that are swept meanwhile: the more, the fewer regions.
    pub a_region: u64,
    /// The same where all ranks are on one machine, and read each other's regions where they lie.
    pub a_region_beside: u64,
    /// Whether this rank behaves as if it did not see the folder of the table.
    pub apart: bool,
    /// Whether this rank behaves as if it were alone on its machine.
    pub remote: bool,
    /// How long ranks find what play reaches before they begin to keep it on disk: what is soon done is not kept.
    pub quiet: Duration,
}

impl Default for Manners {
    fn default() -> Self {
        // A region: some milliseconds of one core, and a part of one.
        let (a_region, a_region_beside) = (1 << 24, 1 << 20);
        let (patience, quiet) = (Duration::from_secs(30), Duration::from_millis(20));
        Self { patience, a_region, a_region_beside, apart: false, remote: false, quiet }
    }
}

/// Why the ranks do not go on together.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Lost {
    /// One of them is not heard of any more.
    #[error("rank {rank} has not been heard of for {seconds} seconds: its process or its machine has ended")]
    Silent {
        /// Its number.
        rank: usize,
        /// How long.
        seconds: u64,
    },
    /// One of them could not go on.
    #[error("rank {rank}: {message}")]
    Failed {
        /// Its number.
        rank: usize,
        /// The kind of failure, as the ranks number them among themselves.
        status: u8,
        /// Why.
        message: String,
    },
    /// Messages cannot be sent or received.
    #[error("the ranks cannot reach each other: {0}")]
    Transport(String),
    /// Rank 0 has ended the job.
    #[error("rank 0 has ended the job")]
    Ended {
        /// With which status.
        status: u8,
    },
}

/// What a message is about: its first byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(crate) enum Mail {
    /// A sign of life.
    Beat = 0,
    /// A part of what all ranks do at once.
    Together = 1,
    /// What rank 0 wants others to do.
    Order = 2,
    /// About regions.
    Regions = 3,
    /// A rank cannot go on.
    Failed = 4,
    /// Rank 0 ends the job.
    End = 5,
    /// A rank will not be heard of any more, as it should be.
    Bye = 6,
}

impl Mail {
    /// A letter about it, to be gone on with.
    pub(crate) fn letter(self) -> Vec<u8> {
        vec![self as u8]
    }

    fn of(byte: u8) -> Option<Self> {
        let all = [Self::Beat, Self::Together, Self::Order, Self::Regions, Self::Failed, Self::End, Self::Bye];
        all.into_iter().find(|&mail| mail as u8 == byte)
    }
}

/// The ranks of a job, as one of them sees them.
pub struct Cluster {
    rank: usize,
    size: usize,
    shared: Arc<Shared>,
    out: Sender<Out>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// How many things were done together.
    turn: AtomicU64,
    manners: Manners,
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rank {} of {}", self.rank, self.size)
    }
}

/// What the thread is asked to do.
enum Out {
    Letter(usize, Vec<u8>),
    /// To leave the job, when the others do.
    Leave,
    Abort(i32),
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// Bytes that wait to be sent: those that the transport does not know of yet, and those that it still has in memory.
    queued: AtomicU64,
    held: AtomicU64,
    sent: AtomicU64,
    received: AtomicU64,
    /// Whether this rank does nothing but wait for what another one tells all.
    waits: AtomicBool,
    /// Whether the state says so.
    is_lost: AtomicBool,
}

#[derive(Default)]
struct State {
    mail: HashMap<Mail, VecDeque<(usize, Vec<u8>)>>,
    together: HashMap<(u64, usize), Vec<u8>>,
    lost: Option<Lost>,
    /// Which ranks said goodbye.
    gone: Vec<usize>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lose(&self, lost: Lost) {
        self.state().lost.get_or_insert(lost);
        self.is_lost.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Puts a letter where it is looked for.
    fn sort(&self, from: usize, letter: Vec<u8>) {
        let Some(mail) = letter.first().copied().and_then(Mail::of) else { return };
        let body = &letter[1..];
        let mut state = self.state();
        match mail {
            Mail::Beat => return,
            Mail::Together => {
                let Some((turn, _)) = body.split_first_chunk() else { return };
                state.together.insert((u64::from_le_bytes(*turn), from), letter);
            }
            Mail::Failed => {
                let Some((&status, message)) = body.split_first() else { return };
                let message = String::from_utf8_lossy(message).into_owned();
                state.lost.get_or_insert(Lost::Failed { rank: from, status, message });
            }
            Mail::End => {
                let status = body.first().copied().unwrap_or_default();
                // Whatever else is known: rank 0 has the last word.
                state.lost = Some(Lost::Ended { status });
            }
            Mail::Bye => state.gone.push(from),
            Mail::Order | Mail::Regions => state.mail.entry(mail).or_default().push_back((from, letter)),
        }
        self.is_lost.store(state.lost.is_some(), Ordering::Relaxed);
        drop(state);
        self.changed.notify_all();
    }
}

impl Cluster {
    /// Joins the job whose transport `make` makes, on the thread that makes all calls of it.
    ///
    /// # Errors
    /// If there is none, or the system cannot start the thread.
    pub fn start<R: Ranks>(
        make: impl FnOnce() -> io::Result<R> + Send + 'static,
        manners: Manners,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let ((out, letters), (tell, told)) = (channel(), channel());
        let of_thread = Arc::clone(&shared);
        let run = move || {
            let ranks = match make() {
                Ok(ranks) => ranks,
                Err(error) => return drop(tell.send(Err(error))),
            };
            let _ = tell.send(Ok((ranks.rank(), ranks.size())));
            drop(tell);
            let heard = vec![Instant::now(); ranks.size()];
            Post { ranks, shared: of_thread, letters, heard, beaten: Instant::now(), patience: manners.patience }.run();
        };
        let thread = std::thread::Builder::new().name("post".into()).spawn(run)?;
        let (rank, size) = told.recv().unwrap_or_else(|_| Err(io::Error::other("no transport")))?;
        let (thread, turn) = (Mutex::new(Some(thread)), AtomicU64::new(0));
        Ok(Self { rank, size, shared, out, thread, turn, manners })
    }

    /// The number of this process.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// How many processes there are.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// How it deals with others.
    #[must_use]
    pub const fn manners(&self) -> Manners {
        self.manners
    }

    /// Why the ranks do not go on, if they do not.
    #[must_use]
    pub fn lost(&self) -> Option<Lost> {
        self.shared.state().lost.clone()
    }

    /// Whether the ranks do not go on.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.shared.is_lost.load(Ordering::Relaxed)
    }

    /// Bytes that this rank has sent to others, and received.
    #[must_use]
    pub fn traffic(&self) -> (u64, u64) {
        (self.shared.sent.load(Ordering::Relaxed), self.shared.received.load(Ordering::Relaxed))
    }

    /// Bytes that wait to be sent.
    pub(crate) fn unsent(&self) -> u64 {
        self.shared.queued.load(Ordering::Relaxed) + self.shared.held.load(Ordering::Relaxed)
    }

    /// Sends a letter, which begins as [`Mail::letter`] has it.
    pub(crate) fn send(&self, to: usize, letter: Vec<u8>) {
        if to == self.rank {
            return self.shared.sort(to, letter);
        }
        self.shared.queued.fetch_add(letter.len() as u64, Ordering::Relaxed);
        // Without the thread the job is lost already.
        let _ = self.out.send(Out::Letter(to, letter));
    }

    /// Waits for the next letter about `mail`: who sent it, and all of it.
    pub(crate) fn wait(&self, mail: Mail) -> Result<(usize, Vec<u8>), Lost> {
        self.wait_for(|state| state.mail.get_mut(&mail)?.pop_front())
    }

    /// The next number of something that all ranks do together.
    pub(super) fn next_turn(&self) -> u64 {
        self.turn.fetch_add(1, Ordering::Relaxed)
    }

    /// Waits for what the rank `from` sends for `turn`.
    pub(super) fn wait_for_turn(&self, turn: u64, from: usize) -> Result<Vec<u8>, Lost> {
        self.shared.waits.store(true, Ordering::Relaxed);
        let found = self.wait_for(|state| state.together.remove(&(turn, from)));
        self.shared.waits.store(false, Ordering::Relaxed);
        found
    }

    fn wait_for<T>(&self, mut look: impl FnMut(&mut State) -> Option<T>) -> Result<T, Lost> {
        let mut state = self.shared.state();
        loop {
            if let Some(found) = look(&mut state) {
                return Ok(found);
            }
            if let Some(lost) = &state.lost {
                return Err(lost.clone());
            }
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// From now on this rank cannot go on: whoever waits for others is told, and so is rank 0, which ends the job.
    pub fn give_up(&self, status: u8, message: &str) {
        let mut letter = Mail::Failed.letter();
        letter.push(status);
        letter.extend(message.as_bytes());
        if self.rank > 0 {
            self.send(0, letter.clone());
        }
        self.shared.sort(self.rank, letter);
    }

    /// Waits until rank 0 ends the job. The status with which it does; `None` if rank 0 is lost.
    pub fn wait_for_end(&self) -> Option<u8> {
        let ended = |state: &mut State| match state.lost {
            Some(Lost::Ended { status }) => Some(Some(status)),
            Some(Lost::Silent { .. } | Lost::Transport(_)) => Some(None),
            _ => None,
        };
        // A failure that this rank knows of is told to rank 0, which ends the job.
        let mut state = self.shared.state();
        loop {
            if let Some(found) = ended(&mut state) {
                return found;
            }
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends the job with `status`, as rank 0 does; other ranks leave it. Where a rank is lost, all that is left of the job is ended.
    pub fn end(&self, status: u8) {
        if matches!(self.lost(), Some(Lost::Silent { .. } | Lost::Transport(_))) {
            let _ = self.out.send(Out::Abort(status.into()));
        } else if self.rank == 0 {
            let mut letter = Mail::End.letter();
            letter.push(status);
            (1..self.size).for_each(|rank| self.send(rank, letter.clone()));
        } else {
            self.send(0, Mail::Bye.letter());
        }
        let _ = self.out.send(Out::Leave);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

/// The thread.
struct Post<R> {
    ranks: R,
    shared: Arc<Shared>,
    letters: Receiver<Out>,
    /// When each rank was last heard of.
    heard: Vec<Instant>,
    /// When signs of life were last sent.
    beaten: Instant,
    patience: Duration,
}

impl<R: Ranks> Post<R> {
    fn run(mut self) {
        let mut pause = SHORTEST;
        loop {
            match self.turn(pause) {
                Ok(Turn::Busy) => pause = SHORTEST,
                // A short exchange would take its time from longer sleep.
                Ok(Turn::Idle) if self.shared.waits.load(Ordering::Relaxed) => pause = SHORTEST,
                Ok(Turn::Idle) => pause = (pause * 2).min(LONGEST),
                Ok(Turn::Over) => return,
                Err(error) => {
                    self.shared.lose(Lost::Transport(error.to_string()));
                    return self.ranks.abort(1);
                }
            }
        }
    }

    /// Sends what is to be sent, for at most `pause` if nothing is, and receives what has come.
    fn turn(&mut self, pause: Duration) -> io::Result<Turn> {
        let mut turn = Turn::Idle;
        let mut next = self.letters.recv_timeout(pause);
        loop {
            match next {
                Ok(Out::Letter(to, letter)) => {
                    turn = Turn::Busy;
                    let bytes = letter.len() as u64;
                    self.ranks.send(to, letter)?;
                    self.shared.held.store(self.ranks.unsent(), Ordering::Relaxed);
                    self.shared.queued.fetch_sub(bytes, Ordering::Relaxed);
                    self.shared.sent.fetch_add(bytes, Ordering::Relaxed);
                }
                Ok(Out::Leave) => return self.leave(),
                Ok(Out::Abort(status)) => {
                    self.ranks.abort(status);
                    return Ok(Turn::Over);
                }
                Err(RecvTimeoutError::Timeout) => break,
                // The process goes down, and nobody can say why.
                Err(RecvTimeoutError::Disconnected) => {
                    self.ranks.abort(1);
                    return Ok(Turn::Over);
                }
            }
            next = self.letters.try_recv().map_err(|error| match error {
                std::sync::mpsc::TryRecvError::Empty => RecvTimeoutError::Timeout,
                std::sync::mpsc::TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
            });
        }
        if self.receive()? {
            turn = Turn::Busy;
        }
        self.beat()?;
        Ok(turn)
    }

    /// Receives all that has come; whether that was something.
    fn receive(&mut self) -> io::Result<bool> {
        let mut any = false;
        loop {
            let received = self.ranks.receive()?;
            self.shared.held.store(self.ranks.unsent(), Ordering::Relaxed);
            let Some((from, letter)) = received else { return Ok(any) };
            any = true;
            self.heard[from] = Instant::now();
            self.shared.received.fetch_add(letter.len() as u64, Ordering::Relaxed);
            self.shared.sort(from, letter);
        }
    }

    /// Sends signs of life, and looks who gives none.
    fn beat(&mut self) -> io::Result<()> {
        if self.beaten.elapsed() < self.patience / BEATS {
            return Ok(());
        }
        self.beaten = Instant::now();
        let others = if self.ranks.rank() == 0 { 1..self.ranks.size() } else { 0..1 };
        for rank in others {
            let is_gone = self.shared.state().gone.contains(&rank);
            if is_gone {
                continue;
            }
            self.ranks.send(rank, Mail::Beat.letter())?;
            let silence = self.heard[rank].elapsed();
            if silence > self.patience {
                self.shared.lose(Lost::Silent { rank, seconds: silence.as_secs() });
            }
        }
        Ok(())
    }

    /// Waits until the others have left, if this is rank 0; until all is sent, otherwise.
    fn leave(&mut self) -> io::Result<Turn> {
        let begun = Instant::now();
        let others = if self.ranks.rank() == 0 { self.ranks.size() - 1 } else { 0 };
        while begun.elapsed() < self.patience {
            self.receive()?;
            if self.shared.state().gone.len() >= others && self.ranks.unsent() == 0 {
                return Ok(Turn::Over);
            }
            std::thread::sleep(LONGEST);
        }
        self.ranks.abort(1);
        Ok(Turn::Over)
    }
}

/// What was done.
enum Turn {
    Busy,
    Idle,
    Over,
}
