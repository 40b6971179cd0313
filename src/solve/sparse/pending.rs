//! Sets of codes that are still growing: the positions of levels not yet expanded.

use std::collections::TryReserveError;

use crate::reachable::Word;

/// Minimum number of new codes that are sorted at once.
const FEWEST: usize = 1 << 12;

/// Fewer codes than this are sorted by comparing them; more of them in one place are no sign of chance.
const FEW: usize = 32;
/// Maximum number of bits by which codes are distributed: what is counted for them stays in a core's first cache.
const MOST_BITS: u32 = 14;

/// A set of codes: a sorted array, and a list of new codes. The list is sorted and merged into the array whenever it
/// has grown to half the array's size, so every code is moved only a few times in all.
///
/// Both vectors stay where they are while the set grows: a merge works from the end, in place. So the memory that the
/// allocator takes from the system is little more than what the vectors hold, and what they hold can be foretold.
///
/// Measured against open addressing (linear probing by the top bits, at most three quarters full) on Shiritori's hard
/// list, 16.0 million positions on two cores: flooding took 0.65 s with sorted arrays and 1.15 s with hashed ones;
/// peak memory was 126 and 137 MiB. A shard is small enough to be sorted in a core's cache, the codes must end up
/// sorted anyway, and an array has no empty slots.
pub(super) struct Set<W> {
    /// All codes are equal in the bits from this one up.
    bits: u32,
    sorted: Vec<W>,
    new: Vec<W>,
}

/// Room to sort new codes in.
pub(super) struct Room<W> {
    codes: Vec<W>,
    starts: Vec<u32>,
}

impl<W> Room<W> {
    pub(super) const fn new() -> Self {
        Self { codes: Vec::new(), starts: Vec::new() }
    }
}

impl<W: Word> Set<W> {
    /// The empty set of codes that are equal in the bits from `bits` up.
    pub(super) const fn new(bits: u32) -> Self {
        Self { bits, sorted: Vec::new(), new: Vec::new() }
    }

    /// The number of bytes it holds.
    pub(super) fn bytes(&self) -> u64 {
        ((self.sorted.capacity() + self.new.capacity()) * size_of::<W>()) as u64
    }

    /// The number of bytes that it may take in addition when its new codes are merged: the array grows by them, and may
    /// have to be copied to grow.
    pub(super) fn merge_bytes(&self) -> u64 {
        ((self.sorted.len() + 2 * self.new.len()) * size_of::<W>()) as u64
    }

    /// The number of bytes of room that sorting its new codes takes.
    pub(super) fn room_bytes(&self) -> u64 {
        let new = self.new.capacity().max(FEWEST);
        (new * size_of::<W>() + 2 * new * size_of::<u32>()) as u64
    }

    /// A lower bound on the number of its codes.
    pub(super) const fn at_least(&self) -> u64 {
        self.sorted.len() as u64
    }

    /// Adds `codes`, of which some may be in the set, or be equal.
    pub(super) fn extend(&mut self, codes: &[W], room: &mut Room<W>) -> Result<(), TryReserveError> {
        let needed = self.new.len() + codes.len();
        if needed > self.new.capacity() {
            // A quarter more than is needed: growth by doubling would hold far more than is used.
            self.new.try_reserve_exact(codes.len() + needed / 4)?;
        }
        self.new.extend_from_slice(codes);
        if self.new.len() > (self.sorted.len() / 2).max(FEWEST) {
            self.merge(room)?;
        }
        Ok(())
    }

