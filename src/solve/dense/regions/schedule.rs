//! The order in which regions are swept, and which pieces are in memory when.
//!
//! A move fills cells, so the regions that moves lead to have larger numbers: from the largest number down, each region finds
//! all of them finished. What play reaches goes the other way.
//!
//! Up to symmetry, the region with the least number of each orbit is swept, in the same order. Let a move lead from such a region `u`
//! to `v`, and let `g` map `v` to its least image. `v` has all cells of `u` and more, so `g(v)` has all of `g(u)` and more, and a larger
//! number than it; and `u` has the least number of its images, `g(u)` among them. So `g(v)` is finished before `u`.
//!
//! The order is known in advance, and with it when each piece is wanted again. So a piece that has to make room is the one
//! that is wanted last (Belády 1966: no other choice loads fewer).

use std::collections::{BTreeSet, HashMap};

use crate::rules::{Move, Rules};
use crate::solve::dense::part::{Cut, subsets};
use crate::symmetry::Fold;

/// Which other regions each region needs.
pub(super) struct Crossings {
    cut: Cut,
    /// Which regions are swept, if others are read through symmetries.
    fold: Option<Fold>,
    /// What moves ask of the region cells, and what they fill: each once, none that fills nothing.
    moves: Vec<[u64; 3]>,
}

impl Crossings {
    /// Those of `rules`, whose boards are indices.
    pub(super) fn new(rules: &Rules, cut: Cut, fold: Option<&Fold>) -> Self {
        let region = |m: &Move| [m.empty, m.full, m.fills & !m.full].map(|cells| cut.region(cells));
        let mut moves: Vec<_> = rules.moves().iter().map(region).filter(|[.., fills]| *fills != 0).collect();
        moves.sort_unstable();
        moves.dedup();
        Self { cut, fold: fold.cloned(), moves }
    }

    /// The regions that are swept, in ascending order.
    pub(super) fn swept(&self) -> impl DoubleEndedIterator<Item = u64> {
        (0..self.cut.regions()).filter(|&region| self.is_swept(region))
    }

    fn is_swept(&self, region: u64) -> bool {
        self.fold.as_ref().is_none_or(|fold| fold.rank(self.cut.upper(), region).is_some())
    }

    /// The regions that moves lead to from `region`.
    fn leading(&self, region: u64) -> Vec<u64> {
        let legal = self.moves.iter().filter(|[empty, full, _]| region & empty == 0 && !region & full == 0);
        sorted(legal.map(|[.., fills]| region | fills), region)
    }

    /// The regions that moves come from to `region`.
    fn coming(&self, region: u64) -> Vec<u64> {
        let legal = self
            .moves
            .iter()
            .filter(|&&[empty, full, fills]| !region & (fills | full) == 0 && region & empty & !fills == 0);
        let before = legal.flat_map(|&[empty, _, fills]| {
            let held = subsets(fills & !empty);
            held.into_iter().map(move |held| region & !fills | held)
        });
        sorted(before, region)
    }

    /// The steps of a sweep of the regions that are not `finished`, with at most `room` pieces of other regions in memory; from the
    /// smallest number up if it `ascends`, else from the largest down.
    pub(super) fn schedule(&self, ascends: bool, room: usize, finished: impl Fn(u64) -> bool) -> Schedule {
        let mut order: Vec<u64> = self.swept().filter(|&region| !finished(region)).collect();
        if !ascends {
            order.reverse();
        }
        let needed = |&region: &u64| if ascends { self.coming(region) } else { self.leading(region) };
        Schedule::new(&order, &order.iter().map(needed).collect::<Vec<_>>(), room)
    }

    pub(super) const fn cut(&self) -> Cut {
        self.cut
    }

    /// A bound of [`most`](Self::most), of both directions if `both` is set.
    pub(super) fn bound(&self, both: bool) -> usize {
        let choices = |[empty, _, fills]: &[u64; 3]| if both { 1 << (fills & !empty).count_ones().min(32) } else { 1 };
        self.moves.iter().map(choices).sum()
    }

