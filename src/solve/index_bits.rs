//! Exchanges of two bits of the indices of labels, which stand side by side as bits of words.
//!
//! Bits within a word of 64 labels are exchanged by shifts and masks, with one another or with a bit that names a word (Warren,
//! Hacker's Delight, section 7-2).

/// Bits of an index within a word.
pub(super) const WORD: usize = 6;

/// An exchange of two bits of an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Of two within a word, the lower one first.
    Within(usize, usize),
    /// Of one within a word and one that names a word.
    Across(usize, usize),
}

/// Calls `step` with the exchanges after which bit `wanted[b]` of an index is bit `b`, for each `b` within a word. `at` says which
/// bit is where, before and then after them; every wanted one is among them.
pub(super) fn exchanges(wanted: &[usize; WORD], at: &mut [usize], mut step: impl FnMut(Step)) {
    for (bit, wanted) in wanted.iter().enumerate() {
        // What was put in place stays there, so that a bit within a word is exchanged with a later one.
        let found = at.iter().position(|found| found == wanted).unwrap_or(bit);
        if found != bit {
            step(if found < WORD { Step::Within(bit, found) } else { Step::Across(bit, found - WORD) });
            at.swap(bit, found);
        }
    }
}

/// A word with bit `x` set where bit `bit` of `x` is not.
const fn without(bit: usize) -> u64 {
    u64::MAX / ((1 << (1 << bit)) + 1)
}

/// Exchanges two bits of the indices of `words`.
#[inline(always)]
pub(super) fn exchange(step: Step, words: &mut [u64]) {
    match step {
        Step::Within(low, high) => {
            let (mask, shift) = (!without(low) & without(high), (1 << high) - (1 << low));
            for word in words {
                let other = (*word >> shift ^ *word) & mask;
                *word ^= other ^ other << shift;
            }
        }
        Step::Across(bit, word_bit) => {
            let (mask, shift, stride) = (without(bit), 1 << bit, 1usize << word_bit);
            for pair in words.chunks_exact_mut(2 * stride) {
                let (low, high) = pair.split_at_mut(stride);
                for (low, high) in low.iter_mut().zip(high) {
                    let other = (*low >> shift ^ *high) & mask;
                    *high ^= other;
                    *low ^= other << shift;
                }
            }
        }
    }
}

/// Changes a bit within a word of the indices of `words` to what it was not.
#[inline(always)]
pub(super) fn flip(bit: usize, words: &mut [u64]) {
    let (mask, shift) = (without(bit), 1 << bit);
    for word in words {
        *word = (*word & mask) << shift | *word >> shift & mask;
    }
}
