//! The planes being swept: where those of each slice are.

use std::marker::PhantomData;

use super::plan::Plan;
use super::set_order::SetOrder;
use crate::coloured::Frame;

/// What stands for no slot.
const NO_SLOT: u32 = u32::MAX;

/// Where the planes of a slice are, each as if it began with the first set of all.
#[derive(Clone, Copy)]
pub(super) struct Base {
    /// By slot: the plane of wins, then that of losses if the rules can draw.
    outcomes: *mut u64,
    /// By slot: what play reaches.
    reached: *mut u64,
    /// By slot: what play reaches and goes on from.
    ongoing: *mut u64,
    /// Words of a plane.
    words: usize,
    /// Words from what play goes on from of a slot to that of the next.
    ongoing_words: usize,
}

impl Base {
    /// A slice that is not there.
    pub(super) const NONE: Self = Self {
        outcomes: std::ptr::null_mut(),
        reached: std::ptr::null_mut(),
        ongoing: std::ptr::null_mut(),
        words: 0,
        ongoing_words: 0,
    };

    /// The whole. What play goes on from is kept where the wins will be, and is what it reaches where no pattern ends the
    /// game.
    ///
    /// # Panics
    /// If there are not as many words as `frame` and `plan` need.
    pub(super) fn whole(plan: &Plan, frame: &Frame, outcomes: &mut [u64], reached: &mut [u64]) -> Self {
        let (words, slots) = (frame.words() as usize, frame.slots() as usize);
        let planes = 1 + usize::from(plan.draws);
        assert_eq!(outcomes.len(), words * slots * planes, "all planes of outcomes");
        assert_eq!(reached.len(), words * slots, "all planes of what is reached");
        let (outcomes, reached) = (outcomes.as_mut_ptr(), reached.as_mut_ptr());
        let (ongoing, ongoing_words) = if plan.has_ends() { (outcomes, planes * words) } else { (reached, words) };
        Self { outcomes, reached, ongoing, words, ongoing_words }
    }

    /// A slice whose planes have `words` each and begin with word `first` of the whole: those of its outcomes.
    pub(super) fn of_outcomes(outcomes: *mut u64, first: usize, words: usize) -> Self {
        Self { outcomes: outcomes.wrapping_sub(first), words, ..Self::NONE }
    }

    /// As [`of_outcomes`](Self::of_outcomes): what play reaches of it, and what it goes on from.
    pub(super) fn of_marks(reached: *mut u64, ongoing: *mut u64, first: usize, words: usize) -> Self {
        let [reached, ongoing] = [reached, ongoing].map(|plane| plane.wrapping_sub(first));
        Self { reached, ongoing, words, ongoing_words: words, ..Self::NONE }
    }
}

/// Planes of bits, shared by all threads: of the outcomes, and of the positions that play reaches.
///
/// The words of a set are written by one thread, and read by others only after that thread has finished them: what `unsafe`
/// in this module is about. [`SetOrder::levels`] sees to it.
pub(super) struct Sweep<'a> {
    pub(super) plan: &'a Plan,
    pub(super) frame: &'a Frame,
    /// What is swept.
    pub(super) order: SetOrder,
    /// By slice.
    bases: &'a [Base],
    /// By number of occupied squares and mode: the slot.
    slots: Vec<u32>,
    memory: PhantomData<&'a mut [u64]>,
}

// SAFETY: threads share the planes as `Sweep` demands: the words of a set are written by one thread, and read by others only
// after that thread has finished them.
unsafe impl Sync for Sweep<'_> {}

impl<'a> Sweep<'a> {
    /// A sweep of `order`, whose planes and those of the slices that moves lead to or come from are where `bases` say.
    ///
    /// # Safety
    /// They are there: those of the order are valid for reads and writes as long as the sweep is there, and nobody else touches
    /// them; the others are valid for reads, and nobody writes them.
    ///
    /// # Panics
    /// If there is not a base for each slice.
    pub(super) unsafe fn new(plan: &'a Plan, frame: &'a Frame, order: SetOrder, bases: &'a [Base]) -> Self {
        assert_eq!(bases.len() as u64, order.cut.slices(), "a base for each slice");
        let modes = plan.moves.len();
        let mut slots = vec![NO_SLOT; modes * (frame.size() as usize + 1)];
        for pieces in 0..=frame.size() {
            for (slot, mode) in (0..).zip(frame.modes_at(pieces)) {
                slots[pieces as usize * modes + usize::from(mode.0)] = slot;
            }
        }
        Self { plan, frame, order, bases, slots, memory: PhantomData }
    }

    /// Whether play can be in `mode` where so many squares are occupied.
    #[inline(always)]
    pub(super) fn has(&self, pieces: u32, mode: usize) -> bool {
        self.slots[pieces as usize * self.plan.moves.len() + mode] != NO_SLOT
    }

    /// The slot of `mode` where so many squares are occupied; play can be in it.
    #[inline(always)]
    pub(super) fn slot(&self, pieces: u32, mode: usize) -> usize {
        self.slots[pieces as usize * self.plan.moves.len() + mode] as usize
    }

    #[inline(always)]
    fn base(&self, set: u64) -> &Base {
        &self.bases[self.order.cut.slice(set) as usize]
    }

    #[inline(always)]
    fn start(&self, set: u64) -> usize {
        self.frame.offsets().start(set) as usize
    }

    /// The first word of the wins of `set`, and the words from there to its losses.
    #[inline(always)]
    pub(super) fn wins(&self, set: u64, slot: usize) -> (*mut u64, usize) {
        let (planes, base) = (1 + usize::from(self.plan.draws), self.base(set));
        (base.outcomes.wrapping_add(slot * planes * base.words + self.start(set)), base.words)
    }

    /// The first word of what play reaches of `set`.
    #[inline(always)]
    pub(super) fn reached(&self, set: u64, slot: usize) -> *mut u64 {
        let base = self.base(set);
        base.reached.wrapping_add(slot * base.words + self.start(set))
    }

    /// The first word of what play reaches of `set` and goes on from.
    #[inline(always)]
    pub(super) fn ongoing(&self, set: u64, slot: usize) -> *mut u64 {
        let base = self.base(set);
        base.ongoing.wrapping_add(slot * base.ongoing_words + self.start(set))
    }
}
