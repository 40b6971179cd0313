//! The messages that a rank has received, sorted by kind.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::message::MessageKind;
use super::{ClusterError, lock};

/// Received messages and counters, which the transport thread shares with the threads that work.
#[derive(Default)]
pub(super) struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
    /// Bytes that were handed to the transport thread and not yet to the transport.
    pub(super) queued: AtomicU64,
    /// Bytes that the transport still holds in memory.
    pub(super) held: AtomicU64,
    pub(super) sent: AtomicU64,
    pub(super) received: AtomicU64,
    /// True if a thread waits for a collective operation. The transport thread then looks for messages more often.
    pub(super) awaits_collective: AtomicBool,
    /// True if `state.error` is set, readable without the lock.
    pub(super) has_failed: AtomicBool,
}

/// The part of an [`Inbox`] behind its lock.
#[derive(Default)]
pub(super) struct State {
    /// Orders and slice messages with their senders, the oldest first.
    pub(super) queues: HashMap<MessageKind, VecDeque<(usize, Vec<u8>)>>,
    /// Parts of collective operations, by the number of the operation and the sender.
    pub(super) collectives: HashMap<(u64, usize), Vec<u8>>,
    pub(super) error: Option<ClusterError>,
    /// Ranks that have left the job as planned.
    pub(super) departed: Vec<usize>,
}

impl Inbox {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Waits until `find` finds something in the state.
    pub(super) fn wait_until<T>(&self, mut find: impl FnMut(&mut State) -> Option<T>) -> T {
        let mut state = self.state();
        loop {
            if let Some(found) = find(&mut state) {
                return found;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Records why the job fails; the first reason stays.
    pub(super) fn fail(&self, error: ClusterError) {
        self.state().error.get_or_insert(error);
        self.has_failed.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Files a message and wakes the threads that wait for one. Messages without sense are dropped.
    pub(super) fn deliver(&self, from: usize, message: Vec<u8>) {
        let Some(kind) = message.first().copied().and_then(MessageKind::of) else { return };
        let body = &message[1..];
        let mut state = self.state();
        match kind {
            MessageKind::Heartbeat => return,
            MessageKind::Collective => {
                let Some((number, _)) = body.split_first_chunk() else { return };
                state.collectives.insert((u64::from_le_bytes(*number), from), message);
            }
            MessageKind::Failure => {
                let Some((&status, text)) = body.split_first() else { return };
                let message = String::from_utf8_lossy(text).into_owned();
                state.error.get_or_insert(ClusterError::Failed { rank: from, status, message });
            }
            MessageKind::End => {
                let status = body.first().copied().unwrap_or_default();
                // Rank 0 decides the exit status of all ranks, so this replaces any other error.
                state.error = Some(ClusterError::Ended { status });
            }
            MessageKind::Leave => state.departed.push(from),
            MessageKind::Order | MessageKind::Slice => state.queues.entry(kind).or_default().push_back((from, message)),
        }
        self.has_failed.store(state.error.is_some(), Ordering::Relaxed);
        drop(state);
        self.changed.notify_all();
    }
}
