//! What all ranks do at once. Each of them must do the same, in the same order.

use std::io;

use super::post::Mail;
use super::{Cluster, Lost};
use crate::solve::Exchange;

/// Bytes of a letter before what it brings: what it is about, and its turn.
const HEAD: usize = 9;

impl Cluster {
    /// Gives each rank what is listed for it, and gets what each has for this one, by rank. Together no rank should send more at
    /// once than there is memory for.
    pub(crate) fn exchange(&self, parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        debug_assert_eq!(parts.len(), self.size(), "something for each");
        let turn = self.next_turn();
        for (to, part) in parts.into_iter().enumerate() {
            let mut letter = Mail::Together.letter();
            letter.reserve_exact(HEAD - 1 + part.len());
            letter.extend(turn.to_le_bytes());
            letter.extend(part);
            self.send(to, letter);
        }
        let of = |from: usize| {
            let mut letter = self.wait_for_turn(turn, from)?;
            letter.drain(..HEAD);
            Ok(letter)
        };
        (0..self.size()).map(of).collect()
    }

    /// Tells all ranks, and gets what each tells, by rank.
    pub(crate) fn tell_all(&self, what: &[u8]) -> Result<Vec<Vec<u8>>, Lost> {
        self.exchange(vec![what.to_vec(); self.size()])
    }
}

impl Exchange for Cluster {
    fn process(&self) -> usize {
        self.rank()
    }

    fn processes(&self) -> usize {
        self.size()
    }

    fn exchange(&self, parts: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>> {
        Self::exchange(self, parts).map_err(io::Error::other)
    }
}
