//! Permutations of labels that exchange two bits of every label's index.
//!
//! Labels are bits of words, so the lowest six bits of an index name a bit in a word and the others name the word.
//! Shifts and masks exchange two of the lowest bits, or one of them and one of the others (Warren, Hacker's Delight,
//! section 7-2).

/// Bits of an index within a word.
pub(super) const WORD: usize = 6;

/// An exchange of two bits of an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BitExchange {
    /// Exchanges two bits within a word, the lower one first.
    Within(usize, usize),
    /// Exchanges a bit within a word and a bit of the word's number.
    Across(usize, usize),
}

/// Calls `step` with the exchanges that bring bit `wanted[b]` of an index to bit `b`, for each `b` within a word.
/// `at[b]` is the original place of bit `b`, before the call and after it; it contains every wanted bit.
pub(super) fn exchanges(wanted: &[usize; WORD], at: &mut [usize], mut step: impl FnMut(BitExchange)) {
    for (bit, wanted) in wanted.iter().enumerate() {
        // Bits below `bit` are in place already, so the wanted bit is found at `bit` or above.
        let found = at.iter().position(|found| found == wanted).unwrap_or(bit);
        if found != bit {
            step(if found < WORD { BitExchange::Within(bit, found) } else { BitExchange::Across(bit, found - WORD) });
            at.swap(bit, found);
        }
    }
}

/// The mask of the places in a word whose number has bit `bit` clear.
const fn without(bit: usize) -> u64 {
    u64::MAX / ((1 << (1 << bit)) + 1)
}

/// Exchanges two bits of the indices of `words`.
#[inline(always)]
pub(super) fn exchange(step: BitExchange, words: &mut [u64]) {
    match step {
        BitExchange::Within(low, high) => {
            let (mask, shift) = (!without(low) & without(high), (1 << high) - (1 << low));
            for word in words {
                let other = (*word >> shift ^ *word) & mask;
                *word ^= other ^ other << shift;
            }
        }
        BitExchange::Across(bit, word_bit) => {
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

/// Inverts a bit within a word of all indices of `words`.
#[inline(always)]
pub(super) fn flip(bit: usize, words: &mut [u64]) {
    let (mask, shift) = (without(bit), 1 << bit);
    for word in words {
        *word = (*word & mask) << shift | *word >> shift & mask;
    }
}
