//! Which pieces are in memory when, while regions are swept in a given order.
//!
//! The order is known in advance, and with it when each piece is wanted again. So a piece that has to make room is the one
//! that is wanted last (Belády 1966: where all pieces are of one size, no other choice loads fewer).

use std::collections::{BTreeSet, HashMap};

/// A sweep, region by region.
pub(in crate::solve) struct Schedule {
    pub(in crate::solve) steps: Vec<Step>,
}

/// A region to be swept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::solve) struct Step {
    pub(in crate::solve) region: u64,
    /// The pieces of other regions that leave memory before.
    pub(in crate::solve) drops: Vec<u64>,
    /// Those that are loaded then: they and those that are there are all that the region needs.
    pub(in crate::solve) loads: Vec<u64>,
    /// Whether its own piece stays in memory, because it is wanted again.
    pub(in crate::solve) stays: bool,
}

impl Schedule {
    /// As [`new`](Self::new), where all pieces have one size and `room` of them are in memory at most.
    pub(in crate::solve) fn of_equal(order: &[u64], needed: &[Vec<u64>], room: usize) -> Self {
        Self::new(order, needed, |_| room as u64, |_| 1)
    }

    /// The sweep of the regions of `order`, each of which needs those of `needed`. While the one at place `n` is swept, `room(n)`
    /// of pieces are in memory at most; or as much as it needs, if this is more. `size` tells how large a piece is.
    pub(in crate::solve) fn new(
        order: &[u64],
        needed: &[Vec<u64>],
        room: impl Fn(usize) -> u64,
        size: impl Fn(u64) -> u64,
    ) -> Self {
        // When each piece is wanted: the last time first.
        let mut uses: HashMap<u64, Vec<usize>> = HashMap::new();
        for (time, needed) in needed.iter().enumerate().rev() {
            needed.iter().for_each(|&piece| uses.entry(piece).or_default().push(time));
        }
        let mut held = Held { uses, by_use: BTreeSet::new(), size: &size, all: 0 };
        let sum = |pieces: &[u64]| pieces.iter().map(|&piece| size(piece)).sum::<u64>();
        let mut steps = Vec::with_capacity(order.len());
        // What leaves memory with the next step.
        let mut drops = Vec::new();
        for (time, (&region, needed)) in order.iter().zip(needed).enumerate() {
            let loads: Vec<u64> = needed.iter().copied().filter(|&piece| !held.has(piece)).collect();
            // What is wanted now is not wanted last, so that none of it is dropped while there is another piece.
            drops.extend(held.shrink(room(time).max(sum(needed)) - sum(&loads)));
            needed.iter().for_each(|&piece| held.used(piece, time));
            let mut stays = held.next_use(region).is_some();
            let mut after = Vec::new();
            if stays {
                held.add(region);
                after = held.shrink(room(time + 1));
                stays = !after.contains(&region);
                after.retain(|&piece| piece != region);
            }
            steps.push(Step { region, drops: std::mem::replace(&mut drops, after), loads, stays });
        }
        Self { steps }
    }

    /// How much is loaded, counted as `size` counts.
    pub(in crate::solve) fn loads(&self, size: impl Fn(u64) -> u64) -> u64 {
        self.steps.iter().flat_map(|step| &step.loads).map(|&piece| size(piece)).sum()
    }
}

/// The pieces in memory.
struct Held<'s> {
    /// When each piece is wanted from now on: the last time first.
    uses: HashMap<u64, Vec<usize>>,
    /// Those in memory, by the time of their next use; never again is the last time.
    by_use: BTreeSet<(usize, u64)>,
    size: &'s dyn Fn(u64) -> u64,
    /// The sizes of all of them together.
    all: u64,
}

