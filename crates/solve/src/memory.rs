//! The memory that labels are solved in and written from.

use std::collections::TryReserveError;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use memmap2::MmapMut;
use rayon::prelude::*;

use crate::progress::{Meter, Phase};
use crate::simd::{Block, Line};
use crate::{SolveError, Watch};

/// Zeroed memory, aligned to a page and so to any vector.
pub struct Memory {
    map: MmapMut,
}

impl Memory {
    /// Allocates `bytes` bytes, in large pages if the system has them: providing 8 GiB in pages of 4 KiB takes as long
    /// as solving a game in them. Progress counts bytes, and `watch` may stop the work.
    pub fn new(bytes: u64, watch: Option<Watch<'_>>) -> Result<Self, SolveError> {
        let mut meter = Meter::new(watch, Phase::Allocate, Some(bytes));
        let memory = Self::untouched(bytes)?;
        match prefault(&memory.map, 0, &meter) {
            ControlFlow::Continue(()) if meter.finish().is_continue() => Ok(memory),
            _ => Err(SolveError::Cancelled),
        }
    }

    /// As [`new`](Self::new), but the system commits pages when they are first touched.
    pub fn untouched(bytes: u64) -> Result<Self, SolveError> {
        let memory = Self::in_small_pages(bytes)?;
        // Small pages are only slower, so a refusal is not an error. Miri does not know the request.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = memory.map.advise(memmap2::Advice::HugePage);
        Ok(memory)
    }

    /// Like [`untouched`](Self::untouched), in small pages: the system commits only the pages that are touched.
    pub fn in_small_pages(bytes: u64) -> Result<Self, SolveError> {
        let map = usize::try_from(bytes)
            .map_err(|_| io::ErrorKind::OutOfMemory.into())
            .and_then(MmapMut::map_anon)
            .map_err(|source| SolveError::Memory { bytes, source })?;
        Ok(Self { map })
    }

    /// This memory with `bytes` bytes. Only bytes beyond its size are zeroed: the others keep their pages and content, while new memory
    /// is first cleared by the system, which takes longer than a sweep.
    #[cfg(all(target_os = "linux", not(miri)))]
    pub fn resized(mut self, bytes: u64) -> Result<Self, SolveError> {
        let kept = self.map.len();
        let failed = |source| SolveError::Memory { bytes, source };
        let resized = usize::try_from(bytes).map_err(|_| io::ErrorKind::OutOfMemory.into()).and_then(|bytes| {
            // SAFETY: the mapping is anonymous, so it does not end with a file, and nothing borrows it.
            unsafe { self.map.remap(bytes, memmap2::RemapOptions::new().may_move(true)) }
        });
        resized.map_err(failed)?;
        let _ = prefault(&self.map, kept, &Meter::new(None, Phase::Allocate, None));
        Ok(self)
    }

    /// This memory with `bytes` bytes. Other systems cannot resize a mapping, and Miri only one of whole pages.
    #[cfg(any(not(target_os = "linux"), miri))]
    pub fn resized(self, bytes: u64) -> Result<Self, SolveError> {
        drop(self);
        Self::new(bytes, None)
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// The bytes, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.map
    }

    /// The memory as values of another kind.
    ///
    /// # Panics
    /// If it is not a whole number of them.
    pub fn values_mut<T: AnyBits>(&mut self) -> &mut [T] {
        values_mut(&mut self.map)
    }
}

/// `bytes` as values of another kind.
///
/// # Panics
/// If they are not a whole number of them, or not aligned to them, as all [`Memory`] is.
pub fn values<T: Plain>(bytes: &[u8]) -> &[T] {
    // SAFETY: every byte pattern is a `T`, and nothing changes behind a shared reference to a `T`, by the contract of
    // `Plain`. `align_to` keeps to the bytes of the slice and to the alignment of `T`.
    let (before, values, after) = unsafe { bytes.align_to() };
    assert!(before.is_empty() && after.is_empty(), "{WHOLE}");
    values
}

/// As [`values`], to be changed.
///
/// # Panics
/// As [`values`].
pub fn values_mut<T: AnyBits>(bytes: &mut [u8]) -> &mut [T] {
    // SAFETY: every byte pattern is a `T`, and every `T` is bytes, by the contract of `AnyBits`. `align_to_mut` keeps to
    // the bytes of the slice and to the alignment of `T`.
    let (before, values, after) = unsafe { bytes.align_to_mut() };
    assert!(before.is_empty() && after.is_empty(), "{WHOLE}");
    values
}

const WHOLE: &str = "a mapping begins at a page and holds whole values";

/// A type of which every byte pattern is a value.
///
/// # Safety
/// It has no padding and no invalid value, and is aligned to a page at most.
pub unsafe trait AnyBits {}

/// A type of which every byte pattern is a value, and whose values do not change behind a shared reference.
///
/// # Safety
/// As [`AnyBits`], and it is no atomic and contains none.
pub unsafe trait Plain: AnyBits {}

// SAFETY: a number.
unsafe impl AnyBits for u32 {}
// SAFETY: a number.
unsafe impl AnyBits for u64 {}
// SAFETY: a number.
unsafe impl AnyBits for AtomicU32 {}
// SAFETY: no atomic.
unsafe impl Plain for u64 {}
// SAFETY: a number, as without `Atomic`.
unsafe impl AnyBits for AtomicU64 {}
// SAFETY: as above.
unsafe impl AnyBits for AtomicU8 {}
// SAFETY: as above.
unsafe impl AnyBits for AtomicU16 {}
// SAFETY: eight numbers, without padding.
unsafe impl AnyBits for Block {}
// SAFETY: no atomic.
unsafe impl Plain for Block {}
// SAFETY: 64 numbers, without padding: their size is a multiple of the alignment.
unsafe impl AnyBits for Line<u8> {}
// SAFETY: no atomic.
unsafe impl Plain for Line<u8> {}
// SAFETY: as above.
unsafe impl AnyBits for Line<u16> {}
// SAFETY: as above.
unsafe impl Plain for Line<u16> {}

/// Allocates `count` default values. The system commits pages of zeros on first touch, on the core that touches them.
pub fn untouched<T: Default + Clone>(count: usize) -> Result<Vec<T>, TryReserveError> {
    let mut room = Vec::<T>::new();
    room.try_reserve_exact(count)?;
    // The system has the memory. The macro below allocates zeroed pages, but would abort instead of returning an error.
    drop(room);
    Ok(vec![T::default(); count])
}

/// Bytes that a thread touches between two progress reports: few enough that a user sees progress even if pages are
/// slow.
const PIECE: usize = 16 << 20;
/// The least mapping whose pages are touched in advance.
const LARGE: usize = 64 << 20;

/// Touches the pages from byte `first` of a large mapping now, from every thread, because the sweep would fault on them one by one. A
/// small mapping is left alone.
fn prefault(map: &MmapMut, first: usize, meter: &Meter<'_>) -> ControlFlow<()> {
    let bytes = map.len().saturating_sub(first);
    if bytes < LARGE {
        return meter.add(bytes as u64);
    }
    (0..bytes.div_ceil(PIECE)).into_par_iter().try_for_each(|piece| {
        let start = first + piece * PIECE;
        let len = PIECE.min(map.len() - start);
        // A system without this request commits pages when they are touched.
        #[cfg(target_os = "linux")]
        let _ = map.advise_range(memmap2::Advice::PopulateWrite, start, len);
        meter.add(len as u64)
    })
}
