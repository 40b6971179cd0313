//! The buffers that are in memory, and what a store shows.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::store::{SliceBuffer, View};
use crate::solve::SolveError;
use crate::solve::memory::Memory;

/// Pieces of one plane_kind in memory, by slice, and memory that is free for others. Each buffer is here once.
pub(in crate::solve) struct ResidentSlices {
    buffers: HashMap<u64, View>,
    /// Those that are needed no more, but that a store may still write.
    retired: Vec<Arc<SliceBuffer>>,
    /// Bytes of memory up to which what is free is kept for buffers of the same size.
    most: u64,
    /// Bytes of memory that were given out and not given back to the system.
    given: u64,
}

impl ResidentSlices {
    /// None. Of memory that is free, no more is kept than makes `most` bytes with all that is in use.
    pub(in crate::solve) fn new(most: u64) -> Self {
        Self { buffers: HashMap::new(), retired: Vec::new(), most, given: 0 }
    }

    /// Memory for a buffer of `bytes` bytes; what it holds is not specified.
    ///
    /// # Errors
    /// If there is not enough.
    pub(in crate::solve) fn allocate(&mut self, bytes: u64) -> Result<SliceBuffer, SolveError> {
        let is_free = |buffer: &Arc<SliceBuffer>| Arc::strong_count(buffer) == 1;
        let fits = |buffer: &Arc<SliceBuffer>| is_free(buffer) && buffer.bytes().len() as u64 == bytes;
        if let Some(place) = self.retired.iter().position(fits)
            && let Ok(buffer) = Arc::try_unwrap(self.retired.swap_remove(place))
        {
            return Ok(buffer);
        }
        self.shed(bytes);
        let buffer = Memory::new(bytes, None).map(SliceBuffer)?;
        self.given += bytes;
        Ok(buffer)
    }

    /// Gives free memory back to the system until there is capacity for `more` bytes.
    fn shed(&mut self, more: u64) {
        while self.given.saturating_add(more) > self.most {
            let free = self.retired.iter().position(|buffer| Arc::strong_count(buffer) == 1);
            let Some(free) = free else { break };
            self.given -= self.retired.swap_remove(free).bytes().len() as u64;
        }
    }

    /// Keeps the buffer of `slice`.
    pub(in crate::solve) fn keep(&mut self, slice: u64, buffer: Arc<SliceBuffer>) {
        self.buffers.insert(slice, View::Buffer(buffer));
    }

    /// Keeps what a store shows of `slice`, instead of its buffer if that is here.
    pub(in crate::solve) fn show(&mut self, slice: u64, view: View) {
        if let Some(View::Buffer(buffer)) = self.buffers.insert(slice, view) {
            self.retire(buffer);
        }
    }

    /// Whether something of `slice` is here.
    pub(super) fn has(&self, slice: u64) -> bool {
        self.buffers.contains_key(&slice)
    }

    /// Uses the memory of `buffer` for others, once nobody else reads it.
    pub(in crate::solve) fn retire(&mut self, buffer: Arc<SliceBuffer>) {
        self.retired.push(buffer);
        self.shed(0);
    }

    /// Drops the buffers of `slices`.
    pub(in crate::solve) fn drop_all(&mut self, slices: &[u64]) {
        let dropped = slices.iter().filter_map(|slice| self.buffers.remove(slice));
        self.retired.extend(dropped.filter_map(|view| match view {
            View::Buffer(buffer) => Some(buffer),
            View::Mapped(_) => None,
        }));
        self.shed(0);
    }

    /// Loads the buffers of `slices`, of `bytes` bytes each, several at once.
    ///
    /// # Errors
    /// If one of them cannot be loaded.
    pub(in crate::solve) fn load<E: From<SolveError> + Send>(
        &mut self,
        slices: &[u64],
        bytes: u64,
        load: impl Fn(u64, &mut [u8]) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let capacity = |&slice: &u64| Ok((slice, self.allocate(bytes)?));
        let rooms = slices.iter().map(capacity).collect::<Result<Vec<_>, SolveError>>()?;
        let loaded = rooms.into_par_iter().map(|(slice, mut buffer)| {
            load(slice, buffer.0.bytes_mut())?;
            Ok((slice, View::Buffer(Arc::new(buffer))))
        });
        self.buffers.extend(loaded.collect::<Result<Vec<_>, E>>()?);
        Ok(())
    }

    /// The slices whose buffers are in memory, in no order.
    pub(super) fn slices(&self) -> impl Iterator<Item = u64> {
        self.buffers.keys().copied()
    }

    /// The least slice of which `is_one` says so, of those whose buffers are in memory.
    pub(in crate::solve) fn find(&self, is_one: impl Fn(u64) -> bool) -> Option<u64> {
        self.slices().filter(|&slice| is_one(slice)).min()
    }

    /// The bytes of the buffer of `slice`, which is in memory.
    ///
    /// # Panics
    /// If it is not.
    pub(in crate::solve) fn bytes(&self, slice: u64) -> &[u8] {
        self.buffers[&slice].bytes()
    }
}
