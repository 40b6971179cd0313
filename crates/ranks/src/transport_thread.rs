//! The thread that sends and receives the messages of a rank.
//!
//! It makes all calls of the transport, because MPI may allow calls from one thread only. It runs beside the threads that sweep, so a rank
//! sends heartbeats even during hours of sweeping. Each rank sends them to rank 0, and rank 0 to each. A rank that sends nothing for too long
//! counts as dead, and the job fails.

use std::io;
use std::num::NonZeroU8;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use super::inbox::Inbox;
use super::message::MessageKind;
use super::{ClusterError, Transport};

/// The exit status of a job that loses a rank or its transport.
const LOST: NonZeroU8 = NonZeroU8::MIN;
/// Heartbeats that a rank sends within the timeout.
const HEARTBEATS: u32 = 6;
/// The pause between two looks for messages while messages arrive.
const SHORTEST_PAUSE: Duration = Duration::from_micros(20);
/// The pause that an idle thread doubles up to.
const LONGEST_PAUSE: Duration = Duration::from_micros(500);

/// A request to the transport thread.
pub(super) enum Command {
    /// Send a message to a rank.
    Send(usize, Vec<u8>),
    /// Leave the job: rank 0 waits for the other ranks, which wait until their messages are sent.
    Leave,
    /// End all ranks with a status.
    Abort(NonZeroU8),
}

/// The next action of the thread.
enum Next {
    /// Messages came or went: look again soon.
    Soon,
    /// Nothing happened: pause for longer.
    Pause,
    Stop,
}

/// The state of the transport thread.
pub(super) struct TransportThread<T> {
    transport: T,
    inbox: Arc<Inbox>,
    commands: Receiver<Command>,
    /// When each rank last sent a message.
    last_heard: Vec<Instant>,
    /// When this rank last sent heartbeats.
    last_heartbeat: Instant,
    timeout: Duration,
}

impl<T: Transport> TransportThread<T> {
    pub(super) fn new(transport: T, inbox: Arc<Inbox>, commands: Receiver<Command>, timeout: Duration) -> Self {
        let last_heard = vec![Instant::now(); transport.size()];
        Self { transport, inbox, commands, last_heard, last_heartbeat: Instant::now(), timeout }
    }

    /// Sends and receives until the job ends.
    pub(super) fn run(mut self) {
        let mut pause = SHORTEST_PAUSE;
        loop {
            match self.step(pause) {
                Ok(Next::Soon) => pause = SHORTEST_PAUSE,
                // A collective operation takes microseconds; a longer pause would dominate its time.
                Ok(Next::Pause) if self.inbox.awaits_collective.load(Ordering::Relaxed) => pause = SHORTEST_PAUSE,
                Ok(Next::Pause) => pause = (pause * 2).min(LONGEST_PAUSE),
                Ok(Next::Stop) => return,
                Err(error) => {
                    self.inbox.fail(ClusterError::Transport(error.to_string()));
                    return self.transport.abort(LOST);
                }
            }
        }
    }

    /// Executes all commands, waiting up to `pause` for the first one; then receives, and sends heartbeats if they are due.
    fn step(&mut self, pause: Duration) -> io::Result<Next> {
        let mut next = Next::Pause;
        let mut command = self.commands.recv_timeout(pause);
        loop {
            match command {
                Ok(Command::Send(to, message)) => {
                    next = Next::Soon;
                    let bytes = message.len() as u64;
                    self.transport.send(to, message)?;
                    self.inbox.held.store(self.transport.unsent(), Ordering::Relaxed);
                    self.inbox.queued.fetch_sub(bytes, Ordering::Relaxed);
                    self.inbox.sent.fetch_add(bytes, Ordering::Relaxed);
                }
                Ok(Command::Leave) => return self.leave(),
                Ok(Command::Abort(status)) => {
                    self.transport.abort(status);
                    return Ok(Next::Stop);
                }
                Err(RecvTimeoutError::Timeout) => break,
                // The process unwinds without having left the job.
                Err(RecvTimeoutError::Disconnected) => {
                    self.transport.abort(LOST);
                    return Ok(Next::Stop);
                }
            }
            command = self.commands.try_recv().map_err(|error| match error {
                TryRecvError::Empty => RecvTimeoutError::Timeout,
                TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
            });
        }
        if self.receive()? {
            next = Next::Soon;
        }
        self.send_heartbeats()?;
        Ok(next)
    }

    /// Receives all messages that have arrived. Returns whether there were any.
    fn receive(&mut self) -> io::Result<bool> {
        let mut any = false;
        loop {
            let received = self.transport.receive()?;
            self.inbox.held.store(self.transport.unsent(), Ordering::Relaxed);
            let Some((from, message)) = received else { return Ok(any) };
            any = true;
            self.last_heard[from] = Instant::now();
            self.inbox.received.fetch_add(message.len() as u64, Ordering::Relaxed);
            self.inbox.deliver(from, message);
        }
    }

    /// Sends heartbeats if they are due, and fails the job if a rank has been silent for too long.
    fn send_heartbeats(&mut self) -> io::Result<()> {
        if self.last_heartbeat.elapsed() < self.timeout / HEARTBEATS {
            return Ok(());
        }
        self.last_heartbeat = Instant::now();
        let others = if self.transport.rank() == 0 { 1..self.transport.size() } else { 0..1 };
        for rank in others {
            let has_departed = self.inbox.state().departed.contains(&rank);
            if has_departed {
                continue;
            }
            self.transport.send(rank, MessageKind::Heartbeat.message())?;
            let silence = self.last_heard[rank].elapsed();
            if silence > self.timeout {
                self.inbox.fail(ClusterError::Silent { rank, seconds: silence.as_secs() });
            }
        }
        Ok(())
    }

    /// Waits until all messages are sent and, on rank 0, until all other ranks have left. Aborts the job at the timeout.
    fn leave(&mut self) -> io::Result<Next> {
        let begun = Instant::now();
        let others = if self.transport.rank() == 0 { self.transport.size() - 1 } else { 0 };
        while begun.elapsed() < self.timeout {
            self.receive()?;
            if self.inbox.state().departed.len() >= others && self.transport.unsent() == 0 {
                return Ok(Next::Stop);
            }
            std::thread::sleep(LONGEST_PAUSE);
        }
        self.transport.abort(LOST);
        Ok(Next::Stop)
    }
}
