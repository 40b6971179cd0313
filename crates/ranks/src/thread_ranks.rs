//! Ranks that are threads of one process, for tests.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::Transport;

/// A rank that is a thread of this process.
pub struct ThreadRank {
    rank: usize,
    senders: Vec<Sender<(usize, Vec<u8>)>>,
    receiver: Receiver<(usize, Vec<u8>)>,
}

/// The `size` ranks of a job in this process, by rank.
#[must_use]
pub fn thread_ranks(size: usize) -> Vec<ThreadRank> {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..size).map(|_| channel()).unzip();
    let of = |(rank, receiver)| ThreadRank { rank, senders: senders.clone(), receiver };
    receivers.into_iter().enumerate().map(of).collect()
}

impl Transport for ThreadRank {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.senders.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) -> io::Result<()> {
        // Sending fails only if the receiving thread has ended; the trait lets such messages get lost.
        let _ = self.senders[to].send((self.rank, message));
        Ok(())
    }

    fn receive(&mut self) -> io::Result<Option<(usize, Vec<u8>)>> {
        Ok(self.receiver.try_recv().ok())
    }
}
