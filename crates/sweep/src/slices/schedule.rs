//! When to load and drop slices, while slices are swept in a given order.
//!
//! The order is known in advance, and with it the next use of each slice. The slice whose next use is latest makes room
//! (Belády 1966: if all slices have one size, no other choice loads fewer). Sizes are in any unit that `size` and
//! `capacity` share.

use std::collections::{BTreeSet, HashMap};

/// A sweep, slice by slice.
pub(crate) struct Schedule {
    pub(crate) steps: Vec<SliceStep>,
}

/// One step of a sweep: a slice to sweep, and what happens in memory before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SliceStep {
    pub(crate) slice: u64,
    /// Slices that leave memory before.
    pub(crate) drops: Vec<u64>,
    /// Slices that are loaded then. Together with the slices already in memory they are all that `slice` depends on.
    pub(crate) loads: Vec<u64>,
    /// `true` if the slice stays in memory, because a later step uses it.
    pub(crate) stays: bool,
}

impl Schedule {
    /// A sweep of the slices of `order`. Slice `order[n]` depends on `needed[n]`. While it is swept, at most
    /// `capacity(n)` is in memory, or the size of `needed[n]` if that is more.
    pub(crate) fn new(
        order: &[u64],
        needed: &[Vec<u64>],
        capacity: impl Fn(usize) -> u64,
        size: impl Fn(u64) -> u64,
    ) -> Self {
        // The steps that use each slice, the latest first.
        let mut uses: HashMap<u64, Vec<usize>> = HashMap::new();
        for (time, needed) in needed.iter().enumerate().rev() {
            needed.iter().for_each(|&buffer| uses.entry(buffer).or_default().push(time));
        }
        let mut resident = Resident { uses, by_use: BTreeSet::new(), size: &size, all: 0 };
        let sum = |buffers: &[u64]| buffers.iter().map(|&buffer| size(buffer)).sum::<u64>();
        let mut steps = Vec::with_capacity(order.len());
        // Slices that leave memory with the next step.
        let mut drops = Vec::new();
        for (time, (&slice, needed)) in order.iter().zip(needed).enumerate() {
            let loads: Vec<u64> = needed.iter().copied().filter(|&buffer| !resident.has(buffer)).collect();
            // The slices used now have the earliest next use, so any other slice is dropped before them.
            drops.extend(resident.shrink(capacity(time).max(sum(needed)) - sum(&loads)));
            needed.iter().for_each(|&buffer| resident.used(buffer, time));
            let mut stays = resident.next_use(slice).is_some();
            let mut after = Vec::new();
            if stays {
                resident.add(slice);
                after = resident.shrink(capacity(time + 1));
                stays = !after.contains(&slice);
                after.retain(|&buffer| buffer != slice);
            }
            steps.push(SliceStep { slice, drops: std::mem::replace(&mut drops, after), loads, stays });
        }
        Self { steps }
    }

    /// The total size of all loads.
    pub(crate) fn loads(&self, size: impl Fn(u64) -> u64) -> u64 {
        self.steps.iter().flat_map(|step| &step.loads).map(|&buffer| size(buffer)).sum()
    }
}

/// The slices in memory.
struct Resident<'s> {
    /// The steps ahead that use each slice, the latest first.
    uses: HashMap<u64, Vec<usize>>,
    /// The slices in memory, by the step of their next use: `usize::MAX` if there is none.
    by_use: BTreeSet<(usize, u64)>,
    size: &'s dyn Fn(u64) -> u64,
    /// The total size of the slices in memory.
    all: u64,
}

