//! The marking kernel, compiled for each vector unit.

use std::ops::Range;

use super::Marks;
use super::kernel::Marker;
use crate::solve::dense::bits::Portable;
#[cfg(target_arch = "x86_64")]
use crate::solve::dense::bits::{Avx2, Avx512};
use crate::solve::dense::kernel::Ready;
#[cfg(target_arch = "x86_64")]
use crate::solve::dense::tokens::{HasAvx2, HasAvx512};

impl Ready {
    /// Marks `tiles`, first to last.
    ///
    /// # Safety
    /// As [`Marker::run`].
    pub(super) unsafe fn mark(self, marks: &Marks<'_>, tiles: Range<u64>) {
        // SAFETY: the caller's promise is passed on; the tokens prove that the processor has the instructions.
        unsafe {
            match self {
                Self::Portable => mark_portable(marks, tiles),
                #[cfg(target_arch = "x86_64")]
                Self::Avx2(token) => mark_avx2(token, marks, tiles),
                #[cfg(target_arch = "x86_64")]
                Self::Avx512(token) => mark_avx512(token, marks, tiles),
            }
        }
    }
}

/// # Safety
/// As [`Marker::run`].
unsafe fn mark_portable(marks: &Marks<'_>, tiles: Range<u64>) {
    // SAFETY: the caller's promise is passed on.
    unsafe { Marker::<Portable> { marks, token: () }.run(tiles) }
}

/// # Safety
/// As [`Marker::run`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn mark_avx2(token: HasAvx2, marks: &Marks<'_>, tiles: Range<u64>) {
    // SAFETY: the caller's promise is passed on.
    unsafe { Marker::<Avx2> { marks, token }.run(tiles) }
}

/// # Safety
/// As [`Marker::run`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn mark_avx512(token: HasAvx512, marks: &Marks<'_>, tiles: Range<u64>) {
    // SAFETY: the caller's promise is passed on.
    unsafe { Marker::<Avx512> { marks, token }.run(tiles) }
}
