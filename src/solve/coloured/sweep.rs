//! The planes being swept, and which sets are swept when.
//!
//! Sets are dealt out by their upper squares. A move out of such a group occupies an upper square at least, so groups with
//! equally many of them do not depend on each other: they are swept in parallel, level by level. Within a group the sets
//! follow each other by number.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::plan::Plan;
use crate::coloured::Frame;

/// What stands for no slot.
const NO_SLOT: u32 = u32::MAX;

/// Planes of bits, shared by all threads: of the outcomes, and of the positions that play reaches.
///
/// The words of a set are written by one thread, and read by others only after that thread has finished them: what `unsafe`
/// in this module is about. [`levels`] sees to it.
pub(super) struct Sweep<'a> {
    pub(super) plan: &'a Plan,
    pub(super) frame: &'a Frame,
    /// By slot: the plane of wins, then that of losses if the rules can draw.
    outcomes: *mut u64,
    /// By slot: what play reaches.
    reached: *mut u64,
    /// Words of a plane.
    words: usize,
    /// By number of occupied squares and mode: the slot.
    slots: Vec<u32>,
    memory: PhantomData<&'a mut [u64]>,
}

// SAFETY: threads share the planes as `Sweep` demands: the words of a set are written by one thread, and read by others only
// after that thread has finished them.
unsafe impl Sync for Sweep<'_> {}

impl<'a> Sweep<'a> {
    /// A sweep over planes in these words.
    ///
    /// # Panics
    /// If there are not as many words as `frame` and `plan` need.
    pub(super) fn new(plan: &'a Plan, frame: &'a Frame, outcomes: &'a mut [u64], reached: &'a mut [u64]) -> Self {
        let words = frame.words() as usize;
        let slots = frame.slots() as usize;
        assert_eq!(outcomes.len(), words * slots * (1 + usize::from(plan.draws)), "all planes of outcomes");
        assert_eq!(reached.len(), words * slots, "all planes of what is reached");
        let modes = plan.moves.len();
        let mut slot_of = vec![NO_SLOT; modes * (frame.size() as usize + 1)];
        for stones in 0..=frame.size() {
            for (slot, mode) in (0..).zip(frame.modes_at(stones)) {
                slot_of[stones as usize * modes + usize::from(mode.0)] = slot;
            }
        }
        let (outcomes, reached) = (outcomes.as_mut_ptr(), reached.as_mut_ptr());
        Self { plan, frame, outcomes, reached, words, slots: slot_of, memory: PhantomData }
    }

    /// Whether play can be in `mode` where so many squares are occupied.
    #[inline(always)]
    pub(super) fn has(&self, stones: u32, mode: usize) -> bool {
        self.slots[stones as usize * self.plan.moves.len() + mode] != NO_SLOT
    }

    /// The slot of `mode` where so many squares are occupied; play can be in it.
    #[inline(always)]
    pub(super) fn slot(&self, stones: u32, mode: usize) -> usize {
        self.slots[stones as usize * self.plan.moves.len() + mode] as usize
    }

    /// The first word of the wins of `set`.
    #[inline(always)]
    pub(super) fn wins(&self, set: u64, slot: usize) -> *mut u64 {
        let planes = 1 + usize::from(self.plan.draws);
        self.outcomes.wrapping_add(slot * planes * self.words + self.frame.offsets().start(set) as usize)
    }

    /// Words from a slot's plane of wins to its plane of losses.
    #[inline(always)]
    pub(super) const fn to_losses(&self) -> usize {
        self.words
    }

    /// The first word of what play reaches of `set`.
    #[inline(always)]
    pub(super) fn reached(&self, set: u64, slot: usize) -> *mut u64 {
        self.reached.wrapping_add(slot * self.words + self.frame.offsets().start(set) as usize)
    }

    /// The first word of what play reaches of `set` and goes on from. It is kept where the wins of the set will be, and is
    /// what play reaches where no pattern ends the game.
    #[inline(always)]
    pub(super) fn live(&self, set: u64, slot: usize) -> *mut u64 {
        if self.plan.has_ends() { self.wins(set, slot) } else { self.reached(set, slot) }
    }
}

/// The direction of a sweep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the empty board up: successors after the positions that lead to them.
    Up,
    /// From the full board down: successors first.
    Down,
}

/// Calls `group` with the upper squares of each group of sets, on all cores of the current rayon pool, a level when the one
/// before is over. Returns early if `group` breaks.
pub(super) fn levels(
    frame: &Frame,
    direction: Direction,
    group: impl Fn(u64) -> ControlFlow<()> + Sync,
) -> ControlFlow<()> {
    let mut counts: Vec<u32> = (0..=frame.groups().ilog2()).collect();
    if direction == Direction::Down {
        counts.reverse();
    }
    counts.into_iter().try_for_each(|count| {
        let groups: Vec<u64> = (0..frame.groups()).filter(|upper| upper.count_ones() == count).collect();
        match groups.as_slice() {
            // Nothing to share: a small game is swept without waking a thread.
            [only] => group(*only),
            groups => groups.par_iter().with_max_len(1).try_for_each(|&upper| group(upper)),
        }
    })
}

/// The sets of a group, in the order in which they are swept.
pub(super) fn sets(frame: &Frame, upper: u64, direction: Direction) -> impl Iterator<Item = u64> + use<> {
    // By number, or the other way round.
    let flip = if direction == Direction::Down { (1 << frame.offsets().lower()) - 1 } else { 0 };
    frame.sets_of(upper).map(move |set| set ^ flip)
}
