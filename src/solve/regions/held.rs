//! The pieces that are in memory, and what a store shows.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::store::{Piece, View};
use crate::solve::SolveError;
use crate::solve::memory::Memory;

/// Pieces of one sheet in memory, by region, and memory that is free for others. Each piece is here once.
pub(in crate::solve) struct Held {
    pieces: HashMap<u64, View>,
    /// Those that are needed no more, but that a store may still write.
    retired: Vec<Arc<Piece>>,
    /// Bytes of memory up to which what is free is kept for pieces of the same size.
    most: u64,
    /// Bytes of memory that were given out and not given back to the system.
    given: u64,
}

impl Held {
    /// None. Of memory that is free, no more is kept than makes `most` bytes with all that is in use.
    pub(in crate::solve) fn new(most: u64) -> Self {
        Self { pieces: HashMap::new(), retired: Vec::new(), most, given: 0 }
    }

    /// Memory for a piece of `bytes` bytes; what it holds is not specified.
    ///
    /// # Errors
    /// If there is not enough.
    pub(in crate::solve) fn room(&mut self, bytes: u64) -> Result<Piece, SolveError> {
        let is_free = |piece: &Arc<Piece>| Arc::strong_count(piece) == 1;
        let fits = |piece: &Arc<Piece>| is_free(piece) && piece.bytes().len() as u64 == bytes;
        if let Some(place) = self.retired.iter().position(fits)
            && let Ok(piece) = Arc::try_unwrap(self.retired.swap_remove(place))
        {
            return Ok(piece);
        }
        self.shed(bytes);
        let piece = Memory::new(bytes, None).map(Piece)?;
        self.given += bytes;
        Ok(piece)
    }

    /// Gives free memory back to the system until there is room for `more` bytes.
    fn shed(&mut self, more: u64) {
        while self.given.saturating_add(more) > self.most {
            let free = self.retired.iter().position(|piece| Arc::strong_count(piece) == 1);
            let Some(free) = free else { break };
            self.given -= self.retired.swap_remove(free).bytes().len() as u64;
        }
    }

    /// Keeps the piece of `region`.
    pub(in crate::solve) fn keep(&mut self, region: u64, piece: Arc<Piece>) {
        self.pieces.insert(region, View::Piece(piece));
    }

    /// Keeps what a store shows of `region`, instead of its piece if that is here.
    pub(in crate::solve) fn show(&mut self, region: u64, view: View) {
        if let Some(View::Piece(piece)) = self.pieces.insert(region, view) {
            self.retire(piece);
        }
    }

    /// Whether something of `region` is here.
    pub(super) fn has(&self, region: u64) -> bool {
        self.pieces.contains_key(&region)
    }

    /// Uses the memory of `piece` for others, once nobody else reads it.
    pub(in crate::solve) fn retire(&mut self, piece: Arc<Piece>) {
        self.retired.push(piece);
        self.shed(0);
    }

    /// Drops the pieces of `regions`.
    pub(in crate::solve) fn drop_all(&mut self, regions: &[u64]) {
        let dropped = regions.iter().filter_map(|region| self.pieces.remove(region));
        self.retired.extend(dropped.filter_map(|view| match view {
            View::Piece(piece) => Some(piece),
            View::Mapped(_) => None,
        }));
        self.shed(0);
    }

    /// Loads the pieces of `regions`, of `bytes` bytes each, several at once.
    ///
    /// # Errors
    /// If one of them cannot be loaded.
    pub(in crate::solve) fn load<E: From<SolveError> + Send>(
        &mut self,
        regions: &[u64],
        bytes: u64,
        load: impl Fn(u64, &mut [u8]) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let room = |&region: &u64| Ok((region, self.room(bytes)?));
        let rooms = regions.iter().map(room).collect::<Result<Vec<_>, SolveError>>()?;
        let loaded = rooms.into_par_iter().map(|(region, mut piece)| {
            load(region, piece.0.bytes_mut())?;
            Ok((region, View::Piece(Arc::new(piece))))
        });
        self.pieces.extend(loaded.collect::<Result<Vec<_>, E>>()?);
        Ok(())
    }

    /// The regions whose pieces are in memory, in no order.
    pub(super) fn regions(&self) -> impl Iterator<Item = u64> {
        self.pieces.keys().copied()
    }

    /// The least region of which `is_one` says so, of those whose pieces are in memory.
    pub(in crate::solve) fn find(&self, is_one: impl Fn(u64) -> bool) -> Option<u64> {
        self.regions().filter(|&region| is_one(region)).min()
    }

    /// The bytes of the piece of `region`, which is in memory.
    ///
    /// # Panics
    /// If it is not.
    pub(in crate::solve) fn bytes(&self, region: u64) -> &[u8] {
        self.pieces[&region].bytes()
    }
}
