//! A rank's connection to the other ranks of its job.

use std::io;
use std::num::NonZeroU8;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use super::inbox::{Inbox, State};
use super::message::MessageKind;
use super::transport_thread::{Command, TransportThread};
use super::{ClusterError, Transport, lock};

/// Settings by which a rank works with the others.
#[derive(Clone, Copy, Debug)]
pub struct ClusterConfig {
    /// A rank that has sent nothing for this long counts as dead.
    pub timeout: Duration,
    /// The fixed cost of a slice, as the number of positions that a rank sweeps in the same time. A higher cost makes `build` choose fewer, larger
    /// slices.
    pub slice_cost: u64,
    /// The fixed cost of a slice if all ranks are on one machine, where they read each other's slices from the folder.
    pub slice_cost_on_one_machine: u64,
    /// How long a build of a sparse table runs before it writes its first checkpoint. A build that finishes sooner writes none.
    pub checkpoint_delay: Duration,
}

impl Default for ClusterConfig {
    fn default() -> Self {
        // Measured: a slice costs one core some milliseconds between machines, and a fraction of one on one machine.
        let (slice_cost, slice_cost_on_one_machine) = (1 << 24, 1 << 20);
        let (timeout, checkpoint_delay) = (Duration::from_secs(30), Duration::from_millis(20));
        Self { timeout, slice_cost, slice_cost_on_one_machine, checkpoint_delay }
    }
}

/// A rank's connection to the other ranks of its job.
pub struct Cluster {
    rank: usize,
    size: usize,
    machine: String,
    inbox: Arc<Inbox>,
    commands: Sender<Command>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// The number of collective operations so far. All ranks count alike, so the number tells operations apart.
    collectives: AtomicU64,
    config: ClusterConfig,
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rank {} of {}", self.rank, self.size)
    }
}

impl Cluster {
    /// Joins the job that `connect` connects to. A new thread calls `connect`, and makes all later calls of the transport as well.
    ///
    /// # Errors
    /// If `connect` fails, or the system cannot start the thread.
    pub fn start<T: Transport>(
        connect: impl FnOnce() -> io::Result<T> + Send + 'static,
        config: ClusterConfig,
    ) -> io::Result<Self> {
        let inbox = Arc::new(Inbox::default());
        let ((commands, to_do), (connected, connection)) = (channel(), channel());
        let of_thread = Arc::clone(&inbox);
        let run = move || {
            let transport = match connect() {
                Ok(transport) => transport,
                Err(error) => return drop(connected.send(Err(error))),
            };
            let _ = connected.send(Ok((transport.rank(), transport.size(), transport.machine())));
            drop(connected);
            TransportThread::new(transport, of_thread, to_do, config.timeout).run();
        };
        let thread = std::thread::Builder::new().name("transport".into()).spawn(run)?;
        let (rank, size, machine) = connection.recv().unwrap_or_else(|_| Err(io::Error::other("no transport")))?;
        let (thread, collectives) = (Mutex::new(Some(thread)), AtomicU64::new(0));
        // Without a name, a rank counts as the only one on its machine.
        let machine = machine.unwrap_or_else(|| format!("rank {rank}"));
        Ok(Self { rank, size, machine, inbox, commands, thread, collectives, config })
    }

    /// The number of this rank.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// The number of ranks.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The name of this rank's machine. Ranks on other machines have other names.
    #[must_use]
    pub fn machine(&self) -> &str {
        &self.machine
    }

    /// The settings of this rank.
    #[must_use]
    pub const fn config(&self) -> ClusterConfig {
        self.config
    }

    /// Why the job has failed or ended, if it has.
    #[must_use]
    pub fn error(&self) -> Option<ClusterError> {
        self.inbox.state().error.clone()
    }

    /// The reason as an error if the job has failed or ended.
    pub(crate) fn check(&self) -> Result<(), ClusterError> {
        self.error().map_or(Ok(()), Err)
    }

