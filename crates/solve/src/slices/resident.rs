//! The slices in memory: buffers, and views of a store.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::store::{SliceBuffer, View};
use crate::SolveError;
use crate::memory::Memory;

/// The planes of one kind in memory, by slice, and free buffers.
pub(crate) struct ResidentSlices {
    buffers: HashMap<u64, View>,
    /// Buffers that no step needs any more. A store may still be writing some of them.
    retired: Vec<Arc<SliceBuffer>>,
    /// The most bytes in all buffers while there are free ones.
    most: u64,
    /// Bytes in all buffers.
    given: u64,
}

impl ResidentSlices {
    /// No slices. Free buffers are kept while all buffers together take at most `most` bytes.
    pub(crate) fn new(most: u64) -> Self {
        Self { buffers: HashMap::new(), retired: Vec::new(), most, given: 0 }
    }

    /// A buffer of `bytes` bytes with unspecified content.
    ///
    /// # Errors
    /// If there is not enough.
    pub(crate) fn allocate(&mut self, bytes: u64) -> Result<SliceBuffer, SolveError> {
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

    /// Returns free buffers to the system until `more` bytes fit.
    fn shed(&mut self, more: u64) {
        while self.given.saturating_add(more) > self.most {
            let free = self.retired.iter().position(|buffer| Arc::strong_count(buffer) == 1);
            let Some(free) = free else { break };
            self.given -= self.retired.swap_remove(free).bytes().len() as u64;
        }
    }

    /// Keeps the buffer of `slice`.
    pub(crate) fn keep(&mut self, slice: u64, buffer: Arc<SliceBuffer>) {
        self.buffers.insert(slice, View::Buffer(buffer));
    }

    /// Keeps a view of `slice`, in place of its buffer if there is one.
    pub(crate) fn show(&mut self, slice: u64, view: View) {
        if let Some(View::Buffer(buffer)) = self.buffers.insert(slice, view) {
            self.retire(buffer);
        }
    }

    /// `true` if `slice` is in memory.
    pub(super) fn has(&self, slice: u64) -> bool {
        self.buffers.contains_key(&slice)
    }

    /// Makes the memory of `buffer` available to other slices, as soon as its readers have dropped it.
    pub(crate) fn retire(&mut self, buffer: Arc<SliceBuffer>) {
        self.retired.push(buffer);
        self.shed(0);
    }

    /// Drops the buffers of `slices`.
    pub(crate) fn drop_all(&mut self, slices: &[u64]) {
        let dropped = slices.iter().filter_map(|slice| self.buffers.remove(slice));
        self.retired.extend(dropped.filter_map(|view| match view {
            View::Buffer(buffer) => Some(buffer),
            View::Mapped(_) => None,
        }));
        self.shed(0);
    }

    /// Loads `slices`, of `bytes` bytes each, several at once.
    ///
    /// # Errors
    /// If a slice cannot be loaded.
    pub(crate) fn load<E: From<SolveError> + Send>(
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

    /// The slices in memory, in no order.
    pub(super) fn slices(&self) -> impl Iterator<Item = u64> {
        self.buffers.keys().copied()
    }

    /// The least slice in memory that satisfies `is_one`.
    pub(crate) fn find(&self, is_one: impl Fn(u64) -> bool) -> Option<u64> {
        self.slices().filter(|&slice| is_one(slice)).min()
    }

    /// The planes of `slice`.
    ///
    /// # Panics
    /// If the slice is not in memory.
    pub(crate) fn bytes(&self, slice: u64) -> &[u8] {
        self.buffers[&slice].bytes()
    }
}
