//! Bits that threads set side by side: what play reaches, worked out anew.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use crate::packed::{BlockFault, Bytes};

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
    ///
    /// # Errors
    /// If a packed block before it cannot be unpacked.
    pub(super) fn first_other(&self, found: Bytes<'_>) -> Result<Option<u64>, BlockFault> {
        /// Bytes that one task compares.
        const PIECE: usize = 1 << 20;
        let in_piece = |(number, piece): (usize, Bytes<'_>)| {
            let found = match piece.all() {
                Ok(found) => found,
                Err(fault) => return Some(Err(fault)),
            };
            let others =
                found.iter().zip(&self.0[number * PIECE..]).map(|(found, own)| found ^ own.load(Ordering::Relaxed));
            let (at, other) = others.enumerate().find(|&(_, other)| other != 0)?;
            Some(Ok((number * PIECE + at) as u64 * 8 + u64::from(other.trailing_zeros())))
        };
        found.par_pieces(PIECE).enumerate().find_map_first(in_piece).transpose()
    }
}
