//! What the flood of `orbits` exchanges with other ranks.

use std::borrow::Cow;
use std::sync::atomic::AtomicU64;

use super::checkpoint::LoadedKeys;
use super::lists::Lists;
use crate::SolveError;
use crate::reachable::KeyWord;

/// The successors that each task has found: the codes of its successors by shard, for each number of levels that a move rises.
pub(super) type Found<P> = Vec<Vec<Lists<P>>>;

/// The ranks that find positions together, as one of them sees them. Each owns some of the shards into which the top bits of
/// their codes partition the positions. The default of each method is right for a rank that is alone.
pub(super) trait Exchange<P: KeyWord>: Sync {
    /// The number of ranks.
    fn size(&self) -> usize {
        1
    }

    /// Returns whether this rank owns the positions of shard `shard`.
    fn owns(&self, _shard: usize) -> bool {
        true
    }

    /// Positions whose successors are found before they are added to their levels.
    fn batch(&self) -> usize {
        1 << 20
    }

    /// Sends what rank 0 has `loaded` to all ranks, without the keys.
    fn loaded(&self, loaded: LoadedKeys) -> Result<LoadedKeys, SolveError> {
        Ok(loaded)
    }

    /// This rank's share of the sorted `codes` of a level, which only rank 0 has.
    fn share(&self, codes: Vec<P>) -> Result<Vec<P>, SolveError> {
        Ok(codes)
    }

    /// The number of positions of all ranks in a level, of which this rank has `count` in `batches` batches, and the largest number
    /// of batches of a rank.
    fn totals(&mut self, count: u64, batches: usize) -> Result<(u64, usize), SolveError> {
        Ok((count, batches))
    }

    /// On rank 0, the positions of all ranks in a level, of which this rank has `shards`; `None` on other ranks.
    fn gather<'s>(&self, shards: &'s [Vec<P>]) -> Result<Option<Cow<'s, [Vec<P>]>>, SolveError> {
        Ok(Some(Cow::Borrowed(shards)))
    }

    /// Sends the successors that were `found` from level `level` to the ranks that own them, and returns those that this rank owns. Adds
    /// the bytes that this takes to `taken`.
    fn deliver(&self, _level: u32, found: Found<P>, _taken: &AtomicU64) -> Result<Found<P>, SolveError> {
        Ok(found)
    }

    /// Takes the positions of this rank in level `level`, whose successors are found.
    fn keep(&mut self, _level: u32, _shards: Vec<Vec<P>>) {}

    /// Bytes of the positions that were taken.
    fn kept_bytes(&self) -> u64 {
        0
    }
}

/// The only rank.
pub(super) struct Alone;

impl<P: KeyWord> Exchange<P> for Alone {}
