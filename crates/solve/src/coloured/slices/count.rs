//! Tallies of the planes of a slice of colourings.

use rayon::prelude::*;

use super::super::set_order::{Direction, SetOrder};
use super::ColouredPlan;
use crate::colourings::WORD;
use crate::label::{Counts, add_each};
use crate::memory::values;
use crate::slices::figures;

/// The counting of one slice.
pub(super) struct Counting<'a> {
    pub(super) plan: &'a ColouredPlan,
    /// Modes of the rules.
    pub(super) modes: usize,
    pub(super) slice: u64,
}

/// A set in one of its modes.
struct Place {
    set: u64,
    slot: usize,
    mode: usize,
    /// Its first word in a plane of the slice, and the number of its words.
    first: usize,
    words: usize,
}

impl Counting<'_> {
    /// Words of a plane of the slice.
    fn plane(&self) -> usize {
        let words = self.plan.cut.words(self.plan.frame(), self.slice);
        (words.end - words.start) as usize
    }

    /// Calls `count` for each set in each mode, which adds to `sums` sums.
    fn sum(&self, sums: usize, count: impl Fn(&Place, &mut [u64]) + Sync) -> Vec<u64> {
        let (frame, cut) = (self.plan.frame(), &self.plan.cut);
        let (order, start) = (SetOrder::of(frame, cut, self.slice), cut.words(frame, self.slice).start);
        let none = || vec![0; sums];
        let with = |mut all: Vec<u64>, &group: &u64| {
            for set in order.sets(group, Direction::Up) {
                for (slot, mode) in frame.modes_at(set.count_ones()).iter().enumerate() {
                    let first = (frame.offsets().start(set) - start) as usize;
                    let words = 1 << frame.coloured(set).saturating_sub(6);
                    count(&Place { set, slot, mode: mode.0.into(), first, words }, &mut all);
                }
            }
            all
        };
        order.groups().par_iter().fold(none, with).reduce(none, add_each)
    }

    /// Wins, draws and losses by mode among the colourings marked in `reached`; among all if that is `None`.
    pub(super) fn outcomes(&self, outcomes: &[u8], reached: Option<&[u8]>) -> Vec<u64> {
        let (plane, frame) = (self.plane(), self.plan.frame());
        let (outcomes, reached) = (values::<u64>(outcomes), reached.map(values::<u64>));
        let planes = outcomes.len() / (plane * frame.slots() as usize);
        self.sum(3 * self.modes, |place, sums| {
            let of = |planes: &[u64], number: usize, word: usize| planes[number * plane + place.first + word];
            let colourings = 1u64 << frame.coloured(place.set);
            let existing = if colourings >= WORD { u64::MAX } else { (1 << colourings) - 1 };
            let mut counts = Counts::default();
            for word in 0..place.words {
                let among = reached.map_or(existing, |reached| of(reached, place.slot, word));
                let win = of(outcomes, planes * place.slot, word);
                let loss = if planes == 2 { of(outcomes, planes * place.slot + 1, word) } else { !win };
                let ones = |bits: u64| u64::from((bits & among).count_ones());
                let (win, loss) = (ones(win), ones(loss));
                counts = counts + Counts { win, draw: ones(u64::MAX) - win - loss, loss };
            }
            let found = figures([counts]);
            sums[3 * place.mode..3 * place.mode + 3].iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
        })
    }

    /// The number of reachable colourings with each code of a label of one byte.
    pub(super) fn codes(&self, labels: &[u8], reached: &[u8]) -> Vec<u64> {
        let (plane, reached) = (self.plane(), values::<u64>(reached));
        self.sum(256, |place, sums| {
            let first = place.slot * plane + place.first;
            for word in first..first + place.words {
                let labels = &labels[word * WORD as usize..];
                let mut marks = reached[word];
                while marks != 0 {
                    sums[usize::from(labels[marks.trailing_zeros() as usize])] += 1;
                    marks &= marks - 1;
                }
            }
        })
    }
}
