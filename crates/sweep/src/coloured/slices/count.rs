//! Tallies of the planes of a slice of colourings.

use std::ops::Range;

use rayon::prelude::*;

use super::super::set_order::SetOrder;
use super::ColouringSlices;
use crate::colourings::WORD;
use crate::contents::LabelForm;
use crate::label::figures;
use crate::label::{Counts, add_each};
use crate::memory::values;
use crate::simd::{Unit, VectorUnit, Work};

/// The counting of one slice.
pub(super) struct Counting<'a> {
    pub(super) slices: &'a ColouringSlices,
    /// Modes of the rules.
    pub(super) modes: usize,
    pub(super) slice: u64,
    pub(super) unit: VectorUnit,
}

/// A set in one of its modes.
struct SetInMode {
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
        let words = self.slices.cut.words(self.slices.frame(), self.slice);
        (words.end - words.start) as usize
    }

    /// Calls `count` for each set in each mode, which adds to `sums` sums.
    fn sum(&self, sums: usize, count: impl Fn(&SetInMode, &mut [u64]) + Sync) -> Vec<u64> {
        let (frame, cut) = (self.slices.frame(), &self.slices.cut);
        let (order, start) = (SetOrder::of(frame, cut, self.slice), cut.words(frame, self.slice).start);
        let of_range = |sets: Range<usize>| {
            let mut all = vec![0; sums];
            for set in sets.map(|number| order.set(number)) {
                for (slot, mode) in frame.modes_at(set.count_ones()).iter().enumerate() {
                    let first = (frame.offsets().start(set) - start) as usize;
                    let words = 1 << frame.coloured(set).saturating_sub(6);
                    count(&SetInMode { set, slot, mode: mode.0.into(), first, words }, &mut all);
                }
            }
            all
        };
        order.ranges(frame).into_par_iter().map(of_range).reduce(|| vec![0; sums], add_each)
    }

    /// Wins, draws and losses by mode among the colourings marked in `reached`; among all if that is `None`.
    pub(super) fn outcomes<'a>(&self, outcomes: &'a [u8], reached: Option<&'a [u8]>) -> Vec<u64> {
        let (plane, frame) = (self.plane(), self.slices.frame());
        let (outcomes, reached) = (values::<u64>(outcomes), reached.map(values::<u64>));
        let planes = outcomes.len() / (plane * frame.slots() as usize);
        self.sum(3 * self.modes, |place, sums| {
            let of = |planes: &'a [u64], number: usize| &planes[number * plane + place.first..][..place.words];
            let colourings = 1u64 << frame.coloured(place.set);
            let counts = self.unit.run(Count {
                wins: of(outcomes, planes * place.slot),
                losses: (planes == 2).then(|| of(outcomes, planes * place.slot + 1)),
                reached: reached.map(|reached| of(reached, place.slot)),
                existing: if colourings >= WORD { u64::MAX } else { (1 << colourings) - 1 },
            });
            let found = figures([counts]);
            sums[3 * place.mode..3 * place.mode + 3].iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
        })
    }

    /// The number of reachable colourings with each place of labels of `form`.
    pub(super) fn codes(&self, labels: &[u8], reached: &[u8], form: LabelForm) -> Vec<u64> {
        let (plane, reached, step) = (self.plane(), values::<u64>(reached), WORD as usize * form.bytes());
        self.sum(form.no_counts().len(), |place, sums| {
            let first = place.slot * plane + place.first;
            let marks = reached[first..first + place.words].iter().copied();
            form.count_marked(&labels[first * step..(first + place.words) * step], marks, 1, sums);
        })
    }
}

/// The counts of a set.
struct Count<'a> {
    wins: &'a [u64],
    /// `None` without draws: then a loss is what is no win.
    losses: Option<&'a [u64]>,
    /// The colourings to count; `None` for all.
    reached: Option<&'a [u64]>,
    /// The bits of a word that are colourings.
    existing: u64,
}

impl Work for Count<'_> {
    type Output = Counts;

    #[inline(always)]
    fn run<U: Unit>(self, _: U) -> Counts {
        let (mut all, mut win, mut loss) = (0, 0, 0);
        for word in 0..self.wins.len() {
            let among = match self.reached {
                Some(reached) => reached[word],
                None => self.existing,
            };
            let lost = match self.losses {
                Some(losses) => losses[word],
                None => !self.wins[word],
            };
            all += u64::from(among.count_ones());
            win += u64::from((self.wins[word] & among).count_ones());
            loss += u64::from((lost & among).count_ones());
        }
        Counts { win, draw: all - win - loss, loss }
    }
}
