//! Ranks that are threads of one process.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::Ranks;

/// One of the ranks that [`local`] makes.
pub struct Local {
    rank: usize,
    senders: Vec<Sender<(usize, Vec<u8>)>>,
    receiver: Receiver<(usize, Vec<u8>)>,
}

/// `size` ranks that are threads of this process, in their order.
#[must_use]
pub fn local(size: usize) -> Vec<Local> {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..size).map(|_| channel()).unzip();
    let of = |(rank, receiver)| Local { rank, senders: senders.clone(), receiver };
    receivers.into_iter().enumerate().map(of).collect()
}

impl Ranks for Local {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.senders.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) -> io::Result<()> {
        // Whoever has ended misses it.
        let _ = self.senders[to].send((self.rank, message));
        Ok(())
    }

    fn receive(&mut self) -> io::Result<Option<(usize, Vec<u8>)>> {
        Ok(self.receiver.try_recv().ok())
    }
}
