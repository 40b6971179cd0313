//! Which other regions a region of boards needs, and in which order regions are swept.
//!
//! A move fills cells, so the regions that moves lead to have larger numbers: from the largest number down, each region finds
//! all of them finished. What play reaches goes the other way.
//!
//! Up to symmetry, the region with the least number of each orbit is swept, in the same order. Let a move lead from such a region `u`
//! to `v`, and let `g` map `v` to its least image. `v` has all cells of `u` and more, so `g(v)` has all of `g(u)` and more, and a larger
//! number than it; and `u` has the least number of its images, `g(u)` among them. So `g(v)` is finished before `u`.

use crate::rules::{Move, Rules};
use crate::solve::dense::part::{Cut, subsets};
use crate::solve::regions::Schedule;
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
        swept(self.cut, self.fold.as_ref())
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

    /// The steps of a sweep of all regions in the order of their numbers, with at most `room` pieces of other regions in memory; from
    /// the smallest up if it `ascends`, else from the largest down.
    pub(super) fn schedule(&self, ascends: bool, room: usize) -> Schedule {
        let mut order: Vec<u64> = self.swept().collect();
        if !ascends {
            order.reverse();
        }
        self.schedule_of(ascends, room, &order)
    }

    /// The steps of a sweep of `order`.
    pub(super) fn schedule_of(&self, ascends: bool, room: usize, order: &[u64]) -> Schedule {
        let needed = |&region: &u64| if ascends { self.coming(region) } else { self.leading(region) };
        Schedule::of_equal(order, &order.iter().map(needed).collect::<Vec<_>>(), room)
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

/// The regions that are swept, in ascending order, if others are read through the symmetries of `fold`.
pub(super) fn swept(cut: Cut, fold: Option<&Fold>) -> impl DoubleEndedIterator<Item = u64> {
    (0..cut.regions()).filter(move |&region| fold.is_none_or(|fold| fold.rank(cut.upper(), region).is_some()))
}

/// `regions` but for `own`, from the largest number down, each once.
fn sorted(regions: impl Iterator<Item = u64>, own: u64) -> Vec<u64> {
    let mut regions: Vec<u64> = regions.filter(|&region| region != own).collect();
    regions.sort_unstable_by(|a, b| b.cmp(a));
    regions.dedup();
    regions
}
