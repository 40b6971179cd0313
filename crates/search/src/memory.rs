//! Zeroed memory for entries, in large pages where the system has them.
//!
//! A search looks at entries all over its table, so with pages of 4 KiB it waits for the translation of addresses as well. The system
//! provides pages when they are first touched.

use std::marker::PhantomData;
use std::ops::Deref;

use memmap2::{MmapMut, MmapRaw};

/// Values that any bytes are, that have no padding, and that threads change together.
///
/// # Safety
/// Every byte pattern must be a value, every byte must lie in an atomic, and an alignment of 64 must suffice.
pub(crate) unsafe trait AtomicBits: Sync {}

// SAFETY: an atomic word has the representation of a word, and an array has that of its elements in a row.
unsafe impl AtomicBits for std::sync::atomic::AtomicU64 {}
// SAFETY: as above.
unsafe impl<T: AtomicBits, const COUNT: usize> AtomicBits for [T; COUNT] {}

/// Zeroed values that begin on a page.
pub(crate) struct Memory<T> {
    map: MmapRaw,
    count: usize,
    values: PhantomData<[T]>,
}

impl<T: AtomicBits> Memory<T> {
    /// Memory for `count` values, at least one; `None` if the system refuses it.
    pub(crate) fn new(count: usize) -> Option<Self> {
        let map = MmapMut::map_anon(count.checked_mul(size_of::<T>())?).ok()?;
        // Small pages are only slower, so a refusal is not an error. Miri does not know the request.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Self { map: map.into(), count, values: PhantomData })
    }
}

impl<T: AtomicBits> Deref for Memory<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the map has `count` times the size of a `T`, by `new`, and begins on a page, so it is aligned. Every byte pattern is a `T`.
        // Nothing lends the map otherwise, and all changes go through atomics, by the contract of `AtomicBits`.
        unsafe { std::slice::from_raw_parts(self.map.as_mut_ptr().cast(), self.count) }
    }
}

/// Begins to load `at` into the cache, where every processor has an instruction for it.
#[inline(always)]
pub(crate) fn prefetch<T>(at: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 has the instruction, and it changes nothing.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(std::ptr::from_ref(at).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
