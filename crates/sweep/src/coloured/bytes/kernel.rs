//! The kernel for one vector unit and one label: the lines of one set, from the sets that its moves lead to.
//!
//! ```text
//! for each chunk of lines:
//!     over[line] = the colourings with a complete pattern
//!     for each move, and each line in which it is legal and not all is over:
//!         state[line] absorbs the successors
//!     for each line:     code by its state
//!     for each pattern:  code of the pattern, the first of the rules last
//! ```

use super::super::set_order::SetPart;
use super::super::sweep::{SlicePlanes, Sweep};
use super::here::{CHUNK, Chunk, EndHere, PlayHere};
use crate::algebra::{Algebra, VectorOf};
use crate::simd::{LINE, Lane, Line, Unit, Vector};
use crate::worth::Stuck;

/// One thread's view of a part of some sets of the sweep.
pub(super) struct LineKernel<'a, U: Unit, A: Algebra> {
    sweep: &'a Sweep<'a, Line<A::Code>>,
    /// Planes of outcomes, if they are written with the codes.
    outcomes: Option<SlicePlanes<*mut u64>>,
    part: SetPart,
    unit: U,
    stuck: Stuck,
    ends: Vec<EndHere<A::Code>>,
    plays: Vec<PlayHere<VectorOf<U, A>>>,
    /// The successors that each line of a chunk has absorbed.
    states: Vec<A::Partial<U>>,
    /// The lanes of each line of a chunk in which the game is over.
    over: [u64; CHUNK],
}

impl<'a, U: Unit, A: Algebra> LineKernel<'a, U, A> {
    /// # Safety
    /// For each set that [`label`](Self::label) gets, which is of the slice that is swept: no other thread touches the lines of this part, or
    /// its words of `outcomes`, which are planes [beside](Sweep::beside) the sweep.
    /// Larger sets are labelled, and no thread writes their lines.
    #[inline(always)]
    pub(super) unsafe fn new(
        sweep: &'a Sweep<'a, Line<A::Code>>,
        outcomes: Option<SlicePlanes<*mut u64>>,
        part: SetPart,
        unit: U,
    ) -> Self {
        let stuck = Stuck { code: A::ended(sweep.plan.terminal.into()), floor: sweep.plan.floor };
        let states = vec![A::none(unit); CHUNK];
        Self { sweep, outcomes, part, unit, stuck, ends: Vec::new(), plays: Vec::new(), states, over: [0; CHUNK] }
    }

    #[inline(always)]
    fn load(&self, line: &Line<A::Code>) -> VectorOf<U, A> {
        VectorOf::<U, A>::load(A::Code::token(self.unit), line)
    }

    /// Labels every colouring of a part of `set` in `mode`, which has the slot `slot` there.
    #[inline(always)]
    pub(super) fn label(&mut self, set: u64, slot: usize, mode: usize) {
        let (sweep, pairs) = (self.sweep, self.sweep.frame.pairs());
        let coloured = sweep.frame.coloured(set);
        self.ends.clear();
        self.plays.clear();
        for end in &sweep.plan.ends[mode] {
            if let Some(end) = EndHere::new::<A>(end, set, pairs) {
                self.ends.push(end);
                if end.at.is_everywhere() {
                    break;
                }
            }
        }
        // Where every game is over, no move counts.
        if !self.ends.last().is_some_and(|end| end.at.is_everywhere()) {
            for play in &sweep.plan.moves[mode] {
                if let Some(play) = PlayHere::new(sweep, A::Code::token(self.unit), play, set) {
                    self.plays.push(play);
                }
            }
        }
        let lines = 1usize << coloured.saturating_sub(LINE) >> self.part.log;
        let first = lines * self.part.number;
        let to = sweep.own_at(&sweep.own(), set, slot).wrapping_add(first);
        // SAFETY: `Sweep::of_slice` checked that the planes have all lines of the slice, and so of this part of the set, which
        // no other thread touches, as the caller of `new` promised.
        let labels = unsafe { std::slice::from_raw_parts_mut(to, lines) };
        let existing = if coloured >= LINE { u64::MAX } else { (1 << (1u32 << coloured)) - 1 };
        for (number, labels) in labels.chunks_mut(CHUNK).enumerate() {
            let chunk = Chunk { first: first + number * CHUNK, count: labels.len() };
            self.absorb(chunk, existing);
            self.finish(chunk, existing, labels);
        }
        self.outcomes(set, slot, first, existing, labels);
    }

