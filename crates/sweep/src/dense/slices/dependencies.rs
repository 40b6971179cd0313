//! The other slices that a slice of boards depends on.
//!
//! A move fills cells, so it leads to a slice with a larger number. From the largest number down, each slice finds its
//! successors finished. Marking goes the other way.
//!
//! Up to symmetry, the representative of a class of slices is the slice with the least number. The order stays the
//! same. Let a move lead from a representative `u` to `v`, and let `g` map `v` to its representative. `v` has all cells
//! of `u` and more, so `g(v)` has all cells of `g(u)` and more, and a larger number. `u` has the least number of its
//! images, `g(u)` among them. So `g(v)` is finished before `u`.

use crate::dense::part::Cut;
use crate::rules::{Move, Rules};
use crate::slices::{self, Schedule, SliceMove};
use crate::symmetry::Fold;

/// The dependencies between the swept slices.
pub(super) struct Dependencies {
    cut: Cut,
    /// The symmetry, if only representatives are swept.
    fold: Option<Fold>,
    all: slices::Dependencies,
}

impl Dependencies {
    /// The dependencies by the moves of `rules`, whose boards are indices.
    pub(super) fn new(rules: &Rules, cut: Cut, fold: Option<&Fold>) -> Self {
        let slice_move = |m: &Move| {
            let [empty, full, fills] = [m.empty, m.full, m.fills & !m.full].map(|cells| cut.slice(cells));
            SliceMove { empty, full, fills, maybe: fills & !empty }
        };
        Self { cut, fold: fold.cloned(), all: slices::Dependencies::new(rules.moves().iter().map(slice_move)) }
    }

    /// The swept slices, in ascending order.
    pub(super) fn swept(&self) -> impl DoubleEndedIterator<Item = u64> {
        swept(self.cut, self.fold.as_ref())
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
        let needed: Vec<Vec<u64>> = order.iter().map(|&slice| self.all.needed(slice, ascends)).collect();
        Schedule::of_equal(order, &needed, capacity)
    }

    pub(super) const fn cut(&self) -> Cut {
        self.cut
    }

    /// An upper bound on [`most`](Self::most), for both directions if `both` is set.
    pub(super) fn bound(&self, both: bool) -> usize {
        self.all.bound(both)
    }

    /// The most slices that a slice depends on.
    pub(super) fn most(&self, ascends: bool) -> usize {
        self.swept().map(|slice| self.all.needed(slice, ascends).len()).max().unwrap_or(0)
    }
}

/// The swept slices, in ascending order: the representatives of `fold`, or all.
pub(super) fn swept(cut: Cut, fold: Option<&Fold>) -> impl DoubleEndedIterator<Item = u64> {
    (0..cut.slices()).filter(move |&slice| fold.is_none_or(|fold| fold.rank(cut.upper(), slice).is_some()))
}
