//! Shards: the codes of an incomplete level, partitioned by their top bits.

use std::collections::TryReserveError;

use super::sort::{SortBuffers, sort};
use crate::reachable::KeyWord;

/// The codes of a level with the same top bits, without these bits.
#[derive(Clone, Default)]
pub(super) struct Shard<P> {
    pub(super) codes: Vec<P>,
    /// The first `sorted` codes are sorted and distinct.
    pub(super) sorted: usize,
}

impl<P: KeyWord> Shard<P> {
    /// Sorts the codes, of `bits` bits, and drops duplicates.
    pub(super) fn sort(&mut self, bits: u32, buffers: &mut SortBuffers<P>) -> Result<(), TryReserveError> {
        if self.codes.len() > self.sorted {
            sort(&mut self.codes, bits, buffers)?;
            self.codes.dedup();
            self.sorted = self.codes.len();
        }
        Ok(())
    }
}