impl Resident<'_> {
    fn next_use(&self, buffer: u64) -> Option<usize> {
        self.uses.get(&buffer)?.last().copied()
    }

    fn key(&self, buffer: u64) -> (usize, u64) {
        (self.next_use(buffer).unwrap_or(usize::MAX), buffer)
    }

    fn has(&self, buffer: u64) -> bool {
        self.by_use.contains(&self.key(buffer))
    }

    fn add(&mut self, buffer: u64) {
        if self.by_use.insert(self.key(buffer)) {
            self.all += (self.size)(buffer);
        }
    }

    /// Drops slices, the latest next use first, until at most `capacity` is in memory. Returns them.
    fn shrink(&mut self, capacity: u64) -> Vec<u64> {
        let mut dropped = Vec::new();
        while self.all > capacity
            && let Some((_, buffer)) = self.by_use.pop_last()
        {
            self.all -= (self.size)(buffer);
            dropped.push(buffer);
        }
        dropped
    }

    /// Puts a slice that step `time` used in the place of its next use.
    fn used(&mut self, buffer: u64, time: usize) {
        if self.by_use.remove(&self.key(buffer)) {
            self.all -= (self.size)(buffer);
        }
        if let Some(uses) = self.uses.get_mut(&buffer) {
            debug_assert_eq!(uses.last(), Some(&time), "a buffer is wanted when it is used");
            uses.pop();
        }
        self.add(buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Checks that each step has its dependencies in memory, keeps to the capacity, and loads no slice twice.
    fn check(order: &[u64], needed: &[Vec<u64>], capacity: usize) -> u64 {
        check_sizes(order, needed, capacity as u64, |_| 1)
    }

    /// As [`check`], for slices of several sizes.
    fn check_sizes(order: &[u64], needed: &[Vec<u64>], capacity: u64, size: impl Fn(u64) -> u64) -> u64 {
        let schedule = Schedule::new(order, needed, |_| capacity, &size);
        let mut resident = HashSet::new();
        for (step, needed) in schedule.steps.iter().zip(needed) {
            step.drops.iter().for_each(|buffer| assert!(resident.remove(buffer), "{buffer} is dropped and not there"));
            step.loads.iter().for_each(|&buffer| assert!(resident.insert(buffer), "{buffer} is loaded and there"));
            assert!(needed.iter().all(|buffer| resident.contains(buffer)), "{needed:?} of {resident:?}");
            let all: u64 = resident.iter().map(|&buffer| size(buffer)).sum();
            assert!(all <= capacity, "{all} of {capacity}");
            if step.stays {
                resident.insert(step.slice);
            }
        }
        schedule.loads(size)
    }

    #[test]
    fn slices_are_in_memory_when_needed() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..200 {
            let slices = random.u64(2..40);
            let order: Vec<u64> = (0..slices).rev().collect();
            let larger = |slice: u64, random: &mut fastrand::Rng| -> Vec<u64> {
                let all = (slice + 1..slices).rev();
                all.filter(|_| random.u8(..4) == 0).collect()
            };
            let needed: Vec<_> = order.iter().map(|&slice| larger(slice, &mut random)).collect();
            let least = needed.iter().map(Vec::len).max().unwrap_or(0).max(1);
            let loads: Vec<u64> = (least..least + 6).map(|capacity| check(&order, &needed, capacity)).collect();
            assert!(loads.is_sorted_by(|a, b| a >= b), "more capacity loads less: {loads:?}");
            assert_eq!(check(&order, &needed, slices as usize + 1), 0, "all of it stays in memory");
            let size = |slice: u64| slice % 7 + 1;
            let sum = |needed: &Vec<u64>| needed.iter().map(|&slice| size(slice)).sum::<u64>();
            let least = needed.iter().map(sum).max().unwrap_or(0).max(7);
            for capacity in least..least + 9 {
                check_sizes(&order, &needed, capacity, size);
            }
            assert_eq!(check_sizes(&order, &needed, slices * 7, size), 0, "all of it stays in memory");
        }
    }

    /// Three slices in a row that depend on one slice each, and capacity for one: the latest use makes room.
    #[test]
    fn the_slice_with_the_latest_use_is_dropped() {
        let (order, needed) = (vec![5, 4, 3, 2], vec![vec![], vec![5], vec![4], vec![5]]);
        assert_eq!(check(&order, &needed, 1), 1);
        assert_eq!(check(&order, &needed, 2), 0);
    }
}
