//! Bit gathering and scattering for numbers, in plain Rust and by the instructions of BMI2.

use crate::coloured::{gathered, scattered};
#[cfg(target_arch = "x86_64")]
use crate::solve::dense::HasAvx2;

/// Instructions for the bits of a word.
pub(super) trait Bits: Copy + Send + Sync {
    /// Gathers the bits of `word` at the places of `mask` into the lowest bits.
    fn taken_out(self, word: u64, mask: u64) -> u64;

    /// Scatters the lowest bits of `word` to the places of `mask`.
    fn put_in(self, word: u64, mask: u64) -> u64;

    /// Prefetches the memory of `at` into the core's first-level cache.
    #[inline(always)]
    fn ask<T>(self, at: &T) {
        let _ = at;
    }
}

/// Plain Rust.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Bits for Portable {
    #[inline(always)]
    fn taken_out(self, word: u64, mask: u64) -> u64 {
        gathered(word, mask)
    }

    #[inline(always)]
    fn put_in(self, word: u64, mask: u64) -> u64 {
        scattered(word, mask)
    }
}

/// BMI2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Fast(pub(super) HasAvx2);

#[cfg(target_arch = "x86_64")]
impl Bits for Fast {
    #[inline(always)]
    fn taken_out(self, word: u64, mask: u64) -> u64 {
        // SAFETY: the token proves that the processor has BMI2.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn put_in(self, word: u64, mask: u64) -> u64 {
        // SAFETY: the token proves that the processor has BMI2.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }

    #[inline(always)]
    fn ask<T>(self, at: &T) {
        // SAFETY: a prefetch reads nothing that the program sees, and faults nowhere.
        unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(std::ptr::from_ref(at).cast()) }
    }
}

/// The instructions that this processor has.
#[derive(Clone, Copy)]
pub(in crate::solve::cyclic) enum Ready {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Fast(HasAvx2),
}

impl Ready {
    /// The fastest instructions of this processor.
    pub(in crate::solve::cyclic) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = HasAvx2::detect() {
            return Self::Fast(token);
        }
        Self::Portable
    }
}

/// Work that is compiled once for each instruction set.
pub(super) trait Work {
    type Result;
    /// Does the work. Implementations must be `#[inline(always)]`; only then are they compiled for the instructions of `bits`.
    fn run<B: Bits>(self, bits: B) -> Self::Result;
}

impl Ready {
    /// Runs `work` with these instructions.
    #[inline]
    pub(super) fn run<W: Work>(self, work: W) -> W::Result {
        match self {
            Self::Portable => work.run(Portable),
            // SAFETY: the token proves that the processor has the instructions.
            #[cfg(target_arch = "x86_64")]
            Self::Fast(token) => unsafe { run_fast(token, work) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_fast<W: Work>(token: HasAvx2, work: W) -> W::Result {
    work.run(Fast(token))
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn instructions_do_as_plain_rust() {
        let Some(token) = HasAvx2::detect() else { return };
        let mut draw = fastrand::Rng::with_seed(5);
        for _ in 0..10_000 {
            let (word, mask) = (draw.u64(..), draw.u64(..) >> draw.u32(..64));
            assert_eq!(Portable.taken_out(word, mask), Fast(token).taken_out(word, mask));
            assert_eq!(Portable.put_in(word, mask), Fast(token).put_in(word, mask));
        }
    }
}
