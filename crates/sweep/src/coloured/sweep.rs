//! The planes during a sweep, and the addresses of their parts.

use std::marker::PhantomData;

use super::plan::Plan;
use super::set_order::SetOrder;
use crate::colourings::Frame;

/// Marks a mode without a slot.
const NO_SLOT: u32 = u32::MAX;

/// The addresses of the planes of a slice. Each is moved back to where the first set of the game would be.
#[derive(Clone, Copy)]
pub(super) struct Base {
    /// By slot: the plane of wins, then the plane of losses if the rules can draw.
    outcomes: *mut u64,
    /// By slot: the reachability bits.
    reached: *mut u64,
    /// By slot: the ongoing positions, which are reachable and not over.
    ongoing: *mut u64,
    /// Words of a plane.
    words: usize,
    /// Words from the ongoing positions of one slot to the ongoing positions of the next.
    ongoing_words: usize,
}

impl Base {
    /// A slice that is not in memory.
    pub(super) const NONE: Self = Self {
        outcomes: std::ptr::null_mut(),
        reached: std::ptr::null_mut(),
        ongoing: std::ptr::null_mut(),
        words: 0,
        ongoing_words: 0,
    };

    /// A whole game. The ongoing positions lie where the wins will be written later. Without terminal patterns they are the
    /// reachable positions.
    ///
    /// # Panics
    /// If `outcomes` or `reached` has another number of words than `frame` and `plan` need.
    pub(super) fn whole(plan: &Plan, frame: &Frame, outcomes: &mut [u64], reached: &mut [u64]) -> Self {
        let (words, slots) = (frame.words() as usize, frame.slots() as usize);
        let planes = 1 + usize::from(plan.draws);
        assert_eq!(outcomes.len(), words * slots * planes, "all planes of outcomes");
        assert_eq!(reached.len(), words * slots, "all planes of what is reached");
        let (outcomes, reached) = (outcomes.as_mut_ptr(), reached.as_mut_ptr());
        let (ongoing, ongoing_words) = if plan.has_ends() { (outcomes, planes * words) } else { (reached, words) };
        Self { outcomes, reached, ongoing, words, ongoing_words }
    }

    /// The outcomes of a slice, whose planes have `words` words each and begin with word `first` of the game.
    pub(super) fn of_outcomes(outcomes: *mut u64, first: usize, words: usize) -> Self {
        Self { outcomes: outcomes.wrapping_sub(first), words, ..Self::NONE }
    }

    /// The reachability bits and ongoing positions of a slice, as [`of_outcomes`](Self::of_outcomes).
    pub(super) fn of_marks(reached: *mut u64, ongoing: *mut u64, first: usize, words: usize) -> Self {
        let [reached, ongoing] = [reached, ongoing].map(|plane| plane.wrapping_sub(first));
        Self { reached, ongoing, words, ongoing_words: words, ..Self::NONE }
    }
}

/// Bit planes of outcomes or of reachable positions, shared by all threads.
///
/// One thread writes the words of a part of a set. Other threads read them only after it has finished them. All `unsafe` code
/// here relies on that; [`SetOrder::levels`] and [`SetOrder::shares`] ensure it.
pub(super) struct Sweep<'a> {
    pub(super) plan: &'a Plan,
    pub(super) frame: &'a Frame,
    /// The sets to sweep.
    pub(super) order: SetOrder,
    /// The planes of each slice, by its number.
    bases: &'a [Base],
    /// The slot of each mode, by number of occupied squares and mode.
    slots: Vec<u32>,
    memory: PhantomData<&'a mut [u64]>,
}

// SAFETY: threads share the planes as `Sweep` demands: the words of a part of a set are written by one thread, and read by
// others only after that thread has finished them.
unsafe impl Sync for Sweep<'_> {}

impl<'a> Sweep<'a> {
    /// A sweep of the sets of `order`. `bases` has the planes of their slice and of the slices that it depends on.
    ///
    /// # Safety
    /// As long as this exists: the planes of the swept slice are valid for reads and writes, and used by this sweep
    /// alone. The planes of the slices that it depends on are valid for reads, and no thread writes them.
    ///
    /// # Panics
    /// If `bases` does not have one entry for each slice.
    pub(super) unsafe fn new(plan: &'a Plan, frame: &'a Frame, order: SetOrder, bases: &'a [Base]) -> Self {
        assert_eq!(bases.len(), order.cut.slices(), "a base for each slice");
        let modes = plan.moves.len();
        let mut slots = vec![NO_SLOT; modes * (frame.size() as usize + 1)];
        for pieces in 0..=frame.size() {
            for (slot, mode) in (0..).zip(frame.modes_at(pieces)) {
                slots[pieces as usize * modes + usize::from(mode.0)] = slot;
            }
        }
        Self { plan, frame, order, bases, slots, memory: PhantomData }
    }

    /// `true` if a position with `pieces` occupied squares can be in `mode`.
    #[inline(always)]
    pub(super) fn has(&self, pieces: u32, mode: usize) -> bool {
        self.slots[pieces as usize * self.plan.moves.len() + mode] != NO_SLOT
    }

    /// The slot of `mode` in sets of `pieces` occupied squares, which can be in this mode.
    #[inline(always)]
    pub(super) fn slot(&self, pieces: u32, mode: usize) -> usize {
        self.slots[pieces as usize * self.plan.moves.len() + mode] as usize
    }

    #[inline(always)]
    fn base(&self, set: u64) -> &Base {
        &self.bases[self.order.cut.number(self.order.cut.slice(set))]
    }

    #[inline(always)]
    fn start(&self, set: u64) -> usize {
        self.frame.offsets().start(set) as usize
    }

    /// The first word of the wins of `set`, and the distance to the first word of its losses.
    #[inline(always)]
    pub(super) fn wins(&self, set: u64, slot: usize) -> (*mut u64, usize) {
        let (planes, base) = (1 + usize::from(self.plan.draws), self.base(set));
        (base.outcomes.wrapping_add(slot * planes * base.words + self.start(set)), base.words)
    }

    /// The first word of the reachability bits of `set`.
    #[inline(always)]
    pub(super) fn reached(&self, set: u64, slot: usize) -> *mut u64 {
        let base = self.base(set);
        base.reached.wrapping_add(slot * base.words + self.start(set))
    }

    /// The first word of the ongoing positions of `set`.
    #[inline(always)]
    pub(super) fn ongoing(&self, set: u64, slot: usize) -> *mut u64 {
        let base = self.base(set);
        base.ongoing.wrapping_add(slot * base.ongoing_words + self.start(set))
    }
}
