//! Bits that threads set side by side: what play reaches, worked out anew.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

/// Bits, at first all zero, in bytes as a table has them.
pub(super) struct Marks(Vec<AtomicU8>);

impl Marks {
    /// As many bits as `bytes` bytes have.
    pub(super) fn new(bytes: u64) -> Self {
        Self((0..bytes).map(|_| AtomicU8::new(0)).collect())
    }

    /// Sets a bit.
    pub(super) fn mark(&self, bit: u64) {
        let (byte, mask) = (&self.0[(bit / 8) as usize], 1 << (bit % 8));
        // Most positions are reached many times: a load is cheaper than a store that other threads wait for.
        if byte.load(Ordering::Relaxed) & mask == 0 {
            byte.fetch_or(mask, Ordering::Relaxed);
        }
    }

    /// Whether a bit is set.
    pub(super) fn has(&self, bit: u64) -> bool {
        self.0[(bit / 8) as usize].load(Ordering::Relaxed) >> (bit % 8) & 1 == 1
    }

    /// The first bit that differs from those of `found`, as many bytes; `None` if there is none.
    pub(super) fn first_other(&self, found: &[u8]) -> Option<u64> {
        let differs = |at: &usize| found[*at] != self.0[*at].load(Ordering::Relaxed);
        let at = (0..found.len()).into_par_iter().find_first(differs)?;
        let other = found[at] ^ self.0[at].load(Ordering::Relaxed);
        Some(at as u64 * 8 + u64::from(other.trailing_zeros()))
    }
}
