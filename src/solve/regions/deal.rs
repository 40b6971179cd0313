//! Which of several processes sweeps which region.
//!
//! Regions with equally many region cells filled do not depend on each other: they are a *level*, and the levels are swept one after
//! the other. Each level is dealt out to all processes, in runs of neighbours, which need much the same regions; so that each has
//! its share of the work of all levels up to it. All processes find the same, without asking.

use std::cmp::Reverse;

/// A region to be dealt out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Work {
    pub(super) region: u64,
    /// How much work it is, in any unit.
    pub(super) amount: u64,
}

/// The level of a region: levels are swept from the highest down, or from the lowest up.
pub(super) const fn level(region: u64) -> u32 {
    region.count_ones()
}

/// Puts regions, which are in the order of a sweep downwards, into the order in which several processes sweep them, level by level.
pub(super) fn by_levels(order: &mut [u64]) {
    order.sort_by_key(|&region| Reverse(level(region)));
}

/// For each region of `all`, which are in the order of levels, the process that sweeps it, of `processes`.
pub(super) fn deal(all: &[Work], processes: usize) -> Vec<usize> {
    let mut dealt = Vec::with_capacity(all.len());
    let mut loads = vec![0u128; processes];
    let mut sum = 0;
    for of_level in all.chunk_by(|a, b| level(a.region) == level(b.region)) {
        sum += of_level.iter().map(|work| u128::from(work.amount)).sum::<u128>();
        let share = sum.div_ceil(processes as u128);
        // Those with less work so far come first, so that few regions go to others than the last ones did.
        let mut order: Vec<usize> = (0..processes).collect();
        order.sort_by_key(|&process| (loads[process], process));
        let mut at = 0;
        for work in of_level {
            let amount = u128::from(work.amount);
            while at + 1 < processes && loads[order[at]] + amount / 2 > share {
                at += 1;
            }
            loads[order[at]] += amount;
            dealt.push(order[at]);
        }
    }
    dealt
}

/// How long a sweep of `all`, which are in the order of levels, takes with `processes`, if each level waits for the one before: in
/// the unit of the amounts.
pub(super) fn makespan(all: &[Work], processes: usize) -> u128 {
    let dealt = deal(all, processes);
    let mut at = 0;
    let of_level = |of_level: &[Work]| {
        let mut loads = vec![0u128; processes];
        for work in of_level {
            loads[dealt[at]] += u128::from(work.amount);
            at += 1;
        }
        loads.into_iter().max().unwrap_or(0)
    };
    all.chunk_by(|a, b| level(a.region) == level(b.region)).map(of_level).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(cells: u32, amount: impl Fn(u64) -> u64) -> Vec<Work> {
        let mut order: Vec<u64> = (0..1 << cells).rev().collect();
        by_levels(&mut order);
        order.into_iter().map(|region| Work { region, amount: amount(region) }).collect()
    }

    #[test]
    fn shares_are_even_in_all_and_in_large_levels() {
        for processes in [1, 2, 3, 4, 7, 8] {
            for amount in [|_| 100u64, |region: u64| 50 + region % 97] {
                let all = all(10, amount);
                let dealt = deal(&all, processes);
                assert!(dealt.iter().all(|&process| process < processes));
                let whole: u64 = all.iter().map(|work| work.amount).sum();
                for process in 0..processes {
                    let of = all.iter().zip(&dealt).filter(|&(_, &dealt)| dealt == process);
                    let load: u64 = of.map(|(work, _)| work.amount).sum();
                    let share = whole / processes as u64;
                    assert!(load.abs_diff(share) <= share / 20 + 200, "{process} of {processes}: {load} of {share}");
                }
                assert!(makespan(&all, processes) * processes as u128 <= u128::from(whole) * 3 / 2);
            }
        }
    }

    #[test]
    fn every_region_is_dealt_even_if_there_are_more_processes() {
        for processes in [1, 5, 64] {
            assert_eq!(deal(&all(3, |_| 1), processes).len(), 8);
            assert!(deal(&[], processes).is_empty());
        }
        assert_eq!(makespan(&all(3, |_| 1), 64), 4);
    }

    #[test]
    fn levels_follow_each_other() {
        let mut order: Vec<u64> = (0..16).rev().collect();
        by_levels(&mut order);
        assert!(order.is_sorted_by_key(|&region| Reverse(level(region))));
        assert_eq!(order[..4], [15, 14, 13, 11]);
    }
}
