//! A buffer of numbers whose states a pass reads later, many at a time.
//!
//! Their states are prefetched, so they are in the core's cache by then. Numbers that still need work are then separated from the
//! others without a branch, which the processor could not predict.

use crate::simd::Unit;

/// Capacity of the buffer.
const MOST: usize = 64;

/// The buffered numbers.
pub(super) struct Pending {
    numbers: [u32; MOST],
    count: usize,
}

impl Pending {
    pub(super) const fn new() -> Self {
        Self { numbers: [0; MOST], count: 0 }
    }

    /// Adds `number` and prefetches `known`, its state. Returns `true` if the buffer is full.
    #[inline(always)]
    pub(super) fn add<U: Unit, T>(&mut self, unit: U, number: u32, known: &T) -> bool {
        unit.prefetch(known);
        self.numbers[self.count % MOST] = number;
        self.count += 1;
        self.count >= MOST
    }

    /// Empties the buffer and returns the numbers for which `is_of_interest` is true.
    #[inline(always)]
    pub(super) fn take(&mut self, is_of_interest: impl Fn(u32) -> bool) -> &[u32] {
        let (mut some, mut at) = (0, 0);
        // A closure that is not inlined would lack the caller's instruction set, so this uses no iterators.
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