    /// Writes the outcomes of the lines from `first` on of `set`, whose codes are `labels`, if there are planes for them.
    #[inline(always)]
    fn outcomes(&self, set: u64, slot: usize, first: usize, existing: u64, labels: &[Line<A::Code>]) {
        let (Some(planes), Some(signs)) = (&self.outcomes, A::SIGNS) else { return };
        let sweep = self.sweep;
        let to = sweep.own_at(planes, set, slot).wrapping_add(first);
        for (number, label) in labels.iter().enumerate() {
            let (wins, losses) = signs.words(self.load(label));
            let to = to.wrapping_add(number);
            // SAFETY: `Sweep::beside` checked that the planes have a word for each line of the slice, and planes of losses with draws.
            // No other thread touches the words of this part of the set, as the caller of `new` promised of its lines.
            unsafe {
                *to = wins & existing;
                if sweep.plan.draws {
                    *to.wrapping_add(sweep.plane_words()) = losses & existing;
                }
            }
        }
    }

    /// Absorbs the successors of the lines of `chunk`. The lanes of `existing` are colourings.
    #[inline(always)]
    fn absorb(&mut self, chunk: Chunk, existing: u64) {
        let (unit, token) = (self.unit, A::Code::token(self.unit));
        let is_open = self.open(chunk, existing);
        for state in &mut self.states {
            *state = A::none(unit);
        }
        let illegal = VectorOf::<U, A>::splat(token, A::ILLEGAL);
        for play in &self.plays {
            let (worth, lanes) = (A::worth(unit, play.worth), VectorOf::<U, A>::of_lanes(token, play.at.lanes));
            for line in play.at.lines(chunk) {
                if is_open >> line & 1 == 1 {
                    // SAFETY: the line is one of the set. The caller of `new` promised that the larger set of the successors is labelled.
                    let successors = unsafe { play.successors(token, chunk.first + line) };
                    A::absorb(unit, &mut self.states[line], illegal.replaced(lanes, successors), worth);
                }
            }
        }
    }

    /// The lines of `chunk` in which some game is not over, a bit each.
    #[inline(always)]
    fn open(&mut self, chunk: Chunk, existing: u64) -> u32 {
        self.over = [0; CHUNK];
        for end in &self.ends {
            for line in end.at.lines(chunk) {
                self.over[line] |= end.at.lanes;
            }
        }
        let mut is_open = 0;
        for (line, over) in self.over.iter().enumerate() {
            is_open |= u32::from(existing & !over != 0) << line;
        }
        is_open
    }

    /// Writes the codes of the lines of `chunk`, and 0 to lanes that are no colourings.
    #[inline(always)]
    fn finish(&self, chunk: Chunk, existing: u64, labels: &mut [Line<A::Code>]) {
        let token = A::Code::token(self.unit);
        for (label, state) in labels.iter_mut().zip(&self.states) {
            A::finish(self.unit, state, self.stuck).store(label);
        }
        // The first pattern of the rules decides, so it comes last.
        for end in self.ends.iter().rev() {
            let (lanes, code) =
                (VectorOf::<U, A>::of_lanes(token, end.at.lanes), VectorOf::<U, A>::splat(token, end.code));
            for line in end.at.lines(chunk) {
                let label = &mut labels[line];
                self.load(label).replaced(lanes, code).store(label);
            }
        }
        if existing != u64::MAX {
            for label in labels {
                self.load(label).and(VectorOf::<U, A>::of_lanes(token, existing)).store(label);
            }
        }
    }
}