    fn merge(&mut self, room: &mut Room<W>) -> Result<(), TryReserveError> {
        sort(&mut self.new, self.bits, room)?;
        dedup(&mut self.new);
        let (mut i, mut j) = (self.sorted.len(), self.new.len());
        let end = i + j;
        self.sorted.try_reserve_exact(j)?;
        self.sorted.extend_from_slice(&self.new);
        // From the end, so that no code is overwritten before it is read: `to` is never below `i`.
        let mut to = end;
        while i > 0 && j > 0 {
            let (a, b) = (self.sorted[i - 1], self.new[j - 1]);
            // If they are equal, both indices move, which drops the duplicate. There is no branch, since none could be
            // predicted.
            to -= 1;
            self.sorted[to] = a.max(b);
            i -= usize::from(a >= b);
            j -= usize::from(b >= a);
        }
        to -= j;
        self.sorted[to..to + j].copy_from_slice(&self.new[..j]);
        // What is left of the array is in its place already; the gap after it is as long as duplicates were dropped.
        self.sorted.copy_within(to.., i);
        self.sorted.truncate(i + end - to);
        self.new.clear();
        Ok(())
    }

    /// Its codes, in increasing order.
    pub(super) fn into_sorted(mut self, room: &mut Room<W>) -> Result<Vec<W>, TryReserveError> {
        self.merge(room)?;
        Ok(self.sorted)
    }
}

/// Sorts `codes`, which are equal in the bits from `bits` up.
///
/// Codes look random, so that their next bits alone bring each to where it belongs, but for a few places: a pass that
/// counts, a pass that distributes, and an insertion sort. Measured on a million replies of connect-four, sorted 8192 at a
/// time: 0.45 of the time of the standard library's sort.
fn sort<W: Word>(codes: &mut Vec<W>, bits: u32, room: &mut Room<W>) -> Result<(), TryReserveError> {
    let by_bits = (codes.len() / 2).checked_ilog2().unwrap_or(0).min(bits).min(MOST_BITS);
    if codes.len() < FEW || by_bits == 0 {
        codes.sort_unstable();
        return Ok(());
    }
    let place = |code: W| code.below(bits).above(bits - by_bits);
    let Room { codes: sorted, starts } = room;
    starts.clear();
    starts.try_reserve((1 << by_bits) + 1)?;
    starts.resize((1 << by_bits) + 1, 0);
    codes.iter().for_each(|&code| starts[place(code) + 1] += 1);
    let most = starts.iter().copied().max().unwrap_or(0);
    let mut sum = 0;
    for start in &mut *starts {
        sum += *start;
        *start = sum;
    }
    sorted.clear();
    sorted.try_reserve(codes.len())?;
    sorted.resize(codes.len(), W::default());
    for &code in &*codes {
        let start = &mut starts[place(code)];
        sorted[*start as usize] = code;
        *start += 1;
    }
    codes.copy_from_slice(sorted);
    if most > FEW as u32 {
        // Far from random.
        codes.sort_unstable();
        return Ok(());
    }
    for index in 1..codes.len() {
        let code = codes[index];
        let mut at = index;
        while at > 0 && codes[at - 1] > code {
            codes[at] = codes[at - 1];
            at -= 1;
        }
        codes[at] = code;
    }
    Ok(())
}

/// Drops codes that are equal to the one before, without a branch.
fn dedup<W: Word>(codes: &mut Vec<W>) {
    let mut kept = usize::from(!codes.is_empty());
    for index in 1..codes.len() {
        let (code, last) = (codes[index], codes[kept - 1]);
        codes[kept] = code;
        kept += usize::from(code != last);
    }
    codes.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn a_set_is_a_set(seed: u64, range in 1u64..100_000, batches in prop::collection::vec(0usize..9000, 1..12)) {
            let mut draw = fastrand::Rng::with_seed(seed);
            let (mut set, mut model, mut room) = (Set::<u64>::new(17), BTreeSet::new(), Room::new());
            for batch in batches {
                let codes: Vec<u64> = (0..batch).map(|_| draw.u64(..range)).collect();
                set.extend(&codes, &mut room).unwrap();
                model.extend(codes);
            }
            prop_assert_eq!(set.into_sorted(&mut room).unwrap(), model.into_iter().collect::<Vec<_>>());
        }
    }
}
