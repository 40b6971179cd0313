//! The pieces that are in memory.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::store::Piece;
use crate::solve::SolveError;
use crate::solve::memory::Memory;

/// Pieces of one sheet in memory, by region, and memory that is free for others. Each piece is here once.
pub(super) struct Held {
    pieces: HashMap<u64, Arc<Piece>>,
    /// Those that are needed no more, but that a store may still write.
    retired: Vec<Arc<Piece>>,
    /// Bytes of a piece.
    bytes: u64,
}

impl Held {
    /// None; each will have so many bytes.
    pub(super) fn new(bytes: u64) -> Self {
        Self { pieces: HashMap::new(), retired: Vec::new(), bytes }
    }

    /// Memory for a piece; what it holds is not specified.
    ///
    /// # Errors
    /// If there is not enough.
    pub(super) fn room(&mut self) -> Result<Piece, SolveError> {
        while let Some(free) = self.retired.iter().position(|piece| Arc::strong_count(piece) == 1) {
            if let Ok(piece) = Arc::try_unwrap(self.retired.swap_remove(free)) {
                return Ok(piece);
            }
        }
        Memory::new(self.bytes, None).map(Piece)
    }

    /// Keeps the piece of `region`.
    pub(super) fn keep(&mut self, region: u64, piece: Arc<Piece>) {
        self.pieces.insert(region, piece);
    }

    /// Uses the memory of `piece` for others, once nobody else reads it.
    pub(super) fn retire(&mut self, piece: Arc<Piece>) {
        self.retired.push(piece);
    }

    /// Drops the pieces of `regions`.
    pub(super) fn drop_all(&mut self, regions: &[u64]) {
        self.retired.extend(regions.iter().filter_map(|region| self.pieces.remove(region)));
    }

    /// Loads the pieces of `regions`, several at once.
    ///
    /// # Errors
    /// If one of them cannot be loaded.
    pub(super) fn load<E: From<SolveError> + Send>(
        &mut self,
        regions: &[u64],
        load: impl Fn(u64, &mut [u8]) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let rooms = regions.iter().map(|&region| Ok((region, self.room()?))).collect::<Result<Vec<_>, SolveError>>()?;
        let loaded = rooms.into_par_iter().map(|(region, mut piece)| {
            load(region, piece.0.bytes_mut())?;
            Ok((region, Arc::new(piece)))
        });
        self.pieces.extend(loaded.collect::<Result<Vec<_>, E>>()?);
        Ok(())
    }

    /// The regions whose pieces are in memory.
    pub(super) fn regions(&self) -> impl Iterator<Item = u64> {
        self.pieces.keys().copied()
    }

    /// The bytes of the piece of `region`, which is in memory.
    ///
    /// # Panics
    /// If it is not.
    pub(super) fn bytes(&self, region: u64) -> &[u8] {
        self.pieces[&region].bytes()
    }
}
