//! What all ranks do at once. Each of them must do the same, in the same order.

use std::io;

use super::post::Mail;
use super::{Cluster, Lost};
use crate::solve::{CommonMemory, Exchange};

/// Bytes of a letter before what it brings: what it is about, and its turn.
const HEAD: usize = 9;

impl Cluster {
    /// Gives each rank what is listed for it, and gets what each has for this one, by rank. Together no rank should send more at
    /// once than there is memory for.
    pub(crate) fn exchange(&self, parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        self.exchange_of(&vec![true; self.size()], parts)
    }

    /// The same, where only some ranks have something for others: those that are among `tellers`. What the rest have is left out.
    pub(crate) fn exchange_of(&self, tellers: &[bool], parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        debug_assert_eq!([parts.len(), tellers.len()], [self.size(); 2], "something for each");
        let turn = self.next_turn();
        for (to, part) in parts.into_iter().enumerate().filter(|_| tellers[self.rank()]) {
            let mut letter = Mail::Together.letter();
            letter.reserve_exact(HEAD - 1 + part.len());
            letter.extend(turn.to_le_bytes());
            letter.extend(part);
            self.send(to, letter);
        }
        let of = |from: usize| {
            if !tellers[from] {
                return Ok(Vec::new());
            }
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

    fn exchange_of(&self, tellers: &[bool], parts: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>> {
        Self::exchange_of(self, tellers, parts).map_err(io::Error::other)
    }

    fn common_memory(&self) -> io::Result<Option<Box<dyn CommonMemory>>> {
        self.meet_in_memory().map_err(io::Error::other)
    }

    fn most_alike(&self) -> usize {
        self.manners().most_alike
    }

    fn an_exchange(&self) -> u64 {
        self.manners().an_exchange
    }
}
