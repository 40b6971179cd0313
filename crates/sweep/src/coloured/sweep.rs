//! The planes during a sweep, and the addresses of their parts.

use std::marker::PhantomData;

use super::plan::Plan;
use super::set_order::{Cut, SetOrder};
use crate::colourings::Frame;
use crate::shared::Shared;

/// The planes of a slice, each with a value for 64 colourings: a bit each (`u64`) or a code each (`Line`). `P` points to a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlicePlanes<P> {
    values: Shared<P>,
    /// The word of the game with which each plane begins, in words of 64 colourings, as all numbers here.
    first: usize,
    /// Words of a plane.
    words: usize,
    /// Words from the planes of one slot to the planes of the next.
    step: usize,
}

impl<P> SlicePlanes<P> {
    /// The number of the value for word `word` of the game, in the first plane of `slot`.
    #[inline(always)]
    const fn number(&self, slot: usize, word: usize) -> usize {
        (slot * self.step + word).wrapping_sub(self.first)
    }
}

/// The planes of the slices in memory, by number of the slice: a sweep's own slice and its dependencies. Sweeps use it one
/// after the other, because a game may have many slices.
pub(super) struct Bases {
    /// The values are those of the sweep.
    planes: Vec<Option<SlicePlanes<*const u8>>>,
    /// The numbers of the slices in memory.
    used: Vec<usize>,
}

impl Bases {
    /// For a game of `slices` slices, none of which is in memory.
    pub(super) fn new(slices: usize) -> Self {
        Self { planes: vec![None; slices], used: Vec::new() }
    }

    /// Forgets all slices, and takes note of `planes`.
    fn renew<T>(&mut self, planes: impl Iterator<Item = (usize, SlicePlanes<*const T>)>) {
        self.used.drain(..).for_each(|number| self.planes[number] = None);
        for (number, SlicePlanes { values, first, words, step }) in planes {
            self.used.push(number);
            self.planes[number] = Some(SlicePlanes { values: values.cast(), first, words, step });
        }
    }
}

/// Planes of outcomes, of reachable positions or of codes, shared by all threads.
///
/// One thread writes the words of a part of a set. Other threads read them only after it has finished them. All `unsafe` code
/// here relies on that; [`SetOrder::levels`] and [`SetOrder::shares`] ensure it.
pub(super) struct Sweep<'a, T> {
    pub(super) plan: &'a Plan,
    pub(super) frame: &'a Frame,
    /// The sets to sweep.
    pub(super) order: SetOrder,
    /// The planes of the slice that is swept.
    own: SlicePlanes<*mut T>,
    /// The planes of this slice and of the slices that it depends on, by number.
    bases: &'a [Option<SlicePlanes<*const u8>>],
    /// The slot of each mode that a position can be in, by number of occupied squares and mode.
    slots: Vec<Option<u16>>,
    memory: PhantomData<&'a mut [T]>,
}

impl<'a, T> Sweep<'a, T> {
    /// A sweep of all sets, with `planes` planes a slot in `own`.
    ///
    /// # Panics
    /// As [`of_slice`](Self::of_slice).
    pub(super) fn whole(
        plan: &'a Plan,
        frame: &'a Frame,
        planes: usize,
        own: &'a mut [T],
        bases: &'a mut Bases,
    ) -> Self {
        Self::of_slice(plan, frame, SetOrder::of(frame, &Cut::whole(frame), 0), planes, own, &[], bases)
    }

