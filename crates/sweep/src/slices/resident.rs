//! The slices in memory: buffers, and views of a store.

use std::collections::HashMap;
use std::sync::Arc;

use super::store::{SliceBuffer, View};
use crate::SolveError;

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

    /// A buffer of `bytes` bytes with unspecified content. A free buffer of nearly this size is resized. One of more than twice the size is
    /// left for larger slices.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn allocate(&mut self, bytes: u64) -> Result<SliceBuffer, SolveError> {
        let near = self.free().filter(|&(_, size)| size / 2 <= bytes).min_by_key(|&(_, size)| size.abs_diff(bytes));
        let near = near.and_then(|(place, _)| Arc::try_unwrap(self.retired.swap_remove(place)).ok());
        self.given -= near.as_ref().map_or(0, |buffer| buffer.bytes().len() as u64);
        self.given += bytes;
        self.shed();
        near.map_or_else(|| SliceBuffer::new(bytes), |SliceBuffer(memory)| memory.resized(bytes).map(SliceBuffer))
    }

    /// The places and sizes of the free buffers.
    fn free(&self) -> impl Iterator<Item = (usize, u64)> {
        let free = self.retired.iter().enumerate().filter(|(_, buffer)| Arc::strong_count(buffer) == 1);
        free.map(|(place, buffer)| (place, buffer.bytes().len() as u64))
    }

    /// Returns free buffers to the system until the limit is kept.
    fn shed(&mut self) {
        while self.given > self.most {
            let Some((place, bytes)) = self.free().next() else { break };
            self.given -= bytes;
            self.retired.swap_remove(place);
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
        self.shed();
    }

    /// Drops the buffers of `slices`.
    pub(crate) fn drop_all(&mut self, slices: &[u64]) {
        let dropped = slices.iter().filter_map(|slice| self.buffers.remove(slice));
        self.retired.extend(dropped.filter_map(|view| match view {
            View::Buffer(buffer) => Some(buffer),
            View::Mapped(_) => None,
        }));
        self.shed();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A free buffer keeps its first byte if another slice gets it.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_free_buffer_of_nearly_the_size_is_resized() {
        let mut slices = ResidentSlices::new(1 << 20);
        let retire = |slices: &mut ResidentSlices, bytes: u64| {
            let mut buffer = slices.allocate(bytes).unwrap();
            let before = std::mem::replace(&mut buffer.bytes_mut()[0], 7);
            assert_eq!(buffer.bytes().len() as u64, bytes);
            slices.retire(Arc::new(buffer));
            before
        };
        assert_eq!([100_000, 120_000, 60_000, 20_000].map(|bytes| retire(&mut slices, bytes)), [0, 7, 7, 0]);
        assert_eq!(slices.given, 80_000);
        // The limit counts each buffer at its present size.
        assert_eq!(retire(&mut slices, 1 << 20), 7);
        assert_eq!((slices.given, slices.retired.len()), (1 << 20, 1));
    }
}