impl Held<'_> {
    fn next_use(&self, piece: u64) -> Option<usize> {
        self.uses.get(&piece)?.last().copied()
    }

    fn key(&self, piece: u64) -> (usize, u64) {
        (self.next_use(piece).unwrap_or(usize::MAX), piece)
    }

    fn has(&self, piece: u64) -> bool {
        self.by_use.contains(&self.key(piece))
    }

    fn add(&mut self, piece: u64) {
        if self.by_use.insert(self.key(piece)) {
            self.all += (self.size)(piece);
        }
    }

    /// Drops pieces until they have at most `room` together, those first that are wanted last, and returns them.
    fn shrink(&mut self, room: u64) -> Vec<u64> {
        let mut dropped = Vec::new();
        while self.all > room
            && let Some((_, piece)) = self.by_use.pop_last()
        {
            self.all -= (self.size)(piece);
            dropped.push(piece);
        }
        dropped
    }

    /// It is in memory, and was wanted at `time`.
    fn used(&mut self, piece: u64, time: usize) {
        if self.by_use.remove(&self.key(piece)) {
            self.all -= (self.size)(piece);
        }
        if let Some(uses) = self.uses.get_mut(&piece) {
            debug_assert_eq!(uses.last(), Some(&time), "a piece is wanted when it is used");
            uses.pop();
        }
        self.add(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// What is needed is in memory in each step, never more than there is room for, and nothing is loaded that is there.
    fn check(order: &[u64], needed: &[Vec<u64>], room: usize) -> u64 {
        check_sizes(order, needed, room as u64, |_| 1)
    }

    /// The same of pieces that have sizes.
    fn check_sizes(order: &[u64], needed: &[Vec<u64>], room: u64, size: impl Fn(u64) -> u64) -> u64 {
        let schedule = Schedule::new(order, needed, |_| room, &size);
        let mut held = HashSet::new();
        for (step, needed) in schedule.steps.iter().zip(needed) {
            step.drops.iter().for_each(|piece| assert!(held.remove(piece), "{piece} is dropped and not there"));
            step.loads.iter().for_each(|&piece| assert!(held.insert(piece), "{piece} is loaded and there"));
            assert!(needed.iter().all(|piece| held.contains(piece)), "{needed:?} of {held:?}");
            let all: u64 = held.iter().map(|&piece| size(piece)).sum();
            assert!(all <= room, "{all} of {room}");
            if step.stays {
                held.insert(step.region);
            }
        }
        schedule.loads(size)
    }

    #[test]
    fn pieces_are_there_when_they_are_needed() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..200 {
            let regions = random.u64(2..40);
            let order: Vec<u64> = (0..regions).rev().collect();
            let larger = |region: u64, random: &mut fastrand::Rng| -> Vec<u64> {
                let all = (region + 1..regions).rev();
                all.filter(|_| random.u8(..4) == 0).collect()
            };
            let needed: Vec<_> = order.iter().map(|&region| larger(region, &mut random)).collect();
            let least = needed.iter().map(Vec::len).max().unwrap_or(0).max(1);
            let loads: Vec<u64> = (least..least + 6).map(|room| check(&order, &needed, room)).collect();
            assert!(loads.is_sorted_by(|a, b| a >= b), "more room loads less: {loads:?}");
            assert_eq!(check(&order, &needed, regions as usize + 1), 0, "all of it stays in memory");
            let size = |region: u64| region % 7 + 1;
            let sum = |needed: &Vec<u64>| needed.iter().map(|&region| size(region)).sum::<u64>();
            let least = needed.iter().map(sum).max().unwrap_or(0).max(7);
            for room in least..least + 9 {
                check_sizes(&order, &needed, room, size);
            }
            assert_eq!(check_sizes(&order, &needed, regions * 7, size), 0, "all of it stays in memory");
        }
    }

    /// Three regions in a row that use one piece each, and room for one: what is wanted last goes.
    #[test]
    fn what_is_wanted_last_makes_room() {
        let (order, needed) = (vec![5, 4, 3, 2], vec![vec![], vec![5], vec![4], vec![5]]);
        assert_eq!(check(&order, &needed, 1), 1);
        assert_eq!(check(&order, &needed, 2), 0);
    }
}