    /// Returns whether the job has failed or ended.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.inbox.has_failed.load(Ordering::Relaxed)
    }

    /// The number of bytes that this rank has sent to others, and that it has received.
    #[must_use]
    pub fn traffic(&self) -> (u64, u64) {
        (self.inbox.sent.load(Ordering::Relaxed), self.inbox.received.load(Ordering::Relaxed))
    }

    /// The number of bytes in memory that wait to be sent.
    pub(crate) fn unsent(&self) -> u64 {
        self.inbox.queued.load(Ordering::Relaxed) + self.inbox.held.load(Ordering::Relaxed)
    }

    /// Sends a message that [`MessageKind::message`] began to rank `to`, which may be this one, and returns at once.
    pub fn send(&self, to: usize, message: Vec<u8>) {
        if to == self.rank {
            return self.inbox.deliver(to, message);
        }
        self.inbox.queued.fetch_add(message.len() as u64, Ordering::Relaxed);
        // If the thread has ended, the job has failed already.
        let _ = self.commands.send(Command::Send(to, message));
    }

    /// Waits for the next message of `kind`. Returns its sender and all of its bytes.
    pub fn wait(&self, kind: MessageKind) -> Result<(usize, Vec<u8>), ClusterError> {
        self.wait_for(|state| state.queues.get_mut(&kind)?.pop_front())
    }

    /// The number of the next collective operation.
    pub(super) fn next_collective(&self) -> u64 {
        self.collectives.fetch_add(1, Ordering::Relaxed)
    }

    /// Waits for the message of rank `from` in collective operation `number`.
    pub(super) fn wait_for_collective(&self, number: u64, from: usize) -> Result<Vec<u8>, ClusterError> {
        self.inbox.awaits_collective.store(true, Ordering::Relaxed);
        let found = self.wait_for(|state| state.collectives.remove(&(number, from)));
        self.inbox.awaits_collective.store(false, Ordering::Relaxed);
        found
    }

    /// Waits until `find` finds a message or the job fails. Messages that have arrived come before the failure.
    fn wait_for<T>(&self, mut find: impl FnMut(&mut State) -> Option<T>) -> Result<T, ClusterError> {
        self.inbox.wait_until(|state| find(state).map(Ok).or_else(|| state.error.clone().map(Err)))
    }

    /// Reports that this rank cannot continue, with an exit status and an error message. Rank 0 then ends the job.
    pub fn give_up(&self, status: u8, text: &str) {
        let mut message = MessageKind::Failure.message();
        message.push(status);
        message.extend(text.as_bytes());
        if self.rank > 0 {
            self.send(0, message.clone());
        }
        self.inbox.deliver(self.rank, message);
    }

    /// Waits until rank 0 ends the job. Returns the exit status; `None` if rank 0 cannot be reached.
    pub fn wait_for_end(&self) -> Option<u8> {
        // Other failures do not end the wait: rank 0 hears of them and answers with the status.
        self.inbox.wait_until(|state| match state.error {
            Some(ClusterError::Ended { status }) => Some(Some(status)),
            Some(ClusterError::Silent { .. } | ClusterError::Transport(_)) => Some(None),
            _ => None,
        })
    }

    /// Ends the job with `status` if this is rank 0, else leaves it. Aborts all ranks if one of them no longer answers, and then never with
    /// the status of success.
    pub fn end(&self, status: u8) {
        if matches!(self.error(), Some(ClusterError::Silent { .. } | ClusterError::Transport(_))) {
            let _ = self.commands.send(Command::Abort(NonZeroU8::new(status).unwrap_or(NonZeroU8::MIN)));
        } else if self.rank == 0 {
            let mut message = MessageKind::End.message();
            message.push(status);
            (1..self.size).for_each(|rank| self.send(rank, message.clone()));
        } else {
            self.send(0, MessageKind::Leave.message());
        }
        let _ = self.commands.send(Command::Leave);
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::super::thread_ranks::thread_ranks;
    use super::*;

    /// A rank that keeps all messages in memory.
    struct Slow(u64);

    impl Transport for Slow {
        fn rank(&self) -> usize {
            0
        }

        fn size(&self) -> usize {
            2
        }

        fn send(&mut self, _: usize, message: Vec<u8>) -> io::Result<()> {
            self.0 += message.len() as u64;
            Ok(())
        }

        fn receive(&mut self) -> io::Result<Option<(usize, Vec<u8>)>> {
            Ok(None)
        }

        fn unsent(&self) -> u64 {
            self.0
        }
    }

    #[test]
    fn bytes_that_wait_are_counted_before_and_after_the_transport_takes_them() {
        let cluster = Cluster::start(|| Ok(Slow(0)), ClusterConfig::default()).unwrap();
        for sent in 1..=20 {
            cluster.send(1, [MessageKind::Failure.message(), vec![0; 1000]].concat());
            assert!(cluster.unsent() >= sent * 1000, "{sent}");
        }
    }

    /// A rank that sends the status with which it aborts the job.
    struct Aborting(Sender<NonZeroU8>);

    impl Transport for Aborting {
        fn rank(&self) -> usize {
            0
        }

        fn size(&self) -> usize {
            2
        }

        fn send(&mut self, _: usize, _: Vec<u8>) -> io::Result<()> {
            Ok(())
        }

        fn receive(&mut self) -> io::Result<Option<(usize, Vec<u8>)>> {
            Ok(None)
        }

        fn abort(&mut self, status: NonZeroU8) {
            let _ = self.0.send(status);
        }
    }

    #[test]
    fn a_job_that_lost_a_rank_is_not_aborted_as_a_success() {
        for (status, expected) in [(0, 1), (1, 1), (4, 4)] {
            let (abort, aborted) = channel();
            let cluster = Cluster::start(move || Ok(Aborting(abort)), ClusterConfig::default()).unwrap();
            cluster.inbox.fail(ClusterError::Silent { rank: 1, seconds: 31 });
            cluster.end(status);
            assert_eq!(aborted.recv().unwrap().get(), expected, "{status}");
        }
    }

    #[test]
    fn the_status_of_the_job_reaches_the_rank_that_waits_for_its_end() {
        let mut ranks = thread_ranks(2).into_iter();
        let mut start = || {
            let rank = ranks.next().unwrap();
            Cluster::start(move || Ok(rank), ClusterConfig::default()).unwrap()
        };
        let (first, second) = (start(), start());
        second.give_up(4, "no memory");
        let first = std::thread::spawn(move || first.end(3));
        assert_eq!(second.wait_for_end(), Some(3));
        second.end(3);
        first.join().unwrap();
    }
}