    /// The most regions that one region needs.
    pub(super) fn most(&self, ascends: bool) -> usize {
        let needed = |region| if ascends { self.coming(region).len() } else { self.leading(region).len() };
        self.swept().map(needed).max().unwrap_or(0)
    }
}

/// `regions` but for `own`, from the largest number down, each once.
fn sorted(regions: impl Iterator<Item = u64>, own: u64) -> Vec<u64> {
    let mut regions: Vec<u64> = regions.filter(|&region| region != own).collect();
    regions.sort_unstable_by(|a, b| b.cmp(a));
    regions.dedup();
    regions
}

/// A sweep, region by region.
pub(super) struct Schedule {
    pub(super) steps: Vec<Step>,
}

/// A region to be swept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) region: u64,
    /// The pieces of other regions that leave memory before.
    pub(super) drops: Vec<u64>,
    /// Those that are loaded then: they and those that are there are all that the region needs.
    pub(super) loads: Vec<u64>,
    /// Whether its own piece stays in memory, because it is wanted again.
    pub(super) stays: bool,
}

impl Schedule {
    /// The sweep of the regions of `order`, each of which needs those of `needed`, with at most `room` pieces in memory; or as
    /// many as one region needs, if these are more.
    fn new(order: &[u64], needed: &[Vec<u64>], room: usize) -> Self {
        // When each piece is wanted: the last time first.
        let mut uses: HashMap<u64, Vec<usize>> = HashMap::new();
        for (time, needed) in needed.iter().enumerate().rev() {
            needed.iter().for_each(|&piece| uses.entry(piece).or_default().push(time));
        }
        let mut held = Held { uses, by_use: BTreeSet::new() };
        let mut steps = Vec::with_capacity(order.len());
        // What leaves memory with the next step.
        let mut drops = Vec::new();
        for (time, (&region, needed)) in order.iter().zip(needed).enumerate() {
            let loads: Vec<u64> = needed.iter().copied().filter(|&piece| !held.has(piece)).collect();
            // What is wanted now is not wanted last, so that none of it is dropped while there is another piece.
            drops.extend(held.shrink(room.max(needed.len()) - loads.len()));
            needed.iter().for_each(|&piece| held.used(piece, time));
            let mut stays = held.next_use(region).is_some();
            let mut after = Vec::new();
            if stays {
                held.add(region);
                after = held.shrink(room);
                stays = !after.contains(&region);
                after.retain(|&piece| piece != region);
            }
            steps.push(Step { region, drops: std::mem::replace(&mut drops, after), loads, stays });
        }
        Self { steps }
    }

    /// How many pieces are loaded.
    pub(super) fn loads(&self) -> u64 {
        self.steps.iter().map(|step| step.loads.len() as u64).sum()
    }
}

/// The pieces in memory.
struct Held {
    /// When each piece is wanted from now on: the last time first.
    uses: HashMap<u64, Vec<usize>>,
    /// Those in memory, by the time of their next use; never again is the last time.
    by_use: BTreeSet<(usize, u64)>,
}

impl Held {
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
        self.by_use.insert(self.key(piece));
    }

    /// Drops pieces until there are at most `room`, those first that are wanted last, and returns them.
    fn shrink(&mut self, room: usize) -> Vec<u64> {
        let more = self.by_use.len().saturating_sub(room);
        (0..more).filter_map(|_| self.by_use.pop_last()).map(|(_, piece)| piece).collect()
    }

    /// It is in memory, and was wanted at `time`.
    fn used(&mut self, piece: u64, time: usize) {
        self.by_use.remove(&self.key(piece));
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
        let schedule = Schedule::new(order, needed, room);
        let mut held = HashSet::new();
        for (step, needed) in schedule.steps.iter().zip(needed) {
            step.drops.iter().for_each(|piece| assert!(held.remove(piece), "{piece} is dropped and not there"));
            step.loads.iter().for_each(|&piece| assert!(held.insert(piece), "{piece} is loaded and there"));
            assert!(needed.iter().all(|piece| held.contains(piece)), "{needed:?} of {held:?}");
            assert!(held.len() <= room, "{} of {room}", held.len());
            if step.stays {
                held.insert(step.region);
            }
        }
        schedule.loads()
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
