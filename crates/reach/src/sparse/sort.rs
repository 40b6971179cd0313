//! A sort for numbers that look random.

use std::collections::TryReserveError;

use crate::reachable::KeyWord;

/// Fewer numbers than this are sorted by comparison. If more numbers share their top bits, the numbers are not random.
const FEW: usize = 32;
/// Maximum number of top bits by which numbers are distributed. The counters then stay in a core's first cache.
const MOST_BITS: u32 = 14;

/// Memory that [`sort`] reuses from call to call.
#[derive(Default)]
pub(crate) struct SortBuffers<P> {
    sorted: Vec<P>,
    starts: Vec<u32>,
}

/// Sorts `numbers` of `bits` bits.
///
/// A counting sort by the top bits brings random numbers close to their final places. An insertion sort finishes.
pub(crate) fn sort<P: KeyWord>(
    numbers: &mut Vec<P>,
    bits: u32,
    buffers: &mut SortBuffers<P>,
) -> Result<(), TryReserveError> {
    let by_bits = (numbers.len() / 2).checked_ilog2().unwrap_or(0).min(bits).min(MOST_BITS);
    if numbers.len() < FEW || by_bits == 0 {
        numbers.sort_unstable();
        return Ok(());
    }
    let place = |number: P| number.above(bits - by_bits);
    let SortBuffers { sorted, starts } = buffers;
    starts.clear();
    starts.try_reserve((1 << by_bits) + 1)?;
    starts.resize((1 << by_bits) + 1, 0);
    numbers.iter().for_each(|&number| starts[place(number) + 1] += 1);
    let most = starts.iter().copied().max().unwrap_or(0);
    if most > FEW as u32 {
        // The numbers are not random: distributing them would leave long runs.
        numbers.sort_unstable();
        return Ok(());
    }
    let mut sum = 0;
    for start in &mut *starts {
        sum += *start;
        *start = sum;
    }
    sorted.clear();
    sorted.try_reserve_exact(numbers.len())?;
    sorted.resize(numbers.len(), P::default());
    for &number in &*numbers {
        let start = &mut starts[place(number)];
        sorted[*start as usize] = number;
        *start += 1;
    }
    for index in 1..sorted.len() {
        let number = sorted[index];
        let mut at = index;
        while at > 0 && sorted[at - 1] > number {
            sorted[at] = sorted[at - 1];
            at -= 1;
        }
        sorted[at] = number;
    }
    std::mem::swap(numbers, sorted);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_sorted(seed: u64, count in 0usize..5000, bits in 1u32..=64, spread in 1u32..=64) {
            let mut draw = fastrand::Rng::with_seed(seed);
            let spread = spread.min(bits);
            let mut numbers: Vec<u64> = (0..count).map(|_| draw.u64(..) >> (64 - spread)).collect();
            let mut plain = numbers.clone();
            plain.sort_unstable();
            sort(&mut numbers, bits, &mut SortBuffers::default()).unwrap();
            prop_assert_eq!(numbers, plain);
        }
    }
}
