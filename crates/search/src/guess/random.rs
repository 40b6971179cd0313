//! Random numbers that depend on a seed alone.

/// A generator of random numbers (SplitMix64, by G. Steele, D. Lea and C. Flood, 2014).
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`, which is not 0.
    pub(super) const fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // The upper half, so that a short range needs no division.
        let upper = (mixed ^ (mixed >> 31)) >> u32::BITS;
        ((upper * bound as u64) >> u32::BITS) as usize
    }
}
