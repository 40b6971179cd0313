//! Collective operations: all ranks take part in each of them, in the same order.

use std::io;

use super::message::MessageKind;
use super::{Cluster, ClusterError};
use crate::solve::Communicator;

/// Bytes of a collective message before its contents: its kind, and the number of the operation.
const HEAD: usize = 1 + size_of::<u64>();

impl Cluster {
    /// Sends `parts[rank]` to each rank, and returns what each rank sent to this one, by rank. All that is sent and received is in memory
    /// at once.
    pub(crate) fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, ClusterError> {
        debug_assert_eq!(parts.len(), self.size(), "one part for each rank");
        let number = self.next_collective();
        for (to, part) in parts.into_iter().enumerate() {
            let mut message = MessageKind::Collective.message();
            message.reserve_exact(HEAD - 1 + part.len());
            message.extend(number.to_le_bytes());
            message.extend(part);
            self.send(to, message);
        }
        let from = |rank: usize| {
            let mut message = self.wait_for_collective(number, rank)?;
            message.drain(..HEAD);
            Ok(message)
        };
        (0..self.size()).map(from).collect()
    }

    /// Sends `own` to all ranks, and returns what each rank sent, by rank.
    pub fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, ClusterError> {
        self.all_to_all(vec![own.to_vec(); self.size()])
    }

    /// Sends the numbers `own` to all ranks, and returns the numbers of each rank.
    pub fn all_gather_numbers<const N: usize>(&self, own: [u64; N]) -> Result<Vec<[u64; N]>, ClusterError> {
        let all = self.all_gather(own.map(u64::to_le_bytes).as_flattened())?;
        let of = |bytes: Vec<u8>| {
            let mut numbers = bytes.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number));
            std::array::from_fn(|_| numbers.next().unwrap_or_default())
        };
        Ok(all.into_iter().map(of).collect())
    }
}

impl Communicator for Cluster {
    fn rank(&self) -> usize {
        self.rank()
    }

    fn size(&self) -> usize {
        self.size()
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>> {
        Self::all_to_all(self, parts).map_err(io::Error::other)
    }
}
