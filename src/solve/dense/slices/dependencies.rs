//! The other slices that a slice of boards depends on.
//!
//! A move fills cells, so it leads to a slice with a larger number. From the largest number down, each slice finds its
//! successors finished. Marking goes the other way.
//!
//! Up to symmetry, the representative of an orbit is its slice with the least number. The order stays the same. Let a
//! move lead from a representative `u` to `v`, and let `g` map `v` to its representative. `v` has all cells of `u` and
//! more, so `g(v)` has all cells of `g(u)` and more, and a larger number. `u` has the least number of its images,
//! `g(u)` among them. So `g(v)` is finished before `u`.

use crate::rules::{Move, Rules};
use crate::solve::dense::part::{Cut, subsets};
use crate::solve::slices::Schedule;
use crate::symmetry::Fold;

/// The dependencies between all slices, by the moves that fill slice cells.
pub(super) struct Dependencies {
    cut: Cut,
    /// The symmetry, if only representatives are swept.
    fold: Option<Fold>,
    /// The slice cells of moves that fill at least one of them, each once.
    moves: Vec<[u64; 3]>,
}

impl Dependencies {
    /// The dependencies by the moves of `rules`, whose boards are indices.
    pub(super) fn new(rules: &Rules, cut: Cut, fold: Option<&Fold>) -> Self {
        let slice = |m: &Move| [m.empty, m.full, m.fills & !m.full].map(|cells| cut.slice(cells));
        let mut moves: Vec<_> = rules.moves().iter().map(slice).filter(|[.., fills]| *fills != 0).collect();
        moves.sort_unstable();
        moves.dedup();
        Self { cut, fold: fold.cloned(), moves }
    }

    /// The swept slices, in ascending order.
    pub(super) fn swept(&self) -> impl DoubleEndedIterator<Item = u64> {
        swept(self.cut, self.fold.as_ref())
    }

    /// The slices that moves lead to from `slice`.
    fn leading(&self, slice: u64) -> Vec<u64> {
        let legal = self.moves.iter().filter(|[empty, full, _]| slice & empty == 0 && !slice & full == 0);
        sorted(legal.map(|[.., fills]| slice | fills), slice)
    }

    /// The slices that moves come from to `slice`.
    fn coming(&self, slice: u64) -> Vec<u64> {
        let legal = self
            .moves
            .iter()
            .filter(|&&[empty, full, fills]| !slice & (fills | full) == 0 && slice & empty & !fills == 0);
        let before = legal.flat_map(|&[empty, _, fills]| {
            let held = subsets(fills & !empty);
            held.into_iter().map(move |held| slice & !fills | held)
        });
        sorted(before, slice)
    }

    /// The steps of a sweep of all slices with at most `capacity` other slices in memory: from the smallest number up
    /// if it `ascends`, or else from the largest down.
    pub(super) fn schedule(&self, ascends: bool, capacity: usize) -> Schedule {
        let mut order: Vec<u64> = self.swept().collect();
        if !ascends {
            order.reverse();
        }
        self.schedule_of(ascends, capacity, &order)
    }

    /// The steps of a sweep of `order`.
    pub(super) fn schedule_of(&self, ascends: bool, capacity: usize, order: &[u64]) -> Schedule {
        let needed = |&slice: &u64| if ascends { self.coming(slice) } else { self.leading(slice) };
        Schedule::of_equal(order, &order.iter().map(needed).collect::<Vec<_>>(), capacity)
    }

    pub(super) const fn cut(&self) -> Cut {
        self.cut
    }

    /// An upper bound on [`most`](Self::most), for both directions if `both` is set.
    pub(super) fn bound(&self, both: bool) -> usize {
        let choices = |[empty, _, fills]: &[u64; 3]| if both { 1 << (fills & !empty).count_ones().min(32) } else { 1 };
        self.moves.iter().map(choices).sum()
    }

    /// The most slices that a slice depends on.
    pub(super) fn most(&self, ascends: bool) -> usize {
        let needed = |slice| if ascends { self.coming(slice).len() } else { self.leading(slice).len() };
        self.swept().map(needed).max().unwrap_or(0)
    }
}

/// The swept slices, in ascending order: the representatives of `fold`, or all.
pub(super) fn swept(cut: Cut, fold: Option<&Fold>) -> impl DoubleEndedIterator<Item = u64> {
    (0..cut.slices()).filter(move |&slice| fold.is_none_or(|fold| fold.rank(cut.upper(), slice).is_some()))
}

/// `slices` without `own`, from the largest number down, each once.
fn sorted(slices: impl Iterator<Item = u64>, own: u64) -> Vec<u64> {
    let mut slices: Vec<u64> = slices.filter(|&slice| slice != own).collect();
    slices.sort_unstable_by(|a, b| b.cmp(a));
    slices.dedup();
    slices
}
