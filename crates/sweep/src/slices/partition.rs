//! The distribution of slices over several processes.
//!
//! Slices with equally many slice cells filled do not depend on each other: they are a *level*. Levels are swept one
//! after the other. Each level is distributed evenly, in runs of neighbours, which share most of their dependencies.
//! Every process computes the same distribution by itself.

use std::cmp::Reverse;

/// A slice to distribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SliceWork {
    pub(super) slice: u64,
    /// Its work, in any unit.
    pub(super) amount: u64,
}

/// The level of a slice: levels are swept from the highest down, or from the lowest up.
pub(super) const fn level(slice: u64) -> u32 {
    slice.count_ones()
}

/// Sorts slices by level, from the highest down. Slices of one level keep their order.
pub(super) fn by_levels(order: &mut [u64]) {
    order.sort_by_key(|&slice| Reverse(level(slice)));
}

/// The process, below `processes`, of each slice of `all`, which is sorted by level.
pub(super) fn partition(all: &[SliceWork], processes: usize) -> Vec<usize> {
    let mut assigned = Vec::with_capacity(all.len());
    let mut loads = vec![0u128; processes];
    for of_level in all.chunk_by(|a, b| level(a.slice) == level(b.slice)) {
        // Processes with less work so far come first, and get the remainder of an uneven division.
        let mut order: Vec<usize> = (0..processes).collect();
        order.sort_by_key(|&process| (loads[process], process));
        let sharing = processes.min(of_level.len()) as u128;
        let sum: u128 = of_level.iter().map(|work| u128::from(work.amount)).sum();
        let (mut at, mut before) = (0, 0);
        for work in of_level {
            let amount = u128::from(work.amount);
            // The slice goes to the process in whose share its middle lies.
            while at + 1 < sharing && (2 * before + amount) * sharing > 2 * sum * (at + 1) {
                at += 1;
            }
            before += amount;
            loads[order[at as usize]] += amount;
            assigned.push(order[at as usize]);
        }
    }
    assigned
}

/// The time of a sweep of `all`, which is sorted by level, by `processes` processes, in the unit of `amount`. Each
/// level waits for the level before.
pub(super) fn makespan(all: &[SliceWork], processes: usize) -> u128 {
    let assigned = partition(all, processes);
    let mut at = 0;
    let of_level = |of_level: &[SliceWork]| {
        let mut loads = vec![0u128; processes];
        for work in of_level {
            loads[assigned[at]] += u128::from(work.amount);
            at += 1;
        }
        loads.into_iter().max().unwrap_or(0)
    };
    all.chunk_by(|a, b| level(a.slice) == level(b.slice)).map(of_level).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(cells: u32, amount: impl Fn(u64) -> u64) -> Vec<SliceWork> {
        let mut order: Vec<u64> = (0..1 << cells).rev().collect();
        by_levels(&mut order);
        order.into_iter().map(|slice| SliceWork { slice, amount: amount(slice) }).collect()
    }

    #[test]
    fn shares_are_even_in_all_and_in_large_levels() {
        for processes in [1, 2, 3, 4, 7, 8] {
            for amount in [|_| 100u64, |slice: u64| 50 + slice % 97] {
                let all = all(10, amount);
                let assigned = partition(&all, processes);
                assert!(assigned.iter().all(|&process| process < processes));
                let whole: u64 = all.iter().map(|work| work.amount).sum();
                for process in 0..processes {
                    let of = all.iter().zip(&assigned).filter(|&(_, &assigned)| assigned == process);
                    let load: u64 = of.map(|(work, _)| work.amount).sum();
                    let share = whole / processes as u64;
                    assert!(load.abs_diff(share) <= share / 20 + 200, "{process} of {processes}: {load} of {share}");
                }
                assert!(makespan(&all, processes) * processes as u128 <= u128::from(whole) * 3 / 2);
            }
        }
    }

    #[test]
    fn every_slice_is_assigned_even_with_more_processes() {
        for processes in [1, 5, 64] {
            assert_eq!(partition(&all(3, |_| 1), processes).len(), 8);
            assert!(partition(&[], processes).is_empty());
        }
        // Levels of 1, 3, 3 and 1 slices.
        assert_eq!((makespan(&all(3, |_| 1), 64), makespan(&all(3, |_| 1), 2)), (4, 6));
        for processes in [64, 300, 5000] {
            let rounds: u64 = (0..=10u64).map(|level| binomial(10, level).div_ceil(processes as u64)).sum();
            let found = makespan(&all(10, |_| 1), processes);
            assert!(found <= u128::from(rounds) + 3, "{processes}: {found} of {rounds}");
        }
    }

    fn binomial(n: u64, k: u64) -> u64 {
        (0..k).fold(1, |all, at| all * (n - at) / (at + 1))
    }

    #[test]
    fn levels_follow_each_other() {
        let mut order: Vec<u64> = (0..16).rev().collect();
        by_levels(&mut order);
        assert!(order.is_sorted_by_key(|&slice| Reverse(level(slice))));
        assert_eq!(order[..4], [15, 14, 13, 11]);
    }
}
