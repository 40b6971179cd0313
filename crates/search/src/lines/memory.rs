//! Zeroed memory for entries, in large pages where the system has them.
//!
//! A search looks at entries all over the table, so with pages of 4 KiB it waits for the translation of addresses as well. The system
//! provides pages when they are first touched.

use memmap2::MmapMut;

/// Values that any bytes are, and that have no padding.
///
/// # Safety
/// Every byte pattern must be a value, and every value must consist of bytes of its own.
pub(super) unsafe trait AnyBits {}

// SAFETY: an atomic word has the representation of a word, and an array has that of its elements in a row.
unsafe impl AnyBits for std::sync::atomic::AtomicU64 {}
// SAFETY: as above.
unsafe impl<T: AnyBits, const COUNT: usize> AnyBits for [T; COUNT] {}

/// Zeroed memory that begins on a page.
pub(super) struct Memory {
    map: MmapMut,
}

impl Memory {
    /// Memory of `bytes` bytes, at least one; `None` if the system refuses it.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        let map = MmapMut::map_anon(bytes).ok()?;
        // Small pages are only slower, so a refusal is not an error. Miri does not know the request.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Self { map })
    }

    /// The memory as values; the rest of the memory if it is not a whole number of them is left out.
    pub(super) fn values<T: AnyBits>(&mut self) -> &mut [T] {
        // SAFETY: every byte pattern is a `T`, and every `T` is bytes, by the contract of `AnyBits`. `align_to_mut` keeps to the bytes of the slice
        // and to the alignment of `T`.
        let (_, values, _) = unsafe { self.map.align_to_mut() };
        values
    }
}
