//! Numbers that a pass looks at later, many together.
//!
//! What is known of them has come into the core's cache by then. And those that are still of interest are told from the others without a
//! branch, which no processor could foresee.

use crate::solve::simd::Unit;

/// So many are looked at together.
const MOST: usize = 64;

/// Numbers to be looked at.
pub(super) struct Pending {
    numbers: [u32; MOST],
    count: usize,
}

impl Pending {
    pub(super) const fn new() -> Self {
        Self { numbers: [0; MOST], count: 0 }
    }

    /// Adds `number`, of which `known` will be looked at; `true` if it is time for that.
    #[inline(always)]
    pub(super) fn add<U: Unit, T>(&mut self, unit: U, number: u32, known: &T) -> bool {
        unit.prefetch(known);
        self.numbers[self.count % MOST] = number;
        self.count += 1;
        self.count >= MOST
    }

    /// Takes all out, and leaves away what is not of interest.
    #[inline(always)]
    pub(super) fn take(&mut self, is_of_interest: impl Fn(u32) -> bool) -> &[u32] {
        let (mut some, mut at) = (0, 0);
        // No iterators: where one is not inlined, it is not compiled for the same instructions.
        while at < self.count.min(MOST) {
            let number = self.numbers[at];
            self.numbers[some % MOST] = number;
            some += usize::from(is_of_interest(number));
            at += 1;
        }
        self.count = 0;
        &self.numbers[..some.min(MOST)]
    }
}