    /// A sweep of the sets of a slice in their `order`, with `planes` planes a slot in `own`. `others` are slices that it depends on, with
    /// their planes.
    ///
    /// # Panics
    /// If some planes are not large enough for their slice, or `bases` is of another number of slices.
    pub(super) fn of_slice(
        plan: &'a Plan,
        frame: &'a Frame,
        order: SetOrder,
        planes: usize,
        own: &'a mut [T],
        others: &[(u64, &'a [T])],
        bases: &'a mut Bases,
    ) -> Self {
        let cut = &order.cut;
        assert_eq!(bases.planes.len(), cut.slices(), "a place for each slice");
        let with = |slice: u64, values: &[T]| {
            let words = cut.words(frame, slice);
            let (first, words) = (words.start as usize, (words.end - words.start) as usize);
            let step = planes * words;
            assert!(step * frame.slots() as usize <= values.len(), "all planes of a slice");
            SlicePlanes { values: Shared::of(values), first, words, step }
        };
        let others = others.iter().map(|&(other, values)| (cut.number(other), with(other, values)));
        let SlicePlanes { first, words, step, .. } = with(order.slice, own);
        let own = SlicePlanes { values: Shared::new(own), first, words, step };
        let finished = SlicePlanes { values: own.values.finished(), first, words, step };
        bases.renew(others.chain([(cut.number(order.slice), finished)]));
        let modes = plan.moves.len();
        let mut slots = vec![None; modes * (frame.size() as usize + 1)];
        for pieces in 0..=frame.size() {
            for (slot, mode) in (0..).zip(frame.modes_at(pieces)) {
                slots[pieces as usize * modes + usize::from(mode.0)] = Some(slot);
            }
        }
        Self { plan, frame, order, own, bases: &bases.planes, slots, memory: PhantomData }
    }

    /// Planes of another kind of the slice that is swept, `planes` planes a slot.
    ///
    /// # Panics
    /// If they are not large enough for the slice.
    pub(super) fn beside<U>(&self, values: &'a mut [U], planes: usize) -> SlicePlanes<*mut U> {
        let SlicePlanes { first, words, .. } = self.own;
        let step = planes * words;
        assert!(step * self.frame.slots() as usize <= values.len(), "all planes of a slice");
        SlicePlanes { values: Shared::new(values), first, words, step }
    }

    /// The planes of the slice that is swept.
    pub(super) const fn own(&self) -> SlicePlanes<*mut T> {
        self.own
    }

    /// The slot of `mode` in sets of `pieces` occupied squares; `None` if these cannot be in this mode.
    #[inline(always)]
    pub(super) fn slot(&self, pieces: u32, mode: usize) -> Option<usize> {
        self.slots[pieces as usize * self.plan.moves.len() + mode].map(usize::from)
    }

    /// The slot of `mode` in the set `after`, to which a move to this mode leads.
    ///
    /// # Panics
    /// Not at all: modes that moves lead to after so many pieces have slots, because each move fills a cell
    /// ([`RulesError::FillsNothingNew`](crate::rules::RulesError)).
    #[inline(always)]
    pub(super) fn slot_after(&self, after: u64, mode: usize) -> usize {
        self.slot(after.count_ones(), mode).unwrap_or_else(|| unreachable!("a move leads to a mode with a slot"))
    }

    /// The first value of `set` in the first plane of `slot` of `planes`, which are of the slice that is swept.
    #[inline(always)]
    pub(super) fn own_at<U>(&self, planes: &SlicePlanes<*mut U>, set: u64, slot: usize) -> *mut U {
        planes.values.at(planes.number(slot, self.frame.offsets().start(set) as usize))
    }

    /// The first value of `set` in the first plane of `slot`, and the number of values from there to the next plane.
    ///
    /// # Panics
    /// If the slice of `set` is not in memory.
    #[inline(always)]
    pub(super) fn finished(&self, set: u64, slot: usize) -> (*const T, usize) {
        let planes = &self.bases[self.order.cut.number(self.order.cut.slice(set))];
        let planes = planes.as_ref().unwrap_or_else(|| unreachable!("the slice of a successor is in memory"));
        let number = planes.number(slot, self.frame.offsets().start(set) as usize);
        (planes.values.cast::<T>().at(number), planes.words)
    }

    /// Words of a plane of the slice that is swept.
    #[inline(always)]
    pub(super) const fn plane_words(&self) -> usize {
        self.own.words
    }
}
