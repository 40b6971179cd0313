//! Which buffers are in memory when, while slices are swept in a given order.
//!
//! The order is known in advance, and with it when each buffer is wanted again. So a buffer that has to make capacity is the one
//! that is wanted last (Belády 1966: where all buffers are of one size, no other choice loads fewer).

use std::collections::{BTreeSet, HashMap};

/// A sweep, slice by slice.
pub(in crate::solve) struct Schedule {
    pub(in crate::solve) steps: Vec<Step>,
}

/// A slice to be swept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::solve) struct Step {
    pub(in crate::solve) slice: u64,
    /// The buffers of other slices that leave memory before.
    pub(in crate::solve) drops: Vec<u64>,
    /// Those that are loaded then: they and those that are there are all that the slice needs.
    pub(in crate::solve) loads: Vec<u64>,
    /// Whether its own buffer stays in memory, because it is wanted again.
    pub(in crate::solve) stays: bool,
}

impl Schedule {
    /// As [`new`](Self::new), where all buffers have one size and `capacity` of them are in memory at most.
    pub(in crate::solve) fn of_equal(order: &[u64], needed: &[Vec<u64>], capacity: usize) -> Self {
        Self::new(order, needed, |_| capacity as u64, |_| 1)
    }

    /// The sweep of the slices of `order`, each of which needs those of `needed`. While the one at place `n` is swept, `capacity(n)`
    /// of buffers are in memory at most; or as much as it needs, if this is more. `size` tells how large a buffer is.
    pub(in crate::solve) fn new(
        order: &[u64],
        needed: &[Vec<u64>],
        capacity: impl Fn(usize) -> u64,
        size: impl Fn(u64) -> u64,
    ) -> Self {
        // When each buffer is wanted: the last time first.
        let mut uses: HashMap<u64, Vec<usize>> = HashMap::new();
        for (time, needed) in needed.iter().enumerate().rev() {
            needed.iter().for_each(|&buffer| uses.entry(buffer).or_default().push(time));
        }
        let mut resident = Resident { uses, by_use: BTreeSet::new(), size: &size, all: 0 };
        let sum = |buffers: &[u64]| buffers.iter().map(|&buffer| size(buffer)).sum::<u64>();
        let mut steps = Vec::with_capacity(order.len());
        // What leaves memory with the next step.
        let mut drops = Vec::new();
        for (time, (&slice, needed)) in order.iter().zip(needed).enumerate() {
            let loads: Vec<u64> = needed.iter().copied().filter(|&buffer| !resident.has(buffer)).collect();
            // What is wanted now is not wanted last, so that none of it is dropped while there is another buffer.
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
            steps.push(Step { slice, drops: std::mem::replace(&mut drops, after), loads, stays });
        }
        Self { steps }
    }

    /// How much is loaded, counted as `size` counts.
    pub(in crate::solve) fn loads(&self, size: impl Fn(u64) -> u64) -> u64 {
        self.steps.iter().flat_map(|step| &step.loads).map(|&buffer| size(buffer)).sum()
    }
}

/// The buffers in memory.
struct Resident<'s> {
    /// When each buffer is wanted from now on: the last time first.
    uses: HashMap<u64, Vec<usize>>,
    /// Those in memory, by the time of their next use; never again is the last time.
    by_use: BTreeSet<(usize, u64)>,
    size: &'s dyn Fn(u64) -> u64,
    /// The sizes of all of them together.
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

    /// Drops buffers until they have at most `capacity` together, those first that are wanted last, and returns them.
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

    /// It is in memory, and was wanted at `time`.
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

    /// What is needed is in memory in each step, never more than there is capacity for, and nothing is loaded that is there.
    fn check(order: &[u64], needed: &[Vec<u64>], capacity: usize) -> u64 {
        check_sizes(order, needed, capacity as u64, |_| 1)
    }

    /// The same of buffers that have sizes.
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
    fn pieces_are_there_when_they_are_needed() {
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

    /// Three slices in a row that use one buffer each, and capacity for one: what is wanted last goes.
    #[test]
    fn what_is_wanted_last_makes_room() {
        let (order, needed) = (vec![5, 4, 3, 2], vec![vec![], vec![5], vec![4], vec![5]]);
        assert_eq!(check(&order, &needed, 1), 1);
        assert_eq!(check(&order, &needed, 2), 0);
    }
}
