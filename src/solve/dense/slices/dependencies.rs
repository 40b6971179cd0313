//! Which other slices a slice of boards needs, and in which order slices are swept.
//!
//! A move fills cells, so the slices that moves lead to have larger numbers: from the largest number down, each slice finds
//! all of them finished. What play reaches goes the other way.
//!
//! Up to symmetry, the slice with the least number of each orbit is swept, in the same order. Let a move lead from such a slice `u`
//! to `v`, and let `g` map `v` to its least image. `v` has all cells of `u` and more, so `g(v)` has all of `g(u)` and more, and a larger
//! number than it; and `u` has the least number of its images, `g(u)` among them. So `g(v)` is finished before `u`.

use crate::rules::{Move, Rules};
use crate::solve::dense::part::{Cut, subsets};
use crate::solve::slices::Schedule;
use crate::symmetry::Fold;

/// Which other slices each slice needs.
pub(super) struct Dependencies {
    cut: Cut,
    /// Which slices are swept, if others are read through symmetries.
    fold: Option<Fold>,
    /// What moves ask of the slice cells, and what they fill: each once, none that fills nothing.
    moves: Vec<[u64; 3]>,
}

impl Dependencies {
    /// Those of `rules`, whose boards are indices.
    pub(super) fn new(rules: &Rules, cut: Cut, fold: Option<&Fold>) -> Self {
        let slice = |m: &Move| [m.empty, m.full, m.fills & !m.full].map(|cells| cut.slice(cells));
        let mut moves: Vec<_> = rules.moves().iter().map(slice).filter(|[.., fills]| *fills != 0).collect();
        moves.sort_unstable();
        moves.dedup();
        Self { cut, fold: fold.cloned(), moves }
    }

    /// The slices that are swept, in ascending order.
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

    /// The steps of a sweep of all slices in the order of their numbers, with at most `capacity` buffers of other slices in memory; from
    /// the smallest up if it `ascends`, else from the largest down.
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

    /// A bound of [`most`](Self::most), of both directions if `both` is set.
    pub(super) fn bound(&self, both: bool) -> usize {
        let choices = |[empty, _, fills]: &[u64; 3]| if both { 1 << (fills & !empty).count_ones().min(32) } else { 1 };
        self.moves.iter().map(choices).sum()
    }

    /// The most slices that one slice needs.
    pub(super) fn most(&self, ascends: bool) -> usize {
        let needed = |slice| if ascends { self.coming(slice).len() } else { self.leading(slice).len() };
        self.swept().map(needed).max().unwrap_or(0)
    }
}

/// The slices that are swept, in ascending order, if others are read through the symmetries of `fold`.
pub(super) fn swept(cut: Cut, fold: Option<&Fold>) -> impl DoubleEndedIterator<Item = u64> {
    (0..cut.slices()).filter(move |&slice| fold.is_none_or(|fold| fold.rank(cut.upper(), slice).is_some()))
}

/// `slices` but for `own`, from the largest number down, each once.
fn sorted(slices: impl Iterator<Item = u64>, own: u64) -> Vec<u64> {
    let mut slices: Vec<u64> = slices.filter(|&slice| slice != own).collect();
    slices.sort_unstable_by(|a, b| b.cmp(a));
    slices.dedup();
    slices
}
