//! Gathering and scattering bits, by plain code or by instructions of the processor.

use crate::colourings::{gathered, scattered};

/// Moves bits of words between the places of a mask and the lowest places.
pub trait Gather: Copy {
    /// The bits of `word` that are in `mask`, moved together at the lowest places.
    fn extract(self, word: u64, mask: u64) -> u64;

    /// The lowest bits of `word`, moved apart to the places of `mask`.
    fn deposit(self, word: u64, mask: u64) -> u64;
}

/// Plain Rust, for every machine.
#[derive(Clone, Copy)]
pub struct Portable;

impl Gather for Portable {
    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        gathered(word, mask)
    }

    #[inline(always)]
    fn deposit(self, word: u64, mask: u64) -> u64 {
        scattered(word, mask)
    }
}
